//! A first look at a source, many times faster than reading its tokens.
//!
//! Nearly all programs are shallow, and nearly all of those can be seen to be. In doubt the answer
//! is no: a construct that would take a real lexer to follow, such as quotes within the fields of
//! a formatted string, leaves the decision to one.

/// Tokens that may nest, up to which a source is shallow.
const LIMIT: usize = 100;

/// Whether no token of `source` can be nested deeply. Ends of lines are `\n`.
pub(super) fn is_surely_shallow(source: &str) -> bool {
    let mut scan = Scan {
        rest: source.as_bytes(),
        indentation: 0,
        outer: Vec::new(),
        outer_depth: 0,
        frame: Frame::default(),
        after_operand: false,
    };
    scan.start_line();
    while let Some((&byte, rest)) = scan.rest.split_first() {
        let is_followed = match CLASSES[usize::from(byte)] {
            Class::Space => {
                scan.rest = rest;
                true
            }
            Class::Word => scan.word(),
            Class::Operator => {
                scan.rest = rest;
                scan.frame.depth += 1;
                scan.after_operand = false;
                scan.is_shallow()
            }
            Class::Open => {
                scan.rest = rest;
                scan.open()
            }
            Class::Close => {
                scan.rest = rest;
                scan.close()
            }
            Class::Comma => {
                scan.rest = rest;
                scan.frame.depth = scan.frame.sticky;
                scan.after_operand = false;
                true
            }
            Class::Quote => scan.string(false),
            Class::Comment => {
                let end = rest.iter().position(|&it| it == b'\n');
                scan.rest = &rest[end.unwrap_or(rest.len())..];
                true
            }
            Class::Newline => {
                scan.rest = rest;
                scan.end_line();
                true
            }
            Class::Backslash => {
                scan.rest = rest.get(1..).unwrap_or_default();
                rest.first() == Some(&b'\n')
            }
            Class::Other => false,
        };
        if !is_followed {
            return false;
        }
    }
    scan.outer.is_empty()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Word,
    Operator,
    Open,
    Close,
    Comma,
    Quote,
    Comment,
    Newline,
    Backslash,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\x0c' => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => Class::Word,
            b'(' | b'[' | b'{' => Class::Open,
            b')' | b']' | b'}' => Class::Close,
            b',' => Class::Comma,
            b'"' | b'\'' => Class::Quote,
            b'#' => Class::Comment,
            b'\n' => Class::Newline,
            b'\\' => Class::Backslash,
            b'!'..=b'~' => Class::Operator,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Where a scan has arrived.
struct Scan<'s> {
    rest: &'s [u8],
    /// Columns before the first word of the line: at least the levels of indentation.
    indentation: usize,
    /// What was open before the innermost bracket.
    outer: Vec<Frame>,
    outer_depth: usize,
    frame: Frame,
    /// Whether a word here would be a keyword between two operands.
    after_operand: bool,
}

/// Tokens since a bracket opened.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// Those since the last comma, and the sticky ones.
    depth: usize,
    /// `lambda`, whose commas separate parameters, and `yield`.
    sticky: usize,
}

impl Scan<'_> {
    fn is_shallow(&self) -> bool {
        self.indentation + self.outer_depth + self.frame.depth <= LIMIT
    }

    fn start_line(&mut self) {
        let blank = self.rest.iter().position(|it| !b" \t\x0c".contains(it));
        self.indentation = blank.unwrap_or(self.rest.len());
        self.rest = &self.rest[self.indentation..];
    }

    fn end_line(&mut self) {
        if self.outer.is_empty() {
            self.frame = Frame::default();
            self.after_operand = false;
            self.start_line();
        }
    }

    /// Two words in a row: one of them is a keyword.
    fn operand(&mut self) -> bool {
        self.frame.depth += usize::from(self.after_operand);
        self.after_operand = true;
        self.is_shallow()
    }

    fn word(&mut self) -> bool {
        let is_word = |it: &u8| CLASSES[usize::from(*it)] == Class::Word;
        let len = self.rest.iter().position(|it| !is_word(it));
        let (word, rest) = self.rest.split_at(len.unwrap_or(self.rest.len()));
        self.rest = rest;
        if matches!(word, b"lambda" | b"yield") {
            self.frame.sticky += 1;
            self.frame.depth += 1;
        }
        if !self.operand() {
            return false;
        }
        match rest.first() {
            Some(b'"' | b'\'') if word[0].is_ascii_digit() => false,
            Some(b'"' | b'\'') => self.string(is_formatted(word)),
            _ => true,
        }
    }

    fn open(&mut self) -> bool {
        self.outer_depth += self.frame.depth + 1;
        self.outer.push(self.frame);
        self.frame = Frame::default();
        self.after_operand = false;
        self.is_shallow()
    }

    fn close(&mut self) -> bool {
        let Some(frame) = self.outer.pop() else {
            return false;
        };
        self.outer_depth -= frame.depth + 1;
        self.frame = frame;
        self.frame.depth += 1;
        self.after_operand = true;
        self.is_shallow()
    }

    /// A string that starts here.
    fn string(&mut self, is_formatted: bool) -> bool {
        let quote = self.rest[0];
        let is_triple = self.rest.starts_with(&[quote; 3]);
        let open = if is_triple { 3 } else { 1 };
        let Some(len) = content_len(&self.rest[open..], quote, is_triple) else {
            return false;
        };
        let content = &self.rest[open..open + len];
        self.rest = &self.rest[2 * open + len..];
        self.operand() && (!is_formatted || self.fields(content))
    }

    /// The fields of a formatted string, if its quotes occur only at its ends.
    ///
    /// Where all fields are closed, and no brace is doubled, the closing quote is not in a field.
    fn fields(&self, content: &[u8]) -> bool {
        if content.windows(2).any(|it| it == b"{{" || it == b"}}") {
            return false;
        }
        let (mut n_open, mut n_nesting) = (0_usize, 0_usize);
        for &byte in content {
            match byte {
                b'{' => n_open += 1,
                b'}' => match n_open.checked_sub(1) {
                    Some(left) => n_open = left,
                    None => return false,
                },
                _ => {}
            }
            let can_nest = n_open > 0 && CLASSES[usize::from(byte)] != Class::Word;
            n_nesting += usize::from(can_nest);
        }
        n_open == 0 && self.indentation + self.outer_depth + self.frame.depth + n_nesting <= LIMIT
    }
}

/// The length of a string up to its closing quote.
fn content_len(rest: &[u8], quote: u8, is_triple: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        let byte = *rest.get(at)?;
        match byte {
            b'\\' => at += 1,
            b'\n' if !is_triple => return None,
            _ if byte != quote => {}
            _ if !is_triple || rest[at..].starts_with(&[quote; 3]) => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

fn is_formatted(prefix: &[u8]) -> bool {
    let is_kind = |it: u8| matches!(it, b'f' | b'F' | b't' | b'T');
    match *prefix {
        [kind] => is_kind(kind),
        [a, b] => is_kind(a) && b | 32 == b'r' || a | 32 == b'r' && is_kind(b),
        _ => false,
    }
}
