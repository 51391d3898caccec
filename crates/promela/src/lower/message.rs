//! Messages that do not fit their channel.
//!
//! A variable of type `chan` can hold any channel, so that such a message is legal and a violation
//! at run time only. If the channel is named by the variable that it was declared with, the message is
//! probably a mistake.

use super::Lowerer;
use super::units::count;
use crate::ast::{self, BasicType, ExprKind, TypeName, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

impl Lowerer<'_> {
    /// Warns if a message has another number of fields than its channel, or a value of another
    /// type than its field.
    pub(super) fn check_message<'e>(
        &mut self,
        channel: &VarRef,
        n: usize,
        values: impl Iterator<Item = &'e ast::Expr>,
        span: Span,
    ) {
        let [part] = &channel.parts[..] else { return };
        let Some(id) = self.symbols.find(&part.name.text, self.context, &self.blocks) else {
            return;
        };
        let Some(carried) = self.carried.get(&id).cloned() else { return };
        let declared = self.symbols.table[id].span;
        let Some(wanted) = carried.iter().map(|ty| self.n_fields(ty)).sum::<Option<usize>>() else {
            return;
        };
        let name = &part.name.text;
        if n != wanted {
            let fields = count(wanted, "field");
            let message =
                format!("this message has {}, `{name}` carries {wanted}", count(n, "field"));
            let diagnostic = Diagnostic::new(Code::Message, span, message)
                .label(format!("expected {fields}"))
                .related(declared, format!("messages of {fields}"))
                .hint("give one value or variable for each field");
            self.diags.push(diagnostic);
            return;
        }
        for (field, value) in carried.iter().zip(values) {
            if let Some(what) = self.clash(field, value) {
                let message = format!("{what} in a message of `{name}`");
                let diagnostic = Diagnostic::new(Code::Message, value.span, message)
                    .label(format!("expected {}", kind(field)))
                    .related(declared, "what it carries is declared here")
                    .hint("send what the channel is declared for, or declare it for what is sent");
                self.diags.push(diagnostic);
            }
        }
    }

    fn n_fields(&self, ty: &TypeName) -> Option<usize> {
        match ty {
            TypeName::Basic(..) => Some(1),
            TypeName::User(name) => {
                let id = self.typedefs_by_name.get(&name.text)?;
                Some(self.typedefs[*id].n_cells as usize)
            }
        }
    }

    /// What the value is, if it does not fit the type of the field.
    fn clash(&mut self, field: &TypeName, value: &ast::Expr) -> Option<String> {
        let TypeName::Basic(ty, subtype) = field else { return None };
        match &value.kind {
            ExprKind::Number(_) if *ty == BasicType::Chan => Some("a number".to_owned()),
            ExprKind::Mtype(name) if *ty == BasicType::Chan => {
                Some(format!("the constant `{}`", name.text))
            }
            ExprKind::Mtype(name) => {
                let wanted = subtype.as_ref()?;
                let mut declared = self.system.mtypes.iter();
                let own = declared.find(|m| m.names.iter().any(|n| **n == *name.text))?;
                if own.subtype.as_deref() == Some(&*wanted.text) {
                    return None;
                }
                let own = own.subtype.as_ref().map_or("mtype".to_owned(), |s| format!("mtype:{s}"));
                Some(format!("`{}`, which is of type `{own}`,", name.text))
            }
            ExprKind::Var(r) if r.parts.len() == 1 && *ty != BasicType::Chan => {
                let variable = self.find_variable(&r.parts[0].name)?;
                variable.ty.is_chan().then(|| format!("the channel `{}`", r.parts[0].name.text))
            }
            _ => None,
        }
    }
}

/// The type of a field, in words.
fn kind(field: &TypeName) -> String {
    match field {
        TypeName::Basic(BasicType::Chan, _) => "a channel".to_owned(),
        TypeName::Basic(BasicType::Mtype, Some(subtype)) => {
            format!("a name of `mtype:{}`", subtype.text)
        }
        _ => "a number".to_owned(),
    }
}
