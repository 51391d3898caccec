//! Which actions of the interface an assumption is about.
//!
//! A small alphabet makes small assumptions, but what is outside it either side may do alone: a
//! conflict of the two sides over `Σ` need not be a run of the network. Then the alphabet grows by
//! what tells the two traces apart.
//!
//! ```text
//! Σ = αP ∩ Σ_I, or ∅
//! loop
//!   learn over Σ                                     holds: done
//!   conflict (t of M, c of Q)
//!     c follows t over Σ_I, or t follows c:          violated, by the run of both together
//!     Σ = Σ ∪ D(t↓Σ_I, c↓Σ_I)
//! ```
//!
//! Both words have the same projection to `Σ` and differ, so that `D` adds a letter: at most `|Σ_I|`
//! rounds. Source: Gheorghiu, Giannakopoulou, Păsăreanu (TACAS 2007); smallest alphabets: Chaki,
//! Strichman (TACAS 2007).

mod difference;
mod hitting;
mod minimal;

pub use difference::AlphabetChoice;
pub use minimal::naive_minimal;

pub(crate) use minimal::Obstacles;

use crate::cancellation::Cancellation;
use crate::learn::{Conflict, LearnCounts, LearnOptions, Learned, Lesson, Teacher, learn};
use crate::requirement::{Conclusion, Requirement};
use crate::sides::{
    EnvironmentSide, EnvironmentSystems, Fallible, ModuleSide, SplitModule, Trace, WordAutomaton,
    image, interface, merge, project, watched_interface,
};
use crate::split::Split;
use resy_automata::lts::Alphabet;

/// Where the alphabet begins.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum AlphabetStart {
    /// With what the property watches of the interface.
    #[default]
    Property,
    /// With nothing.
    Empty,
}

/// How an assumption is learned.
#[derive(Copy, Clone, Debug, Default)]
pub struct AssumptionOptions {
    /// How words are learned.
    pub learning: LearnOptions,
    /// How the alphabet is found.
    pub alphabet: AlphabetChoice,
    /// Where it begins.
    pub start: AlphabetStart,
}

/// An assumption of a split, or why there is none.
#[derive(Clone, Debug)]
pub struct LearnedAssumption {
    /// The conclusion about the property.
    pub verdict: Conclusion,
    /// The assumption, if the property holds.
    pub assumption: Option<WordAutomaton>,
    /// What it took: sums over all alphabets, and the largest hypothesis.
    pub counts: LearnCounts,
    /// The alphabets tried, the last one included.
    pub alphabets: Vec<Alphabet>,
    /// The counterexamples that shaped the assumption.
    pub lessons: Vec<Lesson>,
}

/// Learns an assumption of the module of a split; `Interrupted` if `go_on` cancels.
pub fn learn_assumption(
    split: &Split,
    options: &AssumptionOptions,
    go_on: impl FnMut() -> bool,
) -> LearnedAssumption {
    let cancellation = Cancellation::new(go_on);
    let systems = EnvironmentSystems::of(split);
    let mut environment = EnvironmentSide::new(&systems, interface(split), &cancellation);
    let mut module = SplitModule::new(&split.module, &cancellation);
    let mut found = LearnedAssumption::unknown();
    let start = match (options.alphabet, options.start) {
        (AlphabetChoice::Whole, _) => interface(split),
        (AlphabetChoice::Minimal, _) | (_, AlphabetStart::Empty) => Alphabet::default(),
        (_, AlphabetStart::Property) => watched_interface(split),
    };
    if let Ok(outcome) = refine(start, options, &mut environment, &mut module, &mut found) {
        (found.verdict, found.assumption) = match outcome {
            Outcome::Holds(assumption) => (Conclusion::Holds, Some(assumption)),
            Outcome::Fails(run) => (Conclusion::Fails(run), None),
        };
    }
    found
}

impl LearnedAssumption {
    /// Nothing is known yet.
    pub(crate) fn unknown() -> Self {
        Self {
            verdict: Conclusion::Interrupted,
            assumption: None,
            counts: LearnCounts::default(),
            alphabets: Vec::new(),
            lessons: Vec::new(),
        }
    }

    /// The image of the module that the assumption gives; the whole module without one.
    pub fn requirement(&self, split: &Split) -> Requirement {
        use resy_automata::partition::Partition;
        let module = &split.module.lts;
        let partition = match (&self.assumption, &self.verdict) {
            (Some(assumption), _) => image(module, assumption),
            (None, Conclusion::Fails(_)) => Partition::single(module.n_states()),
            (None, _) => Partition::discrete(module.n_states()),
        };
        Requirement::new(module, partition, self.verdict.clone())
    }
}

/// What is decided.
pub(crate) enum Outcome {
    Holds(WordAutomaton),
    Fails(Trace),
}

/// Learns over growing alphabets until the network is decided.
pub(crate) fn refine(
    mut alphabet: Alphabet,
    options: &AssumptionOptions,
    environment: &mut EnvironmentSide<'_>,
    module: &mut dyn ModuleSide,
    found: &mut LearnedAssumption,
) -> Fallible<Outcome> {
    let (mut lasting, mut obstacles) = (Vec::new(), Obstacles::default());
    loop {
        found.alphabets.push(alphabet.clone());
        let is_selective = options.learning.selective;
        let known = std::mem::take(&mut lasting);
        let mut teacher = Teacher::new(environment, module, alphabet.clone(), is_selective, known);
        let learned = learn(&mut teacher, &options.learning);
        let (counts, lessons, answers) = teacher.finish();
        found.counts.and(&counts);
        found.lessons = lessons;
        let conflict = match learned? {
            Learned::Holds(assumption) => return Ok(Outcome::Holds(assumption)),
            Learned::Conflict(conflict) => conflict,
        };
        if let Some(run) = joint_run(&conflict, environment, module)? {
            return Ok(Outcome::Fails(run));
        }
        match options.alphabet {
            AlphabetChoice::Minimal => {
                obstacles.add(&conflict, environment.interface());
                alphabet = obstacles.smallest_alphabet(environment, module)?;
            }
            choice => {
                alphabet = choice.widened(&alphabet, &conflict, environment.interface());
                lasting = answers;
            }
        }
    }
}

/// The run of the network that a conflict stands for, if one of its traces is part of one.
pub(crate) fn joint_run(
    conflict: &Conflict,
    environment: &mut EnvironmentSide<'_>,
    module: &mut dyn ModuleSide,
) -> Fallible<Option<Trace>> {
    let interface = environment.interface().clone();
    let word = project(&conflict.module, &interface);
    if let Some(error) = environment.along(&word, &interface)? {
        return Ok(Some(merge(&conflict.module, &error, &interface)));
    }
    let word = project(&conflict.error, &interface);
    let follows = module.along(&word, &interface)?;
    Ok(follows.map(|trace| merge(&trace, &conflict.error, &interface)))
}
