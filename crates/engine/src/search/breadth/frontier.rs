//! The frontier of a breadth-first search: the store, whose log is the queue.
//!
//! Successors are folded at once, but looked up in batches, so that the processor does not wait for the memory at
//! each. A batch may span several states, since their order is kept.

use super::super::ample::{self, Ample, Attempt, Proviso};
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::Findings;
use super::super::limits::Limits;
use super::super::parents::Parents;
use crate::tree::{Inserted, Root, StoredId, TreePath, TreeStore};
use crate::vector::Shape;
use resy_system::Outcome;

/// The number of successors that are looked up together.
const BATCH: usize = 256;

/// The states found so far and the queue of those to be expanded, which are the end of the store's log.
pub(in super::super) struct Frontier<'a> {
    pub store: TreeStore,
    pub parents: Parents,
    pub transitions: u64,
    pub findings: Findings,
    pub limits: Limits<'a>,
    /// The state that is being expanded.
    current: StoredId,
    spare: Vec<u8>,
    path: TreePath,
    batch: Vec<Root>,
    /// For each root of the batch, the state it was reached from.
    from: Vec<StoredId>,
    inserted: Vec<Inserted>,
    /// Whether the steps of one process are being tried.
    is_attempt: bool,
    /// Whether one of the states reached by the present attempt is expanded later than the present state.
    one_later: bool,
    /// Whether all of them are.
    all_later: bool,
    /// The transitions before the present attempt.
    before_attempt: u64,
}

impl Arrivals for Frontier<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        self.transitions += 1;
        let root = self.store.fold(&self.path, vector, &shape.plan);
        self.batch.push(root);
        self.from.push(self.current);
        if self.batch.len() == BATCH {
            self.flush();
        }
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        self.findings.add(outcome, self.current, || moves.to_vec());
    }

    fn goes_on(&self) -> bool {
        !self.limits.first_violation || self.findings.is_empty()
    }
}

impl<'a> Frontier<'a> {
    pub fn new(limits: Limits<'a>) -> Self {
        Self {
            store: TreeStore::new(),
            parents: Parents::default(),
            transitions: 0,
            findings: Findings::default(),
            limits,
            current: 0,
            spare: Vec::new(),
            path: TreePath::new(),
            batch: Vec::new(),
            from: Vec::new(),
            inserted: Vec::new(),
            is_attempt: false,
            one_later: false,
            all_later: true,
            before_attempt: 0,
        }
    }

    /// Inserts the successors of the batch into the store.
    pub fn flush(&mut self) {
        self.inserted.clear();
        self.store.insert_batch(&self.batch, &mut self.inserted);
        for (inserted, &from) in self.inserted.iter().zip(&self.from) {
            if inserted.new {
                self.parents.add(inserted.id, from);
            }
        }
        if self.is_attempt {
            for inserted in &self.inserted {
                self.one_later |= inserted.id > self.current;
                self.all_later &= inserted.id > self.current;
            }
        }
        self.batch.clear();
        self.from.clear();
    }

    /// Expands the state with this number.
    pub fn expand(&mut self, expander: &mut Expander<'_>, ample: Option<&Ample>, id: StoredId) {
        self.current = id;
        let mut vector = std::mem::take(&mut self.spare);
        expander.load(&self.store, id, &mut vector, &mut self.path);
        ample::expand(expander, ample, &vector, self);
        self.spare = vector;
    }
}

impl Attempt for Frontier<'_> {
    fn begin(&mut self) {
        self.flush();
        self.is_attempt = true;
        (self.one_later, self.all_later) = (false, true);
        self.before_attempt = self.transitions;
    }

    /// States are expanded in the order of their numbers.
    fn satisfies(&mut self, proviso: Proviso) -> bool {
        self.flush();
        self.is_attempt = false;
        match proviso {
            Proviso::OneLater => self.one_later,
            Proviso::AllLater => self.one_later && self.all_later,
            Proviso::Forward => self.transitions > self.before_attempt,
        }
    }

    fn withdraw(&mut self) {
        self.transitions = self.before_attempt;
    }
}
