//! What visitors send: JSON, not too much of it, and not too slowly.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::options::Limits;
use crate::reply::Refusal;

/// The JSON of a request.
pub(crate) async fn read<T: DeserializeOwned>(
    request: Request<Body>,
    limits: &Limits,
) -> Result<T, Refusal> {
    check_kind(request.headers())?;
    check_length(request.headers(), limits.n_body_bytes)?;
    let body = Limited::new(request.into_body(), limits.n_body_bytes).collect();
    let bytes = match tokio::time::timeout(limits.body, body).await {
        Ok(Ok(collected)) => collected.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return Err(too_long(limits.n_body_bytes));
        }
        Ok(Err(error)) => {
            let message = format!("the request broke off: {error}");
            return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
        }
        Err(_) => return Err(too_slow(limits.body)),
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("expected JSON as /openapi.json describes it: {error}");
        Refusal::new(StatusCode::BAD_REQUEST, message)
    })
}

/// Forms of other sites cannot send this kind without asking first.
fn check_kind(headers: &HeaderMap) -> Result<(), Refusal> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = format!("expected the content type application/json, found `{kind}`");
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}

fn check_length(headers: &HeaderMap, limit: usize) -> Result<(), Refusal> {
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|it| it.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|it| it > limit) {
        return Err(too_long(limit));
    }
    Ok(())
}

fn too_long(limit: usize) -> Refusal {
    let message = format!("expected at most {limit} bytes");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

fn too_slow(limit: Duration) -> Refusal {
    let message = format!("the request took longer than {limit:?} to arrive");
    Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
}
