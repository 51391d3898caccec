//! What spin refuses about assignments and `provided` clauses.

use super::Lowerer;
use super::symbols::{Kind, Type};
use crate::ast::{self, ExprKind, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::print;
use resy_system::{Expr, Scope};

impl Lowerer<'_> {
    /// Checks `target = value`.
    pub(super) fn check_assignment(&mut self, target: &VarRef, value: Option<&ast::Expr>) {
        self.check_self_index(target, &mut Vec::new());
        let Some(value) = value else { return };
        let Some(variable) = self.find_variable(&target.parts[0].name) else { return };
        if matches!(variable.ty, Type::Struct(_)) {
            return;
        }
        self.check_mtype(&target.parts[0].name, value);
        if variable.ty.is_chan() && matches!(value.kind, ExprKind::Number(_)) {
            let name = print::var_ref(target);
            let diagnostic = Diagnostic::new(Code::Type, value.span, "a number is not a channel")
                .label(format!("`{name}` is a channel"))
                .hint(format!("to send the number write `{name}!{}`", print::expr(value)));
            self.diags.push(diagnostic);
        }
        self.check_no_channel(value, true);
    }

    /// A variable keeps to the `mtype` of the first name that is assigned to it.
    pub(super) fn check_mtype(&mut self, target: &ast::Name, value: &ast::Expr) {
        let ExprKind::Mtype(name) = &value.kind else { return };
        let declared = self.system.mtypes.iter().rev();
        let Some(mtype) = declared.clone().find(|m| m.names.iter().any(|n| **n == *name.text))
        else {
            return;
        };
        let subtype = mtype.subtype.clone();
        let Some(id) = self.symbols.find(&target.text, self.context, &self.blocks) else { return };
        let symbol = &mut self.symbols.table[id];
        let own = match &symbol.kind {
            Kind::Variable(v) => match &v.ty {
                Type::Basic { mtype: Some(Some(own)), .. } => Some(Some(own.to_string())),
                _ => symbol.mtype_seen.clone(),
            },
            _ => return,
        };
        match own {
            None => symbol.mtype_seen = Some(subtype),
            Some(own) if own == subtype => {}
            Some(own) => {
                let kind = |s: &Option<String>| match s {
                    Some(s) => format!("mtype:{s}"),
                    None => "plain mtype".to_string(),
                };
                let message = format!(
                    "`{}` is a {}, but `{}` takes a {}",
                    name.text,
                    kind(&subtype),
                    target.text,
                    kind(&own)
                );
                self.error(Code::Type, value.span, message);
            }
        }
    }

    /// The initial value of a variable of a subtype is of that subtype.
    pub(super) fn check_initial_mtype(&mut self, own: &ast::Name, value: &ast::Expr) {
        let ExprKind::Mtype(name) = &value.kind else { return };
        let mut declared = self.system.mtypes.iter().rev();
        let mtype = declared.find(|m| m.names.iter().any(|n| **n == *name.text));
        if mtype.is_some_and(|m| m.subtype.as_deref() != Some(&*own.text)) {
            let message = format!("`{}` is not a name of mtype:{}", name.text, own.text);
            self.error(Code::Type, value.span, message);
        }
    }

    /// A channel can be copied, but not computed with.
    fn check_no_channel(&mut self, e: &ast::Expr, top: bool) {
        match &e.kind {
            ExprKind::Var(r) if !top => {
                let single = r.parts.len() == 1;
                let variable = self.find_variable(&r.parts[0].name);
                if single && variable.is_some_and(|v| v.ty.is_chan()) {
                    let message = format!("the channel `{}` is not a number", print::var_ref(r));
                    self.error(Code::Type, e.span, message);
                }
            }
            ExprKind::Unary(_, a) => self.check_no_channel(a, false),
            ExprKind::Binary(_, a, b) => {
                self.check_no_channel(a, false);
                self.check_no_channel(b, false);
            }
            ExprKind::Cond(c, a, b) => {
                for part in [c, a, b] {
                    self.check_no_channel(part, false);
                }
            }
            _ => {}
        }
    }

    /// Refuses `a[a[i]] = …`, which spin's verifier cannot undo. Returns the reference without
    /// its indices.
    fn check_self_index(&mut self, r: &VarRef, around: &mut Vec<String>) -> String {
        let mut name = String::new();
        for part in &r.parts {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&part.name.text);
            let Some(index) = &part.index else { continue };
            name.push_str("[]");
            around.push(name.clone());
            if let ExprKind::Var(inner) = &index.kind {
                let inner = self.check_self_index(inner, around);
                if around.contains(&inner) {
                    let message = "an array cannot be indexed by an element of itself here";
                    self.error(Code::Type, index.span, message);
                }
            }
            around.pop();
        }
        name
    }

    /// A `provided` clause reads globals only.
    pub(super) fn check_provided(&mut self, condition: &Expr, span: crate::Span) {
        let bad = condition.any(|e| match e {
            Expr::Load(place) => place.scope == Scope::Local,
            Expr::Run { .. } | Expr::RemoteLoad { .. } | Expr::RemoteLocation { .. } => true,
            _ => false,
        });
        if bad {
            self.error(Code::Type, span, "a provided clause can use global variables only");
        }
    }
}
