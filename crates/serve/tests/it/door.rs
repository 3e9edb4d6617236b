//! Who gets in, and what browsers are told.

use std::net::Ipv4Addr;

use patois_serve::ServeOptions;
use serde_json::json;

use crate::served::{served, served_with};

const JSON: &str = "content-type: application/json\r\n";

#[test]
fn requests_for_other_names_are_refused() {
    let served = served();
    let client = served.client();
    let head = |host: &str| format!("GET /api/schema HTTP/1.1\r\n{host}connection: close\r\n\r\n");
    let check = |host: &str, part: &str| client.send(&head(host)).check(403, part);
    check("host: evil.example\r\n", "not called `evil.example`");
    check("host: localhost.evil.example:80\r\n", "not called");
    check("host: 10.0.0.1\r\n", "not called");
    check("", "expected one header `Host`");
    check(
        "host: localhost\r\nhost: evil.example\r\n",
        "expected one header `Host`",
    );
    let absolute =
        "GET http://evil.example/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    client.send(absolute).check(403, "expected the same name");
    for host in ["127.0.0.1", "localhost:1", "[::1]:80"] {
        let reply = client.send(&head(&format!("host: {host}\r\n")));
        assert_eq!(reply.status, 200, "{reply:?}");
    }
}

#[test]
fn pages_of_other_sites_are_refused() {
    let served = served();
    let client = served.client();
    let question = json!({"question": "How many albums?"}).to_string();
    let post = |origin: &str| client.post_with("/api/ask", &format!("{JSON}{origin}"), &question);
    post("origin: http://evil.example\r\n").check(403, "pages of `http://evil.example`");
    post("origin: null\r\n").check(403, "pages of `null`");
    let port = served.port;
    post(&format!("origin: http://localhost:{}\r\n", port ^ 1)).check(403, "may not ask");
    let own = post(&format!("origin: http://localhost:{port}\r\n"));
    assert_eq!(own.status, 200, "{own:?}");
    let lured = client.get_with("/api/schema", "sec-fetch-site: cross-site\r\n");
    lured.check(403, "pages of other sites");
    // A link to the page from elsewhere is a link.
    let page = client.get_with("/", "sec-fetch-site: cross-site\r\n");
    assert_eq!(page.status, 200);
}

#[test]
fn a_token_is_needed_where_others_can_reach_the_server() {
    let served = served_with(ServeOptions {
        address: Ipv4Addr::UNSPECIFIED.into(),
        ..ServeOptions::default()
    });
    let client = served.client();
    let token = served.url.split_once("?token=").unwrap().1;
    assert_eq!(token.len(), 32);
    for path in [
        "/",
        "/main.js",
        "/api/schema",
        "/openapi.json",
        "/?token=0123",
        "/nothing",
    ] {
        client.get(path).check(401, "expected the token");
    }
    let health = client.get("/healthz");
    assert_eq!(health.status, 200, "{health:?}");
    let bearer = client.get_with("/api/schema", &format!("authorization: Bearer {token}\r\n"));
    assert_eq!(bearer.status, 200);
    let wrong = client.get_with(
        "/api/schema",
        &format!("authorization: Bearer {token}0\r\n"),
    );
    wrong.check(401, "expected the token");
    // The address that was printed leads to the page, and the token is out of the address bar.
    let welcome = client.get(&format!("/?token={token}"));
    assert_eq!(welcome.status, 303);
    assert!(welcome.head.contains("\r\nlocation: /\r\n"), "{welcome:?}");
    let cookie = format!("set-cookie: patois_token={token}; httponly; samesite=strict; path=/");
    assert!(welcome.head.contains(&cookie), "{welcome:?}");
    let page = client.get_with("/", &format!("cookie: patois_token={token}\r\n"));
    assert_eq!(page.status, 200);
}

#[test]
fn a_token_that_was_given_is_needed_everywhere() {
    let served = served_with(ServeOptions {
        token: Some("sesame".to_owned()),
        ..ServeOptions::default()
    });
    assert!(served.url.ends_with("/?token=sesame"), "{}", served.url);
    served.get("/api/schema").check(401, "expected the token");
    let shown = served
        .client()
        .get_with("/api/schema", "authorization: Bearer sesame\r\n");
    assert_eq!(shown.status, 200);
}

#[test]
fn browsers_are_told_what_the_page_may_do() {
    let served = served();
    let policy = "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; \
        connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";
    for path in ["/", "/main.js", "/api/schema", "/nothing"] {
        let reply = served.get(path);
        for line in [
            policy,
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-",
        ] {
            assert!(
                reply.head.contains(line),
                "{path}: no `{line}` in {}",
                reply.head
            );
        }
        assert!(!reply.head.contains("access-control"), "{}", reply.head);
    }
}

/// Nothing on the page is of a kind that its policy refuses, and all that it names is there.
#[test]
fn the_page_is_whole() {
    let served = served();
    let page = served.get("/");
    assert!(page.head.contains("content-type: text/html; charset=utf-8"));
    for part in [
        "<style",
        " style=",
        "javascript:",
        " onclick",
        "http://",
        "https://",
    ] {
        assert!(!page.body.contains(part), "{part}");
    }
    let values = page.body.split('"').skip(1).step_by(2);
    for path in values.filter(|it| it.starts_with('/')) {
        assert_eq!(served.get(path).status, 200, "{path}");
    }
    let scripts = [
        "main", "answer", "chart", "complete", "schema", "sql", "table", "api",
    ];
    for script in scripts {
        let source = served.get(&format!("/{script}.js")).body;
        for import in source.split("from \"./").skip(1) {
            let path = import.split('"').next().unwrap();
            assert_eq!(served.get(&format!("/{path}")).status, 200, "{path}");
        }
    }
}

#[test]
fn there_is_nothing_outside_the_page() {
    let served = served();
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/main.js",
        "/music.sqlite",
        "/main.js/",
    ] {
        served
            .get(path)
            .check(404, "there is nothing at this address");
    }
}

#[test]
fn forms_of_other_sites_cannot_post() {
    let served = served();
    let client = served.client();
    let body = json!({"sql": "SELECT 1"}).to_string();
    for kind in [
        "",
        "content-type: text/plain\r\n",
        "content-type: application/x-www-form-urlencoded\r\n",
    ] {
        let reply = client.post_with("/api/sql", kind, &body);
        reply.check(415, "expected the content type application/json");
    }
    let kind = "content-type: Application/JSON; charset=utf-8\r\n";
    assert_eq!(client.post_with("/api/sql", kind, &body).status, 200);
}
