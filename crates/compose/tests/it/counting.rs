//! Refinement with counting decides like the product, and its proofs are proofs.

use crate::common;
use crate::common::{Random, is_safe, network, replays, with_copies};
use proptest::prelude::*;
use resy_automata::lts::{Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_compose::cegar::check_counting;
use resy_compose::refine::RefineOutcome;
use resy_compose::{Conclusion, Split, evidence};
use resy_index::{Id, IndexVec};

/// The check of a network, and the number of groups that were counted.
fn checked(network: &Network) -> (RefineOutcome, usize) {
    let split = Split::without_module(network).unwrap();
    let checked = check_counting(&split, |_| true);
    let n_counted = checked.counted.as_ref().map_or(0, |counted| counted.n_counted());
    match &checked.verdict {
        Conclusion::Interrupted => panic!("it was not cancelled"),
        Conclusion::Fails(run) => assert!(replays(network, run), "the run is one of the network"),
        Conclusion::Holds => {
            let found = evidence::of_check(&split, &checked, 1_000_000).expect("evidence");
            let certificate = resy_certificate::network::certify(network, found).unwrap();
            let derived = resy_certificate::network::derive(&certificate).unwrap();
            resy_certificate::check(&certificate, &derived).expect("a proof");
        }
    }
    (checked, n_counted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(400)))]

    #[test]
    fn counting_decides(seed in any::<u64>(), size in 1..=5usize, n_times in 1..=2usize) {
        let mut network = network(seed, size);
        let mut random = Random::new(seed);
        for _ in 0..n_times {
            network = with_copies(&network, &mut random);
            // Copies of copies would have equal names.
            for (i, action) in network.actions.iter_mut().enumerate() {
                action.name = format!("{} ({i})", action.name);
            }
            for (i, component) in network.components.iter_mut().enumerate() {
                component.name = format!("{} ({i})", component.name);
            }
        }
        let holds = checked(&network).0.verdict == Conclusion::Holds;
        prop_assert_eq!(holds, is_safe(&network));
    }

    #[test]
    fn barriers_are_counted(n in 2..=7usize, n_awaited in 1..=7usize, n_early in 0..=2usize) {
        let (network, n_early) = (barrier(n, n_awaited, n_early.min(n)), n_early.min(n));
        let (checked, n_counted) = checked(&network);
        let holds = checked.verdict == Conclusion::Holds;
        prop_assert_eq!(holds, is_safe(&network));
        prop_assert_eq!(holds, n_early == 0 && n_awaited >= n);
        prop_assert!(!holds || n_awaited != n || n < 4 || n_counted == 1, "{}", n_counted);
    }
}

/// What the generator must give: networks whose proofs count, and some whose runs do.
#[test]
fn some_copies_are_counted() {
    let (mut n_proved, mut n_failed) = (0, 0);
    for seed in 0..300 {
        let network = with_copies(&network(seed, 4), &mut Random::new(seed));
        let (checked, n_counted) = checked(&network);
        if n_counted > 0 {
            match checked.verdict {
                Conclusion::Holds => n_proved += 1,
                _ => n_failed += 1,
            }
        }
    }
    println!("{n_proved} proofs, {n_failed} runs");
    assert!(n_proved > 20 && n_failed > 5, "{n_proved} {n_failed}");
}

/// Workers arrive at a counter that opens a gate at a number of arrivals. No worker is behind the
/// gate while the first has not arrived. Some workers do not wait for the gate.
fn barrier(n: usize, n_awaited: usize, n_early: usize) -> Network {
    let mut actions: IndexVec<_, Action> = IndexVec::new();
    let mut action = |name: String| Label::Visible(actions.push(Action { name }));
    let arrive: Vec<Label> = (0..n).map(|i| action(format!("arrive{i}"))).collect();
    let go: Vec<Label> = (0..n).map(|i| action(format!("go{i}"))).collect();
    let mut components: IndexVec<_, Component> = IndexVec::new();
    let mut add = |name: String, lts: Lts| {
        components.push(Component { name, lts, state_names: IndexVec::new() });
    };
    for i in 0..n {
        add(format!("worker{i}"), system(3, &[(0, arrive[i], 1), (1, go[i], 2)]));
    }
    let counting =
        (0..n_awaited).flat_map(|count| arrive.iter().map(move |&label| (count, label, count + 1)));
    let early = (0..n_awaited).flat_map(|count| {
        let go = &go[n - n_early..];
        go.iter().map(move |&label| (count, label, count))
    });
    let open = arrive.iter().chain(&go).map(|&label| (n_awaited, label, n_awaited));
    let transitions: Vec<_> = counting.chain(early).chain(open).collect();
    add("counter".to_owned(), system(n_awaited + 1, &transitions));
    let late = arrive[1..].iter().chain(&go[1..]);
    let before = arrive[1..].iter().map(|&label| (0, label, 0));
    let after = late.chain(&go[..1]).map(|&label| (1, label, 1));
    let good: Vec<_> = before.chain([(0, arrive[0], 1)]).chain(after).collect();
    let good = system(2, &good);
    let monitor = Monitor::of_good_words(&good, IndexVec::new()).unwrap();
    Network::new(actions, components, Some(monitor), Vec::new())
}

fn system(n_states: usize, transitions: &[(usize, Label, usize)]) -> Lts {
    let mut builder = LtsBuilder::with_states(n_states);
    let state = |i: usize| -> StateId { Id::from_index(i) };
    for &(from, label, to) in transitions {
        builder.add_transition(state(from), label, state(to));
    }
    builder.finish(state(0), Alphabet::default())
}
