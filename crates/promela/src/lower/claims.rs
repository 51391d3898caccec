//! Never claims, traces and `ltl` formulas.

use super::Lowerer;
use super::table::place;
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::source::Span;
use resy_system::{Claim, ClaimKind, EventTrace, LocationId, Proctype};

impl Lowerer<'_> {
    pub(super) fn add_never(&mut self, name: String, automaton: Proctype, span: Span) {
        let source = place(self.map, span);
        let kind = ClaimKind::Never(Box::new(automaton));
        self.system.claims.push(Claim { name, kind, source });
    }

    pub(super) fn add_trace(&mut self, negated: bool, automaton: Proctype, end: LocationId) {
        self.system.trace = Some(EventTrace {
            negated,
            automaton,
            end,
            sends: std::mem::take(&mut self.trace_sends),
            receives: std::mem::take(&mut self.trace_receives),
        });
    }

    /// An `ltl` formula: its names are checked, its text is kept.
    pub(super) fn read_ltl(&mut self, ltl: &ast::Ltl) {
        self.in_claim = true;
        self.check_formula(&ltl.formula);
        self.in_claim = false;
        let n = self.system.claims.iter().filter(|c| matches!(c.kind, ClaimKind::Ltl(_))).count();
        let name = ltl.name.as_ref().map_or(format!("ltl_{n}"), |n| n.text.to_string());
        let kind = ClaimKind::Ltl(crate::print::expr(&ltl.formula));
        self.system.claims.push(Claim { name, kind, source: place(self.map, ltl.span) });
    }

    /// Checks the state formulas below the temporal operators.
    fn check_formula(&mut self, e: &ast::Expr) {
        match &e.kind {
            ExprKind::Unary(
                UnaryOp::Not | UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next,
                a,
            ) => self.check_formula(a),
            ExprKind::Binary(
                BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Implies
                | BinaryOp::Equiv
                | BinaryOp::Until
                | BinaryOp::WeakUntil
                | BinaryOp::Release,
                a,
                b,
            ) => {
                self.check_formula(a);
                self.check_formula(b);
            }
            _ => {
                self.expr(e);
            }
        }
    }
}
