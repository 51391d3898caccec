//! The requirement by whichever method proves first: sound, proved, and as small as it says.

use crate::common;
use crate::common::{is_safe, is_safe_with, network, replays};
use proptest::prelude::*;
use resy_automata::network::Network;
use resy_automata::{Partition, Quotient};
use resy_compose::auto::{AutoOptions, ProvedBy, Quality, Synthesized, synthesize};
use resy_compose::{Conclusion, Split};

const LIMIT: usize = 1_000_000;
const METHODS: [ProvedBy; 4] =
    [ProvedBy::Product, ProvedBy::Refinement, ProvedBy::Folding, ProvedBy::ThroughFolding];

/// One method alone, with a first budget that is soon spent.
fn alone(method: ProvedBy, first_round: usize) -> AutoOptions {
    AutoOptions { methods: vec![method], first_round }
}

fn found(network: &Network, split: &Split, options: &AutoOptions) -> Synthesized {
    synthesize(network, split, options, |_| true).unwrap()
}

/// Whether the checker accepts the proof.
fn is_certified(network: &Network, split: &Split, found: &Synthesized) -> bool {
    let Some(evidence) = found.evidence(network, split, LIMIT) else { return false };
    let certificate = resy_certificate::network::certify(network, evidence).unwrap();
    let derived = resy_certificate::network::derive(&certificate).unwrap();
    let checked = resy_certificate::check(&certificate, &derived);
    // Where the whole network was folded, the requirement is inside the tree.
    let is_inside = found.by == Some(ProvedBy::ThroughFolding);
    checked.is_ok_and(|checked| is_inside || checked.requirements(&network.module).is_ok())
}

/// Whether some image of the requirement with two states joined is still safe.
fn can_be_joined(network: &Network, found: &Synthesized) -> bool {
    let lts = found.requirement.lts();
    let n = lts.n_states();
    (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).any(|(i, j)| {
        let joined = Partition::by_keys((0..n).map(|k| if k == j { i } else { k }));
        is_safe_with(network, Quotient::of(lts, joined).lts())
    })
}

/// Whether a quotient of the module with fewer states is safe: all partitions are tried.
fn has_smaller(network: &Network, split: &Split, n_states: usize) -> bool {
    let module = &split.module.lts;
    let mut todo: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(groups) = todo.pop() {
        if groups.len() == module.n_states() {
            if is_safe_with(network, Quotient::of(module, Partition::by_keys(&groups)).lts()) {
                return true;
            }
            continue;
        }
        let used = groups.iter().max().map_or(0, |group| group + 1);
        let groups_after = (0..=used).filter(|&group| group + 1 < n_states);
        todo.extend(groups_after.map(|group| [&groups[..], &[group]].concat()));
    }
    false
}

fn obeys_the_laws(
    network: &Network,
    split: &Split,
    options: &AutoOptions,
) -> Result<(), TestCaseError> {
    let found = found(network, split, options);
    prop_assert!(!found.is_cancelled);
    match &found.requirement.verdict {
        Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
        Conclusion::Fails(run) => {
            prop_assert!(replays(network, run), "{:?}", run);
            prop_assert_eq!(found.requirement.lts().n_states(), 1);
        }
        Conclusion::Holds => {
            prop_assert!(is_safe(network));
            prop_assert!(is_safe_with(network, found.requirement.lts()));
            prop_assert!(is_certified(network, split, &found));
            if found.quality >= Quality::Irreducible {
                prop_assert!(!can_be_joined(network, &found));
            }
            let n_states = found.requirement.lts().n_states();
            if found.quality == Quality::Smallest && split.module.lts.n_states() <= 6 {
                prop_assert!(!has_smaller(network, split, n_states));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(60)))]

    #[test]
    fn every_method_alone_and_all_together(seed in any::<u64>(), size in 1..=8usize) {
        let network = network(seed, size);
        let split = Split::of(&network, LIMIT).unwrap();
        for first_round in [1, 1_000] {
            for method in METHODS {
                obeys_the_laws(&network, &split, &alone(method, first_round))?;
            }
            let all = AutoOptions { first_round, ..AutoOptions::default() };
            obeys_the_laws(&network, &split, &all)?;
        }
    }
}
