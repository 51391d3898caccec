//! Names that the syntax tree does not have, resolved by their place alone.
//!
//! The tree lacks statements with errors, inlines that are not called, arguments that an
//! inline does not use, and constant expressions, which the parser evaluates.

use super::{Builder, DeclarationId, DeclarationKind};
use crate::parse::is_reserved;
use crate::token::{Punct, Token, TokenKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Refers every name that has no declaration yet to the innermost visible one of that name.
pub(super) fn resolve(tokens: &[Token], out: &mut Builder) {
    let mut by_name: FxHashMap<Rc<str>, Vec<DeclarationId>> = FxHashMap::default();
    for (id, declaration) in out.symbols.declarations() {
        by_name.entry(declaration.name.clone()).or_default().push(id);
    }
    let mut after_dot = false;
    for token in tokens {
        let is_field =
            std::mem::replace(&mut after_dot, token.kind == TokenKind::Punct(Punct::Dot));
        let TokenKind::Word(word) = &token.kind else { continue };
        let place = (token.span.start, token.span.end);
        if is_reserved(word) || out.resolved.contains(&place) {
            continue;
        }
        let Some(candidates) = by_name.get(word) else { continue };
        if let Some(id) = best(candidates, token.span.start, is_field, out) {
            out.refer(token.span, id, false);
        }
    }
}

fn best(
    candidates: &[DeclarationId],
    offset: u32,
    is_field: bool,
    out: &Builder,
) -> Option<DeclarationId> {
    let of = |id: &DeclarationId| &out.symbols.declarations[*id];
    if is_field {
        let mut fields = candidates.iter().filter(|id| of(id).kind == DeclarationKind::Field);
        return fields.next().filter(|_| fields.next().is_none()).copied();
    }
    let visible = candidates.iter().filter(|id| of(id).is_visible_at(offset));
    let named = visible.filter(|id| {
        // A macro that was not expanded here is not what the name means.
        !matches!(of(id).kind, DeclarationKind::Macro | DeclarationKind::MacroParameter)
    });
    let extent = |id: &DeclarationId| of(id).visible.as_ref().map_or(usize::MAX, |r| r.len());
    let is_label = |id: &DeclarationId| of(id).kind == DeclarationKind::Label;
    named.min_by_key(|id| (is_label(id), extent(id))).copied()
}
