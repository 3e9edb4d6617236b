//! From source text to our tree, by way of a tree-sitter grammar.
//!
//! The tree of the parser is walked with a cursor and a stack of our own, so that its depth is
//! bounded by [`MAX_DEPTH`] and not by the thread's stack.

use ::tree_sitter::{Node, Tree, TreeCursor};
use patois_syntax::{Ast, Child, Field, FieldValue, ParseError, Span, Text};

use super::budget::{self, STEPS_PER_BYTE};
use super::elsewhere::{elsewhere, is_elsewhere};
use super::node_types::Position;
use super::{MAX_DEPTH, TreeSitter, constructor, dialect};

/// The type of whole programs.
pub(super) const PROGRAM: &str = "program";

/// Runs the parser.
pub(super) fn syntax(language: &TreeSitter, source: &str) -> Result<Tree, ParseError> {
    if u32::try_from(source.len()).is_err() {
        return Err(ParseError::whole("expected a source of less than 4 GiB"));
    }
    budget::parse(&language.grammar, source).ok_or_else(|| {
        ParseError::whole(format!(
            "expected a source that takes at most {STEPS_PER_BYTE} steps a byte to parse, found one \
             that takes more"
        ))
    })
}

/// What becomes of places that are no program of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Faults {
    /// The first one is an error.
    Refuse,
    /// They are left out, with as little as possible of what is around them.
    LeaveOut,
}

/// A node that is made a tree of.
#[derive(Clone, Copy)]
pub(super) struct Root<'t> {
    pub(super) node: Node<'t>,
    /// The position that it stands at; none for a whole file.
    pub(super) ty: Option<&'static str>,
}

/// Makes our tree of a node.
pub(super) struct Converter<'l, 's> {
    pub(super) language: &'l TreeSitter,
    pub(super) source: &'s str,
    pub(super) faults: Faults,
    /// What was left out.
    pub(super) found: Vec<ParseError>,
}

/// A node whose children are being collected.
struct Frame<'t> {
    node: Node<'t>,
    kind: &'static str,
    slot: Slot,
    parts: Vec<Part>,
    /// The end of the last child.
    covered: usize,
    /// Whether something of the source is in none of the children.
    has_gap: bool,
    /// Whether a fault is in here that could not be left out.
    is_broken: bool,
}

/// Where a child stands below its parent.
#[derive(Clone, Copy)]
struct Slot {
    field: Option<&'static str>,
    position: Position,
}

enum Part {
    Token(&'static str),
    Child(Slot, Ast),
}

impl Part {
    /// Whether it is about what follows it: `#[test]`, `@Input()`.
    fn is_attribute(&self) -> bool {
        let Part::Child(_, ast) = self else {
            return false;
        };
        matches!(
            constructor::kind(ast.constructor),
            "attribute_item" | "decorator"
        )
    }
}

impl Converter<'_, '_> {
    /// The tree of a node, without the nodes for which `is_cut` holds; those are handed to it. None
    /// where a fault is all that there is.
    pub(super) fn convert<'t>(
        &mut self,
        root: Root<'t>,
        mut is_cut: impl FnMut(Node<'t>, &'static str) -> bool,
    ) -> Result<Option<Ast>, ParseError> {
        let ty = root.ty.unwrap_or(PROGRAM);
        let position = Position { ty, is_list: false };
        let field = None;
        let mut cursor = root.node.walk();
        let mut frames = vec![Frame::new(
            root.node,
            self.language.kind(root.node),
            Slot { field, position },
        )];
        if is_atom(root.node) {
            return Ok(Some(self.atom(root.node, ty)));
        }
        let mut has_next = cursor.goto_first_child();
        loop {
            if has_next {
                has_next = self.visit(&mut cursor, &mut frames, &mut is_cut)?;
                continue;
            }
            let frame = frames.pop().expect("a frame for every open node");
            let is_broken = frame.is_broken;
            let slot = frame.slot;
            let range = frame.node.byte_range();
            let ast = self.finish(frame);
            let Some(parent) = frames.last_mut() else {
                return Ok((!is_broken).then_some(ast));
            };
            if !is_broken {
                parent.parts.push(Part::Child(slot, ast));
            } else if dialect::is_block(parent.kind) {
                self.found.push(fault(range.start));
            } else {
                parent.is_broken = true;
            }
            cursor.goto_parent();
            has_next = cursor.goto_next_sibling();
        }
    }

    /// Takes in the node at the cursor, and moves on; false where its parent has no more children.
    fn visit<'t>(
        &mut self,
        cursor: &mut TreeCursor<'t>,
        frames: &mut Vec<Frame<'t>>,
        is_cut: &mut impl FnMut(Node<'t>, &'static str) -> bool,
    ) -> Result<bool, ParseError> {
        let node = cursor.node();
        let depth = frames.len();
        let frame = frames.last_mut().expect("a frame for every open node");
        frame.cover(self.source, node);
        let kind = self.language.kind(node);
        if node.is_error() || node.is_missing() {
            self.fault(node, frame)?;
        } else if dialect::is_comment(kind) {
            // Says nothing to the machine.
        } else if !node.is_named() {
            self.token(self.word(node), frame);
        } else if self.language.dialect.name == "sql" && kind.starts_with("keyword_") {
            // SQL's words are named nodes, and written in either case.
            let word = self.source[node.byte_range()].to_uppercase();
            self.token(intern(&word), frame);
        } else {
            let slot = self.slot(cursor, frame);
            if is_cut(node, slot.position.ty) {
                // A unit of its own, with what is said about it before it.
                while frame.parts.last().is_some_and(Part::is_attribute) {
                    frame.parts.pop();
                }
                let ast = elsewhere(slot.position.ty).at(Span::new(node.byte_range()));
                frame.parts.push(Part::Child(slot, ast));
            } else if is_atom(node) {
                let ast = self.atom(node, slot.position.ty);
                frame.parts.push(Part::Child(slot, ast));
            } else if depth >= MAX_DEPTH {
                let message = format!("expected at most {MAX_DEPTH} nested nodes, found more");
                return Err(ParseError::at(node.start_byte(), message));
            } else {
                frames.push(Frame::new(node, kind, slot));
                return Ok(cursor.goto_first_child());
            }
        }
        Ok(cursor.goto_next_sibling())
    }

    /// A fixed token. Where a grammar calls each of several words by all of them, as those of `unique symbol`
    /// in TypeScript, a word is what is written.
    fn word(&self, node: Node<'_>) -> &'static str {
        let kind = self.language.kind(node);
        let text = &self.source[node.byte_range()];
        let is_part = kind.contains(' ') && kind.split(' ').any(|it| it == text);
        if is_part { intern(text) } else { kind }
    }

    fn fault(&mut self, node: Node<'_>, frame: &mut Frame<'_>) -> Result<(), ParseError> {
        let error = if node.is_missing() {
            ParseError::at(node.start_byte(), format!("expected `{}`", node.kind()))
        } else {
            fault(node.start_byte())
        };
        if self.faults == Faults::Refuse {
            return Err(error);
        }
        if dialect::is_block(frame.kind) {
            self.found.push(error);
        } else {
            frame.is_broken = true;
        }
        Ok(())
    }

    fn token(&self, token: &'static str, frame: &mut Frame<'_>) {
        let is_line_end = token.trim().is_empty();
        if is_line_end && !frame.kind.starts_with("preproc") {
            return;
        }
        let token = if is_line_end { "\n" } else { token };
        if dialect::is_token_soup(frame.kind) && !matches!(token, "(" | ")" | "[" | "]" | "{" | "}")
        {
            let position = self.language.types.position(frame.kind, None);
            let mut name = "token".to_owned();
            constructor::push_token(&mut name, token);
            let ast = Ast::new(position.ty, intern(&name), Vec::new());
            let field = None;
            frame.parts.push(Part::Child(Slot { field, position }, ast));
        } else {
            frame.parts.push(Part::Token(token));
        }
    }

    fn slot(&self, cursor: &TreeCursor<'_>, frame: &Frame<'_>) -> Slot {
        let field = cursor
            .field_id()
            .map(|id| self.language.fields[usize::from(id.get())]);
        let position = self.language.types.position(frame.kind, field);
        Slot { field, position }
    }

    /// A node whose inside is of no interest, or that has none.
    fn atom(&self, node: Node<'_>, ty: &'static str) -> Ast {
        let kind = self.language.kind(node);
        let text = &self.source[node.byte_range()];
        leaf(kind, ty, text).at(Span::new(node.byte_range()))
    }

    /// The tree of a node whose children are all there.
    fn finish(&self, frame: Frame<'_>) -> Ast {
        let span = Span::new(frame.node.byte_range());
        self.finished(frame).at(span)
    }

    fn finished(&self, mut frame: Frame<'_>) -> Ast {
        let node = frame.node;
        let kind = frame.kind;
        let ty = frame.slot.position.ty;
        frame.gap(&self.source[frame.covered..node.end_byte().max(frame.covered)]);
        if frame.has_gap && !frame.is_broken && !node.has_error() {
            return leaf(kind, ty, &self.source[node.byte_range()]);
        }
        self.add_optional_end(kind, &mut frame.parts);
        let children = self.language.types.position(kind, None);
        assemble(kind, ty, frame.parts, children)
    }

    /// What may be left out is always there for us.
    fn add_optional_end(&self, kind: &str, parts: &mut Vec<Part>) {
        let ends = self.language.dialect.optional_ends;
        let Some((_, end)) = ends.iter().find(|it| it.0 == kind) else {
            return;
        };
        // TypeScript's namespaces are expressions that stand alone.
        let is_ended = match parts.last() {
            Some(Part::Token(token)) => token == end,
            Some(Part::Child(_, ast)) => constructor::kind(ast.constructor) == "internal_module",
            None => false,
        };
        if !is_ended {
            parts.push(Part::Token(end));
        }
    }
}

impl<'t> Frame<'t> {
    fn new(node: Node<'t>, kind: &'static str, slot: Slot) -> Frame<'t> {
        Frame {
            node,
            kind,
            slot,
            parts: Vec::new(),
            covered: node.start_byte(),
            has_gap: false,
            is_broken: false,
        }
    }

    /// Notes that a child is there.
    fn cover(&mut self, source: &str, child: Node<'_>) {
        if child.start_byte() > self.covered {
            self.gap(&source[self.covered..child.start_byte()]);
        }
        self.covered = self.covered.max(child.end_byte());
    }

    fn gap(&mut self, text: &str) {
        // A line may go on behind a backslash; the feed is of old printers.
        self.has_gap |= text
            .chars()
            .any(|it| !it.is_whitespace() && !matches!(it, '\\' | '\u{feff}' | '\u{c}'));
    }
}

fn fault(offset: usize) -> ParseError {
    ParseError::at(offset, "expected something else here")
}

/// A node that is nothing but its text.
fn leaf(kind: &'static str, ty: &'static str, text: &str) -> Ast {
    if kind == text || text.is_empty() {
        // Nothing differs from one of them to the next.
        let mut name = kind.replace(' ', "_");
        constructor::push_token(&mut name, text);
        return Ast::new(ty, intern(&name), Vec::new());
    }
    let kind = if kind.contains(' ') {
        intern(&kind.replace(' ', "_"))
    } else {
        kind
    };
    let text_type = intern(&format!("{kind}_text"));
    let value = FieldValue::One(Child::Text(Text::new(text)));
    let field = Field {
        name: kind,
        ty: text_type,
        value,
    };
    Ast::new(ty, kind, vec![field])
}

fn is_atom(node: Node<'_>) -> bool {
    node.child_count() == 0 || dialect::is_verbatim(node.kind())
}

fn intern(text: &str) -> &'static str {
    Text::new(text).as_str()
}

/// A part of a node, with the children that stand side by side in one list.
enum Group {
    Token(&'static str),
    One(Slot, Ast),
    List {
        slot: Slot,
        separator: &'static str,
        items: Vec<Ast>,
    },
}

/// The tree of a node with the given parts: its constructor says what is fixed about them.
fn assemble(kind: &'static str, ty: &'static str, parts: Vec<Part>, children: Position) -> Ast {
    let mut groups = group(kind, parts);
    if children.is_list {
        open_empty_lists(kind, &mut groups, children);
    }
    let mut name = kind.replace(' ', "_");
    if groups.is_empty() {
        constructor::push_token(&mut name, "");
    }
    let mut fields: Vec<Field> = Vec::new();
    let mut names = FieldNames::default();
    let n_groups = groups.len();
    let closes: Vec<bool> = groups
        .iter()
        .map(|it| matches!(it, Group::Token(token) if is_closing(token)))
        .collect();
    let mut is_open = false;
    for (index, group) in groups.into_iter().enumerate() {
        let is_closed = index + 1 < n_groups && closes[index + 1];
        let in_brackets = is_open && is_closed;
        is_open = false;
        match group {
            Group::Token(token) => {
                constructor::push_token(&mut name, token);
                is_open = is_opening(token);
            }
            Group::One(slot, ast) => {
                let field = names.name(slot);
                constructor::push_one(&mut name, field);
                fields.push(Field::one(field, slot.position.ty, ast));
            }
            Group::List {
                slot,
                separator,
                mut items,
            } => {
                items.dedup_by(|next, last| is_elsewhere(last) && is_elsewhere(next));
                let field = names.name(slot);
                constructor::push_list(&mut name, field, separator);
                let ty = slot.position.ty;
                fields.push(if in_brackets {
                    Field::many(field, ty, items)
                } else {
                    Field::non_empty(field, ty, items)
                });
            }
        }
    }
    Ast::new(ty, intern(&name), fields)
}

fn is_opening(token: &str) -> bool {
    matches!(token, "(" | "[" | "{" | "<" | "|")
}

fn is_closing(token: &str) -> bool {
    matches!(token, ")" | "]" | "}" | ">" | "|")
}

fn are_brackets(opening: &str, closing: &str) -> bool {
    matches!(
        (opening, closing),
        ("(", ")") | ("[", "]") | ("{", "}") | ("<", ">")
    )
}

/// Children that may be repeated become lists, whatever separates them.
fn group(kind: &'static str, parts: Vec<Part>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let (slot, ast) = match part {
            Part::Token(token) => {
                let is_dropped = is_dropped(kind, token, &groups, parts.peek())
                    || end_item(kind, token, &mut groups);
                if !is_dropped {
                    groups.push(Group::Token(token));
                }
                continue;
            }
            Part::Child(slot, ast) if slot.position.is_list => (slot, ast),
            Part::Child(slot, ast) => {
                groups.push(Group::One(slot, ast));
                continue;
            }
        };
        if let Some(ast) = extend_list(kind, &mut groups, slot, ast) {
            let opening = match groups.last() {
                Some(Group::Token(token)) => Some(*token),
                _ => None,
            };
            groups.push(Group::List {
                slot,
                separator: dialect::separator(kind, slot.field, opening),
                items: vec![ast],
            });
        }
    }
    groups
}

/// Whether a token means nothing: a separator behind the last item.
fn is_dropped(kind: &str, token: &str, groups: &[Group], next: Option<&Part>) -> bool {
    if kind == "class_body" && token == ";" {
        return true;
    }
    let closes = matches!(next, Some(Part::Token(next)) if is_closing(next));
    match groups.last() {
        Some(Group::List {
            separator, items, ..
        }) => {
            let is_tuple = kind.contains("tuple") && items.len() == 1;
            let is_separator = *separator == token || is_either(kind) && matches!(token, "," | ";");
            closes && is_separator && !is_tuple
        }
        _ => false,
    }
}

/// Makes a token that ends an item of a block part of that item: the `;` behind a `struct` of C, the
/// `:` of `public:`.
fn end_item(kind: &str, token: &'static str, groups: &mut [Group]) -> bool {
    if !dialect::is_block(kind) || is_either(kind) || !matches!(token, ";" | ":") {
        return false;
    }
    let Some(Group::List { slot, items, .. }) = groups.last_mut() else {
        return false;
    };
    let Some(item) = items.pop() else {
        return false;
    };
    let ty = slot.position.ty;
    let mut name = "ended".to_owned();
    constructor::push_one(&mut name, ty);
    constructor::push_token(&mut name, token);
    items.push(Ast::new(ty, intern(&name), vec![Field::one(ty, ty, item)]));
    true
}

/// Adds a child to the list that it goes on with; gives it back where it does not.
fn extend_list(kind: &str, groups: &mut Vec<Group>, slot: Slot, ast: Ast) -> Option<Ast> {
    const SEPARATORS: &[&str] = &[",", ";", "|", "&", "+"];
    let token = match groups.last() {
        Some(Group::Token(token)) if SEPARATORS.contains(token) => Some(*token),
        Some(Group::List { .. }) => None,
        _ => return Some(ast),
    };
    let at = if token.is_some() { 2 } else { 1 };
    let list = groups.len().checked_sub(at).map(|it| &mut groups[it]);
    let Some(Group::List {
        slot: known,
        separator,
        items,
    }) = list
    else {
        return Some(ast);
    };
    let found = token.unwrap_or("");
    let is_first = items.len() == 1;
    if known.field != slot.field || !(is_first || *separator == found || is_either(kind)) {
        return Some(ast);
    }
    if !is_either(kind) {
        *separator = found;
    }
    items.push(ast);
    if token.is_some() {
        groups.pop();
    }
    None
}

/// Whether a comma, a semicolon and the end of a line mean the same between the parts of a node.
fn is_either(kind: &str) -> bool {
    matches!(kind, "interface_body" | "object_type")
}

/// Puts an empty list between brackets that hold nothing.
fn open_empty_lists(kind: &'static str, groups: &mut Vec<Group>, children: Position) {
    let is_empty = |pair: &[Group]| match pair {
        [Group::Token(opening), Group::Token(closing)] => are_brackets(opening, closing),
        _ => false,
    };
    let has_list = groups
        .iter()
        .any(|it| matches!(it, Group::List { slot, .. } if slot.field.is_none()));
    let Some(at) = groups.windows(2).position(is_empty).filter(|_| !has_list) else {
        return;
    };
    let Group::Token(opening) = groups[at] else {
        return;
    };
    let slot = Slot {
        field: None,
        position: children,
    };
    let separator = dialect::separator(kind, None, Some(opening));
    let items = Vec::new();
    groups.insert(
        at + 1,
        Group::List {
            slot,
            separator,
            items,
        },
    );
}

/// Names for the fields of a node, each unlike those before it: for each slot, the number of the last
/// one. A node may have very many fields, but its grammar has few slots.
#[derive(Default)]
struct FieldNames(Vec<(&'static str, usize)>);

impl FieldNames {
    fn name(&mut self, slot: Slot) -> &'static str {
        let base = slot.field.unwrap_or(slot.position.ty);
        let known = self.0.iter().position(|it| it.0 == base);
        let Some(known) = known else {
            let is_taken = self.is_taken(base);
            self.0.push((base, 1));
            return if is_taken { self.name(slot) } else { base };
        };
        let mut numbers = self.0[known].1 + 1..;
        let free = numbers.find_map(|number| {
            let name = format!("{base}{number}");
            (!self.is_taken(&name)).then_some((number, name))
        });
        let (number, name) = free.expect("there are more numbers than fields");
        self.0[known].1 = number;
        intern(&name)
    }

    fn is_taken(&self, name: &str) -> bool {
        self.0.iter().any(|(base, last)| {
            let number = name.strip_prefix(base);
            number.is_some_and(|it| {
                it.is_empty() || it.parse().is_ok_and(|it| (2..=*last).contains(&it))
            })
        })
    }
}
