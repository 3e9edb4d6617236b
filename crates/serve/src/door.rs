//! Who gets in, and what browsers may do with what they are given.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::host::Hosts;
use crate::reply::Refusal;
use crate::token::Token;

/// What is looked at before anything is done.
#[derive(Clone)]
pub(crate) struct Door {
    pub(crate) hosts: Hosts,
    /// What visitors must show.
    pub(crate) token: Option<Token>,
}

/// What every answer says to browsers: the page is its own files, shown nowhere else, and tells nobody where it is.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Lets a request in or not, and marks the answer.
pub(crate) async fn pass(State(door): State<Door>, request: Request, next: Next) -> Response {
    let mut response = match door.stop(&request) {
        Some(stopped) => stopped,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.extend(HEADERS);
    if !headers.contains_key(header::CACHE_CONTROL) {
        let never = HeaderValue::from_static("no-store");
        headers.insert(header::CACHE_CONTROL, never);
    }
    response
}

impl Door {
    /// The answer to a request that does not get in.
    fn stop(&self, request: &Request<Body>) -> Option<Response> {
        if let Some(why) = self.hosts.refuse(request.uri(), request.headers()) {
            return Some(Refusal::new(StatusCode::FORBIDDEN, why).into_response());
        }
        if is_lured(request) {
            let why = "pages of other sites may not ask this server";
            return Some(Refusal::new(StatusCode::FORBIDDEN, why).into_response());
        }
        match &self.token {
            Some(token) => Self::ask_for(token, request),
            None => None,
        }
    }

    /// The answer to a request that does not show the token.
    fn ask_for(token: &Token, request: &Request<Body>) -> Option<Response> {
        let path = request.uri().path();
        if path == "/healthz" || token.is_shown(request.headers()) {
            return None;
        }
        let query = request.uri().query().unwrap_or_default();
        let is_visit = *request.method() == Method::GET && path == "/";
        if is_visit && query_value(query, "token").is_some_and(|it| token.is(it)) {
            return Some(welcome(token));
        }
        let why = "expected the token that was printed when the server started";
        let mut response = Refusal::new(StatusCode::UNAUTHORIZED, why).into_response();
        let scheme = HeaderValue::from_static("Bearer");
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, scheme);
        Some(response)
    }
}

/// Whether a page of another site asks in a way that browsers do not call by its origin.
fn is_lured(request: &Request<Body>) -> bool {
    let site = request.headers().get("sec-fetch-site");
    let is_foreign = site.is_some_and(|it| it == "cross-site" || it == "same-site");
    is_foreign && request.uri().path().starts_with("/api/")
}

/// Keeps the token in a cookie, and takes it out of the address.
fn welcome(token: &Token) -> Response {
    let headers = [
        (header::SET_COOKIE, token.cookie()),
        (header::LOCATION, "/".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// A value of an address's query; tokens have no characters that are written in another way there.
fn query_value<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    let mut pairs = query.split('&').filter_map(|it| it.split_once('='));
    pairs.find(|it| it.0 == name).map(|it| it.1)
}
