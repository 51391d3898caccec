//! Assumptions over all components decide like the product, and the first of them is certified.

use crate::case_study::case_study;
use crate::common::{self, is_safe, network, replays};
use crate::learn::is_certified;
use proptest::prelude::*;
use resy_automata::network::Network;
use resy_compose::alphabet::{AlphabetChoice, AlphabetStart, AssumptionOptions};
use resy_compose::learn::{LearnOptions, LearnerKind};
use resy_compose::levels::{LevelledAssumption, learn_levels};
use resy_compose::sides::states_along;
use resy_compose::{Conclusion, Requirement, Split};

fn all_options() -> impl Iterator<Item = AssumptionOptions> {
    let choices = [
        AlphabetChoice::Whole,
        AlphabetChoice::Backward,
        AlphabetChoice::Forward,
        AlphabetChoice::AllDiff,
        AlphabetChoice::Minimal,
    ];
    let learners = [LearnerKind::Table, LearnerKind::Tree, LearnerKind::Separating];
    choices.into_iter().flat_map(move |alphabet| {
        learners.map(|learner| {
            let learning = LearnOptions { learner, ..LearnOptions::default() };
            AssumptionOptions { learning, alphabet, start: AlphabetStart::Property }
        })
    })
}

/// The image of all components but the first by the assumption about them, as a proof.
fn is_proof(network: &Network, found: &LevelledAssumption) -> bool {
    let Some(assumption) = &found.assumption else { return found.order.len() < 2 };
    let mut network = network.clone();
    network.module = found.order[1..].to_vec();
    network.module.sort_unstable();
    let split = Split::of(&network, 1_000_000).unwrap();
    let along = states_along(&split.module.lts, assumption).into_iter().map(|(_, set)| set);
    let partition = resy_automata::partition::Partition::by_keys(along);
    let requirement = Requirement::new(&split.module.lts, partition, Conclusion::Holds);
    is_certified(&network, &split, &requirement)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(60)))]

    #[test]
    fn every_level_decides_like_the_product(seed in any::<u64>(), size in 1..=6usize) {
        let network = network(seed, size);
        for options in all_options() {
            let found = learn_levels(&network, &options, || true).unwrap();
            match &found.verdict {
                Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
                Conclusion::Fails(run) => prop_assert!(replays(&network, run), "{:?}", options),
                Conclusion::Holds => {
                    prop_assert!(is_safe(&network));
                    prop_assert!(is_proof(&network, &found), "{:?}", options);
                }
            }
        }
    }
}

/// Four components, in an order that keeps interfaces small.
#[test]
fn the_gas_station_has_levels() {
    let (network, _) = case_study("gas_station", Some(2), &["PUMP(1)", "OPERATOR"]);
    let found = learn_levels(&network, &AssumptionOptions::default(), || true).unwrap();
    assert_eq!(found.verdict, Conclusion::Holds);
    assert_eq!(found.order.len(), 5);
    assert!(is_proof(&network, &found));
}
