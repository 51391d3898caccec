//! Monitors with a settled state: checks that stop there decide the same, and so does an
//! exploration of the product in any order.

use crate::common;
use crate::common::{Random, is_safe, network, replays, state};
use proptest::prelude::*;
use resy_automata::lts::LtsBuilder;
use resy_automata::network::{Monitor, Network};
use resy_automata::product::{from_both_ends, oldest_first};
use resy_certificate::ProofEvidence;
use resy_compose::evidence::{self, Proofs};
use resy_compose::refine::{self, alternating};
use resy_compose::{Conclusion, Split, explicit, fold, obligations};

const LIMIT: usize = 1_000_000;

/// A network in which some steps settle the property; every third of those that err or not.
fn with_settled_state(seed: u64, size: usize) -> Network {
    let (network, mut random) = (network(seed, size), Random::new(seed));
    let monitor = network.monitor.as_ref().unwrap();
    let settled = state(monitor.lts.n_states());
    let mut builder = LtsBuilder::with_states(monitor.lts.n_states() + 1);
    for (source, label, target) in monitor.lts.transitions() {
        let target = if random.below(3) == 0 { settled } else { target };
        builder.add_transition(source, label, target);
    }
    for action in monitor.lts.alphabet().iter() {
        builder.add_transition(settled, resy_automata::lts::Label::Visible(action), settled);
    }
    let lts = builder.finish(monitor.lts.initial(), monitor.lts.alphabet().clone());
    Network { monitor: Some(Monitor { lts, ..monitor.clone() }), ..network.clone() }
}

fn is_accepted(network: &Network, evidence: Option<ProofEvidence>) -> bool {
    let Some(evidence) = evidence else { return false };
    let certificate = resy_certificate::network::certify(network, evidence).unwrap();
    let derived = resy_certificate::network::derive(&certificate).unwrap();
    resy_certificate::check(&certificate, &derived).is_ok()
}

/// Whether a verdict is correct, with a valid run or proof.
fn is_right(
    network: &Network,
    verdict: &Conclusion,
    evidence: impl FnOnce() -> Option<ProofEvidence>,
) -> bool {
    match verdict {
        Conclusion::Holds => is_safe(network) && is_accepted(network, evidence()),
        Conclusion::Fails(run) => replays(network, run),
        Conclusion::Interrupted => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(400)))]

    #[test]
    fn everybody_decides(seed in any::<u64>(), size in 1..=12usize) {
        let network = with_settled_state(seed, size);
        let with_module = Split::of(&network, LIMIT).unwrap();
        let split = Split::without_module(&network).unwrap();

        let checked = refine::check(&with_module, alternating, |_| true);
        let evidence = || evidence::of_check(&with_module, &checked, LIMIT);
        prop_assert!(is_right(&network, &checked.verdict, evidence), "refinement with a module");

        let mut proofs = Proofs::new(&split, LIMIT);
        let verdict = obligations::check(&split, |_| true, |about, found| proofs.add(about, found));
        prop_assert!(is_right(&network, &verdict, || proofs.evidence()), "refinement");

        let folded = fold::check(&network, fold::FoldLimits::default(), |_| true).unwrap();
        prop_assert!(is_right(&network, &folded.verdict, || folded.evidence(LIMIT)), "folding");

        for order in [oldest_first, from_both_ends] {
            for split in [&with_module, &split] {
                let verdict = explicit::check(&network, order, |_| true);
                let evidence = || evidence::as_it_is(split, LIMIT);
                prop_assert!(is_right(&network, &verdict, evidence), "the product");
            }
        }
    }
}

#[test]
fn the_product_stops_when_it_is_told_to() {
    let safe = (0..).map(|seed| with_settled_state(seed, 12)).find(is_safe).unwrap();
    let verdict = explicit::check(&safe, oldest_first, |n_states| n_states > 1_000_000);
    assert_eq!(verdict, Conclusion::Interrupted);
}
