//! The shapes of questions: each draws a query together with a wording for it.

mod asking;
mod averages;
mod counted;
mod facts;
mod filtered;
mod grouped;
mod joined;
mod nested;
mod owners;
mod single;
mod totals;

use super::writer::{Draft, Writer};

/// A kind of question.
pub(super) struct Shape {
    pub(super) name: &'static str,
    /// How often it is drawn, relative to the others.
    pub(super) weight: u32,
    /// Draws one; nothing where the database has no such question.
    pub(super) draw: fn(&mut Writer<'_>) -> Option<Draft>,
}

const fn shape(
    name: &'static str,
    weight: u32,
    draw: fn(&mut Writer<'_>) -> Option<Draft>,
) -> Shape {
    Shape { name, weight, draw }
}

/// All shapes, from the plainest to the most involved.
pub(super) const SHAPES: &[Shape] = &[
    shape("columns", 3, single::columns),
    shape("everything", 1, single::everything),
    shape("distinct values", 2, single::distinct_values),
    shape("value of a named row", 6, single::value_of_named),
    shape("filter: equal", 4, filtered::filter_equal),
    shape("filter: compare", 6, filtered::filter_compare),
    shape("filter: between", 2, filtered::filter_between),
    shape("filter: like", 2, filtered::filter_like),
    shape("filter: one of three", 1, filtered::filter_one_of_three),
    shape("filter: and", 3, filtered::filter_and),
    shape("filter: or", 3, filtered::filter_or),
    shape("filter: not", 2, filtered::filter_not),
    shape("count", 2, single::count_all),
    shape("count: filter", 4, filtered::count_filter),
    shape("count: distinct", 2, single::count_distinct),
    shape("aggregate", 3, single::aggregate_all),
    shape("aggregate: filter", 3, single::aggregate_filter),
    shape("aggregate: two", 2, single::aggregate_two),
    shape("difference of columns", 1, single::difference),
    shape("order", 4, single::order),
    shape("order: filter", 2, single::order_filter),
    shape("superlative", 6, single::superlative),
    shape("superlative: filter", 2, single::superlative_filter),
    shape("superlative: top", 3, single::top),
    shape("group: count", 4, grouped::count),
    shape("group: aggregate", 3, grouped::aggregate),
    shape("group: filter", 2, grouped::count_filtered),
    shape("group: having", 3, grouped::having_count),
    shape("group: having average", 1, grouped::having_average),
    shape("group: most common", 3, grouped::most_common),
    shape("group: ordered", 2, grouped::ordered),
    shape("nested: against the average", 3, averages::against_average),
    shape(
        "nested: against the average, and more",
        2,
        averages::against_average_and_more,
    ),
    shape("nested: all at the extreme", 2, nested::all_at_extreme),
    shape("nested: against a named row", 3, nested::against_named),
    shape("nested: same as a named row", 1, nested::same_as_named),
    shape("set: values with both", 2, nested::values_with_both),
    shape("set: values without", 1, nested::values_without),
    shape("set: shared values", 2, nested::shared_values),
    shape("set: either table", 1, nested::values_of_either),
    shape("join: both names", 3, joined::both_names),
    shape("join: of a named row", 4, joined::of_named),
    shape("join: of restricted rows", 3, joined::of_restricted),
    shape(
        "join: owners of restricted rows",
        4,
        joined::with_restricted,
    ),
    shape("join: owner of the extreme", 3, joined::with_extreme),
    shape("join: count for a named row", 3, counted::count_of_named),
    shape(
        "join: count of restricted rows",
        2,
        counted::count_of_restricted,
    ),
    shape("join: count of owners", 1, counted::count_with_any),
    shape(
        "join: aggregate for a named row",
        3,
        counted::aggregate_of_named,
    ),
    shape("join: count for each", 4, counted::count_for_each),
    shape("join: aggregate for each", 2, counted::aggregate_for_each),
    shape("join: having", 4, counted::having_count),
    shape("join: most", 4, counted::with_most),
    shape("join: ordered by count", 1, counted::ordered_by_count),
    shape("join: ordered", 1, joined::ordered),
    shape("join: two steps", 3, joined::two_steps),
    shape(
        "join: greater than its owner",
        1,
        joined::greater_than_owner,
    ),
    shape("join: owner of a named row", 5, owners::of_named),
    shape("join: values across", 3, owners::values_across),
    shape("distinct values: filter", 2, owners::values_of_restricted),
    shape("join: both restricted", 3, owners::both_restricted),
    shape(
        "join: columns of the owner",
        2,
        owners::column_of_extreme_owner,
    ),
    shape("set: one but not the other", 2, owners::one_but_not_other),
    shape("join: having, told", 3, totals::having_told),
    shape("join: sum for a named row", 2, totals::sum_of_named),
    shape("join: aggregate per", 3, totals::aggregate_per),
    shape("join: count with zero", 1, totals::count_with_zero),
    shape("sum of products", 4, totals::product),
    shape("null: missing", 3, facts::missing),
    shape("null: present", 2, facts::present),
    shape("holds or not", 2, facts::holds),
    shape("date: parts", 4, facts::dated),
    shape("nested: without any", 4, nested::without_any),
    shape("nested: count without any", 1, nested::count_without_any),
    shape("set: with both kinds", 2, nested::with_both),
    shape("set: with none of a kind", 2, nested::with_none_of),
];
