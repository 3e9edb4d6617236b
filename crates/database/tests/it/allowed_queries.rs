//! Every query that may be built runs: trees are grown at random, from what is allowed and nothing else.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use patois_database::{Database, QueryLimits};
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::{
    Beginning, Grammar, Label, Language, ProductionId, SymbolId, SymbolKind, Text, Tree,
};

/// Tables with awkward names, a composite key, a self reference, two keys between the same tables, a view.
const AWKWARD: &str = r#"
    CREATE TABLE employee (id INTEGER PRIMARY KEY, "a b" TEXT, manager_id INTEGER REFERENCES employee(id));
    CREATE TABLE "order" ("select" INTEGER, "group" TEXT, "18_49" REAL, employee_id INTEGER REFERENCES employee,
        PRIMARY KEY ("select", "group"));
    CREATE TABLE "cast" (x INTEGER, y TEXT, "it's" BLOB, FOREIGN KEY (x, y) REFERENCES "order"("select", "group"));
    CREATE TABLE airport (code TEXT PRIMARY KEY, "end" TEXT, rowid TEXT, "count" INTEGER);
    CREATE TABLE flight (c1 TEXT REFERENCES airport, destination TEXT REFERENCES airport, T1 DATE);
    CREATE TABLE T1 (T1 TEXT, "a.b" INTEGER, "[x]" INTEGER, "é" TEXT, current_date TEXT);
    CREATE TABLE "sum(1)" ("*" TEXT, "-" INTEGER, "quo""te" TEXT);
    CREATE VIEW busy AS SELECT employee_id, count(*) AS n FROM "order" GROUP BY employee_id;
"#;

#[test]
fn whatever_is_allowed_runs() {
    let database = Database::from_script("awkward", AWKWARD).unwrap();
    let schema = database.schema().unwrap().schema;
    let awkward = Case::new(database, schema, Mode::Full);
    check(&[awkward], 3_000);
    let database = Database::from_script("awkward", AWKWARD).unwrap();
    let schema = database.schema().unwrap().schema;
    check(&[Case::new(database, schema, Mode::Paper)], 1_000);
}

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_whatever_is_allowed_runs_on_databases_of_spider() {
    let data = std::env::var_os("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
    let tables = Path::new(&data).join("spider/tables.json");
    let tables = std::fs::read_to_string(tables).unwrap();
    for mode in [Mode::Full, Mode::Paper] {
        let schemas = DatabaseSchema::from_tables_json(&tables).unwrap();
        let cases = schemas.into_values().map(|schema| {
            let database = Database::from_script(&schema.name, &script(&schema)).unwrap();
            Case::new(database, schema, mode)
        });
        check(&cases.collect::<Vec<Case>>(), 50_000);
    }
}

/// The tables of a schema, without rows.
fn script(schema: &DatabaseSchema) -> String {
    let quote = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let mut script = String::new();
    for (index, table) in schema.tables.iter().enumerate() {
        let columns = schema.columns_of(index).map(|(_, it)| quote(&it.name));
        let columns: Vec<String> = columns.collect();
        // SQLite keeps names that begin like its own for itself.
        let name = table.name.replace("sqlite_", "sqlite-");
        let columns = columns.join(", ");
        writeln!(script, "CREATE TABLE {} ({columns});", quote(&name)).unwrap();
    }
    script
}

/// A database and its queries.
struct Case {
    database: Database,
    sql: Sql,
    grammar: Grammar,
    sizes: Vec<usize>,
    n_items: BTreeMap<&'static str, u32>,
}

impl Case {
    fn new(database: Database, mut schema: DatabaseSchema, mode: Mode) -> Case {
        for table in &mut schema.tables {
            table.name = table.name.replace("sqlite_", "sqlite-");
        }
        let grammar = Grammar::from_schema(Sql::schema_of(mode));
        Case {
            database,
            sizes: sizes(&grammar),
            n_items: BTreeMap::from([
                ("column", schema.columns.len() as u32),
                ("table", schema.tables.len() as u32),
            ]),
            sql: Sql::new(Arc::new(schema), mode),
            grammar,
        }
    }

    /// Grows a tree of about so many nodes.
    fn grow(&self, n_nodes: usize, random: &mut Random) -> Tree {
        let mut beginning = self.sql.beginning(&self.grammar).unwrap();
        let mut labels = Vec::new();
        let mut open = vec![self.grammar.root()];
        while let Some(symbol) = open.pop() {
            let is_late = labels.len() + open.len() > n_nodes;
            let label = self.label(&*beginning, symbol, is_late, random);
            beginning.push(label);
            labels.push(label);
            open.extend(label.children(&self.grammar).iter().rev());
        }
        Tree::from_labels(&self.grammar, self.grammar.root(), &labels).unwrap()
    }

    /// One of those that are allowed; a short one where it is late.
    fn label(
        &self,
        beginning: &dyn Beginning,
        symbol: SymbolId,
        is_late: bool,
        random: &mut Random,
    ) -> Label {
        let ty = self.grammar.symbol_type(symbol);
        let mut allowed: Vec<Label> = match self.grammar.symbol_kind(symbol) {
            SymbolKind::Text => return Label::Text(text(ty, random)),
            SymbolKind::Reference => (0..self.n_items[ty]).map(Label::Reference).collect(),
            _ => {
                let expansions = self.grammar.expansions(symbol).iter();
                expansions.map(|&it| Label::Production(it)).collect()
            }
        };
        allowed.retain(|it| beginning.allows(*it));
        let size = |it: &Label| match it {
            Label::Production(id) => self.sizes[id.index()],
            _ => 1,
        };
        let shortest = allowed.iter().map(size).min();
        let shortest = shortest.unwrap_or_else(|| panic!("nothing of type {ty} may follow"));
        if is_late {
            allowed.retain(|it| size(it) == shortest);
        }
        // Constants alone are hardly ever wrong.
        let names_things = |it: &Label| {
            let types = it.children(&self.grammar).iter();
            let mut types = types.map(|&it| self.grammar.symbol_type(it));
            types.any(|it| ["column", "table", "from", "position"].contains(&it))
        };
        if random.below(2) == 0 && allowed.iter().any(names_things) {
            allowed.retain(names_things);
        }
        allowed[random.below(allowed.len())]
    }
}

fn text(ty: &str, random: &mut Random) -> Text {
    let texts: &[&str] = match ty {
        "string" => &["", "x", "it's", "2020-01-01", "%a", "a%"],
        "number" => &["0", "1", "2.5", "1e5", "0xfF"],
        "blob" => &["", "C0FFEE"],
        "count" => &["0", "1", "12"],
        _ => panic!("no text is of type {ty}"),
    };
    Text::new(texts[random.below(texts.len())])
}

/// The size of the smallest tree that begins with each production.
fn sizes(grammar: &Grammar) -> Vec<usize> {
    const NONE: usize = 1 << 20;
    let mut of_symbols = vec![NONE; grammar.n_symbols()];
    let mut sizes = vec![NONE; grammar.n_productions()];
    for _ in 0..grammar.n_symbols() {
        for symbol in (0..grammar.n_symbols()).map(SymbolId::new) {
            let is_leaf = matches!(
                grammar.symbol_kind(symbol),
                SymbolKind::Text | SymbolKind::Reference
            );
            for &id in grammar.expansions(symbol) {
                let rhs = grammar.production(id).rhs.iter();
                let size = 1 + rhs.map(|it| of_symbols[it.index()]).sum::<usize>();
                sizes[ProductionId::index(id)] = size.min(NONE);
            }
            let expansions = grammar.expansions(symbol).iter();
            let smallest = expansions.map(|it| sizes[it.index()]).min();
            of_symbols[symbol.index()] = if is_leaf { 1 } else { smallest.unwrap_or(NONE) };
        }
    }
    sizes
}

/// Numbers that look random (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

/// Grows queries, runs them on tables without rows, and shows the first that fail.
fn check(cases: &[Case], n_queries: usize) {
    // What is right may still take long: joins of tables with themselves.
    let limits = QueryLimits {
        time: Duration::from_millis(500),
        ..QueryLimits::default()
    };
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut failures = Vec::new();
    for index in 0..n_queries {
        let case = &cases[index % cases.len()];
        let n_nodes = 10 + random.below(140);
        let tree = case.grow(n_nodes, &mut random);
        let ast = case.grammar.ast(&tree);
        let code = case.sql.print(&ast).unwrap();
        if let Err(error) = case.database.query(&code, &limits)
            && is_refused(&error.to_string())
        {
            failures.push(format!("{error}: {code}"));
        }
        if case.sql.mode() == Mode::Full {
            let again = case.sql.parse(&code);
            assert!(again.is_ok_and(|it| it == ast), "reads differently: {code}");
        }
    }
    failures.sort_by_key(String::len);
    let n_failures = failures.len();
    failures.truncate(25);
    assert!(
        n_failures == 0,
        "{n_failures} of {n_queries}: {failures:#?}"
    );
}

/// Whether a query was refused, rather than stopped.
fn is_refused(message: &str) -> bool {
    !["takes longer", "makes too much data"]
        .iter()
        .any(|it| message.contains(it))
}
