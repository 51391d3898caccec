//! The hand of a worker: its own states, and those that it passes on.
//!
//! A state belongs to the worker that its [key](super::key) names. Own successors go into the store
//! at once, folded along their parent; others into the parcel for their owner. (A memory
//! of the states sent lately, so as not to send them again, cost more than it saved.)

use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::{Outcome, same};
use super::super::relearn::relearn;
use super::key::Key;
use super::messages::packet::{Packet, PacketKind, pack, unpack};
use super::saving::snapshot::SavedFinding;
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::{Shape, body};

/// So many own successors are looked up together.
const BATCH: usize = 256;
/// With so many states it learns a tree of its own.
const LEARN: usize = 1 << 17;
/// A parcel with so many bytes is sent.
const FULL: usize = 1 << 16;

/// A violation as one worker knows it.
pub struct LocalFinding {
    /// What it is.
    pub outcome: Outcome,
    /// The level of the state from which it was found.
    pub level: u64,
    /// This state, the smallest of its level; empty for what is wrong on the way to the
    /// first state.
    pub from: Vec<u8>,
    /// Which of the violations on the way from there it is.
    pub ordinal: u64,
    /// How often it was met.
    pub times: u64,
}

impl LocalFinding {
    /// As it is saved.
    pub fn seen(&self) -> SavedFinding {
        let LocalFinding { level, ref from, ordinal, times, .. } = *self;
        SavedFinding { level, from: from.clone(), ordinal, times }
    }
}

/// What a worker holds.
pub struct Partition {
    /// Its states.
    pub store: TreeStore,
    /// The arrivals that it saw.
    pub transitions: u64,
    /// The violations that it saw.
    pub findings: Vec<LocalFinding>,
    /// Full parcels.
    pub ready: Vec<Packet>,
    /// To whom which state belongs.
    pub key: Key,
    /// Whether the store has a tree that was learned.
    pub learned: bool,
    me: usize,
    /// The parcels that are being filled, by address.
    open: Vec<Packet>,
    level: u64,
    /// Violations on the way from the present state.
    violations: u64,
    spare: Vec<u8>,
    path: TreePath,
    batch: Vec<Root>,
    /// The state received last, along which the next one is folded.
    last: TreePath,
}

impl Partition {
    /// Empty, of worker `me` of so many, which share the states by this key.
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

    /// Expands one of its states, of this level.
    pub fn expand(&mut self, expander: &mut Expander<'_>, id: StoredId, level: u64) {
        (self.level, self.violations) = (level, 0);
        let mut vector = std::mem::take(&mut self.spare);
        expander.load(&self.store, id, &mut vector, &mut self.path);
        expander.expand(&vector, self);
        self.spare = vector;
    }

    /// Takes in the states of a parcel.
    pub fn take_in(&mut self, expander: &mut Expander<'_>, mut bytes: &[u8]) {
        while let Some(vector) = unpack(&mut bytes) {
            self.keep(expander, vector);
        }
    }

    /// Takes in a state that is its own.
    pub fn keep(&mut self, expander: &mut Expander<'_>, vector: &[u8]) {
        let mut own = std::mem::take(&mut self.spare);
        own.clear();
        own.extend_from_slice(vector);
        let shape = expander.adopt(&mut own);
        let plan = &expander.stepper.shapes()[shape].plan;
        let root = self.store.fold_next(&mut self.last, &own, plan);
        self.spare = own;
        self.put(root);
    }

    /// Takes in a state if it is its own; says whether it is.
    pub fn keep_own(&mut self, expander: &mut Expander<'_>, vector: &[u8]) -> bool {
        let own = self.key.owner(vector, self.open.len()) == self.me;
        if own {
            self.keep(expander, vector);
        }
        own
    }

    /// Takes in a state or passes it on.
    pub fn give(&mut self, expander: &mut Expander<'_>, vector: &[u8]) {
        if !self.keep_own(expander, vector) {
            self.pass_on(self.key.owner(vector, self.open.len()), vector);
        }
    }

    fn put(&mut self, root: Root) {
        self.batch.push(root);
        if self.batch.len() == BATCH {
            self.flush();
        }
    }

    /// Learns a better tree for its states when it has many, and says whether it did. The
    /// queue is empty then.
    pub fn learn(&mut self, expander: &mut Expander<'_>) -> bool {
        let learns = self.store.len() >= LEARN && !self.learned;
        if learns {
            relearn(expander, &mut self.store);
            self.learned = true;
        }
        learns
    }

    /// Looks up the states that wait for it.
    pub fn flush(&mut self) {
        self.store.insert_all(&self.batch);
        self.batch.clear();
    }

    /// All parcels that are not empty; afterwards all are.
    pub fn take_parcels(&mut self) -> Vec<Packet> {
        let mut parcels = std::mem::take(&mut self.ready);
        for open in self.open.iter_mut().filter(|p| !p.bytes.is_empty()) {
            let bytes = std::mem::take(&mut open.bytes);
            parcels.push(Packet { bytes, ..*open });
        }
        parcels
    }

    fn pass_on(&mut self, to: usize, vector: &[u8]) {
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

    /// The memory taken.
    pub fn memory(&self) -> usize {
        self.store.memory() + self.open.len() * FULL
    }
}

impl Arrivals for Partition {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        self.transitions += 1;
        let stays = self.key.is_same(self.path.bytes(), vector);
        let owner = if stays { self.me } else { self.key.owner(vector, self.open.len()) };
        if owner == self.me {
            let root = self.store.fold(&self.path, vector, &shape.plan);
            self.put(root);
        } else {
            self.pass_on(owner, vector);
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
        // A violation on the way to the first state stays the one to be shown.
        let is_replaceable = known.level == self.level && !known.from.is_empty();
        if is_replaceable && body(self.path.bytes()) < body(&known.from) {
            known.from = self.path.bytes().to_vec();
            (known.outcome, known.ordinal) = (outcome, ordinal);
        }
    }
}
