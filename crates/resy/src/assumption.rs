//! Assumptions about the interface of a module, learned or computed.

use crate::assume::{AssumeOptions, Synthesis};
use crate::control::Control;
use crate::problem::Problem;
use resy_automata::lts::{Alphabet, Lts};
use resy_compose::agar::{AgarOptions, abstract_module};
use resy_compose::alphabet::{AssumptionOptions, learn_assumption};
use resy_compose::compact::{compact_assumption, needed_letters};
use resy_compose::learn::{LearnCounts, LearnOptions, LearnerKind, Lesson};
use resy_compose::sides::{WordAutomaton, interface, states_along};
use resy_compose::weakest::weakest_assumption;
use resy_compose::{Conclusion, Requirement};
use resy_index::Id;

/// With more sets of contexts a weakest assumption is about the module's own words only.
const MAX_SETS: usize = 100_000;

/// What a module may do at its interface, and how that was found.
#[derive(Clone, Debug)]
pub struct InterfaceAssumption {
    /// The words that it permits; none if it is an image of the module, as it is for AGAR.
    pub words: Option<PermittedWords>,
    /// The actions that it is about.
    pub alphabet: Alphabet,
    /// The whole interface of the module.
    pub interface: Alphabet,
    /// How many alphabets were tried.
    pub n_alphabets: usize,
    /// The queries, if it was learned.
    pub counts: Option<LearnCounts>,
    /// The counterexamples that shaped it, if it was learned.
    pub lessons: Vec<Lesson>,
    /// The splits of classes, if it is an image of the module.
    pub n_splits: Option<usize>,
    /// Whether it permits everything that keeps the environment safe.
    pub is_weakest: bool,
}

/// A deterministic automaton of words.
#[derive(Clone, Debug)]
pub struct PermittedWords {
    /// The automaton.
    pub automaton: WordAutomaton,
    /// The same as a transition system: what is rejected cannot be done.
    pub lts: Lts,
}

impl InterfaceAssumption {
    fn new(problem: &Problem<'_>, alphabet: Alphabet) -> Self {
        Self {
            words: None,
            alphabet,
            interface: interface(&problem.split),
            n_alphabets: 1,
            counts: None,
            lessons: Vec::new(),
            n_splits: None,
            is_weakest: false,
        }
    }

    fn of_words(problem: &Problem<'_>, automaton: WordAutomaton) -> Self {
        let alphabet = automaton.alphabet().clone();
        let words = PermittedWords { lts: automaton.to_lts(), automaton };
        Self { words: Some(words), ..Self::new(problem, alphabet) }
    }

    /// Whether no deterministic assumption over its alphabet has fewer states.
    pub fn is_smallest(&self) -> bool {
        self.counts.is_some_and(|counts| counts.is_smallest)
    }

    /// The number of hypotheses or splits.
    pub fn n_refinements(&self) -> usize {
        let hypotheses = self.counts.map(|counts| counts.candidates);
        hypotheses.or(self.n_splits).unwrap_or_default()
    }
}

impl PermittedWords {
    /// For each state of [`lts`](Self::lts) the names of the module's states that it may be in with.
    pub(crate) fn members(&self, problem: &Problem<'_>) -> Vec<Vec<String>> {
        let mut members = vec![Vec::new(); self.lts.n_states()];
        for (state, along) in states_along(&problem.split.module.lts, &self.automaton) {
            for number in along.iter().filter_map(|&q| self.automaton.number_in_lts(q)) {
                members[number.index()].push(problem.state_name(state));
            }
        }
        members
    }
}

/// The image of the module that is certified, and the assumption that it comes from.
pub(crate) fn synthesize(
    problem: &Problem<'_>,
    options: &AssumeOptions,
    control: &Control,
) -> (Requirement, Option<InterfaceAssumption>) {
    match options.method {
        Synthesis::Weakest => weakest(problem, control),
        Synthesis::Agar => abstracted(problem, options, control),
        Synthesis::Compact => compacted(problem, control),
        _ => learned(problem, options, control),
    }
}

fn weakest(problem: &Problem<'_>, control: &Control) -> (Requirement, Option<InterfaceAssumption>) {
    let found = weakest_assumption(&problem.split, MAX_SETS, || control.may_go_on());
    let requirement = found.requirement(&problem.split);
    let assumption = found.assumption.map(|automaton| InterfaceAssumption {
        is_weakest: found.is_whole,
        ..InterfaceAssumption::of_words(problem, automaton)
    });
    (requirement, assumption)
}

fn learned(
    problem: &Problem<'_>,
    options: &AssumeOptions,
    control: &Control,
) -> (Requirement, Option<InterfaceAssumption>) {
    let (alphabet, start) = (options.alphabet, options.alphabet_start);
    let learner = match options.method {
        Synthesis::Separating => LearnerKind::Separating,
        _ => LearnerKind::Tree,
    };
    let learning = LearnOptions { learner, ..LearnOptions::default() };
    let learning = AssumptionOptions { learning, alphabet, start };
    let found = learn_assumption(&problem.split, &learning, || control.may_go_on());
    let requirement = found.requirement(&problem.split);
    let assumption = found.assumption.map(|automaton| InterfaceAssumption {
        n_alphabets: found.alphabets.len(),
        counts: Some(found.counts),
        lessons: found.lessons,
        ..InterfaceAssumption::of_words(problem, automaton)
    });
    (requirement, assumption)
}

fn abstracted(
    problem: &Problem<'_>,
    options: &AssumeOptions,
    control: &Control,
) -> (Requirement, Option<InterfaceAssumption>) {
    let (alphabet, start) = (options.alphabet, options.alphabet_start);
    let agar = AgarOptions { alphabet, start, ..AgarOptions::default() };
    let found = abstract_module(&problem.split, &agar, || control.may_go_on());
    let requirement = found.requirement(&problem.split);
    let alphabet = found.alphabets.last().cloned().unwrap_or_default();
    let assumption = found.partition.map(|_| InterfaceAssumption {
        n_alphabets: found.alphabets.len(),
        n_splits: Some(found.n_splits),
        ..InterfaceAssumption::new(problem, alphabet)
    });
    (requirement, assumption)
}

fn compacted(
    problem: &Problem<'_>,
    control: &Control,
) -> (Requirement, Option<InterfaceAssumption>) {
    let found = compact_assumption(&problem.split, || control.may_go_on());
    let requirement = found.requirement(&problem.split);
    if found.verdict != Conclusion::Holds {
        return (requirement, None);
    }
    let bad = |word| Lesson { word, is_good: false };
    let base = match found.automaton {
        Some(automaton) => InterfaceAssumption::of_words(problem, automaton.over_needed_letters()),
        None => {
            let alphabet = needed_letters(requirement.lts(), &interface(&problem.split));
            InterfaceAssumption::new(problem, alphabet)
        }
    };
    let (n_splits, lessons) =
        (Some(found.n_splits), found.bad_words.into_iter().map(bad).collect());
    (requirement, Some(InterfaceAssumption { n_splits, lessons, ..base }))
}
