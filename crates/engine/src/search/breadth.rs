//! Breadth-first search in one thread: a plain loop.
//!
//! The store's log is the queue. Successors are folded at once, but looked up in
//! batches, so that the processor need not wait for the memory at each; the batch
//! may span several states, since their order is kept.

use super::ample::{self, Ample, Attempt, Proviso};
use super::coverage::Coverage;
use super::expansion::{Arrivals, Expansion, Moves, Taken};
use super::findings::{Findings, Outcome};
use super::forms::Forms;
use super::keeper::Keeper;
use super::limits::{Clock, Limits, Progress, Stopped};
use super::parents::Parents;
use super::point::Point;
use super::relearn::{MOMENTS, relearn};
use super::{Search, Task, Way};
use crate::tree::{Inserted, Root, StateId, TreePath, TreeStore};
use crate::vector::{Shape, Shapes};
use std::time::{Duration, Instant};

/// So many successors are looked up together.
const BATCH: usize = 256;

/// The states found and those waiting, with what is known of the search.
pub(super) struct Frontier<'a> {
    pub store: TreeStore,
    pub parents: Parents,
    pub transitions: u64,
    pub findings: Findings,
    limits: Limits<'a>,
    /// The state that is being expanded.
    current: StateId,
    spare: Vec<u8>,
    path: TreePath,
    batch: Vec<Root>,
    /// For each root of the batch, the state it was reached from.
    from: Vec<StateId>,
    inserted: Vec<Inserted>,
    /// Whether one of the states reached by the present attempt is expanded later than the present state.
    one_later: bool,
    /// Whether all of them are.
    all_later: bool,
    /// The transitions before the present attempt.
    before_attempt: u64,
    /// A buffer for the candidates of the partial order reduction.
    candidates: Vec<usize>,
}

impl Arrivals for Frontier<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: Taken<'_>) {
        self.transitions += 1;
        let root = self.store.fold(&self.path, vector, &shape.plan);
        self.batch.push(root);
        self.from.push(self.current);
        if self.batch.len() == BATCH {
            self.flush();
        }
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        self.findings.add(outcome, self.current, || moves.to_vec());
    }

    fn goes_on(&self) -> bool {
        !self.limits.first_violation || self.findings.is_empty()
    }
}

impl<'a> Frontier<'a> {
    pub fn new(limits: Limits<'a>) -> Self {
        Self {
            store: TreeStore::new(),
            parents: Parents::default(),
            transitions: 0,
            findings: Findings::default(),
            limits,
            current: 0,
            spare: Vec::new(),
            path: TreePath::new(),
            batch: Vec::new(),
            from: Vec::new(),
            inserted: Vec::new(),
            one_later: false,
            all_later: true,
            before_attempt: 0,
            candidates: Vec::new(),
        }
    }

    /// Looks up the successors that wait for it.
    pub fn flush(&mut self) {
        self.inserted.clear();
        self.store.insert_batch(&self.batch, &mut self.inserted);
        for (inserted, &from) in self.inserted.iter().zip(&self.from) {
            self.one_later |= inserted.id > self.current;
            self.all_later &= inserted.id > self.current;
            if inserted.new {
                self.parents.add(inserted.id, from);
            }
        }
        self.batch.clear();
        self.from.clear();
    }

    /// Expands the state with this number.
    fn expand(&mut self, expansion: &mut Expansion<'_>, ample: Option<&Ample>, id: StateId) {
        self.current = id;
        let mut vector = std::mem::take(&mut self.spare);
        expansion.load(&self.store, id, &mut vector, &mut self.path);
        let mut candidates = std::mem::take(&mut self.candidates);
        ample::expand(expansion, ample, &vector, &mut candidates, self);
        (self.spare, self.candidates) = (vector, candidates);
    }
}

impl Attempt for Frontier<'_> {
    fn begin(&mut self) {
        self.flush();
        (self.one_later, self.all_later) = (false, true);
        self.before_attempt = self.transitions;
    }

    /// States are expanded in the order of their numbers.
    fn satisfies(&mut self, proviso: Proviso) -> bool {
        self.flush();
        self.one_later && (self.all_later || proviso == Proviso::OneLater)
    }

    fn withdraw(&mut self) {
        self.transitions = self.before_attempt;
    }
}

/// How far a search came.
pub(super) enum Reached {
    /// To its end.
    End(Box<Search>),
    /// To a level with many states: others may go on from there.
    Level(Box<Start>),
}

/// A search up to a level that is not expanded yet.
pub(super) struct Start {
    pub store: TreeStore,
    /// The shapes of its vectors.
    pub shapes: Shapes,
    /// The first state of each level.
    pub levels: Vec<StateId>,
    pub transitions: u64,
    pub findings: Findings,
    pub coverage: Coverage,
}

/// Which state is expanded next, and the level it is on.
struct Position {
    next: StateId,
    level_end: StateId,
    depth: u64,
    /// The time the search took before it went on here.
    before: Duration,
}

pub(super) fn search(
    task: &Task<'_>,
    mut expansion: Expansion<'_>,
    started: Instant,
    keeper: Option<&mut Keeper>,
) -> Search {
    match search_until(task, &mut expansion, started, usize::MAX, keeper) {
        Reached::End(search) => *search,
        Reached::Level(_) => unreachable!("no store has more states than that"),
    }
}

/// Searches to the end, or to the first level that begins with more than `most` states.
pub(super) fn search_until(
    task: &Task<'_>,
    expansion: &mut Expansion<'_>,
    started: Instant,
    most: usize,
    mut keeper: Option<&mut Keeper>,
) -> Reached {
    let mut frontier = Frontier::new(task.limits);
    let mut clock = Clock::new(started);
    let saved = keeper.as_mut().and_then(|k| k.take_saved());
    let goes_on = saved.is_some();
    let mut at = begin(&mut frontier, expansion, saved);
    let first = at.next;
    let n_before = frontier.store.len();
    let mut moments = MOMENTS.into_iter().filter(|&m| m > n_before);
    let mut moment = moments.next();
    let mut levels = vec![0];
    let mut stopped = None;
    while stopped.is_none() && frontier.goes_on() {
        if at.next as usize == frontier.store.len() {
            frontier.flush();
            if at.next as usize == frontier.store.len() {
                break;
            }
        }
        if at.next == at.level_end {
            frontier.flush();
            (at.level_end, at.depth) = (frontier.store.len() as StateId, at.depth + 1);
            levels.push(at.next);
            if frontier.store.len() > most {
                let Frontier { store, transitions, findings, .. } = frontier;
                let coverage = expansion.coverage.clone();
                let shapes = expansion.stepper.shapes().clone();
                let start = Start { store, shapes, levels, transitions, findings, coverage };
                return Reached::Level(Box::new(start));
            }
        }
        frontier.expand(expansion, task.ample.as_ref(), at.next);
        at.next += 1;
        if clock.due() {
            if moment.is_some_and(|m| frontier.store.len() >= m) {
                frontier.flush();
                relearn(expansion, &mut frontier.store);
                keeper.iter_mut().for_each(|k| k.renew());
                moment = moments.next();
            }
            stopped = look(&mut clock, &frontier, &at);
            if let Some(keeper) = keeper.as_mut().filter(|k| stopped.is_none() && k.is_due()) {
                frontier.flush();
                keeper.save(&frontier.store, &point(&frontier, expansion, &at, started));
            }
        }
    }
    frontier.flush();
    if !frontier.goes_on() {
        stopped = Some(Stopped::Violation);
    }
    if let Some(keeper) = keeper {
        keeper.end(&frontier.store, &point(&frontier, expansion, &at, started));
    }
    Reached::End(Box::new(Search {
        covered: None,
        n_levels: Some(at.depth + u64::from(at.next == at.level_end)),
        transitions: frontier.transitions,
        depth: at.depth,
        findings: frontier.findings,
        stopped,
        was_over: goes_on && at.next == first && matches!(stopped, None | Some(Stopped::Violation)),
        elapsed: at.before + started.elapsed(),
        shapes: Some(expansion.stepper.shapes().clone()),
        coverage: expansion.coverage.clone(),
        way: Way::Parents(frontier.parents),
        states: frontier.store.len() as u64,
        stores: vec![frontier.store],
    }))
}

/// Begins at the first state, or goes on where a saved search was.
fn begin(
    frontier: &mut Frontier<'_>,
    expansion: &mut Expansion<'_>,
    saved: Option<(TreeStore, Point)>,
) -> Position {
    let Some((store, point)) = saved else {
        expansion.initial(frontier);
        frontier.flush();
        return Position { next: 0, level_end: 1, depth: 0, before: Duration::ZERO };
    };
    expansion.coverage.add_marks(&point.taken);
    let (layout, shapes) = expansion.stepper.layout_and_shapes();
    point.forms.make(layout, shapes);
    frontier.store = store;
    frontier.parents = point.parents;
    frontier.transitions = point.transitions;
    frontier.findings = point.findings;
    let Point { next, level_end, depth, elapsed, .. } = point;
    Position { next, level_end, depth, before: elapsed }
}

/// Where the search is, to be saved. All successors must have been looked up.
fn point(
    frontier: &Frontier<'_>,
    expansion: &mut Expansion<'_>,
    at: &Position,
    started: Instant,
) -> Point {
    Point {
        next: at.next,
        level_end: at.level_end,
        depth: at.depth,
        transitions: frontier.transitions,
        elapsed: at.before + started.elapsed(),
        findings: frontier.findings.clone(),
        parents: frontier.parents.clone(),
        taken: expansion.coverage.marks().to_vec(),
        forms: Forms::of(expansion.stepper.shapes()),
    }
}

fn look(clock: &mut Clock, frontier: &Frontier<'_>, at: &Position) -> Option<Stopped> {
    if !frontier.store.has_room() {
        return Some(Stopped::Numbers);
    }
    let memory = frontier.store.memory() + frontier.parents.memory();
    clock.look(&frontier.limits, memory, |elapsed| Progress {
        states: frontier.store.len(),
        waiting: frontier.store.len() - at.next as usize,
        transitions: frontier.transitions,
        depth: at.depth,
        memory,
        elapsed: at.before + elapsed,
    })
}
