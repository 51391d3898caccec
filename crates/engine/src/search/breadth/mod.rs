//! Breadth-first search: a plain loop over the log of the store. Several threads may share the work of a level.

mod crew;
mod frontier;
mod reader;
mod scout;
#[cfg(test)]
mod tests;

use super::adapt::convert;
use super::coverage::Coverage;
use super::expander::{Arrivals, Expander};
use super::findings::{Finding, Findings};
use super::forms::Forms;
use super::keeper::Keeper;
use super::limits::{Clock, Progress, Stopped};
use super::point::Point;
use super::relearn::{MOMENTS, relearn};
use super::replay::path_to;
use super::{Search, Task, Way};
use crate::store::StateStore;
use crate::tree::StoredId;
use crate::vector::Shapes;
use crew::{Crew, Expanded};
use frontier::Frontier;
use std::time::{Duration, Instant};

/// The time in which threads that are not needed any more end.
const FAREWELL: Duration = Duration::from_millis(20);

/// How far a search came.
pub(super) enum Reached {
    /// To its end.
    End(Box<Search>),
    /// To a level with many states, from which several workers may continue.
    Level(Box<Start>),
}

/// A search up to a level that is not expanded yet.
pub(super) struct Start {
    pub store: StateStore,
    /// The shapes of its vectors.
    pub shapes: Shapes,
    /// The first state of each level.
    pub levels: Vec<StoredId>,
    pub transitions: u64,
    pub findings: Findings,
    pub coverage: Coverage,
}

/// Searches all states.
pub(super) fn search(
    task: &Task<'_>,
    mut expander: Expander<'_>,
    started: Instant,
    keeper: Option<&mut Keeper>,
) -> Search {
    match search_until(task, &mut expander, started, usize::MAX, keeper) {
        Reached::End(search) => *search,
        Reached::Level(_) => unreachable!("no store has more states than that"),
    }
}

/// Searches to the end, or to the first level that begins with more than `most` states.
pub(super) fn search_until(
    task: &Task<'_>,
    expander: &mut Expander<'_>,
    started: Instant,
    most: usize,
    keeper: Option<&mut Keeper>,
) -> Reached {
    let mut run = Run::begin(task, expander, started, keeper);
    while run.has_next() {
        if run.enters_level() && run.frontier.store.len() > most {
            return Reached::Level(Box::new(run.into_start()));
        }
        let is_round = run.expand_together();
        if !is_round {
            run.expand_next();
        }
        if run.has_spent_its_transitions() {
            run.stopped = Some(Stopped::Transitions);
        } else if is_round || run.clock.due() {
            run.convert_if_due();
            run.relearn_if_due();
            run.stop_at_limit();
            run.save_if_due();
        }
    }
    Reached::End(Box::new(run.end()))
}

/// A breadth-first search under way.
struct Run<'r, 't, 'e> {
    task: &'r Task<'t>,
    expander: &'r mut Expander<'e>,
    keeper: Option<&'r mut Keeper>,
    frontier: Frontier<'t>,
    /// The other threads, once they are needed.
    crew: Option<Crew<'t>>,
    may_have_crew: bool,
    at: Position,
    /// The first state of each level, as far as this run has seen them.
    levels: Vec<StoredId>,
    clock: Clock,
    started: Instant,
    /// The numbers of states at which the tree is learned again, the next one last.
    moments: Vec<usize>,
    /// The position at which a saved search was resumed, if this is one.
    resumed_at: Option<StoredId>,
    /// The most bytes of a flat store.
    most_flat: usize,
    /// The limit that ended the search.
    stopped: Option<Stopped>,
    /// What is left of a store whose conversion was ended by a limit.
    lost: Option<Lost>,
}

/// What is left of a store whose conversion was ended by a limit.
struct Lost {
    n_states: usize,
    /// The states on the path to each violation.
    paths: Vec<Vec<Vec<u8>>>,
}

/// The state that is expanded next, and its level.
struct Position {
    next: StoredId,
    level_end: StoredId,
    depth: u64,
    /// The time that the search took before it was resumed.
    before: Duration,
}

impl<'r, 't, 'e> Run<'r, 't, 'e> {
    /// Starts at the initial state, or where a saved search was.
    fn begin(
        task: &'r Task<'t>,
        expander: &'r mut Expander<'e>,
        started: Instant,
        mut keeper: Option<&'r mut Keeper>,
    ) -> Self {
        let mut frontier = Frontier::new(task.store.store(), task.limits);
        let saved = keeper.as_mut().and_then(|k| k.take_saved());
        let (at, resumed_at) = match saved {
            Some((store, point)) => {
                let at = resume(&mut frontier, expander, store, point);
                let next = at.next;
                (at, Some(next))
            }
            None => {
                expander.initial(&mut frontier);
                frontier.flush();
                (Position { next: 0, level_end: 1, depth: 0, before: Duration::ZERO }, None)
            }
        };
        let n_states = frontier.store.len();
        let moments = MOMENTS.into_iter().rev().filter(|&m| m > n_states).collect();
        Self {
            task,
            expander,
            keeper,
            frontier,
            crew: None,
            may_have_crew: task.threads.n > 1,
            at,
            levels: vec![0],
            clock: Clock::new(started),
            started,
            moments,
            resumed_at,
            most_flat: task.store.most(&task.limits),
            stopped: None,
            lost: None,
        }
    }

    /// Whether there is another state to expand, and no limit is reached. At the end of a level the batch is inserted.
    fn has_next(&mut self) -> bool {
        if self.at.next == self.at.level_end {
            self.flush();
        }
        let is_waiting = (self.at.next as usize) < self.frontier.store.len();
        self.stopped.is_none() && self.frontier.goes_on() && is_waiting
    }

    /// Whether the next state is the first of its level; if so, the level is opened.
    fn enters_level(&mut self) -> bool {
        let enters = self.at.next == self.at.level_end;
        if enters {
            self.at.level_end = self.frontier.store.len() as StoredId;
            self.at.depth += 1;
            self.levels.push(self.at.next);
        }
        enters
    }

    fn expand_next(&mut self) {
        self.frontier.expand(self.expander, self.task.ample.as_ref(), self.at.next);
        self.at.next += 1;
    }

    /// Expands some states of the level by several threads, if that is worth it; returns whether it has.
    fn expand_together(&mut self) -> bool {
        let ids = self.at.next..self.at.level_end;
        let (task, n_states) = (self.task, self.frontier.store.len());
        if !self.may_have_crew || !Crew::is_worth(task.threads, n_states, &ids) {
            return false;
        }
        if self.crew.is_none() {
            self.crew = Crew::new(task);
            self.may_have_crew = self.crew.is_some();
        }
        if self.crew.as_ref().is_none_or(|crew| crew.leaves(ids.start)) {
            return false;
        }
        self.flush();
        let Frontier { store, parents, .. } = &mut self.frontier;
        let Some(crew) = &mut self.crew else { return false };
        if let StateStore::Flat(flat) = store
            && !flat.share_among(task.threads.n)
        {
            (self.crew, self.may_have_crew) = (None, false);
            return false;
        }
        let (ample, first) = (task.ample.as_ref(), task.limits.first_violation);
        let expanded = crew.expand(store, self.expander, parents, ids, ample, first);
        expanded.map(|expanded| self.take_in(expanded)).is_some()
    }

    /// Takes in what a round has done.
    fn take_in(&mut self, expanded: Expanded) {
        let Expanded { n_states, next, transitions, findings } = expanded;
        self.frontier.skip_to(next);
        self.frontier.transitions += transitions;
        self.frontier.findings.append(findings);
        self.at.next += n_states as StoredId;
    }

    fn has_spent_its_transitions(&self) -> bool {
        self.task.limits.transitions.is_some_and(|most| self.frontier.transitions >= most)
    }

    /// Inserts the states of the batch; a flat store without room for them is converted.
    fn flush(&mut self) {
        self.frontier.flush();
        if self.frontier.has_batch() {
            self.convert();
        }
    }

    /// Converts a flat store to a tree when it takes too much memory, or has no room.
    fn convert_if_due(&mut self) {
        let StateStore::Flat(flat) = &self.frontier.store else { return };
        if flat.memory() >= self.most_flat || !flat.has_room() {
            self.frontier.flush();
            // If a limit ends the conversion, what was saved is all there is.
            if !self.frontier.has_batch() {
                self.save_if(|_| true);
            }
            self.convert();
        }
    }

    /// Converts a flat store to a tree. A limit that is reached meanwhile ends the search: the states are lost then,
    /// but for those on the paths to violations.
    fn convert(&mut self) {
        self.frontier.flush();
        if self.stopped.is_some() {
            return;
        }
        let Some(paths) = self.paths_to_violations() else { return };
        let Some(mut flat) = self.frontier.take_flat() else { return };
        let (n_states, waiting) = (flat.len(), flat.take_staged());
        let (frontier, clock, at) = (&self.frontier, &mut self.clock, &self.at);
        let mut stopped = None;
        let tree = convert(self.expander, flat, |memory| {
            let look = |elapsed| progress(frontier, at, n_states, memory, elapsed);
            stopped = clock.look(&frontier.limits, memory, look);
            stopped.is_none()
        });
        match tree {
            Some(tree) => self.frontier.go_on_with(self.expander, tree, waiting),
            None => (self.stopped, self.lost) = (stopped, Some(Lost { n_states, paths })),
        }
        self.moments.retain(|&moment| moment > n_states);
        self.crew.iter_mut().for_each(Crew::give_memory_back);
        self.keeper.iter_mut().for_each(|k| k.renew());
    }

    /// The states on the path to each violation; `None`, and the search is over, if a limit is reached first.
    fn paths_to_violations(&mut self) -> Option<Vec<Vec<Vec<u8>>>> {
        let Frontier { store, parents, findings, limits, .. } = &self.frontier;
        let (clock, at, memory) = (&mut self.clock, &self.at, store.memory());
        let mut stopped = None;
        let mut go_on = || {
            let look = |elapsed| progress(&self.frontier, at, store.len(), memory, elapsed);
            if clock.due() {
                stopped = clock.look(limits, memory, look);
            }
            stopped.is_none()
        };
        // Expanding a state again must not show in the coverage of a reduced search.
        let coverage = self.expander.coverage.clone();
        let path = |found: &Finding| path_to(store, parents, self.expander, found.from, &mut go_on);
        let paths = findings.iter().map(path).collect();
        self.expander.coverage = coverage;
        self.stopped = stopped;
        paths
    }

    /// Learns a better tree when there are enough states to learn from.
    fn relearn_if_due(&mut self) {
        if self.moments.last().is_none_or(|&moment| self.frontier.store.len() < moment) {
            return;
        }
        if let StateStore::Tree(_) = self.frontier.store {
            self.frontier.flush();
        }
        if let StateStore::Tree(tree) = &mut self.frontier.store {
            relearn(self.expander, tree);
            self.keeper.iter_mut().for_each(|k| k.renew());
            self.moments.pop();
        }
    }

    /// Ends the search if a limit is reached.
    fn stop_at_limit(&mut self) {
        if self.stopped.is_some() {
            return;
        }
        let (frontier, at) = (&self.frontier, &self.at);
        if !frontier.store.has_room() {
            self.stopped = Some(Stopped::Numbers);
            return;
        }
        let memory = frontier.store.memory() + frontier.parents.memory();
        let look = |elapsed| progress(frontier, at, frontier.store.len(), memory, elapsed);
        let stopped = self.clock.look(&frontier.limits, memory, look);
        self.stopped = match stopped {
            // The other threads take some memory, which one thread alone can use.
            Some(Stopped::Memory) if self.crew.take().is_some() => {
                self.may_have_crew = false;
                // The threads end on their own.
                std::thread::sleep(FAREWELL);
                self.clock.look(&frontier.limits, memory, look)
            }
            stopped => stopped,
        };
    }

    fn save_if_due(&mut self) {
        self.save_if(|keeper| keeper.is_due());
    }

    fn save_if(&mut self, is_due: impl Fn(&Keeper) -> bool) {
        if self.stopped.is_none() && self.keeper.as_ref().is_some_and(|k| is_due(k)) {
            self.flush();
            if self.stopped.is_none() {
                let point = self.point();
                self.keeper.iter_mut().for_each(|k| k.save(&self.frontier.store, &point));
            }
        }
    }

    /// The point that the search has come to, to be saved. The batch must be empty.
    fn point(&mut self) -> Point {
        Point {
            next: self.at.next,
            level_end: self.at.level_end,
            depth: self.at.depth,
            transitions: self.frontier.transitions,
            elapsed: self.at.before + self.started.elapsed(),
            findings: self.frontier.findings.clone(),
            parents: self.frontier.parents.clone(),
            taken: self.expander.coverage.marks().to_vec(),
            forms: Forms::of(self.expander.stepper.shapes()),
        }
    }

    fn into_start(self) -> Start {
        let Frontier { store, transitions, findings, .. } = self.frontier;
        let coverage = self.expander.coverage.clone();
        let shapes = self.expander.stepper.shapes().clone();
        Start { store, shapes, levels: self.levels, transitions, findings, coverage }
    }

    /// Saves for the last time, and gives the result.
    fn end(mut self) -> Search {
        self.flush();
        let stopped = if self.frontier.goes_on() { self.stopped } else { Some(Stopped::Violation) };
        // A store without room for the batch has not all states up to here.
        if self.lost.is_none() && !self.frontier.has_batch() {
            let point = self.point();
            self.keeper.iter_mut().for_each(|k| k.end(&self.frontier.store, &point));
        }
        let Run { expander, frontier, at, lost, .. } = self;
        let n_states = lost.as_ref().map_or(frontier.store.len(), |lost| lost.n_states);
        let parents = Way::Parents(frontier.parents);
        let is_final = matches!(stopped, None | Some(Stopped::Violation));
        Search {
            covered: None,
            n_levels: Some(at.depth + u64::from(at.next == at.level_end)),
            transitions: frontier.transitions,
            depth: at.depth,
            findings: frontier.findings,
            stopped,
            was_over: self.resumed_at == Some(at.next) && is_final,
            elapsed: at.before + self.started.elapsed(),
            shapes: Some(expander.stepper.shapes().clone()),
            coverage: expander.coverage.clone(),
            way: lost.map_or(parents, |lost| Way::Vectors(lost.paths)),
            states: n_states as u64,
            stores: vec![frontier.store],
        }
    }
}

/// The progress of a search with this many states.
fn progress(
    frontier: &Frontier<'_>,
    at: &Position,
    states: usize,
    memory: usize,
    elapsed: Duration,
) -> Progress {
    Progress {
        states,
        waiting: states.saturating_sub(at.next as usize),
        transitions: frontier.transitions,
        depth: at.depth,
        memory,
        elapsed: at.before + elapsed,
    }
}

/// Takes over what was saved.
fn resume(
    frontier: &mut Frontier<'_>,
    expander: &mut Expander<'_>,
    store: StateStore,
    point: Point,
) -> Position {
    expander.coverage.add_marks(&point.taken);
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    point.forms.make(layout, shapes);
    frontier.take_over(store, point.next);
    frontier.parents = point.parents;
    frontier.transitions = point.transitions;
    frontier.findings = point.findings;
    let Point { next, level_end, depth, elapsed, .. } = point;
    Position { next, level_end, depth, before: elapsed }
}
