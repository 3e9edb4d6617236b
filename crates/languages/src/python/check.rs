//! Whether a tree is one of the grammar.

use patois_syntax::{Arity, Ast, Child, Constructor, FieldType, FieldValue, PrintError, TypeKind};

use crate::python::nesting::MAX_DEPTH;
use crate::python::{SCHEMA, text};

/// Checks types, fields, arities and texts of a whole program; says how deep it is.
pub(super) fn check_program(ast: &Ast) -> Result<usize, PrintError> {
    check(ast, SCHEMA.root())
}

/// The same for a node of any type.
pub(super) fn check(ast: &Ast, ty: &'static str) -> Result<usize, PrintError> {
    let mut deepest = 0;
    let mut open = vec![(ast, ty, 1)];
    while let Some((node, ty, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            let message = format!("expected at most {MAX_DEPTH} nested nodes, found more");
            return Err(PrintError::new(message));
        }
        deepest = deepest.max(depth);
        let constructor = constructor_of(node, ty)?;
        for (field, declared) in node.fields.iter().zip(&constructor.fields) {
            check_arity(node, &field.value, declared)?;
            for child in field.value.children() {
                match child {
                    Child::Node(child) => open.push((child, declared.ty, depth + 1)),
                    Child::Text(text) => check_text(node, text.as_str(), declared)?,
                    Child::Reference(_) => {
                        return Err(mismatch(node, declared, "a reference"));
                    }
                }
            }
        }
    }
    Ok(deepest)
}

fn constructor_of(node: &Ast, ty: &str) -> Result<&'static Constructor, PrintError> {
    let found = format!("`{}` of type `{}`", node.constructor, node.ty);
    let constructor = SCHEMA
        .constructor(ty, node.constructor)
        .filter(|_| node.ty == ty)
        .ok_or_else(|| {
            PrintError::new(format!("expected a constructor of `{ty}`, found {found}"))
        })?;
    let declared = &constructor.fields;
    let agrees = declared.len() == node.fields.len()
        && node
            .fields
            .iter()
            .zip(declared)
            .all(|(it, declared)| it.name == declared.name);
    if agrees {
        return Ok(constructor);
    }
    let names = |names: Vec<&str>| names.join(", ");
    Err(PrintError::new(format!(
        "expected the fields ({}) in {found}, found ({})",
        names(declared.iter().map(|it| it.name).collect()),
        names(node.fields.iter().map(|it| it.name).collect()),
    )))
}

fn check_arity(node: &Ast, value: &FieldValue, declared: &FieldType) -> Result<(), PrintError> {
    let found = match (value, declared.arity) {
        (FieldValue::One(_), Arity::One)
        | (FieldValue::Optional(_), Arity::Optional)
        | (FieldValue::Many(_), Arity::Many) => return Ok(()),
        (FieldValue::NonEmpty(children), Arity::NonEmpty) if !children.is_empty() => {
            return Ok(());
        }
        (FieldValue::NonEmpty(children), Arity::NonEmpty) if children.is_empty() => "none",
        (FieldValue::One(_), _) => "exactly one",
        (FieldValue::Optional(_), _) => "an optional one",
        (FieldValue::Many(_) | FieldValue::NonEmpty(_), _) => "a list",
    };
    Err(mismatch(node, declared, found))
}

fn check_text(node: &Ast, value: &str, declared: &FieldType) -> Result<(), PrintError> {
    if SCHEMA.kind(declared.ty) != Some(&TypeKind::Text) {
        return Err(mismatch(node, declared, "a text"));
    }
    if text::accepts(declared.ty, value) {
        return Ok(());
    }
    let shown: String = value.chars().take(60).collect();
    Err(mismatch(node, declared, &format!("the text {shown:?}")))
}

fn mismatch(node: &Ast, declared: &FieldType, found: &str) -> PrintError {
    PrintError::new(format!(
        "expected `{}{}` in field `{}` of {}, found {found}",
        declared.ty,
        declared.arity.suffix(),
        declared.name,
        node.constructor,
    ))
}
