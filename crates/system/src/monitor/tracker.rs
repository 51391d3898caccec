//! Monitors that follow a run without judging it: what a proof about infinite runs needs in components.
//!
//! A tracker keeps the valuation of its conditions, and the states that the automaton of the property can be in before
//! the components start. It takes part in every step, so that the steps of each process can be counted.

use super::{Automaton, ClaimMonitor};
use crate::Expr;
use resy_automata::ltl::BuchiAutomaton;
use resy_index::Id;

impl ClaimMonitor {
    /// The tracker of an automaton with at most 64 states.
    pub(crate) fn tracker(
        name: &str,
        propositions: Vec<Expr>,
        automaton: BuchiAutomaton,
        counts_steps: bool,
    ) -> Self {
        debug_assert!(automaton.edges.len() <= u64::BITS as usize);
        let automaton = Automaton::Tracker(automaton);
        Self { name: name.to_owned(), propositions, automaton, counts_steps }
    }

    /// The automaton that a tracker follows; `None` for a monitor that judges.
    pub fn tracked(&self) -> Option<&BuchiAutomaton> {
        match &self.automaton {
            Automaton::Tracker(automaton) => Some(automaton),
            Automaton::Formula(_) | Automaton::Never(_) => None,
        }
    }
}

/// The initial states, as a set.
pub(super) fn initial(automaton: &BuchiAutomaton) -> u64 {
    automaton.initial.iter().fold(0, |set, q| set | 1 << q.index())
}

/// The states after a letter.
pub(super) fn step(automaton: &BuchiAutomaton, set: u64, letter: u64) -> u64 {
    let states = automaton.edges.iter_enumerated().filter(|(q, _)| set >> q.index() & 1 == 1);
    let edges = states.flat_map(|(_, edges)| edges).filter(|edge| edge.label.allows(letter));
    edges.fold(0, |next, edge| next | 1 << edge.target.index())
}
