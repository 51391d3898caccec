//! Partial order reduction with several workers: who owns a successor says whether it is expanded later.
//!
//! The [proviso](Proviso) needs an order of the states. Here it is the order of their levels, and within a level that of
//! their bytes. All states up to the present level are stored when the level begins, so that it is known of every
//! successor, whatever the others do meanwhile: the reduced search is the same for any number of workers.
//!
//! If the own successors of an attempt do not decide, the others are sent as *questions*. Their owners insert them and
//! answer; other states are expanded until the answers are there. If they are not in favour, the next process is tried.
//! (By the weaker proviso all successors are old then, so that nothing was inserted; by the stronger one what is stored
//! may stay.) A round ends when nobody waits for an answer.
//!
//! A process with a step that fails is not tried: a violation has a number among those of the full expansion.

use super::super::ample::{Ample, Later, Proviso, candidates_of};
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::messages::packet::{Packet, PacketKind, pack, unpack};
use super::partition::WorkerPartition;
use crate::flat::Offset;
use crate::store::StateStore;
use crate::tree::{Root, StoredId};
use crate::vector::{Shape, body};
use resy_system::Outcome;
use std::ops::Range;

/// What a worker needs to reduce.
pub struct TeamReduction {
    /// The states of the present level.
    level: Range<StoredId>,
    /// Their offsets in a flat store.
    offsets: Range<Offset>,
    /// The states that wait for answers, by the numbers of their questions.
    waiting: Vec<Waiting>,
    /// The numbers that are free.
    free: Vec<u32>,
    /// The questions and answers that are not sent yet, by addressee.
    mail: Vec<[Packet; 2]>,
    trial: Trial,
}

/// A state that waits for answers.
#[derive(Copy, Clone)]
pub(super) struct Waiting {
    id: StoredId,
    /// How many of its candidates were tried.
    n_tried: usize,
    /// The number of answers that are missing.
    n_open: usize,
    n_arrivals: u64,
    later: Later,
}

/// The successors by the steps of one process.
#[derive(Default)]
pub(super) struct Trial {
    n_arrivals: u64,
    has_failed: bool,
    later: Later,
    /// The roots of the own ones in a tree.
    roots: Vec<Root>,
    /// The own ones in a flat store.
    own: Vec<u8>,
    others: Others,
}

/// Successors of other owners.
#[derive(Clone, Default)]
pub(super) struct Others {
    /// The owners, and whether the successors are greater than the present state.
    owners: Vec<(usize, bool)>,
    /// The vectors.
    vectors: Vec<u8>,
}

impl Others {
    /// The successors with their owners.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], usize)> {
        vectors_of(&self.vectors).zip(self.owners.iter().map(|&(owner, _)| owner))
    }
}

impl Trial {
    /// Forgets the successors of another process.
    pub fn begin(&mut self) {
        (self.n_arrivals, self.has_failed, self.later) = (0, false, Later::new());
        self.roots.clear();
        self.own.clear();
        self.others.owners.clear();
        self.others.vectors.clear();
    }

    /// Adds an own successor, which has this root in a tree.
    pub fn add_own(&mut self, vector: &[u8], root: Option<Root>, is_later: bool) {
        self.n_arrivals += 1;
        self.later.add(is_later);
        match root {
            Some(root) => self.roots.push(root),
            None => pack(&mut self.own, vector),
        }
    }

    /// Adds a successor of another owner, which is greater than the present state or not.
    pub fn add_other(&mut self, vector: &[u8], owner: usize, is_greater: bool) {
        self.n_arrivals += 1;
        self.others.owners.push((owner, is_greater));
        pack(&mut self.others.vectors, vector);
    }

    /// One of the steps fails.
    pub fn fail(&mut self) {
        self.has_failed = true;
    }

    /// Whether a step has failed.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Whether the steps may be an ample set, which the proviso decides.
    pub fn is_candidate(&self) -> bool {
        self.n_arrivals > 0 && !self.has_failed
    }

    /// Whether the proviso holds; `None` if others must answer.
    pub fn told(&self, proviso: Proviso) -> Option<bool> {
        match self.later.tells(proviso) {
            None if self.others.owners.is_empty() => {
                Some(self.later.satisfies(proviso, self.n_arrivals))
            }
            told => told,
        }
    }

    /// The number of successors.
    pub fn n_arrivals(&self) -> u64 {
        self.n_arrivals
    }

    /// The own successors in a flat store.
    pub fn own(&self) -> impl Iterator<Item = &[u8]> {
        vectors_of(&self.own)
    }

    /// The successors of other owners.
    pub fn others(&self) -> &Others {
        &self.others
    }

    /// What is to be noted of a state whose successors' owners are asked, after this many candidates were tried.
    pub fn waiting(&self, id: StoredId, n_tried: usize) -> Waiting {
        let Self { n_arrivals, later, ref others, .. } = *self;
        Waiting { id, n_tried, n_open: others.owners.len(), n_arrivals, later }
    }
}

impl TeamReduction {
    /// Nothing is reduced yet, by one of `n_workers`.
    pub fn new(n_workers: usize) -> Self {
        let packet = |to, kind| Packet::new(to, kind, Vec::new());
        let mail = |to| [PacketKind::Questions, PacketKind::Answers].map(|kind| packet(to, kind));
        Self {
            level: 0..0,
            offsets: 0..0,
            waiting: Vec::new(),
            free: Vec::new(),
            mail: (0..n_workers).map(mail).collect(),
            trial: Trial::default(),
        }
    }

    /// Whether a state waits for answers.
    pub fn waits(&self) -> bool {
        self.waiting.len() > self.free.len()
    }

    /// The offsets of the states of the present level in a flat store.
    pub(super) fn offsets(&self) -> &Range<Offset> {
        &self.offsets
    }

    /// Adds answers for a worker.
    pub(super) fn add_answers(&mut self, to: usize, answers: &[u8]) {
        self.mail[to][1].bytes.extend_from_slice(answers);
    }

    /// Takes the questions and answers that are not sent yet.
    pub fn take_mail(&mut self) -> impl Iterator<Item = Packet> {
        let packets = self.mail.iter_mut().flatten().filter(|packet| !packet.bytes.is_empty());
        packets.map(|open| Packet { bytes: std::mem::take(&mut open.bytes), ..*open })
    }

    /// A number for the questions of a state.
    fn number(&mut self, waiting: Waiting) -> u32 {
        let Some(number) = self.free.pop() else {
            self.waiting.push(waiting);
            return self.waiting.len() as u32 - 1;
        };
        self.waiting[number as usize] = waiting;
        number
    }
}

impl WorkerPartition {
    /// Expands an own state of this level, by the steps of one process if that is enough.
    pub fn expand_reduced(
        &mut self,
        expander: &mut Expander<'_>,
        ample: &Ample,
        id: StoredId,
        level: u64,
    ) {
        self.try_from(expander, ample, id, level, 0);
    }

    /// Tries the processes that were not tried yet; if none is left, expands the state fully.
    fn try_from(
        &mut self,
        expander: &mut Expander<'_>,
        ample: &Ample,
        id: StoredId,
        level: u64,
        n_tried: usize,
    ) {
        let vector = self.load(expander, id, level);
        let candidates = candidates_of(expander, ample, &vector);
        let mut untried = candidates.iter().enumerate().skip(n_tried);
        let is_reduced = untried.any(|(i, &pid)| {
            self.follow(expander, pid, &vector) && self.accept(ample.proviso(), id, i + 1)
        });
        expander.candidates = candidates;
        if !is_reduced {
            expander.expand(&vector, self);
        }
        self.spare = vector;
    }

    /// Follows the steps of a process; returns whether they may be an ample set, which the proviso decides.
    fn follow(&mut self, expander: &mut Expander<'_>, pid: usize, vector: &[u8]) -> bool {
        self.reduction.trial.begin();
        expander.expand_only(pid, vector, &mut Attempted(self));
        self.reduction.trial.is_candidate()
    }

    /// Whether the successors by the steps of one process are kept: they are if the proviso holds, and as long as
    /// others must answer.
    fn accept(&mut self, proviso: Proviso, id: StoredId, n_tried: usize) -> bool {
        let trial = std::mem::take(&mut self.reduction.trial);
        let told = trial.told(proviso);
        if told != Some(false) {
            trial.roots.iter().for_each(|&root| self.put(&[], Some(root)));
            trial.own().for_each(|vector| self.put(vector, None));
        }
        match told {
            Some(false) => {}
            Some(true) => {
                self.transitions += trial.n_arrivals;
                trial.others.iter().for_each(|(vector, owner)| self.send_to(owner, vector));
            }
            None => self.ask(&trial.others, trial.waiting(id, n_tried)),
        }
        self.reduction.trial = trial;
        told != Some(false)
    }

    /// Asks the owners of the successors that are not own ones.
    pub(super) fn ask(&mut self, others: &Others, waiting: Waiting) {
        let number = self.reduction.number(waiting);
        for (vector, &(owner, is_greater)) in vectors_of(&others.vectors).zip(&others.owners) {
            let [questions, _] = &mut self.reduction.mail[owner];
            if questions.bytes.is_empty() {
                questions.bytes.extend_from_slice(&(self.me as u32).to_le_bytes());
            }
            let ticket = number << 1 | u32::from(is_greater);
            questions.bytes.extend_from_slice(&ticket.to_le_bytes());
            pack(&mut questions.bytes, vector);
        }
    }

    /// Inserts the states of questions, and answers.
    pub fn answer(&mut self, expander: &mut Expander<'_>, mut bytes: &[u8]) {
        self.make_room(expander);
        let Some(sender) = take_word(&mut bytes) else { return };
        while let Some(ticket) = take_word(&mut bytes) {
            let Some(vector) = unpack(&mut bytes) else { return };
            self.receive(expander, vector, |partition, vector, root| {
                let is_later = partition.is_later(vector, root, ticket & 1 != 0);
                let answer = answer(ticket, is_later);
                partition.reduction.add_answers(sender as usize, &answer);
            });
        }
    }

    /// Takes answers. Where the last one is there and the proviso does not hold, the next process is tried.
    pub fn hear(
        &mut self,
        expander: &mut Expander<'_>,
        ample: &Ample,
        mut bytes: &[u8],
        level: u64,
    ) {
        while let Some(answer) = take_word(&mut bytes) {
            let number = answer >> 1;
            let waiting = &mut self.reduction.waiting[number as usize];
            waiting.later.add(answer & 1 != 0);
            waiting.n_open -= 1;
            if waiting.n_open > 0 {
                continue;
            }
            let Waiting { id, n_tried, n_arrivals, later, .. } = *waiting;
            self.reduction.free.push(number);
            if later.satisfies(ample.proviso(), n_arrivals) {
                self.transitions += n_arrivals;
            } else {
                self.try_from(expander, ample, id, level, n_tried);
            }
        }
    }

    /// The states of this level are expanded from here on.
    pub fn enter_level(&mut self, level: Range<StoredId>) {
        if let StateStore::Flat(flat) = &self.store {
            self.reduction.offsets = flat.locate(level.start)..flat.locate(level.end);
        }
        self.reduction.level = level;
    }

    /// Whether an own state is expanded later than one of the present level, than which it is greater or not.
    fn is_later(&self, vector: &[u8], root: Option<Root>, is_greater: bool) -> bool {
        let TeamReduction { level, offsets, .. } = &self.reduction;
        match (&self.store, root) {
            (StateStore::Flat(flat), _) => comes_later(flat.find(vector), offsets, is_greater),
            (StateStore::Tree(tree), Some(root)) => comes_later(tree.find(root), level, is_greater),
            (StateStore::Tree(_), None) => true,
        }
    }
}

/// Whether a state at a position of the store, if it is there, is expanded later than one of the level at these
/// positions, than which it is greater or not. What waits to be inserted belongs to the next level.
pub(super) fn comes_later<P: PartialOrd>(
    at: Option<P>,
    level: &Range<P>,
    is_greater: bool,
) -> bool {
    at.is_none_or(|at| at >= level.end || at >= level.start && is_greater)
}

/// The answer to a question.
pub(super) fn answer(ticket: u32, is_later: bool) -> [u8; 4] {
    (ticket & !1 | u32::from(is_later)).to_le_bytes()
}

/// The vectors that were packed one after the other.
fn vectors_of(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || unpack(&mut bytes))
}

/// Removes a word from the front of a packet.
pub(super) fn take_word(bytes: &mut &[u8]) -> Option<u32> {
    let (word, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*word))
}

/// Receives the successors by the steps of one process.
struct Attempted<'p>(&'p mut WorkerPartition);

impl Arrivals for Attempted<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        let partition = &mut *self.0;
        let is_greater = body(vector) > body(&partition.present);
        let owner = partition.owner_of(vector);
        if owner == partition.me {
            let root = partition.root_of(vector, shape);
            let is_later = partition.is_later(vector, root, is_greater);
            partition.reduction.trial.add_own(vector, root, is_later);
        } else {
            partition.reduction.trial.add_other(vector, owner, is_greater);
        }
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {
        self.0.reduction.trial.fail();
    }

    fn goes_on(&self) -> bool {
        !self.0.reduction.trial.has_failed()
    }
}
