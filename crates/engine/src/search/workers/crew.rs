//! Threads inside a worker: they share its flat store.
//!
//! They work in rounds, as those of a search by one process do (`breadth/crew.rs`). While a round goes on nobody changes
//! the store: each thread expands states or reads packets, and keeps what the store does not have as candidates, which
//! are [merged](FlatStore::merge) at the end of the round. What belongs to other workers is sent after it. The order in
//! which a worker stores its states does not matter, so that each thread has one list for the whole round.
//!
//! A process that leads to vectors of a new shape ends a round without result, since all threads must number shapes
//! alike, as does a thread with too many candidates. Then the worker goes on alone for a while.

use super::super::ample::{Ample, candidates_of};
use super::super::coverage::Coverage;
use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::{Task, Threads};
use super::key::Key;
use super::messages::packet::{Packet, PacketKind, unpack};
use super::messages::series::{Series, SeriesReader};
use super::partition::LocalFinding;
use super::reduction::{Others, Trial, Waiting, answer, comes_later, take_word};
use crate::flat::{Candidates, FlatStore, Offset, Sieve};
use crate::tree::StoredId;
use crate::vector::{Shape, body};
use rayon::ThreadPool;
use rayon::prelude::*;
use resy_system::Outcome;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The stack of a thread: the interpreter recurses into expressions.
const STACK: usize = 64 << 20;
/// The number of successors that are looked up together.
const BATCH: usize = 256;
/// A round ends after this many words of candidates, or time: the others wait for what is sent after it.
const WORDS: usize = 1 << 21;
const TIME: Duration = Duration::from_millis(5);
/// A thread with more words of candidates leaves its states to one thread.
const MOST_WORDS: usize = 1 << 22;
/// The most states that a thread takes at once.
const CHUNK: usize = 128;
/// Packets with fewer bytes are left to one thread.
const FEW: usize = 1 << 15;
/// After a round without result, one thread goes on for a turn, and for twice as many each time, up to this number.
const MOST_TURNS: usize = 1 << 10;

/// The threads of a worker.
pub struct Crew<'a> {
    pool: ThreadPool,
    members: Vec<Member<'a>>,
    threads: Threads,
    /// The number of turns for which one thread still goes on alone, and after the next round without result.
    alone: usize,
    patience: usize,
}

/// One of the threads.
struct Member<'a> {
    expander: Expander<'a>,
    sieve: Sieve,
    trial: Trial,
    found: RoundResult,
}

/// What the threads know of their worker.
pub struct Place<'p> {
    /// Its number, that of all workers, and what determines the owners of states.
    pub me: usize,
    pub n_workers: usize,
    pub key: &'p Key,
    /// The present level, and the offsets of its states.
    pub level: u64,
    pub offsets: &'p Range<Offset>,
}

/// What a thread has found in a round, beside its candidates.
#[derive(Default)]
pub struct RoundResult {
    fresh: Candidates,
    /// The number of transitions.
    pub transitions: u64,
    /// The violations.
    pub findings: Vec<LocalFinding>,
    /// For each worker, the states that belong to it, and answers.
    pub mail: Vec<(Series, Vec<u8>)>,
    /// States whose successors' owners are to be asked.
    pub questions: Vec<(Waiting, Others)>,
}

impl RoundResult {
    /// Forgets everything but the memory.
    fn clear(&mut self) {
        self.fresh.clear();
        for (states, answers) in &mut self.mail {
            states.clear();
            answers.clear();
        }
        self.findings.clear();
        self.questions.clear();
        self.transitions = 0;
    }
}

/// A round: the states or packets that are still to be taken.
struct Round<'r> {
    store: &'r FlatStore,
    place: &'r Place<'r>,
    ample: Option<&'r Ample>,
    ids: Range<StoredId>,
    length: usize,
    packets: &'r [Packet],
    n_shapes: usize,
    next: AtomicUsize,
    words: AtomicUsize,
    until: Instant,
    is_cut: AtomicBool,
}

impl<'a> Crew<'a> {
    /// So many threads; `None` for one, or if the system has no more.
    pub fn new(task: &Task<'a>, threads: Threads, go_on: &mut dyn FnMut() -> bool) -> Option<Self> {
        if threads.n < 2 {
            return None;
        }
        let builder = || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.n);
            pool.stack_size(STACK).thread_name(|i| format!("search {i}"))
        };
        // The present thread is one of them, so that a round begins at once.
        let pool = builder().use_current_thread().build().or_else(|_| builder().build()).ok()?;
        let member = |_| {
            let expander = Expander::new_while(task, go_on).ok()?;
            let (sieve, trial, found) = Default::default();
            Some(Member { expander, sieve, trial, found })
        };
        let members = (0..threads.n).map(member).collect::<Option<_>>()?;
        Some(Self { pool, members, threads, alone: 0, patience: 1 })
    }

    /// Expands some of the states in a range; returns their number, or `None` if one thread must do it.
    pub fn expand(
        &mut self,
        flat: &mut FlatStore,
        expander: &mut Expander<'_>,
        place: &Place<'_>,
        ids: Range<StoredId>,
        ample: Option<&Ample>,
    ) -> Option<StoredId> {
        if self.alone > 0 || ids.len() < self.threads.narrow.max(1) {
            self.alone = self.alone.saturating_sub(1);
            return None;
        }
        let length = ids.len().div_ceil(4 * self.threads.n).clamp(1, CHUNK);
        let first = ids.start;
        let taken = self.work(flat, expander, place, ample, (ids.clone(), length), &[])?;
        Some((first as usize + taken * length).min(ids.end as usize) as StoredId - first)
    }

    /// Takes in the states and questions of packets; returns whether it has.
    pub fn receive(
        &mut self,
        flat: &mut FlatStore,
        expander: &mut Expander<'_>,
        place: &Place<'_>,
        packets: &[Packet],
    ) -> bool {
        let n_bytes: usize = packets.iter().map(|packet| packet.bytes.len()).sum();
        let few = if self.threads.narrow > 0 { FEW } else { 0 };
        n_bytes >= few && self.work(flat, expander, place, None, (0..0, 1), packets).is_some()
    }

    /// What the threads have found, after a round with a result.
    pub fn found(&mut self) -> impl Iterator<Item = &mut RoundResult> {
        self.members.iter_mut().map(|member| &mut member.found)
    }

    /// A round; returns the number of chunks that were taken, unless it has no result.
    fn work(
        &mut self,
        flat: &mut FlatStore,
        expander: &mut Expander<'_>,
        place: &Place<'_>,
        ample: Option<&Ample>,
        (ids, length): (Range<StoredId>, usize),
        packets: &[Packet],
    ) -> Option<usize> {
        if !flat.share_among(self.threads.n) {
            // There are too few addresses for a divided index: one thread goes on for a while.
            self.rest();
            return None;
        }
        let shapes = expander.stepper.shapes();
        for Member { expander: own, found, .. } in &mut self.members {
            found.clear();
            found.mail.resize_with(place.n_workers, Default::default);
            if own.stepper.shapes().made() != shapes.made() {
                own.stepper.shapes().clone_from(shapes);
            }
        }
        let (n_shapes, until) = (shapes.len(), Instant::now() + TIME);
        let [next, words] = [0, 0].map(AtomicUsize::new);
        let is_cut = AtomicBool::new(false);
        let store = &*flat;
        let round = Round {
            store,
            place,
            ample,
            ids,
            length,
            packets,
            n_shapes,
            next,
            words,
            until,
            is_cut,
        };
        let Self { pool, members, .. } = &mut *self;
        pool.install(|| members.par_iter_mut().with_max_len(1).for_each(|m| m.work(&round)));
        let n_taken = round.n_taken();
        let is_done = !round.is_cut.into_inner() && self.merge(flat);
        self.settle(is_done, &mut expander.coverage);
        is_done.then_some(n_taken)
    }

    /// Merges the candidates into the store.
    fn merge(&mut self, flat: &mut FlatStore) -> bool {
        let lists: Vec<Candidates> =
            self.members.iter_mut().map(|m| std::mem::take(&mut m.found.fresh)).collect();
        let is_done = self.pool.install(|| flat.merge(&lists, |_, _| {}));
        for (member, list) in self.members.iter_mut().zip(lists) {
            member.found.fresh = list;
        }
        is_done
    }

    /// Notes whether a round had a result. If not, the edges that were taken in it do not count.
    fn settle(&mut self, is_done: bool, coverage: &mut Coverage) {
        if is_done {
            self.members.iter().for_each(|member| coverage.add(&member.expander.coverage));
            self.patience = (self.patience / 2).max(1);
        } else {
            self.members
                .iter_mut()
                .for_each(|member| member.expander.coverage.clone_from(coverage));
            self.rest();
        }
    }

    /// One thread goes on for a while, longer each time.
    fn rest(&mut self) {
        self.alone = self.patience;
        self.patience = (2 * self.patience).min(MOST_TURNS);
    }
}

impl Round<'_> {
    /// The states of the next chunk; `None` if there is none, or the round is over. What is taken is a prefix.
    fn take(&self) -> Option<Range<StoredId>> {
        let is_over = self.is_cut.load(Relaxed)
            || self.words.load(Relaxed) >= WORDS
            || Instant::now() >= self.until && self.next.load(Relaxed) > 0;
        let Range { start, end } = self.ids;
        let at = |number: usize| (start as usize + number * self.length).min(end as usize);
        let number = if is_over { return None } else { self.next.fetch_add(1, Relaxed) };
        let chunk = at(number) as StoredId..at(number + 1) as StoredId;
        (!chunk.is_empty()).then_some(chunk)
    }

    /// The next packet, if there is one.
    fn take_packet(&self) -> Option<&Packet> {
        if self.packets.is_empty() || self.is_cut.load(Relaxed) {
            return None;
        }
        self.packets.get(self.next.fetch_add(1, Relaxed))
    }

    fn n_taken(&self) -> usize {
        self.next.load(Relaxed)
    }
}

impl Member<'_> {
    fn work(&mut self, round: &Round<'_>) {
        while let Some(packet) = round.take_packet() {
            self.read(round, packet);
        }
        while let Some(ids) = round.take() {
            let before = self.found.fresh.n_words();
            self.expand(round, ids);
            round.words.fetch_add(self.found.fresh.n_words() - before, Relaxed);
        }
        self.sift(round);
        if self.is_stuck(round) {
            round.is_cut.store(true, Relaxed);
        }
    }

    /// Looks up the states that wait for it.
    fn sift(&mut self, round: &Round<'_>) {
        self.sieve.sift(round.store, &mut self.found.fresh, |_| {});
    }

    /// Whether the round must end without result.
    fn is_stuck(&mut self, round: &Round<'_>) -> bool {
        self.expander.stepper.shapes().len() != round.n_shapes
            || self.found.fresh.n_words() > MOST_WORDS && round.packets.is_empty()
    }

    /// Expands a chunk of states.
    fn expand(&mut self, round: &Round<'_>, ids: Range<StoredId>) {
        let mut offset = round.store.locate(ids.start);
        for id in ids {
            let present = round.store.get(offset);
            offset += present.len().div_ceil(8) as Offset;
            let Self { expander, sieve, trial, found } = &mut *self;
            let mut scout = Scout { round, sieve, trial, found, id, present, violations: 0 };
            match round.ample {
                Some(ample) => scout.expand_reduced(expander, ample),
                None => {
                    expander.expand(present, &mut scout);
                }
            }
            if self.is_stuck(round) {
                round.is_cut.store(true, Relaxed);
            }
            if round.is_cut.load(Relaxed) {
                return;
            }
        }
    }

    /// Reads a packet of states or questions.
    fn read(&mut self, round: &Round<'_>, packet: &Packet) {
        if packet.kind == PacketKind::Questions {
            return self.read_questions(round, &packet.bytes);
        }
        let (mut series, mut own) = (SeriesReader::new(&packet.bytes), Vec::new());
        while let Some(vector) = series.next_vector() {
            vector.clone_into(&mut own);
            self.expander.adopt(&mut own);
            self.put(round, &own);
        }
    }

    fn read_questions(&mut self, round: &Round<'_>, mut bytes: &[u8]) {
        let (sender, mut own) = (take_word(&mut bytes).unwrap_or(0), Vec::new());
        while let Some(ticket) = take_word(&mut bytes) {
            let Some(vector) = unpack(&mut bytes) else { return };
            vector.clone_into(&mut own);
            self.expander.adopt(&mut own);
            let at = round.store.find(&own);
            let is_later = comes_later(at, round.place.offsets, ticket & 1 != 0);
            let answers = &mut self.found.mail[sender as usize].1;
            answers.extend_from_slice(&answer(ticket, is_later));
            self.put(round, &own);
        }
    }

    fn put(&mut self, round: &Round<'_>, vector: &[u8]) {
        self.sieve.stage(round.store, vector, 0);
        if self.sieve.n_staged() >= BATCH {
            self.sift(round);
        }
    }
}

/// Expands a state.
struct Scout<'s, 'r> {
    round: &'s Round<'r>,
    sieve: &'s mut Sieve,
    trial: &'s mut Trial,
    found: &'s mut RoundResult,
    id: StoredId,
    present: &'s [u8],
    /// The number of violations found from this state.
    violations: u64,
}

impl Scout<'_, '_> {
    /// The owner of a successor, if it is not this worker.
    fn other_owner(&self, vector: &[u8]) -> Option<usize> {
        let Place { me, n_workers, key, .. } = *self.round.place;
        let stays = key.is_same(self.present, vector);
        let owner = if stays { me } else { key.owner(vector, n_workers) };
        (owner != me).then_some(owner)
    }

    fn put(&mut self, vector: &[u8]) {
        self.sieve.stage(self.round.store, vector, self.id);
        if self.sieve.n_staged() >= BATCH {
            self.sieve.sift(self.round.store, &mut self.found.fresh, |_| {});
        }
    }

    /// Expands the state by the steps of one process if that is enough, as a worker alone does.
    fn expand_reduced(&mut self, expander: &mut Expander<'_>, ample: &Ample) {
        let candidates = candidates_of(expander, ample, self.present);
        let is_reduced = candidates.iter().enumerate().any(|(i, &pid)| {
            self.trial.begin();
            expander.expand_only(pid, self.present, &mut Attempted(self));
            self.trial.is_candidate() && self.accept(ample, i + 1)
        });
        expander.candidates = candidates;
        if !is_reduced {
            expander.expand(self.present, self);
        }
    }

    /// Keeps the successors by the steps of one process, if the proviso holds or others must answer.
    fn accept(&mut self, ample: &Ample, n_tried: usize) -> bool {
        let trial = std::mem::take(self.trial);
        let told = trial.told(ample.proviso());
        if told != Some(false) {
            trial.own().for_each(|vector| self.put(vector));
        }
        match told {
            Some(false) => {}
            Some(true) => {
                self.found.transitions += trial.n_arrivals();
                for (vector, owner) in trial.others().iter() {
                    self.found.mail[owner].0.push(vector);
                }
            }
            None => {
                let waiting = trial.waiting(self.id, n_tried);
                self.found.questions.push((waiting, trial.others().clone()));
            }
        }
        *self.trial = trial;
        told != Some(false)
    }
}

impl Arrivals for Scout<'_, '_> {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        self.found.transitions += 1;
        match self.other_owner(vector) {
            Some(owner) => self.found.mail[owner].0.push(vector),
            None => self.put(vector),
        }
    }

    fn violation(&mut self, outcome: Outcome, _: &[Moves]) {
        let (level, from) = (self.round.place.level, self.present.to_vec());
        let found = LocalFinding { outcome, level, from, ordinal: self.violations, times: 1 };
        found.add_to(&mut self.found.findings);
        self.violations += 1;
    }
}

/// Receives the successors by the steps of one process.
struct Attempted<'x, 's, 'r>(&'x mut Scout<'s, 'r>);

impl Arrivals for Attempted<'_, '_, '_> {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        let Scout { round, present, .. } = *self.0;
        let is_greater = body(vector) > body(present);
        match self.0.other_owner(vector) {
            Some(owner) => self.0.trial.add_other(vector, owner, is_greater),
            None => {
                let at = round.store.find(vector);
                let is_later = comes_later(at, round.place.offsets, is_greater);
                self.0.trial.add_own(vector, None, is_later);
            }
        }
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {
        self.0.trial.fail();
    }

    fn goes_on(&self) -> bool {
        !self.0.trial.has_failed()
    }
}
