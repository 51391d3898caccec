//! Breadth-first search: a plain loop over the log of the store. Several threads may share the work of a level.

mod crew;
mod frontier;
mod scout;

use super::adapt::convert;
use super::coverage::Coverage;
use super::expander::{Arrivals, Expander};
use super::findings::Findings;
use super::forms::Forms;
use super::keeper::Keeper;
use super::limits::{Clock, Progress, Stopped};
use super::point::Point;
use super::relearn::{MOMENTS, relearn};
use super::{Search, Task, Way};
use crate::store::StateStore;
use crate::tree::StoredId;
use crate::vector::Shapes;
use crew::{Crew, Expanded};
use frontier::Frontier;
use std::time::{Duration, Instant};

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
    let mut stopped = None;
    while stopped.is_none() && run.has_next() {
        if run.enters_level() && run.frontier.store.len() > most {
            return Reached::Level(Box::new(run.into_start()));
        }
        let is_round = run.expand_together();
        if !is_round {
            run.expand_next();
        }
        if run.has_spent_its_transitions() {
            stopped = Some(Stopped::Transitions);
        } else if is_round || run.clock.due() {
            run.convert_if_due();
            run.relearn_if_due();
            stopped = run.reached_limit();
            if stopped.is_none() {
                run.save_if_due();
            }
        }
    }
    Reached::End(Box::new(run.end(stopped)))
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
    /// The number of states of a store that was lost, because its conversion was ended by a limit, and the limit.
    lost: Option<(usize, Stopped)>,
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
            lost: None,
        }
    }

    /// Whether there is another state to expand.
    fn has_next(&mut self) -> bool {
        if self.at.next as usize == self.frontier.store.len() {
            self.flush();
        }
        self.frontier.goes_on() && (self.at.next as usize) < self.frontier.store.len()
    }

    /// Whether the next state is the first of its level; if so, the level is opened.
    fn enters_level(&mut self) -> bool {
        let enters = self.at.next == self.at.level_end;
        if enters {
            self.flush();
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
        let (StateStore::Flat(flat), Some(crew)) = (store, &mut self.crew) else {
            // The tree is one thread's.
            (self.crew, self.may_have_crew) = (None, false);
            return false;
        };
        let (ample, first) = (task.ample.as_ref(), task.limits.first_violation);
        let expanded = crew.expand(flat, self.expander, parents, ids, ample, first);
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

    /// Converts a flat store to a tree. A limit that is reached meanwhile ends the search.
    fn convert(&mut self) {
        let Some(mut flat) = self.frontier.take_flat() else { return };
        let (n_states, waiting) = (flat.len(), flat.take_staged());
        let (frontier, clock, at) = (&self.frontier, &mut self.clock, &self.at);
        let mut stopped = None;
        let tree = convert(self.expander, flat, |memory| {
            let look = |elapsed| progress(frontier, at, n_states, memory, elapsed);
            stopped = stopped.or_else(|| clock.look(&frontier.limits, memory, look));
            // The run to a violation needs the states.
            stopped.is_none() || !frontier.findings.is_empty()
        });
        match tree {
            Some(tree) => self.frontier.go_on_with(self.expander, tree, waiting),
            None => self.lost = stopped.map(|why| (n_states, why)),
        }
        self.moments.retain(|&moment| moment > n_states);
        self.keeper.iter_mut().for_each(|k| k.renew());
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

    /// The limit that is reached, if one is.
    fn reached_limit(&mut self) -> Option<Stopped> {
        if self.lost.is_some() {
            return None;
        }
        let (frontier, at) = (&self.frontier, &self.at);
        if !frontier.store.has_room() {
            return Some(Stopped::Numbers);
        }
        let memory = frontier.store.memory() + frontier.parents.memory();
        let look = |elapsed| progress(frontier, at, frontier.store.len(), memory, elapsed);
        self.clock.look(&frontier.limits, memory, look)
    }

    fn save_if_due(&mut self) {
        self.save_if(|keeper| keeper.is_due());
    }

    fn save_if(&mut self, is_due: impl Fn(&Keeper) -> bool) {
        if self.keeper.as_ref().is_some_and(|k| is_due(k)) {
            self.flush();
            let point = self.point();
            self.keeper.iter_mut().for_each(|k| k.save(&self.frontier.store, &point));
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
    fn end(mut self, stopped: Option<Stopped>) -> Search {
        self.flush();
        let stopped = self.lost.map(|(_, why)| why).or(stopped);
        let stopped = if self.frontier.goes_on() { stopped } else { Some(Stopped::Violation) };
        if self.lost.is_none() {
            let point = self.point();
            self.keeper.iter_mut().for_each(|k| k.end(&self.frontier.store, &point));
        }
        let Run { expander, frontier, at, .. } = self;
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
            way: Way::Parents(frontier.parents),
            states: self.lost.map_or(frontier.store.len(), |(n_states, _)| n_states) as u64,
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
