//! The exact store of states: each state is a tree whose parts are shared.
//!
//! A state is a byte vector, cut into *leaves*: the globals, each channel, each process. A step changes few
//! of them. Each leaf is stored once, and so is each pair of neighbours, each pair of pairs, up to the
//! root. A state that differs from its parent in one leaf needs the pairs above this leaf, most of which
//! exist already in other states. Only the root is always new: eight bytes in a log, and about six in the
//! index that finds it. (The idea is that of A. Laarman, J. van de Pol and M. Weber, "Parallel recursive
//! state compression for free", SPIN 2011; the table is our own.)
//!
//! The logs only grow and are in the order of discovery: a breadth-first search needs no other queue, a
//! level is a range of ids, and a checkpoint consists of the ends of the logs. Two states are equal iff all
//! their bytes are, if equal vectors have equal plans; hashes are used only to find them.
//!
//! [`Checkpoint`] saves a store. Beside it there are two sets that are not exact and estimate how much they
//! miss: [`BitState`] and [`Compact`].

mod bitstate;
mod checkpoint;
mod compact;
pub(crate) mod cpu;
mod fold;
pub(crate) mod hash;
mod index;
pub mod learn;
mod leaves;
mod log;
mod marks;
mod memo;
mod pairs;
mod plan;
mod sieve;
mod unfold;

pub use bitstate::BitState;
pub use checkpoint::Checkpoint;
pub use compact::Compact;
// Used to distribute states over stores. With the hash that the stores use themselves, each would get
// strings with the same first bits, and lookups would be far slower.
#[cfg(feature = "hosts")]
pub(crate) use hash::of_bytes_again as hash_of_vector;
pub use plan::{Joins, Plan};
pub use sieve::{TreeCandidates, TreeSieve};
pub use unfold::TreePath;

use leaves::Leaves;
use memo::Memo;
use pairs::{InBatch, Pairs};
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of a state, in order of discovery.
pub type StoredId = u32;

/// The root of a state's tree, which identifies the state in one store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root(u64);

/// The result of inserting a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// The state's number.
    pub id: StoredId,
    /// Whether the state is new.
    pub new: bool,
}

/// The set of states found so far.
pub struct TreeStore {
    /// Identifies the store that paths belong to.
    number: u32,
    leaves: Leaves,
    nodes: Pairs,
    recent_nodes: Memo<u64>,
    roots: Pairs,
    /// A buffer for the roots of a batch.
    batch: Vec<InBatch>,
    /// A buffer for a state that is being folded.
    room: fold::Room,
}

/// The number of roots of a batch that are processed at once: their cache lines, two each, must fit into
/// the innermost cache.
const BATCH: usize = 64;

impl TreeStore {
    /// An empty store.
    pub fn new() -> Self {
        static NUMBERS: AtomicU32 = AtomicU32::new(0);
        Self {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            leaves: Leaves::new(),
            nodes: Pairs::new(),
            recent_nodes: Memo::new(u64::MAX),
            roots: Pairs::new(),
            batch: Vec::with_capacity(BATCH),
            room: fold::Room::default(),
        }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.roots.log().len()
    }

    /// Whether there is no state yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The root of a state.
    pub fn root(&self, id: StoredId) -> Root {
        Root(self.roots.log().get(id))
    }

    /// Whether the store has a state.
    pub fn contains(&self, root: Root) -> bool {
        self.roots.contains(root.0)
    }

    /// The number of a state, if the store has it.
    pub fn find(&self, root: Root) -> Option<StoredId> {
        self.roots.find(root.0)
    }

    /// Adds a state, unless it is there.
    pub fn insert(&mut self, root: Root) -> Inserted {
        let (id, new) = self.roots.insert(root.0);
        Inserted { id, new }
    }

    /// Adds states in the given order and appends the result for each to `out`. This is faster than adding
    /// them one by one, because it does not wait for the memory.
    pub fn insert_batch(&mut self, roots: &[Root], out: &mut Vec<Inserted>) {
        for roots in roots.chunks(BATCH) {
            self.batch.clear();
            self.batch.extend(roots.iter().map(|root| InBatch::new(root.0)));
            self.roots.insert_batch(&mut self.batch, |id, new| out.push(Inserted { id, new }));
        }
    }

    /// Adds states in the given order.
    pub fn insert_all(&mut self, roots: &[Root]) {
        for roots in roots.chunks(BATCH) {
            self.batch.clear();
            self.batch.extend(roots.iter().map(|root| InBatch::new(root.0)));
            self.roots.insert_batch(&mut self.batch, |_, _| {});
        }
    }

    /// Whether there are numbers left for a million more states, whatever they look like. Inserting more
    /// without asking may panic.
    pub fn has_room(&self) -> bool {
        const MARGIN: usize = 1 << 28;
        let parts = self.leaves.len().max(self.nodes.log().len());
        parts < (1 << 31) - MARGIN && (self.len() as u64) < (1 << 32) - MARGIN as u64
    }

    /// The memory taken, in bytes. It grows by the size of a chunk or by half a segment of an index at a
    /// time.
    pub fn memory(&self) -> usize {
        self.leaves.memory()
            + self.nodes.memory()
            + self.recent_nodes.memory()
            + self.roots.memory()
    }

    /// The numbers of different leaves and inner nodes.
    pub fn parts(&self) -> (usize, usize) {
        (self.leaves.len(), self.nodes.log().len())
    }
}

impl Default for TreeStore {
    fn default() -> Self {
        Self::new()
    }
}
