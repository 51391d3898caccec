//! The partition of a worker: the states that it owns, and the packets for the other owners.
//!
//! The [key](super::key) of a state determines its owner. Own successors are folded along their parent and
//! inserted; others go into the packet for their owner. (A cache of the states sent lately, to avoid
//! sending them again, cost more than it saved.)

use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::same;
use super::super::relearn::relearn;
use super::key::Key;
use super::messages::packet::{Packet, PacketKind, pack, unpack};
use super::saving::snapshot::SavedFinding;
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::{Shape, body};
use resy_system::Outcome;

/// The number of own successors that are looked up together.
const BATCH: usize = 256;
/// A tree is learned when the partition has this many states.
const LEARN: usize = 1 << 17;
/// A packet is sent when it has this many bytes.
const FULL: usize = 1 << 16;

/// A violation as one worker knows it.
pub struct LocalFinding {
    /// What was violated.
    pub outcome: Outcome,
    /// The level of the state from which it was found.
    pub level: u64,
    /// This state, the smallest of its level; empty for a violation on entering the initial state.
    pub from: Vec<u8>,
    /// The position of the violation among those found by expanding that state.
    pub ordinal: u64,
    /// The number of times it was found.
    pub times: u64,
}

impl LocalFinding {
    /// The form in which it is saved.
    pub fn seen(&self) -> SavedFinding {
        let LocalFinding { level, ref from, ordinal, times, .. } = *self;
        SavedFinding { level, from: from.clone(), ordinal, times }
    }
}

/// The states of a worker.
pub struct WorkerPartition {
    /// The states.
    pub store: TreeStore,
    /// The number of transitions that this worker has found.
    pub transitions: u64,
    /// The violations that this worker has found.
    pub findings: Vec<LocalFinding>,
    /// Packets ready to be sent.
    pub ready: Vec<Packet>,
    /// Determines the owners of states.
    pub key: Key,
    /// Whether the store has a learned tree.
    pub learned: bool,
    me: usize,
    /// The packets that are being filled, by addressee.
    open: Vec<Packet>,
    level: u64,
    /// The number of violations found from the present state.
    violations: u64,
    spare: Vec<u8>,
    path: TreePath,
    batch: Vec<Root>,
    /// The state received last, along which the next one is folded.
    last: TreePath,
}

impl WorkerPartition {
    /// The empty partition of worker `me` of `n_workers`.
    pub fn new(me: usize, n_workers: usize, key: Key) -> Self {
        let parcel = |to| Packet { to, kind: PacketKind::States, bytes: Vec::new() };
        Self {
            store: TreeStore::new(),
            transitions: 0,
            findings: Vec::new(),
            ready: Vec::new(),
            key,
            learned: false,
            me,
            open: (0..n_workers).map(parcel).collect(),
            level: 0,
            violations: 0,
            spare: Vec::new(),
            path: TreePath::new(),
            batch: Vec::new(),
            last: TreePath::new(),
        }
    }

    /// Expands an own state of this level.
    pub fn expand(&mut self, expander: &mut Expander<'_>, id: StoredId, level: u64) {
        (self.level, self.violations) = (level, 0);
        let mut vector = std::mem::take(&mut self.spare);
        expander.load(&self.store, id, &mut vector, &mut self.path);
        expander.expand(&vector, self);
        self.spare = vector;
    }

    /// Inserts the states of a packet.
    pub fn insert_all(&mut self, expander: &mut Expander<'_>, mut bytes: &[u8]) {
        while let Some(vector) = unpack(&mut bytes) {
            self.insert(expander, vector);
        }
    }

    /// Inserts an own state.
    pub fn insert(&mut self, expander: &mut Expander<'_>, vector: &[u8]) {
        let mut own = std::mem::take(&mut self.spare);
        own.clear();
        own.extend_from_slice(vector);
        let shape = expander.adopt(&mut own);
        let plan = &expander.stepper.shapes()[shape].plan;
        let root = self.store.fold_next(&mut self.last, &own, plan);
        self.spare = own;
        self.put(root);
    }

    /// Inserts a state if it is an own one; returns whether it is.
    pub fn insert_if_own(&mut self, expander: &mut Expander<'_>, vector: &[u8]) -> bool {
        let own = self.key.owner(vector, self.open.len()) == self.me;
        if own {
            self.insert(expander, vector);
        }
        own
    }

    /// Inserts a state or sends it to its owner.
    pub fn insert_or_send(&mut self, expander: &mut Expander<'_>, vector: &[u8]) {
        if !self.insert_if_own(expander, vector) {
            self.send_to(self.key.owner(vector, self.open.len()), vector);
        }
    }

    fn put(&mut self, root: Root) {
        self.batch.push(root);
        if self.batch.len() == BATCH {
            self.flush();
        }
    }

    /// Learns a better tree when there are enough states; returns whether it did. The batch must be empty.
    pub fn learn(&mut self, expander: &mut Expander<'_>) -> bool {
        let learns = self.store.len() >= LEARN && !self.learned;
        if learns {
            relearn(expander, &mut self.store);
            self.learned = true;
        }
        learns
    }

    /// Inserts the states of the batch.
    pub fn flush(&mut self) {
        self.store.insert_all(&self.batch);
        self.batch.clear();
    }

    /// Takes all packets that are not empty.
    pub fn take_parcels(&mut self) -> Vec<Packet> {
        let mut parcels = std::mem::take(&mut self.ready);
        for open in self.open.iter_mut().filter(|p| !p.bytes.is_empty()) {
            let bytes = std::mem::take(&mut open.bytes);
            parcels.push(Packet { bytes, ..*open });
        }
        parcels
    }

    fn send_to(&mut self, to: usize, vector: &[u8]) {
        let open = &mut self.open[to];
        if open.bytes.capacity() == 0 {
            open.bytes.reserve(FULL + 2 * vector.len());
        }
        pack(&mut open.bytes, vector);
        if open.bytes.len() >= FULL {
            let bytes = std::mem::take(&mut open.bytes);
            self.ready.push(Packet { bytes, ..*open });
        }
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.store.memory() + self.open.len() * FULL
    }
}

impl Arrivals for WorkerPartition {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        self.transitions += 1;
        let stays = self.key.is_same(self.path.bytes(), vector);
        let owner = if stays { self.me } else { self.key.owner(vector, self.open.len()) };
        if owner == self.me {
            let root = self.store.fold(&self.path, vector, &shape.plan);
            self.put(root);
        } else {
            self.send_to(owner, vector);
        }
    }

    fn violation(&mut self, outcome: Outcome, _: &[Moves]) {
        let ordinal = self.violations;
        self.violations += 1;
        let Some(known) = self.findings.iter_mut().find(|f| same(&f.outcome, &outcome)) else {
            let (level, from) = (self.level, self.path.bytes().to_vec());
            self.findings.push(LocalFinding { outcome, level, from, ordinal, times: 1 });
            return;
        };
        known.times += 1;
        // A violation on entering the initial state is never replaced.
        let is_replaceable = known.level == self.level && !known.from.is_empty();
        if is_replaceable && body(self.path.bytes()) < body(&known.from) {
            known.from = self.path.bytes().to_vec();
            (known.outcome, known.ordinal) = (outcome, ordinal);
        }
    }
}
