//! Joins along keys, and what may follow: queries that people write are possible, and their joins short.

use std::sync::{Arc, LazyLock};

use patois_languages::sql::{DatabaseSchema, Mode, Sql};
use patois_syntax::laws::check_ast;
use patois_syntax::{Grammar, Label, Language, NodeId};

static SHOP: LazyLock<Arc<DatabaseSchema>> = LazyLock::new(|| {
    let text = r#"[{
        "db_id": "shop",
        "table_names": ["customer", "orders", "line", "employee", "airport", "flight"],
        "table_names_original": ["customer", "orders", "line", "employee", "airport", "flight"],
        "column_names": [[-1, "*"], [0, "id"], [0, "name"], [1, "customer"], [1, "number"], [1, "placed"],
            [2, "customer"], [2, "number"], [2, "price"], [2, "quantity"],
            [3, "id"], [3, "name"], [3, "manager"], [4, "code"], [4, "city"],
            [5, "source"], [5, "destination"]],
        "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [1, "customer_id"], [1, "number"], [1, "placed"],
            [2, "customer_id"], [2, "number"], [2, "price"], [2, "quantity"],
            [3, "id"], [3, "name"], [3, "manager_id"], [4, "code"], [4, "city"],
            [5, "source"], [5, "destination"]],
        "column_types": ["text", "number", "text", "number", "number", "time",
            "number", "number", "number", "number", "number", "text", "number", "text", "text", "text", "text"],
        "primary_keys": [1, [3, 4], 10, 13],
        "foreign_keys": [[3, 1], [6, 3], [7, 4], [12, 10], [15, 13], [16, 13]]
    }]"#;
    Arc::new(DatabaseSchema::from_tables_json(text).unwrap()["shop"].clone())
});

/// Reads a query whose joins are `joins`, prints it again, and sees that it was possible all along.
fn check(source: &str, joins: &str, expected: &str) {
    let sql = Sql::new(SHOP.clone(), Mode::Full);
    let ast = sql
        .parse(source)
        .unwrap_or_else(|error| panic!("{source}: {error}"));
    assert_eq!(sql.print(&ast).unwrap(), expected, "from {source}");
    check_ast(&sql, &ast);
    let grammar = Grammar::from_schema(Sql::schema_of(Mode::Full));
    let tree = grammar.tree(&ast).unwrap();
    let notation = tree.display(&grammar).to_string();
    assert!(notation.contains(joins), "{joins} in {notation}");
    let mut beginning = sql.beginning(&grammar).unwrap();
    for node in (0..tree.n_nodes()).map(NodeId::new) {
        let label = tree.label(node);
        let name = match label {
            Label::Production(id) => grammar.production_name(id),
            label => format!("{label:?}"),
        };
        assert!(beginning.allows(label), "{name} in {source}");
        beginning.push(label);
    }
}

fn check_same(source: &str, joins: &str) {
    check(source, joins, source);
}

#[test]
fn composite_keys_are_joined_on_all_their_columns() {
    let whole = "SELECT count(*) FROM orders JOIN line \
                 ON orders.customer_id = line.customer_id AND orders.number = line.number";
    check_same(whole, "[(Join @2)]");
    check(
        "SELECT count(*) FROM orders JOIN line \
         ON line.number = orders.number AND orders.customer_id = line.customer_id",
        "[(Join @2)]",
        whole,
    );
    check_same(
        "SELECT count(*) FROM line JOIN orders \
         ON orders.customer_id = line.customer_id AND orders.number = line.number",
        "[(ReverseJoin @1)]",
    );
    // Half a key is no key.
    check_same(
        "SELECT count(*) FROM orders JOIN line ON orders.number = line.number",
        "[(JoinOn (Table @2)",
    );
}

#[test]
fn outer_joins_along_a_key_are_short() {
    check_same(
        "SELECT customer.name, count(orders.number) FROM customer \
         LEFT JOIN orders ON customer.id = orders.customer_id GROUP BY customer.id",
        "[(LeftKeyJoin @1)]",
    );
    check(
        "SELECT name FROM customer LEFT JOIN orders ON orders.customer_id = customer.id",
        "[(LeftKeyJoin @1)]",
        "SELECT customer.name FROM customer LEFT JOIN orders ON customer.id = orders.customer_id",
    );
    check_same(
        "SELECT customer.name FROM customer LEFT JOIN orders ON ((customer.id = orders.customer_id))",
        "[(LeftJoin (Table @1)",
    );
}

#[test]
fn tables_are_joined_as_often_as_they_have_keys() {
    check_same(
        "SELECT T1.name, T2.name FROM employee AS T1 JOIN employee AS T2 ON T1.manager_id = T2.id",
        "[(Join @3)]",
    );
    check_same(
        "SELECT T1.city, T2.city FROM flight JOIN airport AS T1 ON flight.source = T1.code \
         JOIN airport AS T2 ON flight.destination = T2.code",
        "[(Join @4) (Join @4)]",
    );
    check_same(
        "SELECT T1.name FROM employee AS T1 LEFT JOIN employee AS T2 ON T1.manager_id = T2.id \
         WHERE T2.id IS NULL",
        "[(LeftKeyJoin @3)]",
    );
}

#[test]
fn what_people_ask_is_possible() {
    for source in [
        "SELECT name FROM employee WHERE manager_id IS NULL",
        "SELECT name FROM employee WHERE manager_id IS NOT NULL ORDER BY manager_id IS NULL, name",
        "SELECT strftime('%Y', placed), count(*) FROM orders GROUP BY strftime('%Y', placed)",
        "SELECT number FROM orders WHERE placed >= '2024-01-01' AND placed < date('now', '-1 day')",
        "SELECT number FROM orders WHERE placed BETWEEN '2024-01-01' AND '2024-12-31'",
        "SELECT name FROM customer WHERE id IN (1, 2, 3) AND name NOT IN ('Ann', 'Bob')",
        "SELECT name FROM customer WHERE name LIKE 'A%' OR name LIKE '%a' OR name NOT LIKE '%x%'",
        "SELECT sum(price * quantity), round(avg(price), 2) FROM line WHERE price - 1 > quantity",
        "SELECT city FROM airport ORDER BY length(city) DESC LIMIT 3 OFFSET 2",
        "SELECT name FROM customer WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = customer.id)",
        "SELECT name FROM customer UNION SELECT name FROM employee ORDER BY name LIMIT 5",
        "SELECT customer_id FROM orders GROUP BY customer_id HAVING count(*) > 1 ORDER BY count(*) DESC",
        "SELECT max(T1.c1) FROM (SELECT count(*) AS c1 FROM orders GROUP BY customer_id) AS T1",
        "SELECT name FROM employee WHERE id = (SELECT max(id) FROM employee)",
        "SELECT CASE WHEN price > 10 THEN 'dear' ELSE 'cheap' END, count(DISTINCT number) FROM line",
    ] {
        check_same(source, "");
    }
}

/// What may follow a beginning that ends at `_`; written as the tree of a query with something in that place.
#[test]
fn what_cannot_run_may_not_follow() {
    let sql = Sql::new(SHOP.clone(), Mode::Full);
    let grammar = Grammar::from_schema(Sql::schema_of(Mode::Full));
    for source in [
        "SELECT count(max(id)) FROM customer",
        "SELECT name FROM customer WHERE count(*) > 1",
        "SELECT name FROM customer ORDER BY count(*)",
        "SELECT orders.number FROM customer",
        "SELECT name FROM customer WHERE id = (SELECT customer_id, number FROM orders)",
        "SELECT name FROM customer WHERE id IN (SELECT * FROM orders)",
        "SELECT id, name FROM customer UNION SELECT name FROM employee",
        "SELECT name FROM customer UNION SELECT * FROM employee",
        "SELECT name FROM customer UNION SELECT name FROM employee ORDER BY id",
        "SELECT name FROM customer ORDER BY 7",
        "SELECT name FROM customer GROUP BY -1",
        "SELECT name FROM customer LIMIT 1.5",
        "SELECT sum(*) FROM customer",
        "SELECT [#2].customer.name FROM customer",
        "SELECT [#].[1] FROM customer",
        "SELECT count(*) FROM customer JOIN airport ON [#].[key]",
        "SELECT orders.* FROM customer",
        "SELECT abs(id, name) FROM customer",
        "SELECT coalesce(name) FROM customer",
        "SELECT abs(DISTINCT id) FROM customer",
        "SELECT name FROM customer WHERE EXISTS (SELECT max(customer.id) FROM orders)",
    ] {
        let source = source.replace("sum(*)", "sum([*])");
        let ast = sql
            .parse(&source)
            .unwrap_or_else(|error| panic!("{source}: {error}"));
        let tree = grammar.tree(&ast).unwrap();
        let mut beginning = sql.beginning(&grammar).unwrap();
        let is_possible = (0..tree.n_nodes()).map(NodeId::new).all(|node| {
            let is_allowed = beginning.allows(tree.label(node));
            beginning.push(tree.label(node));
            is_allowed
        });
        assert!(!is_possible, "{source}");
    }
}
