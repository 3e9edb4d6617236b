//! Which names this machine goes by: pages of other sites must not reach a server that listens for this machine only.
//!
//! A browser that was lured to a foreign page asks us in its name: the name it believes to talk to is in `Host`, even
//! where that name was made to lead here ("DNS rebinding"), and the page that asks is in `Origin`.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, Uri, header};

/// The names that requests may be addressed to.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    /// The address that we listen on.
    pub(crate) address: IpAddr,
    /// Further names.
    pub(crate) names: Vec<String>,
}

impl Hosts {
    /// Why a request is none of ours.
    pub(crate) fn refuse(&self, uri: &Uri, headers: &HeaderMap) -> Option<String> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next().map(text), hosts.next()) else {
            return Some("expected one header `Host`".to_owned());
        };
        if !self.is_ours(host) {
            return Some(format!("this server is not called `{host}`"));
        }
        if uri.authority().is_some_and(|it| it.as_str() != host) {
            return Some("expected the same name in the address and in `Host`".to_owned());
        }
        let foreign = headers.get_all(header::ORIGIN).iter().map(text);
        let mut foreign = foreign.filter(|it| !is_same(it, host));
        if let Some(origin) = foreign.next() {
            return Some(format!("pages of `{origin}` may not ask this server"));
        }
        None
    }

    /// Whether a name, perhaps with a port, leads to us and to nobody else.
    fn is_ours(&self, host: &str) -> bool {
        let name = without_port(host);
        let literal = name.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = literal.parse::<IpAddr>() {
            // Numbers lead where they say: there is no name to be bent.
            return address.is_loopback() || !self.address.is_loopback();
        }
        let names = self.names.iter().map(String::as_str);
        names
            .chain(["localhost"])
            .any(|it| it.eq_ignore_ascii_case(name))
    }
}

/// Whether a page that asks is one of the host's own.
fn is_same(origin: &str, host: &str) -> bool {
    let scheme = ["http://", "https://"];
    let mut name = scheme.iter().filter_map(|it| origin.strip_prefix(it));
    name.any(|it| it.eq_ignore_ascii_case(host))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
        _ => host,
    }
}

/// What a header says; nothing that could be a name where it is not text.
fn text(value: &HeaderValue) -> &str {
    value.to_str().unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(address: &str, headers: &[(header::HeaderName, &str)]) -> Option<String> {
        let hosts = Hosts {
            address: address.parse().unwrap(),
            names: vec!["data.example".to_owned()],
        };
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()));
        hosts.refuse(&Uri::from_static("/"), &headers.collect())
    }

    #[test]
    fn only_our_names_are_answered_to() {
        let check = |address: &str, host: &str, expected: bool| {
            let found = refused(address, &[(header::HOST, host)]);
            assert_eq!(found.is_none(), expected, "{address} {host}: {found:?}");
        };
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:9",
            "[::1]:80",
            "data.example:1",
        ] {
            check("127.0.0.1", host, true);
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "",
            ":80",
            "127.0.0.1.nip.io",
        ] {
            check("127.0.0.1", host, false);
        }
        check("0.0.0.0", "10.0.0.1:80", true);
        check("0.0.0.0", "evil.example", false);
        assert!(refused("127.0.0.1", &[]).is_some());
    }

    #[test]
    fn only_our_own_page_may_ask() {
        let check = |origin: &str, expected: bool| {
            let headers = [(header::HOST, "localhost:80"), (header::ORIGIN, origin)];
            assert_eq!(
                refused("127.0.0.1", &headers).is_none(),
                expected,
                "{origin}"
            );
        };
        check("http://localhost:80", true);
        check("https://localhost:80", true);
        check("http://localhost:81", false);
        check("http://evil.example", false);
        check("null", false);
        check("localhost:80", false);
    }
}
