//! Questions that compare rows with the average of their column.

use rand::RngExt;

use super::filtered::filtered;
use super::nested::{fix_article, listed_or_counted};
use super::single::selected;
use crate::phrases::is_uncountable;
use crate::query::{Aggregate, Condition, Expr, Operand, Query, col, column};
use crate::words::{ColumnWords, Entity, Kind};
use crate::writer::{Draft, Modifier, Restriction, Writer};

pub(super) fn against_average(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Number)?;
    let measure = w.column_of(entity, Kind::Number)?;
    let restriction = compared(w, entity, measure);
    listed_or_counted(w, entity, restriction.condition, restriction.modifier)
}

/// Compared with the average and put in order, or restricted by another column as well.
pub(super) fn against_average_and_more(w: &mut Writer<'_>) -> Option<Draft> {
    let entity = w.entity_with(Kind::Number)?;
    let measure = w.column_of(entity, Kind::Number)?;
    let restriction = compared(w, entity, measure);
    if w.chance(0.5) {
        let other = w.other_restriction(entity, 0, &measure.column)?;
        return filtered(w, entity, &[other, restriction]);
    }
    let naming = entity.naming()?;
    let (direction, tail) = w.order_tail(measure);
    Some(Draft {
        text: w.ask_columns(entity, &[naming], &[restriction.modifier], &tail),
        query: Query::over(&entity.table)
            .select(selected(&[naming], 0))
            .and(restriction.condition)
            .order_by(col(0, &measure.column), direction),
    })
}

/// A row of an entity compared with the average of a column.
fn compared<'d>(w: &mut Writer<'d>, entity: &'d Entity, measure: &'d ColumnWords) -> Restriction {
    let (operator, own) = if w.chance(0.65) {
        (">", &measure.more)
    } else {
        ("<", &measure.less)
    };
    let say = w.say(measure);
    let plain: Vec<&String> = own.iter().filter(|it| it.ends_with(" {}")).collect();
    let clause = match w.choose(&plain) {
        Some(predicate) if w.chance(0.5) => {
            let average = w.pick(&[
                "the average",
                "average",
                "the average {noun}",
                "the average one",
                "the mean",
            ]);
            let noun = w.noun(entity);
            predicate.replace("{}", &average.replace("{noun}", &noun))
        }
        _ => {
            let (above, higher) = match operator {
                ">" => (
                    w.pick(&["an above-average", "a higher than average"]),
                    "higher",
                ),
                _ => (
                    w.pick(&["a below-average", "a lower than average"]),
                    "lower",
                ),
            };
            match w.rng.random_range(0..3) {
                _ if is_uncountable(&say) => {
                    let more = if operator == ">" { "more" } else { "less" };
                    format!("have {more} {say} than average")
                }
                0 => format!("have {above} {say}"),
                1 => format!("have a {higher} {say} than the average"),
                _ => format!(
                    "have a {say} {} the average",
                    if operator == ">" { "above" } else { "below" }
                ),
            }
        }
    };
    let mut modifier = Modifier::from_clause(fix_article(&clause));
    if w.chance(0.25) {
        let than = if operator == ">" {
            w.pick(&["above", "higher than", "greater than"])
        } else {
            w.pick(&["below", "lower than"])
        };
        modifier.post = Some(format!("whose {say} is {than} the average"));
    }
    let average = Query::over(&entity.table).select(vec![Expr::Aggregate(
        Aggregate::Average,
        column(0, &measure.column),
    )]);
    Restriction {
        condition: Condition::Compare(
            col(0, &measure.column),
            operator,
            Operand::Query(Box::new(average)),
        ),
        modifier,
        about: measure.column.clone(),
    }
}
