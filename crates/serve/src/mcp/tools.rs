//! What the tools are called, what they take, and what they are for.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{MOST_PROGRAMS, MOST_ROWS};

/// No arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// A query to be looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Checking {
    pub(super) sql: String,
}

/// All tools.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        tool(
            "ask",
            "Ask the database",
            "Answers a question about the database in plain English: queries that differ in their rows, best first, each \
             with what it computes in words, how sure it is (confidence, 0 to 1) and its first rows. `abstained` says that \
             no answer is likely enough, `reason` why.",
            &json!({
                "question": {"type": "string", "description": "The question, in English"},
                "n_programs": {"type": "integer", "minimum": 1, "maximum": MOST_PROGRAMS, "description": "How many answers, at most; 4 where nothing is said"},
                "n_rows": rows_property(),
                "trace": {"type": "boolean", "description": "Whether to tell what made which part of a query"},
            }),
            &["question"],
        ),
        tool(
            "schema",
            "Describe the database",
            "Tells the tables, their columns with kinds and keys (declared, and guessed from names and values), and how many rows they have.",
            &json!({}),
            &[],
        ),
        tool(
            "run_sql",
            "Run a query",
            "Runs one query in SQLite's SQL that only reads, within limits of time, memory and rows. Anything else is refused.",
            &json!({"sql": {"type": "string", "description": "The query"}, "n_rows": rows_property()}),
            &["sql"],
        ),
        tool(
            "check_sql",
            "Check a query",
            "Tells whether a query would run here: whether it parses, all names exist, and it only reads; and what it computes, in words.",
            &json!({"sql": {"type": "string", "description": "The query"}}),
            &["sql"],
        ),
    ]
}

fn rows_property() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": MOST_ROWS, "description": "How many rows, at most; 100 where nothing is said"})
}

fn tool(
    name: &'static str,
    title: &str,
    description: &'static str,
    properties: &Value,
    required: &[&str],
) -> Tool {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties.clone());
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    let mut tool = Tool::new(name, description, schema);
    tool.title = Some(title.to_owned());
    tool.annotations = Some(
        ToolAnnotations::new()
            .read_only(true)
            .idempotent(true)
            .open_world(false),
    );
    tool
}
