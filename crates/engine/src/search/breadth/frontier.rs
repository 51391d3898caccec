//! The frontier of a breadth-first search: the store, whose log is the queue.
//!
//! Successors are hashed or folded at once, but looked up in batches, so that the processor does not wait for the
//! memory at each. A batch may span several states, since their order is kept.

use super::super::ample::{self, Ample, Attempt, Later, Proviso};
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::Findings;
use super::super::limits::Limits;
use super::super::parents::Parents;
use crate::flat::{FlatStore, Offset};
use crate::store::StateStore;
use crate::tree::{Inserted, Root, StoredId, TreePath, TreeStore};
use crate::vector::Shape;
use resy_system::Outcome;

/// The number of successors that are looked up together.
const BATCH: usize = 256;

/// The states found so far and the queue of those to be expanded, which are the end of the store's log.
pub(in super::super) struct Frontier<'a> {
    pub store: StateStore,
    pub parents: Parents,
    pub transitions: u64,
    pub findings: Findings,
    pub limits: Limits<'a>,
    /// The state that is being expanded.
    current: StoredId,
    /// Its offset in a flat store, and that of the state after it.
    here: Offset,
    next: Offset,
    spare: Vec<u8>,
    path: TreePath,
    batch: Vec<Root>,
    /// For each state of the batch, the state it was reached from.
    from: Vec<StoredId>,
    inserted: Vec<Inserted>,
    /// Whether the steps of one process are being tried.
    is_attempt: bool,
    /// Which of the states reached by the present attempt are expanded later than the present state.
    later: Later,
    /// The transitions before the present attempt.
    before_attempt: u64,
}

impl Arrivals for Frontier<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        self.transitions += 1;
        match &mut self.store {
            StateStore::Flat(flat) => flat.stage(vector),
            StateStore::Tree(tree) => self.batch.push(tree.fold(&self.path, vector, &shape.plan)),
        }
        self.from.push(self.current);
        if self.from.len() >= BATCH {
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
    pub fn new(store: StateStore, limits: Limits<'a>) -> Self {
        Self {
            store,
            parents: Parents::default(),
            transitions: 0,
            findings: Findings::default(),
            limits,
            current: 0,
            here: 0,
            next: 1,
            spare: Vec::new(),
            path: TreePath::new(),
            batch: Vec::new(),
            from: Vec::new(),
            inserted: Vec::new(),
            is_attempt: false,
            later: Later::new(),
            before_attempt: 0,
        }
    }

    /// Takes over the states of another search; the one with this number is expanded next.
    pub fn take_over(&mut self, store: StateStore, next: StoredId) {
        if let StateStore::Flat(flat) = &store {
            self.next = flat.locate(next);
        }
        self.store = store;
    }

    /// The state at this offset of a flat store is expanded next: others have expanded those before it.
    pub fn skip_to(&mut self, next: Offset) {
        self.next = next;
    }

    /// Whether there are states that are not inserted yet.
    pub fn has_batch(&self) -> bool {
        !self.from.is_empty()
    }

    /// Inserts the states of the batch into the store. A flat store without room leaves them there.
    pub fn flush(&mut self) {
        match &mut self.store {
            StateStore::Flat(_) => self.flush_flat(),
            StateStore::Tree(_) => self.flush_tree(),
        }
    }

    fn flush_flat(&mut self) {
        let StateStore::Flat(flat) = &mut self.store else { return };
        let (mut id, mut from) = (flat.len() as StoredId, self.from.iter());
        let (parents, here) = (&mut self.parents, self.here);
        let mut later = self.later;
        let done = flat.insert_staged(|offset, new| {
            let parent = from.next().copied().unwrap_or(0);
            if new {
                parents.add(id, parent);
                id += 1;
            }
            later.add(offset > here);
        });
        if self.is_attempt {
            self.later = later;
            // What is not inserted may be anything.
            if !done {
                self.later.add(false);
            }
        }
        if done {
            self.from.clear();
        }
    }

    fn flush_tree(&mut self) {
        let StateStore::Tree(tree) = &mut self.store else { return };
        self.inserted.clear();
        tree.insert_batch(&self.batch, &mut self.inserted);
        for (inserted, &from) in self.inserted.iter().zip(&self.from) {
            if inserted.new {
                self.parents.add(inserted.id, from);
            }
        }
        if self.is_attempt {
            for inserted in &self.inserted {
                self.later.add(inserted.id > self.current);
            }
        }
        self.batch.clear();
        self.from.clear();
    }

    /// Expands the state with this number: the one after the last.
    pub fn expand(&mut self, expander: &mut Expander<'_>, ample: Option<&Ample>, id: StoredId) {
        self.current = id;
        let mut vector = std::mem::take(&mut self.spare);
        match &self.store {
            StateStore::Flat(flat) => {
                let state = flat.get(self.next);
                self.here = self.next;
                self.next += state.len().div_ceil(8) as Offset;
                vector.clear();
                vector.extend_from_slice(state);
            }
            StateStore::Tree(tree) => expander.load(tree, id, &mut vector, &mut self.path),
        }
        ample::expand(expander, ample, &vector, self);
        self.spare = vector;
    }

    /// Takes the flat store, if it is one, to be converted.
    pub fn take_flat(&mut self) -> Option<FlatStore> {
        self.flush();
        let nothing = StateStore::Tree(TreeStore::new());
        match std::mem::replace(&mut self.store, nothing) {
            StateStore::Flat(flat) => Some(flat),
            tree => {
                self.store = tree;
                None
            }
        }
    }

    /// Goes on with the tree that the flat store was converted to; `waiting` are the states of the batch.
    pub fn go_on_with(
        &mut self,
        expander: &mut Expander<'_>,
        mut tree: TreeStore,
        waiting: Vec<Vec<u8>>,
    ) {
        for vector in waiting {
            let shape = expander.shape(&vector);
            self.batch.push(tree.fold_whole(&vector, &expander.stepper.shapes()[shape].plan));
        }
        self.store = StateStore::Tree(tree);
        self.flush();
    }
}

impl Attempt for Frontier<'_> {
    fn begin(&mut self) {
        self.flush();
        self.is_attempt = true;
        self.later = Later::new();
        self.before_attempt = self.transitions;
    }

    /// States are expanded in the order of their numbers.
    fn satisfies(&mut self, proviso: Proviso) -> bool {
        self.flush();
        self.is_attempt = false;
        self.later.satisfies(proviso, self.transitions - self.before_attempt)
    }

    fn withdraw(&mut self) {
        self.transitions = self.before_attempt;
    }
}
