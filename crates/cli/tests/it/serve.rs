//! `patois serve` as its users meet it; what it answers is tested in `crates/serve`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Stdio};

use tempfile::TempDir;

use crate::program::{check_failure, patois, run, tiny_folder};

/// A folder with a run that took a few steps, and databases.
pub(crate) fn trained() -> TempDir {
    let folder = tiny_folder(&[]);
    let (code, _, stderr) = run(folder.path(), &["train", "tiny.toml", "--out", "tiny"]);
    assert_eq!(code, 0, "{stderr}");
    folder
}

const GYM: &str = "database/gym.sqlite";

#[test]
fn the_address_is_printed_and_answers() {
    let folder = trained();
    let arguments = [
        "serve", GYM, "--model", "tiny", "--port", "0", "--json", "-q",
    ];
    let mut child = patois(folder.path(), &arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let stdout = child.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut line).unwrap();
    let printed: serde_json::Value = serde_json::from_str(&line).unwrap();
    let url = printed["url"].as_str().unwrap();
    let authority = url.strip_prefix("http://").unwrap().trim_end_matches('/');
    assert!(authority.starts_with("127.0.0.1:"), "{url}");
    let mut stream = TcpStream::connect(authority).unwrap();
    let request =
        format!("GET /healthz HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "{reply}");
    end(child);
}

/// On Unix as Ctrl-C does, which is a good end.
fn end(mut child: Child) {
    if cfg!(unix) {
        let pid = child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    } else {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let folder = trained();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let check = |arguments: &[&str], code: i32, parts: &[&str]| {
        let arguments = [&["serve"], arguments].concat();
        check_failure(folder.path(), &arguments, code, parts);
    };
    let busy = format!("port {port} of 127.0.0.1 is in use");
    check(
        &[GYM, "--model", "tiny", "--port", &port],
        1,
        &[&busy, "--port 0 finds a free one"],
    );
    check(&[], 2, &["<FILE>"]);
    check(&["none.sqlite", "--model", "tiny"], 1, &["none.sqlite"]);
    std::fs::write(
        folder.path().join("junk.sqlite"),
        b"SQLite format 3\0, hardly",
    )
    .unwrap();
    check(&["junk.sqlite", "--model", "tiny"], 1, &["junk.sqlite"]);
    check(&[GYM, "--model", "absent"], 1, &["holds no run"]);
}
