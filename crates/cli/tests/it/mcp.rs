//! `patois mcp`: a conversation as other programs have it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::program::{check_failure, patois};
use crate::serve::trained;

/// A program that talks to patois.
struct Talk {
    child: Child,
    said: BufReader<ChildStdout>,
    n_requests: u64,
}

impl Talk {
    /// Starts patois, and says hello.
    fn start(folder: &Path) -> Talk {
        let mut child = patois(folder, &["mcp", "database/gym.sqlite", "--model", "tiny"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let mut talk = Talk {
            child,
            said,
            n_requests: 0,
        };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let hello = talk.request("initialize", &hello);
        assert_eq!(hello["result"]["serverInfo"]["name"], "patois", "{hello}");
        assert!(
            hello["result"]["capabilities"]["tools"].is_object(),
            "{hello}"
        );
        talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        talk
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let reply = self.next();
        assert_eq!(
            (&reply["jsonrpc"], &reply["id"]),
            (&json!("2.0"), &json!(id))
        );
        reply
    }

    /// The next line, which is a message and nothing else.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Calls a tool that does what it should.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let reply = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = reply["result"].clone();
        assert_ne!(result["isError"], true, "{reply}");
        assert_eq!(result["content"][0]["type"], "text", "{reply}");
        result
    }

    /// Hangs up: patois ends well.
    fn end(mut self) {
        drop(self.child.stdin.take());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn tools_are_described_and_answer() {
    let folder = trained();
    let mut talk = Talk::start(folder.path());
    let listed = talk.request("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: BTreeSet<&str> = tools
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        BTreeSet::from(["ask", "check_sql", "run_sql", "schema"])
    );
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
    assert!(talk.request("ping", &json!({}))["result"].is_object());

    let answer = talk.call("ask", &json!({"question": "How many members are there?"}));
    let programs = answer["structuredContent"]["programs"].as_array().unwrap();
    assert!(!programs.is_empty(), "{answer}");
    let code = programs[0]["code"].as_str().unwrap();
    assert!(
        answer["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains(code),
        "{answer}"
    );

    let schema = talk.call("schema", &json!({}));
    let table = schema["structuredContent"]["tables"][0]["name"].clone();
    let table = table.as_str().unwrap();
    assert!(
        schema["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains(table)
    );
    let sql = format!("SELECT count(*) AS n FROM {table}");
    let rows = talk.call("run_sql", &json!({"sql": sql}));
    assert_eq!(rows["structuredContent"]["columns"], json!(["n"]), "{rows}");
    let checked = talk.call("check_sql", &json!({"sql": sql}));
    assert_eq!(checked["structuredContent"]["runs"], true, "{checked}");
    assert!(
        checked["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("number of")
    );
    let checked = talk.call("check_sql", &json!({"sql": "SELECT nothing FROM nowhere"}));
    assert_eq!(checked["structuredContent"]["runs"], false, "{checked}");
    talk.end();
}

#[test]
fn what_makes_no_sense_or_does_harm_is_refused_and_the_talk_goes_on() {
    let folder = trained();
    let database = folder.path().join("database");
    let before = fs::read(database.join("gym.sqlite")).unwrap();
    let n_files = fs::read_dir(&database).unwrap().count();
    let mut talk = Talk::start(folder.path());
    for sql in [
        "DROP TABLE member",
        "ATTACH 'other.sqlite' AS other",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT zeroblob(2000000000)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    ] {
        let call = json!({"name": "run_sql", "arguments": {"sql": sql}});
        let reply = talk.request("tools/call", &call);
        assert_eq!(reply["result"]["isError"], true, "{sql}: {reply}");
    }
    let unknown = talk.request("tools/call", &json!({"name": "drop", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let wrong = talk.request(
        "tools/call",
        &json!({"name": "ask", "arguments": {"text": "x"}}),
    );
    assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    let unknown = talk.request("no/such/method", &json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let refused = talk.call("ask", &json!({"question": "Delete all members"}));
    assert_eq!(refused["structuredContent"]["abstained"], true);
    talk.end();
    assert_eq!(fs::read(database.join("gym.sqlite")).unwrap(), before);
    assert_eq!(fs::read_dir(&database).unwrap().count(), n_files);
}

#[test]
fn a_file_that_cannot_be_asked_is_an_error_before_anything_is_said() {
    let folder = trained();
    fs::write(
        folder.path().join("junk.sqlite"),
        b"SQLite format 3\0, hardly",
    )
    .unwrap();
    let arguments = ["mcp", "junk.sqlite", "--model", "tiny"];
    check_failure(folder.path(), &arguments, 1, &["junk.sqlite"]);
}
