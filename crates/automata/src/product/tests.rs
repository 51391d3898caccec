//! The product against its definition.

use super::*;
use crate::fair::terminal_sets;
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

fn any_alphabet() -> impl Strategy<Value = Alphabet> {
    prop::collection::vec(0..4usize, 0..=3)
        .prop_map(|actions| actions.into_iter().map(Id::from_index).collect())
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

    /// Composing two systems at a time, with internal steps that may go on for ever.
    #[test]
    fn compression_keeps_deadlocks(
        systems in prop::collection::vec(any_lts(5, 0..4, 2), 1..=5),
        largest in 0..40usize,
    ) {
        let explorer = Explorer::new(systems.iter().collect());
        let leave = |_: &[StateId], n_steps| (n_steps == 0).then_some(());
        let found = search_while(&explorer, |_| Entered::Follow, leave, |_| true);
        let has_deadlock = matches!(found, Some(ProductSearch::Found(..)));
        let compressed = deadlock_while(&systems, largest, &mut |_| true).unwrap();
        prop_assert_eq!(compressed.deadlock.is_some(), has_deadlock);
        prop_assert_eq!(deadlock_while(&systems, largest, &mut |_| false), None);
        let Some(run) = compressed.deadlock else { return Ok(()) };
        let mut reached = BTreeSet::from([explorer.initial()]);
        for step in run {
            let before = std::mem::take(&mut reached);
            let after = |from: &Vec<StateId>| {
                explorer.successors_by(step, from, |to| { reached.insert(to.to_vec()); });
            };
            before.iter().for_each(after);
        }
        prop_assert!(reached.iter().any(|state| explorer.n_steps(state) == 0));
    }

    /// In every terminal set of the product a kept action occurs, or of the parts that are left.
    #[test]
    fn compression_keeps_what_can_always_occur(
        systems in prop::collection::vec(any_lts(5, 0..4, 2), 1..=5),
        largest in 0..40usize,
        kept in any_alphabet(),
    ) {
        let always = |lts: &Lts| {
            let occurs = |set: &Vec<StateId>| {
                let steps = set.iter().flat_map(|&state| lts.transitions_from(state));
                { steps }.any(|(label, _)| label.action().is_some_and(|a| kept.contains(a)))
            };
            terminal_sets(lts).iter().all(occurs)
        };
        let whole = product(&systems.iter().collect::<Vec<_>>(), 10_000).unwrap();
        let (parts, _) = parts_while(&systems, &kept, largest, &mut |_| true).unwrap();
        let parts = product(&parts.iter().collect::<Vec<_>>(), 10_000).unwrap();
        prop_assert_eq!(always(&parts.lts), always(&whole.lts));
    }

    /// The law of priority, by its definition.
    #[test]
    fn preferred_steps_go_first(
        systems in prop::collection::vec(any_lts(4, 0..4, 3), 1..=3),
        (is_high, listed, exempt) in (any::<bool>(), any_alphabet(), any_alphabet()),
        last in prop::collection::vec(prop::option::of(0..8usize), 0..=3),
    ) {
        let last: Vec<Option<StateId>> =
            last.into_iter().map(|state| state.map(Id::from_index)).collect();
        let plain = Explorer::new(systems.iter().collect());
        let preference = Preference {
            is_high,
            listed: listed.clone(),
            exempt: exempt.clone(),
            last: last.clone(),
        };
        let preferring = plain.clone().preferring(Some(preference));
        let has = |set: &Alphabet, step: &ProductStep| {
            step.label().action().is_some_and(|action| set.contains(action))
        };
        let goes_first = |step: &ProductStep| has(&listed, step) == is_high && !has(&exempt, step);
        for state in naive::reachable(&systems.iter().collect::<Vec<_>>()).into_keys() {
            let steps = |explorer: &Explorer<'_>| {
                let mut steps = Vec::new();
                explorer.successors(&state, |step, to| steps.push((step, to.to_vec())));
                steps
            };
            let mut expected = steps(&plain);
            let by_step = expected.clone();
            if expected.iter().any(|(step, _)| goes_first(step)) {
                expected.retain(|(step, _)| goes_first(step) || has(&exempt, step));
            }
            if last.iter().zip(&state).any(|(last, at)| *last == Some(*at)) {
                expected.clear();
            }
            prop_assert_eq!(&steps(&preferring), &expected);
            for (step, _) in by_step {
                let mut found = Vec::new();
                preferring.successors_by(step, &state, |to| found.push((step, to.to_vec())));
                let all = expected.iter().filter(|(other, _)| *other == step);
                prop_assert_eq!(found, all.cloned().collect::<Vec<_>>());
            }
        }
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
