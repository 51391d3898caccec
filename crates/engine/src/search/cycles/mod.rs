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
//! by themselves.
//!
//! *Barriers* are states on no violating cycle: those with a progress label, if progress is asked for, and those in
//! which the automaton is in a component of its own without all marks (Renault et al., *Strength-based decomposition of
//! the property Büchi automaton*, 2013). They end the path. What follows them is found by passing over the store in its
//! order, which is a breadth-first search: of `[] (p -> <> q)`, only the states after a `p` without `q` are searched
//! depth-first, and the others cost what they cost a search without cycles.
//!
//! Nested depth-first search, which spin uses, visits states twice, needs one mark only, and so copies every state
//! once for each process under fairness.

#[cfg_attr(not(feature = "hosts"), path = "no_hosts.rs")]
mod among;
mod chores;
mod edge_bits;
mod gathered;
mod labels;
mod lasso;
mod pids;
mod product;
mod saved;
mod sink;
mod states;
mod system_graph;
mod turns;

use super::expander::Moves;
use super::limits::{Clock, Stopped};
use super::relearn::MOMENTS;
use super::task::Task;
use super::workers::Workers;
use among::HostExplorers;
use gathered::{Condition, Gathered};
use labels::LabelId;
use product::Product;
use resy_system::{Fairness, LivenessClaim, ViolationKind};
pub use saved::CycleKeeper;
use states::{ProductStates, StateKey};
use std::time::{Duration, Instant};
use system_graph::SystemExplorers;
use turns::{Company, VisitedExtent};

/// The result of a search for cycles.
pub struct CycleSearch {
    /// The violation, if there is one.
    pub found: Option<InfiniteRun>,
    /// Whether the graph of the system, or several hosts, have excluded it.
    pub by_others: bool,
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
    search_from(task, claim, fairness, None, None)
}

/// Like [`search_cycles`], by one thread and with periodic saves; resumes a saved search.
pub fn search_cycles_kept(
    task: &Task<'_>,
    claim: &LivenessClaim,
    fairness: Fairness,
    keeper: &mut CycleKeeper,
) -> Result<CycleSearch, ViolationKind> {
    search_from(task, claim, fairness, Some(keeper), None)
}

/// Like [`search_cycles`], together with other hosts, which all search for the same. `note` receives what the user
/// should know about connections.
pub fn search_cycles_among(
    task: &Task<'_>,
    claim: &LivenessClaim,
    fairness: Fairness,
    workers: &Workers,
    note: &dyn Fn(&str),
) -> Result<CycleSearch, ViolationKind> {
    let company = workers.hosts.as_ref().map(|hosts| Company { workers, hosts, note });
    search_from(task, claim, fairness, None, company)
}

fn search_from<'a>(
    task: &'a Task<'a>,
    claim: &'a LivenessClaim,
    fairness: Fairness,
    keeper: Option<&'a mut CycleKeeper>,
    company: Option<Company<'a>>,
) -> Result<CycleSearch, ViolationKind> {
    let started = Instant::now();
    let product = Product::new(task, claim, fairness)?;
    let mut search = Couvreur {
        condition: Condition { marks: claim.marks(), fairness },
        product,
        states: ProductStates::new(task),
        claim,
        // What is saved is the search of one thread.
        pause: match (&keeper, &company) {
            (Some(_), _) => usize::MAX,
            (None, company) => turns::first_pause(task, claim, company.as_ref()),
        },
        explorers: None,
        company,
        among: None,
        by_others: None,
        has_chores: false,
        keeper,
        is_torn: false,
        before: Duration::ZERO,
        n_entered: 0,
        live: Vec::new(),
        path: Vec::new(),
        waiting: Vec::new(),
        roots: Vec::new(),
        passed: 0,
        next: 0,
        again: Vec::new(),
        transitions: 0,
        depth: 0,
        moments: MOMENTS.into_iter().rev().collect(),
        clock: Clock::new(started),
        task,
    };
    let (found, stopped) = search.run();
    search.take_leave(true);
    let extent = search.by_others.unwrap_or(VisitedExtent {
        states: search.states.len(),
        waiting: 0,
        transitions: search.transitions,
        depth: search.depth,
        memory: search.memory(),
    });
    Ok(CycleSearch {
        states: extent.states as u64,
        transitions: extent.transitions,
        depth: extent.depth,
        stopped: stopped.or(found.as_ref().map(|_| Stopped::Violation)),
        found,
        by_others: search.by_others.is_some(),
        elapsed: search.before + started.elapsed(),
        store: search.states.store_name(),
        memory: extent.memory,
    })
}

/// The order of a state that waits to be visited again.
const NEW: u32 = 0;
/// The order of a barrier that is not expanded yet.
const BARRIER: u32 = u32::MAX - 1;
/// The order of a state that is in no component any more.
const DONE: u32 = u32::MAX;

/// The number of states that barriers lead to and that are stored together.
const BATCH: usize = 256;

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
    claim: &'a LivenessClaim,
    /// The number of states at which several threads are asked.
    pause: usize,
    explorers: Option<SystemExplorers<'a>>,
    /// Other hosts that search for the same cycles.
    company: Option<Company<'a>>,
    among: Option<HostExplorers<'a>>,
    /// What they have visited, if they have found out that there is no violation.
    by_others: Option<VisitedExtent>,
    /// Whether something is to be done between two steps.
    has_chores: bool,
    /// Where the search is saved, if it is.
    keeper: Option<&'a mut CycleKeeper>,
    /// Whether a limit came in the midst of a step, so that the search cannot be saved any more.
    is_torn: bool,
    /// The time that a resumed search had taken before.
    before: Duration,
    n_entered: u32,
    /// The entered states that are not done, in their order.
    live: Vec<StateKey>,
    path: Vec<PathState>,
    waiting: Vec<WaitingEdge>,
    roots: Vec<CandidateRoot>,
    /// The number of states that were passed over: each is expanded, or on the path.
    passed: usize,
    /// The key of the state after them.
    next: StateKey,
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
        let is_resumed = self.resume();
        if !is_resumed && !self.product.find_initial(Some(&mut self.states)) {
            let nothing = InfiniteRun { stem: Vec::new(), cycle: None, failure: None };
            return (Some(nothing), None);
        }
        let searched = self.store_targets().and_then(|()| {
            // A violation that is near may leave nothing else in the folder.
            if !is_resumed {
                self.save();
            }
            self.search()
        });
        if !matches!(searched, Ok(Some(_))) {
            self.save_last();
        }
        match searched {
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
            if self.has_chores {
                self.do_chores()?;
            }
            if self.states.len() >= self.pause && self.ask_others()? {
                return Ok(None);
            }
            let is_exhausted =
                self.path.last().is_some_and(|top| top.waiting == self.waiting.len());
            let met = match is_exhausted {
                true => self.leave()?,
                false => match self.waiting.pop() {
                    // An edge that a limit comes before is followed when the search is resumed.
                    Some(edge) => self.follow(edge).inspect_err(|_| self.waiting.push(edge))?,
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
                NEW => self.enter(id, label).inspect_err(|_| self.again.push(id)),
                _ => Ok(None),
            });
        }
        if self.passed == self.states.len() {
            if let Err(stopped) = self.store_targets() {
                return Some(Err(stopped));
            }
            if self.passed == self.states.len() {
                return None;
            }
        }
        let id = if self.passed == 0 { self.states.first_key() } else { self.next };
        (self.passed, self.next) = (self.passed + 1, self.states.key_after(id));
        Some(self.pass(id).inspect_err(|_| self.pass_again(id)))
    }

    /// Stores the targets of the edges that the product has found, all at once.
    fn store_targets(&mut self) -> Result<(), Stopped> {
        if !self.states.insert_staged() {
            self.convert()?;
            self.states.insert_staged();
        }
        Ok(())
    }

    /// Stores the targets of the edges that the product has found, and puts the edges aside.
    fn wait_for_edges(&mut self) -> Result<(), Stopped> {
        self.transitions += self.product.edges.len() as u64;
        self.store_targets()?;
        let edges = self.states.last_inserted().iter().zip(&self.product.edges);
        let edges = edges.filter(|(_, edge)| edge.may_cycle());
        let edges = edges.map(|(&target, edge)| WaitingEdge { target, label: edge.label });
        // The first edge is followed first.
        self.waiting.extend(edges.rev());
        Ok(())
    }

    fn follow(&mut self, edge: WaitingEdge) -> Result<Option<Met>, Stopped> {
        match self.states.order(edge.target) {
            NEW => self.enter(edge.target, edge.label),
            BARRIER | DONE => Ok(None),
            order => Ok(self.close(order, edge.label)),
        }
    }

    /// Extends the path by a state.
    fn enter(&mut self, id: StateKey, via: LabelId) -> Result<Option<Met>, Stopped> {
        self.look()?;
        self.product.load(&self.states, id);
        if self.product.is_barrier() {
            self.states.set_order(id, BARRIER);
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
            self.look().inspect_err(|_| self.is_torn = true)?;
            self.product.load(&self.states, id);
            let facts = self.product.expand();
            if !facts.enabled.meets(&starved) {
                self.states.set_order(id, NEW);
                self.again.push(id);
            }
        }
        Ok(())
    }

    /// Goes back to a state that is not passed over yet.
    fn pass_again(&mut self, id: StateKey) {
        (self.passed, self.next) = (self.passed - 1, id);
    }

    /// Passes over a state, with an empty path: a barrier is expanded, and a path begins at a state that is new.
    fn pass(&mut self, id: StateKey) -> Result<Option<Met>, Stopped> {
        let order = self.states.order(id);
        if order != NEW && order != BARRIER {
            return Ok(None);
        }
        self.look()?;
        self.product.load(&self.states, id);
        if order == NEW && !self.product.is_barrier() {
            return match self.states.n_staged() {
                0 => {
                    let label = self.product.labels.number(Default::default());
                    self.enter(id, label)
                }
                // What barriers lead to is stored before, and the store may change its form.
                _ => {
                    self.pass_again(id);
                    self.store_targets().map(|()| None)
                }
            };
        }
        self.states.set_order(id, DONE);
        let facts = self.product.expand_into(&mut self.states);
        if facts.violated || facts.failure.is_some() {
            return Ok(Some(Met::Prefix(id, facts.failure)));
        }
        self.transitions += self.product.edges.len() as u64;
        if self.states.n_staged() >= BATCH {
            self.store_targets()?;
        }
        Ok(None)
    }
}
