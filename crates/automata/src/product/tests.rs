//! The product against its definition.

use super::*;
use crate::lts::StateId;
use crate::network::Network;
use crate::testing::{any_lts, any_network, lts};
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};

/// The number of steps of a shortest way to the error state.
fn naive_distance(network: &Network) -> Option<usize> {
    let systems = network.systems();
    let error = network.monitor.as_ref()?.error;
    let initial: naive::Tuple = systems.iter().map(|lts| lts.initial()).collect();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut queue = VecDeque::from([(initial, 0)]);
    while let Some((state, distance)) = queue.pop_front() {
        if state.last() == Some(&error) {
            return Some(distance);
        }
        for (_, next) in naive::successors(&systems, &state) {
            if seen.insert(next.clone()) {
                queue.push_back((next, distance + 1));
            }
        }
    }
    None
}

/// Whether the steps can be taken one after the other and lead to the error state.
fn replays(network: &Network, trace: &[ProductStep]) -> bool {
    let systems = network.systems();
    let mut now = BTreeSet::from([systems.iter().map(|l| l.initial()).collect::<Vec<_>>()]);
    for step in trace {
        let steps = now.iter().flat_map(|state| naive::successors(&systems, state));
        now = steps.filter(|(s, _)| s == step).map(|(_, next)| next).collect();
    }
    let error = network.monitor.as_ref().map(|m| m.error);
    now.iter().any(|state| state.last().copied() == error)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn steps_are_those_of_the_definition(
        systems in prop::collection::vec(any_lts(4, 0..4, 2), 0..=4),
    ) {
        let systems: Vec<&Lts> = systems.iter().collect();
        let expected = naive::reachable(&systems);
        let product = product(&systems, 1000).unwrap();
        prop_assert_eq!(product.lts.n_states(), expected.len());
        let explorer = Explorer::new(systems.clone());
        for (state, steps) in &expected {
            let mut found = Vec::new();
            explorer.successors(state, |step, next| found.push((step, next.to_vec())));
            let n_found = found.len();
            let found: BTreeSet<_> = found.into_iter().collect();
            prop_assert_eq!(n_found, found.len(), "a step was visited twice");
            prop_assert_eq!(&found, steps);
            let id = product.tuples.find(state).unwrap();
            let row = product.lts.transitions_from(id).iter();
            let row: BTreeSet<_> = row.map(|&(l, t)| (l, product.tuples[t].to_vec())).collect();
            let steps: BTreeSet<_> =
                steps.iter().map(|(step, next)| (step.label(), next.clone())).collect();
            prop_assert_eq!(row, steps);
        }
    }

    /// All deadlocks, also of the runs that avoid a local state.
    #[test]
    fn stubborn_sets_find_every_deadlock(
        systems in prop::collection::vec(any_lts(5, 0..4, 2), 1..=5),
        avoids in any::<bool>(),
    ) {
        let explorer = Explorer::new(systems.iter().collect());
        let enter = |state: &[StateId]| match avoids && state[0].index() == 2 {
            true => Entered::<()>::Leave,
            false => Entered::Follow,
        };
        let dead = || std::cell::RefCell::new(BTreeSet::new());
        let (all, enough) = (dead(), dead());
        let full = search_while(&explorer, enter, |state, n_steps| {
            all.borrow_mut().extend((n_steps == 0).then(|| state.to_vec()));
            None
        }, |_| true);
        let reduced = search_deadlock_while(&explorer, enter, |state, n_steps| {
            enough.borrow_mut().extend((n_steps == 0).then(|| state.to_vec()));
            None
        }, |_| true);
        prop_assert_eq!(all.into_inner(), enough.into_inner());
        let (Some(ProductSearch::Complete(full)), Some(ProductSearch::Complete(reduced))) = (full, reduced)
        else { panic!("nothing is searched for") };
        prop_assert!(reduced.n_states <= full.n_states);
    }

    #[test]
    fn order_does_not_matter(systems in prop::collection::vec(any_lts(4, 0..4, 2), 1..=4)) {
        let here: Vec<&Lts> = systems.iter().collect();
        let back: Vec<&Lts> = systems.iter().rev().collect();
        let (here, back) = (product(&here, 1000).unwrap(), product(&back, 1000).unwrap());
        let mirror = |state: StateId| {
            let tuple: Vec<StateId> = here.tuples[state].iter().rev().copied().collect();
            back.tuples.find(&tuple)
        };
        let mirrored: Option<BTreeSet<_>> =
            here.lts.transitions().map(|(s, l, t)| Some((mirror(s)?, l, mirror(t)?))).collect();
        prop_assert_eq!(mirrored, Some(back.lts.transitions().collect()));
        prop_assert_eq!(here.lts.alphabet(), back.lts.alphabet());
    }

    #[test]
    fn errors_are_found_by_shortest_traces(network in any_network()) {
        match reaches_error(&network, 1000) {
            Safety::Safe { n_states, n_transitions } => {
                prop_assert_eq!(naive_distance(&network), None);
                let all = naive::reachable(&network.systems());
                prop_assert_eq!(n_states, all.len());
                prop_assert_eq!(n_transitions, all.values().map(BTreeSet::len).sum::<usize>());
            }
            Safety::Trace(trace) => {
                prop_assert_eq!(naive_distance(&network), Some(trace.len()));
                prop_assert!(replays(&network, &trace), "{:?}", trace);
            }
            Safety::TooLarge(limit) => prop_assert!(false, "{:?}", limit),
        }
    }

    #[test]
    fn the_order_changes_nothing_but_the_trace(network in any_network()) {
        let from_both_ends = reaches_error_while(&network, from_both_ends, |_| true).unwrap();
        match (reaches_error(&network, 1000), from_both_ends) {
            (Safety::Trace(_), Safety::Trace(trace)) => {
                prop_assert!(replays(&network, &trace), "{:?}", trace);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }
}

#[test]
fn a_limit_is_a_limit() {
    let counter = lts(10, &(0..9).map(|i| (i, 0, i + 1)).collect::<Vec<_>>(), &[]);
    assert_eq!(product(&[&counter, &counter], 100).unwrap().lts.n_states(), 100);
    assert_eq!(product(&[&counter, &counter], 99).unwrap_err(), ProductTooLarge { limit: 99 });
}

#[test]
fn no_systems_have_one_state() {
    let product = product(&[], 1).unwrap();
    assert_eq!((product.lts.n_states(), product.lts.n_transitions()), (1, 0));
}

#[test]
fn who_is_asked_may_say_no() {
    let circle = |n: usize, label: usize| {
        let steps: Vec<_> = (0..n).map(|i| (i, label, (i + 1) % n)).collect();
        lts(n, &steps, &[])
    };
    let (one, other) = (circle(4, 1), circle(5, 2));
    let mut asked = Vec::new();
    let all = product_while(&[&one, &other], |n_states| {
        asked.push(n_states);
        true
    });
    assert_eq!(all.unwrap().lts.n_states(), 20);
    assert!(asked.len() == 20 && asked.is_sorted() && asked[0] == 1);
    assert!(product_while(&[&one, &other], |n_states| n_states < 20).is_none());
}
