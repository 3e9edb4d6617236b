//! The names under which the results of a query in FROM are known outside of it.

use indexmap::IndexMap;
use patois_syntax::Ast;

use super::{Result, TableOrQuery, tables_of};
use crate::sql::resolve::distinct_names;
use crate::sql::{Column, DatabaseSchema, tree};

/// The names under which a derived table's outputs are known, given that all results have one.
pub(super) fn output_names(schema: &DatabaseSchema, query: &Ast) -> Result<Vec<String>> {
    let select = tree::child(query, "select")?;
    let results = tree::list(select, "results")?;
    let from = tree::optional(select, "from")?;
    let aliases = result_aliases(schema, &results, from)?;
    let mut outputs = Vec::new();
    for (result, alias) in results.into_iter().zip(aliases) {
        match alias {
            Some(alias) => outputs.push(alias),
            None => outputs.extend(own_names(schema, result, from)?),
        }
    }
    Ok(distinct_names(outputs))
}

/// The aliases of those results that have no name of their own, or share it.
pub(super) fn result_aliases(
    schema: &DatabaseSchema,
    results: &[&Ast],
    from: Option<&Ast>,
) -> Result<Vec<Option<String>>> {
    let names: Vec<Vec<String>> = results
        .iter()
        .map(|result| own_names(schema, result, from))
        .collect::<Result<_>>()?;
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    for name in names.iter().flatten() {
        *counts.entry(name.to_ascii_lowercase()).or_default() += 1;
    }
    let is_unique = |name: &String| counts.get(&name.to_ascii_lowercase()) == Some(&1);
    let mut n_aliases = 0;
    let mut aliases = Vec::new();
    for (result, names) in results.iter().zip(&names) {
        let has_name = match &names[..] {
            [name] => is_star(schema, result) || is_unique(name),
            _ => is_star(schema, result),
        };
        aliases.push((!has_name).then(|| new_output_alias(schema, &mut n_aliases)));
    }
    Ok(aliases)
}

/// `c1`, `c2`, ...; never the name of a column, which would then be hidden.
fn new_output_alias(schema: &DatabaseSchema, n_aliases: &mut usize) -> String {
    loop {
        *n_aliases += 1;
        let alias = format!("c{n_aliases}");
        let is_taken = |column: &Column| column.name.eq_ignore_ascii_case(&alias);
        if !schema.columns.iter().any(is_taken) {
            return alias;
        }
    }
}

/// The names that results have by themselves: columns theirs, stars those of their columns.
fn own_names(schema: &DatabaseSchema, result: &Ast, from: Option<&Ast>) -> Result<Vec<String>> {
    match result.constructor {
        "Column" | "Occurrence" => {
            let index = tree::reference(result, "column", schema.columns.len())?;
            match (index, result.constructor, from) {
                (DatabaseSchema::STAR, "Column", Some(from)) => star_names(schema, from),
                (DatabaseSchema::STAR, ..) => Ok(Vec::new()),
                _ => Ok(vec![schema.columns[index].name.clone()]),
            }
        }
        "AllColumns" | "AllColumnsOf" => {
            let table = tree::reference(result, "table", schema.tables.len())?;
            let columns = schema.columns_of(table);
            Ok(columns.map(|(_, column)| column.name.clone()).collect())
        }
        _ => Ok(Vec::new()),
    }
}

fn star_names(schema: &DatabaseSchema, from: &Ast) -> Result<Vec<String>> {
    let joins = tree::list(from, "joins")?;
    let mut names = Vec::new();
    for source in tables_of(from, &joins)? {
        match source {
            TableOrQuery::Table(ast) => {
                let table = tree::reference(ast, "table", schema.tables.len())?;
                let columns = schema.columns_of(table);
                names.extend(columns.map(|(_, column)| column.name.clone()));
            }
            TableOrQuery::Query(query) => names.extend(output_names(schema, query)?),
        }
    }
    Ok(names)
}

fn is_star(schema: &DatabaseSchema, result: &Ast) -> bool {
    match result.constructor {
        "AllColumns" | "AllColumnsOf" => true,
        "Column" => {
            let index = tree::reference(result, "column", schema.columns.len());
            index == Ok(DatabaseSchema::STAR)
        }
        _ => false,
    }
}
