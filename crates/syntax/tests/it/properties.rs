//! Properties of trees, fragments and derivations, on random trees of a toy language.

use std::sync::LazyLock;

use patois_syntax::laws::{Choices, grow};
use patois_syntax::{
    Action, Ast, Child, ExtendedGrammar, Field, Fragment, FragmentNode, Grammar, HoleId, Idiom,
    IdiomExpansion, IdiomLibrary, Label, Marker, Next, NodeId, PartialTree, Rule, Schema, Text,
    Tree, derivation,
};
use proptest::prelude::*;

const SCHEMA: &str = "module Toy {
    block = (stmt* body)
    stmt = Assign(name+ targets, expr value) | Return(expr? value) | Pass
         | While(test test, stmt+ body)
    test = (expr it)
    expr = Name(name id) | Num(number value) | Add(expr left, expr right)
         | Call(name function, expr* arguments, keyword* keywords) | Column(column it)
    keyword = Keyword(name? name, expr value)
    name = text
    number = text
    column = reference
}";

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    Grammar::from_schema(&Schema::parse(SCHEMA).expect("the schema is well-formed"))
});

fn grammar() -> &'static Grammar {
    &GRAMMAR
}

/// Choices read off a list of random numbers; past its end, the first of everything.
struct Script(std::vec::IntoIter<u32>);

impl Script {
    fn next(&mut self) -> usize {
        self.0.next().unwrap_or(0) as usize
    }
}

impl Choices for Script {
    fn choose(&mut self, n: usize) -> usize {
        self.next() % n
    }

    fn text(&mut self, _ty: &str) -> Text {
        // Few texts, so that subtrees repeat; one is empty, one has several subtokens.
        Text::new(["a", "b", "one two", ""][self.next() % 4])
    }

    fn reference(&mut self, _ty: &str) -> u32 {
        self.next() as u32 % 3
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    (proptest::collection::vec(any::<u32>(), 1..120), 1..60_usize).prop_map(|(script, n_nodes)| {
        let grammar = grammar();
        grow(
            grammar,
            grammar.root(),
            n_nodes,
            &mut Script(script.into_iter()),
        )
    })
}

/// A fragment cut out of a tree: where it begins, where it is cut, and whether equal subtrees below
/// it become equal holes.
fn cut(tree: &Tree, root: usize, cuts: u64, share_holes: bool) -> Option<Fragment> {
    let grammar = grammar();
    let root = NodeId::new(root % tree.n_nodes());
    let is_cut = |node: NodeId| cuts >> (node.index() % 64) & 1 == 1;
    let fragment = Fragment::from_tree(grammar, tree, root, is_cut).ok()?;
    if !share_holes {
        return Some(fragment);
    }
    let bindings = fragment
        .match_at(tree, root)
        .expect("a fragment occurs where it was cut");
    let same = |hole: HoleId| {
        let bound = bindings.get(hole);
        let equal = bindings.iter().find(|&(_, other)| {
            tree.symbol(other) == tree.symbol(bound) && tree.subtree(other) == tree.subtree(bound)
        });
        equal.expect("a hole equals itself").0
    };
    let nodes = fragment.nodes().iter().map(|&node| match node {
        FragmentNode::Hole(hole) => FragmentNode::Hole(same(hole)),
        fixed @ FragmentNode::Fixed(_) => fixed,
    });
    Fragment::from_nodes(grammar, fragment.root_symbol(), nodes).ok()
}

fn fragments(tree: &Tree) -> impl Strategy<Value = Vec<Fragment>> + use<> {
    let tree = tree.clone();
    proptest::collection::vec((any::<usize>(), any::<u64>(), any::<bool>()), 0..8).prop_map(
        move |cuts| {
            cuts.iter()
                .filter_map(|&(root, cuts, share)| cut(&tree, root, cuts, share))
                .collect()
        },
    )
}

fn library(grammar: &Grammar, fragments: Vec<Fragment>) -> IdiomLibrary {
    let idiom = |fragment| Idiom {
        fragment,
        coverage: 1,
        score: 0.0,
    };
    IdiomLibrary::new(grammar, fragments.into_iter().map(idiom).collect())
}

/// Subtokens end after each space.
fn subtokens(text: &str) -> Vec<&str> {
    text.split_inclusive(' ').collect()
}

fn trees_with_fragments() -> impl Strategy<Value = (Tree, Vec<Fragment>)> {
    trees().prop_flat_map(|tree| {
        let fragments = fragments(&tree);
        (Just(tree), fragments)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_tree_converts_to_an_ast_and_back(tree in trees()) {
        let grammar = grammar();
        let ast = grammar.ast(&tree);
        prop_assert_eq!(&grammar.tree(&ast).unwrap(), &tree);
        // What one tree induces derives that tree, and prints and reads as the same grammar.
        let induced = Grammar::induce("toy", [&ast]).unwrap();
        let again = induced.tree(&ast).unwrap();
        prop_assert_eq!(again.n_nodes(), tree.n_nodes());
        prop_assert_eq!(induced.ast(&again), ast);
        prop_assert_eq!(Grammar::parse(&induced.to_string()).unwrap(), induced);
    }

    #[test]
    fn grammars_that_were_induced_apart_are_merged_to_that_of_all(
        trees in proptest::collection::vec(trees(), 2..8),
        n_first in 1_usize..7,
    ) {
        let asts: Vec<Ast> = trees.iter().map(|it| grammar().ast(it)).collect();
        let (first, rest) = asts.split_at(n_first.min(asts.len() - 1));
        let all = Grammar::induce("toy", &asts).unwrap();
        let mut merged = Grammar::induce("toy", first).unwrap();
        let other = Grammar::induce("toy", rest).unwrap();
        // Others know it as a text.
        let other = Grammar::parse(&other.to_string()).unwrap();
        let renumbering = merged.merge(&other).unwrap();
        prop_assert_eq!(merged.to_string(), all.to_string());
        prop_assert_eq!(&merged, &all);
        for ast in rest {
            let mut tree = other.tree(ast).unwrap();
            renumbering.apply(&mut tree);
            prop_assert_eq!(tree, all.tree(ast).unwrap());
        }
        prop_assert!(merged.merge(&all).unwrap().is_identity());
    }

    #[test]
    fn the_notation_of_trees_and_fragments_reads_back((tree, fragments) in trees_with_fragments()) {
        let grammar = grammar();
        let written = tree.display(grammar).to_string();
        prop_assert_eq!(Tree::parse(grammar, &written).unwrap(), tree);
        for fragment in fragments {
            let written = fragment.display(grammar).to_string();
            prop_assert_eq!(Fragment::parse(grammar, &written).unwrap(), fragment);
        }
    }

    #[test]
    fn replaying_the_steps_rebuilds_the_tree((tree, fragments) in trees_with_fragments()) {
        let grammar = grammar();
        let library = library(grammar, fragments);
        let extended = ExtendedGrammar::new(grammar, &library).unwrap();
        let mut partial = PartialTree::new(extended, &subtokens, grammar.root());
        for (index, step) in derivation::steps(&extended, &subtokens, &tree).iter().enumerate() {
            prop_assert_eq!(partial.next(), Next::Choose(step.symbol));
            prop_assert_eq!(partial.parent_step(), step.parent);
            prop_assert_eq!(partial.node(), step.node);
            prop_assert_eq!(partial.n_steps(), index);
            let written = step.action.display(grammar).to_string();
            prop_assert_eq!(Action::parse(grammar, &written).unwrap(), step.action);
            partial.apply(&step.action).unwrap();
        }
        prop_assert_eq!(partial.finish(), Some(tree));
    }

    /// At every choice, an accepted action is drawn: idioms within idioms, idioms in lists, repeated
    /// holes. The tree comes out, and the network would have been fed the same steps.
    #[test]
    fn any_mix_of_accepted_idioms_rebuilds_the_tree(
        (tree, fragments) in trees_with_fragments(),
        draws in proptest::collection::vec(any::<usize>(), 1..200),
    ) {
        let grammar = grammar();
        let library = library(grammar, fragments);
        let extended = ExtendedGrammar::new(grammar, &library).unwrap();
        let marked = Marker::new(grammar, &library).unwrap().mark(&tree);
        let steps = derivation::steps(&extended, &subtokens, &tree);
        let mut draws = draws.into_iter().cycle();
        let mut partial = PartialTree::new(extended, &subtokens, grammar.root());
        loop {
            let step = steps.get(partial.n_steps());
            let action = match partial.next() {
                Next::Done => break,
                Next::Forced(action) => {
                    prop_assert_eq!(Some(action), step.map(|step| step.action));
                    action
                }
                Next::Choose(_) => {
                    let step = step.unwrap();
                    let mut accepted: Vec<Action> = marked.accepted(step.node).collect();
                    if accepted.is_empty() {
                        accepted.push(step.action);
                    }
                    accepted[draws.next().unwrap() % accepted.len()]
                }
            };
            prop_assert_eq!(partial.parent_step(), step.and_then(|step| step.parent));
            partial.apply(&action).unwrap();
        }
        prop_assert_eq!(partial.n_steps(), steps.len());
        prop_assert_eq!(partial.finish(), Some(tree));
    }

    /// The shortest derivation builds the tree, each idiom in one step, whichever occurrences there are;
    /// no derivation that is found by chance is shorter.
    #[test]
    fn the_shortest_steps_rebuild_the_tree(
        (tree, fragments) in trees_with_fragments(),
        draws in proptest::collection::vec(any::<usize>(), 1..200),
    ) {
        let grammar = grammar();
        let library = library(grammar, fragments);
        let extended = ExtendedGrammar::new(grammar, &library).unwrap();
        let mut draws = draws.into_iter().cycle();
        let marked = Marker::new(grammar, &library).unwrap().mark(&tree);
        let marked = marked.keeping(|_| !draws.next().unwrap().is_multiple_of(3));
        let start = || {
            let partial = PartialTree::new(extended, &subtokens, grammar.root());
            partial.expansion(IdiomExpansion::Atomic)
        };

        let steps = derivation::shortest_steps(&extended, &subtokens, &marked);
        let mut partial = start();
        for (index, step) in steps.iter().enumerate() {
            prop_assert_eq!(partial.next(), Next::Choose(step.symbol));
            prop_assert_eq!(partial.parent_step(), step.parent);
            prop_assert_eq!(partial.place(), step.place);
            prop_assert_eq!(partial.node(), step.node);
            prop_assert_eq!(partial.n_steps(), index);
            partial.apply(&step.action).unwrap();
        }
        prop_assert_eq!(partial.finish(), Some(tree.clone()));

        let texts = derivation::steps(&extended, &subtokens, &tree);
        let text_of = |node| texts.iter().filter(move |it| it.node == node);
        let mut partial = start();
        while let Next::Choose(_) = partial.next() {
            let accepted: Vec<Action> = marked.accepted(partial.node()).collect();
            if accepted.is_empty() {
                let node = partial.node();
                for step in text_of(node) {
                    partial.apply(&step.action).unwrap();
                }
            } else {
                partial.apply(&accepted[draws.next().unwrap() % accepted.len()]).unwrap();
            }
        }
        prop_assert!(partial.n_steps() >= steps.len());
        prop_assert_eq!(partial.finish(), Some(tree));
    }

    #[test]
    fn a_marked_tree_has_exactly_the_matches((tree, fragments) in trees_with_fragments()) {
        let grammar = grammar();
        let library = library(grammar, fragments);
        let marked = Marker::new(grammar, &library).unwrap().mark(&tree);
        let mut n_found = 0;
        for (id, idiom) in library.iter() {
            for (root, bindings) in idiom.fragment.occurrences(&tree) {
                n_found += 1;
                prop_assert!(marked.rooted_at(root).iter().any(|it| it.idiom == id && it.bindings == bindings));
            }
        }
        prop_assert_eq!(marked.occurrences().len(), n_found);
        // Each fragment was cut out of this tree, so none is dead.
        prop_assert!(library.iter().all(|(id, _)| marked.occurrences().iter().any(|it| it.idiom == id)));
    }

    #[test]
    fn arbitrary_text_never_panics(text in "[(\\[\\]) |?+_@\":*A-Za-z0-9\\\\{}.,=\n-]{0,60}") {
        let grammar = grammar();
        let _ = Fragment::parse(grammar, &text);
        let _ = Tree::parse(grammar, &text);
        let _ = Action::parse(grammar, &text);
        let _ = Schema::parse(&text);
        let _ = Schema::parse(&format!("module M {{ {text} }}"));
        let _ = Grammar::parse(&format!("grammar g\nsymbols a b*\n{text}"));
    }
}

#[test]
fn actions_that_do_not_fit_are_refused_and_change_nothing() {
    let grammar = grammar();
    let library = library(
        grammar,
        vec![Fragment::parse(grammar, "(Add ?x ?x)").unwrap()],
    );
    let extended = ExtendedGrammar::new(grammar, &library).unwrap();
    let mut partial = PartialTree::new(extended, &subtokens, grammar.root());
    let mut check = |action: &str, expected: Result<(), &str>| {
        let action = Action::parse(grammar, action).unwrap();
        let found = partial.apply(&action).map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned));
    };
    check("@1", Err("expected an action for stmt*, found @1"));
    check("stmt*.more", Ok(()));
    check("#0", Err("expected an action for stmt, found #0"));
    check("stmt.Return", Ok(()));
    check("expr?.some", Ok(()));
    check("#0", Ok(()));
    check(
        "expr.Name",
        Err("expected the forced action expr.Add, found expr.Name"),
    );
    check("expr.Add", Ok(()));
    check("expr.Column", Ok(()));
    check("$", Err("expected an action for column, found $"));
    check("@4", Ok(()));
    check(
        "expr.Name",
        Err("expected the forced action expr.Column, found expr.Name"),
    );
    check("expr.Column", Ok(()));
    check("@5", Err("expected the forced action @4, found @5"));
    check("@4", Ok(()));
    check("stmt*.end", Ok(()));
    check(
        "stmt*.end",
        Err("the tree is complete: no action can follow"),
    );
    let tree = partial.finish().unwrap();
    assert_eq!(
        tree.display(grammar).to_string(),
        "(block [(Return +(Add (Column @4) (Column @4)))])"
    );
}

#[test]
fn an_unfinished_tree_is_none() {
    let grammar = grammar();
    let library = IdiomLibrary::empty(grammar);
    let extended = ExtendedGrammar::new(grammar, &library).unwrap();
    assert!(
        PartialTree::new(extended, &subtokens, grammar.root())
            .finish()
            .is_none()
    );
}

#[test]
fn a_library_of_another_grammar_is_refused() {
    let grammar = grammar();
    let other = Schema::parse("module Other { a = A | B }").unwrap();
    let library = IdiomLibrary::empty(&Grammar::from_schema(&other));
    let error = ExtendedGrammar::new(grammar, &library).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the idioms were mined with grammar "),
        "{error}"
    );
}

#[test]
fn a_symbol_with_one_rule_takes_no_step_until_an_idiom_makes_it_a_choice() {
    let grammar = grammar();
    let tree = Tree::parse(grammar, r#"(block [(While (test (Name "a")) [Pass])])"#).unwrap();
    let n_steps = |fragments: &[&str]| {
        let parse = |text: &&str| Fragment::parse(grammar, text).unwrap();
        let library = library(grammar, fragments.iter().map(parse).collect());
        let extended = ExtendedGrammar::new(grammar, &library).unwrap();
        derivation::steps(&extended, &subtokens, &tree).len()
    };
    // more, While, Name, "a", $, Pass, end, end: neither block, nor test, nor first.
    assert_eq!(n_steps(&[]), 8);
    assert_eq!(n_steps(&["(test (Name ?x))"]), 9);
}

#[test]
fn contradictions_between_trees_are_told() {
    let check = |asts: &[Ast], expected: &str| {
        assert_eq!(
            Grammar::induce("g", asts).unwrap_err().to_string(),
            expected
        );
    };
    let node = |ty, fields| Ast::new(ty, "A", fields);
    check(&[], "expected at least one tree to induce a grammar from");
    check(
        &[
            node("a", vec![Field::one("x", "t", "1")]),
            node("a", vec![]),
        ],
        "expected `A` of type `a` to hold (t x), found ()",
    );
    check(
        &[node(
            "a",
            vec![Field::many(
                "x",
                "t",
                [Child::from("1"), Child::Reference(1)],
            )],
        )],
        "expected values of type `t` to be texts, found references",
    );
    check(
        &[node("a", vec![Field::one("x", "b", node("c", vec![]))])],
        "expected a node of type `b` in field `x`, found `c`",
    );
}

#[test]
fn grammars_that_contradict_each_other_are_not_merged() {
    let check = |other: &str, expected: &str| {
        let parse =
            |text: &str| Grammar::parse(&format!("grammar g\nsymbols a t\n{text}")).unwrap();
        let merged = parse("t = text\na.X(t name)\n").merge(&parse(other));
        assert_eq!(merged.unwrap_err().to_string(), expected);
    };
    check(
        "t = text\na.X(t* name)\n",
        "expected `X` of type `a` to hold (t name), found (t* name)",
    );
    check(
        "t.Y\n",
        "expected values of type `t` to be texts, found nodes",
    );
}

#[test]
fn an_induced_grammar_has_only_what_was_seen() {
    let ast = Ast::new("a", "A", vec![Field::many("x", "b", [] as [Ast; 0])]);
    let grammar = Grammar::induce("g", [&ast]).unwrap();
    let more = Ast::new(
        "a",
        "A",
        vec![Field::many("x", "b", [Ast::new("b", "B", vec![])])],
    );
    assert_eq!(
        grammar.tree(&more).unwrap_err().to_string(),
        "the grammar has no production `b*.more`"
    );
    let tree = grammar.tree(&ast).unwrap();
    let library = IdiomLibrary::empty(&grammar);
    let extended = ExtendedGrammar::new(&grammar, &library).unwrap();
    assert_eq!(derivation::steps(&extended, &subtokens, &tree), []);
    assert_eq!(
        tree.label(tree.root()),
        Label::Production(grammar.construct(grammar.root(), "A").unwrap())
    );
    assert_eq!(extended.rules(grammar.root()).count(), 1);
    assert!(matches!(
        extended.rules(grammar.root()).next(),
        Some(Rule::Production(_))
    ));
}

#[test]
fn a_very_deep_tree_needs_no_stack() {
    let grammar = grammar();
    let depth = 200_000;
    let text = format!(
        "(block [(Return +{}(Name \"a\"){})])",
        "(Add (Num \"1\") ".repeat(depth),
        ")".repeat(depth)
    );
    let tree = Tree::parse(grammar, &text).unwrap();
    let library = IdiomLibrary::empty(grammar);
    let extended = ExtendedGrammar::new(grammar, &library).unwrap();
    let mut partial = PartialTree::new(extended, &subtokens, grammar.root());
    for step in derivation::steps(&extended, &subtokens, &tree) {
        partial.apply(&step.action).unwrap();
    }
    assert_eq!(partial.finish(), Some(tree));
}
