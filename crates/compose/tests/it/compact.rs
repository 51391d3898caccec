//! Compact assumptions decide like the product, are certified, and no deterministic assumption is smaller.

use crate::case_study::case_study;
use crate::common::{self, is_safe, network, replays};
use crate::learn::{is_certified, learned};
use proptest::prelude::*;
use resy_automata::lts::{ActionId, Label, Lts, LtsBuilder};
use resy_automata::network::Network;
use resy_automata::product::{Entered, Explorer, ProductSearch, search_while};
use resy_compose::alphabet::{AlphabetChoice, AssumptionOptions};
use resy_compose::compact::compact_assumption;
use resy_compose::learn::{LearnOptions, LearnerKind};
use resy_compose::{Conclusion, Split};

/// The system that can do one word, and then nothing.
fn only(word: &[ActionId], like: &Lts) -> Lts {
    let mut builder = LtsBuilder::new();
    let initial = builder.add_state();
    let mut now = initial;
    for &action in word {
        let next = builder.add_state();
        builder.add_transition(now, Label::Visible(action), next);
        now = next;
    }
    builder.finish(initial, like.alphabet().clone())
}

/// Whether the environment can err with another module.
fn errs_with(split: &Split, module: &Lts) -> bool {
    let systems = [module].into_iter().chain(split.context_systems()).collect();
    let enter = |state: &[_]| match state.last() == Some(&split.monitor.error) {
        true => Entered::Found(()),
        false => Entered::Follow,
    };
    let found = search_while(&Explorer::new(systems), enter, |_, _| None, |_| true);
    !matches!(found, Some(ProductSearch::Complete(_)))
}

/// The states of a smallest deterministic assumption over the whole interface.
fn smallest(split: &Split) -> Option<usize> {
    let learning = LearnOptions { learner: LearnerKind::Separating, ..LearnOptions::default() };
    let alphabet = AlphabetChoice::Whole;
    let found = learned(split, &AssumptionOptions { learning, alphabet, ..Default::default() });
    found.assumption.filter(|_| found.counts.is_smallest).map(|found| found.n_accepting())
}

fn is_right(network: &Network, split: &Split) -> Result<(), TestCaseError> {
    let found = compact_assumption(split, || true);
    let module = &split.module.lts;
    prop_assert!(found.bad_words.iter().all(|word| errs_with(split, &only(word, module))));
    match &found.verdict {
        Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
        Conclusion::Fails(run) => prop_assert!(replays(network, run), "{:?}", run),
        Conclusion::Holds => {
            prop_assert!(is_safe(network));
            let requirement = found.requirement(split);
            prop_assert!(is_certified(network, split, &requirement));
            prop_assert!(!errs_with(split, requirement.lts()));
            let least = smallest(split).unwrap_or(usize::MAX);
            let is_right = found.n_states <= least || !found.is_smallest;
            prop_assert!(is_right, "{} against {least}", found.n_states);
            let n_classes = found.partition.as_ref().map(|partition| partition.n_blocks());
            let n_states = found.automaton.as_ref().map(|automaton| automaton.n_accepting());
            prop_assert_eq!(n_states.or(n_classes), Some(found.n_states));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(300)))]

    #[test]
    fn a_compact_assumption_decides_like_the_product(seed in any::<u64>(), size in 1..=7usize) {
        let network = network(seed, size);
        is_right(&network, &Split::of(&network, 100_000).unwrap())?;
    }

    /// A module that is large beside its interface: automata come first.
    #[test]
    fn an_assumption_about_a_large_module_decides_like_the_product(
        seed in any::<u64>(),
        size in 3..=7usize,
    ) {
        let mut network = network(seed, size);
        network.module = network.components.ids().skip(1).collect();
        is_right(&network, &Split::of(&network, 100_000).unwrap())?;
    }
}

/// The papers' examples: no engine of theirs has fewer states.
#[test]
fn case_studies_have_compact_assumptions() {
    let cases: [(&str, Option<usize>, &[&str], usize); 5] = [
        ("client_server", None, &["SERVER"], 2),
        ("io", None, &["OUTPUT"], 2),
        ("gas_station", Some(3), &["PUMP(1)", "OPERATOR"], 3),
        ("mer", Some(2), &["USER(2)", "ARBITER"], 3),
        ("rover", None, &["CHECKER", "MUTEX"], 2),
    ];
    for (name, size, module, most) in cases {
        let (network, split) = case_study(name, size, module);
        let found = compact_assumption(&split, || true);
        assert_eq!(found.verdict, Conclusion::Holds, "{name}");
        assert!(found.n_states <= most, "{name}: {}", found.n_states);
        assert!(is_certified(&network, &split, &found.requirement(&split)), "{name}");
    }
}

/// Cancelling is obeyed, and nothing is claimed then.
#[test]
fn compaction_can_be_cancelled() {
    let (_, split) = case_study("gas_station", Some(4), &["PUMP(1)", "OPERATOR"]);
    let found = compact_assumption(&split, || false);
    assert_eq!((found.verdict, found.partition), (Conclusion::Interrupted, None));
}
