//! The partition of a worker: the states that it owns, and the packets for the other owners.
//!
//! The [key](super::key) of a state determines its owner. Own successors are inserted, others go into the packet for
//! their owner. (A cache of the states sent lately, to avoid sending them again, cost more than it saved: with a good key
//! a worker sends few states twice.) The store is flat while memory is plentiful, then a tree, as in a search by one
//! process; a search that is saved begins with a tree.

use super::super::Ample;
use super::super::adapt::convert;
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::same;
use super::super::relearn::relearn;
use super::crew::{Crew, Place};
use super::key::Key;
use super::messages::packet::{Packet, PacketKind};
use super::messages::series::{Series, SeriesReader};
use super::reduction::TeamReduction;
use super::saving::snapshot::SavedFinding;
use crate::flat::Offset;
use crate::store::StateStore;
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::{Shape, body};
use resy_system::Outcome;
use std::ops::Range;

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

    /// Adds it to those found so far, of which each kind is there once.
    pub fn add_to(self, findings: &mut Vec<LocalFinding>) {
        let Some(known) = findings.iter_mut().find(|f| same(&f.outcome, &self.outcome)) else {
            return findings.push(self);
        };
        known.times += self.times;
        // A violation on entering the initial state is never replaced.
        let is_replaceable = known.level == self.level && !known.from.is_empty();
        if is_replaceable && body(&self.from) < body(&known.from) {
            (known.outcome, known.ordinal, known.from) = (self.outcome, self.ordinal, self.from);
        }
    }
}

/// The states of a worker.
pub struct WorkerPartition {
    /// The states.
    pub store: StateStore,
    /// The most bytes of a flat store.
    pub most_flat: usize,
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
    /// The states that wait for answers of their successors' owners.
    pub reduction: TeamReduction,
    pub(super) me: usize,
    /// The packets that are being filled, by addressee.
    open: Vec<Series>,
    pub(super) level: u64,
    /// The number of violations found from the present state.
    pub(super) violations: u64,
    pub(super) spare: Vec<u8>,
    /// The present state.
    pub(super) present: Vec<u8>,
    /// Its parts in a tree.
    pub(super) path: TreePath,
    /// The state after it in a flat store, if it was loaded from one.
    next: (StoredId, Offset),
    batch: Vec<Root>,
    /// The state received last, along which the next one is folded.
    last: TreePath,
}

impl WorkerPartition {
    /// The empty partition of worker `me` of `n_workers`.
    pub fn new(me: usize, n_workers: usize, key: Key) -> Self {
        Self {
            store: StateStore::Tree(TreeStore::new()),
            most_flat: 0,
            transitions: 0,
            findings: Vec::new(),
            ready: Vec::new(),
            key,
            learned: false,
            reduction: TeamReduction::new(n_workers),
            me,
            open: vec![Series::default(); n_workers],
            level: 0,
            violations: 0,
            spare: Vec::new(),
            present: Vec::new(),
            path: TreePath::new(),
            next: (StoredId::MAX, 0),
            batch: Vec::new(),
            last: TreePath::new(),
        }
    }

    /// Expands an own state of this level.
    pub fn expand(&mut self, expander: &mut Expander<'_>, id: StoredId, level: u64) {
        let vector = self.load(expander, id, level);
        expander.expand(&vector, self);
        self.spare = vector;
    }

    /// Expands some own states of this level by several threads; `None` if one thread must do it.
    pub fn expand_together(
        &mut self,
        crew: &mut Crew<'_>,
        expander: &mut Expander<'_>,
        ample: Option<&Ample>,
        ids: Range<StoredId>,
        level: u64,
    ) -> Option<StoredId> {
        self.flush();
        let Self { store, key, me, open, reduction, .. } = &mut *self;
        let StateStore::Flat(flat) = store else { return None };
        let offsets = reduction.offsets();
        let place = Place { me: *me, n_workers: open.len(), key, level, offsets };
        let n = crew.expand(flat, expander, &place, ids, ample)?;
        self.take_over(crew);
        Some(n)
    }

    /// Takes in packets of states and questions by several threads; returns whether it has.
    pub fn read_together(
        &mut self,
        crew: &mut Crew<'_>,
        expander: &mut Expander<'_>,
        packets: &[Packet],
        level: u64,
    ) -> bool {
        self.make_room(expander);
        self.flush();
        let Self { store, key, me, open, reduction, .. } = &mut *self;
        let StateStore::Flat(flat) = store else { return false };
        let offsets = reduction.offsets();
        let place = Place { me: *me, n_workers: open.len(), key, level, offsets };
        let is_done = crew.receive(flat, expander, &place, packets);
        if is_done {
            self.take_over(crew);
        }
        is_done
    }

    /// Takes over what the threads have found.
    fn take_over(&mut self, crew: &mut Crew<'_>) {
        for found in crew.found() {
            self.transitions += found.transitions;
            found.findings.drain(..).for_each(|finding| finding.add_to(&mut self.findings));
            for (to, (states, answers)) in found.mail.iter().enumerate() {
                self.open[to].append(states);
                self.send_if_full(to);
                self.reduction.add_answers(to, answers);
            }
            for (waiting, others) in found.questions.drain(..) {
                self.ask(&others, waiting);
            }
        }
    }

    /// An own state of this level becomes the present one.
    pub(super) fn load(
        &mut self,
        expander: &mut Expander<'_>,
        id: StoredId,
        level: u64,
    ) -> Vec<u8> {
        (self.level, self.violations) = (level, 0);
        let mut vector = std::mem::take(&mut self.spare);
        match &self.store {
            StateStore::Tree(tree) => expander.load(tree, id, &mut vector, &mut self.path),
            StateStore::Flat(flat) => {
                let offset = if self.next.0 == id { self.next.1 } else { flat.locate(id) };
                vector.clear();
                vector.extend_from_slice(flat.get(offset));
                self.next = (id + 1, offset + vector.len().div_ceil(8) as Offset);
            }
        }
        self.present.clone_from(&vector);
        vector
    }

    /// Converts a flat store to a tree if it takes too much memory. All states keep their numbers.
    pub fn make_room(&mut self, expander: &mut Expander<'_>) {
        if !matches!(&self.store, StateStore::Flat(flat) if flat.memory() > self.most_flat || !flat.has_room())
        {
            return;
        }
        self.flush();
        let nothing = StateStore::Tree(TreeStore::new());
        if let StateStore::Flat(flat) = std::mem::replace(&mut self.store, nothing)
            && let Some(tree) = convert(expander, flat, |_| true)
        {
            self.store = StateStore::Tree(tree);
            self.learned = true;
            (self.path, self.last) = (TreePath::new(), TreePath::new());
        }
    }

    /// Inserts the states of a packet.
    pub fn insert_all(&mut self, expander: &mut Expander<'_>, bytes: &[u8]) {
        self.make_room(expander);
        let mut series = SeriesReader::new(bytes);
        while let Some(vector) = series.next_vector() {
            self.insert(expander, vector);
        }
    }

    /// Inserts an own state.
    pub fn insert(&mut self, expander: &mut Expander<'_>, vector: &[u8]) {
        self.receive(expander, vector, |_, _, _| {});
    }

    /// Inserts an own state of another worker's making. Before that `ask` is told the state, and its root in a tree.
    pub(super) fn receive(
        &mut self,
        expander: &mut Expander<'_>,
        vector: &[u8],
        ask: impl FnOnce(&mut Self, &[u8], Option<Root>),
    ) {
        let mut own = std::mem::take(&mut self.spare);
        own.clear();
        own.extend_from_slice(vector);
        let shape = expander.adopt(&mut own);
        let root = match &mut self.store {
            StateStore::Tree(tree) => {
                let plan = &expander.stepper.shapes()[shape].plan;
                Some(tree.fold_next(&mut self.last, &own, plan))
            }
            StateStore::Flat(_) => None,
        };
        ask(self, &own, root);
        self.put(&own, root);
        self.spare = own;
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

    /// The owner of a successor of the present state.
    #[inline]
    pub(super) fn owner_of(&self, vector: &[u8]) -> usize {
        let stays = self.key.is_same(&self.present, vector);
        if stays { self.me } else { self.key.owner(vector, self.open.len()) }
    }

    /// Inserts a state, which has this root in a tree.
    pub(super) fn put(&mut self, vector: &[u8], root: Option<Root>) {
        let n = match (&mut self.store, root) {
            (StateStore::Flat(flat), _) => {
                flat.stage(vector);
                flat.n_staged()
            }
            (StateStore::Tree(_), Some(root)) => {
                self.batch.push(root);
                self.batch.len()
            }
            (StateStore::Tree(_), None) => unreachable!("a state of a tree has a root"),
        };
        if n >= BATCH {
            self.flush();
        }
    }

    /// The root of a successor of the present state in a tree.
    pub(super) fn root_of(&mut self, vector: &[u8], shape: &Shape) -> Option<Root> {
        match &mut self.store {
            StateStore::Tree(tree) => Some(tree.fold(&self.path, vector, &shape.plan)),
            StateStore::Flat(_) => None,
        }
    }

    /// Learns a better tree when there are enough states; returns whether it did. The batch must be empty.
    pub fn learn(&mut self, expander: &mut Expander<'_>) -> bool {
        match &mut self.store {
            StateStore::Tree(tree) if tree.len() >= LEARN && !self.learned => {
                relearn(expander, tree);
                self.learned = true;
                true
            }
            _ => false,
        }
    }

    /// Inserts the states of the batch.
    pub fn flush(&mut self) {
        match &mut self.store {
            StateStore::Tree(tree) => tree.insert_all(&self.batch),
            StateStore::Flat(flat) => {
                let done = flat.insert_staged(|_, _| {});
                assert!(done, "room is made in time");
            }
        }
        self.batch.clear();
    }

    /// Takes the packets that are full, and questions and answers, for which somebody waits.
    pub fn take_ready(&mut self) -> Vec<Packet> {
        let mut parcels = std::mem::take(&mut self.ready);
        parcels.extend(self.reduction.take_mail());
        parcels
    }

    /// Takes all packets that are not empty.
    pub fn take_parcels(&mut self) -> Vec<Packet> {
        let mut parcels = self.take_ready();
        for (to, open) in self.open.iter_mut().enumerate().filter(|(_, open)| open.n_bytes() > 0) {
            parcels.push(Packet::new(to, PacketKind::States, open.take()));
        }
        parcels
    }

    pub(super) fn send_to(&mut self, to: usize, vector: &[u8]) {
        let open = &mut self.open[to];
        open.reserve(FULL + 2 * vector.len());
        open.push(vector);
        self.send_if_full(to);
    }

    #[inline]
    fn send_if_full(&mut self, to: usize) {
        let open = &mut self.open[to];
        if open.n_bytes() >= FULL {
            self.ready.push(Packet::new(to, PacketKind::States, open.take()));
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
        let owner = self.owner_of(vector);
        if owner == self.me {
            let root = self.root_of(vector, shape);
            self.put(vector, root);
        } else {
            self.send_to(owner, vector);
        }
    }

    fn violation(&mut self, outcome: Outcome, _: &[Moves]) {
        let (level, ordinal, from) = (self.level, self.violations, self.present.clone());
        self.violations += 1;
        LocalFinding { outcome, level, from, ordinal, times: 1 }.add_to(&mut self.findings);
    }
}
