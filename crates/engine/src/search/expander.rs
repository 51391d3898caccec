//! Expanding a stored state: all transitions to the next stored states.
//!
//! The states inside an `atomic` are not stored: the paths through the block are followed to where it ends
//! or blocks, with the buffer of successors as a stack.

use super::coverage::Coverage;
use super::limits::Clock;
use super::symmetry::Canonicalizer;
use super::watch::Watch;
use super::{Task, stepper};
use crate::steps::{Record, Stepper, Successors};
use crate::tree::{StoredId, TreePath, TreeStore};
use crate::vector::{Shape, ShapeId, shape_number};
use hashbrown::HashSet;
use resy_index::Id;
use resy_system::{Control, Move, Outcome, Property, State, ViolationKind};
use std::time::Instant;

/// A move, and the move of the partner in a rendezvous.
pub type Moves = (Move, Option<Move>);

/// The moves of a transition, built only on demand.
#[derive(Copy, Clone)]
pub struct TransitionMoves<'a> {
    before: &'a [Moves],
    last: Option<&'a Record>,
}

impl TransitionMoves<'_> {
    /// The moves, in their order.
    pub fn to_vec(&self) -> Vec<Moves> {
        self.before.iter().copied().chain(self.last.map(Record::moves)).collect()
    }

    /// The processes that move: each that takes a step, and each that receives from it by rendezvous.
    pub fn movers(&self) -> impl Iterator<Item = usize> {
        let last = self.last.into_iter().flat_map(|record| [record.actor[0], record.partner[0]]);
        let last = last.filter(|&pid| pid != Record::NOBODY).map(usize::from);
        let before =
            self.before.iter().flat_map(|(actor, partner)| [Some(actor), partner.as_ref()]);
        before.flatten().map(|taken| taken.pid).chain(last)
    }
}

/// Receives what an expander finds.
pub trait Arrivals {
    /// A transition to this state, by these moves.
    fn arrive(&mut self, vector: &[u8], shape: &Shape, moves: TransitionMoves<'_>);
    /// A violation, after these moves.
    fn violation(&mut self, outcome: Outcome, moves: &[Moves]);
    /// A process can take a first step out of the expanded state, on its own initiative.
    fn enabled(&mut self, _pid: usize) {}
    /// The expanded state, given again, has no steps.
    fn stuck(&mut self, _vector: &[u8], _shape: &Shape) {}
    /// Whether to continue; `false` ends the expansion early.
    fn goes_on(&self) -> bool {
        true
    }
}

/// Expands states.
pub struct Expander<'a> {
    /// Makes the steps.
    pub stepper: Box<dyn Stepper + 'a>,
    /// The edges that were taken.
    pub coverage: Coverage,
    /// A buffer for the candidates of the partial order reduction.
    pub(super) candidates: Vec<usize>,
    /// Replaces states by representatives of symmetric ones, if there is a symmetry.
    pub(super) symmetry: Option<Canonicalizer>,
    /// The state to start from, if it is not the initial one.
    start: Option<State>,
    watch: Watch,
    end_states: bool,
    in_steps: Option<Vec<Property>>,
    claims_only: bool,
    all_paths: bool,
    out: Successors,
    frames: Vec<Frame>,
    moves: Vec<Moves>,
    inside: Vec<u8>,
    /// A buffer for the edges that a process was advanced along in place.
    ahead: Vec<u32>,
    /// The number of ends of processes that are marked.
    n_ends: usize,
    /// The states inside the present block that were visited, unless all paths count.
    seen: HashSet<(Vec<u8>, Control)>,
}

/// The successors of one state that are still to be followed.
struct Frame {
    next: usize,
    end: usize,
    /// The number of bytes in use before them.
    used: usize,
    /// The state itself, if it is inside a block.
    inside: Option<Inside>,
}

/// A state inside a block.
#[derive(Copy, Clone)]
struct Inside {
    /// The index of its record.
    record: usize,
    /// The location of the process that has control. It is compared first, since few states share it.
    location: i32,
    /// The number of moves before those that led here.
    n_moves: usize,
}

/// The result of looking for steps.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Entered {
    /// No step is possible.
    Nothing,
    /// Steps that fail and lead nowhere.
    Failures,
    /// Steps, which are now in a frame.
    Steps,
}

impl<'a> Expander<'a> {
    /// An expander for the states of a task; an error if the initial state does not exist.
    pub fn new(task: &Task<'a>) -> Result<Expander<'a>, ViolationKind> {
        let mut clock = Clock::new(Instant::now());
        Self::new_while(task, &mut || clock.permits(&task.limits))
    }

    /// Like [`new`](Self::new); if `go_on` ends the compilation of steps, they are interpreted.
    pub fn new_while(
        task: &Task<'a>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Expander<'a>, ViolationKind> {
        Self::with_stepper(task, stepper(task, go_on))
    }

    /// The same with given steps, whose vectors may have more in them than the task says.
    pub(super) fn with_stepper(
        task: &Task<'_>,
        stepper: Box<dyn Stepper + 'a>,
    ) -> Result<Expander<'a>, ViolationKind> {
        stepper.interpreter().initial()?;
        Ok(Expander {
            stepper,
            coverage: Coverage::new(task.system),
            candidates: Vec::new(),
            symmetry: task.symmetry.clone().map(Canonicalizer::new),
            start: task.start.clone(),
            watch: Watch::new(task.monitors.clone()),
            end_states: task.end_states,
            in_steps: task.in_steps.clone(),
            claims_only: task.claims_only,
            all_paths: task.all_paths,
            out: Successors::new(),
            frames: Vec::new(),
            moves: Vec::new(),
            inside: Vec::new(),
            ahead: Vec::new(),
            n_ends: 0,
            seen: HashSet::new(),
        })
    }

    /// Reports the state to start from.
    pub fn initial(&mut self, sink: &mut impl Arrivals) {
        let given = self.start.clone().map(Ok);
        let Ok(state) = given.unwrap_or_else(|| self.stepper.interpreter().initial()) else {
            return;
        };
        let layout = self.stepper.layout().clone();
        let mut vector = Vec::new();
        let shape = layout.pack(self.stepper.shapes(), &state, &mut vector);
        self.watch.start(&*self.stepper, &mut vector, |o| sink.violation(o, &[]));
        self.watch.arrive(&mut *self.stepper, &mut vector, shape, |o| sink.violation(o, &[]));
        let nothing = TransitionMoves { before: &[], last: None };
        if let Some(symmetry) = &mut self.symmetry {
            let (layout, shapes) = self.stepper.layout_and_shapes();
            symmetry.canonicalize(layout, shape, &shapes[shape], &mut vector);
        }
        sink.arrive(&vector, &self.stepper.shapes()[shape], nothing);
    }

    /// Marks the ends of processes that symmetric states can take.
    fn mark_ends(&mut self) {
        let Some(symmetry) = &mut self.symmetry else { return };
        for &(proctype, location) in &symmetry.ends[self.n_ends..] {
            self.coverage.mark_location(proctype, location);
        }
        self.n_ends = symmetry.ends.len();
    }

    /// The state of a vector of a known shape.
    pub(super) fn peek(&self, vector: &[u8]) -> State {
        self.stepper.unpack(vector, ShapeId::from_index(shape_number(vector) as usize))
    }

    /// The state of a vector.
    pub fn unpack(&mut self, vector: &[u8]) -> State {
        let shape = self.shape(vector);
        self.stepper.unpack(vector, shape)
    }

    /// Unfolds a stored state.
    pub fn load(
        &mut self,
        store: &TreeStore,
        id: StoredId,
        vector: &mut Vec<u8>,
        path: &mut TreePath,
    ) {
        let (layout, shapes) = self.stepper.layout_and_shapes();
        let shape = shapes.of(layout, store.first_bytes(id, path));
        store.load(id, &shapes[shape].plan, vector, path);
    }

    /// Adopts a vector of another search of the same system, whose shapes have other numbers.
    pub fn adopt(&mut self, vector: &mut [u8]) -> ShapeId {
        let (layout, shapes) = self.stepper.layout_and_shapes();
        shapes.adopt(layout, vector)
    }

    /// The shape of a vector.
    pub fn shape(&mut self, vector: &[u8]) -> ShapeId {
        let stepper = &mut *self.stepper;
        let (layout, shapes) = stepper.layout_and_shapes();
        shapes.of(layout, vector)
    }

    /// Follows all transitions out of a stored state.
    pub fn expand(&mut self, vector: &[u8], sink: &mut impl Arrivals) {
        let shape = self.shape(vector);
        let steps = self.follow(vector, shape, Control::Free, sink);
        if !steps {
            self.stuck(vector, shape, sink);
        }
        self.mark_ends();
    }

    /// Follows the transitions of one process out of a stored state; returns whether there are any.
    pub fn expand_only(&mut self, pid: usize, vector: &[u8], sink: &mut impl Arrivals) -> bool {
        let shape = self.shape(vector);
        self.follow(vector, shape, Control::Atomic(pid), sink)
    }

    /// Reports a state without steps.
    fn stuck(&mut self, vector: &[u8], shape: ShapeId, sink: &mut impl Arrivals) {
        sink.stuck(vector, &self.stepper.shapes()[shape]);
        if self.end_states {
            let state = self.stepper.unpack(vector, shape);
            if !self.stepper.interpreter().is_valid_end(&state) {
                sink.violation(Outcome::InvalidEnd, &[]);
            }
        }
        if !self.watch.is_idle() {
            self.watch.stay(&mut *self.stepper, vector, shape, |o| sink.violation(o, &[]));
        }
    }

    fn follow(
        &mut self,
        vector: &[u8],
        shape: ShapeId,
        control: Control,
        sink: &mut impl Arrivals,
    ) -> bool {
        self.out.clear();
        self.moves.clear();
        self.seen.clear();
        let entered = self.enter(vector, shape, control, None, sink);
        let first = self.out.records[..self.out.len()].iter();
        first.for_each(|record| sink.enabled(record.actor[0].into()));
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end || !sink.goes_on() {
                self.leave();
                continue;
            }
            if self.watch.is_idle() && self.pass_on(sink) {
                continue;
            }
            let Some(frame) = self.frames.last_mut() else { break };
            let i = frame.next;
            frame.next += 1;
            self.successor(i, sink);
        }
        entered != Entered::Nothing
    }

    /// Computes the steps out of a state.
    fn enter(
        &mut self,
        vector: &[u8],
        shape: ShapeId,
        control: Control,
        inside: Option<Inside>,
        sink: &mut impl Arrivals,
    ) -> Entered {
        let (next, used) = (self.out.len(), self.out.used);
        self.stepper.expand(vector, shape, control, &mut self.out);
        let end = self.out.len();
        self.out.records[next..end].iter().for_each(|record| self.coverage.mark(record));
        let failed = !self.out.noted.is_empty() && self.note(vector, shape, sink);
        if end > next {
            self.frames.push(Frame { next, end, used, inside });
            Entered::Steps
        } else if failed {
            Entered::Failures
        } else {
            Entered::Nothing
        }
    }

    /// Reports violations; returns whether a step failed.
    fn note(&mut self, vector: &[u8], shape: ShapeId, sink: &mut impl Arrivals) -> bool {
        let (layout, shapes) = self.stepper.layout_and_shapes();
        for (actor, partner) in self.out.noted.iter().filter_map(|noted| noted.step) {
            for taken in [actor].into_iter().chain(partner) {
                self.coverage.mark_move(layout, &shapes[shape], vector, taken);
            }
        }
        let mut failed = false;
        for noted in self.out.noted.drain(..) {
            failed |= noted.step.is_some();
            if let (Some((actor, _)), true) = (noted.step, self.moves.is_empty()) {
                sink.enabled(actor.pid);
            }
            self.moves.extend(noted.step);
            let outcome = Outcome::Violation(noted.violation);
            let asked = self.in_steps.as_ref();
            if asked.is_none_or(|asked| asked.iter().any(|p| p.is_violated_by(&outcome))) {
                sink.violation(outcome, &self.moves);
            }
            if noted.step.is_some() {
                self.moves.pop();
            }
        }
        failed
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.out.used = frame.used;
            self.out.n = self.frames.last().map_or(0, |f| f.end);
            self.moves.truncate(frame.inside.map_or(0, |inside| inside.n_moves));
        }
    }

    /// Reports the successors up to the first one in which control stays inside a block; nothing else is to
    /// be done with them. Returns whether there was any.
    fn pass_on(&mut self, sink: &mut impl Arrivals) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let (first, (layout, shapes)) = (frame.next, self.stepper.layout_and_shapes());
        for i in frame.next..frame.end {
            let record = self.out.records[i];
            if record.control() != Control::Free || !sink.goes_on() {
                break;
            }
            let shape = &shapes[record.shape()];
            if let Some(symmetry) = &mut self.symmetry {
                let vector = self.out.vector_mut(&record, shape.len);
                symmetry.canonicalize(layout, record.shape(), shape, vector);
            }
            let taken = TransitionMoves { before: &self.moves, last: Some(&record) };
            sink.arrive(self.out.vector(&record, shape.len), shape, taken);
            frame.next += 1;
        }
        frame.next > first
    }

    /// Follows one successor. It is reported, unless control stays inside a block.
    fn successor(&mut self, i: usize, sink: &mut impl Arrivals) {
        let n_moves = self.moves.len();
        self.moves.push(self.out.record(i).moves());
        self.advance(i);
        let record = self.out.record(i);
        if record.control() != Control::Free {
            match self.go_inside(i, n_moves, sink) {
                Some(Entered::Nothing) => {}
                // The frame removes the moves when it is left.
                Some(Entered::Steps) => return,
                Some(Entered::Failures) | None => return self.moves.truncate(n_moves),
            }
        }
        let shape = record.shape();
        let len = self.stepper.shapes()[shape].len;
        let vector = self.out.vector_mut(&record, len);
        if !self.watch.is_idle() {
            let moves = &self.moves;
            self.watch.arrive(&mut *self.stepper, vector, shape, |o| sink.violation(o, moves));
            if self.claims_only && self.watch.is_over() {
                return self.moves.truncate(n_moves);
            }
        }
        let taken = TransitionMoves { before: &self.moves, last: None };
        if let Some(symmetry) = &mut self.symmetry {
            let (layout, shapes) = self.stepper.layout_and_shapes();
            symmetry.canonicalize(layout, shape, &shapes[shape], vector);
        }
        sink.arrive(vector, &self.stepper.shapes()[shape], taken);
        self.moves.truncate(n_moves);
    }

    /// Takes the steps inside a block that leave no choice, in the vector of the successor itself.
    fn advance(&mut self, i: usize) {
        let Control::Atomic(pid) = self.out.record(i).control() else { return };
        self.stepper.advance(i, &mut self.out, &mut self.ahead);
        for edge in self.ahead.drain(..) {
            let edge = self.coverage.mark_number(edge);
            self.moves.push((Move { pid, edge }, None));
        }
    }

    /// Continues inside a block. The moves from `n_moves` on led there. `None` if the state was visited.
    fn go_inside(&mut self, i: usize, n_moves: usize, sink: &mut impl Arrivals) -> Option<Entered> {
        let record = self.out.record(i);
        let (shape, control) = (record.shape(), record.control());
        let (layout, shapes) = self.stepper.layout_and_shapes();
        let (len, field) = (shapes[shape].len, layout.location);
        let mut inside = std::mem::take(&mut self.inside);
        inside.clear();
        inside.extend_from_slice(self.out.vector(&record, len));
        let at = record.control.checked_sub(1).map(|pid| shapes[shape].processes[pid as usize]);
        let location = at.map_or(0, |at| field.width.load(&inside, at + field.offset));
        // A cycle inside the block leads nowhere else.
        let is_here = |other: Inside| {
            let r = self.out.record(other.record);
            other.location == location
                && r.control == record.control
                && r.shape == record.shape
                && self.out.vector(&r, len) == inside
        };
        let old = self.frames.iter().filter_map(|f| f.inside).any(is_here)
            || (!self.all_paths && self.branches() && !self.seen.insert((inside.clone(), control)));
        let here = Inside { record: i, location, n_moves };
        let entered = (!old).then(|| self.enter(&inside, shape, control, Some(here), sink));
        self.inside = inside;
        entered
    }

    /// Whether there is more than one path through the present block. Paths that begin with different steps
    /// out of the stored state seldom meet.
    fn branches(&self) -> bool {
        self.frames.iter().skip(1).any(|f| f.end - f.next > 0) || !self.seen.is_empty()
    }
}
