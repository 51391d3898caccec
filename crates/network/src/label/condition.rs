//! The conditions of a claim, as source text.

use crate::cut::Cut;
use crate::label::name::symbol;
use crate::label::value::{compared, compared_in};
use crate::step::request::{Exchange, Request};
use resy_index::Id;
use resy_system::{BinaryOp, Cell, CellRef, Expr, LocationId, ProctypeId, Scope, UnaryOp};
use std::rc::Rc;

/// A longer text is replaced by the condition's number.
const MAX_LENGTH: usize = 60;

impl Cut<'_> {
    /// A condition of a claim or its negation, as text; by its number if that would be too long.
    pub fn condition_text(&self, claim: usize, number: u32, holds: bool) -> String {
        let monitor = &self.claims[claim].monitor;
        let condition = monitor.propositions.get(number as usize);
        let text = condition.and_then(|e| if holds { self.text(e) } else { self.negated(e) });
        text.filter(|text| text.chars().count() <= MAX_LENGTH).unwrap_or_else(|| {
            let not = if holds { "" } else { "not " };
            format!("{not}condition {number} of {}", monitor.name)
        })
    }

    /// Whether the values that these exchanges store decide the condition.
    pub fn is_determined(&self, claim: usize, number: u32, log: &[Rc<Exchange>]) -> bool {
        let condition = self.claims[claim].monitor.propositions.get(number as usize);
        let is_stored = |place: &CellRef| {
            let stores = |cell: Cell| {
                log.iter().any(|e| matches!(&e.request, Request::Store(c, _) if *c == cell))
            };
            self.cell_at(place).is_some_and(stores)
        };
        let is_open = |e: &Expr| match e {
            Expr::Load(place) => !is_stored(place),
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => false,
            _ => true,
        };
        condition.is_some_and(|condition| !condition.any(is_open))
    }

    fn negated(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Binary(op, a, b) if op.is_comparison() && !is_at(expr) => {
                self.comparison(op.negated(), a, b)
            }
            Expr::Unary(UnaryOp::Not, e) => self.text(e),
            _ => Some(match (expr, self.text(expr)?) {
                (Expr::Binary(..), text) if !is_at(expr) => format!("!({text})"),
                (_, text) => format!("!{text}"),
            }),
        }
    }

    /// A comparison; a constant is written as a value of the variable that it is compared with.
    fn comparison(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        match (a, b) {
            (Expr::Load(place), Expr::Const(value)) => {
                let cell = self.cell_at(place)?;
                Some(format!("{}{}", self.cell_name(cell), compared(self, cell, op, *value)))
            }
            (Expr::RemoteLoad { proctype, place, .. }, Expr::Const(value)) => {
                let frame = &self.system().proctypes[*proctype].frame;
                let value = compared_in(self, frame, place.offset, op, *value);
                Some(format!("{}{value}", self.text(a)?))
            }
            _ => {
                let side = |e: &Expr| match (e, self.text(e)?) {
                    (Expr::Binary(..), text) if !is_at(e) => Some(format!("({text})")),
                    (_, text) => Some(text),
                };
                Some(format!("{}{}{}", side(a)?, symbol(op), side(b)?))
            }
        }
    }

    fn text(&self, expr: &Expr) -> Option<String> {
        Some(match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Load(place) => self.cell_name(self.cell_at(place)?),
            Expr::Unary(op, e) => {
                let sign = match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                };
                match (&**e, self.text(e)?) {
                    (Expr::Binary(..), text) if !is_at(e) => format!("{sign}({text})"),
                    (_, text) => format!("{sign}{text}"),
                }
            }
            Expr::Binary(BinaryOp::Eq, a, b) if is_at(expr) => {
                let (Expr::RemoteLocation { proctype, pid }, Expr::Const(at)) = (&**a, &**b) else {
                    return None;
                };
                let process = self.instance(*proctype, pid.as_deref())?;
                format!("{process}@{}", self.label(*proctype, *at))
            }
            Expr::Binary(op, a, b) => self.comparison(*op, a, b)?,
            Expr::RemoteLoad { proctype, pid, place } if place.indices.is_empty() => {
                let frame = &self.system().proctypes[*proctype].frame;
                let named = frame.variables.iter().find(|v| v.offset == place.offset)?;
                format!("{}:{}", self.instance(*proctype, pid.as_deref())?, named.name)
            }
            Expr::Len(chan) => format!("len({})", self.text(chan)?),
            Expr::ProcessCount => "_nr_pr".to_owned(),
            Expr::Last => "_last".to_owned(),
            Expr::NonProgress => "np_".to_owned(),
            _ => return None,
        })
    }

    fn cell_at(&self, place: &CellRef) -> Option<Cell> {
        if place.scope != Scope::Global {
            return None;
        }
        let offset = place.indices.iter().try_fold(place.offset, |offset, term| {
            let Expr::Const(index) = term.index else { return None };
            Some(offset + u32::try_from(index).ok().filter(|i| *i < term.len)? * term.stride)
        })?;
        Some(Cell::Global(offset))
    }

    fn instance(&self, proctype: ProctypeId, pid: Option<&Expr>) -> Option<String> {
        let name = &self.system().proctypes[proctype].name;
        Some(match pid {
            None => name.clone(),
            Some(pid) => format!("{name}[{}]", self.text(pid)?),
        })
    }

    /// The jump label of a location, or its number.
    pub fn label(&self, proctype: ProctypeId, at: i32) -> String {
        let here = |location: &LocationId| i32::try_from(location.index()) == Ok(at);
        let labels = &self.system().proctypes[proctype].labels;
        let found = labels.iter().find(|(_, location)| here(location));
        found.map_or_else(|| at.to_string(), |(label, _)| label.clone())
    }
}

/// Whether the expression is `process@label`.
fn is_at(expr: &Expr) -> bool {
    let Expr::Binary(BinaryOp::Eq, a, b) = expr else { return false };
    matches!((&**a, &**b), (Expr::RemoteLocation { .. }, Expr::Const(_)))
}
