//! The canonical requirement by two foldings: that of the definition.

use crate::common;
use crate::common::{Random, network, replays, with_copies, with_spectators};
use proptest::prelude::*;
use resy_automata::network::Network;
use resy_compose::auto::Synthesized;
use resy_compose::canonical::CanonicalLimits;
use resy_compose::fold::FoldLimits;
use resy_compose::{Conclusion, Split, canonical, naive};

const LIMIT: usize = 1_000_000;

fn found(network: &Network, split: &Split, fold: FoldLimits) -> Synthesized {
    let limits = CanonicalLimits { fold, contexts: LIMIT };
    canonical::synthesize(network, split, limits, |_| true).unwrap().unwrap()
}

fn is_certified(network: &Network, split: &Split, found: &Synthesized) -> bool {
    let Some(evidence) = found.evidence(network, split, LIMIT) else { return false };
    let certificate = resy_certificate::network::certify(network, evidence).unwrap();
    let derived = resy_certificate::network::derive(&certificate).unwrap();
    let checked = resy_certificate::check(&certificate, &derived);
    checked.is_ok_and(|checked| checked.requirements(&network.module).is_ok())
}

fn is_that_of_the_definition(network: &Network) -> Result<(), TestCaseError> {
    let split = Split::of(network, LIMIT).unwrap();
    // With small products some components stay outside, and others come together.
    let canonical = naive::canonical(&split);
    for product in [1, 6, 20] {
        let partial = found(network, &split, FoldLimits { product });
        prop_assert_eq!(partial.requirement.quotient.partition(), &canonical);
    }
    let found = found(network, &split, FoldLimits::default());
    prop_assert_eq!(found.requirement.quotient.partition(), &canonical);
    match &found.requirement.verdict {
        Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
        Conclusion::Fails(run) => prop_assert!(replays(network, run), "{:?}", run),
        Conclusion::Holds => prop_assert!(is_certified(network, &split, &found)),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(200)))]

    #[test]
    fn two_foldings_are_the_definition(seed in any::<u64>(), size in 1..7usize) {
        is_that_of_the_definition(&network(seed, size))?;
    }

    /// Actions that are alike for the module are one.
    #[test]
    fn with_alike_actions(seed in any::<u64>(), size in 1..5usize) {
        let (network, mut random) = (network(seed, size), Random::new(seed));
        is_that_of_the_definition(&with_copies(&network, &mut random))?;
        is_that_of_the_definition(&with_spectators(&network, &mut random))?;
    }
}
