//! SQL over a small schema: what parses prints, and parses to the same tree again.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::Language;

const TABLES: &str = r#"[{
    "db_id": "shop",
    "table_names": ["t", "u"], "table_names_original": ["t", "u"],
    "column_names": [[-1, "*"], [0, "a"], [0, "b"], [1, "a"], [1, "c d"]],
    "column_names_original": [[-1, "*"], [0, "a"], [0, "b"], [1, "a"], [1, "c d"]],
    "column_types": ["text", "number", "text", "number", "text"],
    "primary_keys": [1, 3], "foreign_keys": [[3, 1]]
}]"#;

static LANGUAGES: LazyLock<[Sql; 2]> = LazyLock::new(|| {
    let schemas = DatabaseSchema::from_tables_json(TABLES).expect("the schema is well-formed");
    let shop = Arc::new(schemas["shop"].clone());
    [Mode::Full, Mode::Paper].map(|mode| Sql::new(Arc::clone(&shop), mode))
});

fuzz_target!(|source: &str| {
    for sql in LANGUAGES.iter() {
        let Ok(ast) = sql.parse(source) else { continue };
        let printed = sql.print(&ast).expect("what was parsed prints");
        assert_eq!(sql.parse(&printed).as_ref(), Ok(&ast), "{printed}");
    }
});
