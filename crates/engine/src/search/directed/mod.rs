//! Directed search: the state that seems nearest to a violation first.
//!
//! Two queues take turns: one by the [estimated](estimate) distance to a violation, one by the distance from the initial
//! state. Whoever has found fewer states is next, and a state that turns out to be nearer to the initial state than it was
//! thought to be waits again: so the second queue does what a breadth-first search does, and together they find at most
//! about twice as many states. While estimates lead no nearer, the first queue's part of the search is halved again and
//! again ([`guide`]), and a part of what it loses is given to random [walks](walk), whose runs are made [shorter](trim). If
//! there is no violation, all states are visited.
//!
//! A state waits with the estimate of the state that it was reached from. Its own is computed when its turn comes, and if
//! that is greater it waits again.

mod estimate;
mod facts;
mod guide;
mod relaxed;
mod trim;
mod walk;

use super::ample::{self, Ample};
use super::expander::{Arrivals, Expander};
use super::explored::{Explored, Nearer, ReachedState};
use super::limits::Clock;
use super::{Search, Task};
use crate::tree::StoredId;
use estimate::Estimator;
use guide::Guide;
use resy_system::Interpreter;
use std::collections::VecDeque;
use std::time::Instant;
use trim::Trimmer;
use walk::{Branches, Script, Walks};

/// For each step of a walk, the search by distance finds this many states.
const WALKS: usize = 8;

/// The distance of a state from which no violation is in sight.
const FAR: usize = 255;

/// States that wait, by a distance; among equals the oldest is first.
struct Buckets<T> {
    buckets: Vec<VecDeque<T>>,
    /// Nothing waits with a smaller distance.
    least: usize,
    n_waiting: usize,
}

impl<T> Buckets<T> {
    fn new() -> Self {
        Self { buckets: Vec::new(), least: 0, n_waiting: 0 }
    }

    fn push(&mut self, distance: usize, state: T) {
        if self.buckets.len() <= distance {
            self.buckets.resize_with(distance + 1, VecDeque::new);
        }
        self.buckets[distance].push_back(state);
        self.least = self.least.min(distance);
        self.n_waiting += 1;
    }

    /// The nearest state, with its distance.
    fn pop(&mut self) -> Option<(usize, T)> {
        while self.buckets.get(self.least)?.is_empty() {
            self.least += 1;
        }
        self.n_waiting -= 1;
        self.buckets[self.least].pop_front().map(|state| (self.least, state))
    }
}

/// A queue of the search.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Queue {
    /// By the estimated distance to a violation.
    Near,
    /// By the distance from the initial state.
    Shallow,
}

struct Directed<'a> {
    explored: Explored<'a>,
    /// By estimate; whether it was computed for the state itself.
    near: Buckets<(StoredId, bool)>,
    shallow: Buckets<StoredId>,
    /// The number of states that each queue has found.
    found: [usize; 2],
    guide: Guide,
    walks: Walks,
    /// The state with the least estimate so far, and a run to it, if it was needed.
    nearest: StoredId,
    to_nearest: Option<Script>,
    /// The shortest run of the walks that violate.
    run: Option<WalkedRun>,
}

/// After a walk that violates, others look for a shorter run, until so many were found or so many steps were taken.
const MOST_RUNS: usize = 8;
const MORE_STEPS: usize = 8_000;

/// A run that was found by a walk.
struct WalkedRun {
    /// Its states after the initial one.
    states: Vec<Vec<u8>>,
    /// The number of runs found.
    n_found: usize,
    /// The number of steps of all walks up to the first.
    n_steps: usize,
}

impl WalkedRun {
    fn after(n_steps: usize) -> Self {
        Self { states: Vec::new(), n_found: 0, n_steps }
    }
}

impl Directed<'_> {
    /// Stores what has arrived; it waits with this estimate.
    fn keep_arrived(&mut self, estimate: usize, queue: Queue) {
        for Nearer { id, depth, is_new } in self.explored.keep_arrived() {
            if is_new {
                self.found[queue as usize] += 1;
                self.near.push(estimate, (id, false));
            }
            self.shallow.push(depth as usize, id);
        }
    }

    /// The state that is nearest to the initial one, of those that wait.
    fn next_by_depth(&mut self) -> Option<StoredId> {
        loop {
            let (depth, id) = self.shallow.pop()?;
            let ReachedState { depth: least, expanded_at, .. } = self.explored.reached[id as usize];
            if depth == least as usize && expanded_at.is_none_or(|at| least < at) {
                return Some(id);
            }
        }
    }

    /// The state that seems nearest to a violation, with its distance.
    fn next_by_estimate(
        &mut self,
        expander: &mut Expander<'_>,
        estimator: &Estimator<'_>,
    ) -> Option<(StoredId, usize)> {
        while !self.guide.is_spent() {
            let (distance, (id, is_certain)) = self.near.pop()?;
            if self.explored.reached[id as usize].expanded_at.is_some() {
                continue;
            }
            if is_certain {
                return Some((id, distance));
            }
            let own = self.estimate(id, expander, estimator);
            if own <= distance {
                return Some((id, own));
            }
            self.near.push(own, (id, true));
        }
        None
    }

    fn estimate(
        &mut self,
        id: StoredId,
        expander: &mut Expander<'_>,
        estimator: &Estimator<'_>,
    ) -> usize {
        let vector = self.explored.load(id, expander);
        let state = expander.unpack(&vector);
        let layout = expander.stepper.layout();
        let sets: Vec<u64> =
            (0..estimator.n_monitors()).map(|i| layout.monitor(&vector, i)).collect();
        let distance = estimator.distance(&state, &sets);
        let own = distance.map_or_else(|| FAR + estimator.n_movers(&state), |d| d.min(FAR));
        if self.guide.note(own, estimator.take_work()) {
            (self.nearest, self.to_nearest) = (id, None);
        }
        own
    }

    fn expand(
        &mut self,
        (id, estimate): (StoredId, usize),
        queue: Queue,
        expander: &mut Expander<'_>,
        ample: Option<&Ample>,
    ) {
        let vector = self.explored.enter(id, expander);
        ample::expand(expander, ample, &vector, &mut self.explored);
        self.keep_arrived(estimate, queue);
    }

    /// Whether a step of a walk is next.
    fn walks_next(&self) -> bool {
        let [near, shallow] = self.found;
        self.guide.is_in_vain() && near + WALKS * self.walks.n_steps < shallow
    }

    /// Takes a step of a walk. A run that violates is made shorter.
    fn walk(&mut self, expander: &mut Expander<'_>, clock: &mut Clock) {
        if self.walks.is_over() {
            let at_first = self.walks.begins_at_first();
            let id = if at_first { 0 } else { self.nearest };
            let script = if at_first { Script::new() } else { self.script_to_nearest(expander) };
            self.walks.begin(self.explored.load(id, expander), script);
        }
        let found = self.walks.step(expander);
        self.explored.aside += self.walks.n_branches() as u64;
        let Some(found) = found else { return };
        let initial = self.explored.load(0, expander);
        let (memory, waiting) = (self.memory(), self.shallow.n_waiting);
        let mut go_on = || self.explored.look(clock, memory, waiting, 0).is_none();
        let states = Trimmer::new(expander, &initial, found, &mut go_on).trim();
        let n_steps = self.walks.n_steps;
        let run = self.run.get_or_insert_with(|| WalkedRun::after(n_steps));
        run.n_found += 1;
        if run.n_found == 1 || states.len() < run.states.len() {
            run.states = states;
        }
    }

    /// Whether the run of a walk is shown as it is.
    fn has_run(&self) -> bool {
        let is_final = |run: &WalkedRun| {
            run.n_found >= MOST_RUNS || self.walks.n_steps >= run.n_steps + MORE_STEPS
        };
        self.run.as_ref().is_some_and(is_final)
    }

    /// Stores the run of a walk, and finds its violation.
    fn keep_run(&mut self, expander: &mut Expander<'_>) {
        let Some(run) = &self.run else { return };
        let last = self.explored.keep_run(&run.states, expander);
        let vector = self.explored.enter(last, expander);
        expander.expand(&vector, &mut self.explored);
    }

    /// A run to the state that seems nearest to a violation.
    fn script_to_nearest(&mut self, expander: &mut Expander<'_>) -> Script {
        if let Some(script) = &self.to_nearest {
            return script.clone();
        }
        let (mut script, mut branches) = (Script::new(), Branches::default());
        let mut at = self.explored.load(0, expander);
        for id in self.explored.way_to(self.nearest).into_iter().skip(1) {
            let next = self.explored.load(id, expander);
            branches.of(expander, &at);
            let number = branches.to(&next).expect("a state was reached from the one before");
            script.push(branches.moves(number).to_vec());
            at = next;
        }
        self.to_nearest.insert(script).clone()
    }

    fn memory(&self) -> usize {
        self.explored.memory()
            + self.near.n_waiting * size_of::<(StoredId, bool)>()
            + self.shallow.n_waiting * size_of::<StoredId>()
    }
}

pub(super) fn search(task: &Task<'_>, mut expander: Expander<'_>, started: Instant) -> Search {
    let interpreter = Interpreter::new(task.system, task.options);
    let estimator = Estimator::new(interpreter, task.monitors.clone(), task.in_steps.as_deref());
    let mut search = Directed {
        explored: Explored::new(task.limits),
        near: Buckets::new(),
        shallow: Buckets::new(),
        found: [0; 2],
        guide: Guide::default(),
        walks: Walks::default(),
        nearest: 0,
        to_nearest: None,
        run: None,
    };
    let mut clock = Clock::new(started);
    let mut stopped = None;
    expander.initial(&mut search.explored);
    search.keep_arrived(FAR, Queue::Shallow);
    while stopped.is_none() && search.explored.goes_on() && !search.has_run() {
        let ample = task.ample.as_ref();
        let walks_only = search.run.is_some();
        let near = match !walks_only && search.guide.permits(search.found[0], search.found[1]) {
            true => search.next_by_estimate(&mut expander, &estimator),
            false => None,
        };
        if let Some(next) = near {
            search.expand(next, Queue::Near, &mut expander, ample);
        } else if walks_only || task.limits.first_violation && search.walks_next() {
            search.walk(&mut expander, &mut clock);
        } else if let Some(id) = search.next_by_depth() {
            search.expand((id, FAR), Queue::Shallow, &mut expander, ample);
        } else {
            break;
        }
        let last = search.explored.reached.last();
        let depth = last.map_or(0, |reached| u64::from(reached.depth));
        let (memory, waiting) = (search.memory(), search.shallow.n_waiting);
        stopped = search.explored.look(&mut clock, memory, waiting, depth);
    }
    let depth = search.explored.reached.iter().map(|reached| u64::from(reached.depth)).max();
    search.keep_run(&mut expander);
    // The walks after the first run only make it shorter.
    let n_walked = search.run.as_ref().map_or(search.walks.n_steps, |run| run.n_steps) as u64;
    let mut found = search.explored.end(expander, stopped, depth.unwrap_or(0), started);
    if !found.findings.is_empty() {
        found.states += n_walked;
    }
    found
}
