//! Idioms as people read them.

use patois_languages::python::Python;
use patois_languages::sql::{Mode, Sql};
use patois_syntax::{Fragment, FragmentNode, Grammar, HoleId, Label, Language, ProductionId};

use super::IdiomPrinter;

/// Cases are a notation, a line `=>`, and the source; blank lines keep them apart.
fn check(grammar: &Grammar, printer: &IdiomPrinter<'_>, cases: &str) {
    for case in cases.trim().split("\n\n") {
        let (notation, expected) = case.split_once("\n=>\n").unwrap();
        let fragment = Fragment::parse(grammar, notation)
            .unwrap_or_else(|error| panic!("{notation}: {error} at {:?}", error.offset));
        assert_eq!(printer.print(&fragment), expected, "{notation}");
    }
}

fn check_python(cases: &str) {
    let grammar = Grammar::from_schema(Python.schema().unwrap());
    check(&grammar, &IdiomPrinter::python(&grammar), cases);
}

fn check_sql(mode: Mode, cases: &str) {
    let grammar = Grammar::from_schema(Sql::schema_of(mode));
    check(&grammar, &IdiomPrinter::sql(&grammar, mode), cases);
}

#[test]
fn python_idioms_of_the_paper() {
    check_python(
        r#"
(Expr (Call (Attribute (Call (Name "super") [] []) "__init__") [(Str ?a) (Int ?b) (Attribute (Name "CHARACTER_CLASS") ?c) (Attribute (Name "CARD_RARITY") ?d) | ?e] ?f))
=>
super().__init__("$string", $integer, CHARACTER_CLASS.$name1, CARD_RARITY.$name2, $arguments..., $keywords...)

(Assign [(Name ?x)] (Call (Attribute (Name "copy") "copy") [?y] []))
=>
$1 = copy.copy($argument)

(ClassDef [] ?n [] [?b] [] [(FunctionDef [] "__init__" [] (Parameters [(Parameter "self")] [] _) _ [?s | ?rest])])
=>
class $name($base):
    def __init__(self):
        $stmt
        $body..."#,
    );
}

#[test]
fn python_holes_of_every_kind() {
    check_python(
        r#"
(Return ?x)
=>
return $value?

(Assign [(Attribute (Name "self") ?x)] (Name ?x))
=>
self.$name = $name

(AugAssign (Name ?x) ?op ?v)
=>
$1 $op= $value

(Compare ?a [?b])
=>
$left $comparison

(If (Compare (Name ?x) [(Is None)]) [(Assign [(Name ?x)] ?v)] ?e)
=>
if $1 is None:
    $1 = $value
else:
    $orelse...

(FunctionDef ?d ?n ?t ?p ?r ?b)
=>
@$decorators...
def $name[$type_params...]($parameters) -> $returns?:
    $body...

(FString [(Replacement ?a ?b ?c ?d) | ?r] ?t)
=>
f"$before?{$value$conversion?:$format_spec?}{$replacements...}$tail?"

(Call ?f ?a [(Keyword "x" ?v) | ?k])
=>
$function($arguments..., x=$value, $keywords...)

(UnaryOp ?o (Imaginary ?x))
=>
$op$imaginary

(Module ?b)
=>
$body..."#,
    );
}

#[test]
fn python_parts_of_programs() {
    check_python(
        r#"
stmt*: [(Import [(DottedAlias "os")]) | ?x]
=>
import os
$stmt...

expr*: [?x (Name "a") | ?y]
=>
$expr1, a, $expr2...

(Keyword ?x (Lambda ?p ?b))
=>
$name=lambda $parameters: $body

(Except (Name "KeyError") [?body | ?more])
=>
except KeyError:
    $stmt
    $body...

(Parameters [(Parameter "self") | ?p] ?d ?v)
=>
self, $plain..., $defaulted..., $variadic?

(Case ?p ?g ?b)
=>
case $pattern if $guard?:
    $body...

(Generator ?t ?i [])
=>
for $target in $iter

FloorDiv
=>
//"#,
    );
}

#[test]
fn sql_in_both_modes() {
    for (mode, select, from) in [
        (Mode::Full, "?f _ [(Max ?x)]", "$from?"),
        (Mode::Paper, "_ [(Max ?x)] ?f", "$table"),
    ] {
        check_sql(
            mode,
            "
(Count (Column ?c))
=>
count($column)

condition?: +(Equal (Column ?c) ?v)
=>
WHERE $column = $right

(Equal (Column ?c) ?v)
=>
$column = $right

(Union (select $SELECT _ _))
=>
UNION SELECT max($argument) FROM $FROM

order*: [(Descending (Count ?x))]
=>
ORDER BY count($argument) DESC

(InQuery ?a ?q)
=>
$operand IN (SELECT $query)

(grouping [?a | ?b] ?h)
=>
GROUP BY $key, $keys... HAVING $having?

(query ?s [?c | ?cc] ?o _)
=>
SELECT $select $compound $compounds... ORDER BY $order_by..."
                .replace("$SELECT", select)
                .replace("$FROM", from)
                .as_str(),
        );
    }
}

#[test]
fn sql_of_each_mode() {
    check_sql(
        Mode::Full,
        r#"
(query (select ?f ?d [(Count ?x)] ?w ?g) ?c ?o ?l)
=>
SELECT $distinct? count($argument) FROM $from? WHERE $where? GROUP BY $grouping? $compounds... ORDER BY $order_by... LIMIT $limit?

(query (select +(from (Table ?t) [(Join ?u)]) _ [(Column ?c)] +(Equal (Column ?e) (String ?s)) _) [] [(Descending ?k)] +(Limit "1"))
=>
SELECT $column1 FROM $table1 JOIN $table2 WHERE $column2 = '$string' ORDER BY $key DESC LIMIT 1

(from (Table ?t) ?j)
=>
FROM $table JOIN $joins...

(Limit ?l)
=>
LIMIT $count

(Cast ?a ?b)
=>
CAST($operand AS $affinity)"#,
    );
    check_sql(
        Mode::Paper,
        "
(query (select ?d [(Count ?x)] ?f +(Equal (Column ?y) Literal) ?g) ?c ?o ?l)
=>
SELECT $distinct? count($argument) FROM $table WHERE $column = 'terminal' GROUP BY $grouping? $compounds... ORDER BY $order_by... $limit?",
    );
}

#[test]
fn every_production_of_every_language_prints() {
    let python = Grammar::from_schema(Python.schema().unwrap());
    let full = Grammar::from_schema(Sql::schema_of(Mode::Full));
    let paper = Grammar::from_schema(Sql::schema_of(Mode::Paper));
    assert_eq!(unprinted(&python, &IdiomPrinter::python(&python)), [""; 0]);
    // A hole for a symbol with a single value hides nothing, and shows as nothing.
    let is_alone = ["distinct?.some", "limit?.some"];
    let printer = IdiomPrinter::sql(&full, Mode::Full);
    assert_eq!(unprinted(&full, &printer), is_alone[..1]);
    let printer = IdiomPrinter::sql(&paper, Mode::Paper);
    let mut found = unprinted(&paper, &printer);
    found.sort();
    assert_eq!(found, is_alone);
}

/// The productions that, with nothing but holes, do not print such that every hole shows.
fn unprinted(grammar: &Grammar, printer: &IdiomPrinter<'_>) -> Vec<String> {
    let mut failures = Vec::new();
    for id in (0..grammar.n_productions()).map(ProductionId::new) {
        let production = grammar.production(id);
        let holes = (0..production.rhs.len()).map(|it| FragmentNode::Hole(HoleId::new(it)));
        let nodes = std::iter::once(FragmentNode::Fixed(Label::Production(id))).chain(holes);
        let fragment = Fragment::from_nodes(grammar, production.lhs, nodes).unwrap();
        let names = super::names::hole_names(grammar, &fragment);
        match printer.source(&fragment) {
            Some(source) if names.iter().all(|name| source.contains(name.as_str())) => {}
            _ => failures.push(grammar.production_name(id)),
        }
    }
    failures
}

#[test]
fn what_looks_like_a_placeholder_is_not_mistaken_for_one() {
    check_python(
        r#"
(Assign [(Name ?x)] (Name "zqh1_"))
=>
(Assign [(Name ?0)] (Name "zqh1_"))"#,
    );
}
