//! A partition of the module as an automaton, its error paths, and the splits that they lead to.

use super::AgarEdges;
use crate::sides::{
    ContextNumber, ERROR, EnvironmentSide, Fallible, Polled, Trace, Word, shortest,
};
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A letter of the alphabet, or none for a silent step.
type Letter = Option<ActionId>;

/// The module by classes.
pub(super) struct Abstraction {
    /// The steps of each state of the module, as the abstraction sees them.
    steps: Vec<Vec<(Letter, StateId)>>,
    initial: StateId,
    alphabet: FxHashSet<ActionId>,
    partition: Partition,
    /// The edges of each class.
    edges: Vec<Vec<(Letter, usize)>>,
}

/// A path of the abstraction with the environment into an error.
pub(super) struct ErrorPath(Vec<Joint>);

/// One step of a path.
#[derive(Copy, Clone)]
struct Joint {
    /// The step of the abstraction: its class before, the letter, its class after.
    module: Option<(usize, Letter, usize)>,
    environment: Option<ProductStep>,
}

/// What playing a path in the module has shown.
pub(super) enum Playback {
    /// The module cannot follow; a class was split.
    Split,
    /// The module can follow.
    Concrete,
}

impl Abstraction {
    /// The abstraction of a module by a partition.
    pub(super) fn new(
        module: &Lts,
        partition: Partition,
        edges: AgarEdges,
        alphabet: &Alphabet,
        cancellation: &dyn Polled,
    ) -> Fallible<Self> {
        let steps = match edges {
            AgarEdges::Plain => plain(module, alphabet),
            AgarEdges::Closure => closure(&plain(module, alphabet), cancellation)?,
        };
        let alphabet = alphabet.iter().collect();
        let mut abstraction =
            Self { steps, initial: module.initial(), alphabet, partition, edges: Vec::new() };
        abstraction.connect();
        Ok(abstraction)
    }

    /// The number of classes.
    pub(super) fn n_classes(&self) -> usize {
        self.partition.n_blocks()
    }

    pub(super) fn into_partition(self) -> Partition {
        self.partition
    }

    fn class(&self, state: StateId) -> usize {
        self.partition.block_of(state).index()
    }

    /// Computes the edges of the classes. A silent step inside a class is none.
    fn connect(&mut self) {
        let mut edges = vec![BTreeSet::new(); self.n_classes()];
        for (state, steps) in self.steps.iter().enumerate() {
            let source = self.class(Id::from_index(state));
            let targets = steps.iter().map(|&(letter, to)| (letter, self.class(to)));
            edges[source].extend(targets.filter(|&(l, target)| l.is_some() || target != source));
        }
        self.edges = edges.into_iter().map(|edges| edges.into_iter().collect()).collect();
    }

    /// A shortest path of the abstraction with the environment into an error. What is no letter either
    /// side does alone.
    pub(super) fn error(
        &self,
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<Option<ErrorPath>> {
        let start = (self.class(self.initial), environment.initial());
        let cancellation = environment.cancellation();
        let is_goal = |(_, context): (usize, ContextNumber)| context == ERROR;
        let path = shortest(start, cancellation, is_goal, |(class, context), steps| {
            for &(letter, to) in self.edges[class].iter().filter(|edge| edge.0.is_none()) {
                let module = Some((class, letter, to));
                steps.push((Joint { module, environment: None }, (to, context)));
            }
            for step in environment.steps(context)? {
                let (environment, target) = (Some(step.step), step.target);
                let Some(letter) = step.letter.filter(|action| self.alphabet.contains(action))
                else {
                    steps.push((Joint { module: None, environment }, (class, target)));
                    continue;
                };
                for &(_, to) in self.edges[class].iter().filter(|edge| edge.0 == Some(letter)) {
                    let module = Some((class, Some(letter), to));
                    steps.push((Joint { module, environment }, (to, target)));
                }
            }
            Ok(())
        })?;
        Ok(path.map(|path| ErrorPath(path.into_iter().map(|(_, joint, _)| joint).collect())))
    }

    /// Plays the module's part of a path; splits a class if the module cannot follow.
    pub(super) fn play(&mut self, path: &ErrorPath) -> Playback {
        let mut now = self.within(BTreeSet::from([self.initial]), self.class(self.initial));
        for (class, letter, target) in path.0.iter().filter_map(|joint| joint.module) {
            let next = now.iter().flat_map(|&state| self.targets(state, letter, target)).collect();
            let next: BTreeSet<StateId> = self.within(next, target);
            if next.is_empty() {
                self.split(class, letter, target);
                return Playback::Split;
            }
            now = next;
        }
        Playback::Concrete
    }

    /// The targets of a state's steps by a letter in a class.
    fn targets(
        &self,
        state: StateId,
        letter: Letter,
        class: usize,
    ) -> impl Iterator<Item = StateId> + '_ {
        let steps = self.steps[state.index()].iter();
        steps.filter(move |s| s.0 == letter && self.class(s.1) == class).map(|s| s.1)
    }

    /// The states with what they reach by silent steps inside a class.
    fn within(&self, mut states: BTreeSet<StateId>, class: usize) -> BTreeSet<StateId> {
        let mut open: Vec<StateId> = states.iter().copied().collect();
        while let Some(state) = open.pop() {
            open.extend(self.targets(state, None, class).filter(|&to| states.insert(to)));
        }
        states
    }

    /// Splits a class by which of its states have a step by a letter into another one.
    fn split(&mut self, class: usize, letter: Letter, target: usize) {
        let n_before = self.n_classes();
        self.partition = self.partition.refined_by(|state| {
            self.class(state) == class && self.targets(state, letter, target).next().is_some()
        });
        debug_assert_eq!(self.n_classes(), n_before + 1, "the split is proper");
        self.connect();
    }
}

impl ErrorPath {
    /// The letters of the path.
    pub(super) fn word(&self) -> Word {
        self.0.iter().filter_map(|joint| joint.module?.1).collect()
    }

    /// What the environment does.
    pub(super) fn error(&self) -> Trace {
        self.0.iter().filter_map(|joint| joint.environment).collect()
    }
}

/// The single steps of a module; what is no letter is silent.
fn plain(module: &Lts, alphabet: &Alphabet) -> Vec<Vec<(Letter, StateId)>> {
    let letter = |label: Label| label.action().filter(|&action| alphabet.contains(action));
    let steps = |state| module.transitions_from(state).iter().map(|&(l, to)| (letter(l), to));
    module.states().map(|state| steps(state).collect()).collect()
}

/// Steps by a letter with silent steps before and after it. Silent steps alone are no step: the paper's
/// definition, read literally, would have loops on everything.
fn closure(
    steps: &[Vec<(Letter, StateId)>],
    cancellation: &dyn Polled,
) -> Fallible<Vec<Vec<(Letter, StateId)>>> {
    let silent = |from: StateId| {
        let mut reached = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            cancellation.poll()?;
            let next = steps[state.index()].iter().filter(|step| step.0.is_none());
            open.extend(next.map(|step| step.1).filter(|&to| reached.insert(to)));
        }
        Ok(reached)
    };
    let silent: Vec<BTreeSet<StateId>> =
        (0..steps.len()).map(|state| silent(Id::from_index(state))).collect::<Fallible<_>>()?;
    let by_letters = |from: &BTreeSet<StateId>| {
        let first = from.iter().flat_map(|state| &steps[state.index()]);
        let mut whole: BTreeSet<(Letter, StateId)> = BTreeSet::new();
        for &(letter, to) in first.filter(|step| step.0.is_some()) {
            cancellation.poll()?;
            whole.extend(silent[to.index()].iter().map(|&end| (letter, end)));
        }
        Ok(whole.into_iter().collect())
    };
    silent.iter().map(by_letters).collect()
}
