//! What LTSA's safety check does: the product of all parts, breadth-first, up to the first
//! error or deadlock.

use resy_automata::StateId;
use resy_automata::product::{Explorer, Tuples};
use resy_fsp::Composition;
use resy_index::Id;

/// The answer of the check.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Ok,
    Violated,
    Deadlock,
    TooLarge,
}

/// The answer, and how many states and transitions were explored.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    pub verdict: Verdict,
    pub n_states: usize,
    pub n_transitions: usize,
}

pub fn analyse(composition: &Composition, limit: usize) -> Analysis {
    let systems = composition.systems();
    let explorer = Explorer::new(systems.iter().map(|(lts, _)| *lts).collect());
    let is_error = |state: &[StateId]| {
        systems.iter().zip(state).any(|((_, error), &state)| *error == Some(state))
    };
    let initial = explorer.initial();
    let mut tuples = Tuples::new(systems.len());
    tuples.insert(&initial);
    let mut n_transitions = 0;
    let mut verdict = if is_error(&initial) { Verdict::Violated } else { Verdict::Ok };
    let mut next = 0;
    while verdict == Verdict::Ok && next < tuples.len() {
        if tuples.len() > limit {
            verdict = Verdict::TooLarge;
            break;
        }
        let state = tuples[Id::from_index(next)].to_vec();
        let mut n_steps = 0;
        explorer.successors(&state, |_, successor| {
            n_steps += 1;
            if is_error(successor) {
                verdict = Verdict::Violated;
            } else {
                tuples.insert(successor);
            }
        });
        n_transitions += n_steps;
        if n_steps == 0 && !composition.is_end(&state) {
            verdict = Verdict::Deadlock;
        }
        next += 1;
    }
    Analysis { verdict, n_states: tuples.len(), n_transitions }
}
