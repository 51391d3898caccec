//! The engines that are compared, and what one run of one of them took.

use super::case::PeerCase;
use super::clock::Moment;
use super::memory;
use resy_automata::partition::Partition;
use resy_automata::product::oldest_first;
use resy_compose::agar::{AgarEdges, AgarOptions, abstract_module, merged_module, needed_alphabet};
use resy_compose::alphabet::{AlphabetChoice, AlphabetStart, AssumptionOptions, learn_assumption};
use resy_compose::auto::{AutoOptions, synthesize};
use resy_compose::compact::{compact_assumption, needed_letters};
use resy_compose::learn::{LearnOptions, LearnerKind};
use resy_compose::levels::learn_levels;
use resy_compose::refine::{self, alternating};
use resy_compose::sides::interface;
use resy_compose::weakest::weakest_assumption;
use resy_compose::{Conclusion, Split, cegar, explicit};
use std::time::{Duration, Instant};

/// What is compared.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum PeerEngine {
    /// L* with an observation table; T1 and T2 if asked for.
    Table(AlphabetChoice, AlphabetStart, bool),
    /// The discrimination tree, T1 and T2.
    Tree(AlphabetChoice, AlphabetStart),
    /// Abstraction of the module.
    Agar(AgarEdges, AlphabetChoice),
    /// The subset construction.
    Weakest,
    /// The requirement that `assume` finds by default.
    Auto,
    /// An abstraction over a small alphabet, merged while the proof holds; the actions that it needs.
    Merged,
    /// Abstractions of all components together, the module's made small.
    Ours,
    /// A smallest separating automaton, over an alphabet that grows backward.
    Separating,
    /// Learning over all components, a level for each: the discrimination tree, T1 and T2.
    Levels(AlphabetChoice),
    /// The verdict by refinement of all components.
    Network,
    /// The verdict by refinement of the environment.
    Requirement,
    /// The verdict by the product of all components.
    Product,
}

use AlphabetChoice::{AllDiff, Backward, Forward, Minimal, Whole};
use AlphabetStart::{Empty, Property};

/// All engines, in the order of the columns.
pub(super) const ENGINES: &[PeerEngine] = &[
    PeerEngine::Table(Whole, Property, false),
    PeerEngine::Table(Whole, Property, true),
    PeerEngine::Table(Backward, Property, false),
    PeerEngine::Table(Forward, Property, false),
    PeerEngine::Table(AllDiff, Property, false),
    PeerEngine::Tree(Whole, Property),
    PeerEngine::Tree(Backward, Property),
    PeerEngine::Tree(Backward, Empty),
    PeerEngine::Tree(Minimal, Empty),
    PeerEngine::Separating,
    PeerEngine::Levels(Whole),
    PeerEngine::Levels(Backward),
    PeerEngine::Agar(AgarEdges::Closure, Whole),
    PeerEngine::Agar(AgarEdges::Closure, Backward),
    PeerEngine::Agar(AgarEdges::Plain, Whole),
    PeerEngine::Agar(AgarEdges::Plain, Backward),
    PeerEngine::Weakest,
    PeerEngine::Auto,
    PeerEngine::Merged,
    PeerEngine::Ours,
    PeerEngine::Network,
    PeerEngine::Requirement,
    PeerEngine::Product,
];

impl PeerEngine {
    /// The heading of its column.
    pub(super) fn name(self) -> String {
        match self {
            Self::Table(alphabet, start, better) => {
                let with = if better { " T1 T2" } else { "" };
                format!("L*{} {}{}", with, alphabet.name(), from(alphabet, start))
            }
            Self::Tree(alphabet, start) => {
                format!("tree {}{}", alphabet.name(), from(alphabet, start))
            }
            Self::Agar(AgarEdges::Closure, alphabet) => format!("AGAR {}", alphabet.name()),
            Self::Agar(AgarEdges::Plain, alphabet) => format!("plain AGAR {}", alphabet.name()),
            Self::Weakest => "weakest".to_owned(),
            Self::Auto => "requirement".to_owned(),
            Self::Merged => "plain AGAR merged".to_owned(),
            Self::Ours => "ours".to_owned(),
            Self::Separating => "separating backward".to_owned(),
            Self::Levels(alphabet) => format!("n levels {}", alphabet.name()),
            Self::Network => "check network".to_owned(),
            Self::Requirement => "check requirement".to_owned(),
            Self::Product => "check product".to_owned(),
        }
    }

    /// Whether it finds an assumption, not only a verdict.
    pub(super) fn finds_assumption(self) -> bool {
        !matches!(self, Self::Requirement | Self::Product | Self::Network)
    }
}

fn from(alphabet: AlphabetChoice, start: AlphabetStart) -> &'static str {
    match (alphabet, start) {
        (Whole | Minimal, _) => "",
        (_, Property) => " from αP",
        (_, Empty) => " from ∅",
    }
}

/// One run of an engine.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub engine: PeerEngine,
    pub verdict: Conclusion,
    /// The states of the assumption: those that accept, or classes.
    pub states: usize,
    /// The states of the image of the module that is certified.
    pub image: usize,
    pub letters: usize,
    /// Membership and candidate queries.
    pub queries: Option<(usize, usize)>,
    pub elapsed: Duration,
    /// Kilobytes of memory beyond what was in use before.
    pub memory: Option<u64>,
}

impl Measured {
    /// Whether it has answered, or has reached the limit; every case study holds.
    pub(super) fn is_right(&self) -> bool {
        !matches!(self.verdict, Conclusion::Fails(_))
    }

    pub(super) fn holds(&self) -> bool {
        self.verdict == Conclusion::Holds
    }
}

/// Short runs are repeated within this time, and so often at most; the shortest counts. A long one is not.
const REPEATED: Duration = Duration::from_millis(100);
const MOST_RUNS: usize = 40;

/// Runs an engine on a case: the shortest of several runs, the memory of the first.
pub(super) fn measure(engine: PeerEngine, case: &PeerCase, limit: Duration) -> Measured {
    let before = memory::reset();
    let mut best = run(engine, case, limit);
    best.memory = memory::peak().zip(before).map(|(peak, before)| peak.saturating_sub(before));
    let start = Instant::now();
    for _ in 1..MOST_RUNS {
        if start.elapsed() + best.elapsed > REPEATED || best.verdict == Conclusion::Interrupted {
            break;
        }
        best.elapsed = best.elapsed.min(run(engine, case, limit).elapsed);
    }
    best
}

/// Runs an engine once.
fn run(engine: PeerEngine, case: &PeerCase, limit: Duration) -> Measured {
    let start = Moment::now();
    let in_time = || start.elapsed() < limit;
    let split = &case.split;
    let mut found = Measured {
        engine,
        verdict: Conclusion::Interrupted,
        states: 0,
        image: 0,
        letters: 0,
        queries: None,
        elapsed: Duration::ZERO,
        memory: None,
    };
    match engine {
        PeerEngine::Table(..) | PeerEngine::Tree(..) | PeerEngine::Separating => {
            let learned = learn_assumption(split, &options(engine), in_time);
            found.elapsed = start.elapsed();
            let automaton = learned.assumption.as_ref();
            found.states = automaton.map_or(learned.counts.largest, |a| a.n_accepting());
            found.letters = automaton.map_or(0, |a| a.alphabet().len());
            found.queries = Some((learned.counts.membership, learned.counts.candidates));
            found.image = learned.requirement(split).lts().n_states();
            found.verdict = learned.verdict;
        }
        PeerEngine::Agar(edges, alphabet) => {
            let options = AgarOptions { edges, alphabet, start: Property };
            let abstracted = abstract_module(split, &options, in_time);
            found.elapsed = start.elapsed();
            found.states = abstracted.n_classes;
            found.image = abstracted.requirement(split).lts().n_states();
            found.letters = abstracted.alphabets.last().map_or(0, |alphabet| alphabet.len());
            found.verdict = abstracted.verdict;
        }
        PeerEngine::Weakest => {
            let weakest = weakest_assumption(split, 1_000_000, in_time);
            found.elapsed = start.elapsed();
            let automaton = weakest.assumption.as_ref();
            found.states = automaton.map_or(0, |a| a.n_accepting());
            found.letters = automaton.map_or(0, |a| a.alphabet().len());
            found.image = weakest.requirement(split).lts().n_states();
            found.verdict = weakest.verdict;
        }
        PeerEngine::Auto => auto(case, &mut found, limit),
        PeerEngine::Merged => merged(case, &mut found, limit),
        PeerEngine::Ours => ours(case, &mut found, limit),
        PeerEngine::Levels(_) => {
            let levels = learn_levels(&case.network, &options(engine), in_time);
            found.elapsed = start.elapsed();
            let Ok(levels) = levels else { return found };
            found.states = levels.counts.largest;
            found.letters = levels.assumption.as_ref().map_or(0, |a| a.alphabet().len());
            found.queries = Some((levels.counts.membership, levels.counts.candidates));
            found.image = found.states;
            found.verdict = levels.verdict;
        }
        PeerEngine::Network => {
            let Ok(split) = Split::without_module(&case.network) else { return found };
            found.verdict = cegar::check(&split, |_| in_time()).verdict;
            found.elapsed = start.elapsed();
        }
        PeerEngine::Requirement => {
            found.verdict = refine::check(split, alternating, |_| in_time()).verdict;
            found.elapsed = start.elapsed();
        }
        PeerEngine::Product => {
            found.verdict = explicit::check(&case.network, oldest_first, |_| in_time());
            found.elapsed = start.elapsed();
        }
    }
    found
}

fn options(engine: PeerEngine) -> AssumptionOptions {
    let (learner, better, alphabet, start) = match engine {
        PeerEngine::Table(alphabet, start, better) => (LearnerKind::Table, better, alphabet, start),
        PeerEngine::Tree(alphabet, start) => (LearnerKind::Tree, true, alphabet, start),
        PeerEngine::Levels(alphabet) => (LearnerKind::Tree, true, alphabet, Property),
        PeerEngine::Separating => (LearnerKind::Separating, true, Backward, Property),
        _ => (LearnerKind::Tree, true, Whole, Property),
    };
    let learning = LearnOptions { learner, reuse: better, selective: better, early: better };
    AssumptionOptions { learning, alphabet, start }
}

/// The requirement by default.
fn auto(case: &PeerCase, found: &mut Measured, limit: Duration) {
    let start = Moment::now();
    let options = AutoOptions::default();
    let in_time = || start.elapsed() < limit;
    let made = synthesize(&case.network, &case.split, &options, |_| in_time());
    found.elapsed = start.elapsed();
    let Ok(made) = made else { return };
    found.states = made.requirement.lts().n_states();
    found.image = found.states;
    found.letters = case.split.module.lts.alphabet().len();
    found.verdict = made.requirement.verdict;
}

/// The merged abstraction, and afterwards the actions that it needs.
fn merged(case: &PeerCase, found: &mut Measured, limit: Duration) {
    let start = Moment::now();
    let merged = merged_module(&case.split, &AgarOptions::default(), || start.elapsed() < limit);
    found.elapsed = start.elapsed();
    (found.states, found.image) = (merged.n_classes, merged.n_classes);
    found.letters = merged.partition.map_or(0, |partition| needed(case, &partition, limit));
    found.verdict = merged.verdict;
}

/// The compact assumption, with the actions that `assume` says matter: to find out which are needed takes a search of the
/// whole environment for each, which the assumption did without.
fn ours(case: &PeerCase, found: &mut Measured, limit: Duration) {
    let start = Moment::now();
    let compact = compact_assumption(&case.split, || start.elapsed() < limit);
    found.elapsed = start.elapsed();
    let image = compact.requirement(&case.split).quotient;
    (found.states, found.image) = (compact.n_states, image.lts().n_states());
    found.letters = match (&compact.automaton, &compact.verdict) {
        (Some(automaton), _) => automaton.needed_letters().len(),
        (None, Conclusion::Holds) => needed_letters(image.lts(), &interface(&case.split)).len(),
        (None, _) => 0,
    };
    found.verdict = compact.verdict;
}

fn needed(case: &PeerCase, partition: &Partition, limit: Duration) -> usize {
    let start = Moment::now();
    let needed = needed_alphabet(&case.split, partition, || start.elapsed() < limit);
    needed.map_or(0, |alphabet| alphabet.len())
}
