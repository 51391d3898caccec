//! Whether one infinite run violates a property: the check of what a search has found.
//!
//! A formula is evaluated on the word of the run, without any automaton. For other claims the run is multiplied with
//! the automaton.

use super::{Automaton, ClaimEdge, LivenessClaim};
use crate::{Interpreter, State};
use resy_automata::ltl::{BuchiAutomaton, BuchiEdge, BuchiStateId, LassoWord, LiteralSet};
use resy_index::{Id, IndexVec};

impl LivenessClaim {
    /// Whether the run through these states, of which those from `start` on are repeated for ever, violates the
    /// property. `ends` says that the run ends, and that its last state is repeated.
    pub fn is_violated_by(
        &self,
        interpreter: &Interpreter<'_>,
        states: &[&State],
        start: usize,
        ends: bool,
    ) -> bool {
        let (system, cycle) = (interpreter.system(), &states[start..]);
        let word = || states.iter().map(|state| self.letter(interpreter, state)).collect();
        match &self.automaton {
            Automaton::Acceptance => cycle.iter().any(|state| self.is_accepting(system, state)),
            Automaton::Progress => {
                !ends && !cycle.iter().any(|state| self.is_barrier(system, state))
            }
            Automaton::Formula(formula, _) => !LassoWord::new(word(), start).satisfies(formula),
            Automaton::Buchi(_) | Automaton::Never(..) => self.accepts(&word(), start),
        }
    }

    /// Whether a finite run through these states violates the property at one of them, whatever follows; not, if
    /// `go_on`, which is called for each state, says no first.
    pub fn is_violated_within(
        &self,
        interpreter: &Interpreter<'_>,
        states: &[&State],
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        let Automaton::Never(never, _) = &self.automaton else { return false };
        let mut set = never.initial();
        let mut states = states.iter().take_while(|_| go_on());
        states.any(|state| {
            set = never.step(set, self.letter(interpreter, state));
            never.is_bad(set)
        })
    }

    /// The propositions that hold in a state. One that has no value there is not looked at.
    fn letter(&self, interpreter: &Interpreter<'_>, state: &State) -> u64 {
        let conditions = self.propositions.iter().enumerate();
        let holds = conditions.filter(|(_, e)| interpreter.holds(state, e) == Ok(true));
        holds.fold(0, |letter, (bit, _)| letter | 1u64 << bit)
    }

    /// Whether the automaton accepts a word: the product of both is an automaton that accepts something.
    fn accepts(&self, letters: &[u64], start: usize) -> bool {
        let n_states = self.n_states();
        let number = |at: usize, q: u32| BuchiStateId::from_index(at * n_states + q as usize);
        let mut edges: IndexVec<BuchiStateId, Vec<BuchiEdge>> = IndexVec::new();
        let mut out: Vec<ClaimEdge> = Vec::new();
        for (at, &letter) in letters.iter().enumerate() {
            let next = if at + 1 < letters.len() { at + 1 } else { start };
            for q in 0..n_states as u32 {
                self.step(q, letter, &mut out);
                let edge = |e: &ClaimEdge| BuchiEdge {
                    label: LiteralSet::ANY,
                    target: number(next, e.target),
                    marks: e.marks,
                };
                edges.push(out.iter().map(edge).collect());
            }
        }
        let initial = self.initial().unwrap_or_default();
        let initial = initial.into_iter().map(|q| number(0, q)).collect();
        !BuchiAutomaton { initial, edges, marks: self.marks() }.is_empty()
    }
}
