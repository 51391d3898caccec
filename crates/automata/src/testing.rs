//! Random transition systems and networks for the tests.

use crate::lts::{Label, Lts, LtsBuilder};
use crate::network::{Action, Component, Monitor, Network};
use proptest::prelude::*;
use resy_index::{Id, IndexVec};
use std::ops::Range;

/// The label with number `i`; zero is internal.
pub fn label(i: usize) -> Label {
    if i == 0 { Label::Tau } else { Label::Visible(Id::from_index(i - 1)) }
}

/// A system from numbers: source, label, target; the alphabet as numbers of actions.
pub fn lts(n: usize, transitions: &[(usize, usize, usize)], alphabet: &[usize]) -> Lts {
    let mut builder = LtsBuilder::with_states(n);
    for &(source, l, target) in transitions {
        builder.add_transition(Id::from_index(source), label(l), Id::from_index(target));
    }
    let alphabet = alphabet.iter().map(|&a| Id::from_index(a)).collect();
    builder.finish(Id::from_index(0), alphabet)
}

/// Systems with up to `n` states whose labels are among these numbers; up to `density`
/// transitions a state.
pub fn any_lts(n: usize, labels: Range<usize>, density: usize) -> impl Strategy<Value = Lts> {
    (1..=n).prop_flat_map(move |n| {
        let transition = (0..n, labels.clone(), 0..n);
        let transitions = prop::collection::vec(transition, 0..=n * density);
        let unused = prop::collection::vec(labels.start.max(1)..labels.end.max(2), 0..2);
        (transitions, unused).prop_map(move |(transitions, unused)| {
            let alphabet: Vec<usize> = unused.iter().map(|l| l - 1).collect();
            lts(n, &transitions, &alphabet)
        })
    })
}

/// Networks of up to four components over three actions, with a monitor.
pub fn any_network() -> impl Strategy<Value = Network> {
    let systems = prop::collection::vec(any_lts(4, 0..4, 2), 1..=4);
    (systems, any_lts(3, 1..4, 3)).prop_map(|(systems, good)| {
        let actions = (0..3).map(|i| Action { name: format!("action{i}") }).collect();
        let components = systems.into_iter().enumerate().map(|(i, lts)| Component {
            name: format!("component{i}"),
            lts,
            state_names: IndexVec::new(),
        });
        let monitor = Monitor::of_good_words(&deterministic(&good), IndexVec::new());
        Network::new(actions, components.collect(), monitor.ok(), vec![])
    })
}

/// The first transition of every state and action, and no internal ones.
fn deterministic(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for state in lts.states() {
        for run in lts.transitions_from(state).chunk_by(|a, b| a.0 == b.0) {
            if run[0].0 != Label::Tau {
                builder.add_transition(state, run[0].0, run[0].1);
            }
        }
    }
    builder.finish(lts.initial(), lts.alphabet().clone())
}
