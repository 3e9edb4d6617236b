//! Questions about the groups that a column divides a table into.

use rand::RngExt;

use super::single::selected;
use crate::english::{self, Mood};
use crate::phrases::plural_column;
use crate::query::{Aggregate, Direction, Expr, Query, col, column, compare};
use crate::words::{ColumnWords, Entity, Kind};
use crate::writer::{Draft, Extreme, Modifier, Number, Writer};

pub(super) fn count(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    Some(Draft {
        text: w.ask_count_per_group(entity, category, &[]),
        query: Query::over(&entity.table)
            .select(vec![col(0, &category.column), Expr::Count])
            .group_by(column(0, &category.column)),
    })
}

pub(super) fn count_filtered(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let restriction = w.other_restriction(entity, 0, &category.column)?;
    Some(Draft {
        text: w.ask_count_per_group(entity, category, &[restriction.modifier]),
        query: Query::over(&entity.table)
            .select(vec![col(0, &category.column), Expr::Count])
            .and(restriction.condition)
            .group_by(column(0, &category.column)),
    })
}

pub(super) fn aggregate(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let measure = w.column_of(entity, Kind::Number)?;
    let aggregate = w.aggregate(measure);
    let word = w.aggregate_word(measure, aggregate);
    let (say, group, phrase) = (w.say(measure), w.say(category), w.many(entity, &[]));
    let text = match w.rng.random_range(0..8) {
        6 => {
            let per = w.pick(&["per", "by", "for each"]);
            let note = format!("{word} {say} {per} {group}");
            english::sentence(&note, Mood::Note, &mut w.rng)
        }
        7 => w.request(&format!("the {word} {say} per {group}"), Number::Singular),
        0 => {
            let each = w.pick(&["each", "every"]);
            w.question(&format!(
                "for {each} {group}, what is the {word} {say} of the {phrase}"
            ))
        }
        1 => w.command_of(&format!(
            "for each {group} of {phrase}, give the {word} {say}"
        )),
        2 => w.request(
            &format!("the {word} {say} of {phrase} per {group}"),
            Number::Singular,
        ),
        3 => {
            let groups = plural_column(&group);
            w.command(&format!(
                "the {groups} of {phrase} and the {word} {say} for each"
            ))
        }
        _ => {
            let each = w.pick(&["for each", "by", "for every", "in each"]);
            w.request(
                &format!("the {word} {say} of {phrase} {each} {group}"),
                Number::Singular,
            )
        }
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(vec![
                col(0, &category.column),
                Expr::Aggregate(aggregate, column(0, &measure.column)),
            ])
            .group_by(column(0, &category.column)),
    })
}

pub(super) fn having_count(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let (operator, number, amount) = w.amount();
    let (say, noun) = (w.say(category), w.counted(entity, number));
    let groups = plural_column(&say);
    let text = match w.rng.random_range(0..8) {
        5 => {
            let note = format!("{groups} with {amount} {noun}");
            english::sentence(&note, Mood::Note, &mut w.rng)
        }
        6 => w.question(&format!("which {groups} are there for {amount} {noun}")),
        7 => w.question(&format!("which {groups} count {amount} {noun}")),
        0 | 1 => w.question(&format!("which {groups} have {amount} {noun}")),
        2 => w.request(
            &format!("the {groups} with {amount} {noun}"),
            Number::Plural,
        ),
        3 => w.request(
            &format!("the {groups} that have {amount} {noun}"),
            Number::Plural,
        ),
        _ => w.question(&format!("which {groups} are shared by {amount} {noun}")),
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(vec![col(0, &category.column)])
            .group_by(column(0, &category.column))
            .having(compare(Expr::Count, operator, number.to_string())),
    })
}

pub(super) fn having_average(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let measure = w.column_of(entity, Kind::Number)?;
    let threshold = w.threshold(entity, measure)?;
    let (operator, than) = if w.chance(0.6) {
        (
            ">",
            w.pick(&["above", "over", "higher than", "greater than"]),
        )
    } else {
        ("<", w.pick(&["below", "under", "lower than"]))
    };
    let (groups, say) = (plural_column(&w.say(category)), w.say(measure));
    let phrase = w.many(entity, &[]);
    let average = w.pick(&["average", "average", "mean"]);
    let text = match w.rng.random_range(0..3) {
        0 => w.question(&format!(
            "for which {groups} is the {average} {say} of the {phrase} {than} {threshold}"
        )),
        1 => w.request(
            &format!("the {groups} where the {average} {say} of {phrase} is {than} {threshold}"),
            Number::Plural,
        ),
        _ => w.request(
            &format!("the {groups} of {phrase} whose {average} {say} is {than} {threshold}"),
            Number::Plural,
        ),
    };
    let measured = Expr::Aggregate(Aggregate::Average, column(0, &measure.column));
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(vec![col(0, &category.column)])
            .group_by(column(0, &category.column))
            .having(compare(measured, operator, threshold)),
    })
}

pub(super) fn most_common(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let extreme = w.extreme();
    let (say, phrase) = (w.say(category), w.many(entity, &[]));
    let text = match extreme {
        Extreme::Most => {
            let common = w.pick(&[
                "most common",
                "most frequent",
                "most common",
                "most popular",
            ]);
            match w.rng.random_range(0..8) {
                4 => w.question(&format!("which {say} is the {common} among the {phrase}")),
                5 => w.question(&format!("which {say} do most {phrase} have")),
                6 => w.request(&format!("the {common} {say}"), Number::Singular),
                7 => w.question(&format!("which {say} occurs most often among {phrase}")),
                0 => w.question(&format!("which {say} has the most {phrase}")),
                1 => w.question(&format!("which {say} has the largest number of {phrase}")),
                2 => w.request(
                    &format!("the {common} {say} among {phrase}"),
                    Number::Singular,
                ),
                _ => w.request(
                    &format!("the {common} {say} of all {phrase}"),
                    Number::Singular,
                ),
            }
        }
        Extreme::Least => {
            let common = w.pick(&["least common", "rarest"]);
            match w.rng.random_range(0..3) {
                0 => w.question(&format!("which {say} has the fewest {phrase}")),
                1 => w.request(
                    &format!("the {say} with the fewest {phrase}"),
                    Number::Singular,
                ),
                _ => w.request(&format!("the {common} {say} of {phrase}"), Number::Singular),
            }
        }
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(vec![col(0, &category.column)])
            .group_by(column(0, &category.column))
            .order_by(Expr::Count, extreme.first())
            .limit(1),
    })
}

pub(super) fn ordered(w: &mut Writer<'_>) -> Option<Draft> {
    let (entity, category) = w.grouping()?;
    let (groups, phrase) = (plural_column(&w.say(category)), w.many(entity, &[]));
    let (direction, tail) = if w.chance(0.65) {
        let tail = w.pick(&[
            "from most to least",
            "in descending order of that number",
            "starting with the highest number",
            "largest number first",
        ]);
        (Direction::Descending, tail)
    } else {
        let tail = w.pick(&["from fewest to most", "in ascending order of that number"]);
        (Direction::Ascending, tail)
    };
    let is_counted = w.chance(0.6);
    let mut shown = selected(&[category], 0);
    let text = if is_counted {
        shown.push(Expr::Count);
        let with = w.pick(&[
            "and the number of",
            "with the number of",
            "along with the number of",
        ]);
        w.command(&format!("the {groups} {with} {phrase} in each, {tail}"))
    } else {
        let verb = w.pick(&["sort", "order", "rank", "list"]);
        let by = match direction {
            Direction::Descending => {
                w.pick(&["from most to least", "in descending order", "highest first"])
            }
            Direction::Ascending => {
                w.pick(&["from fewest to most", "in ascending order", "lowest first"])
            }
        };
        w.command_of(&format!(
            "{verb} the {groups} by the number of {phrase}, {by}"
        ))
    };
    Some(Draft {
        text,
        query: Query::over(&entity.table)
            .select(shown)
            .group_by(column(0, &category.column))
            .order_by(Expr::Count, direction),
    })
}

impl<'d> Writer<'d> {
    /// An entity and a column that divides it into groups.
    pub(super) fn grouping(&mut self) -> Option<(&'d Entity, &'d ColumnWords)> {
        let entity = self.entity_with(Kind::Category)?;
        Some((entity, self.column_of(entity, Kind::Category)?))
    }

    /// An operator, a number and the words for both: `at least two`.
    pub(super) fn amount(&mut self) -> (&'static str, usize, String) {
        use crate::english::count_word;
        let number = self.rng.random_range(1..5);
        let operator = self.pick(&[">", ">", ">=", ">=", "<", "="]);
        let word = match number {
            1 => "one".to_owned(),
            _ => count_word(number, &mut self.rng),
        };
        let words = match (operator, number) {
            (">", _) => format!("more than {word}"),
            (">=", 2..) if self.chance(0.4) => format!("{word} or more"),
            (">=", _) => format!("at least {word}"),
            ("<", _) => format!("fewer than {word}"),
            _ => format!("exactly {word}"),
        };
        (operator, number, words)
    }

    /// A noun that agrees with a number before it.
    pub(super) fn counted(&mut self, entity: &Entity, number: usize) -> String {
        if number == 1 {
            self.noun(entity)
        } else {
            self.nouns(entity)
        }
    }

    fn ask_count_per_group(
        &mut self,
        entity: &Entity,
        category: &ColumnWords,
        modifiers: &[Modifier],
    ) -> String {
        let (group, phrase) = (self.say(category), self.many(entity, modifiers));
        let place = category.is.iter().find(|it| {
            [" in {}", " from {}", " by {}", " to {}"]
                .iter()
                .any(|end| it.ends_with(end))
        });
        if let Some(predicate) = place
            && modifiers.is_empty()
            && self.chance(0.35)
        {
            let rest = predicate.replace("{}", &format!("each {group}"));
            return self.question(&format!("how many {phrase} {rest}"));
        }
        match self.rng.random_range(0..13) {
            7 => self.question(&format!("how many {phrase} does each {group} have")),
            8 => self.question(&format!("how many {phrase} of each {group} are there")),
            9 => {
                let per = self.pick(&["per", "by", "for each"]);
                let number = self.pick(&["number of ", "count of ", "", "how many "]);
                let note = format!("{number}{phrase} {per} {group}");
                english::sentence(&note, Mood::Note, &mut self.rng)
            }
            10 => self.command_of(&format!(
                "for each {group}, tell me how many {phrase} there are"
            )),
            11 => {
                let verb = self.pick(&["break down", "group", "split"]);
                self.command_of(&format!("{verb} the {phrase} by {group} and count them"))
            }
            12 => self.question(&format!("in every {group}, how many {phrase} are there")),
            0 => self.question(&format!("how many {phrase} are there for each {group}")),
            1 => self.question(&format!("how many {phrase} are there per {group}")),
            2 => self.question(&format!("for each {group}, how many {phrase} are there")),
            3 => {
                let groups = plural_column(&group);
                let with = self.pick(&["and", "along with", "together with"]);
                self.command(&format!(
                    "the {groups} {with} the number of {phrase} for each"
                ))
            }
            4 => {
                let verb = self.pick(&["count", "show the number of"]);
                self.command_of(&format!("{verb} the {phrase} by {group}").replace("of the", "of"))
            }
            5 => self.command_of(&format!("for every {group}, count the {phrase}")),
            _ => {
                let each = self.pick(&["for each", "per", "in each"]);
                self.request(
                    &format!("the number of {phrase} {each} {group}"),
                    Number::Singular,
                )
            }
        }
    }
}
