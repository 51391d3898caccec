//! The environment's side of the rule: contexts on the fly, and which words lead them to an error.
//!
//! A context is a state of the environment's systems and the monitor. The steps out of a context are
//! computed once, when it is first met; their labels do not depend on the alphabet of a question, so
//! that contexts are kept when the alphabet changes. Runs end where the property is settled: no
//! error can follow.

use super::automaton::WordAutomaton;
use super::search::{Fallible, Polled, shortest};
use super::trace::{Trace, letter};
use crate::settled::until_settled;
use crate::split::{Split, SplitPart};
use resy_automata::lts::{ActionId, Alphabet, Lts, StateId};
use resy_automata::network::Monitor;
use resy_automata::product::{Explorer, ProductStep, Tuples};
use resy_index::Id;

/// The number of a context.
pub(crate) type ContextNumber = u32;

/// The context of all errors.
pub(crate) const ERROR: ContextNumber = ContextNumber::MAX;

/// The systems of which contexts are states.
pub(crate) struct EnvironmentSystems<'s> {
    parts: Vec<&'s SplitPart>,
    monitor: Monitor,
}

impl<'s> EnvironmentSystems<'s> {
    /// Those of a split.
    pub(crate) fn of(split: &'s Split) -> Self {
        Self::new(split.environment.iter().collect(), &split.monitor)
    }

    /// These parts with a monitor.
    pub(crate) fn new(parts: Vec<&'s SplitPart>, monitor: &Monitor) -> Self {
        Self { parts, monitor: until_settled(monitor) }
    }
}

/// The contexts met so far.
pub(crate) struct EnvironmentSide<'a> {
    systems: &'a EnvironmentSystems<'a>,
    explorer: Explorer<'a>,
    interface: Alphabet,
    tuples: Tuples,
    /// The steps of each context that was expanded: the letter of the interface, the step in terms of
    /// the network, the target.
    rows: Vec<Option<Box<[ContextStep]>>>,
    cancellation: &'a dyn Polled,
}

/// A step out of a context.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ContextStep {
    /// The letter of the interface, if it is one; the environment takes other steps alone.
    pub letter: Option<ActionId>,
    /// In terms of the network.
    pub step: ProductStep,
    pub target: ContextNumber,
}

impl<'a> EnvironmentSide<'a> {
    /// No context was met yet.
    pub(crate) fn new(
        systems: &'a EnvironmentSystems<'a>,
        interface: Alphabet,
        cancellation: &'a dyn Polled,
    ) -> Self {
        let ltss: Vec<&Lts> = systems.parts.iter().map(|part| &part.lts).collect();
        let explorer = Explorer::new(ltss.into_iter().chain([&systems.monitor.lts]).collect());
        let tuples = Tuples::new(systems.parts.len() + 1);
        Self { systems, explorer, interface, tuples, rows: Vec::new(), cancellation }
    }

    /// The actions that both sides have.
    pub(crate) fn interface(&self) -> &Alphabet {
        &self.interface
    }

    pub(crate) fn cancellation(&self) -> &'a dyn Polled {
        self.cancellation
    }

    /// The number of contexts met so far.
    pub(crate) fn n_contexts(&self) -> usize {
        self.tuples.len()
    }

    /// The initial context.
    pub(crate) fn initial(&mut self) -> ContextNumber {
        let initial = self.explorer.initial();
        self.number(&initial)
    }

    /// The steps out of a context.
    pub(crate) fn steps(&mut self, context: ContextNumber) -> Fallible<&[ContextStep]> {
        if context == ERROR {
            return Ok(&[]);
        }
        let index = context as usize;
        if self.rows[index].is_none() {
            self.cancellation.poll()?;
            let row = self.expand(index);
            self.rows[index] = Some(row);
        }
        Ok(self.rows[index].as_deref().unwrap_or_default())
    }

    fn expand(&mut self, index: usize) -> Box<[ContextStep]> {
        let here = self.tuples[Id::from_index(index)].to_vec();
        let mut found: Vec<(ProductStep, Vec<StateId>)> = Vec::new();
        self.explorer.successors(&here, |step, to| found.push((step, to.to_vec())));
        let mut row = Vec::with_capacity(found.len());
        for (step, to) in found {
            // An internal step that changes no component is none.
            let Some(step) = self.in_network(step, &here, &to) else { continue };
            let letter = letter(step, &self.interface);
            row.push(ContextStep { letter, step, target: self.number(&to) });
        }
        row.into()
    }

    /// A step of the systems as a step of the network.
    fn in_network(
        &self,
        step: ProductStep,
        before: &[StateId],
        after: &[StateId],
    ) -> Option<ProductStep> {
        let ProductStep::Tau(system) = step else { return Some(step) };
        let i = system.index();
        self.systems.parts[i].who_moved(before[i], after[i]).map(ProductStep::Tau)
    }

    fn number(&mut self, tuple: &[StateId]) -> ContextNumber {
        if tuple.last() == Some(&self.systems.monitor.error) {
            return ERROR;
        }
        let (id, is_new) = self.tuples.insert(tuple);
        if is_new {
            self.rows.push(None);
        }
        u32::try_from(id.index()).expect("more than u32::MAX contexts")
    }

    /// A shortest trace into an error along words that the assumption accepts.
    pub(crate) fn against(&mut self, assumption: &WordAutomaton) -> Fallible<Option<Trace>> {
        let initial = assumption.initial();
        if assumption.rejects_at(initial) {
            return Ok(None);
        }
        let (start, cancellation) = ((self.initial(), initial), self.cancellation);
        let path = shortest(start, cancellation, is_error, |(context, q), steps| {
            for step in self.steps(context)? {
                let to = step.letter.map_or(q, |action| assumption.after(q, action));
                if !assumption.rejects_at(to) {
                    steps.push((step.step, (step.target, to)));
                }
            }
            Ok(())
        })?;
        Ok(path.map(trace))
    }

    /// A shortest trace into an error whose projection to the alphabet is a prefix of the word.
    pub(crate) fn along(
        &mut self,
        word: &[ActionId],
        alphabet: &Alphabet,
    ) -> Fallible<Option<Trace>> {
        let (start, cancellation) = ((self.initial(), 0), self.cancellation);
        let path = shortest(start, cancellation, is_error, |(context, n), steps| {
            for step in self.steps(context)? {
                match step.letter.filter(|&action| alphabet.contains(action)) {
                    Some(action) if word.get(n) == Some(&action) => {
                        steps.push((step.step, (step.target, n + 1)));
                    }
                    Some(_) => {}
                    None => steps.push((step.step, (step.target, n))),
                }
            }
            Ok(())
        })?;
        Ok(path.map(trace))
    }
}

fn is_error((context, _): (ContextNumber, usize)) -> bool {
    context == ERROR
}

fn trace<P>(path: Vec<(P, ProductStep, P)>) -> Trace {
    path.into_iter().map(|(_, step, _)| step).collect()
}
