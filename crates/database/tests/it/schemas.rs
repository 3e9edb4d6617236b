//! The schemas of Spider's databases, against its `tables.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use patois_database::Databases;
use patois_languages::sql::{ColumnKind, DatabaseSchema};

#[test]
#[ignore = "needs PATOIS_DATA: the public datasets"]
fn data_live_schemas_have_the_names_of_the_release() {
    let data = std::env::var_os("PATOIS_DATA").expect("PATOIS_DATA names the datasets");
    let spider = Path::new(&data).join("spider");
    let databases = Databases::in_folder(&spider.join("database"));
    let text = std::fs::read_to_string(spider.join("tables.json")).unwrap();
    let released = DatabaseSchema::from_tables_json(&text).unwrap();
    assert_eq!(released.len(), 166);
    let mut totals = Totals::default();
    for (name, released) in &released {
        let live = databases.open(name).unwrap().schema().unwrap();
        assert_eq!(columns(&live.schema), columns(released), "{name}");
        totals.add(&live.schema, released);
        totals.dangling += live.dangling.len();
    }
    // The release's own lists of kinds and keys were corrected by hand.
    assert!(
        totals.equal_kinds * 1000 >= totals.columns * 995,
        "{totals:?}"
    );
    assert!(
        totals.common_keys * 100 >= totals.released_keys * 90,
        "{totals:?}"
    );
}

#[derive(Debug, Default)]
struct Totals {
    columns: usize,
    equal_kinds: usize,
    equal_primary_keys: usize,
    live_keys: usize,
    released_keys: usize,
    common_keys: usize,
    dangling: usize,
}

impl Totals {
    fn add(&mut self, live: &DatabaseSchema, released: &DatabaseSchema) {
        let (kinds, expected) = (properties(live), properties(released));
        self.columns += expected.len();
        for (name, (kind, is_primary)) in expected {
            self.equal_kinds += usize::from(kinds[&name].0 == kind);
            self.equal_primary_keys += usize::from(kinds[&name].1 == is_primary);
        }
        let (live, released) = (foreign_keys(live), foreign_keys(released));
        self.live_keys += live.len();
        self.released_keys += released.len();
        self.common_keys += live.intersection(&released).count();
    }
}

fn columns(schema: &DatabaseSchema) -> BTreeSet<String> {
    let columns = 1..schema.columns.len();
    columns
        .map(|column| name(schema, column))
        .filter(|name| !name.starts_with("sqlite_"))
        .collect()
}

fn properties(schema: &DatabaseSchema) -> BTreeMap<String, (ColumnKind, bool)> {
    let columns = schema.columns.iter().enumerate().skip(1);
    columns
        .map(|(index, column)| (name(schema, index), (column.kind, column.is_primary_key)))
        .filter(|(name, _)| !name.starts_with("sqlite_"))
        .collect()
}

fn foreign_keys(schema: &DatabaseSchema) -> BTreeSet<(String, String)> {
    let keys = schema.foreign_keys.iter();
    keys.map(|&(from, to)| (name(schema, from), name(schema, to)))
        .collect()
}

fn name(schema: &DatabaseSchema, column: usize) -> String {
    let column = &schema.columns[column];
    let table = column.table.map_or("", |it| &schema.tables[it].name);
    format!("{table}.{}", column.name).to_lowercase()
}
