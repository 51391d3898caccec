//! Abstraction refinement of the module decides like the product, splits properly, and is certified.

use crate::case_study::case_study;
use crate::common::{self, is_safe, network, replays};
use crate::learn::is_certified;
use proptest::prelude::*;
use resy_compose::agar::{AgarEdges, AgarOptions, abstract_module, merged_module, needed_alphabet};
use resy_compose::alphabet::{AlphabetChoice, AlphabetStart};
use resy_compose::sides::interface;
use resy_compose::{Conclusion, Split};

const CHOICES: [AlphabetChoice; 5] = [
    AlphabetChoice::Minimal,
    AlphabetChoice::Whole,
    AlphabetChoice::Backward,
    AlphabetChoice::Forward,
    AlphabetChoice::AllDiff,
];

fn all_options() -> impl Iterator<Item = AgarOptions> {
    [AgarEdges::Plain, AgarEdges::Closure].into_iter().flat_map(|edges| {
        CHOICES.into_iter().flat_map(move |alphabet| {
            let starts = [AlphabetStart::Property, AlphabetStart::Empty];
            starts.map(|start| AgarOptions { edges, alphabet, start })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(150)))]

    #[test]
    fn every_abstraction_decides_like_the_product(seed in any::<u64>(), size in 1..=7usize) {
        let network = network(seed, size);
        let split = Split::of(&network, 100_000).unwrap();
        for options in all_options() {
            let found = abstract_module(&split, &options, || true);
            prop_assert!(found.n_splits < split.module.lts.n_states());
            match &found.verdict {
                Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
                Conclusion::Fails(run) => prop_assert!(replays(&network, run), "{:?}", options),
                Conclusion::Holds => {
                    prop_assert!(is_safe(&network));
                    prop_assert!(is_certified(&network, &split, &found.requirement(&split)));
                }
            }
        }
    }

    #[test]
    fn a_merged_image_is_certified_and_no_larger(seed in any::<u64>(), size in 1..=7usize) {
        let network = network(seed, size);
        let split = Split::of(&network, 100_000).unwrap();
        let options = AgarOptions::default();
        let (before, merged) = (
            abstract_module(&split, &options, || true),
            merged_module(&split, &options, || true),
        );
        prop_assert_eq!(&before.verdict, &merged.verdict);
        prop_assert!(merged.n_classes <= before.n_classes);
        if merged.verdict == Conclusion::Holds {
            prop_assert!(is_certified(&network, &split, &merged.requirement(&split)));
        }
    }

    #[test]
    fn the_needed_alphabet_is_enough(seed in any::<u64>(), size in 1..=6usize) {
        let network = network(seed, size);
        let split = Split::of(&network, 100_000).unwrap();
        let whole = AgarOptions { alphabet: AlphabetChoice::Whole, ..AgarOptions::default() };
        let found = abstract_module(&split, &whole, || true);
        let Some(partition) = &found.partition else { return Ok(()) };
        let needed = needed_alphabet(&split, partition, || true).unwrap();
        prop_assert!(needed.without(&interface(&split)).is_empty());
        // The rule can be applied with this alphabet.
        let smallest = resy_compose::alphabet::naive_minimal(&split);
        prop_assert!(smallest.is_some_and(|size| size <= needed.len()));
    }
}

/// The paper's running example: two classes after one split.
#[test]
fn input_output_needs_one_split() {
    let (network, split) = case_study("io", None, &["OUTPUT"]);
    for edges in [AgarEdges::Plain, AgarEdges::Closure] {
        let alphabet = AlphabetChoice::Whole;
        let options = AgarOptions { edges, alphabet, ..AgarOptions::default() };
        let found = abstract_module(&split, &options, || true);
        assert_eq!((found.n_classes, found.n_splits), (2, 1), "{edges:?}");
        assert!(is_certified(&network, &split, &found.requirement(&split)));
    }
}

/// The gas station with our own processes: sizes as those of a prototype, or smaller.
#[test]
fn the_gas_station_is_abstracted() {
    let (network, split) = case_study("gas_station", Some(3), &["PUMP(1)", "OPERATOR"]);
    let most = [(AgarEdges::Closure, 15, 4), (AgarEdges::Plain, 20, 6)];
    for (edges, whole, part) in most {
        let choices = [(AlphabetChoice::Whole, whole), (AlphabetChoice::AllDiff, part)];
        for (alphabet, most) in choices {
            let options = AgarOptions { edges, alphabet, start: AlphabetStart::Property };
            let found = abstract_module(&split, &options, || true);
            assert_eq!(found.verdict, Conclusion::Holds);
            assert!(found.n_classes <= most, "{options:?}: {}", found.n_classes);
            assert!(is_certified(&network, &split, &found.requirement(&split)));
        }
    }
}

/// The closure of a large module is cancelled before the environment is met.
#[test]
fn the_closure_can_be_cancelled() {
    let (_, split) = case_study("gas_station", Some(4), &["PUMP(1)", "OPERATOR"]);
    let edges = AgarEdges::Closure;
    let found = abstract_module(&split, &AgarOptions { edges, ..Default::default() }, || false);
    assert_eq!((found.verdict, found.n_contexts), (Conclusion::Interrupted, 0));
}
