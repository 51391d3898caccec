//! Alphabets of assumptions: refinement decides like the product and makes progress, and T3 finds a
//! smallest one.

use crate::case_study::case_study;
use crate::common::{self, is_safe, network, replays};
use crate::learn::{is_certified, learned};
use proptest::prelude::*;
use resy_compose::alphabet::{
    AlphabetChoice, AlphabetStart, AssumptionOptions, LearnedAssumption, naive_minimal,
};
use resy_compose::learn::{LearnOptions, LearnerKind};
use resy_compose::sides::interface;
use resy_compose::{Conclusion, Split};

const STARTS: [AlphabetStart; 2] = [AlphabetStart::Property, AlphabetStart::Empty];

fn with(alphabet: AlphabetChoice, start: AlphabetStart) -> AssumptionOptions {
    AssumptionOptions { alphabet, start, ..AssumptionOptions::default() }
}

/// Whether each alphabet is part of the interface, and larger than the one before.
fn grows(split: &Split, found: &LearnedAssumption) -> bool {
    let interface = interface(split);
    let is_part = found.alphabets.iter().all(|alphabet| alphabet.without(&interface).is_empty());
    let pairs = found.alphabets.windows(2);
    is_part && { pairs }.all(|pair| pair[0].without(&pair[1]).is_empty() && pair[0] != pair[1])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(200)))]

    #[test]
    fn every_alphabet_decides_like_the_product(seed in any::<u64>(), size in 1..=7usize) {
        let network = network(seed, size);
        let split = Split::of(&network, 100_000).unwrap();
        let options = AlphabetChoice::ALL.iter();
        for options in options.flat_map(|&choice| STARTS.map(|start| with(choice, start))) {
            let found = learned(&split, &options);
            match &found.verdict {
                Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
                Conclusion::Fails(run) => prop_assert!(replays(&network, run), "{:?}", options),
                Conclusion::Holds => {
                    prop_assert!(is_safe(&network));
                    prop_assert!(is_certified(&network, &split, &found.requirement(&split)));
                }
            }
            if options.alphabet == AlphabetChoice::Minimal {
                // No alphabet comes twice.
                let mut tried = found.alphabets.clone();
                tried.sort();
                tried.dedup();
                prop_assert_eq!(tried.len(), found.alphabets.len());
            } else {
                prop_assert!(grows(&split, &found), "{:?}", options);
            }
        }
    }

    #[test]
    fn the_minimal_alphabet_is_smallest(seed in any::<u64>(), size in 1..=5usize) {
        let network = network(seed, size);
        let split = Split::of(&network, 100_000).unwrap();
        if interface(&split).len() > 6 {
            return Ok(());
        }
        let found = learned(&split, &with(AlphabetChoice::Minimal, AlphabetStart::Empty));
        let size = found.assumption.map(|assumption| assumption.alphabet().len());
        prop_assert_eq!(size, naive_minimal(&split));
    }
}

/// Gheorghiu et al., section 3: with the property's alphabet, grant and cancel of both clients, three
/// states.
#[test]
fn client_server_needs_grant_and_cancel_only() {
    let (network, split) = case_study("client_server", None, &["SERVER"]);
    let found = learned(&split, &with(AlphabetChoice::Backward, AlphabetStart::Property));
    let assumption = found.assumption.as_ref().unwrap();
    let letters = assumption.alphabet().iter().map(|action| network.actions[action].name.as_str());
    assert_eq!(letters.collect::<Vec<_>>(), ["grant.1", "cancel.1", "grant.2", "cancel.2"]);
    assert_eq!(assumption.n_accepting(), 3);
    assert!(is_certified(&network, &split, &found.requirement(&split)));
}

/// The gas station with our own processes, by the observation table: five states over four actions
/// from the empty alphabet, at most ten over six from the property's, for any number of customers.
#[test]
fn the_gas_station_needs_few_states() {
    let table = LearnOptions { learner: LearnerKind::Table, ..LearnOptions::default() };
    for customers in [2, 3] {
        let (network, split) = case_study("gas_station", Some(customers), &["PUMP(1)", "OPERATOR"]);
        let sizes = [(AlphabetStart::Empty, (5, 4)), (AlphabetStart::Property, (10, 6))];
        for (start, expected) in sizes {
            let options = with(AlphabetChoice::Backward, start);
            let found = learned(&split, &AssumptionOptions { learning: table, ..options });
            let assumption = found.assumption.as_ref().unwrap();
            let size = (assumption.n_accepting(), assumption.alphabet().len());
            let is_expected = match start {
                AlphabetStart::Empty => size == expected,
                AlphabetStart::Property => size.0 <= expected.0 && size.1 <= expected.1,
            };
            assert!(is_expected, "{start:?} {customers}: {size:?}");
            assert!(is_certified(&network, &split, &found.requirement(&split)));
        }
    }
}
