//! Visitors who take too much.

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use patois_serve::{Limits, ServeError, ServeOptions};
use serde_json::json;

use crate::client::read;
use crate::served::{Served, asker, music, served, served_with};

fn limited(limits: Limits) -> Served {
    served_with(ServeOptions {
        limits,
        ..ServeOptions::default()
    })
}

/// A query that lasts until it is stopped.
const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

#[test]
fn long_requests_are_refused() {
    let served = served();
    let client = served.client();
    let body = json!({"sql": "x".repeat(1 << 20)}).to_string();
    let json = "content-type: application/json\r\n";
    client
        .post_with("/api/sql", json, &body)
        .check(413, "expected at most 65536 bytes");
    // The same without saying beforehand how long it is.
    let (port, half) = (served.port, "x".repeat(40 << 10));
    let chunk = format!("{:x}\r\n{half}\r\n", half.len());
    let chunked = format!(
        "POST /api/sql HTTP/1.1\r\nhost: localhost:{port}\r\n{json}transfer-encoding: chunked\r\n\
         connection: close\r\n\r\n{chunk}{chunk}0\r\n\r\n"
    );
    client
        .send(&chunked)
        .check(413, "expected at most 65536 bytes");
    // A gigabyte that is announced is not waited for.
    let announced = format!(
        "POST /api/sql HTTP/1.1\r\nhost: localhost:{port}\r\n{json}content-length: 1073741824\r\n\
         connection: close\r\n\r\n{{"
    );
    let started = Instant::now();
    client
        .send(&announced)
        .check(413, "expected at most 65536 bytes");
    assert!(started.elapsed() < Duration::from_secs(5));
    let head = format!("x-long: {}\r\n", "x".repeat(1 << 20));
    let reply = client.get_with("/", &head);
    assert!([0, 431].contains(&reply.status), "{}", reply.status);
    assert_eq!(served.get("/healthz").status, 200);
}

#[test]
fn slow_clients_are_hung_up_on() {
    let served = limited(Limits {
        head: Duration::from_millis(400),
        body: Duration::from_millis(400),
        ..Limits::default()
    });
    // Nothing at all; a head that never ends; a connection that is kept and not used.
    let port = served.port;
    let whole = format!("GET /healthz HTTP/1.1\r\nhost: localhost:{port}\r\n\r\n");
    for (start, expected) in [
        ("", [0, 408]),
        ("GET / HTTP/1.1\r\nhost: lo", [0, 408]),
        (&whole, [200, 200]),
    ] {
        let started = Instant::now();
        let mut stream = served.client().connect();
        stream.write_all(start.as_bytes()).unwrap();
        let reply = read(&mut stream);
        assert!(expected.contains(&reply.status), "{reply:?}");
        assert!(started.elapsed() < Duration::from_secs(5), "{start}");
    }
    let mut stream = served.client().connect();
    let slow = format!(
        "POST /api/sql HTTP/1.1\r\nhost: localhost:{port}\r\ncontent-type: application/json\r\n\
         content-length: 100\r\nconnection: close\r\n\r\n{{"
    );
    stream.write_all(slow.as_bytes()).unwrap();
    read(&mut stream).check(408, "took longer than 400ms to arrive");
}

#[test]
fn too_much_at_once_is_sent_away_and_questions_go_on() {
    let served = limited(Limits {
        n_at_once: 1,
        patience: Duration::from_millis(200),
        ..Limits::default()
    });
    // Let the values be read first.
    std::thread::sleep(Duration::from_millis(300));
    let client = served.client();
    std::thread::scope(|scope| {
        let lasting = scope.spawn(|| client.post("/api/sql", &json!({"sql": ENDLESS})));
        std::thread::sleep(Duration::from_millis(500));
        let refused = client.post("/api/sql", &json!({"sql": "SELECT 1"}));
        refused.check(503, "too much is being asked at once");
        assert!(
            refused.head.contains("\r\nretry-after: 2\r\n"),
            "{refused:?}"
        );
        let question = json!({"question": "How many albums?"});
        assert_eq!(client.post("/api/ask", &question).status, 200);
        assert_eq!(client.get("/healthz").status, 200);
        assert_eq!(lasting.join().unwrap().status, 200);
    });
    let again = client.post("/api/sql", &json!({"sql": "SELECT 1"}));
    assert_eq!(again.json()["rows"], json!([[1]]));
}

#[test]
fn what_takes_too_long_is_not_waited_for() {
    let served = limited(Limits {
        work: Duration::from_millis(300),
        ..Limits::default()
    });
    let reply = served.post("/api/sql", &json!({"sql": ENDLESS}));
    reply.check(504, "took longer than 300ms");
}

#[test]
fn a_port_in_use_is_an_error() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let asker = asker(&music(folder.path()));
    let options = ServeOptions {
        port,
        ..ServeOptions::default()
    };
    let error = patois_serve::serve(asker, options, |_| panic!("nothing is served")).unwrap_err();
    assert!(matches!(error, ServeError::Busy(_)), "{error}");
    assert_eq!(
        error.to_string(),
        format!("port {port} of 127.0.0.1 is in use")
    );
}

#[test]
fn stopping_lets_work_end_and_takes_no_more() {
    let mut served = served();
    let client = served.client();
    // Somebody who keeps a connection does not keep the server.
    let idle = client.connect();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1500000) SELECT count(*) FROM n";
    std::thread::scope(|scope| {
        let working = scope.spawn(|| client.post("/api/sql", &json!({"sql": sql})));
        std::thread::sleep(Duration::from_millis(150));
        let started = Instant::now();
        served.stop().unwrap();
        assert!(started.elapsed() < Duration::from_secs(10));
        assert_eq!(working.join().unwrap().status, 200);
    });
    drop(idle);
    assert!(std::net::TcpStream::connect(("127.0.0.1", client.port)).is_err());
}
