//! What is not answered, and how that is said.

use patois_languages::sql::DatabaseSchema;

/// The longest question, in words: attention takes the square of it.
const MAX_WORDS: usize = 2000;

/// Words that ask for a change where they come first.
const CHANGES: [&str; 26] = [
    "alter",
    "append",
    "approve",
    "archive",
    "assign",
    "cancel",
    "clear",
    "create",
    "delete",
    "destroy",
    "drop",
    "edit",
    "enrol",
    "enroll",
    "erase",
    "insert",
    "modify",
    "overwrite",
    "purge",
    "reduce",
    "remove",
    "rename",
    "replace",
    "reset",
    "truncate",
    "update",
];

/// Words that do where what is to be changed follows: `set the price`, but not `set per country`.
const CHANGES_OF: [&str; 15] = [
    "add", "book", "change", "decrease", "hire", "increase", "fire", "lower", "make", "mark",
    "move", "put", "raise", "retire", "set",
];

/// What follows where such a word is a noun: `change in price from 2020 to 2021`.
const JOINTS: [&str; 8] = ["by", "for", "from", "in", "of", "on", "per", "to"];

/// What begins the name of what is to be changed.
const DETERMINERS: [&str; 14] = [
    "a",
    "all",
    "an",
    "another",
    "each",
    "every",
    "everybody",
    "everyone",
    "his",
    "her",
    "our",
    "the",
    "their",
    "this",
];

/// Words before the first one that counts.
const POLITE: [&str; 12] = [
    "please", "can", "could", "would", "will", "you", "i", "want", "to", "just", "now", "and",
];

/// Why a question is not even tried.
pub(crate) fn refused(question: &str) -> Option<String> {
    let words = patois::spec::words::words(question);
    if !question.contains(char::is_alphanumeric) {
        return Some("the question is empty".to_owned());
    }
    if words.len() > MAX_WORDS {
        let n_words = words.len();
        return Some(format!(
            "the question has {n_words} words, expected at most {MAX_WORDS}"
        ));
    }
    let words = words.iter().map(|it| it.text.to_lowercase());
    let mut words = words.skip_while(|it| POLITE.contains(&it.as_str()));
    let first = words.next()?;
    let second = words.next().unwrap_or_default();
    let is_moved = !JOINTS.contains(&second.as_str()) && words.any(|it| it == "to");
    let is_followed = is_moved || DETERMINERS.contains(&second.as_str());
    let is_change =
        CHANGES.contains(&first.as_str()) || (is_followed && CHANGES_OF.contains(&first.as_str()));
    is_change.then(|| {
        format!(
            "nothing can be changed from here, the database is only read: `{first}` is not done"
        )
    })
}

/// Why there is no answer that should be shown.
pub(crate) fn unsure(schema: &DatabaseSchema, unheld: &[&str]) -> String {
    let unknown: Vec<String> = unheld.iter().take(3).map(|it| format!("`{it}`")).collect();
    let about = match unknown.as_slice() {
        [] => "no answer is likely enough to be right".to_owned(),
        [one] => format!("nothing here is called {one}"),
        [others @ .., last] => format!("nothing here is called {} or {last}", others.join(", ")),
    };
    format!("{about}; {}", holdings(schema))
}

/// How many tables are named.
const MOST_TABLES: usize = 8;

/// What a database holds.
fn holdings(schema: &DatabaseSchema) -> String {
    let tables = schema.tables.iter().map(|it| it.name.as_str());
    let named: Vec<&str> = tables.take(MOST_TABLES).collect();
    let rest = schema.tables.len() - named.len();
    let more = match rest {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    format!("the database has the tables {}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_refused_and_questions_are_not() {
        for question in [
            "Delete all customers",
            "please remove the singer Joe",
            "Can you drop the table of orders?",
            "UPDATE prices by 10 %",
            "Add a new customer called Ada",
            "set the price of the bread to 4",
            "Could you cancel order 17?",
            "change Ada's phone number to 17",
            "",
            " ?! ",
        ] {
            assert!(refused(question).is_some(), "{question}");
        }
        for question in [
            "Which customers were deleted?",
            "Show the last update of each page",
            "How many items did we remove?",
            "created after 2020",
            "add up what Ada paid",
            "mark per student",
            "Give me all names",
            "increase in price by year",
            "change in price from 2020 to 2021",
        ] {
            assert_eq!(refused(question), None, "{question}");
        }
        assert!(refused(&"word ".repeat(2001)).is_some());
    }
}
