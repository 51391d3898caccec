//! Refinement of all components at once decides like the product, and its proofs are proofs.

use crate::common;
use crate::common::{Random, flat_network, groups, is_safe, network, replays};
use proptest::prelude::*;
use resy_automata::Quotient;
use resy_automata::lts::{Label, StateId};
use resy_automata::network::{Component, Network};
use resy_compose::cegar::check;
use resy_compose::obligations::{self, obligations, restricted};
use resy_compose::refine::RefineOutcome;
use resy_compose::{Conclusion, Split, evidence};

/// Whether the proof of a check is accepted.
fn certified(network: &Network, split: &Split, checked: &RefineOutcome) -> bool {
    let Some(found) = evidence::of_check(split, checked, 1_000_000) else { return false };
    let certificate = resy_certificate::network::certify(network, found).unwrap();
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
            Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
            Conclusion::Fails(trace) => prop_assert!(replays(&network, &trace)),
            Conclusion::Holds => {
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

    #[test]
    fn a_network_is_safe_if_it_meets_each_obligation(
        seed in any::<u64>(),
        size in 1..=20usize,
        is_flat in any::<bool>(),
    ) {
        let network = if is_flat { flat_network(seed, size) } else { network(seed, size) };
        let split = Split::without_module(&network).unwrap();
        // One by one, and in arbitrary groups.
        let groups = groups(&split.monitor, &mut Random::new(seed));
        for obligations in [obligations(&split), groups] {
            let mut is_all_met = true;
            for about in &obligations {
                let monitor = Some(restricted(&split.monitor, about));
                let one = Network { monitor, ..network.clone() };
                let split = Split::without_module(&one).unwrap();
                let verdict = check(&split, |_| true).verdict;
                prop_assert_eq!(verdict == Conclusion::Holds, is_safe(&one));
                if let Conclusion::Fails(trace) = verdict {
                    is_all_met = false;
                    prop_assert!(replays(&network, &trace));
                    let last = trace.last().map(|step| step.label());
                    prop_assert!(last.is_none_or(|label| about.covers(label)));
                }
            }
            prop_assert_eq!(is_all_met, is_safe(&network));
        }
        let mut n_proved = 0;
        match obligations::check(&split, |_| true, |_, _| n_proved += 1) {
            Conclusion::Holds => prop_assert_eq!(n_proved, obligations(&split).len()),
            Conclusion::Fails(trace) => prop_assert!(replays(&network, &trace)),
            Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
        }
    }
}

/// Actions that err from everywhere are together if the same components take part; all others are
/// together.
#[test]
fn obligations_are_grouped_by_who_takes_part() {
    let flat = (0..200).map(|seed| flat_network(seed, 5));
    let mut n_several = [0, 0];
    for network in flat.chain((0..200).map(|seed| network(seed, 5))) {
        let split = Split::without_module(&network).unwrap();
        let monitor = &split.monitor;
        let watching = || monitor.lts.states().filter(|&state| state != monitor.error);
        let errs = |state: StateId, label: Label| {
            monitor.lts.transitions_by(state, label).iter().any(|t| t.1 == monitor.error)
        };
        let labels = monitor.lts.alphabet().iter().map(Label::Visible);
        let errors: Vec<Label> =
            labels.filter(|&label| watching().any(|state| errs(state, label))).collect();
        let takes_part = |c: &Component, label: Label| {
            label.action().is_some_and(|action| c.lts.alphabet().contains(action))
        };
        let who = |label: Label| -> Option<Vec<bool>> {
            let is_forbidden = watching().all(|state| errs(state, label));
            is_forbidden.then(|| network.components.iter().map(|c| takes_part(c, label)).collect())
        };
        let found = obligations(&split);
        n_several[usize::from(monitor.lts.n_states() > 2)] += usize::from(found.len() > 1);
        for (&a, &b) in errors.iter().flat_map(|a| errors.iter().map(move |b| (a, b))) {
            let together = found.iter().any(|about| about.covers(a) && about.covers(b));
            assert_eq!(together, who(a) == who(b));
        }
    }
    assert!(n_several[0] > 70 && n_several[1] > 5, "{n_several:?}");
}
