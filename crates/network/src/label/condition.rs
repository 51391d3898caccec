//! The conditions of a claim, as source text.

use crate::cut::Cut;
use crate::label::name::symbol;
use resy_index::Id;
use resy_system::{BinaryOp, Cell, CellRef, Expr, LocationId, ProctypeId, Scope, UnaryOp};

/// A longer text is replaced by the condition's number.
const MAX_LENGTH: usize = 40;

impl Cut<'_> {
    /// The name of a condition of a claim: its text, or its number.
    pub fn condition_name(&self, claim: usize, number: u32) -> String {
        let condition = self.claims[claim].monitor.propositions.get(number as usize);
        let text = condition.and_then(|e| self.text(e)).filter(|text| text.len() <= MAX_LENGTH);
        text.unwrap_or_else(|| format!("p{number}"))
    }

    fn text(&self, expr: &Expr) -> Option<String> {
        Some(match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Load(place) => self.place_name(place)?,
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
            Expr::Binary(op, a, b) => {
                let side = |e: &Expr| match (e, self.text(e)?) {
                    (Expr::Binary(..), text) if !is_at(e) => Some(format!("({text})")),
                    (_, text) => Some(text),
                };
                format!("{}{}{}", side(a)?, symbol(*op), side(b)?)
            }
            Expr::RemoteLoad { proctype, pid, place } if place.indices.is_empty() => {
                let frame = &self.system().proctypes[*proctype].frame;
                let named = frame.variables.iter().find(|v| v.offset == place.offset)?;
                format!("{}:{}", self.instance(*proctype, pid.as_deref())?, named.name)
            }
            Expr::Len(chan) => format!("len({})", self.text(chan)?),
            Expr::ProcessCount => "_nr_pr".to_owned(),
            Expr::Last => "_last".to_owned(),
            _ => return None,
        })
    }

    fn place_name(&self, place: &CellRef) -> Option<String> {
        if place.scope != Scope::Global {
            return None;
        }
        let offset = place.indices.iter().try_fold(place.offset, |offset, term| {
            let Expr::Const(index) = term.index else { return None };
            Some(offset + u32::try_from(index).ok().filter(|i| *i < term.len)? * term.stride)
        })?;
        Some(self.cell_name(Cell::Global(offset)))
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
