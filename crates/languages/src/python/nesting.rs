//! How deep programs may nest, and how recursion over them stays within the stack.
//!
//! The parser, our conversion and every walk over a tree recurse. A source of a hundred thousand
//! parentheses must be refused before any of them starts, so [`estimate`] bounds the depth of the
//! tree from the tokens alone.

mod scan;

use std::thread;

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// The deepest tree that is read or printed, in nodes from the root to a leaf.
///
/// CPython gives up at 100 levels of indentation, 200 of brackets and some 3000 of operators.
/// Whoever walks a tree of this depth recursively needs about 2 kB a level on a stack of 2 MB.
pub const MAX_DEPTH: usize = 1000;

/// The largest [`estimate`] for which the parser is run.
///
/// A node takes up to half a dozen nested tokens (`(lambda *, a=(…): …)`), so that the estimate
/// for a tree that is not too deep stays below this.
pub(super) const MAX_ESTIMATE: usize = 10 * MAX_DEPTH;

/// Up to this estimate recursion fits on the stack of any thread.
const SHALLOW: usize = 48;

/// Stack for everything deeper: the parser's own drop of 10 000 levels, or 1000 of our conversion
/// without optimisation. Pages that are not touched cost nothing.
const DEEP_STACK: usize = 128 << 20;

/// Runs `work`, which recurses to `depth`, on a stack that is large enough.
pub(super) fn with_stack<T: Send>(depth: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    if depth <= SHALLOW {
        return Some(work());
    }
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(DEEP_STACK)
            .spawn_scoped(scope, work);
        worker.ok()?.join().ok()
    })
}

/// An upper bound for the depth of the tree that the parser makes of `source`, erroneous or not.
///
/// Counted are, along the path from the outermost open bracket to the current token, the tokens
/// that can put one node below another. Operators that the parser gathers in one flat node start
/// anew where the operands of lower precedence end.
pub(super) fn estimate(source: &str) -> usize {
    if scan::is_surely_shallow(source) {
        return 0;
    }
    estimate_by_tokens(source)
}

fn estimate_by_tokens(source: &str) -> usize {
    let mut lexer = lexer::lex(source, Mode::Module);
    let mut nesting = Nesting::default();
    let mut deepest = 0;
    loop {
        let kind = lexer.next_token();
        if kind == TokenKind::EndOfFile {
            return deepest;
        }
        nesting.token(kind);
        deepest = deepest.max(nesting.depth());
        if deepest > MAX_ESTIMATE {
            return deepest;
        }
    }
}

/// What is open at a token: indentation, and a frame for every bracket.
#[derive(Default)]
struct Nesting {
    indentation: usize,
    outer: Vec<Frame>,
    /// The depth of `outer`, together.
    outer_depth: usize,
    frame: Frame,
}

/// Tokens since the bracket opened that may have put what follows deeper.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// Operators above comparisons, prefixes, attributes, calls, subscripts.
    operators: usize,
    /// `not`.
    negations: usize,
    /// `if`, `else`, `lambda`, and whatever else takes an expression on its right.
    keywords: usize,
    /// `yield`: erroneous sources nest it over commas.
    yields: usize,
    /// `lambda` whose `:` has not been seen: its commas separate parameters.
    open_lambdas: usize,
}

impl Frame {
    fn depth(self) -> usize {
        self.operators + self.negations + self.keywords + self.yields
    }
}

impl Nesting {
    fn depth(&self) -> usize {
        self.indentation + self.outer_depth + self.frame.depth()
    }

    fn token(&mut self, kind: TokenKind) {
        let frame = &mut self.frame;
        match kind {
            TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringMiddle
            | TokenKind::TStringMiddle
            | TokenKind::True
            | TokenKind::False
            | TokenKind::None
            | TokenKind::Ellipsis
            | TokenKind::Comment
            | TokenKind::NonLogicalNewline => {}
            TokenKind::Comma => {
                if frame.open_lambdas == 0 {
                    *frame = Frame {
                        yields: frame.yields,
                        ..Frame::default()
                    };
                }
            }
            TokenKind::And | TokenKind::Or => {
                frame.operators = 0;
                frame.negations = 0;
            }
            TokenKind::EqEqual
            | TokenKind::NotEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
            | TokenKind::Is
            | TokenKind::In
            | TokenKind::Equal => frame.operators = 0,
            TokenKind::Not => frame.negations += 1,
            TokenKind::Yield => frame.yields += 1,
            TokenKind::Lambda => {
                frame.keywords += 1;
                frame.open_lambdas += 1;
            }
            TokenKind::Colon => frame.open_lambdas = frame.open_lambdas.saturating_sub(1),
            TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart => self.open(),
            TokenKind::Rpar
            | TokenKind::Rsqb
            | TokenKind::Rbrace
            | TokenKind::FStringEnd
            | TokenKind::TStringEnd => self.close(),
            TokenKind::Newline | TokenKind::Semi => *frame = Frame::default(),
            TokenKind::Indent => self.indentation += 1,
            TokenKind::Dedent => self.indentation = self.indentation.saturating_sub(1),
            kind if kind.is_keyword() => frame.keywords += 1,
            _ => frame.operators += 1,
        }
    }

    fn open(&mut self) {
        self.outer_depth += self.frame.depth() + 1;
        self.outer.push(self.frame);
        self.frame = Frame::default();
    }

    /// What was in the brackets may become a call or subscript of what stood before them.
    fn close(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.outer_depth -= outer.depth() + 1;
            self.frame = outer;
            self.frame.operators += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: usize) {
        assert_eq!(estimate_by_tokens(source), expected, "{source:?}");
    }

    #[test]
    fn depth_is_bounded_by_tokens() {
        check("", 0);
        check("x", 0);
        check("-x", 1);
        check("x + y - z", 2);
        check("x + y, -z", 1);
        check("(x)", 1);
        check("f(g(x))", 2);
        check("f(a, -b)", 2);
        check("[-1, -2, -3]", 2);
        check("a or -b or -c", 1);
        check("x if a or b else y if c else z", 4);
        check("lambda a, b: lambda c, d: x", 2);
        check("f'{x}'", 2);
        check("if a:\n    if b:\n        -c\n", 3);
    }

    #[test]
    fn deep_sources_are_never_surely_shallow() {
        let many = |text: &str| text.repeat(200);
        let lines: Vec<String> = (0..200).map(|it| " ".repeat(it) + "if x:\n").collect();
        for source in [
            many("("),
            many("-"),
            many("not "),
            many("lambda a, b: "),
            many("yield a, "),
            many("x if y else "),
            many("x."),
            many("x()"),
            many("f(\n"),
            many("(a,\n"),
            many("x +\\\n"),
            many("f'{") + "x" + &many("}'"),
            format!("f'{{{}x}}'", many("-")),
            format!("f'{{x[']]'{}", many("(")),
            format!("f'}}}}{{x:{{y['a' {}", many("(")),
            format!("1f'{{x['a'{}", many("(")),
            format!("'a' {}", many("if x else 'a' ")),
            format!("'\\'' {}", many("(")),
            format!("r'\\\\' + {} # '", many("(")),
            format!("'''a''' {}", many("(")),
            format!("''{}", many("(")),
            format!("x # '\n{}", many("(")),
            format!("'\n{}", many("(")),
            lines.concat(),
        ] {
            assert!(!scan::is_surely_shallow(&source), "{source:?}");
        }
    }

    #[test]
    fn ordinary_sources_are_surely_shallow() {
        for source in [
            "def f(a, b=1):\n    \"\"\"It's (((.\"\"\"\n    return a.b(c)[d] + b  # it's\n",
            "x = [\n    1, 2, # (\n    'a\\'b(', f\"{x:>{y} } (\",\n]\n",
            "x = 'a' \\\n    'b'\n",
            "é = rb'\\\\'",
        ] {
            assert!(scan::is_surely_shallow(source), "{source:?}");
        }
    }
}
