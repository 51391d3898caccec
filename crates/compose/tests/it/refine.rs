//! Refinement gives the exact result, and a sound one whenever it is interrupted.

use crate::common;
use crate::common::{is_safe, is_safe_with, network, replays};
use proptest::prelude::*;
use resy_automata::{Network, Quotient};
use resy_compose::refine::{
    Strategy, alternating, assume, assume_while, backward_first, check, forward_first,
};
use resy_compose::{Conclusion, Split, exact};

const LIMIT: usize = 1_000_000;
const STRATEGIES: [Strategy; 3] = [alternating, forward_first, backward_first];

/// Mostly small networks: they are as intricate, and many can be tried.
fn sizes() -> impl proptest::strategy::Strategy<Value = usize> {
    prop_oneof![9 => 1..=8usize, 1 => 9..=40usize]
}

fn splits(network: &Network) -> [Split; 2] {
    [Split::of(network, LIMIT).unwrap(), Split::with_one_environment(network, LIMIT).unwrap()]
}

fn agrees(network: &Network, verdict: &Conclusion, safe: bool) -> bool {
    match verdict {
        Conclusion::Holds => safe,
        Conclusion::Fails(trace) => replays(network, trace),
        Conclusion::Interrupted => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(1000)))]

    #[test]
    fn the_last_requirement_is_the_exact_one(
        seed in any::<u64>(),
        size in sizes(),
        strategy in prop::sample::select(STRATEGIES.to_vec()),
    ) {
        let network = network(seed, size);
        let safe = is_safe(&network);
        for split in splits(&network) {
            let expected = exact::synthesize(&split, LIMIT).unwrap();
            let mut steps = 0;
            let found = assume(&split, strategy, |draft| {
                steps = draft.progress().steps;
                true
            });
            prop_assert_eq!(found.quotient.partition(), expected.quotient.partition());
            prop_assert!(agrees(&network, &found.verdict, safe), "{:?}", found.verdict);
            let most: usize = split.environment.iter().map(|p| p.lts.n_states() - 1).sum();
            prop_assert!(steps <= most, "{} splits of {}", steps, most);
        }
    }

    #[test]
    fn a_check_decides(
        seed in any::<u64>(),
        size in sizes(),
        strategy in prop::sample::select(STRATEGIES.to_vec()),
    ) {
        let network = network(seed, size);
        let safe = is_safe(&network);
        for split in splits(&network) {
            let checked = check(&split, strategy, |_| true);
            prop_assert!(agrees(&network, &checked.verdict, safe), "{:?}", checked.verdict);
            if safe {
                // The proof is one without the environment's states.
                let mut abstracted = split.clone();
                for (part, partition) in abstracted.environment.iter_mut().zip(checked.partitions) {
                    part.lts = Quotient::of(&part.lts, partition).into_lts();
                }
                let verdict = exact::synthesize(&abstracted, LIMIT).unwrap().verdict;
                prop_assert_eq!(verdict, Conclusion::Holds);
            }
        }
    }

    #[test]
    fn an_interrupted_requirement_is_sound(
        seed in any::<u64>(),
        size in sizes(),
        strategy in prop::sample::select(STRATEGIES.to_vec()),
        stop in 0..30usize,
        hurry in any::<bool>(),
    ) {
        let network = network(seed, size);
        let safe = is_safe(&network);
        for split in splits(&network) {
            // Requesting drafts must not change the result.
            let found = assume(&split, strategy, |draft| {
                let steps = draft.progress().steps;
                if steps % 3 == 2 {
                    draft.requirement();
                }
                if hurry {
                    draft.hurry();
                }
                steps < stop
            });
            prop_assert_eq!(is_safe_with(&network, found.lts()), safe);
            if found.verdict != Conclusion::Interrupted {
                prop_assert!(agrees(&network, &found.verdict, safe), "{:?}", found.verdict);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(100)))]

    /// In the middle of a step labels and contexts are incomplete; nothing is concluded from them.
    #[test]
    fn a_step_can_be_cancelled(
        seed in any::<u64>(),
        size in 9..=40usize,
        strategy in prop::sample::select(STRATEGIES.to_vec()),
        most in 0..12usize,
    ) {
        let network = network(seed, size);
        let safe = is_safe(&network);
        for split in splits(&network) {
            let mut n_polls = 0;
            let polled = || {
                n_polls += 1;
                n_polls <= most
            };
            let found = assume_while(&split, strategy, |_| true, polled);
            prop_assert_eq!(is_safe_with(&network, found.lts()), safe);
            let mut n_polls = 0;
            let checked = check(&split, strategy, |_| {
                n_polls += 1;
                n_polls <= most
            });
            for verdict in [&found.verdict, &checked.verdict] {
                let is_right = agrees(&network, verdict, safe);
                prop_assert!(*verdict == Conclusion::Interrupted || is_right, "{:?}", verdict);
            }
            let mut n_polls = 0;
            let exact = exact::synthesize_while(&split, LIMIT, || {
                n_polls += 1;
                n_polls <= most
            });
            if let Some(exact) = exact.unwrap() {
                prop_assert!(agrees(&network, &exact.verdict, safe), "{:?}", exact.verdict);
            }
        }
    }
}

/// An abstract context that may be reachable, although none of its members is, separates two
/// classes here unless it is refined for that.
#[test]
fn contexts_in_doubt_are_refined() {
    let network = network(320_917_228_771_761_437, 35);
    for split in splits(&network) {
        let expected = exact::synthesize(&split, LIMIT).unwrap();
        for strategy in STRATEGIES {
            let found = assume(&split, strategy, |_| true);
            assert_eq!(found.quotient.partition(), expected.quotient.partition());
        }
    }
}
