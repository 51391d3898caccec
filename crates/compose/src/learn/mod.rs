//! Learned assumptions: the good words of the environment, as far as the module needs them.
//!
//! Rule: if `E‖A ⊨ P` (premise 1) and `M ⊨ A` (premise 2), then `E‖M ⊨ P`. A learner asks a teacher
//! whether words are good, and proposes hypotheses `A`; the two premises are its equivalence queries.
//! With the whole interface as alphabet the rule is complete, and the loop ends after at most as many
//! refinements as the weakest assumption has states. Sources: Cobleigh, Giannakopoulou, Păsăreanu
//! (TACAS 2003); Chaki, Strichman (TACAS 2007) for the early conflict, T1 and T2.
//!
//! - `teacher`: answers queries from sets of contexts, and checks the premises.
//! - `table`: the observation table of Rivest and Schapire.
//! - `tree`: a discrimination tree with short suffixes, which asks a suffix only where two states have
//!   to be told apart.
//! - `separating`: no learner, but the smallest automaton between the module's words and the bad ones; `branches`,
//!   `prefixes` and `reasons` are the search for it.

mod branches;
mod prefixes;
mod reasons;
mod separating;
mod table;
mod teacher;
mod tree;

pub use teacher::LearnCounts;

pub(crate) use separating::{Samples, Separator};
pub(crate) use table::Table;
pub(crate) use teacher::{Letters, MembershipOracle, Teacher};
pub(crate) use tree::Tree;

use crate::sides::{Fallible, Trace, Word, WordAutomaton, project};
use resy_automata::lts::{ActionId, Alphabet};

/// A learner: what it knows is a function of the answers to its membership queries.
pub(crate) trait Learner {
    /// An automaton that agrees with all answers so far.
    fn hypothesis(&mut self, teacher: &mut dyn MembershipOracle) -> Fallible<WordAutomaton>;

    /// Learns from a word on which the last hypothesis and the teacher differ: the next hypothesis has
    /// more states.
    fn refine(&mut self, word: &[ActionId], teacher: &mut dyn MembershipOracle) -> Fallible<()>;
}

/// How words are learned.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LearnerKind {
    /// The observation table.
    Table,
    /// The discrimination tree.
    Tree,
    /// A smallest separating automaton, within a budget; the tree if that is spent.
    Separating,
}

/// The choices of the learning loop.
#[derive(Copy, Clone, Debug)]
pub struct LearnOptions {
    /// The learner.
    pub learner: LearnerKind,
    /// T1: a counterexample is used until the hypothesis treats it well.
    pub reuse: bool,
    /// T2: letters that the environment cannot follow are not asked.
    pub selective: bool,
    /// An error along a hypothesis is first looked for in the module.
    pub early: bool,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self { learner: LearnerKind::Tree, reuse: true, selective: true, early: true }
    }
}

/// What the loop ends with.
pub(crate) enum Learned {
    /// Both premises hold of this assumption.
    Holds(WordAutomaton),
    /// A trace of the module and an error trace of the environment with the same projection to the
    /// alphabet. If the alphabet is the whole interface, they are one run of the network.
    Conflict(Conflict),
}

/// Two traces with the same projection to the alphabet.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// Of the module; it ends with the last letter of the projection.
    pub module: Trace,
    /// Of the environment, into an error.
    pub error: Trace,
    /// Whether the trace of the module was found first.
    pub is_positive: bool,
}

/// A counterexample that has shaped the assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The word.
    pub word: Word,
    /// Whether it is good.
    pub is_good: bool,
}

/// The branches that the search for separating automata over one alphabet may try.
const MAX_BRANCHES: usize = 10_000_000;

/// Learns an assumption for the alphabet of the teacher.
pub(crate) fn learn(teacher: &mut Teacher<'_, '_>, options: &LearnOptions) -> Fallible<Learned> {
    if options.learner == LearnerKind::Separating
        && let Some(learned) = separate(teacher, MAX_BRANCHES)?
    {
        return Ok(learned);
    }
    let alphabet = teacher.alphabet().clone();
    let mut learner = learner(options.learner, &alphabet);
    loop {
        let hypothesis = learner.hypothesis(teacher)?;
        let Lesson { word, is_good } = match examine(teacher, hypothesis, options.early)? {
            Examined::Settled(learned) => return Ok(learned),
            Examined::Wrong(lesson) => lesson,
        };
        learner.refine(&word, teacher)?;
        while options.reuse && learner.hypothesis(teacher)?.accepts(&word) != is_good {
            learner.refine(&word, teacher)?;
        }
        teacher.note(Lesson { word, is_good });
    }
}

/// Finds a smallest separating automaton; none if the budget of branches is spent.
fn separate(teacher: &mut Teacher<'_, '_>, budget: usize) -> Fallible<Option<Learned>> {
    let mut samples = Samples::new(teacher.alphabet().clone(), budget);
    loop {
        let Some(found) = samples.smallest(teacher.cancellation())? else { return Ok(None) };
        let hypothesis = samples.automaton(&found);
        teacher.cancellation().poll_now()?;
        // A bad word that the module has must be told: no automaton could treat it well.
        let lesson = match examine(teacher, hypothesis, true)? {
            Examined::Settled(learned) => {
                teacher.found_smallest();
                return Ok(Some(learned));
            }
            Examined::Wrong(lesson) => lesson,
        };
        samples.add(&lesson.word, lesson.is_good);
        teacher.note(lesson);
    }
}

/// What the premises say about a hypothesis.
enum Examined {
    Settled(Learned),
    Wrong(Lesson),
}

/// Checks both premises of a hypothesis; `early`: a bad word is looked for in the module.
fn examine(
    teacher: &mut Teacher<'_, '_>,
    hypothesis: WordAutomaton,
    early: bool,
) -> Fallible<Examined> {
    let alphabet = teacher.alphabet().clone();
    if let Some(error) = teacher.premise_1(&hypothesis)? {
        let word = project(&error, &alphabet);
        return Ok(match teacher.module_along(&word, early)? {
            Some(module) => conflict(module, error, false),
            None => Examined::Wrong(Lesson { word, is_good: false }),
        });
    }
    let Some(module) = teacher.premise_2(&hypothesis)? else {
        return Ok(Examined::Settled(Learned::Holds(hypothesis)));
    };
    let word = project(&module, &alphabet);
    Ok(match teacher.error_along(&word)? {
        Some(error) => conflict(module, error, true),
        None => Examined::Wrong(Lesson { word, is_good: true }),
    })
}

fn conflict(module: Trace, error: Trace, is_positive: bool) -> Examined {
    Examined::Settled(Learned::Conflict(Conflict { module, error, is_positive }))
}

fn learner(kind: LearnerKind, alphabet: &Alphabet) -> Box<dyn Learner> {
    match kind {
        LearnerKind::Table => Box::new(Table::new(alphabet.clone())),
        LearnerKind::Tree | LearnerKind::Separating => Box::new(Tree::new(alphabet.clone())),
    }
}

/// The letter of a word at which a hypothesis goes wrong: the position `i` of the first letter for
/// which the state before it and the state after it are told apart by the rest of the word (Rivest
/// and Schapire; binary search).
///
/// `access` gives a word that leads to each state.
pub(crate) fn breakpoint(
    word: &[ActionId],
    hypothesis: &WordAutomaton,
    access: impl Fn(usize) -> Word,
    teacher: &mut dyn MembershipOracle,
) -> Fallible<usize> {
    let mut states = vec![hypothesis.initial()];
    for &action in word {
        states.push(hypothesis.after(states[states.len() - 1], action));
    }
    let mut after = |i: usize| {
        let mut rest = access(states[i]);
        rest.extend(&word[i..]);
        teacher.member(&rest)
    };
    let (mut low, mut high) = (0, word.len());
    let truth = after(low)?;
    debug_assert_ne!(truth, after(high)?, "the hypothesis is right about the word");
    while high - low > 1 {
        let middle = low.midpoint(high);
        match after(middle)? == truth {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(low)
}
