//! Threads that share one store: together they make what one thread would make.
//!
//! A level is expanded in *rounds*. While a round goes on nobody changes the store: each thread takes chunks of states,
//! and looks up their successors. What is not in the store is [merged](FlatStore::merge) into it at the end of the
//! round (or entered into the [tree](crate::tree::TreeStore::merge), if the store has become one), in the order in which
//! one thread would have found it. States therefore get the same numbers, whatever the
//! number of threads and wherever a round ends; parents, violations and saved searches are those of one thread.
//!
//! Partial order reduction asks which successors are expanded later than the present state. That is what the store does
//! not have, and what it has behind the present state: the answer does not depend on other threads, so that a reduced
//! search visits the same states too.
//!
//! Three things end a round without a result, and one thread goes on for a while: a process is created that leads to
//! vectors of a new shape, whose numbers are given in the order of discovery; a violation ends the search; or a
//! chunk has too many successors. (Insertion by compare-and-swap would need no rounds, but numbers would depend on
//! chance, and with them the runs that are shown, the reduction, and whether a saved search can be resumed.)

use super::super::ample::Ample;
use super::super::coverage::Coverage;
use super::super::expander::Expander;
use super::super::findings::Findings;
use super::super::parents::Parents;
use super::super::{Task, Threads};
use super::reader::Reader;
use super::scout::{Chunk, Scout};
use crate::flat::{Candidates, DISTANCE, FlatStore, Offset};
use crate::store::{StateStore, StoreRef};
use crate::tree::{StoredId, TreeStore};
use crate::vector::{Layout, Shapes};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The stack of a thread: the interpreter recurses into expressions.
const STACK: usize = 64 << 20;
/// A round ends after this many transitions, words of new states, or time.
const TRANSITIONS: usize = 1 << 17;
const WORDS: usize = 1 << 21;
const TIME: Duration = Duration::from_millis(20);
/// Where memory is scarce, a round is shorter by this factor: if the store has become a tree, or the limit is below this
/// many bytes. What threads have freed is not always given back to the system, or used by another thread.
const SCARCE: usize = 8;
const LITTLE: usize = 1 << 28;
/// A chunk with more words of new states is left to one thread.
const MOST_WORDS: usize = 1 << 22;
/// After a round without result, one thread expands this many states, and twice as many each time.
const ALONE: usize = 256;

/// The threads.
pub(super) struct Crew<'e> {
    pool: ThreadPool,
    members: Vec<Member<'e>>,
    /// Chunks whose memory is used again.
    spare: Mutex<Vec<Chunk>>,
    threads: Threads,
    /// Whether the limit of memory is low.
    is_scarce: bool,
    /// Up to this state, one thread goes on alone.
    alone_until: StoredId,
    /// The number of states for which one thread goes on alone after the next round without result.
    patience: usize,
}

/// One of the threads.
struct Member<'e> {
    expander: Expander<'e>,
    reader: Reader,
    done: Vec<Chunk>,
}

/// A round: the chunks that are still to be taken.
struct Round<'r> {
    store: StoreRef<'r>,
    spare: &'r Mutex<Vec<Chunk>>,
    /// By how much the round is shorter.
    factor: usize,
    ample: Option<&'r Ample>,
    first_violation: bool,
    ids: Range<StoredId>,
    length: usize,
    n_shapes: usize,
    next: AtomicUsize,
    transitions: AtomicUsize,
    words: AtomicUsize,
    until: Instant,
    is_cut: AtomicBool,
}

/// What a round has done beside the states it has added.
pub(super) struct Expanded {
    /// The number of states that were expanded.
    pub n_states: usize,
    /// The offset of the state after them, in a flat store.
    pub next: Offset,
    pub transitions: u64,
    pub findings: Findings,
}

impl<'e> Crew<'e> {
    /// The threads that a task asks for; `None` for one thread, or if the system has no more.
    pub fn new(task: &Task<'e>) -> Option<Self> {
        // A limit on transitions is exact, which rounds are not.
        if task.threads.n < 2 || task.limits.transitions.is_some() {
            return None;
        }
        let builder = || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(task.threads.n);
            pool.stack_size(STACK).thread_name(|i| format!("search {i}"))
        };
        // The present thread is one of them, so that a round begins at once. It can be so only in one pool of its life.
        let pool = builder().use_current_thread().build().or_else(|_| builder().build()).ok()?;
        let member = |_| {
            let expander = Expander::new(task).ok()?;
            Some(Member { expander, reader: Reader::default(), done: Vec::new() })
        };
        let members = (0..task.threads.n).map(member).collect::<Option<_>>()?;
        let (spare, threads) = (Mutex::default(), task.threads);
        let is_scarce = task.limits.memory.is_some_and(|limit| limit < LITTLE);
        Some(Self { pool, members, spare, threads, is_scarce, alone_until: 0, patience: ALONE })
    }

    /// Whether the states in this range, the rest of a level, are worth a round.
    pub fn is_worth(threads: Threads, n_states: usize, ids: &Range<StoredId>) -> bool {
        n_states >= threads.alone && ids.len() >= threads.narrow.max(1)
    }

    /// Whether one thread goes on alone at a state.
    pub fn leaves(&self, id: StoredId) -> bool {
        id < self.alone_until
    }

    /// Gives the memory of earlier rounds back.
    pub fn give_memory_back(&mut self) {
        self.spare = Mutex::default();
        self.members.iter_mut().for_each(|member| member.reader = Reader::default());
    }

    /// Expands some of the states in a range, which begins at the first one that is not expanded. `None` if one thread
    /// must do it.
    pub fn expand(
        &mut self,
        store: &mut StateStore,
        expander: &mut Expander<'_>,
        parents: &mut Parents,
        ids: Range<StoredId>,
        ample: Option<&Ample>,
        first_violation: bool,
    ) -> Option<Expanded> {
        self.take_over(expander.stepper.shapes());
        let chunks = ids.len().div_ceil(4 * self.threads.n).clamp(1, DISTANCE);
        let is_scarce = self.is_scarce || matches!(store, StateStore::Tree(_));
        let Self { pool, members, spare, .. } = &mut *self;
        let round = Round {
            store: StoreRef::from(&*store),
            spare,
            factor: if is_scarce { SCARCE } else { 1 },
            ample,
            first_violation,
            ids: ids.clone(),
            length: chunks,
            n_shapes: expander.stepper.shapes().len(),
            next: AtomicUsize::new(0),
            transitions: AtomicUsize::new(0),
            words: AtomicUsize::new(0),
            until: Instant::now() + TIME,
            is_cut: AtomicBool::new(false),
        };
        pool.install(|| members.par_iter_mut().with_max_len(1).for_each(|m| m.work(&round)));
        let is_cut = round.is_cut.into_inner();
        let mut chunks: Vec<Chunk> = members.iter_mut().flat_map(|m| m.done.drain(..)).collect();
        chunks.sort_unstable_by_key(|chunk| chunk.first);
        let shapes = (!is_cut).then(|| expander.stepper.layout_and_shapes());
        let expanded = shapes.and_then(|of| self.merge(store, of, parents, &mut chunks));
        self.settle(expanded.is_some(), &chunks, &mut expander.coverage);
        self.give_back(chunks);
        expanded
    }

    /// All threads have the shapes of the search. (One that has met others in a round without result may have as many.)
    fn take_over(&mut self, shapes: &Shapes) {
        for member in &mut self.members {
            let own = member.expander.stepper.shapes();
            if !own.is_clone_of(shapes) {
                own.clone_from(shapes);
            }
        }
    }

    /// Merges what was found into the store.
    fn merge(
        &self,
        store: &mut StateStore,
        shapes: (&Layout, &mut Shapes),
        parents: &mut Parents,
        chunks: &mut [Chunk],
    ) -> Option<Expanded> {
        let is_done = match store {
            StateStore::Flat(flat) => self.merge_flat(flat, parents, chunks),
            StateStore::Tree(tree) => merge_tree(tree, shapes, parents, chunks),
        };
        let mut expanded = Expanded {
            n_states: chunks.iter().map(|chunk| chunk.n_states).sum(),
            next: chunks.last()?.end,
            transitions: 0,
            findings: Findings::default(),
        };
        for chunk in chunks {
            expanded.transitions += chunk.transitions;
            expanded.findings.append(std::mem::take(&mut chunk.findings));
        }
        is_done.then_some(expanded)
    }

    fn merge_flat(
        &self,
        flat: &mut FlatStore,
        parents: &mut Parents,
        chunks: &mut [Chunk],
    ) -> bool {
        let lists: Vec<Candidates> =
            chunks.iter_mut().map(|chunk| std::mem::take(&mut chunk.fresh.flat)).collect();
        let is_done = self.pool.install(|| flat.merge(&lists, |id, from| parents.add(id, from)));
        for (chunk, list) in chunks.iter_mut().zip(lists) {
            chunk.fresh.flat = list;
        }
        is_done
    }

    /// Notes whether a round had a result. If not, the edges that were taken in it do not count.
    fn settle(&mut self, is_done: bool, chunks: &[Chunk], coverage: &mut Coverage) {
        if is_done {
            self.members.iter().for_each(|member| coverage.add(&member.expander.coverage));
            self.patience = (self.patience / 2).max(ALONE);
            return;
        }
        self.members.iter_mut().for_each(|member| member.expander.coverage.clone_from(coverage));
        let cut = chunks.iter().find_map(|chunk| chunk.cut);
        let at = cut.or(chunks.last().map(|c| c.first + c.n_states as StoredId)).unwrap_or(0);
        self.alone_until = at.saturating_add(self.patience as StoredId);
        self.patience = (2 * self.patience).min(1 << 20);
    }

    /// Keeps the memory of the chunks for later rounds.
    fn give_back(&mut self, mut chunks: Vec<Chunk>) {
        chunks.iter_mut().for_each(Chunk::clear);
        self.spare.get_mut().unwrap_or_else(PoisonError::into_inner).append(&mut chunks);
    }
}

/// Enters what was found into a tree, which one thread does.
fn merge_tree(
    tree: &mut TreeStore,
    (layout, shapes): (&Layout, &mut Shapes),
    parents: &mut Parents,
    chunks: &[Chunk],
) -> bool {
    let plan = |vector: &[u8]| &shapes[shapes.of(layout, vector)].plan;
    let lists = chunks.iter().map(|chunk| &chunk.fresh.tree);
    tree.merge(lists, plan, |id, from| parents.add(id, from));
    true
}

impl Round<'_> {
    /// Takes a chunk of the states; `None` if there is none or the round is over. What is taken is a prefix.
    fn take(&self) -> Option<Range<StoredId>> {
        let factor = self.factor;
        let is_over = self.is_cut.load(Relaxed)
            || self.transitions.load(Relaxed) >= TRANSITIONS / factor
            || self.words.load(Relaxed) >= WORDS / factor
            || Instant::now() >= self.until && self.next.load(Relaxed) > 0;
        if is_over {
            return None;
        }
        let Range { start, end } = self.ids;
        let bound = |number: usize| {
            // The offsets of some states are noted: a chunk begins there if it is large enough.
            let at = start as usize + number * self.length;
            let at = if number > 0 { at / self.length * self.length } else { at };
            at.min(end as usize) as StoredId
        };
        let number = self.next.fetch_add(1, Relaxed);
        let chunk = bound(number)..bound(number + 1);
        (!chunk.is_empty()).then_some(chunk)
    }
}

impl Member<'_> {
    /// Expands chunks of the states of a round.
    fn work(&mut self, round: &Round<'_>) {
        while let Some(ids) = round.take() {
            let spare = round.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut chunk = spare.unwrap_or_default();
            chunk.first = ids.start;
            self.expand(round, ids, &mut chunk);
            round.transitions.fetch_add(chunk.transitions as usize, Relaxed);
            round.words.fetch_add(chunk.fresh.n_words(), Relaxed);
            if chunk.cut.is_some() {
                round.is_cut.store(true, Relaxed);
            }
            self.done.push(chunk);
        }
    }

    fn expand(&mut self, round: &Round<'_>, ids: Range<StoredId>, chunk: &mut Chunk) {
        let Self { expander, reader, .. } = self;
        let mut scout = Scout::new(round.store, reader, chunk, round.first_violation);
        for id in ids {
            scout.expand(expander, round.ample);
            let is_cut = scout.has_ended()
                || expander.stepper.shapes().len() != round.n_shapes
                || scout.n_words() > MOST_WORDS;
            if is_cut {
                scout.cut(id);
            }
            if is_cut || round.is_cut.load(Relaxed) {
                break;
            }
        }
        scout.end();
    }
}
