//! A client that sends exactly what it is told to.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// What the server said.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The head, in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    /// Checks that it was refused, and that it says why.
    #[track_caller]
    pub(crate) fn check(&self, status: u16, part: &str) {
        assert_eq!(self.status, status, "{self:?}");
        let error: Value = serde_json::from_str(&self.body).unwrap();
        let said = error["error"].as_str().unwrap();
        assert!(said.contains(part), "no `{part}` in: {said}");
    }
}

/// Asks a server on this machine.
#[derive(Clone, Copy)]
pub(crate) struct Client {
    pub(crate) port: u16,
}

impl Client {
    pub(crate) fn get(self, path: &str) -> Reply {
        self.get_with(path, "")
    }

    /// Asks with further lines in the head, each of which ends.
    pub(crate) fn get_with(self, path: &str, lines: &str) -> Reply {
        let port = self.port;
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nhost: localhost:{port}\r\n{lines}connection: close\r\n\r\n"
        ))
    }

    pub(crate) fn post(self, path: &str, value: &Value) -> Reply {
        self.post_with(
            path,
            "content-type: application/json\r\n",
            &value.to_string(),
        )
    }

    pub(crate) fn post_with(self, path: &str, lines: &str, body: &str) -> Reply {
        let (port, length) = (self.port, body.len());
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nhost: localhost:{port}\r\n{lines}content-length: {length}\r\n\
             connection: close\r\n\r\n{body}"
        ))
    }

    /// Sends bytes, and reads until the server hangs up.
    pub(crate) fn send(self, request: &str) -> Reply {
        let mut stream = self.connect();
        // The server may have heard enough before all is sent.
        let _ = stream.write_all(request.as_bytes());
        read(&mut stream)
    }

    pub(crate) fn connect(self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let patience = Some(Duration::from_mins(1));
        stream.set_read_timeout(patience).unwrap();
        stream
    }
}

/// What the server says until it hangs up.
pub(crate) fn read(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    // A server that hangs up while it is still being talked to resets the connection.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    Reply {
        status: status.unwrap_or(0),
        head: head.to_lowercase(),
        body: body.to_owned(),
    }
}
