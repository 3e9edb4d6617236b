//! Queries in words.

use std::sync::Arc;

use patois_syntax::Language as _;

use crate::sql::{DatabaseSchema, Mode, Sql};

const SCHEMA: &str = r#"{
    "db_id": "shop",
    "table_names": ["customer", "invoice"], "table_names_original": ["customer", "invoice"],
    "column_names": [[-1, "*"], [0, "id"], [0, "name"], [0, "city"], [1, "id"], [1, "customer id"],
        [1, "total"], [1, "date"]],
    "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [0, "city"], [1, "id"], [1, "customer_id"],
        [1, "total"], [1, "date"]],
    "column_types": ["text", "number", "text", "text", "number", "number", "number", "time"],
    "primary_keys": [1, 4], "foreign_keys": [[5, 1]]}"#;

fn check(query: &str, expected: &str) {
    let tables = format!("[{SCHEMA}]");
    let schema = DatabaseSchema::from_tables_json(&tables).unwrap()["shop"].clone();
    let sql = Sql::new(Arc::new(schema), Mode::Full);
    let ast = sql.parse(query).unwrap();
    assert_eq!(sql.in_words(&ast).unwrap(), expected, "{query}");
}

#[test]
fn simple_queries() {
    check("SELECT count(*) FROM customer", "number of customers");
    check("SELECT * FROM customer", "all there is about customers");
    check(
        "SELECT DISTINCT city FROM customer",
        "different city of customers",
    );
    check(
        "SELECT name, city FROM customer WHERE city = 'Berlin' AND id > 3",
        "name and city of customers, where city is “Berlin” and id is above 3",
    );
    check(
        "SELECT avg(total) FROM invoice",
        "average total of invoices",
    );
    check(
        "SELECT count(DISTINCT city) FROM customer",
        "number of different city values of customers",
    );
}

#[test]
fn groups_and_order() {
    check(
        "SELECT city, count(*) FROM customer GROUP BY city ORDER BY count(*) DESC",
        "number of customers for each city, largest first",
    );
    check(
        "SELECT city FROM customer GROUP BY city HAVING count(*) >= 2",
        "city of customers for each city, only where number of customers is at least 2",
    );
    check(
        "SELECT name FROM customer ORDER BY name LIMIT 3",
        "name of customers, from A to Z, only the first 3",
    );
    check(
        "SELECT total FROM invoice ORDER BY date DESC LIMIT 1",
        "total of invoices, by date, latest first, only the first",
    );
}

#[test]
fn joined_tables() {
    check(
        "SELECT customer.name, sum(invoice.total) FROM customer \
         JOIN invoice ON customer.id = invoice.customer_id GROUP BY customer.id",
        "customer name and total invoice total of customers with their invoices for each customer id",
    );
    check(
        "SELECT customer.name FROM customer LEFT JOIN invoice ON customer.id = invoice.customer_id \
         WHERE invoice.id IS NULL",
        "customer name of customers, even without invoices, where invoice id is missing",
    );
}

#[test]
fn tests_of_values() {
    let check = |condition: &str, expected: &str| {
        let expected = format!("number of invoices, where {expected}");
        check(
            &format!("SELECT count(*) FROM invoice WHERE {condition}"),
            &expected,
        );
    };
    check("date LIKE '2021%'", "date begins with “2021”");
    check("date NOT LIKE '%May%'", "date does not contain “May”");
    check("total BETWEEN 1 AND 5", "total is between 1 and 5");
    check("total IN (1, 2, 3)", "total is 1, 2 or 3");
    check("total IS NOT NULL", "total is known");
    check("strftime('%Y', date) = '2021'", "year of date is “2021”");
    check(
        "total > 1 AND (id = 2 OR id = 3)",
        "total is above 1 and (id is 2 or id is 3)",
    );
    check(
        "total > (SELECT avg(total) FROM invoice)",
        "total is above (average total of invoices)",
    );
    check(
        "customer_id NOT IN (SELECT id FROM customer)",
        "customer id is not among (id of customers)",
    );
}

#[test]
fn several_selects() {
    check(
        "SELECT city FROM customer EXCEPT SELECT city FROM customer WHERE name = 'Ida'",
        "city of customers, but not city of customers, where name is “Ida”",
    );
    check("SELECT 1 + 2", "1 plus 2");
}
