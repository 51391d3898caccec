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
    /// The abstractions of parts of the network; children before their parents. Proofs may share
    /// them.
    pub nodes: IndexVec<NodeId, Node>,
    /// The proofs; together they cover every action by which the monitor can err.
    pub proofs: Vec<Proof>,
}

/// Why the first error is not by one of some actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The nodes whose abstractions stand for the network. A component that is below none of them
    /// is left out: it may do anything at any time.
    pub roots: Vec<NodeId>,
    /// The actions.
    pub about: About,
    /// The inductive set: states of the roots' abstractions, in the order of the roots, and of the
    /// monitor. Only an error by an action of another proof leads out of it.
    pub invariant: TupleList,
}

/// Some actions of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// All actions.
    All,
    /// These actions.
    Only(Alphabet),
}

/// A part of the network, and its abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What is abstracted.
    pub of: Of,
    /// The abstraction.
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

/// The abstraction of a concrete system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Map {
    /// The system itself.
    Identity,
    /// Another system, and for each concrete state its abstract state.
    Image(RunLengths, Lts),
}

/// Tuples of states, all of one width, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TupleList {
    /// The number of states of a tuple.
    pub width: usize,
    /// The states of all tuples.
    pub states: Vec<StateId>,
}

/// A run-length encoded sequence of states: the map of a million states takes a few lines of text,
/// and as little memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunLengths(Vec<(StateId, usize)>);

impl About {
    /// Whether a step by this label is covered. Internal steps always are, although a well-formed
    /// monitor takes part in none.
    pub fn covers(&self, label: Label) -> bool {
        match (self, label) {
            (Self::Only(actions), Label::Visible(action)) => actions.contains(action),
            _ => true,
        }
    }
}

impl TupleList {
    /// An empty list of tuples.
    pub fn new(width: usize) -> Self {
        Self { width, states: Vec::new() }
    }

    /// Appends a tuple.
    pub fn push(&mut self, tuple: &[StateId]) {
        debug_assert_eq!(tuple.len(), self.width);
        self.states.extend_from_slice(tuple);
    }

    /// All actions.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[StateId]> {
        self.states.chunks(self.width.max(1))
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.iter().len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
}

impl RunLengths {
    /// Appends a state `times` times.
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
