//! Learned assumptions decide like the product, their images are certified, and their sizes are those
//! of the papers.

use crate::case_study::case_study;
use crate::common::{self, Random, is_safe, network, replays};
use proptest::prelude::*;
use resy_automata::lts::{ActionId, Alphabet, StateId};
use resy_automata::network::Network;
use resy_automata::product::{Entered, Explorer, ProductSearch, search_while};
use resy_compose::alphabet::{
    AlphabetChoice, AlphabetStart, AssumptionOptions, LearnedAssumption, learn_assumption,
};
use resy_compose::learn::{LearnOptions, LearnerKind};
use resy_compose::sides::{WordAutomaton, WordState, interface, states_along};
use resy_compose::weakest::weakest_assumption;
use resy_compose::{Conclusion, Requirement, Split, evidence, naive};
use std::collections::BTreeSet;

/// Whether the checker accepts the image of the module as a proof.
pub fn is_certified(network: &Network, split: &Split, requirement: &Requirement) -> bool {
    let Some(found) = evidence::of_requirement(split, requirement, 1_000_000) else { return false };
    let certificate = resy_certificate::network::certify(network, found).unwrap();
    let derived = resy_certificate::network::derive(&certificate).unwrap();
    resy_certificate::check(&certificate, &derived).is_ok()
}

/// A random word over the interface.
pub fn random_word(letters: &Alphabet, random: &mut Random) -> Vec<ActionId> {
    let letters: Vec<ActionId> = letters.iter().collect();
    let length = if letters.is_empty() { 0 } else { random.below(9) };
    (0..length).map(|_| letters[random.below(letters.len())]).collect()
}

pub fn learned(split: &Split, options: &AssumptionOptions) -> LearnedAssumption {
    learn_assumption(split, options, || true)
}

/// All learners, with and without T1, T2 and the early conflict.
fn all_options() -> impl Iterator<Item = AssumptionOptions> {
    let learners = [LearnerKind::Table, LearnerKind::Tree, LearnerKind::Separating];
    learners.into_iter().flat_map(|learner| {
        (0..8).map(move |bits| {
            let is_set = |bit: usize| bits >> bit & 1 == 1;
            let (reuse, selective, early) = (is_set(0), is_set(1), is_set(2));
            let learning = LearnOptions { learner, reuse, selective, early };
            let (alphabet, start) = (AlphabetChoice::Whole, AlphabetStart::Property);
            AssumptionOptions { learning, alphabet, start }
        })
    })
}

/// What is wrong with an automaton of good words, if something is: one rejecting state at most, which
/// absorbs.
fn is_monitor(automaton: &WordAutomaton) -> bool {
    let states = 0..automaton.states().len();
    let mut rejecting = states.filter(|&state| automaton.rejects_at(state));
    rejecting.all(|state| automaton.row(state).all(|(_, to)| to == state))
}

/// Whether both premises hold of an automaton, by searches of whole products.
fn is_assumption(split: &Split, automaton: &WordAutomaton) -> bool {
    let along = states_along(&split.module.lts, automaton);
    let rejects = |states: &BTreeSet<usize>| states.iter().any(|&q| automaton.rejects_at(q));
    if along.iter().any(|(_, states)| rejects(states)) {
        return false;
    }
    let constraint = automaton.to_lts();
    let systems = [&constraint].into_iter().chain(split.context_systems()).collect();
    let error = split.monitor.error;
    let enter = |state: &[StateId]| match state.last() == Some(&error) {
        true => Entered::Found(()),
        false => Entered::Follow,
    };
    let found = search_while(&Explorer::new(systems), enter, |_, _| None, |_| true);
    matches!(found, Some(ProductSearch::Complete(_)))
}

/// Whether an automaton with one state less is an assumption: all are tried, if they are few.
fn has_smaller(split: &Split, found: &WordAutomaton) -> bool {
    let letters: Vec<ActionId> = found.alphabet().iter().collect();
    let Some(n) = found.n_accepting().checked_sub(1).filter(|&n| n > 0) else { return false };
    let n_entries = u32::try_from(n * letters.len()).unwrap();
    let Some(n_all) = (n + 1).checked_pow(n_entries).filter(|&all| all <= 1_000) else {
        return false;
    };
    (0..n_all).any(|mut code| {
        let mut states: Vec<WordState> = Vec::new();
        for _ in 0..n {
            let mut state = WordState::default();
            for &letter in &letters {
                state.next.insert(letter, code % (n + 1));
                code /= n + 1;
            }
            states.push(state);
        }
        states.push(WordState { others: Some(n), ..WordState::default() });
        is_assumption(split, &WordAutomaton::new(found.alphabet().clone(), states, Some(n)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(150)))]

    #[test]
    fn every_learner_decides_like_the_product(seed in any::<u64>(), size in 1..=7usize) {
        let network = network(seed, size);
        let split = Split::of(&network, 100_000).unwrap();
        let letters = interface(&split);
        let mut random = Random::new(seed);
        let words: Vec<_> = (0..20).map(|_| random_word(&letters, &mut random)).collect();
        let weakest = weakest_assumption(&split, usize::MAX, || true);
        for options in all_options() {
            let found = learned(&split, &options);
            match &found.verdict {
                Conclusion::Interrupted => prop_assert!(false, "it was not cancelled"),
                Conclusion::Fails(run) => prop_assert!(replays(&network, run)),
                Conclusion::Holds => {
                    let assumption = found.assumption.as_ref().unwrap();
                    prop_assert!(is_safe(&network) && is_monitor(assumption));
                    for word in &words {
                        let is_good = naive::is_good(&split, word, &letters);
                        prop_assert!(is_good || !assumption.accepts(word), "{:?}", word);
                    }
                    let largest = weakest.assumption.as_ref().unwrap().n_accepting();
                    prop_assert!(assumption.n_accepting() <= largest);
                    prop_assert!(found.counts.largest <= largest);
                    if options.learning.learner == LearnerKind::Separating {
                        prop_assert!(found.counts.is_smallest);
                        prop_assert!(!has_smaller(&split, assumption), "{:?}", assumption);
                    }
                    prop_assert!(is_certified(&network, &split, &found.requirement(&split)));
                }
            }
        }
    }
}

fn whole(learner: LearnerKind) -> AssumptionOptions {
    let learning = LearnOptions { learner, ..LearnOptions::default() };
    AssumptionOptions { learning, alphabet: AlphabetChoice::Whole, ..Default::default() }
}

/// Gheorghiu et al., section 3: 8 states over the whole interface of 8 actions.
#[test]
fn client_server_needs_eight_states() {
    let (network, split) = case_study("client_server", None, &["SERVER"]);
    assert_eq!(interface(&split).len(), 8);
    for learner in [LearnerKind::Table, LearnerKind::Tree] {
        let found = learned(&split, &whole(learner));
        assert_eq!(found.verdict, Conclusion::Holds);
        let assumption = found.assumption.as_ref().unwrap();
        assert_eq!(assumption.n_accepting(), 8, "{:?}", found.counts);
        assert!(is_certified(&network, &split, &found.requirement(&split)));
    }
}

/// Fewer queries with T2, and fewer with the tree.
#[test]
fn selective_queries_are_fewer() {
    let (_, split) = case_study("client_server", None, &["SERVER"]);
    let queries = |learner, selective| {
        let learning = LearnOptions { learner, selective, ..LearnOptions::default() };
        let alphabet = AlphabetChoice::Whole;
        let options = AssumptionOptions { learning, alphabet, ..Default::default() };
        learned(&split, &options).counts.membership
    };
    let [table, tree] = [LearnerKind::Table, LearnerKind::Tree]
        .map(|learner| (queries(learner, false), queries(learner, true)));
    assert!(table.1 * 2 < table.0 && tree.1 * 2 < tree.0, "{table:?} {tree:?}");
    assert!(tree.0 < table.0 && tree.1 < table.1, "{table:?} {tree:?}");
}

/// The input-output example: two states.
#[test]
fn input_output_needs_two_states() {
    let (network, split) = case_study("io", None, &["OUTPUT"]);
    let found = learned(&split, &whole(LearnerKind::Table));
    assert_eq!(found.assumption.as_ref().unwrap().n_accepting(), 2);
    assert!(is_certified(&network, &split, &found.requirement(&split)));
}

/// Cancelling is obeyed, and nothing is claimed then.
#[test]
fn learning_can_be_cancelled() {
    let (_, split) = case_study("gas_station", Some(3), &["PUMP(1)", "OPERATOR"]);
    let mut n_polls = 0;
    let found = learn_assumption(&split, &whole(LearnerKind::Table), || {
        n_polls += 1;
        n_polls < 20
    });
    assert_eq!(found.verdict, Conclusion::Interrupted);
    assert_eq!(n_polls, 20);
    assert!(found.assumption.is_none());
}

/// Random networks on which the search for smallest automata spent its budget: when it followed words to their ends, and,
/// the last one, of nine states over five letters, when a million branches were the budget.
#[test]
fn smallest_automata_are_found_within_the_budget() {
    let hard = [
        (9_794_161_630_328_601_848, 6, 0, 6),
        (5_919_162_906_918_563_875, 7, 0, 4),
        (2_838_134_550_096_795_446, 7, 1, 9),
    ];
    for (seed, size, n_environment, n_states) in hard {
        let mut network = network(seed, size);
        if n_environment > 0 {
            network.module = network.components.ids().skip(n_environment).collect();
        }
        let split = Split::of(&network, 100_000).unwrap();
        let found = learned(&split, &whole(LearnerKind::Separating));
        assert!(found.counts.is_smallest, "{:?}", found.counts);
        assert_eq!(found.assumption.map(|found| found.n_accepting()), Some(n_states));
    }
}
