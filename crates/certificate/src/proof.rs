//! Evidence: abstractions of parts of the network, and proofs, each an inductive set over some of them.

use resy_automata::lts::{Alphabet, Label, Lts, StateId};
use resy_automata::network::ComponentId;
use resy_index::{IndexVec, define_id};

define_id!(
    /// A node of the tree of abstractions.
    pub struct NodeId,
    "n"
);

/// Why a property holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofEvidence {
    /// What parts of the network are abstracted to; children before their parents. Proofs may
    /// share them.
    pub nodes: IndexVec<NodeId, Node>,
    /// Together they are about every action by which the monitor can err.
    pub proofs: Vec<Proof>,
}

/// Why the first error is not by one of some actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The nodes whose abstractions stand for the network. A component that is below none
    /// of them is left out: it may do anything at any time.
    pub roots: Vec<NodeId>,
    /// The actions.
    pub about: About,
    /// The inductive set: states of the roots' abstractions, in the order of the roots, and of
    /// the monitor. Only an error by an action that others are about leads out of it.
    pub invariant: TupleList,
}

/// Some actions of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// All of them.
    All,
    /// These.
    Only(Alphabet),
}

/// A part of the network, and what stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What is abstracted.
    pub of: Of,
    /// How.
    pub map: Map,
}

/// What a node abstracts: its *concrete* system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// A component of the network.
    Component(ComponentId),
    /// The product of the abstractions of other nodes; these tuples are its states.
    Product(Vec<NodeId>, TupleList),
}

/// What stands for a concrete system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Map {
    /// The system itself.
    Identity,
    /// Another system, and for each concrete state the one that stands for it.
    Image(RunLengths, Lts),
}

/// TupleList of states, all of one width, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TupleList {
    /// How many states a tuple has.
    pub width: usize,
    /// All their states.
    pub states: Vec<StateId>,
}

/// A sequence of states in runs of the same one, with their lengths: what a million states
/// are mapped to is written in a few lines, and costs no more memory than that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunLengths(Vec<(StateId, usize)>);

impl About {
    /// Whether a step by this label is meant. Internal steps always are, though a monitor that is
    /// one takes part in none.
    pub fn covers(&self, label: Label) -> bool {
        match (self, label) {
            (Self::Only(actions), Label::Visible(action)) => actions.contains(action),
            _ => true,
        }
    }
}

impl TupleList {
    /// No tuples.
    pub fn new(width: usize) -> Self {
        Self { width, states: Vec::new() }
    }

    /// One more.
    pub fn push(&mut self, tuple: &[StateId]) {
        debug_assert_eq!(tuple.len(), self.width);
        self.states.extend_from_slice(tuple);
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[StateId]> {
        self.states.chunks(self.width.max(1))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.iter().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
}

impl RunLengths {
    /// Appends a state some times.
    pub fn push(&mut self, state: StateId, times: usize) {
        match self.0.last_mut() {
            Some((last, count)) if *last == state => *count = count.saturating_add(times),
            _ if times > 0 => self.0.push((state, times)),
            _ => {}
        }
    }

    /// The runs: no two neighbours are of the same state.
    pub fn runs(&self) -> &[(StateId, usize)] {
        &self.0
    }

    /// The length of the sequence.
    pub fn len(&self) -> usize {
        self.0.iter().fold(0, |sum, run| sum.saturating_add(run.1))
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sequence.
    pub fn iter(&self) -> impl Iterator<Item = StateId> + '_ {
        self.0.iter().flat_map(|&(state, times)| std::iter::repeat_n(state, times))
    }
}

impl FromIterator<StateId> for RunLengths {
    fn from_iter<I: IntoIterator<Item = StateId>>(states: I) -> Self {
        let mut runs = Self::default();
        states.into_iter().for_each(|state| runs.push(state, 1));
        runs
    }
}
