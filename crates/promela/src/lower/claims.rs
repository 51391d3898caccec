//! Never claims, traces and `ltl` formulas.

use super::Lowerer;
use super::table::place;
use crate::ast::{self, BinaryOp as A, ExprKind, UnaryOp as U};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use resy_system::{
    BinaryOp, Claim, ClaimKind, EventTrace, Expr, Formula, LocationId, LtlFormula, Proctype,
    UnaryOp,
};

/// A part of an `ltl` formula: about the state now, or about the run.
enum Part {
    State(Expr),
    Run(Formula),
}

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

    /// An `ltl` formula: as text, and over the conditions on states in it.
    pub(super) fn read_ltl(&mut self, ltl: &ast::Ltl) {
        self.in_claim = true;
        let mut propositions = Vec::new();
        let part = self.part(&ltl.formula, &mut propositions);
        self.in_claim = false;
        let n = self.system.claims.iter().filter(|c| matches!(c.kind, ClaimKind::Ltl(_))).count();
        let name = ltl.name.as_ref().map_or(format!("ltl_{n}"), |n| n.text.to_string());
        let Some(part) = part else { return };
        let formula = part.formula(&mut propositions);
        let text = crate::print::expr(&ltl.formula);
        let kind = ClaimKind::Ltl(LtlFormula { text, formula, propositions });
        self.system.claims.push(Claim { name, kind, source: place(self.map, ltl.span) });
    }

    /// A part of a formula; conditions on one state stay together until a
    /// temporal operator needs them.
    fn part(&mut self, e: &ast::Expr, propositions: &mut Vec<Expr>) -> Option<Part> {
        match &e.kind {
            ExprKind::Unary(op @ (U::Not | U::Always | U::Eventually | U::Next), a) => {
                let a = self.part(a, propositions)?;
                Some(unary(*op, a, propositions))
            }
            ExprKind::Binary(
                op
                @ (A::And | A::Or | A::Implies | A::Equiv | A::Until | A::WeakUntil | A::Release),
                a,
                b,
            ) => {
                let (a, b) = (self.part(a, propositions), self.part(b, propositions));
                Some(binary(*op, a?, b?, propositions))
            }
            _ => self.state_condition(e).map(Part::State),
        }
    }

    /// A condition on one state: without temporal operators.
    fn state_condition(&mut self, e: &ast::Expr) -> Option<Expr> {
        let Some((op, rest)) = lift_operator(e) else { return self.expr(e) };
        let (sign, operand) = (sign(op), crate::print::expr(&rest));
        let message = format!("`{sign}` binds tighter than the operators behind it");
        let hint = format!(
            "write `{sign} ({operand})`; spin accepts the formula as it stands, and compares the \
             number of a token"
        );
        self.diags.push(Diagnostic::new(Code::Type, e.span, message).hint(hint));
        None
    }
}

/// For `[] x < 2`, which is `([] x) < 2`: the operator, and `x < 2`.
fn lift_operator(e: &ast::Expr) -> Option<(U, ast::Expr)> {
    let (mut leftmost, mut operators) = (e, Vec::new());
    while let ExprKind::Binary(op, left, right) = &leftmost.kind {
        operators.push((*op, &**right, leftmost.span));
        leftmost = left;
    }
    let ExprKind::Unary(op @ (U::Always | U::Eventually | U::Next), operand) = &leftmost.kind
    else {
        return None;
    };
    let grow = |left, (op, right, span): (A, &ast::Expr, Span)| {
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right.clone()));
        ast::Expr { kind, span }
    };
    let has_operators = !operators.is_empty();
    let lifted = operators.into_iter().rev().fold((**operand).clone(), grow);
    has_operators.then_some((*op, lifted))
}

fn sign(op: U) -> &'static str {
    match op {
        U::Always => "[]",
        U::Eventually => "<>",
        _ => "X",
    }
}

impl Part {
    fn formula(self, propositions: &mut Vec<Expr>) -> Formula {
        match self {
            Self::State(expr) => Formula::of_expr(&expr, propositions),
            Self::Run(formula) => formula,
        }
    }
}

fn unary(op: U, a: Part, propositions: &mut Vec<Expr>) -> Part {
    let a = match (op, a) {
        (U::Not, Part::State(a)) => return Part::State(not(a)),
        (_, a) => Box::new(a.formula(propositions)),
    };
    Part::Run(match op {
        U::Always => Formula::Always(a),
        U::Eventually => Formula::Eventually(a),
        U::Next => Formula::Next(a),
        _ => Formula::Not(a),
    })
}

fn binary(op: A, a: Part, b: Part, propositions: &mut Vec<Expr>) -> Part {
    let (a, b) = match (op, a, b) {
        (A::And, Part::State(a), Part::State(b)) => return state(BinaryOp::And, a, b),
        (A::Or, Part::State(a), Part::State(b)) => return state(BinaryOp::Or, a, b),
        (A::Implies, Part::State(a), Part::State(b)) => return state(BinaryOp::Or, not(a), b),
        (A::Equiv, Part::State(a), Part::State(b)) => return state(BinaryOp::Eq, not(a), not(b)),
        (_, a, b) => (Box::new(a.formula(propositions)), Box::new(b.formula(propositions))),
    };
    Part::Run(match op {
        A::And => Formula::And(a, b),
        A::Or => Formula::Or(a, b),
        A::Implies => Formula::Implies(a, b),
        A::Equiv => Formula::Equiv(a, b),
        A::WeakUntil => Formula::WeakUntil(a, b),
        A::Release => Formula::Release(a, b),
        _ => Formula::Until(a, b),
    })
}

fn state(op: BinaryOp, a: Expr, b: Expr) -> Part {
    Part::State(Expr::Binary(op, Box::new(a), Box::new(b)))
}

fn not(e: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(e))
}
