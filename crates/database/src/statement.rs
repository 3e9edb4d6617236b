//! The one statement of a text.

use crate::QueryError;

/// The one statement of `sql`, without what stands around it.
///
/// It is found without SQLite, which would have to compile the others to tell that they are there.
pub(super) fn only_statement(sql: &str) -> Result<&str, QueryError> {
    // SQLite would stop reading there.
    if sql.contains('\0') {
        return Err(QueryError::Sqlite("unexpected NUL character".to_owned()));
    }
    let mut statements = Statements { rest: sql };
    let first = statements.next().ok_or(QueryError::Empty)?;
    match statements.next() {
        None => Ok(first),
        Some(_) => Err(QueryError::Several),
    }
}

/// A name as SQLite takes it whatever its characters are.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The statements of a text, without those of blanks and comments alone.
struct Statements<'s> {
    rest: &'s str,
}

impl<'s> Iterator for Statements<'s> {
    type Item = &'s str;

    fn next(&mut self) -> Option<&'s str> {
        let mut start = None;
        let mut at = 0;
        while let Some(token) = Token::first(&self.rest[at..]) {
            let (text, from) = (self.rest, at);
            at += token.length;
            match token.kind {
                TokenKind::Blank => {}
                TokenKind::Other => start = start.or(Some(from)),
                TokenKind::End => {
                    self.rest = &text[at..];
                    if let Some(start) = start {
                        return Some(&text[start..from]);
                    }
                    at = 0;
                }
            }
        }
        let last = start.map(|start| &self.rest[start..]);
        self.rest = "";
        last
    }
}

/// As much of SQLite's tokens as it takes to tell where a statement ends.
struct Token {
    kind: TokenKind,
    /// In bytes.
    length: usize,
}

enum TokenKind {
    Blank,
    End,
    Other,
}

impl Token {
    /// What `text` begins with; none where it is empty.
    fn first(text: &str) -> Option<Token> {
        let first = text.chars().next()?;
        // What is not closed goes on to the end.
        let until = |from: usize, closing: &str| {
            let found = text.get(from..).and_then(|it| it.find(closing));
            found.map_or(text.len(), |at| from + at + closing.len())
        };
        let (kind, length) = match first {
            ';' => (TokenKind::End, 1),
            '-' if text.starts_with("--") => (TokenKind::Blank, until(2, "\n")),
            '/' if text.starts_with("/*") => (TokenKind::Blank, until(2, "*/")),
            // A doubled quote ends one text and begins another, which is the same here.
            '\'' | '"' | '`' => (TokenKind::Other, until(1, first.encode_utf8(&mut [0; 4]))),
            '[' => (TokenKind::Other, until(1, "]")),
            _ if first.is_ascii_whitespace() => (TokenKind::Blank, 1),
            _ => (TokenKind::Other, first.len_utf8()),
        };
        Some(Token { kind, length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sql: &str, expected: &Result<&str, QueryError>) {
        assert_eq!(only_statement(sql), *expected, "{sql}");
    }

    #[test]
    fn a_statement_ends_where_sqlite_ends_it() {
        for sql in [
            "SELECT ';'",
            "SELECT 'it''s;'",
            "SELECT \";\", `;`, [;]",
            "SELECT 1 -- ; SELECT 2",
            "SELECT /* ; */ 1",
            "SELECT /*/;*/ 1",
            "SELECT '; not closed",
            "SELECT [; not closed",
            "SELECT 1 /* ; not closed",
            "SELECT x'00' - -1 / 2",
        ] {
            check(sql, &Ok(sql));
        }
        check(" ;; -- first\n SELECT 1 ; ; /* last */", &Ok("SELECT 1 "));
        check("\u{feff}SELECT 1", &Ok("\u{feff}SELECT 1"));
    }

    #[test]
    fn there_is_exactly_one() {
        check("", &Err(QueryError::Empty));
        check(" ;; -- nothing", &Err(QueryError::Empty));
        check("SELECT 1; SELECT 2", &Err(QueryError::Several));
        check("SELECT ''; '", &Err(QueryError::Several));
        check("SELECT 1 --\n; x", &Err(QueryError::Several));
        check(&";".repeat(100_000), &Err(QueryError::Empty));
    }
}
