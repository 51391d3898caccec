//! The weakest assumption has exactly the good words, and decides the network.

use crate::case_study::case_study;
use crate::common::{self, Random, is_safe, network, replays};
use crate::learn::{is_certified, random_word};
use proptest::prelude::*;
use resy_compose::sides::interface;
use resy_compose::weakest::weakest_assumption;
use resy_compose::{Conclusion, Split, naive};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(200)))]

    #[test]
    fn the_weakest_assumption_has_exactly_the_good_words(seed in any::<u64>(), size in 1..=8usize) {
        let network = network(seed, size);
        let split = Split::of(&network, 100_000).unwrap();
        let letters = interface(&split);
        let mut random = Random::new(seed);
        for limit in [usize::MAX, 1] {
            let found = weakest_assumption(&split, limit, || true);
            match &found.verdict {
                Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
                Conclusion::Fails(run) => prop_assert!(replays(&network, run)),
                Conclusion::Holds => {
                    prop_assert!(is_safe(&network));
                    let assumption = found.assumption.as_ref().unwrap();
                    for _ in 0..20 {
                        let word = random_word(&letters, &mut random);
                        let is_good = naive::is_good(&split, &word, &letters);
                        let accepts = assumption.accepts(&word);
                        prop_assert!(accepts == is_good || !found.is_whole && is_good);
                    }
                    prop_assert!(limit == 1 || found.is_whole);
                    prop_assert_eq!(&assumption.minimized(), assumption);
                    prop_assert!(is_certified(&network, &split, &found.requirement(&split)));
                }
            }
        }
    }
}

/// Pairs of a module state and a set fold the silent steps of the environment.
#[test]
fn the_gas_station_has_fewer_pairs_than_states() {
    let (network, split) = case_study("gas_station", Some(3), &["PUMP(1)", "OPERATOR"]);
    let found = weakest_assumption(&split, usize::MAX, || true);
    let product = resy_automata::product::reaches_error(&network, 100_000);
    let resy_automata::product::Safety::Safe { n_states, .. } = product else { unreachable!() };
    assert!(found.is_whole && found.n_pairs < n_states, "{} {n_states}", found.n_pairs);
}
