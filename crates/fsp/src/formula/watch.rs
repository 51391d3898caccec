//! Safety formulas as deterministic automata over actions.
//!
//! A state is a valuation of the propositions and a set of states of the automaton of bad
//! prefixes. Steps that change nothing are left out of the alphabet if the automaton cannot
//! tell them: without `X` it can tell at most whether such a step was the first one.

use super::{Assertion, ValuationChange};
use resy_automata::ltl::{BadPrefixes, FormulaTooLarge, SafetyClass, classify};
use resy_automata::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};

use rustc_hash::{FxHashMap, FxHashSet};

/// More states than this are refused.
const MAX_STATES: usize = 1 << 16;

/// What a formula is, over given actions.
#[derive(Clone, Debug)]
pub enum WatchedFormula {
    /// Violations are seen on finite traces.
    Safety(FormulaWatch),
    /// Some violation is seen on infinite runs only.
    Liveness,
    /// Neither is known.
    TooLarge(FormulaTooLarge),
}

/// A safety formula as an automaton: deterministic, complete over its alphabet.
#[derive(Clone, Debug)]
pub struct FormulaWatch {
    /// Its behaviour.
    pub lts: Lts,
    /// Where a violation leads; nothing leads out of it.
    pub error: StateId,
}

impl Assertion {
    /// The automaton of the formula over these actions, each with what it does. With
    /// `may_skip`, actions that change nothing are left out of the alphabet where that makes
    /// no difference.
    pub fn watch(&self, steps: &[(ActionId, ValuationChange)], may_skip: bool) -> WatchedFormula {
        let bad = match classify(&self.formula) {
            Ok(SafetyClass::Safety(bad)) => bad,
            Ok(SafetyClass::Liveness) => return WatchedFormula::Liveness,
            Err(too_large) => return WatchedFormula::TooLarge(too_large),
        };
        let changing: Vec<(ActionId, ValuationChange)> = steps
            .iter()
            .filter(|(_, change)| *change != ValuationChange::default())
            .copied()
            .collect();
        let skips = may_skip && !self.sees_every_step() && self.ignores_idle_start(&bad, &changing);
        let steps = if skips { &changing[..] } else { steps };
        match self.automaton(&bad, steps) {
            Some(watch) => WatchedFormula::Safety(watch),
            None => WatchedFormula::TooLarge(FormulaTooLarge::States),
        }
    }

    fn automaton(
        &self,
        bad: &BadPrefixes,
        steps: &[(ActionId, ValuationChange)],
    ) -> Option<FormulaWatch> {
        let mut builder = LtsBuilder::new();
        let error = builder.add_state();
        let start = (self.initial(), bad.initial());
        let mut ids: FxHashMap<(u64, u64), StateId> = FxHashMap::default();
        let mut open = vec![start];
        let initial = builder.add_state();
        ids.insert(start, initial);
        if bad.is_bad(start.1) {
            let alphabet: Alphabet = steps.iter().map(|step| step.0).collect();
            return Some(FormulaWatch { lts: builder.finish(error, alphabet), error });
        }
        while let Some((valuation, set)) = open.pop() {
            let source = ids[&(valuation, set)];
            for &(action, change) in steps {
                let valuation = change.apply(valuation);
                let set = bad.step(set, valuation);
                let target = if bad.is_bad(set) {
                    error
                } else {
                    // All states from which nothing can go wrong are one.
                    let state = if bad.is_settled(set) { (0, u64::MAX) } else { (valuation, set) };
                    *ids.entry(state).or_insert_with(|| {
                        if state.1 != u64::MAX {
                            open.push(state);
                        }
                        builder.add_state()
                    })
                };
                builder.add_transition(source, Label::Visible(action), target);
            }
            if ids.len() > MAX_STATES {
                return None;
            }
        }
        if let Some(&settled) = ids.get(&(0, u64::MAX)) {
            for &(action, _) in steps {
                builder.add_transition(settled, Label::Visible(action), settled);
            }
        }
        let alphabet = steps.iter().map(|step| step.0).collect();
        Some(FormulaWatch { lts: builder.finish(initial, alphabet), error })
    }

    /// Whether a first step that changes nothing makes no difference.
    fn ignores_idle_start(&self, bad: &BadPrefixes, steps: &[(ActionId, ValuationChange)]) -> bool {
        let valuation = self.initial();
        let idle = bad.step(bad.initial(), valuation);
        if bad.is_bad(idle) {
            return false;
        }
        let start = (valuation, bad.initial(), idle);
        let mut known: FxHashSet<(u64, u64, u64)> = [start].into_iter().collect();
        let mut open = vec![start];
        while let Some((valuation, one, other)) = open.pop() {
            for &(_, change) in steps {
                let valuation = change.apply(valuation);
                let next = (valuation, bad.step(one, valuation), bad.step(other, valuation));
                if bad.is_bad(next.1) != bad.is_bad(next.2) || known.len() > MAX_STATES {
                    return false;
                }
                if !bad.is_bad(next.1) && known.insert(next) {
                    open.push(next);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Proposition;
    use resy_automata::ltl::TemporalFormula;
    use resy_index::Id;

    fn fluent(name: &str, on: &str, off: &str) -> Proposition {
        Proposition {
            name: name.to_owned(),
            initiating: [on.into()].into(),
            terminating: Some([off.into()].into()),
            initially: false,
        }
    }

    fn always_not(propositions: Vec<Proposition>) -> Assertion {
        let formula = TemporalFormula::Always(Box::new(TemporalFormula::Not(Box::new(
            TemporalFormula::Prop(0),
        ))));
        Assertion { name: "A".to_owned(), formula, propositions }
    }

    fn steps(assertion: &Assertion, names: &[&str]) -> Vec<(ActionId, ValuationChange)> {
        let step = |(i, name): (usize, &&str)| (Id::from_index(i), assertion.change(Some(name)));
        names.iter().enumerate().map(step).collect()
    }

    #[test]
    fn idle_actions_are_left_out() {
        let assertion = always_not(vec![fluent("F", "on", "off")]);
        let steps = steps(&assertion, &["on", "off", "other"]);
        let WatchedFormula::Safety(watch) = assertion.watch(&steps, true) else { panic!("safety") };
        assert_eq!(watch.lts.alphabet().len(), 2);
        let WatchedFormula::Safety(watch) = assertion.watch(&steps, false) else {
            panic!("safety")
        };
        assert_eq!(watch.lts.alphabet().len(), 3);
    }

    #[test]
    fn a_first_idle_action_may_matter() {
        // The fluent must hold after the first step, whatever that is.
        let mut assertion = always_not(vec![fluent("F", "on", "off")]);
        assertion.formula = TemporalFormula::Prop(0);
        let steps = steps(&assertion, &["on", "off", "other"]);
        let WatchedFormula::Safety(watch) = assertion.watch(&steps, true) else { panic!("safety") };
        assert_eq!(watch.lts.alphabet().len(), 3);
    }
}
