//! The search for cycles: infinite runs that violate a property.
//!
//! An infinite run of a finite system violates a [`LivenessClaim`] iff the product with its automaton has a reachable
//! cycle that meets all marks and is fair, that is, iff some strongly connected component has them all. Components
//! are found depth-first, in one pass and with any number of marks (Couvreur, *On-the-fly verification of linear
//! temporal logic*, 1999; Geldenhuys and Valmari 2004; Tarjan 1972):
//!
//! - The order of a state is its number among the entered ones; a state of a complete component is done. States are stored
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
mod states;

use super::expander::Moves;
use super::limits::{Clock, Progress, Stopped};
use super::relearn::MOMENTS;
use super::task::Task;
use gathered::{Condition, Gathered};
use product::{LabelId, Product};
use resy_system::{Fairness, LivenessClaim, ViolationKind};
use states::{ProductStates, StateKey};
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
    /// The store of the states: `flat` or `tree`.
    pub store: &'static str,
    /// The memory at the end, in bytes.
    pub memory: usize,
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
        states: ProductStates::new(task),
        is_tight: false,
        n_entered: 0,
        live: Vec::new(),
        path: Vec::new(),
        waiting: Vec::new(),
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
        states: search.states.len() as u64,
        transitions: search.transitions,
        depth: search.depth,
        stopped: stopped.or(found.as_ref().map(|_| Stopped::Violation)),
        found,
        elapsed: started.elapsed(),
        store: search.states.store_name(),
        memory: search.memory(),
    })
}

/// The order of a state that waits to be visited again.
const NEW: u32 = 0;
/// The order of a state that is in no component any more.
const DONE: u32 = u32::MAX;

/// An edge to a stored state that was not followed yet.
#[derive(Copy, Clone)]
struct WaitingEdge {
    target: StateKey,
    label: LabelId,
}

/// A state on the path.
struct PathState {
    id: StateKey,
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
    Prefix(StateKey, Option<ViolationKind>),
    /// A cycle through states of this order and later ones.
    Cycle(u32),
}

struct Couvreur<'a> {
    condition: Condition,
    product: Product<'a>,
    /// The stored states, each with its order: [`NEW`], its number among the entered ones, or [`DONE`].
    states: ProductStates,
    /// Whether the store takes too much memory.
    is_tight: bool,
    n_entered: u32,
    /// The entered states that are not done, in their order.
    live: Vec<StateKey>,
    path: Vec<PathState>,
    waiting: Vec<WaitingEdge>,
    roots: Vec<CandidateRoot>,
    /// States with a progress label that are not expanded yet.
    barriers: Vec<StateKey>,
    /// States that are searched again without those that starve a process.
    again: Vec<StateKey>,
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
        if !self.product.find_initial(Some(&mut self.states)) {
            let nothing = InfiniteRun { stem: Vec::new(), cycle: None, failure: None };
            return (Some(nothing), None);
        }
        match self.wait_for_edges().and_then(|()| self.search()) {
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
            if self.is_tight {
                self.convert()?;
            }
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
            return Some(match self.states.order(id) {
                NEW => self.enter(id, label),
                _ => Ok(None),
            });
        }
        let id = self.barriers.pop()?;
        Some(self.pass_barrier(id))
    }

    /// Stores the targets of the edges that the product has found, all at once, and puts the edges aside.
    fn wait_for_edges(&mut self) -> Result<(), Stopped> {
        self.transitions += self.product.edges.len() as u64;
        if !self.states.insert_staged() {
            self.convert()?;
            self.states.insert_staged();
        }
        let edges = self.states.last_inserted().iter().zip(&self.product.edges);
        let edges = edges.map(|(&target, edge)| WaitingEdge { target, label: edge.label });
        // The first edge is followed first.
        self.waiting.extend(edges.rev());
        Ok(())
    }

    /// Converts the store to a smaller one. The keys of all states change.
    fn convert(&mut self) -> Result<(), Stopped> {
        self.is_tight = false;
        let (states, waiting, depth) = (self.states.len(), self.waiting.len(), self.path.len());
        let (clock, limits, transitions) = (&mut self.clock, &self.task.limits, self.transitions);
        let mut stopped = None;
        let old = self.states.convert(&mut self.product.expander, |memory| {
            let progress = |elapsed| {
                let depth = depth as u64;
                Progress { states, waiting, transitions, depth, memory, elapsed }
            };
            stopped = clock.look(limits, memory, progress);
            stopped.is_none()
        });
        let Some(old) = old else { return Err(stopped.unwrap_or(Stopped::Memory)) };
        let change = |key: &mut StateKey| {
            // Keys grow with the order of insertion.
            *key = old.binary_search(key).unwrap_or_default() as StateKey;
        };
        let lists = [&mut self.live, &mut self.barriers, &mut self.again];
        lists.into_iter().flatten().for_each(change);
        self.path.iter_mut().for_each(|state| change(&mut state.id));
        self.waiting.iter_mut().for_each(|edge| change(&mut edge.target));
        self.moments.retain(|&moment| moment > old.len());
        Ok(())
    }

    fn follow(&mut self, edge: WaitingEdge) -> Result<Option<Met>, Stopped> {
        match self.states.order(edge.target) {
            NEW => self.enter(edge.target, edge.label),
            DONE => Ok(None),
            order => Ok(self.close(order, edge.label)),
        }
    }

    /// Extends the path by a state.
    fn enter(&mut self, id: StateKey, via: LabelId) -> Result<Option<Met>, Stopped> {
        self.look()?;
        self.product.load(&self.states, id);
        if self.product.is_barrier() {
            self.states.set_order(id, DONE);
            self.barriers.push(id);
            return Ok(None);
        }
        let facts = self.product.expand_into(&mut self.states);
        if facts.violated || facts.failure.is_some() {
            return Ok(Some(Met::Prefix(id, facts.failure)));
        }
        self.n_entered += 1;
        self.states.set_order(id, self.n_entered);
        self.live.push(id);
        let gathered = Gathered::of_state(facts.enabled);
        self.roots.push(CandidateRoot { order: self.n_entered, gathered, via });
        self.path.push(PathState { id, waiting: self.waiting.len() });
        self.depth = self.depth.max(self.path.len() as u64);
        self.wait_for_edges()?;
        Ok(None)
    }

    /// An edge to a live state: the candidates from there on are one.
    fn close(&mut self, order: u32, label: LabelId) -> Option<Met> {
        let labels = &self.product.labels;
        while self.roots.last()?.order > order {
            let joined = self.roots.pop()?;
            let below = self.roots.last_mut()?;
            below.gathered.add(&joined.gathered, self.condition.fairness);
            below.gathered.add_edge(labels.get(joined.via));
        }
        // Most edges join nothing: the candidate is changed where it is.
        let joined = self.roots.last_mut()?;
        joined.gathered.add_edge(labels.get(label));
        joined.gathered.is_violation(self.condition).then_some(Met::Cycle(joined.order))
    }

    /// Shortens the path by a state whose edges are all followed.
    fn leave(&mut self) -> Result<Option<Met>, Stopped> {
        let Some(PathState { id, .. }) = self.path.pop() else { return Ok(None) };
        let order = self.states.order(id);
        if let Some(root) = self.roots.pop_if(|root| root.order == order) {
            let first = match self.live.last() == Some(&id) {
                true => self.live.len() - 1,
                false => self.live.partition_point(|&id| self.states.order(id) < order),
            };
            self.live[first..].iter().for_each(|&id| self.states.set_order(id, DONE));
            if self.condition.fairness == Fairness::Strong
                && root.gathered.has_marks(self.condition)
            {
                let component = self.live.split_off(first);
                self.search_again(&component, &root.gathered)?;
            } else {
                self.live.truncate(first);
            }
        }
        Ok(None)
    }

    /// A complete component that starves processes: a fair cycle in it avoids the states in which they are enabled.
    fn search_again(&mut self, component: &[StateKey], gathered: &Gathered) -> Result<(), Stopped> {
        let starved = gathered.starved();
        for &id in component {
            self.look()?;
            self.product.load(&self.states, id);
            let facts = self.product.expand();
            if !facts.enabled.meets(&starved) {
                self.states.set_order(id, NEW);
                self.again.push(id);
            }
        }
        Ok(())
    }

    /// Expands a state with a progress label, with an empty path.
    fn pass_barrier(&mut self, id: StateKey) -> Result<Option<Met>, Stopped> {
        self.look()?;
        self.product.load(&self.states, id);
        self.product.expand_into(&mut self.states);
        self.wait_for_edges()?;
        Ok(None)
    }

    /// Checks the limits now and then, and learns a better tree when there are enough states to learn from.
    fn look(&mut self) -> Result<(), Stopped> {
        if self.task.limits.transitions.is_some_and(|most| self.transitions > most) {
            return Err(Stopped::Transitions);
        }
        if !self.clock.due() {
            return Ok(());
        }
        if self.moments.last().is_some_and(|&moment| self.states.len() >= moment)
            && self.states.relearn(&mut self.product.expander)
        {
            self.moments.pop();
        }
        self.is_tight = self.states.is_too_large();
        if !self.is_tight && !self.states.has_room() || self.n_entered > DONE - (1 << 20) {
            return Err(Stopped::Numbers);
        }
        let memory = self.memory();
        let (states, waiting, depth) = (self.states.len(), self.waiting.len(), self.path.len());
        let transitions = self.transitions;
        let progress = |elapsed| {
            let depth = depth as u64;
            Progress { states, waiting, transitions, depth, memory, elapsed }
        };
        self.clock.look(&self.task.limits, memory, progress).map_or(Ok(()), Err)
    }

    fn memory(&self) -> usize {
        self.states.memory()
            + (self.live.capacity() + self.barriers.capacity() + self.again.capacity())
                * size_of::<StateKey>()
            + self.waiting.capacity() * size_of::<WaitingEdge>()
            + self.path.capacity() * size_of::<PathState>()
            + self.roots.capacity() * size_of::<CandidateRoot>()
    }
}
