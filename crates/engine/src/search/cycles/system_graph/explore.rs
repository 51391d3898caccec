//! The states of a system that a product has, visited breadth-first by one or several threads that share a flat store.
//!
//! As in the search without cycles, nobody changes the store while chunks of states are expanded. What is new is merged
//! afterwards in the order in which one thread would have found it, and then the threads add the chunks to the graph. If a
//! state has a new shape, or few states wait, one thread goes on alone for a while.

use super::super::edge_bits::EdgeBits;
use super::super::gathered::Condition;
use super::super::product::Product;
use super::super::turns::{HowFar, Look, VisitedExtent};
use super::Stopped;
use super::chunk::{BATCH, FoundSteps, PlacedItem, SystemChunk, SystemExplorer};
use super::edges::KeptEdges;
use super::graph::{Item, Steps, SystemGraph};
use super::kinds::TooMany;
use super::reading::Reader;
use crate::flat::{Candidates, FlatStore, Offset, Sieve};
use crate::search::Task;
use rayon::ThreadPool;
use rayon::prelude::*;
use resy_system::{Fairness, LivenessClaim};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The stack of a thread: the interpreter recurses into expressions.
const STACK: usize = 64 << 20;
/// The most states of a chunk, and the most chunks of a round for each thread.
const CHUNK: usize = 256;
const CHUNKS: usize = 64;
/// One thread expands so many states alone where a round had no result, and twice as many each time.
const ALONE: usize = 256;

/// Threads that visit the states of a system.
pub(in super::super) struct SystemExplorers<'e> {
    flat: FlatStore,
    /// The threads, if there are several.
    pool: Option<ThreadPool>,
    members: Vec<SystemExplorer<'e>>,
    graph: SystemGraph<'e>,
    /// The most bytes of the store and the graph.
    most: usize,
    /// One thread expands fewer states alone.
    narrow: usize,
    /// The offset of the state that is expanded next.
    next: Offset,
    /// The number of states up to the end of the present level, and its distance from the initial state.
    level_end: usize,
    depth: u64,
    /// Up to this state one thread goes on alone.
    alone_until: usize,
    patience: usize,
    /// Steps that one thread has found, and whose targets wait to be inserted.
    pending: FoundSteps,
    steps: Steps,
    /// Chunks whose memory is used again.
    spare: Mutex<Vec<SystemChunk>>,
}

impl<'e> SystemExplorers<'e> {
    /// Threads at the initial state of a system; `None` if the claim or the system has more of something than fits.
    pub fn new(
        task: &'e Task<'e>,
        claim: &'e LivenessClaim,
        fairness: Fairness,
        most: usize,
    ) -> Option<Self> {
        let n = task.threads.n.max(1);
        let condition = Condition { marks: claim.marks(), fairness };
        let bits = EdgeBits::of(condition.marks, fairness, EdgeBits::most(condition.marks))?;
        let member = |_| {
            let product = Product::of_system(task, claim, fairness).ok()?;
            let reader = Reader::of(claim, product.claim_components())?;
            let sieve = Sieve::default();
            Some(SystemExplorer { product, reader, sieve, bits })
        };
        let mut members = (0..n).map(member).collect::<Option<Vec<_>>>()?;
        let pool = || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).stack_size(STACK);
            pool.thread_name(|i| format!("cycles {i}")).build().ok()
        };
        let pool = if n > 1 { Some(pool()?) } else { None };
        let mut flat = FlatStore::new()?;
        (n == 1 || flat.share_among(n)).then_some(())?;
        let lead = &mut members.first_mut()?.product;
        let reader = Reader::of(claim, lead.claim_components())?;
        let n_components = claim.accepting_components().into_iter().flatten().max();
        let n_components = n_components.map_or(0, |last| last + 1);
        let mut graph = SystemGraph::new(reader, condition, n_components, n > 1);
        flat.stage(&lead.initial());
        flat.insert_staged(|_, _| {}).then_some(())?;
        graph.make_room(&flat);
        let initial = claim.initial()?.iter().fold(0, |set, state| set | 1 << state);
        graph.reach(0, initial).ok()?;
        Some(Self {
            level_end: flat.len(),
            next: flat.first(),
            flat,
            pool,
            members,
            graph,
            most,
            narrow: task.threads.narrow.min(task.threads.alone.max(1)),
            depth: 0,
            alone_until: 0,
            patience: ALONE,
            pending: FoundSteps::default(),
            steps: Steps::default(),
            spare: Mutex::default(),
        })
    }

    /// The store, the thread that goes on alone, and the graph.
    pub(super) fn parts(
        &mut self,
    ) -> (&FlatStore, Option<&mut SystemExplorer<'e>>, &mut SystemGraph<'e>) {
        (&self.flat, self.members.first_mut(), &mut self.graph)
    }

    /// The size of what was visited.
    pub fn extent(&self) -> VisitedExtent {
        VisitedExtent {
            states: self.graph.n_states,
            waiting: self.flat.len() - self.n_expanded() + self.graph.grown.len(),
            transitions: self.graph.transitions,
            depth: self.depth,
            memory: self.flat.memory() + self.graph.memory(),
        }
    }

    /// The number of states that are expanded.
    fn n_expanded(&self) -> usize {
        self.graph.next as usize
    }

    /// Visits states until the product has so many.
    pub fn explore(&mut self, enough: usize, look: &mut Look<'_>) -> Result<HowFar, Stopped> {
        loop {
            if self.graph.n_states >= enough {
                return Ok(HowFar::Enough);
            }
            let extent = self.extent();
            let fits = self.flat.has_room() && KeptEdges::fits(self.flat.len());
            if extent.memory >= self.most || !fits {
                return Ok(HowFar::Abandoned);
            }
            look(extent)?;
            let Ok(items) = self.next_items() else { return Ok(HowFar::Abandoned) };
            let is_alone = self.n_expanded() < self.alone_until || items.len() < self.narrow;
            let goes_on = match &self.pool {
                _ if items.is_empty() => return Ok(HowFar::All),
                Some(_) if !is_alone => self.expand_together(&items),
                _ => self.expand_alone(&items),
            };
            if !matches!(goes_on, Ok(true)) {
                return Ok(HowFar::Abandoned);
            }
        }
    }

    /// What is expanded next: states with sets that have grown, and then states of the present level.
    fn next_items(&mut self) -> Result<Vec<PlacedItem>, TooMany> {
        let (most, mut items) = (CHUNK * CHUNKS * self.members.len(), Vec::new());
        let Self { flat, graph, steps, .. } = self;
        while !graph.grown.is_empty() && items.len() < most {
            // What grows by steps that are kept is for the next time.
            let n = (most - items.len()).min(graph.grown.len());
            for item in graph.grown.split_off(graph.grown.len() - n) {
                if !graph.take_kept_steps(item, steps) {
                    let offset = graph.numbers.offset(flat, item.state);
                    items.push(PlacedItem { item, offset });
                }
            }
            graph.settle(steps)?;
        }
        if items.len() >= most {
            return Ok(items);
        }
        if graph.next as usize == self.level_end && items.is_empty() {
            (self.level_end, self.depth) = (flat.len(), self.depth + 1);
        }
        while (graph.next as usize) < self.level_end && items.len() < most {
            let (state, offset) = (graph.next, self.next);
            let set = graph.kinds.get(state).set;
            items.push(PlacedItem { item: Item { state, set }, offset });
            graph.next += 1;
            self.next = flat.after(offset);
        }
        Ok(items)
    }

    /// Expands states by one thread; `false` if one of them is a violation, or if there is no room.
    fn expand_alone(&mut self, items: &[PlacedItem]) -> Result<bool, TooMany> {
        for &PlacedItem { item, offset } in items {
            let Self { flat, members, graph, pending, .. } = self;
            let Some(lead) = members.first_mut() else { return Ok(false) };
            let Some(facts) = lead.product.facts_of(flat.get(offset)) else { return Ok(false) };
            let stage = |_: &mut Sieve, target: &[u8]| flat.stage(target);
            if !lead.find_steps(item, facts, graph, pending, stage) {
                return Ok(false);
            }
            if flat.n_staged() >= BATCH && !self.settle()? {
                return Ok(false);
            }
        }
        self.settle()
    }

    /// Inserts the targets that wait, and adds the steps to the graph; `false` if there is no room.
    fn settle(&mut self) -> Result<bool, TooMany> {
        let Self { flat, graph, pending, steps, .. } = self;
        if !flat.insert_staged(|offset, _| pending.targets.push(offset)) {
            return Ok(false);
        }
        graph.make_room(flat);
        pending.read(graph);
        pending.add_to(graph, steps);
        pending.clear();
        graph.settle(steps)?;
        Ok(true)
    }

    /// Expands states by all threads; `false` as above.
    fn expand_together(&mut self, items: &[PlacedItem]) -> Result<bool, TooMany> {
        self.take_over_shapes();
        let Self { flat, pool, members, graph, spare, .. } = self;
        let Some(pool) = pool else { return Ok(false) };
        let length = items.len().div_ceil(4 * members.len()).clamp(1, CHUNK);
        let n_shapes = members[0].product.expander.stepper.shapes().len();
        let lists: Vec<&[PlacedItem]> = items.chunks(length).collect();
        let unused = &*spare;
        let mut chunks = share(pool, members, lists.len(), |member, number| {
            let unused = unused.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut chunk = unused.unwrap_or_default();
            member.expand_chunk(&mut chunk, flat, graph, lists[number], n_shapes);
            chunk
        });
        if chunks.iter().any(|chunk| chunk.is_cut) {
            self.alone_until = self.n_expanded() + self.patience;
            self.patience = (2 * self.patience).min(1 << 20);
            return self.expand_alone(items);
        }
        let mut fresh: Vec<Candidates> =
            chunks.iter_mut().map(|chunk| std::mem::take(&mut chunk.fresh)).collect();
        if chunks.iter().any(|c| c.is_violated) || !pool.install(|| flat.merge(&fresh, |_, _| {})) {
            return Ok(false);
        }
        graph.make_room(flat);
        chunks.iter_mut().for_each(|chunk| chunk.found.read(graph));
        let (stored, known) = (&*flat, &*graph);
        pool.install(|| {
            let both = chunks.par_iter_mut().with_max_len(1).zip(&fresh);
            both.for_each(|(chunk, fresh)| chunk.add_to(stored, fresh, known));
        });
        for (chunk, fresh) in chunks.iter_mut().zip(&mut fresh) {
            graph.settle(&mut chunk.steps)?;
            chunk.fresh = std::mem::take(fresh);
            chunk.clear();
        }
        spare.get_mut().unwrap_or_else(PoisonError::into_inner).append(&mut chunks);
        Ok(true)
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

/// Lets threads do numbered jobs, each the next one that is left; the results in the order of the numbers.
fn share<T: Send>(
    pool: &ThreadPool,
    members: &mut [SystemExplorer<'_>],
    n_jobs: usize,
    work: impl Fn(&mut SystemExplorer<'_>, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = |member: &mut SystemExplorer<'_>| {
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
