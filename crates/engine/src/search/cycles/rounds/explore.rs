//! The product, visited breadth-first by threads that share a flat store.
//!
//! As in the search without cycles, nobody changes the store while chunks of states are expanded. What is new is merged
//! afterwards in the order in which one thread would have found it. If a state has a new shape, or few states wait, one
//! thread goes on alone for a while.

use super::super::gathered::Condition;
use super::super::product::Product;
use super::{Look, Stopped, VisitedExtent};
use crate::flat::{Candidates, DISTANCE, FlatStore, Offset, Sieve};
use crate::search::Task;
use crate::tree::StoredId;
use rayon::ThreadPool;
use rayon::prelude::*;
use resy_system::{Fairness, LivenessClaim};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The stack of a thread: the interpreter recurses into expressions.
const STACK: usize = 64 << 20;
/// The number of successors that are looked up together.
pub(super) const BATCH: usize = 256;
/// The most chunks of a round, for each thread.
const CHUNKS: usize = 64;
/// One thread expands so many states alone where a round had no result, and twice as many each time.
const ALONE: usize = 256;

/// Threads that visit the states of a product.
pub(in super::super) struct ProductExplorers<'e> {
    flat: FlatStore,
    pool: ThreadPool,
    members: Vec<ProductExplorer<'e>>,
    condition: Condition,
    /// The most bytes of the store.
    most: usize,
    /// One thread expands a rest of a level with fewer states.
    narrow: usize,
    /// The number of states that are expanded, and the offset of the next one.
    n_expanded: usize,
    next: Offset,
    /// The number of states up to the end of the present level, and its distance from the initial states.
    level_end: usize,
    depth: u64,
    transitions: u64,
    /// For each component of the automaton the marks that edges inside of it have met, if there are any edges.
    met: Vec<Option<u64>>,
    /// Up to this state one thread goes on alone.
    alone_until: usize,
    patience: usize,
}

/// One of the threads.
pub(super) struct ProductExplorer<'e> {
    pub product: Product<'e>,
    pub sieve: Sieve,
}

/// How far threads have come.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum HowFar {
    /// All states are visited.
    All,
    /// As many as were asked for.
    Enough,
    /// There is a violation, or no room: one thread must go on.
    Abandoned,
}

/// What the states of a chunk lead to.
#[derive(Default)]
struct ProductChunk {
    fresh: Candidates,
    transitions: u64,
    met: Vec<Option<u64>>,
    /// The offset of the state after them.
    end: Offset,
    is_violated: bool,
    /// Whether a state of a new shape was met.
    is_cut: bool,
}

impl<'e> ProductExplorers<'e> {
    /// Threads at the initial states of a product; `None` if there are no threads or no flat store.
    pub fn new(
        task: &'e Task<'e>,
        claim: &'e LivenessClaim,
        fairness: Fairness,
        most: usize,
    ) -> Option<Self> {
        let n = task.threads.n;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).stack_size(STACK);
        let pool = pool.thread_name(|i| format!("cycles {i}")).build().ok()?;
        let member = |_| {
            let product = Product::new(task, claim, fairness).ok()?;
            Some(ProductExplorer { product, sieve: Sieve::default() })
        };
        let mut members = (0..n).map(member).collect::<Option<Vec<_>>>()?;
        let mut flat = FlatStore::new()?;
        flat.share_among(n).then_some(())?;
        let lead = &mut members.first_mut()?.product;
        lead.find_initial(None).then_some(())?;
        lead.targets().for_each(|(_, target)| flat.stage(target));
        flat.insert_staged(|_, _| {}).then_some(())?;
        let (next, level_end) = (flat.first(), flat.len());
        let components = claim.accepting_components();
        let n_components = components.iter().flatten().max().map_or(0, |last| last + 1);
        Some(Self {
            flat,
            pool,
            members,
            condition: Condition { marks: claim.marks(), fairness },
            most,
            narrow: task.threads.narrow.min(task.threads.alone.max(1)),
            n_expanded: 0,
            next,
            level_end,
            depth: 0,
            transitions: 0,
            met: vec![None; n_components],
            alone_until: 0,
            patience: ALONE,
        })
    }

    pub(super) fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    pub(super) fn condition(&self) -> Condition {
        self.condition
    }

    /// The store, the threads, and what they have.
    pub(super) fn parts(&mut self) -> (&FlatStore, &ThreadPool, &mut [ProductExplorer<'e>]) {
        (&self.flat, &self.pool, &mut self.members)
    }

    /// The size of what was visited.
    pub fn extent(&self) -> VisitedExtent {
        VisitedExtent {
            states: self.flat.len(),
            waiting: self.flat.len() - self.n_expanded,
            transitions: self.transitions,
            depth: self.depth,
            memory: self.flat.memory(),
        }
    }

    /// For each component of the automaton whether the edges inside of it have all marks.
    pub(super) fn accepting(&self) -> Vec<bool> {
        let all = self.condition.marks;
        self.met.iter().map(|met| met.is_some_and(|met| all & !met == 0)).collect()
    }

    /// Visits states until there are so many.
    pub fn explore(&mut self, enough: usize, look: &mut Look<'_>) -> Result<HowFar, Stopped> {
        while self.n_expanded < self.flat.len() {
            if self.flat.len() >= enough {
                return Ok(HowFar::Enough);
            }
            if self.flat.memory() >= self.most || !self.flat.has_room() {
                return Ok(HowFar::Abandoned);
            }
            if self.n_expanded == self.level_end {
                (self.level_end, self.depth) = (self.flat.len(), self.depth + 1);
            }
            look(self.extent())?;
            let rest = self.n_expanded..self.level_end;
            let is_alone = self.n_expanded < self.alone_until || rest.len() < self.narrow;
            let goes_on = match is_alone {
                true => self.expand_alone(rest.len().min(BATCH)),
                false => self.expand_together(rest),
            };
            if !goes_on {
                return Ok(HowFar::Abandoned);
            }
        }
        Ok(HowFar::All)
    }

    /// Expands some states by one thread; `false` if one of them is a violation, or if there is no room.
    fn expand_alone(&mut self, n: usize) -> bool {
        let Self { flat, members, met, .. } = self;
        let Some(lead) = members.first_mut() else { return false };
        for _ in 0..n {
            let state = flat.get(self.next);
            self.next += state.len().div_ceil(8) as Offset;
            self.n_expanded += 1;
            if !lead.product.expand_meeting(state, met) {
                return false;
            }
            self.transitions += lead.product.edges.len() as u64;
            lead.product.targets().for_each(|(_, target)| flat.stage(target));
            if !flat.insert_staged(|_, _| {}) {
                return false;
            }
        }
        true
    }

    /// Expands the first states of a range by all threads; `false` as above.
    fn expand_together(&mut self, rest: Range<usize>) -> bool {
        self.take_over_shapes();
        let Self { flat, pool, members, met, .. } = self;
        let length = rest.len().div_ceil(4 * members.len()).clamp(1, DISTANCE);
        let n_chunks = rest.len().div_ceil(length).min(CHUNKS * members.len());
        let n_shapes = members[0].product.expander.stepper.shapes().len();
        let mut chunks = share(pool, members, n_chunks, |member, number| {
            let start = rest.start + number * length;
            let ids = start..(start + length).min(rest.end);
            member.expand_chunk(flat, ids, met.len(), n_shapes)
        });
        let n_expanded = (n_chunks * length).min(rest.len());
        if chunks.iter().any(|chunk| chunk.is_cut) {
            self.alone_until = rest.start + self.patience;
            self.patience = (2 * self.patience).min(1 << 20);
            return true;
        }
        let lists: Vec<Candidates> =
            chunks.iter_mut().map(|chunk| std::mem::take(&mut chunk.fresh)).collect();
        if chunks.iter().any(|c| c.is_violated) || !pool.install(|| flat.merge(&lists, |_, _| {})) {
            return false;
        }
        for chunk in &chunks {
            self.transitions += chunk.transitions;
            for (met, &more) in met.iter_mut().zip(&chunk.met) {
                *met = more.map_or(*met, |more| Some(met.unwrap_or(0) | more));
            }
        }
        self.n_expanded += n_expanded;
        self.next = chunks.last().map_or(self.next, |chunk| chunk.end);
        true
    }

    /// All threads have the shapes of the first: its numbers are those of the store. (Another one may have met others in
    /// a round without result, so that their number says nothing.)
    fn take_over_shapes(&mut self) {
        let [lead, others @ ..] = &mut self.members[..] else { return };
        let shapes = lead.product.expander.stepper.shapes();
        for other in others {
            let own = other.product.expander.stepper.shapes();
            if own.made() != shapes.made() {
                own.clone_from(shapes);
            }
        }
    }
}

impl ProductExplorer<'_> {
    fn expand_chunk(
        &mut self,
        flat: &FlatStore,
        ids: Range<usize>,
        n_components: usize,
        n_shapes: usize,
    ) -> ProductChunk {
        let Self { product, sieve } = self;
        let mut chunk = ProductChunk { met: vec![None; n_components], ..ProductChunk::default() };
        let mut offset = flat.locate(ids.start as StoredId);
        for id in ids {
            let state = flat.get(offset);
            offset += state.len().div_ceil(8) as Offset;
            if !product.expand_meeting(state, &mut chunk.met) {
                chunk.is_violated = true;
                break;
            }
            chunk.transitions += product.edges.len() as u64;
            product.targets().for_each(|(_, t)| sieve.stage(flat, t, id as StoredId));
            if sieve.n_staged() >= BATCH {
                sieve.sift(flat, &mut chunk.fresh, |_| {});
            }
            if product.expander.stepper.shapes().len() != n_shapes {
                chunk.is_cut = true;
                break;
            }
        }
        sieve.sift(flat, &mut chunk.fresh, |_| {});
        chunk.end = offset;
        chunk
    }
}

/// Lets threads do numbered jobs, each the next one that is left; the results in the order of the numbers.
pub(super) fn share<T: Send>(
    pool: &ThreadPool,
    members: &mut [ProductExplorer<'_>],
    n_jobs: usize,
    work: impl Fn(&mut ProductExplorer<'_>, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = |member: &mut ProductExplorer<'_>| {
        let mut done = Vec::new();
        loop {
            let job = next.fetch_add(1, Relaxed);
            if job >= n_jobs {
                return done;
            }
            done.push((job, work(member, job)));
        }
    };
    let shared = || members.par_iter_mut().with_max_len(1).flat_map_iter(take).collect();
    let mut all: Vec<(usize, T)> = pool.install(shared);
    all.sort_unstable_by_key(|&(job, _)| job);
    all.into_iter().map(|(_, result)| result).collect()
}
