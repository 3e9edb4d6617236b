//! The productions of lists and options: how they are called, and which of them a grammar has.

use super::{Grammar, ProductionKind};
use crate::schema::FieldType;
use crate::{Arity, Field, FieldValue, SymbolId};

impl ProductionKind {
    /// Whether it is an item of a list, followed by the rest of the list.
    pub fn is_cell(self) -> bool {
        matches!(self, ProductionKind::Cons | ProductionKind::First)
    }

    /// How a production of a list or option is called.
    pub(crate) fn cell_name(self) -> &'static str {
        match self {
            ProductionKind::Cons => "more",
            ProductionKind::Nil => "end",
            ProductionKind::First => "first",
            ProductionKind::Present => "some",
            ProductionKind::Absent => "none",
            ProductionKind::Construct(_) => unreachable!("a constructor has a name of its own"),
        }
    }
}

/// The productions that a list or option has where everything is allowed.
pub(super) fn cells(arity: Arity) -> &'static [ProductionKind] {
    match arity {
        Arity::One => &[],
        Arity::Optional => &[ProductionKind::Present, ProductionKind::Absent],
        Arity::Many => &[ProductionKind::Cons, ProductionKind::Nil],
        Arity::NonEmpty => &[ProductionKind::First],
    }
}

pub(super) fn cell_named(arity: Arity, name: &str) -> Option<ProductionKind> {
    cells(arity)
        .iter()
        .copied()
        .find(|cell| cell.cell_name() == name)
}

impl Grammar {
    /// Adds the cells that hold what is in a field: a list that is always empty has no *one more*.
    pub(super) fn learn_cells(&mut self, field: &Field) {
        let symbol = self.add_symbol(field.ty, FieldType::of(field).arity);
        match &field.value {
            FieldValue::One(_) => {}
            FieldValue::Optional(Some(_)) => self.add_cell(symbol, ProductionKind::Present),
            FieldValue::Optional(None) => self.add_cell(symbol, ProductionKind::Absent),
            FieldValue::Many(items) => self.learn_list(symbol, items.len()),
            FieldValue::NonEmpty(items) => {
                self.add_cell(symbol, ProductionKind::First);
                let rest = self.add_symbol(field.ty, Arity::Many);
                self.learn_list(rest, items.len().saturating_sub(1));
            }
        }
    }

    fn learn_list(&mut self, symbol: SymbolId, n_items: usize) {
        if n_items > 0 {
            self.add_cell(symbol, ProductionKind::Cons);
        }
        self.add_cell(symbol, ProductionKind::Nil);
    }

    /// Adds a production of a list or option, unless it is there.
    pub(super) fn add_cell(&mut self, symbol: SymbolId, kind: ProductionKind) {
        if self.production_of(symbol, kind).is_some() {
            return;
        }
        let ty = self.symbol_type(symbol);
        let rhs: Box<[SymbolId]> = match kind {
            ProductionKind::Cons => [self.add_symbol(ty, Arity::One), symbol].into(),
            ProductionKind::First => [
                self.add_symbol(ty, Arity::One),
                self.add_symbol(ty, Arity::Many),
            ]
            .into(),
            ProductionKind::Present => [self.add_symbol(ty, Arity::One)].into(),
            ProductionKind::Nil | ProductionKind::Absent => [].into(),
            ProductionKind::Construct(_) => unreachable!("a constructor is no cell"),
        };
        self.add_production(symbol, kind, rhs);
    }
}
