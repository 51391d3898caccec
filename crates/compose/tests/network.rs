//! Refinement of all components at once decides like the product, and its proofs are proofs.

mod common;

use common::{is_safe, network, replays};
use proptest::prelude::*;
use resy_automata::Quotient;
use resy_automata::network::{Component, Network};
use resy_compose::network::check;
use resy_compose::refine::Checked;
use resy_compose::{Split, Verdict, evidence};

/// Whether the proof of a check is accepted.
fn certified(network: &Network, split: &Split, checked: &Checked) -> bool {
    let Some(proof) = evidence::of_check(split, checked, 1_000_000) else { return false };
    let certificate = resy_certificate::network::certify(network, proof).unwrap();
    let derived = resy_certificate::network::derive(&certificate).unwrap();
    resy_certificate::check(&certificate, &derived).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(1000)))]

    #[test]
    fn a_check_of_all_components_decides(
        seed in any::<u64>(),
        size in prop_oneof![9 => 1..=8usize, 1 => 9..=40usize],
    ) {
        let network = network(seed, size);
        let mut steps = 0;
        let split = Split::without_module(&network).unwrap();
        let checked = check(&split, |progress| {
            steps = progress.steps;
            true
        });
        let most: usize = network.components.iter().map(|c| c.lts.n_states() - 1).sum();
        prop_assert!(steps <= most, "{} splits of {}", steps, most);
        match checked.verdict.clone() {
            Verdict::Interrupted => prop_assert!(false, "nobody has said no"),
            Verdict::Fails(trace) => prop_assert!(replays(&network, &trace)),
            Verdict::Holds => {
                prop_assert!(certified(&network, &split, &checked));
                let pairs = network.components.iter().zip(checked.partitions);
                let quotients = pairs.map(|(component, partition)| Component {
                    lts: Quotient::of(&component.lts, partition).into_lts(),
                    ..component.clone()
                });
                let quotients = Network { components: quotients.collect(), ..network.clone() };
                prop_assert!(is_safe(&quotients) && is_safe(&network));
            }
        }
    }
}
