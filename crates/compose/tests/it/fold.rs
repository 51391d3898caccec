//! Folding decides like the product; its runs are runs, and its proofs are proofs.

use crate::common;
use crate::common::{
    Random, detour, is_safe, network, repaired, replays, with_copies, with_spectators,
};
use crate::families::{chain, readers, refused, ring};
use proptest::prelude::*;
use resy_automata::network::Network;
use resy_automata::product::{Safety, reaches_error};
use resy_certificate::{Map, ProofEvidence};
use resy_compose::fold::{FoldLimits, FoldOutcome, check, fold};
use resy_compose::{Conclusion, Split, evidence, exact};

const LIMIT: usize = 1_000_000;

/// Whether the proof of a check is accepted.
fn certified(network: &Network, checked: &FoldOutcome<'_>) -> bool {
    checked.evidence(LIMIT).is_some_and(|evidence| accepted(network, evidence))
}

fn accepted(network: &Network, evidence: ProofEvidence) -> bool {
    let certificate = resy_certificate::network::certify(network, evidence).unwrap();
    resy_certificate::check(&certificate, network).is_ok()
}

/// Limits from nothing to everything can be composed.
fn limits() -> impl Strategy<Value = FoldLimits> {
    prop_oneof![0..=2usize, 3..=60usize, Just(LIMIT)].prop_map(|product| FoldLimits { product })
}

fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![9 => 1..=8usize, 1 => 9..=40usize]
}

/// Random networks: half of them with alike components, a third with irrelevant ones.
fn any_network(seed: u64, size: usize) -> Network {
    let random = &mut Random::new(seed);
    let mut network = network(seed, size);
    if random.below(2) == 0 {
        network = with_copies(&self::network(seed, size.min(4)), random);
        // With many copies it is often violated at once.
        if random.below(2) == 0 {
            network = repaired(&network, random).unwrap_or(network);
        }
    }
    if random.below(3) == 0 {
        network = with_spectators(&network, random);
    }
    network
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(1000)))]

    #[test]
    fn a_folded_network_is_decided_like_the_network(
        seed in any::<u64>(),
        size in sizes(),
        limits in limits(),
    ) {
        let network = any_network(seed, size);
        let checked = check(&network, limits, |_| true).unwrap();
        match &checked.verdict {
            Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
            Conclusion::Fails(run) => prop_assert!(replays(&network, run)),
            Conclusion::Holds => prop_assert!(is_safe(&network) && certified(&network, &checked)),
        }
    }

    /// Also one with a tree of its own, in which the clusters are not in order.
    #[test]
    fn proofs_are_unfolded(seed in any::<u64>(), size in sizes(), product in 0..=20usize) {
        let network = any_network(seed, size);
        let folded = fold(&network, FoldLimits { product }, |_| true);
        let module = folded.network.components.ids().take(2).collect();
        let split = Split::of(&Network { module, ..folded.network.clone() }, LIMIT);
        // Two clusters may be all that is left.
        let Ok(split) = split else { return Ok(()) };
        let requirement = exact::synthesize(&split, LIMIT).unwrap();
        if let Some(proof) = evidence::of_requirement(&split, &requirement, LIMIT) {
            let unfolded = folded.evidence(&proof, LIMIT);
            let images = unfolded.iter().flat_map(|proof| &proof.nodes);
            let is_large = images.clone().any(|node| match &node.map {
                Map::Image(_, image) => image.n_transitions() > 0,
                Map::Identity => false,
            });
            prop_assert!(unfolded.is_some_and(|proof| accepted(&network, proof)));
            prop_assert!(!is_large || folded.evidence(&proof, 0).is_none());
        }
    }

    #[test]
    fn runs_are_unfolded(seed in any::<u64>(), size in sizes(), limits in limits()) {
        let network = any_network(seed, size);
        let folded = fold(&network, limits, |_| true);
        prop_assert_eq!(folded.network.validate(), []);
        match reaches_error(&folded.network, LIMIT) {
            Safety::TooLarge(_) => prop_assert!(false, "it is smaller than the network"),
            Safety::Safe { .. } => prop_assert!(is_safe(&network)),
            Safety::Trace(run) => {
                let unfolded = folded.unfold(&run);
                prop_assert!(unfolded.is_some_and(|run| replays(&network, &run)));
                let unfolded = folded.unfold(&detour(&folded.network).unwrap());
                prop_assert!(unfolded.is_some_and(|run| replays(&network, &run)));
                // Steps that do not reach the error are not such a run.
                prop_assert!(folded.unfold(&run[..run.len().saturating_sub(1)]).is_none());
            }
        }
    }
}

/// Whether the property holds, with all evidence.
fn holds(network: &Network, limits: FoldLimits) -> bool {
    let checked = check(network, limits, |_| true).unwrap();
    assert_eq!(checked.folded.network.components.len(), 1);
    match &checked.verdict {
        Conclusion::Interrupted => panic!("it was not cancelled"),
        Conclusion::Fails(_) => false,
        Conclusion::Holds => {
            assert!(certified(network, &checked));
            true
        }
    }
}

#[test]
fn a_ring_is_folded() {
    let limits = FoldLimits { product: 10_000 };
    assert!(holds(&ring(50, false), limits));
    assert!(!holds(&ring(50, true), limits));
}

#[test]
fn a_chain_is_folded() {
    let limits = FoldLimits { product: 10_000 };
    assert!(holds(&chain(50, false), limits));
    assert!(!holds(&chain(50, true), limits));
}

#[test]
fn readers_are_counted() {
    let limits = FoldLimits { product: 10_000 };
    assert!(holds(&readers(50, false), limits));
    assert!(!holds(&readers(50, true), limits));
    let n_states = |n| fold(&readers(n, false), limits, |_| true).n_states;
    // The counter has 1024 values, and the readers do not meet it one by one.
    assert!(n_states(100) <= 4 * 1024, "{}", n_states(100));
}

/// An action is not replaced by an alike one if an irrelevant component may refuse that.
#[test]
fn what_does_not_matter_is_not_taken() {
    let network = refused();
    let folded = fold(&network, FoldLimits { product: 0 }, |_| true);
    let run = detour(&folded.network).unwrap();
    assert!(folded.unfold(&run).is_some_and(|run| replays(&network, &run)));
}

#[test]
fn who_is_asked_may_say_no() {
    let network = ring(20, false);
    for n_asked in 0..40 {
        let mut asked = 0;
        let folded = fold(&network, FoldLimits { product: 1000 }, |_| {
            asked += 1;
            asked <= n_asked
        });
        assert_eq!(asked, n_asked + 1);
        assert_eq!(folded.network.validate(), []);
        let mut members: Vec<_> = folded.members().iter().flatten().copied().collect();
        members.sort();
        assert!(members.into_iter().eq(network.components.ids()));
        assert!(is_safe(&folded.network));
    }
    let checked = check(&network, FoldLimits { product: 1 }, |_| false).unwrap();
    assert_eq!((checked.verdict, checked.folded.n_states), (Conclusion::Interrupted, 5));
}

/// Cancellation also works inside a product, a reduction, or a component.
#[test]
fn who_is_asked_need_not_wait() {
    let network = readers(20, false);
    let n_asked = |limit: usize| {
        let mut asked = 0;
        let checked = check(&network, FoldLimits::default(), |_| {
            asked += 1;
            asked < limit
        });
        (asked, checked.unwrap())
    };
    let (all, checked) = n_asked(usize::MAX);
    assert_eq!(checked.verdict, Conclusion::Holds);
    // It would be polled fifty times if only between products and reductions.
    assert!(all > 200, "{all}");
    for limit in (1..=all).step_by(all / 20) {
        let (asked, checked) = n_asked(limit);
        assert_eq!(asked, limit);
        if checked.verdict == Conclusion::Holds {
            assert!(certified(&network, &checked));
        }
    }
}

/// Clusters grow from the end with the fewest states.
#[test]
fn a_source_is_extended() {
    let n_states = |n| fold(&chain(n, false), FoldLimits { product: LIMIT }, |_| true).n_states;
    // Quadratic, like the positions of two messages; from the middle it would be 3 to the power of
    // n.
    assert!(n_states(40) < 5 * n_states(20), "{} and {}", n_states(40), n_states(20));
    let n_states = |n| fold(&ring(n, false), FoldLimits { product: LIMIT }, |_| true).n_states;
    assert!(n_states(100) < 3 * n_states(50), "{} and {}", n_states(100), n_states(50));
}
