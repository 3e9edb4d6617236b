//! What people are told: the rule as code, the counts, what is here, and who does it the usual way.

use patois_syntax::{
    Fingerprint, Fragment, FragmentNode, HoleId, Label, NodeId, ProductionId, Span,
};

use super::context::{Aspect, Kinds, Program};
use super::rule::{Example, Rule, is_nothing};
use super::tally::{self, Conventions, Counted, Place, Usual};
use super::{Deviation, mend};
use crate::findings::{Finding, Level, Region, Related};
use crate::idiom_source::IdiomPrinter;
use crate::repository::{RepositoryPrograms, SpanCache};

/// How long a piece of code in a message may be, in characters.
const MAX_CODE: usize = 70;

/// Turns places that are not as usual into findings.
pub(super) struct Report<'r> {
    read: &'r RepositoryPrograms,
    kinds: &'r Kinds,
    conventions: &'r Conventions,
    spans: SpanCache<'r>,
    printer: IdiomPrinter<'r>,
}

impl<'r> Report<'r> {
    pub(super) fn new(
        read: &'r RepositoryPrograms,
        kinds: &'r Kinds,
        conventions: &'r Conventions,
    ) -> Report<'r> {
        Report {
            read,
            kinds,
            conventions,
            spans: SpanCache::new(read),
            printer: IdiomPrinter::of_sources(&read.grammar, &read.language),
        }
    }

    pub(super) fn program(&self, place: Place) -> Program<'r> {
        let program = place.program as usize;
        tally::of(self.read, self.kinds, self.conventions, program)
    }

    /// What is usual in a context, as a rule.
    pub(super) fn rule(&self, usual: &Usual, counted: &Counted) -> Option<Rule> {
        let example = *usual.examples.first()?;
        let program = self.program(example);
        let context = self.context(&program, usual, example)?;
        let part = match usual.aspect {
            Aspect::Inside => {
                let mut parts = context.positions(program.tree, example.root);
                let hole = parts.find_map(|(node, at)| match node {
                    FragmentNode::Hole(hole) if at == example.part => Some(hole.index()),
                    _ => None,
                })?;
                format!("?{hole}")
            }
            aspect => aspect.name().to_owned(),
        };
        let is_inside = usual.aspect == Aspect::Inside;
        let calls_any = is_inside && program.calls_any(&context, example);
        let context = context.display(&self.read.grammar).to_string();
        let name = part_name(&program, usual.aspect, example);
        let id = Fingerprint::of(&format!("{context} {part} {name}")).to_string();
        // What is called in several ways by others may be called so here, whatever else a context says.
        let broader = program.context_of_call(usual.aspect, example);
        let ways = broader.filter(|_| usual.context.is_none());
        let ways = ways.and_then(|it| counted.ways.get(&it));
        let also = usual.alternatives.iter().chain(ways.into_iter().flatten());
        let also = also.map(|it| part_name(&self.program(*it), usual.aspect, *it));
        let mut also: Vec<String> = also.filter(|it| *it != name).collect();
        also.sort_unstable();
        also.dedup();
        let examples = usual.examples.iter().filter_map(|it| {
            let Region {
                file, line, text, ..
            } = self.region(usual.aspect, *it)?;
            Some(Example { file, line, text })
        });
        Some(Rule {
            id: format!("{}-{}", self.read.language.name(), &id[..10]),
            context,
            part,
            usual: name,
            also,
            wanted: self.code(usual.aspect, example),
            source: String::new(),
            n_usual: usual.n_usual,
            n_places: usual.n_places,
            n_names: usual.n_names,
            strict: counted.strict(usual),
            calls_any,
            is_mined: usual.context.is_some(),
            idiom: usual.context.as_ref().map(|it| it.idiom.clone()),
            callees: usual.callees.clone(),
            examples: examples.collect(),
        })
    }

    /// The context of a rule, as it is at an example.
    fn context(&self, program: &Program<'_>, usual: &Usual, example: Place) -> Option<Fragment> {
        if let Some(context) = &usual.context {
            return Some(context.fragment.clone());
        }
        let is_inside = usual.aspect == Aspect::Inside;
        let part = if is_inside {
            example.part
        } else {
            example.root
        };
        let nodes = program.context_nodes(example.root, usual.variant, part)?;
        let is_cut = |node: NodeId| nodes.binary_search(&node).is_err();
        Fragment::from_tree(&self.read.grammar, program.tree, example.root, is_cut).ok()
    }

    /// A place that is not as a rule says; none where nobody can say where it stands.
    pub(super) fn against_rule(
        &mut self,
        rule: &Rule,
        aspect: Aspect,
        context: &Fragment,
        place: Place,
        surprise: f64,
    ) -> Option<Deviation> {
        let mut rule = rule.clone();
        rule.source = self.source(&rule, aspect, context);
        let region = self.region(aspect, place)?;
        let found = self.code(aspect, place);
        let related = rule.examples.iter().map(related);
        let fix = mend::fix(self, &rule, aspect, place);
        let finding = Finding {
            rule: rule.id.clone(),
            level: Level::Warning,
            message: message(aspect, &rule, &found),
            region,
            related: related.collect(),
            fingerprint: String::new(),
            fix,
        };
        Some(Deviation {
            rule,
            surprise,
            finding,
            is_required: false,
        })
    }

    /// The context with what is usual in it, as source code with holes.
    fn source(&self, rule: &Rule, aspect: Aspect, context: &Fragment) -> String {
        let filled = (aspect == Aspect::Inside).then(|| self.filled(rule, context));
        let fragment = filled.flatten();
        let fragment = fragment.as_ref().unwrap_or(context);
        shortened(&self.printer.print(fragment))
    }

    /// The context with what is usual in place of the part.
    fn filled(&self, rule: &Rule, context: &Fragment) -> Option<Fragment> {
        let grammar = &self.read.grammar;
        let hole: usize = rule.part.strip_prefix('?')?.parse().ok()?;
        let is_part = |it: &FragmentNode| *it == FragmentNode::Hole(HoleId::new(hole));
        let at = context.nodes().iter().position(is_part)?;
        let symbol = context.symbol(NodeId::new(at));
        let label = if rule.usual.starts_with('"') {
            let text: String = serde_json::from_str(&rule.usual).ok()?;
            Label::Text(text.as_str().into())
        } else {
            let mut expansions = grammar.expansions(symbol).iter();
            let is_usual = |it: &&ProductionId| grammar.production_name(**it) == rule.usual;
            Label::Production(*expansions.find(is_usual)?)
        };
        let n_children = label.children(grammar).len();
        let n_holes = context.n_holes();
        let children = (0..n_children).map(|it| FragmentNode::Hole(HoleId::new(n_holes + it)));
        let nodes = context.nodes();
        let part = std::iter::once(FragmentNode::Fixed(label)).chain(children);
        let nodes = nodes[..at]
            .iter()
            .copied()
            .chain(part)
            .chain(nodes[at + 1..].iter().copied());
        Fragment::from_nodes(grammar, context.root_symbol(), nodes).ok()
    }

    /// Where a finding or an example stands.
    pub(super) fn region(&self, aspect: Aspect, place: Place) -> Option<Region> {
        let program = place.program as usize;
        let own = (aspect == Aspect::Inside).then(|| self.span(place));
        let span = own
            .flatten()
            .or_else(|| self.spans.of(program).get(place.root))?;
        let file = &self.read.files[self.read.units[program].file];
        Some(Region::of(file, span))
    }

    /// Where the part of a place stands, if it stands anywhere.
    pub(super) fn span(&self, place: Place) -> Option<Span> {
        self.spans.of(place.program as usize).get(place.part)
    }

    /// The text of the file that a place is in.
    pub(super) fn text(&self, place: Place) -> &'r str {
        &self.read.files[self.read.units[place.program as usize].file].text
    }

    /// The code of a part; nothing where nothing is there.
    pub(super) fn code(&self, aspect: Aspect, place: Place) -> String {
        let tree = &self.read.trees[place.program as usize];
        let is_beside = matches!(aspect, Aspect::Next | Aspect::Previous);
        if is_beside && place.part == place.root {
            return String::new();
        }
        if let Label::Production(id) = tree.label(place.part)
            && is_nothing(&self.read.grammar, id)
        {
            return String::new();
        }
        match (self.span(place), tree.label(place.part)) {
            (Some(span), _) => shortened(&self.text(place)[span.range()]),
            (None, Label::Text(text)) => shortened(text.as_str()),
            (None, _) => "...".to_owned(),
        }
    }
}

fn related(example: &Example) -> Related {
    let n_chars = example.text.chars().count();
    Related {
        message: "the usual way".to_owned(),
        region: Region {
            file: example.file.clone(),
            line: example.line,
            column: 1,
            end_line: example.line,
            end_column: n_chars + 1,
            text: example.text.clone(),
        },
    }
}

/// What a part is, as the grammar calls it.
pub(super) fn part_name(program: &Program<'_>, aspect: Aspect, place: Place) -> String {
    let name = |node: NodeId| match program.tree.label(node) {
        Label::Text(_) if program.is_local(node) => "a local name".to_owned(),
        Label::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Label::Production(id) => program.grammar.production_name(id),
        Label::Reference(it) => format!("@{it}"),
    };
    match aspect {
        Aspect::Inside => name(place.part),
        Aspect::Around | Aspect::Above => {
            let mut names = Vec::new();
            let mut node = place.root;
            while node != place.part {
                let Some((above, index)) = program.construct_above(node) else {
                    break;
                };
                names.push(format!("{}#{index}", name(above)));
                node = above;
            }
            names.join(" in ")
        }
        Aspect::Next | Aspect::Previous if place.part == place.root => "nothing".to_owned(),
        Aspect::Next | Aspect::Previous => {
            let call = program.first_call(place.part);
            let call = call.map(|it| program.called_name(it)).unwrap_or_default();
            format!("{} {call}", name(place.part)).trim_end().to_owned()
        }
    }
}

fn message(aspect: Aspect, rule: &Rule, found: &str) -> String {
    let Rule {
        n_usual,
        n_places,
        source,
        wanted,
        ..
    } = rule;
    let counts = format!("{n_usual} of {n_places} places");
    match (aspect, wanted.as_str(), found) {
        (Aspect::Inside, "", found) => {
            format!("{counts} write `{source}`; here there is `{found}` as well")
        }
        (Aspect::Inside, wanted, "") => {
            format!("{counts} write `{source}`, with `{wanted}` or the like; here it is missing")
        }
        (Aspect::Inside, wanted, found) if source.contains(wanted) => {
            format!("{counts} write `{source}`; here it is `{found}`")
        }
        (Aspect::Inside, wanted, found) => {
            format!("{counts} write `{source}`, with `{wanted}` or the like; here it is `{found}`")
        }
        (Aspect::Around | Aspect::Above, wanted, found) => {
            format!(
                "{counts} have `{source}` inside of code such as `{wanted}`; here it is in `{found}`"
            )
        }
        (Aspect::Next, "", found) => {
            format!("at {counts} nothing follows `{source}`; here `{found}` does")
        }
        (Aspect::Next, wanted, "") => {
            format!("at {counts} code such as `{wanted}` follows `{source}`; here nothing does")
        }
        (Aspect::Next, wanted, found) => {
            format!("at {counts} code such as `{wanted}` follows `{source}`; here `{found}` does")
        }
        (Aspect::Previous, "", found) => {
            format!("at {counts} nothing comes before `{source}`; here `{found}` does")
        }
        (Aspect::Previous, wanted, "") => {
            format!(
                "at {counts} code such as `{wanted}` comes before `{source}`; here nothing does"
            )
        }
        (Aspect::Previous, wanted, found) => {
            format!(
                "at {counts} code such as `{wanted}` comes before `{source}`; here `{found}` does"
            )
        }
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
