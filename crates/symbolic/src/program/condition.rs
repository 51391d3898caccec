//! Conditions on the states of a control state, as formulas over their data.

use super::SymbolicProgram;
use super::command::{ControlId, OutOfReach};
use super::data::DataKind;
use super::memory::{SymbolicContext, SymbolicMemory};
use super::word;
use crate::{Rational, TermId};
use resy_system::{CellType, Expr, Memory, SourcePlace};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl SymbolicProgram<'_> {
    /// What is assumed of the data in a control state, and what the types of wrapping cells and
    /// of clocks ensure.
    pub fn assumptions(&mut self, control: ControlId) -> Result<Rc<[TermId]>, OutOfReach> {
        if let Some(known) = self.assumptions.get(&control) {
            return Ok(known.clone());
        }
        let mut all = Vec::new();
        for condition in self.declarations.assumptions.clone() {
            all.push(self.formula(control, &condition)?);
        }
        let state = &self.controls[control].state;
        for (position, cell) in self.cells.positions(state) {
            let Some(term) = word::term_of(state.cells()[position]) else { continue };
            let mut terms = self.terms.borrow_mut();
            let (least, most) = match cell.kind {
                DataKind::Integer(ty) => match range(ty) {
                    Some((least, most)) => (least, Some(most)),
                    None => continue,
                },
                // It begins with a number that is not negative, is set to such, and time moves on.
                DataKind::Clock => (0, None),
                DataKind::Array => continue,
            };
            let least = terms.number(least);
            all.push(terms.at_least(term, least));
            if let Some(most) = most {
                let most = terms.number(most);
                all.push(terms.at_most(term, most));
            }
        }
        all.retain(|&term| self.terms.borrow().as_truth(term) != Some(true));
        let all: Rc<[TermId]> = all.into();
        self.assumptions.insert(control, all.clone());
        Ok(all)
    }

    /// A condition on the states of a control state, as a formula over their data.
    pub fn formula(&self, control: ControlId, condition: &Expr) -> Result<TermId, OutOfReach> {
        self.condition_of(control, None, condition)
    }

    /// A condition as a process sees it, or an observer that is no process, as a formula over the data.
    pub fn condition_of(
        &self,
        control: ControlId,
        pid: Option<usize>,
        condition: &Expr,
    ) -> Result<TermId, OutOfReach> {
        let context = SymbolicContext::new(&self.terms, &self.cells);
        let mut cases = Vec::new();
        loop {
            context.begin();
            let state = self.controls[control].state.clone();
            let memory = SymbolicMemory { state, context: &context };
            let holds = match pid {
                None => self.interpreter.holds(&memory, condition),
                Some(pid) => self
                    .interpreter
                    .evaluate(&memory, pid, condition)
                    .and_then(|word| memory.truth(word)),
            };
            match holds {
                Ok(true) => {
                    let case = self.terms.borrow_mut().and(context.path.borrow().condition());
                    cases.push(case);
                }
                Ok(false) => {}
                Err(kind) => {
                    let why = context.refusal.take().unwrap_or_else(|| kind.to_string());
                    return Err(OutOfReach { why, source: SourcePlace::default() });
                }
            }
            if !context.path.borrow_mut().turn() {
                break;
            }
        }
        Ok(self.terms.borrow_mut().or(&cases))
    }

    /// A formula as it reads in a control state: variables of cells that are no data there have the
    /// values of the cells.
    pub fn read_in(&self, control: ControlId, formula: TermId) -> TermId {
        let cells = self.controls[control].state.cells();
        let mut terms = self.terms.borrow_mut();
        let mut absent = FxHashMap::default();
        for symbol in terms.symbols_in(&[formula]) {
            let Some(&(position, sort)) = self.places.get(&symbol) else { continue };
            let word = cells.get(position).copied().unwrap_or(0);
            if word::term_of(word).is_none() && sort.is_numeric() {
                absent.insert(symbol, terms.number(Rational::integer(i128::from(word))));
            }
        }
        terms.substitute(formula, &absent)
    }

    /// The value of an expression in the states of a control state, if it has no cases.
    pub fn value(&self, control: ControlId, expr: &Expr) -> Result<TermId, OutOfReach> {
        let context = SymbolicContext::new(&self.terms, &self.cells);
        context.begin();
        let state = self.controls[control].state.clone();
        let memory = SymbolicMemory { state, context: &context };
        let word = self.interpreter.evaluate(&memory, 0, expr).map_err(|kind| OutOfReach {
            why: context.refusal.take().unwrap_or_else(|| kind.to_string()),
            source: SourcePlace::default(),
        })?;
        Ok(context.term(word))
    }
}

/// The values of a cell that wraps.
fn range(ty: CellType) -> Option<(i128, i128)> {
    match ty {
        CellType::Int => None,
        CellType::Short => Some((-(1 << 15), (1 << 15) - 1)),
        other => Some((0, (1 << other.bits()) - 1)),
    }
}
