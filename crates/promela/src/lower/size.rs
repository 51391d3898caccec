//! Reports states that would be too large, at the declaration that takes the most.

use super::Lowerer;
use super::symbols::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use resy_system::{TooLarge, check_size};

impl Lowerer<'_> {
    /// Reports what cannot be searched because of its size.
    pub(super) fn check_size(&mut self) {
        let Err(large) = check_size(&self.system) else { return };
        let span = self.declaration(&large).unwrap_or(Span::new(0, 0));
        let label = if large.variable.is_some() { "takes the most" } else { "" };
        self.diags.push(Diagnostic::new(Code::TooLarge, span, large.what).label(label));
    }

    /// Where it was declared.
    fn declaration(&self, large: &TooLarge) -> Option<Span> {
        let proctype = large.proctype.map(|id| &self.system.proctypes[id].name);
        let context = large.proctype.and_then(|id| self.context_of.get(&id).copied());
        // A field has the name of its structure before it.
        let name =
            large.variable.as_ref().map(|name| name.split(['.', '[']).next().unwrap_or(name));
        let symbols = || self.symbols.table.iter();
        let variable = symbols().find(|s| {
            s.context == context && matches!(s.kind, Kind::Variable(_)) && Some(&*s.name) == name
        });
        let declared = variable.or_else(|| {
            let is_it = |name: &String| symbols().find(|s| *s.name == **name);
            proctype.and_then(is_it)
        });
        // `init` has no name of its own.
        let inside = || symbols().find(|s| s.context == context && context.is_some());
        declared.or_else(inside).map(|symbol| symbol.span)
    }
}
