//! Smaller systems with the same words.
//!
//! The *words* of a system are its sequences of visible actions from the initial state. A safety
//! property observes nothing else, and the words of a product with hidden actions are determined by
//! the words of its parts. So a system may be replaced by any quotient with the same words. States
//! may be joined for two reasons: they have the same future, or they have the same past, the words
//! by which they are reached. A pipeline needs the second: how much is on its way is in the future
//! of a state, but the words that come out are those that go in.
//!
//! One reason makes room for the other, so that they take turns.

pub mod naive;
mod path;

pub use path::{after, path};

use crate::bisimulation::branching_while;
use crate::lts::{Label, Lts, LtsBuilder};
use crate::partition::Partition;
use crate::quotient::Quotient;
use resy_index::Id;

/// A partition whose quotient without internal steps inside blocks has the same words. No two of
/// its states are branching bisimilar, neither forwards nor backwards.
pub fn same_words(lts: &Lts) -> Partition {
    same_words_while(lts, || true).expect("it was not cancelled")
}

/// Like [`same_words`]; `None` if `go_on`, which is polled often, cancels.
pub fn same_words_while(lts: &Lts, mut go_on: impl FnMut() -> bool) -> Option<Partition> {
    let mut partition = branching_while(lts, &mut go_on)?;
    for time in [Time::Backwards, Time::Forwards].into_iter().cycle() {
        let quotient = Quotient::contracting(lts, partition.clone()).into_lts();
        let coarser = match time {
            Time::Forwards => branching_while(&quotient, &mut go_on)?,
            Time::Backwards => branching_while(&backwards(&quotient), &mut go_on)?,
        };
        if coarser.is_discrete() {
            break;
        }
        partition = partition.then(&coarser);
    }
    Some(partition)
}

/// The direction in which states are compared.
#[derive(Copy, Clone)]
enum Time {
    Forwards,
    Backwards,
}

/// The system with all transitions reversed, and with a loop at the initial state by an action that
/// is not in the alphabet: bisimilar states are reached by the same words.
pub fn backwards(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions() {
        builder.add_transition(target, label, source);
    }
    let unused = lts.alphabet().last().map_or(0, |action| action.index() + 1);
    builder.add_transition(lts.initial(), Label::Visible(Id::from_index(unused)), lts.initial());
    builder.finish(lts.initial(), lts.alphabet().clone())
}

#[cfg(test)]
mod tests;
