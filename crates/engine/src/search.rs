//! Breadth-first search of all states.
//!
//! The states inside an `atomic` are not stored: from a stored state the paths
//! through the block are followed to where the block ends or blocks, and every
//! path counts as a transition, as spin counts them.

use crate::store::{StateId, Store};
use resy_system::{Control, Interpreter, Move, State, Step, Steps, Violation, ViolationKind};
use std::time::{Duration, Instant};

/// When to stop before the end.
#[derive(Copy, Clone, Debug, Default)]
pub struct Limits {
    /// After this time.
    pub timeout: Option<Duration>,
    /// When the store takes this many bytes.
    pub memory: Option<usize>,
    /// At the first violation.
    pub first_violation: bool,
    /// Whether a state without steps that is no valid end is a violation.
    pub end_states: bool,
}

/// What ended the search before all states were seen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The time was over.
    Timeout,
    /// The memory was used up.
    Memory,
    /// A violation was found.
    Violation,
}

/// What went wrong in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A step that does what it must not.
    Violation(Violation),
    /// A state without steps in which a process is not at its end.
    InvalidEnd,
}

/// A violation with the way to it.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it is.
    pub outcome: Outcome,
    /// The stored state from which it was found.
    pub from: StateId,
    /// The moves from there, the last one with the violation.
    pub moves: Vec<(Move, Option<Move>)>,
}

/// The result of a search.
pub struct Search {
    /// The states.
    pub store: Store,
    /// Transitions: the initial state, and every path to a stored state.
    pub transitions: u64,
    /// The greatest distance from the initial state.
    pub depth: u64,
    /// The violations, in the order in which they were found: the first of
    /// each kind at each place, and how often it was met.
    pub found: Vec<(Found, u64)>,
    /// What ended the search, if it is not complete.
    pub stopped: Option<Stopped>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Searches all states of a system from the first.
pub fn search(interpreter: &Interpreter<'_>, initial: &State, limits: Limits) -> Search {
    let mut explorer = Explorer::new(interpreter, limits);
    explorer.store_state(initial, 0);
    explorer.run();
    Search {
        store: explorer.store,
        transitions: explorer.transitions,
        depth: explorer.depth,
        found: explorer.found,
        stopped: explorer.stopped,
        elapsed: explorer.started.elapsed(),
    }
}

struct Explorer<'a> {
    interpreter: &'a Interpreter<'a>,
    limits: Limits,
    store: Store,
    transitions: u64,
    depth: u64,
    found: Vec<(Found, u64)>,
    stopped: Option<Stopped>,
    started: Instant,
    packed: Vec<u8>,
}

/// A state inside an `atomic`, with the steps out of it that are left to try.
struct Inside {
    state: State,
    control: Control,
    rest: std::vec::IntoIter<Step>,
}

impl<'a> Explorer<'a> {
    fn new(interpreter: &'a Interpreter<'a>, limits: Limits) -> Self {
        Self {
            interpreter,
            limits,
            store: Store::new(),
            transitions: 0,
            depth: 0,
            found: Vec::new(),
            stopped: None,
            started: Instant::now(),
            packed: Vec::new(),
        }
    }

    fn run(&mut self) {
        let (mut next, mut level_end) = (0, self.store.len());
        while next < self.store.len() && self.stopped.is_none() {
            if next == level_end {
                self.depth += 1;
                level_end = self.store.len();
            }
            self.expand(next as StateId);
            next += 1;
        }
        if self.limits.first_violation && !self.found.is_empty() {
            self.stopped = Some(Stopped::Violation);
        }
    }

    fn check_limits(&mut self) {
        if self.limits.timeout.is_some_and(|t| self.started.elapsed() >= t) {
            self.stopped = Some(Stopped::Timeout);
        }
        if self.limits.memory.is_some_and(|m| self.store.memory() >= m) {
            self.stopped = Some(Stopped::Memory);
        }
    }

    /// Follows all paths from a stored state to the next ones.
    fn expand(&mut self, id: StateId) {
        let state = State::unpack(self.interpreter.system(), self.store.get(id));
        let steps = self.interpreter.steps(&state, Control::Free);
        self.note_all(id, &[], &steps.violations);
        if steps.steps.is_empty()
            && self.limits.end_states
            && !self.interpreter.is_valid_end(&state)
        {
            self.add(Found { outcome: Outcome::InvalidEnd, from: id, moves: Vec::new() });
        }
        let mut path = Vec::new();
        let mut moves: Vec<(Move, Option<Move>)> = Vec::new();
        path.push(Inside { state, control: Control::Free, rest: steps.steps.into_iter() });
        while let Some(inside) = path.last_mut() {
            if self.stopped.is_some() {
                return;
            }
            let Some(step) = inside.rest.next() else {
                path.pop();
                moves.pop();
                continue;
            };
            moves.push((step.actor, step.partner));
            self.note_all(id, &moves, &step.violations);
            match step.next {
                Some((state, control)) => match self.enter(id, &path, &moves, state, control) {
                    Some(inside) => path.push(inside),
                    None => drop(moves.pop()),
                },
                None => drop(moves.pop()),
            }
        }
    }

    /// Comes to a state: stores it, unless control goes on inside an `atomic`.
    fn enter(
        &mut self,
        from: StateId,
        path: &[Inside],
        moves: &[(Move, Option<Move>)],
        state: State,
        control: Control,
    ) -> Option<Inside> {
        if control != Control::Free {
            let Steps { steps, violations } = self.interpreter.steps(&state, control);
            self.note_all(from, moves, &violations);
            if !steps.is_empty() {
                // A circle inside the block leads nowhere else.
                let circle = path.iter().any(|i| i.control == control && i.state == state);
                return (!circle).then(|| Inside { state, control, rest: steps.into_iter() });
            }
        }
        self.store_state(&state, from);
        None
    }

    fn store_state(&mut self, state: &State, parent: StateId) {
        self.transitions += 1;
        self.packed.clear();
        state.pack(self.interpreter.system(), &mut self.packed);
        self.store.insert(&self.packed, parent);
        if self.transitions.is_multiple_of(256) {
            self.check_limits();
        }
    }

    fn note_all(
        &mut self,
        from: StateId,
        moves: &[(Move, Option<Move>)],
        violations: &[Violation],
    ) {
        for violation in violations {
            let outcome = Outcome::Violation(violation.clone());
            self.add(Found { outcome, from, moves: moves.to_vec() });
        }
    }

    /// Records a violation; of the same kind at the same place, the first only.
    fn add(&mut self, found: Found) {
        let same = |a: &Outcome, b: &Outcome| match (a, b) {
            (Outcome::InvalidEnd, Outcome::InvalidEnd) => true,
            (Outcome::Violation(a), Outcome::Violation(b)) => {
                a.source == b.source && kind_name(&a.kind) == kind_name(&b.kind)
            }
            _ => false,
        };
        match self.found.iter_mut().find(|(f, _)| same(&f.outcome, &found.outcome)) {
            Some((_, times)) => *times += 1,
            None => self.found.push((found, 1)),
        }
        if self.limits.first_violation {
            self.stopped = Some(Stopped::Violation);
        }
    }
}

fn kind_name(kind: &ViolationKind) -> std::mem::Discriminant<ViolationKind> {
    std::mem::discriminant(kind)
}
