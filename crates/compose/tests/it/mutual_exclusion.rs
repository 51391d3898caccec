//! The example of both papers: two processes request, obtain and release a resource.
//!
//! Both observe all six actions, and so each knows where both stand: idle, waiting or
//! in possession. A process obtains the resource only while the other does not possess
//! it; of the other it expects no more than the order request, obtain, release.

use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_compose::{Conclusion, Split, exact, naive};
use resy_index::{Id, IndexVec};

const IDLE: usize = 0;
const WAITING: usize = 1;
const POSSESSING: usize = 2;

/// The action by which process `i` leaves the phase.
fn leaves(i: usize, phase: usize) -> Label {
    Label::Visible(Id::from_index(3 * i + phase))
}

/// States are what the process knows of itself and of the other.
fn process(own: usize) -> Lts {
    let state = |own: usize, other: usize| -> StateId { Id::from_index(3 * own + other) };
    let mut builder = LtsBuilder::with_states(9);
    for me in [IDLE, WAITING, POSSESSING] {
        for other in [IDLE, WAITING, POSSESSING] {
            let here = state(me, other);
            if !(me == WAITING && other == POSSESSING) {
                builder.add_transition(here, leaves(own, me), state((me + 1) % 3, other));
            }
            builder.add_transition(here, leaves(1 - own, other), state(me, (other + 1) % 3));
        }
    }
    builder.finish(state(IDLE, IDLE), Default::default())
}

/// No process obtains the resource before the other has released it.
fn exclusion() -> Monitor {
    let [free, first, second] = [0, 1, 2].map(Id::from_index);
    let mut builder = LtsBuilder::with_states(3);
    for (i, mine, others) in [(0, first, second), (1, second, first)] {
        builder.add_transition(free, leaves(i, WAITING), mine);
        builder.add_transition(mine, leaves(i, POSSESSING), free);
        builder.add_transition(free, leaves(i, POSSESSING), free);
        builder.add_transition(mine, leaves(i, WAITING), mine);
        builder.add_transition(others, leaves(i, POSSESSING), others);
    }
    Monitor::of_good_words(&builder.finish(free, Default::default()), IndexVec::new()).unwrap()
}

fn network() -> Network {
    let names = ["r1", "c1", "n1", "r2", "c2", "n2"];
    let actions = names.map(|name| Action { name: name.to_owned() }).into_iter().collect();
    let component = |name: &str, i| Component {
        name: name.to_owned(),
        lts: process(i),
        state_names: IndexVec::new(),
    };
    let components = [component("environment", 0), component("module", 1)];
    let components = components.into_iter().collect();
    Network::new(actions, components, Some(exclusion()), vec![Id::from_index(1)])
}

#[test]
fn three_states_are_enough() {
    let split = Split::of(&network(), 1000).unwrap();
    let requirement = exact::synthesize(&split, 1000).unwrap();
    assert_eq!(requirement.verdict, Conclusion::Holds);
    assert_eq!(requirement.quotient.partition(), &naive::canonical(&split));
    assert_eq!((split.module.lts.n_states(), requirement.lts().n_states()), (9, 3));
}
