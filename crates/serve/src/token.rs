//! What visitors from other machines must show.

use std::io;

use axum::http::{HeaderMap, header};

/// The name of the cookie.
const COOKIE: &str = "patois_token";

/// A secret that visitors must know.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A secret that somebody chose.
    pub(crate) fn given(text: &str) -> Token {
        Token(text.to_owned())
    }

    /// Sixteen random bytes.
    pub(crate) fn drawn() -> io::Result<Token> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let digits = bytes.iter().flat_map(|it| [it >> 4, it & 15]);
        let digits = digits.filter_map(|it| char::from_digit(it.into(), 16));
        Ok(Token(digits.collect()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the secret; how long that takes tells nothing about where the two differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), text.as_bytes());
        let differing = ours.iter().zip(theirs).fold(0, |sum, (a, b)| sum | (a ^ b));
        std::hint::black_box(differing) == 0 && ours.len() == theirs.len()
    }

    /// Whether a request shows it, as `Authorization: Bearer` or as a cookie.
    pub(crate) fn is_shown(&self, headers: &HeaderMap) -> bool {
        let bearer = headers.get(header::AUTHORIZATION);
        let bearer = bearer.and_then(|it| it.to_str().ok()?.strip_prefix("Bearer "));
        bearer.is_some_and(|it| self.is(it.trim())) || self.is_in_cookies(headers)
    }

    /// The cookie that shows it, for this page only and out of reach of scripts.
    pub(crate) fn cookie(&self) -> String {
        format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", self.0)
    }

    fn is_in_cookies(&self, headers: &HeaderMap) -> bool {
        let lines = headers.get_all(header::COOKIE).iter();
        let mut cookies = lines
            .filter_map(|it| it.to_str().ok())
            .flat_map(|it| it.split(';'))
            .filter_map(|it| it.trim().split_once('='));
        cookies.any(|(name, value)| name == COOKIE && self.is(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_and_nothing_else() {
        let token = Token::given("abc");
        assert!(token.is("abc"));
        for other in ["", "ab", "abcd", "abd", "ABC"] {
            assert!(!token.is(other), "{other}");
        }
        let drawn = Token::drawn().unwrap();
        assert_eq!(drawn.text().len(), 32);
        assert_ne!(drawn.text(), Token::drawn().unwrap().text());
    }

    #[test]
    fn it_is_shown_in_a_header_or_a_cookie() {
        let token = Token::given("abc");
        let check = |name: header::HeaderName, value: &str, expected: bool| {
            let headers = HeaderMap::from_iter([(name, value.parse().unwrap())]);
            assert_eq!(token.is_shown(&headers), expected, "{value}");
        };
        check(header::AUTHORIZATION, "Bearer abc", true);
        check(header::AUTHORIZATION, "Basic abc", false);
        check(header::COOKIE, "a=b; patois_token=abc", true);
        check(header::COOKIE, "other=abc", false);
    }
}
