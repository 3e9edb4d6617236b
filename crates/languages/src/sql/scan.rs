//! A look at the tokens before the parser sees them: what would harm it, and where things stand.

use patois_syntax::ParseError;
use sqlite3_parser::lexer::Scanner;
use sqlite3_parser::lexer::sql::{Error, TokenType, Tokenizer};

/// The longest query that is read, in bytes: SQLite's own default limit.
const MAX_LENGTH: usize = 1_000_000;

/// The parser keeps parentheses in its trees and frees them recursively.
const MAX_PARENTHESES: usize = 2 * super::MAX_DEPTH;

/// The tokens of a query that can be given to the parser without harm.
pub(super) struct Tokens<'s> {
    source: &'s str,
    tokens: Vec<(usize, &'s str)>,
}

/// How the LIMIT clauses of a query say how many rows to skip.
pub(super) enum OffsetNotation {
    /// `LIMIT count OFFSET offset`, or not at all.
    Keyword,
    /// `LIMIT offset, count`.
    Comma,
    /// Now one way, now the other, from the given byte on.
    Mixed(usize),
}

impl<'s> Tokens<'s> {
    /// Reads the tokens of `source`.
    pub(super) fn scan(source: &'s str) -> Result<Tokens<'s>, ParseError> {
        if source.len() > MAX_LENGTH {
            let message = format!(
                "expected a query of at most {MAX_LENGTH} bytes, found {}",
                source.len()
            );
            return Err(ParseError::whole(message));
        }
        if let Some(at) = source.find('\0') {
            return Err(ParseError::at(at, "expected a query, found a NUL byte"));
        }
        let bytes = source.as_bytes();
        let mut scanner = Scanner::new(Tokenizer::new());
        let mut tokens = Vec::new();
        let mut n_open = 0_usize;
        loop {
            let (start, token, end) = scanner
                .scan(bytes)
                .map_err(|error| parser_error(source, &error))?;
            let Some((_, kind)) = token else { break };
            let text = source.get(start..end).ok_or_else(|| {
                ParseError::at(start, "expected a token, found part of a character")
            })?;
            match kind {
                TokenType::TK_LP => n_open += 1,
                TokenType::TK_RP => n_open = n_open.saturating_sub(1),
                _ => {}
            }
            if n_open > MAX_PARENTHESES {
                let message = format!("parentheses are nested deeper than {MAX_PARENTHESES}");
                return Err(ParseError::at(start, message));
            }
            tokens.push((start, text));
        }
        if tokens.iter().all(|&(_, text)| text == ";") {
            return Err(ParseError::at(0, "expected a query, found nothing"));
        }
        Ok(Tokens { source, tokens })
    }

    /// The text that was scanned.
    pub(super) fn source(&self) -> &'s str {
        self.source
    }

    /// The first token after the semicolon that ends the first statement, if there is one.
    pub(super) fn second_statement(&self) -> Option<usize> {
        let mut after = self
            .tokens
            .iter()
            .skip_while(|(_, text)| *text == ";")
            .skip_while(|(_, text)| *text != ";")
            .skip_while(|(_, text)| *text == ";");
        after.next().map(|&(start, _)| start)
    }

    /// How the LIMIT clauses say how many rows to skip.
    pub(super) fn offset_notation(&self) -> OffsetNotation {
        let mut has_keyword = false;
        let mut comma = None;
        // For each open parenthesis, whether a LIMIT clause has begun inside it.
        let mut in_limit = vec![false];
        for &(start, text) in &self.tokens {
            let here = in_limit.last().copied().unwrap_or(false);
            match text {
                "(" => in_limit.push(false),
                ")" => drop(in_limit.pop()),
                "," if here => comma = comma.or(Some(start)),
                _ if here && text.eq_ignore_ascii_case("OFFSET") => has_keyword = true,
                _ if text.eq_ignore_ascii_case("LIMIT") => {
                    if let Some(here) = in_limit.last_mut() {
                        *here = true;
                    }
                }
                _ => {}
            }
        }
        match comma {
            None => OffsetNotation::Keyword,
            Some(_) if !has_keyword => OffsetNotation::Comma,
            Some(start) => OffsetNotation::Mixed(start),
        }
    }

    /// Where the given tokens first stand in a row, whatever their case.
    pub(super) fn find(&self, row: &[&str]) -> Option<usize> {
        self.tokens
            .windows(row.len())
            .find(|window| {
                window
                    .iter()
                    .zip(row)
                    .all(|((_, text), expected)| text.eq_ignore_ascii_case(expected))
            })
            .map(|window| window[0].0)
    }
}

/// An error of the lexer or the parser in our words.
pub(super) fn parser_error(source: &str, error: &Error) -> ParseError {
    let (message, position) = match error {
        Error::UnterminatedLiteral(at) => ("this quote is never closed", at),
        Error::UnterminatedBracket(at) => ("this bracket is never closed", at),
        Error::UnterminatedBlockComment(at) => ("this comment is never closed", at),
        Error::BadNumber(at) | Error::MalformedHexInteger(at) => ("malformed number", at),
        Error::MalformedBlobLiteral(at) => ("malformed blob literal", at),
        Error::BadVariableName(at) => ("malformed parameter name", at),
        Error::ExpectedEqualsSign(at) => ("expected `=` after `!`", at),
        Error::UnrecognizedToken(at) => ("unrecognised character", at),
        Error::ParserError(error, at) => (&*error.to_string(), at),
        other => (&*other.to_string(), &None),
    };
    match position {
        Some(at) => ParseError::at(offset(source, at.line, at.column), message),
        None => ParseError::whole(message),
    }
}

/// The byte offset of a one-based line and column (in bytes).
fn offset(source: &str, line: usize, column: usize) -> usize {
    let start: usize = source
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (start + column.saturating_sub(1)).min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}
