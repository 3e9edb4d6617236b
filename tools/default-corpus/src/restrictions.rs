//! Restrictions: a condition in SQL together with its forms in English.

use rand::RngExt;

use super::english::{negated, plural, singular_verb, with_article};
use super::phrases::is_uncountable;
use super::query::{col, compare};
use super::words::{ColumnWords, Entity, Kind};
use super::writer::{Modifier, Restriction, Writer};

impl<'d> Writer<'d> {
    /// A restriction of the rows at `slot` by any kind of column.
    pub(super) fn restriction(&mut self, entity: &'d Entity, slot: usize) -> Option<Restriction> {
        let column = self.column(entity, |it| {
            it.kind == Kind::Category || it.kind.is_ordered()
        })?;
        if column.kind == Kind::Category {
            self.equality(entity, column, slot)
        } else {
            self.comparison(entity, column, slot)
        }
    }

    /// A restriction that is not about a given column.
    pub(super) fn other_restriction(
        &mut self,
        entity: &'d Entity,
        slot: usize,
        about: &str,
    ) -> Option<Restriction> {
        let found = self.restriction(entity, slot)?;
        (found.about != about).then_some(found)
    }

    /// `column = value`.
    pub(super) fn equality(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        slot: usize,
    ) -> Option<Restriction> {
        let value = self.value(entity, words)?;
        Some(Restriction {
            condition: compare(col(slot, &words.column), "=", &value.sql),
            modifier: self.equality_modifier(words, &value.text),
            about: words.column.clone(),
        })
    }

    /// What a row is called whose column has a value.
    pub(super) fn equality_modifier(&mut self, words: &ColumnWords, value: &str) -> Modifier {
        let say = self.say(words);
        let generic = words.is.is_empty() || self.chance(0.18);
        let mut modifier = if generic {
            let value = self.maybe_quoted(value);
            let mut modifier = Modifier::from_clause(match self.rng.random_range(0..2) {
                0 => format!("have {value} as the {say}"),
                _ => format!("have the {say} {value}"),
            });
            if self.chance(0.7) {
                modifier.post = Some(format!("whose {say} is {value}"));
            }
            modifier
        } else {
            let predicate = self.choose(&words.is).cloned().unwrap_or_default();
            let mut modifier = Modifier::from_clause(fill(&predicate, value));
            if predicate.contains("{s}") {
                let one = predicate.replace("{s}", "{a}");
                modifier.singular = Some(singular_verb(&fill(&one, value)));
                modifier.post = None;
            }
            modifier
        };
        if words.is.iter().any(|it| it == "are {s}") {
            modifier.noun = Some(value.to_owned());
        }
        if words.pre && (words.is.is_empty() || self.chance(0.8)) {
            modifier.pre = Some(value.to_owned());
        }
        modifier
    }

    /// A comparison of an ordered column with a value.
    pub(super) fn comparison(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        slot: usize,
    ) -> Option<Restriction> {
        let value = self.threshold(entity, words)?;
        if value == "1" && words.say[0].starts_with("number of") {
            return None;
        }
        let share = match words.kind {
            Kind::Year => 0.35,
            Kind::Number => 0.12,
            _ => 0.0,
        };
        if !words.is.is_empty() && self.chance(share) {
            return self.equality(entity, words, slot);
        }
        let (operator, clause) = self.comparative(words, value.trim_matches('\''));
        let mut modifier = Modifier::from_clause(clause);
        if self.chance(0.15) && words.kind == Kind::Number {
            let say = self.say(words);
            let than = match operator {
                ">" => self.pick(&["greater than", "above", "higher than", "over"]),
                "<" => self.pick(&["less than", "below", "lower than", "under"]),
                ">=" => "at least",
                _ => "at most",
            };
            modifier.post = Some(format!(
                "whose {say} is {than} {}",
                value.trim_matches('\'')
            ));
        }
        Some(Restriction {
            condition: compare(col(slot, &words.column), operator, &value),
            modifier,
            about: words.column.clone(),
        })
    }

    /// An operator and the predicate that says so.
    fn comparative(&mut self, words: &ColumnWords, value: &str) -> (&'static str, String) {
        let say = self.say(words);
        let operator = self.pick(&[">", ">", ">", "<", "<", ">=", "<="]);
        let own = match operator {
            ">" => &words.more,
            "<" => &words.less,
            _ => &Vec::new(),
        };
        if let Some(predicate) = self.choose(own).cloned()
            && (words.kind != Kind::Number || self.chance(0.7))
        {
            return (operator, fill(&predicate, value));
        }
        if let Some(predicate) = self.choose(&words.is).cloned()
            && words.kind == Kind::Number
            && operator.len() == 2
            && self.chance(0.7)
        {
            let bounds = if operator == ">=" {
                self.pick(&["{} or more", "at least {}", "{} or over", "no less than {}"])
            } else {
                self.pick(&["{} or less", "at most {}", "{} or under", "no more than {}"])
            };
            return (operator, fill(&predicate, &bounds.replace("{}", value)));
        }
        if words.kind == Kind::Number {
            return (operator, self.generic_comparison(&say, operator, value));
        }
        // Years and dates: the plain words for them do without "greater".
        let (operator, relation) = match operator {
            ">" | ">=" => (">", "after"),
            _ => ("<", "before"),
        };
        (
            operator,
            format!("have {} {relation} {value}", with_article(&say)),
        )
    }

    fn generic_comparison(&mut self, say: &str, operator: &str, value: &str) -> String {
        let than = match operator {
            ">" => self.pick(&[
                "above",
                "over",
                "of more than",
                "greater than",
                "higher than",
            ]),
            "<" => self.pick(&["below", "under", "of less than", "lower than"]),
            ">=" => self.pick(&["of at least", "of no less than"]),
            _ => self.pick(&["of at most", "of no more than"]),
        };
        if let Some(counted) = say.strip_prefix("number of ") {
            let amount = amount(operator, "fewer", value);
            return format!("have {amount} {counted}");
        }
        if is_uncountable(say) {
            let amount = amount(operator, "less", value);
            let years = if say.starts_with("years") {
                say
            } else {
                "years of experience"
            };
            return format!("have {amount} {years}");
        }
        format!("have {} {than} {value}", with_article(say))
    }

    /// A restriction denied.
    pub(super) fn negation(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        slot: usize,
    ) -> Option<Restriction> {
        let value = self.value(entity, words)?;
        let clause = match self.choose(&words.is) {
            Some(predicate) => fill(predicate, &value.text),
            None => self.equality_modifier(words, &value.text).clause,
        };
        let mut negative = Modifier::from_clause(negated(&clause)?);
        // Nobody says "players not Irish".
        let is_bare = clause
            .strip_prefix("are ")
            .is_some_and(|it| !it.contains(' '));
        negative.post = negative.post.filter(|_| !is_bare);
        if self.chance(0.3) {
            let say = self.say(words);
            negative.post = Some(format!("whose {say} is not {}", value.text));
        }
        Some(Restriction {
            condition: compare(col(slot, &words.column), "!=", &value.sql),
            modifier: negative,
            about: words.column.clone(),
        })
    }
}

impl<'d> Writer<'d> {
    /// All rows but those with a value: `except the Irish ones`.
    pub(super) fn exclusion(
        &mut self,
        entity: &'d Entity,
        words: &'d ColumnWords,
        slot: usize,
    ) -> Option<Restriction> {
        let value = self.value(entity, words)?;
        let kind = self.equality_modifier(words, &value.text);
        let those = match (&kind.noun, &kind.pre, &kind.post) {
            (Some(noun), ..) => format!("the {}", plural(noun)),
            (_, Some(pre), _) => format!("the {pre} ones"),
            (.., Some(post)) => format!("those {post}"),
            _ => return None,
        };
        let except = self.pick(&[
            "except",
            "except for",
            "excluding",
            "apart from",
            "other than",
            "leaving out",
            "without",
            "but not",
        ]);
        Some(Restriction {
            condition: compare(col(slot, &words.column), "!=", &value.sql),
            modifier: Modifier {
                post: Some(format!("{except} {those}")),
                ..Modifier::from_clause(String::new())
            },
            about: words.column.clone(),
        })
    }
}

/// A predicate with a value in place of `{}`, `{a}` (with an article) or `{s}` (plural).
pub(super) fn fill(predicate: &str, value: &str) -> String {
    predicate
        .replace("{}", value)
        .replace("{a}", &with_article(value))
        .replace("{s}", &plural(value))
}

/// An amount compared with a value; what is counted is fewer, what is measured is less.
fn amount(operator: &str, less: &str, value: &str) -> String {
    match operator {
        ">" => format!("more than {value}"),
        "<" => format!("{less} than {value}"),
        ">=" => format!("at least {value}"),
        _ => format!("at most {value}"),
    }
}
