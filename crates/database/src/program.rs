//! What a compiled statement may cost between two moments at which it can be stopped.
//!
//! SQLite asks whether it should end where its machine jumps back, never inside an instruction: a
//! function runs on until it is done, and so do all instructions in a row. What that takes depends on
//! how long the values are, so a statement may make and read values of a length that its program
//! allows: most of them 16 MB, one that looks for a text in a text 250 kB. SQLite itself keeps to a
//! limit on lengths, and reports what is longer only where it is read.

use rusqlite::{Connection, PrepFlags, Row};

use crate::memory;

/// The longest value that a statement may work on, in bytes.
///
/// `sql` can be compiled. What its functions and those of views and generated columns cost is read off
/// the program itself.
pub(super) fn longest_value(
    connection: &Connection,
    sql: &str,
) -> rusqlite::Result<Result<usize, Unbounded>> {
    let explained = format!("EXPLAIN {sql}");
    let flags = PrepFlags::SQLITE_PREPARE_NO_VTAB;
    let mut statement = connection.prepare_with_flags(&explained, flags)?;
    let mut instructions = statement.query([])?;
    let mut cost = Cost::default();
    let mut previous = Instruction::default();
    while let Some(row) = instructions.next()? {
        let instruction = Instruction::read(row, &previous)?;
        match Cost::of(&instruction) {
            Ok(own) => cost.add(own),
            Err(unbounded) => return Ok(Err(unbounded)),
        }
        previous = instruction;
    }
    Ok(cost.longest_value())
}

/// One instruction of a program.
#[derive(Default)]
struct Instruction {
    opcode: String,
    n_values: i64,
    function: String,
    /// Whether all that it works on is one constant of the statement, as in a list of such.
    is_constant: bool,
}

impl Instruction {
    fn read(row: &Row<'_>, previous: &Instruction) -> rusqlite::Result<Instruction> {
        let text = |column| -> rusqlite::Result<String> {
            let value = memory::unrefused(|| row.get_ref(column))?;
            let bytes = value.as_bytes_or_null()?.unwrap_or_default();
            Ok(String::from_utf8_lossy(bytes).into_owned())
        };
        let opcode = text("opcode")?;
        let is_constant = match opcode.as_str() {
            "Integer" | "Int64" | "Real" | "Null" | "String8" | "String" | "Blob" => true,
            "MakeRecord" => previous.is_constant && row.get::<_, i64>("p2")? == 1,
            "IdxInsert" => previous.is_constant && previous.opcode == "MakeRecord",
            _ => false,
        };
        Ok(Instruction {
            opcode,
            n_values: row.get("p3")?,
            function: text("p4")?,
            is_constant,
        })
    }
}

/// Why there is no limit on values that would do.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unbounded {
    /// We do not know what a function costs.
    #[error("nothing is known of the function `{0}`")]
    Function(String),
    /// There is too much to do without a moment at which it could be stopped.
    #[error("its program is too long")]
    Program,
}

/// Values are never longer than this.
pub(super) const MAX_LENGTH: usize = 16 << 20;

/// A program that cannot work on values of this length is refused.
const MIN_LENGTH: usize = 1 << 10;

/// How many bytes a pattern of `LIKE` and `GLOB` may have.
pub(super) const MAX_PATTERN: i32 = 256;

/// How many arguments a function may have.
pub(super) const MAX_ARGUMENTS: i32 = 32;

/// How long a program may run without being asked, in nanoseconds.
const MAX_COST: f64 = 1e9;

/// Nanoseconds as a function of the length of values: so many for each byte, and so many for each
/// pair of bytes. Measured on a processor of 2020, and rounded up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cost {
    per_byte: f64,
    per_pair: f64,
}

impl Cost {
    /// What one instruction costs.
    fn of(instruction: &Instruction) -> Result<Cost, Unbounded> {
        if instruction.is_constant {
            return Ok(Cost::default());
        }
        let per_byte = match instruction.opcode.as_str() {
            "Function" | "PureFunc" | "AggStep" | "AggStep1" | "AggInverse" | "AggValue"
            | "AggFinal" => return Cost::of_function(&instruction.function),
            // These touch no text.
            "Init" | "Goto" | "Halt" | "Transaction" | "Noop" | "Explain" | "Once" | "If"
            | "IfNot" | "IfPos" | "IfNotZero" | "IsNull" | "NotNull" | "Next" | "Prev"
            | "Rewind" | "Last" | "SorterNext" | "SorterSort" | "Sort" | "OpenRead"
            | "OpenEphemeral" | "OpenAutoindex" | "OpenPseudo" | "OpenDup" | "ReopenIdx"
            | "SorterOpen" | "Close" | "Rowid" | "IdxRowid" | "SeekRowid" | "NullRow" | "Gosub"
            | "Return" | "Yield" | "InitCoroutine" | "EndCoroutine" | "BeginSubrtn"
            | "DecrJumpZero" | "IfNullRow" | "OffsetLimit" | "Sequence" | "DeferredSeek"
            | "ResultRow" | "SCopy" | "Move" | "Count" | "Jump" | "Delete" | "CollSeq" => 0.0,
            // A row of an index is looked for among others, and compared with some of them.
            "SeekGE" | "SeekGT" | "SeekLE" | "SeekLT" | "SeekScan" | "Found" | "NotFound"
            | "NoConflict" | "IdxInsert" => 32.0,
            "Compare" => 4.0 * instruction.n_values.max(1) as f64,
            _ => 4.0,
        };
        Ok(Cost {
            per_byte,
            per_pair: 0.0,
        })
    }

    /// What a function costs, as SQLite writes it in a program: its name and how many arguments it
    /// takes, -1 for any number.
    fn of_function(function: &str) -> Result<Cost, Unbounded> {
        let name = function.split('(').next().unwrap_or_default();
        let (per_byte, per_pair) = match function {
            // Every place of the one text is compared with all of the other.
            "instr(2)" | "replace(3)" => (4.0, 1.0 / 64.0),
            // Every character of the one text is looked for among those of the other, which takes
            // twelve bytes each and so cannot have as many.
            "trim(2)" | "ltrim(2)" | "rtrim(2)" => (4.0, 0.25),
            "unhex(2)" => (4.0, 2.0),
            // Every name of the one object is looked for among those of the other.
            "json_patch(2)" | "jsonb_patch(2)" => (100.0, 4.0),
            "min(1)" | "max(1)" => (4.0, 0.0),
            _ => match name {
                "like" | "glob" => (3.0 * f64::from(MAX_PATTERN), 0.0),
                // Each argument may be a place to look for, or a value to compare.
                _ if name.starts_with("json") || ["->", "->>"].contains(&name) => {
                    (10.0 * f64::from(MAX_ARGUMENTS), 0.0)
                }
                "min" | "max" | "concat" | "concat_ws" | "date" | "time" | "datetime"
                | "julianday" | "unixepoch" | "strftime" | "timediff" | "printf" | "format" => {
                    (2.0 * f64::from(MAX_ARGUMENTS), 0.0)
                }
                _ if LINEAR.split(' ').any(|it| it == name) => (4.0, 0.0),
                _ => return Err(Unbounded::Function(name.to_owned())),
            },
        };
        Ok(Cost { per_byte, per_pair })
    }

    fn add(&mut self, other: Cost) {
        self.per_byte += other.per_byte;
        self.per_pair += other.per_pair;
    }

    /// The length at which the cost is as much as it may be.
    fn longest_value(&self) -> Result<usize, Unbounded> {
        let root = (self.per_byte * self.per_byte + 4.0 * self.per_pair * MAX_COST).sqrt();
        let length = 2.0 * MAX_COST / (self.per_byte + root);
        #[expect(clippy::cast_sign_loss, reason = "a cost is positive")]
        match (length as usize).min(MAX_LENGTH) {
            ..MIN_LENGTH => Err(Unbounded::Program),
            length => Ok(length),
        }
    }
}

/// Functions that pass over their arguments once, or do not look at them at all.
const LINEAR: &str = "\
    abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char cos cosh count cume_dist \
    current_date current_time current_timestamp degrees dense_rank exp first_value floor \
    group_concat hex lag last_value lead length ln log log10 log2 lower ltrim mod nth_value \
    ntile nullif octet_length percent_rank pi pow power quote radians random randomblob rank \
    round row_number rtrim sign sin sinh soundex sqlite_version sqrt string_agg substr substring \
    sum tan tanh total trim trunc typeof unhex unicode unistr unistr_quote upper zeroblob";
