//! A specification as sequences of word pieces.

use super::shape::EncoderShape;
use super::word_pieces::WordPieces;
use crate::spec::{Column, Context, Spec};

/// A piece in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its index.
    pub piece: u32,
    /// The part of the sequence that it is in: 0 for the question, 1 for the schema.
    pub segment: u8,
}

/// What an encoder reads of a specification, and where in it each element is.
///
/// ```text
/// [CLS] question [SEP] * [SEP] table : column type , column type [SEP] table : … [SEP]
/// ```
///
/// A schema that is too long for one sequence goes on in the next, which begins with the question, too; a
/// table that is cut is named again. A question that is too long leaves half of a sequence to the schema, and
/// the rest of it is read on its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PieceSequences {
    sequences: Vec<Vec<Piece>>,
    /// For each column, table and word, the places of its pieces among those of all sequences.
    places: Vec<Vec<u32>>,
}

impl PieceSequences {
    /// The sequences of a specification, none of more than `n_positions` pieces.
    ///
    /// # Panics
    ///
    /// When there is not even room for [a word and a column](EncoderShape::LEAST_POSITIONS).
    pub fn of(spec: &Spec, pieces: &WordPieces, n_positions: usize) -> PieceSequences {
        assert!(
            n_positions >= EncoderShape::LEAST_POSITIONS,
            "a sequence has room for a word and a column"
        );
        let empty = Context::default();
        let context = spec.context.as_deref().unwrap_or(&empty);
        let n_items = context.columns.len() + context.tables.len();
        let mut writer = Writer {
            pieces,
            n_positions,
            most: n_positions / 8,
            question: Vec::new(),
            written: PieceSequences {
                sequences: Vec::new(),
                places: vec![Vec::new(); n_items + spec.words.len()],
            },
            n_before: 0,
        };
        writer.write_question(&spec.words, n_items);
        writer.write_schema(context);
        writer.written
    }

    /// The sequences.
    pub fn sequences(&self) -> &[Vec<Piece>] {
        &self.sequences
    }

    /// For each column, table and word, the places of its pieces among those of all sequences.
    pub fn places(&self) -> &[Vec<u32>] {
        &self.places
    }

    /// How many pieces there are in all.
    pub fn n_pieces(&self) -> usize {
        self.sequences.iter().map(Vec::len).sum()
    }
}

/// Writes sequences.
struct Writer<'a> {
    pieces: &'a WordPieces,
    n_positions: usize,
    /// How many pieces of a name are read.
    most: usize,
    /// What every sequence begins with: pieces of words, and the elements that these are.
    question: Vec<(u32, usize)>,
    written: PieceSequences,
    /// How many pieces the sequences before the last one have.
    n_before: usize,
}

impl Writer<'_> {
    /// The pieces of a text, at least one.
    fn cut(&self, text: &str, most: usize) -> Vec<u32> {
        let mut pieces = self.pieces.cut(text);
        pieces.truncate(most);
        if pieces.is_empty() {
            pieces.push(self.pieces.unknown);
        }
        pieces
    }

    /// The pieces of the words of a name, no more than are read.
    fn cut_name<'w>(&self, words: impl Iterator<Item = &'w String>) -> Vec<u32> {
        let mut pieces: Vec<u32> = words.flat_map(|it| self.cut(it, self.most)).collect();
        pieces.truncate(self.most);
        if pieces.is_empty() {
            pieces.push(self.pieces.unknown);
        }
        pieces
    }

    /// Begins a sequence with a question, of which every piece is one of an element.
    fn begin(&mut self, question: &[(u32, usize)]) {
        self.n_before = self.written.n_pieces();
        self.written.sequences.push(Vec::with_capacity(64));
        self.push(self.pieces.start, 0, None);
        for &(piece, element) in question {
            self.push(piece, 0, Some(element));
        }
        self.push(self.pieces.end, 0, None);
    }

    fn push(&mut self, piece: u32, segment: u8, element: Option<usize>) {
        let Some(sequence) = self.written.sequences.last_mut() else {
            unreachable!("a sequence was begun");
        };
        if let Some(element) = element {
            let place = self.n_before + sequence.len();
            self.written.places[element].push(place as u32);
        }
        sequence.push(Piece { piece, segment });
    }

    /// Reads the question: what a sequence has room for is kept for all of them.
    fn write_question(&mut self, words: &[String], first_element: usize) {
        let room = match first_element {
            0 => self.n_positions - 2,
            _ => self.n_positions / 2 - 2,
        };
        let mut parts: Vec<Vec<(u32, usize)>> = vec![Vec::new()];
        for (element, word) in (first_element..).zip(words) {
            let pieces = self.cut(word, room);
            let last = parts.len() - 1;
            if parts[last].len() + pieces.len() > room {
                parts.push(Vec::new());
            }
            let last = parts.len() - 1;
            parts[last].extend(pieces.into_iter().map(|piece| (piece, element)));
        }
        for part in &parts[1..] {
            self.begin(part);
        }
        self.question = parts.swap_remove(0);
        self.go_on();
    }

    fn write_schema(&mut self, context: &Context) {
        for (element, column) in context.columns.iter().enumerate() {
            if column.table.is_none() {
                let name = self.cut_name(column.words.iter());
                self.make_room(name.len() + 1);
                self.push_all(&name, element);
                self.push(self.pieces.end, 1, None);
            }
        }
        for table in 0..context.tables.len() {
            self.write_table(context, table);
        }
    }

    fn write_table(&mut self, context: &Context, table: usize) {
        let element = context.columns.len() + table;
        let name = self.cut_name(context.tables[table].iter());
        let [colon, comma] = [":", ","].map(|it| self.cut(it, 1)[0]);
        let is_own = |it: &(usize, &Column)| it.1.table == Some(table);
        let columns = context.columns.iter().enumerate().filter(is_own);
        let mut is_named = false;
        for (column, described) in columns {
            let mut pieces = self.cut_name(described.words.iter());
            pieces.extend(self.cut(&described.kind, 1 + self.most - pieces.len()));
            let n_before = if is_named { 0 } else { name.len() };
            // One for what parts it from the column before, one for what ends the sequence.
            if !self.has_room(n_before + 1 + pieces.len() + 1) {
                if is_named {
                    self.push(self.pieces.end, 1, None);
                }
                self.go_on();
                is_named = false;
            }
            if is_named {
                self.push(comma, 1, None);
            } else {
                self.push_all(&name, element);
                self.push(colon, 1, None);
                is_named = true;
            }
            self.push_all(&pieces, column);
        }
        if !is_named {
            self.make_room(name.len() + 1);
            self.push_all(&name, element);
        }
        self.push(self.pieces.end, 1, None);
    }

    fn push_all(&mut self, pieces: &[u32], element: usize) {
        for &piece in pieces {
            self.push(piece, 1, Some(element));
        }
    }

    fn has_room(&self, n_pieces: usize) -> bool {
        let last = self.written.sequences.last();
        last.is_some_and(|it| it.len() + n_pieces <= self.n_positions)
    }

    /// Goes on with the question where the sequence has no room for more.
    fn make_room(&mut self, n_pieces: usize) {
        if !self.has_room(n_pieces) {
            self.go_on();
        }
    }

    fn go_on(&mut self) {
        let question = std::mem::take(&mut self.question);
        self.begin(&question);
        self.question = question;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn pieces() -> WordPieces {
        let known = "[UNK] [CLS] [SEP] how many sing ##ers ##er are there in a b c d e ##b : , * text number name age";
        WordPieces::new(known.split(' ').map(str::to_owned).collect()).unwrap()
    }

    /// A specification: `question | table: column kind, column kind | table: …`.
    fn spec(text: &str) -> Spec {
        let (question, schema) = text.split_once(" | ").unwrap_or((text, ""));
        let words = |text: &str| {
            text.split(' ')
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let column = |text: &str, table| {
            let mut words = words(text);
            let kind = words.pop().unwrap_or_default();
            Column {
                kind,
                words,
                table,
                is_primary_key: false,
            }
        };
        let mut context = Context {
            columns: vec![column("* text", None)],
            ..Context::default()
        };
        for table in schema.split(" | ").filter(|it| !it.is_empty()) {
            let (name, columns) = table.split_once(':').unwrap_or((table, ""));
            let index = Some(context.tables.len());
            context.tables.push(words(name));
            let columns = columns.split(',').filter(|it| !it.is_empty());
            context.columns.extend(columns.map(|it| column(it, index)));
        }
        Spec {
            context: (!schema.is_empty()).then(|| Arc::new(context)),
            ..Spec::of_words(words(question).iter().map(String::as_str))
        }
    }

    /// Every sequence as a line, and what the pieces of each element are.
    fn written(spec: &Spec, n_positions: usize) -> (Vec<String>, Vec<String>) {
        let pieces = pieces();
        let written = PieceSequences::of(spec, &pieces, n_positions);
        let text = |it: &Piece| pieces.text(it.piece).to_owned();
        let lines = written.sequences().iter().map(|line| {
            assert!(line.len() <= n_positions, "{} pieces", line.len());
            assert!(line.is_sorted_by_key(|it| it.segment));
            line.iter().map(text).collect::<Vec<_>>().join(" ")
        });
        let all: Vec<String> = written.sequences().iter().flatten().map(text).collect();
        let element = |places: &Vec<u32>| {
            let own: Vec<&str> = places.iter().map(|&it| all[it as usize].as_str()).collect();
            own.join(" ")
        };
        (
            lines.collect(),
            written.places().iter().map(element).collect(),
        )
    }

    #[test]
    fn question_and_schema_are_one_sequence() {
        let spec = spec("How many singers ? | singers: name text, age number | c | b: a text");
        let (lines, elements) = written(&spec, 64);
        assert_eq!(
            lines,
            [
                "[CLS] how many sing ##ers [UNK] [SEP] * [SEP] sing ##ers : name text , age number [SEP] c [SEP] b : a text [SEP]"
            ]
        );
        assert_eq!(
            elements,
            [
                "*",
                "name text",
                "age number",
                "a text",
                "sing ##ers",
                "c",
                "b",
                "how",
                "many",
                "sing ##ers",
                "[UNK]"
            ]
        );
        let (lines, elements) = written(&Spec::of_words(["how", "\u{200b}"]), 32);
        assert_eq!(lines, ["[CLS] how [UNK] [SEP]"]);
        assert_eq!(elements, ["how", "[UNK]"]);
        assert_eq!(written(&Spec::default(), 32).0, ["[CLS] [SEP]"]);
    }

    #[test]
    fn long_schemas_go_on_after_the_question() {
        let columns = [
            "name a text",
            "name b text",
            "name c text",
            "name d text",
            "name e text",
        ]
        .join(", ");
        let spec = spec(&format!("how many | sing: {columns} | b: {columns} | c"));
        let (lines, elements) = written(&spec, 32);
        assert_eq!(
            lines,
            [
                "[CLS] how many [SEP] * [SEP] sing : name a text , name b text , name c text , name d text , name e text [SEP]",
                "[CLS] how many [SEP] b : name a text , name b text , name c text , name d text , name e text [SEP] c [SEP]",
            ]
            .map(str::to_owned)
        );
        assert_eq!(elements[elements.len() - 2..], ["how how", "many many"]);
    }

    #[test]
    fn everything_has_a_place_however_long_it_is() {
        let long = vec!["singers"; 300].join(" ");
        for text in [
            format!("{long} | {long}: {long} text, a text"),
            format!("{long} | a: b text | {}", vec!["b: a text"; 50].join(" | ")),
            format!("how | a: {}", vec!["name age number"; 200].join(",")),
            long,
            "a".repeat(1_000),
            "ab".repeat(40),
        ] {
            for n_positions in [32, 33, 64, 512] {
                let (_, elements) = written(&spec(&text), n_positions);
                assert!(elements.iter().all(|it| !it.is_empty()));
            }
        }
    }
}
