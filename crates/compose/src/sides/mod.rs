//! The two sides of an assume-guarantee rule, as words see them.
//!
//! The environment with the monitor, `Q = E‖P`, is one side (`EnvironmentSide`); the module `M` is
//! the other (`ModuleSide`). Both are asked about words over an alphabet `Σ`, a part of the
//! interface: everything outside `Σ` is silent, also actions that both sides have, so either side
//! may take such an action alone.
//!
//! ```text
//! Sim(N,Σ,w)    the states of N after w, closed under silent steps; {π} as soon as it has π
//! bad word      Sim(Q,Σ,w) = {π}, also if a proper prefix is bad
//! A as a monitor      M ⊨ A: no run of M leads A to rejection            (premise 2)
//! A as a constraint   E‖A ⊨ P: no error of Q along words that A accepts  (premise 1)
//! ```
//!
//! Neither `Q` nor its sets of states are ever built as a whole: contexts and sets are numbered when
//! they are met.

mod automaton;
mod environment;
mod image;
mod minimal;
mod module;
mod search;
mod sets;
mod trace;

pub use automaton::{WordAutomaton, WordState};
pub use image::states_along;
pub use trace::{Trace, Word};

pub(crate) use environment::{ContextNumber, ERROR, EnvironmentSide, EnvironmentSystems};
pub(crate) use image::image;
pub(crate) use module::{ModuleSide, SplitModule};
pub(crate) use search::{Cancelled, Fallible, Polled, shortest};
pub(crate) use sets::{SetId, SetTable};
pub(crate) use trace::{merge, project};

use crate::split::Split;
use resy_automata::lts::Alphabet;

/// The interface of a split: the actions of the module that the environment or the monitor has.
pub fn interface(split: &Split) -> Alphabet {
    let module = split.module.lts.alphabet();
    module.iter().filter(|&action| split.shared().contains(action)).collect()
}

/// The monitor's part of the interface.
pub fn watched_interface(split: &Split) -> Alphabet {
    let monitor = split.monitor.lts.alphabet();
    interface(split).iter().filter(|&action| monitor.contains(action)).collect()
}
