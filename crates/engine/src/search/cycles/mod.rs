//! The search for cycles: infinite runs that violate a property.
//!
//! An infinite run of a finite system violates a [`LivenessClaim`] iff the product with its automaton has a reachable
//! cycle that meets all marks and is fair, that is, iff some strongly connected component has them all. Components
//! are found depth-first, in one pass and with any number of marks (Couvreur, *On-the-fly verification of linear
//! temporal logic*, 1999; Geldenhuys and Valmari 2004; Tarjan 1972):
//!
//! - `order` numbers the states as they are entered; a state of a complete component is done. States are stored
//!   before they are entered, all successors of a state at once, so that the store is not waited for.
//! - `roots` are the candidates: the components of the part that was visited, along the path. An edge to a state that
//!   is not done joins all candidates from there on into one.
//! - A candidate that has gathered everything is a violation. It is reported at the edge that closes it, before the
//!   component is complete.
//!
//! *Weak fairness* (a process that stays enabled moves) is one mark for each process: no copies of states, and the
//! product is as large as without. *Strong fairness* is a Streett condition: if a complete component starves
//! processes, a fair cycle in it avoids the states in which these are enabled, so the other states are searched again
//! by themselves. *Progress*: a state with a progress label is on no violating cycle. It ends the path, and what
//! follows it is searched later, from an empty path.
//!
//! Nested depth-first search, which spin uses, visits states twice, needs one mark only, and so copies every state
//! once for each process under fairness.

mod gathered;
mod lasso;
mod pids;
mod product;

use super::expander::Moves;
use super::limits::{Clock, Progress, Stopped};
use super::relearn::{MOMENTS, relearn};
use super::task::Task;
use crate::tree::{Inserted, Root, StoredId, TreeStore};
use gathered::{Condition, Gathered};
use product::{LabelId, Product};
use resy_system::{Fairness, LivenessClaim, ViolationKind};
use std::time::{Duration, Instant};

/// The result of a search for cycles.
pub struct CycleSearch {
    /// The violation, if there is one.
    pub found: Option<InfiniteRun>,
    /// The number of states of the product that were visited.
    pub states: u64,
    /// The number of its edges.
    pub transitions: u64,
    /// The greatest depth of the path.
    pub depth: u64,
    /// Why the search is not complete, if it is not.
    pub stopped: Option<Stopped>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A run that violates a property of infinite runs.
#[derive(Clone, Debug)]
pub struct InfiniteRun {
    /// The moves from the initial state.
    pub stem: Vec<Moves>,
    /// The moves that are repeated for ever; `None` if the violation is at the end of the stem already.
    pub cycle: Option<Vec<Moves>>,
    /// Why a condition of the claim has no value at the end of the stem, if that is what is wrong.
    pub failure: Option<ViolationKind>,
}

/// Searches the product of a task's system with a claim for a violation; an error if there is no initial state. The
/// claims and properties of the task do not matter.
pub fn search_cycles(
    task: &Task<'_>,
    claim: &LivenessClaim,
    fairness: Fairness,
) -> Result<CycleSearch, ViolationKind> {
    let started = Instant::now();
    let product = Product::new(task, claim, fairness)?;
    let mut search = Couvreur {
        condition: Condition { marks: claim.marks(), fairness },
        product,
        store: TreeStore::new(),
        order: Vec::new(),
        n_entered: 0,
        live: Vec::new(),
        path: Vec::new(),
        waiting: Vec::new(),
        targets: Vec::new(),
        inserted: Vec::new(),
        roots: Vec::new(),
        barriers: Vec::new(),
        again: Vec::new(),
        transitions: 0,
        depth: 0,
        moments: MOMENTS.into_iter().rev().collect(),
        clock: Clock::new(started),
        task,
    };
    let (found, stopped) = search.run();
    Ok(CycleSearch {
        states: search.store.len() as u64,
        transitions: search.transitions,
        depth: search.depth,
        stopped: stopped.or(found.as_ref().map(|_| Stopped::Violation)),
        found,
        elapsed: started.elapsed(),
    })
}

/// The order of a state that waits to be visited again.
const NEW: u32 = 0;
/// The order of a state that is in no component any more.
const DONE: u32 = u32::MAX;

/// An edge to a stored state that was not followed yet.
#[derive(Copy, Clone)]
struct WaitingEdge {
    target: StoredId,
    label: LabelId,
}

/// A state on the path.
struct PathState {
    id: StoredId,
    /// The start of its edges among the waiting ones.
    waiting: usize,
}

/// A candidate for a component.
struct CandidateRoot {
    /// The order of its first state.
    order: u32,
    /// What its states and edges have.
    gathered: Gathered,
    /// The edge that leads to its first state from the candidate below.
    via: LabelId,
}

/// What the search has met.
enum Met {
    /// A state in which the claim is violated already.
    Prefix(StoredId, Option<ViolationKind>),
    /// A cycle through states of this order and later ones.
    Cycle(u32),
}

struct Couvreur<'a> {
    condition: Condition,
    product: Product<'a>,
    store: TreeStore,
    /// For every stored state: [`NEW`], its number among the entered ones, or [`DONE`].
    order: Vec<u32>,
    n_entered: u32,
    /// The entered states that are not done, in their order.
    live: Vec<StoredId>,
    path: Vec<PathState>,
    waiting: Vec<WaitingEdge>,
    /// Buffers for the targets of the edges of a state.
    targets: Vec<Root>,
    inserted: Vec<Inserted>,
    roots: Vec<CandidateRoot>,
    /// States with a progress label that are not expanded yet.
    barriers: Vec<StoredId>,
    /// States that are searched again without those that starve a process.
    again: Vec<StoredId>,
    transitions: u64,
    depth: u64,
    /// The numbers of states at which the tree of the store is learned again, the next one last.
    moments: Vec<usize>,
    clock: Clock,
    task: &'a Task<'a>,
}

impl Couvreur<'_> {
    /// The search, and the run of the first violation.
    fn run(&mut self) -> (Option<InfiniteRun>, Option<Stopped>) {
        let Some(initial) = self.product.initial(&mut self.store) else {
            let nothing = InfiniteRun { stem: Vec::new(), cycle: None, failure: None };
            return (Some(nothing), None);
        };
        self.product.edges = initial;
        self.wait_for_edges();
        match self.search() {
            Ok(None) => (None, None),
            Ok(Some(met)) => match self.run_of(met) {
                Ok(run) => (Some(run), None),
                Err(stopped) => (None, Some(stopped)),
            },
            Err(stopped) => (None, Some(stopped)),
        }
    }

    fn search(&mut self) -> Result<Option<Met>, Stopped> {
        loop {
            let is_exhausted =
                self.path.last().is_some_and(|top| top.waiting == self.waiting.len());
            let met = match is_exhausted {
                true => self.leave()?,
                false => match self.waiting.pop() {
                    Some(edge) => self.follow(edge)?,
                    None => match self.next_start() {
                        Some(met) => met?,
                        None => return Ok(None),
                    },
                },
            };
            if met.is_some() {
                return Ok(met);
            }
        }
    }

    /// Starts from an empty path again, if there is a state to start from.
    fn next_start(&mut self) -> Option<Result<Option<Met>, Stopped>> {
        if let Some(id) = self.again.pop() {
            let label = self.product.labels.number(Default::default());
            return Some(match self.order[id as usize] {
                NEW => self.enter(id, label),
                _ => Ok(None),
            });
        }
        let id = self.barriers.pop()?;
        Some(self.pass_barrier(id))
    }

    /// Stores the targets of the edges that the product has found, all at once, and puts the edges aside.
    fn wait_for_edges(&mut self) {
        let edges = &self.product.edges;
        self.transitions += edges.len() as u64;
        self.targets.clear();
        self.targets.extend(edges.iter().map(|edge| edge.target));
        self.inserted.clear();
        self.store.insert_batch(&self.targets, &mut self.inserted);
        self.order.resize(self.store.len(), NEW);
        let edges = self.inserted.iter().zip(edges);
        let edges = edges.map(|(to, edge)| WaitingEdge { target: to.id, label: edge.label });
        // The first edge is followed first.
        self.waiting.extend(edges.rev());
    }

    fn follow(&mut self, edge: WaitingEdge) -> Result<Option<Met>, Stopped> {
        match self.order[edge.target as usize] {
            NEW => self.enter(edge.target, edge.label),
            DONE => Ok(None),
            order => Ok(self.close(order, edge.label)),
        }
    }

    /// Extends the path by a state.
    fn enter(&mut self, id: StoredId, via: LabelId) -> Result<Option<Met>, Stopped> {
        self.look()?;
        self.product.load(&self.store, id);
        if self.product.is_barrier() {
            self.order[id as usize] = DONE;
            self.barriers.push(id);
            return Ok(None);
        }
        let facts = self.product.expand(&mut self.store);
        if facts.violated || facts.failure.is_some() {
            return Ok(Some(Met::Prefix(id, facts.failure)));
        }
        self.n_entered += 1;
        self.order[id as usize] = self.n_entered;
        self.live.push(id);
        let gathered = Gathered::of_state(facts.enabled);
        self.roots.push(CandidateRoot { order: self.n_entered, gathered, via });
        self.path.push(PathState { id, waiting: self.waiting.len() });
        self.depth = self.depth.max(self.path.len() as u64);
        self.wait_for_edges();
        Ok(None)
    }

    /// An edge to a live state: the candidates from there on are one.
    fn close(&mut self, order: u32, label: LabelId) -> Option<Met> {
        let mut joined = self.roots.pop()?;
        while joined.order > order {
            let mut below = self.roots.pop()?;
            below.gathered.add(&joined.gathered, self.condition.fairness);
            below.gathered.add_edge(self.product.labels.get(joined.via));
            joined = below;
        }
        joined.gathered.add_edge(self.product.labels.get(label));
        let is_violation = joined.gathered.is_violation(self.condition);
        let first = joined.order;
        self.roots.push(joined);
        is_violation.then_some(Met::Cycle(first))
    }

    /// Shortens the path by a state whose edges are all followed.
    fn leave(&mut self) -> Result<Option<Met>, Stopped> {
        let Some(PathState { id, .. }) = self.path.pop() else { return Ok(None) };
        let order = self.order[id as usize];
        if self.roots.last().is_some_and(|root| root.order == order)
            && let Some(root) = self.roots.pop()
        {
            let first = self.live.partition_point(|&id| self.order[id as usize] < order);
            let component = self.live.split_off(first);
            component.iter().for_each(|&id| self.order[id as usize] = DONE);
            if self.condition.fairness == Fairness::Strong
                && root.gathered.has_marks(self.condition)
            {
                self.search_again(&component, &root.gathered)?;
            }
        }
        Ok(None)
    }

    /// A complete component that starves processes: a fair cycle in it avoids the states in which they are enabled.
    fn search_again(&mut self, component: &[StoredId], gathered: &Gathered) -> Result<(), Stopped> {
        let starved = gathered.starved();
        for &id in component {
            self.look()?;
            self.product.load(&self.store, id);
            let facts = self.product.expand(&mut self.store);
            if !facts.enabled.meets(&starved) {
                self.order[id as usize] = NEW;
                self.again.push(id);
            }
        }
        Ok(())
    }

    /// Expands a state with a progress label, with an empty path.
    fn pass_barrier(&mut self, id: StoredId) -> Result<Option<Met>, Stopped> {
        self.look()?;
        self.product.load(&self.store, id);
        self.product.expand(&mut self.store);
        self.wait_for_edges();
        Ok(None)
    }

    /// Checks the limits now and then, and learns a better tree when there are enough states to learn from.
    fn look(&mut self) -> Result<(), Stopped> {
        if !self.clock.due() {
            return Ok(());
        }
        if self.moments.last().is_some_and(|&moment| self.store.len() >= moment) {
            relearn(&mut self.product.expander, &mut self.store);
            self.moments.pop();
        }
        if !self.store.has_room() || self.n_entered > DONE - (1 << 20) {
            return Err(Stopped::Numbers);
        }
        let memory = self.memory();
        let (states, waiting, depth) = (self.store.len(), self.waiting.len(), self.path.len());
        let transitions = self.transitions;
        let progress = |elapsed| {
            let depth = depth as u64;
            Progress { states, waiting, transitions, depth, memory, elapsed }
        };
        self.clock.look(&self.task.limits, memory, progress).map_or(Ok(()), Err)
    }

    fn memory(&self) -> usize {
        self.store.memory()
            + self.order.capacity() * size_of::<u32>()
            + (self.live.capacity() + self.barriers.capacity() + self.again.capacity())
                * size_of::<StoredId>()
            + self.waiting.capacity() * size_of::<WaitingEdge>()
            + self.path.capacity() * size_of::<PathState>()
            + self.roots.capacity() * size_of::<CandidateRoot>()
    }
}
