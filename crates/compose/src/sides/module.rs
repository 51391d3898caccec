//! The module's side of the rule: which words it has.

use super::automaton::WordAutomaton;
use super::search::{Fallible, Polled, shortest};
use super::trace::Trace;
use crate::split::SplitPart;
use resy_automata::lts::{ActionId, Alphabet, Label, StateId};
use resy_automata::product::ProductStep;

/// What a rule asks of the module.
pub(crate) trait ModuleSide {
    /// A shortest trace that an assumption rejects; it ends with the step that is rejected.
    fn against(&mut self, assumption: &WordAutomaton) -> Fallible<Option<Trace>>;

    /// A shortest trace whose projection to the alphabet is the word.
    fn along(&mut self, word: &[ActionId], alphabet: &Alphabet) -> Fallible<Option<Trace>>;
}

/// The module of a split: one transition system.
pub(crate) struct SplitModule<'a> {
    part: &'a SplitPart,
    cancellation: &'a dyn Polled,
}

impl<'a> SplitModule<'a> {
    pub(crate) fn new(part: &'a SplitPart, cancellation: &'a dyn Polled) -> Self {
        Self { part, cancellation }
    }

    /// The steps of a path; internal steps that change nothing are left out.
    fn trace(&self, path: &[PathStep]) -> Trace {
        let step = |&((from, _), label, (to, _)): &PathStep| match label {
            Label::Visible(action) => Some(ProductStep::Action(action)),
            Label::Tau => self.part.who_moved(from, to).map(ProductStep::Tau),
        };
        path.iter().filter_map(step).collect()
    }
}

/// A step of the module, with a state of an assumption or a position in a word.
type PathStep = ((StateId, usize), Label, (StateId, usize));

impl ModuleSide for SplitModule<'_> {
    fn against(&mut self, assumption: &WordAutomaton) -> Fallible<Option<Trace>> {
        let module = &self.part.lts;
        let is_goal = |(_, q): (StateId, usize)| assumption.rejects_at(q);
        let start = (module.initial(), assumption.initial());
        let path = shortest(start, self.cancellation, is_goal, |(m, q), steps| {
            for &(label, to) in module.transitions_from(m) {
                steps.push((label, (to, assumption.after_label(q, label))));
            }
            Ok(())
        })?;
        Ok(path.map(|path| self.trace(&path)))
    }

    fn along(&mut self, word: &[ActionId], alphabet: &Alphabet) -> Fallible<Option<Trace>> {
        let module = &self.part.lts;
        let is_goal = |(_, n): (StateId, usize)| n == word.len();
        let path = shortest((module.initial(), 0), self.cancellation, is_goal, |(m, n), steps| {
            for &(label, to) in module.transitions_from(m) {
                match label.action().filter(|&action| alphabet.contains(action)) {
                    Some(action) if action == word[n] => steps.push((label, (to, n + 1))),
                    Some(_) => {}
                    None => steps.push((label, (to, n))),
                }
            }
            Ok(())
        })?;
        Ok(path.map(|path| self.trace(&path)))
    }
}
