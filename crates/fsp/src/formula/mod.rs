//! Assertions: linear temporal logic over fluents and actions.
//!
//! A formula is read after each step: the first letter is the one after the first action, and
//! internal steps count, as in LTSA. A fluent is true after its initiating actions and false
//! after its terminating ones; an action is a fluent that every other step ends.

mod watch;

pub use watch::{FormulaWatch, WatchedFormula};

use resy_automata::ltl::TemporalFormula;
use std::collections::BTreeSet;

/// A proposition of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// What people call it: `RED.1`, `{a, b}`.
    pub name: String,
    /// The actions that make it true.
    pub initiating: BTreeSet<String>,
    /// The actions that make it false; `None` for all others, internal steps too.
    pub terminating: Option<BTreeSet<String>>,
    /// Its value at the start.
    pub initially: bool,
}

/// A formula with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Its name.
    pub name: String,
    /// The formula; proposition `i` is `propositions[i]`.
    pub formula: TemporalFormula,
    /// At most 64.
    pub propositions: Vec<Proposition>,
}

/// What a step does to a valuation: it clears some propositions, then sets some.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValuationChange {
    clear: u64,
    set: u64,
}

impl ValuationChange {
    /// The valuation after the step.
    pub fn apply(self, valuation: u64) -> u64 {
        valuation & !self.clear | self.set
    }
}

impl Assertion {
    /// The valuation before the first step.
    pub fn initial(&self) -> u64 {
        self.mask(|proposition| proposition.initially)
    }

    /// What an action does; `None` is an internal step or a hidden action.
    pub fn change(&self, action: Option<&str>) -> ValuationChange {
        let set = self.mask(|p| action.is_some_and(|a| p.initiating.contains(a)));
        let clear = self.mask(|p| match (&p.terminating, action) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(actions), Some(action)) => actions.contains(action),
        });
        ValuationChange { clear, set }
    }

    /// The actions that the propositions name.
    pub fn actions(&self) -> BTreeSet<String> {
        let terminating = |p: &Proposition| p.terminating.clone().unwrap_or_default();
        let named = self
            .propositions
            .iter()
            .flat_map(|p| p.initiating.iter().cloned().chain(terminating(p)));
        named.collect()
    }

    /// Whether the formula has `X`.
    pub fn has_next(&self) -> bool {
        has_next(&self.formula)
    }

    /// Whether every step can change its value: it has `X`, or an action as a proposition.
    pub fn sees_every_step(&self) -> bool {
        self.has_next() || self.propositions.iter().any(|p| p.terminating.is_none())
    }

    fn mask(&self, holds: impl Fn(&Proposition) -> bool) -> u64 {
        let bits = self.propositions.iter().enumerate().filter(|(_, p)| holds(p));
        bits.fold(0, |mask, (i, _)| mask | 1 << i)
    }
}

fn has_next(formula: &TemporalFormula) -> bool {
    match formula {
        TemporalFormula::Bool(_) | TemporalFormula::Prop(_) => false,
        TemporalFormula::Next(_) => true,
        TemporalFormula::Not(a) | TemporalFormula::Always(a) | TemporalFormula::Eventually(a) => {
            has_next(a)
        }
        TemporalFormula::And(a, b)
        | TemporalFormula::Or(a, b)
        | TemporalFormula::Implies(a, b)
        | TemporalFormula::Equiv(a, b)
        | TemporalFormula::Until(a, b)
        | TemporalFormula::WeakUntil(a, b)
        | TemporalFormula::Release(a, b) => has_next(a) || has_next(b),
    }
}
