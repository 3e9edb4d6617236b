//! What people are told: the rule as code, the counts, what is here, and who does it the usual way.

use patois_syntax::{Fingerprint, Fragment, FragmentNode, Label, NodeId, ProductionKind, Span};

use super::context::{Aspect, Head, Kinds, Program};
use super::tally::{self, Place};
use super::{Candidate, Deviation, IdiomPrinter, RepositoryPrograms, Rule, SpanCache};
use crate::findings::{Finding, Level, Region, Related};

/// How long a piece of code in a message may be, in characters.
const MAX_CODE: usize = 70;

/// Turns candidates into findings.
pub(super) struct Report<'r> {
    read: &'r RepositoryPrograms,
    kinds: &'r Kinds,
    spans: SpanCache<'r>,
    printer: IdiomPrinter<'r>,
}

impl<'r> Report<'r> {
    pub(super) fn new(read: &'r RepositoryPrograms, kinds: &'r Kinds) -> Report<'r> {
        Report {
            read,
            kinds,
            spans: SpanCache::new(read),
            printer: IdiomPrinter::of_sources(&read.grammar, &read.language),
        }
    }

    /// A place that is not as usual; none where nobody can say where it stands.
    pub(super) fn deviation(&mut self, candidate: &Candidate<'_>) -> Option<Deviation> {
        let Candidate {
            usual,
            place,
            surprise,
        } = candidate;
        let example = *usual.examples.first()?;
        let rule = self.rule(candidate, example)?;
        let region = self.region(usual.aspect, *place)?;
        let found = self.code(usual.aspect, *place);
        let wanted = self.code(usual.aspect, example);
        let message = message(usual.aspect, &rule, &wanted, &found);
        let related = usual.examples.iter().filter_map(|&it| {
            Some(Related {
                message: "the usual way".to_owned(),
                region: self.region(usual.aspect, it)?,
            })
        });
        Some(Deviation {
            finding: Finding {
                rule: rule.id.clone(),
                level: Level::Warning,
                message,
                region,
                related: related.collect(),
                fingerprint: String::new(),
                fix: None,
            },
            rule,
            surprise: *surprise,
        })
    }

    fn program(&self, place: Place) -> Program<'r> {
        tally::of(self.read, self.kinds, place.program as usize)
    }

    fn rule(&self, candidate: &Candidate<'_>, example: Place) -> Option<Rule> {
        let usual = candidate.usual;
        let program = self.program(example);
        let heads = program.heads(example.root);
        let head = heads.iter().find(|it| it.variant == usual.variant)?;
        let grammar = &self.read.grammar;
        let nodes = match usual.aspect {
            Aspect::Inside => program.context_nodes(head, example.part),
            _ => head.fixed.clone(),
        };
        let is_cut = |node: NodeId| nodes.binary_search(&node).is_err();
        let context = Fragment::from_tree(grammar, program.tree, example.root, is_cut).ok()?;
        let part = match usual.aspect {
            Aspect::Inside => {
                let mut parts = context.positions(program.tree, example.root);
                let hole = parts.find_map(|(node, at)| match node {
                    FragmentNode::Hole(hole) if at == example.part => Some(hole.index()),
                    _ => None,
                })?;
                format!("?{hole}")
            }
            aspect => format!("{aspect:?}").to_lowercase(),
        };
        let context = context.display(grammar).to_string();
        let what = usual_name(&program, usual.aspect, example);
        let id = Fingerprint::of(&format!("{context} {part} {what}")).to_string();
        Some(Rule {
            id: format!("{}-{}", self.read.language.name(), &id[..10]),
            source: self.source(&program, head, usual.aspect, example, nodes)?,
            context,
            part,
            usual: what,
            n_usual: usual.n_usual,
            n_places: usual.n_places,
        })
    }

    /// The context with what is usual, as source code with holes.
    fn source(
        &self,
        program: &Program<'_>,
        head: &Head,
        aspect: Aspect,
        example: Place,
        mut nodes: Vec<NodeId>,
    ) -> Option<String> {
        let mut root = example.root;
        match aspect {
            Aspect::Inside => nodes.push(example.part),
            Aspect::Around | Aspect::Above => {
                let mut node = head.root;
                while node != example.part {
                    node = program.parents[node.index()]?;
                    nodes.push(node);
                }
                root = example.part;
            }
            Aspect::Next | Aspect::Previous => {}
        }
        nodes.sort_unstable();
        let is_local = |node: NodeId| program.is_local(node);
        let is_cut = |node: NodeId| nodes.binary_search(&node).is_err() || is_local(node);
        let fragment = Fragment::from_tree(&self.read.grammar, program.tree, root, is_cut).ok()?;
        Some(self.printer.print(&fragment))
    }

    /// Where a finding or an example stands.
    fn region(&self, aspect: Aspect, place: Place) -> Option<Region> {
        let program = place.program as usize;
        let spans = self.spans.of(program);
        let own = match aspect {
            Aspect::Inside => spans.get(place.part),
            _ => None,
        };
        let span = own.or_else(|| spans.get(place.root))?;
        let file = &self.read.files[self.read.units[program].file];
        Some(Region::of(file, span))
    }

    /// The code of a part.
    fn code(&self, aspect: Aspect, place: Place) -> String {
        let program = place.program as usize;
        let spans = self.spans.of(program);
        let tree = &self.read.trees[program];
        if matches!(aspect, Aspect::Next | Aspect::Previous) && place.part == place.root {
            return String::new();
        }
        match (spans.get(place.part), tree.label(place.part)) {
            (_, Label::Production(id))
                if matches!(
                    self.read.grammar.production(id).kind,
                    ProductionKind::Nil | ProductionKind::Absent
                ) =>
            {
                String::new()
            }
            (Some(span), _) => self.text(program, span),
            (None, Label::Text(text)) => text.to_string(),
            (None, _) => String::new(),
        }
    }

    fn text(&self, program: usize, span: Span) -> String {
        let file = &self.read.files[self.read.units[program].file];
        shortened(&file.text[span.range()])
    }
}

/// What fills a part, as the grammar calls it.
fn usual_name(program: &Program<'_>, aspect: Aspect, place: Place) -> String {
    let name = |node: NodeId| match program.tree.label(node) {
        Label::Text(_) if program.is_local(node) => "a local name".to_owned(),
        Label::Text(text) => format!("{:?}", text.as_str()),
        Label::Production(id) => program.grammar.production_name(id),
        Label::Reference(it) => format!("@{it}"),
    };
    match aspect {
        Aspect::Inside | Aspect::Around | Aspect::Above => name(place.part),
        Aspect::Next | Aspect::Previous if place.part == place.root => "nothing".to_owned(),
        Aspect::Next | Aspect::Previous => name(place.part),
    }
}

fn message(aspect: Aspect, rule: &Rule, wanted: &str, found: &str) -> String {
    let Rule {
        n_usual,
        n_places,
        source,
        ..
    } = rule;
    let source = shortened(source);
    let counts = format!("{n_usual} of {n_places} places");
    match aspect {
        Aspect::Inside => match (wanted, found) {
            ("", found) => format!("{counts} write `{source}`; here there is `{found}` as well"),
            (wanted, "") => {
                format!("{counts} write `{source}`, such as `{wanted}`; here it is missing")
            }
            (_, found) => format!("{counts} write `{source}`; here it is `{found}`"),
        },
        Aspect::Around | Aspect::Above => {
            format!("{counts} write `{source}`, such as `{wanted}`; here it is `{found}`")
        }
        Aspect::Next => match (wanted, found) {
            ("", found) => format!("at {counts} nothing follows `{source}`; here `{found}` does"),
            (wanted, "") => format!(
                "at {counts} `{source}` is followed by code such as `{wanted}`; here nothing follows"
            ),
            (wanted, found) => {
                format!(
                    "at {counts} `{source}` is followed by code such as `{wanted}`; here by `{found}`"
                )
            }
        },
        Aspect::Previous => match (wanted, found) {
            ("", found) => {
                format!("at {counts} nothing comes before `{source}`; here `{found}` does")
            }
            (wanted, "") => format!(
                "at {counts} code such as `{wanted}` comes before `{source}`; here nothing does"
            ),
            (wanted, found) => {
                format!(
                    "at {counts} code such as `{wanted}` comes before `{source}`; here `{found}` does"
                )
            }
        },
    }
}

/// Code on one line, as long as a message can take it.
fn shortened(code: &str) -> String {
    let words: Vec<&str> = code.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= MAX_CODE {
        return line;
    }
    let start: String = line.chars().take(MAX_CODE - 3).collect();
    start + "..."
}
