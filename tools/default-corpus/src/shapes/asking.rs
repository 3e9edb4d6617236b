//! What several shapes ask for in the same words: columns, aggregates, an order.

use rand::RngExt;

use crate::domain::Value;
use crate::english::{plural, with_article};
use crate::query::{Aggregate, Direction};
use crate::words::{ColumnWords, Entity, Kind};
use crate::writer::{Modifier, Number, Writer};

impl<'d> Writer<'d> {
    /// Columns to show: mostly the name, often one more or another one.
    pub(super) fn shown(
        &mut self,
        entity: &'d Entity,
        besides: Option<&'d ColumnWords>,
    ) -> Option<Vec<&'d ColumnWords>> {
        let is_beside = |it: &ColumnWords| besides.is_some_and(|by| by.column == it.column);
        let Some(naming) = entity.naming() else {
            let first = self.column(entity, |_| true)?;
            let mut shown = vec![first];
            if self.chance(0.4)
                && let Some(second) = self.column(entity, |it| it.column != first.column)
            {
                shown.push(second);
            }
            return Some(shown);
        };
        let mut shown = vec![naming];
        if self.chance(0.4)
            && let Some(more) = self.column(entity, |it| it.column != naming.column)
        {
            shown.push(more);
            if self.chance(0.15) {
                let third = self.column(entity, |it| {
                    it.column != naming.column && it.column != more.column && !is_beside(it)
                });
                shown.extend(third);
            }
            if self.chance(0.2) {
                shown.remove(0);
            }
        }
        Some(shown)
    }

    /// Distinct values of a column, in any order.
    pub(super) fn distinct_values(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        count: usize,
    ) -> Option<Vec<&'d Value>> {
        let all = self.domain.values(entity, words);
        if all.len() < count {
            return None;
        }
        let chosen = rand::seq::index::sample(&mut self.rng, all.len(), count);
        Some(chosen.iter().map(|index| &all[index]).collect())
    }

    /// Asks for an aggregate of a column over the rows of a noun phrase.
    pub(super) fn ask_aggregate(
        &mut self,
        entity: &Entity,
        measure: &ColumnWords,
        aggregate: Aggregate,
        modifiers: &[Modifier],
    ) -> String {
        let say = self.say(measure);
        let word = self.aggregate_word(measure, aggregate);
        let phrase = self.many(entity, modifiers);
        let own = match aggregate {
            Aggregate::Maximum => measure.most.first(),
            Aggregate::Minimum => measure.least.first(),
            _ => None,
        };
        if let Some(adjective) = own
            && let Some(how) = measure
                .ask
                .iter()
                .find(|it| it.starts_with("How ") && it.ends_with(" is {}"))
            && self.chance(0.35)
        {
            let one = self.one(entity, modifiers);
            return self.question(&how.replace("{}", &format!("the {adjective} {one}")));
        }
        if let Some(text) = self.ask_how(entity, measure, aggregate, modifiers) {
            return text;
        }
        if aggregate == Aggregate::Average && self.chance(0.12) && !say.starts_with("years") {
            let counted = say.strip_prefix("number of ");
            return match counted {
                Some(counted) => {
                    self.question(&format!("how many {counted} do {phrase} have on average"))
                }
                None => self.question(&format!("what {say} do {phrase} have on average")),
            };
        }
        let all = self.all();
        if let (Aggregate::Sum, Some(counted)) = (aggregate, say.strip_prefix("number of ")) {
            return match self.rng.random_range(0..3) {
                0 => self.question(&format!(
                    "how many {counted} do {all}{phrase} have in total"
                )),
                1 => self.question(&format!(
                    "how many {counted} do the {phrase} have altogether"
                )),
                _ => self.request(
                    &format!("the total number of {counted} of {all}{phrase}"),
                    Number::Singular,
                ),
            };
        }
        if matches!(aggregate, Aggregate::Maximum | Aggregate::Minimum) && self.chance(0.3) {
            let one = self.one(entity, modifiers);
            let of = self.pick(&["of any", "for any", "at any", "among all"]);
            let among = if of == "among all" { &phrase } else { &one };
            let is = self.pick(&["is", "was"]);
            return self.question(&format!("what {is} the {word} {say} {of} {among}"));
        }
        let of = self.pick(&["of", "of", "of", "for", "across"]);
        self.request(
            &format!("the {word} {say} {of} {all}{phrase}"),
            Number::Singular,
        )
    }

    /// Asks for an average or a sum as one asks for a single value: `how much does a room cost on
    /// average`. Now and then, where the column has such a question.
    fn ask_how(
        &mut self,
        entity: &Entity,
        measure: &ColumnWords,
        aggregate: Aggregate,
        modifiers: &[Modifier],
    ) -> Option<String> {
        let how = self
            .choose(&measure.ask)
            .filter(|it| it.starts_with("How "))?;
        let how = how.replacen("How", "how", 1);
        if !self.chance(0.35) {
            return None;
        }
        let text = match aggregate {
            Aggregate::Average => {
                let one = with_article(&self.one(entity, modifiers));
                let tail = self.pick(&["on average", "on average", "usually, on average"]);
                format!("{} {tail}", how.replace("{}", &one))
            }
            Aggregate::Sum => {
                let phrase = format!("the {}", self.many(entity, modifiers));
                let how = how.replace("does {}", "do {}").replace("has {}", "have {}");
                let how = how.replace("is {}", "are {}");
                let tail = self.pick(&["in total", "altogether", "overall", "in all", "together"]);
                format!("{} {tail}", how.replace("{}", &phrase))
            }
            _ => return None,
        };
        Some(self.question(&text))
    }

    /// A direction and the words for it, to be put behind a sentence.
    pub(super) fn order_tail(&mut self, by: &ColumnWords) -> (Direction, String) {
        let say = self.say(by);
        if by.kind == Kind::Text && (say.ends_with("number") || say.ends_with("id")) {
            let order = self.pick(&["in order of", "sorted by", "ordered by"]);
            return (Direction::Ascending, format!(" {order} {say}"));
        }
        if by.kind == Kind::Text {
            return match self.rng.random_range(0..4) {
                0 => (Direction::Ascending, " in alphabetical order".into()),
                1 => (
                    Direction::Ascending,
                    format!(" in alphabetical order of {say}"),
                ),
                2 => (
                    Direction::Ascending,
                    format!(", sorted alphabetically by {say}"),
                ),
                _ => (
                    Direction::Descending,
                    format!(" in reverse alphabetical order of {say}"),
                ),
            };
        }
        let ends = by.most.first().cloned().zip(by.least.first().cloned());
        if let Some((most, least)) = ends
            && self.chance(0.5)
        {
            return match self.rng.random_range(0..6) {
                4 => (Direction::Ascending, format!(", {least} first")),
                5 => (Direction::Descending, format!(", starting with the {most}")),
                0 => (Direction::Descending, format!(" from {most} to {least}")),
                1 => (Direction::Ascending, format!(" from {least} to {most}")),
                2 => (Direction::Descending, format!(", {most} first")),
                _ => (Direction::Ascending, format!(", starting with the {least}")),
            };
        }
        let (up, down) = if by.kind == Kind::Number {
            (", lowest first", ", highest first")
        } else {
            (", earliest first", ", latest first")
        };
        match self.rng.random_range(0..8) {
            0 => (Direction::Ascending, format!(" sorted by {say}")),
            1 => (Direction::Ascending, format!(" ordered by {say}")),
            2 => (
                Direction::Ascending,
                format!(" in ascending order of {say}"),
            ),
            3 => (
                Direction::Descending,
                format!(" in descending order of {say}"),
            ),
            4 => (
                Direction::Descending,
                format!(", sorted by {say} in descending order"),
            ),
            5 => (Direction::Ascending, format!(" by {say}{up}")),
            6 => (Direction::Descending, format!(" by {say}{down}")),
            _ => (Direction::Ascending, format!(" in order of {say}")),
        }
    }

    /// A letter, as people mention one.
    pub(super) fn letter(&mut self, letter: char) -> String {
        match self.rng.random_range(0..3) {
            0 => format!("the letter {letter}"),
            1 => format!("'{letter}'"),
            _ => format!("{letter}"),
        }
    }

    /// The plural of an entity's noun.
    pub(super) fn nouns(&mut self, entity: &Entity) -> String {
        plural(&self.noun(entity))
    }
}
