//! What the automaton of a claim does in the states of a system, which it tells apart by a few facts only.
//!
//! The facts are the propositions that hold, and whether a process is at a label that the claim is about. States with the
//! same facts are of one *class*; there are few classes, so that what each state of the automaton does is found once for each.

use super::super::product::ProductEdge;
use hashbrown::HashMap;
use resy_system::{ClaimEdge, LivenessClaim, LivenessKind};

/// The fact that a process is at a label that the claim is about; the others are those of the propositions.
pub(in super::super) const AT_LABEL: u64 = 1 << 63;

/// The number of a class.
pub(super) type ClassId = u32;

/// The most states of an automaton: sets of them are words.
pub(super) const MOST_STATES: usize = 64;

/// What the automaton does in the states of one class.
pub(super) struct Reading {
    /// For each state of the automaton its edges.
    pub edges: Vec<Vec<ClaimEdge>>,
    /// The states of the automaton that have edges.
    pub movable: u64,
    /// Those in which the claim is violated.
    pub violated: u64,
    /// Whether no violating cycle has a state of this class.
    pub is_barrier: bool,
    /// The states of the automaton out of which a violating cycle may go on.
    pub inside: u64,
    /// The states of the automaton whose edges are counted among the marks that were met.
    pub met: u64,
}

impl Reading {
    /// Where the automaton can be after one step out of some of its states.
    pub fn after(&self, set: u64) -> u64 {
        let edges = elements(set & self.movable).flat_map(|state| &self.edges[state]);
        edges.fold(0, |after, edge| after | 1 << edge.target)
    }

    /// The number of edges out of some states of the automaton.
    pub fn n_edges(&self, set: u64) -> usize {
        elements(set & self.movable).map(|state| self.edges[state].len()).sum()
    }
}

/// The elements of a set of small numbers.
pub(super) fn elements(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (first < u64::BITS).then_some(first as usize)
    })
}

/// Reads the classes of states as the automaton of a claim does.
pub(super) struct Reader<'a> {
    claim: &'a LivenessClaim,
    /// For each state of the automaton its component, if an accepted run can stay there.
    pub components: Vec<u32>,
    readings: Vec<Reading>,
    classes: HashMap<u64, ClassId>,
    /// The class that was asked for last.
    last: (u64, ClassId),
}

impl<'a> Reader<'a> {
    /// A reader for a claim; `None` if it has too many states or propositions.
    pub fn of(claim: &'a LivenessClaim, components: &[u32]) -> Option<Self> {
        let fits = claim.n_states() <= MOST_STATES && claim.propositions.len() < 63;
        fits.then(|| {
            let mut reader = Self {
                claim,
                components: components.to_vec(),
                readings: Vec::new(),
                classes: HashMap::new(),
                last: (0, 0),
            };
            reader.add(0);
            reader
        })
    }

    /// The class of states with these facts.
    #[inline]
    pub fn class(&mut self, facts: u64) -> ClassId {
        if self.last.0 != facts {
            let known = self.classes.get(&facts).copied();
            self.last = (facts, known.unwrap_or_else(|| self.add(facts)));
        }
        self.last.1
    }

    #[inline]
    pub fn reading(&self, class: ClassId) -> &Reading {
        &self.readings[class as usize]
    }

    /// What the automaton does in the states of each class.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter()
    }

    #[inline]
    pub fn reading_mut(&mut self, class: ClassId) -> &mut Reading {
        &mut self.readings[class as usize]
    }

    /// Whether a cycle can stay in the component of a state of the automaton when it takes an edge.
    pub fn stays(&self, state: usize, edge: &ClaimEdge) -> bool {
        let component = self.components[state];
        component != ProductEdge::NONE && self.components[edge.target as usize] == component
    }

    fn add(&mut self, facts: u64) -> ClassId {
        let (claim, is_at_label) = (self.claim, facts & AT_LABEL != 0);
        let mut reading = Reading {
            edges: Vec::new(),
            movable: 0,
            violated: 0,
            is_barrier: is_at_label && claim.kind() == LivenessKind::Progress,
            inside: 0,
            met: 0,
        };
        for state in 0..claim.n_states() {
            let mut edges = Vec::new();
            let is_violated = claim.step(state as u32, facts & !AT_LABEL, &mut edges);
            if is_at_label && claim.kind() == LivenessKind::Acceptance {
                edges.iter_mut().for_each(|edge| edge.marks = 1);
            }
            reading.violated |= u64::from(is_violated) << state;
            reading.movable |= u64::from(!edges.is_empty()) << state;
            let may_stay = !reading.is_barrier && edges.iter().any(|edge| self.stays(state, edge));
            reading.inside |= u64::from(may_stay) << state;
            reading.edges.push(edges);
        }
        let class = self.readings.len() as ClassId;
        self.readings.push(reading);
        self.classes.insert(facts, class);
        class
    }
}
