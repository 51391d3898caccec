//! The reference semantics: all the steps of a state.
//!
//! The order and the rules are those of spin's verifier. Processes are tried from the
//! youngest to the oldest, the edges of a location in their order. `else` is possible if no
//! earlier edge is. `timeout` holds if no process has another possible edge. Inside `atomic`
//! a process keeps control while it can move; losing control is not a step: the caller
//! computes the steps again with [`Control::Free`].

use crate::eval::OUTSIDE;
use crate::expr::Expr;
use crate::memory::Memory;
use crate::state::State;
use crate::step::{Attempt, Control, Move, Steps};
use crate::system::{Edge, LocationId, System};
use crate::violation::ViolationKind;
use resy_index::Id;
use std::cell::RefCell;

/// Options of the semantics.
#[derive(Copy, Clone, Debug, Default)]
pub struct Options {
    /// A message sent to a full channel is lost instead of blocking (`spin -m`).
    pub loss: bool,
    /// A valid end state has empty channels (`pan -q`).
    pub empty_channels: bool,
}

/// Runs a system.
#[derive(Clone, Debug)]
pub struct Interpreter<'a> {
    pub(crate) system: &'a System,
    pub(crate) options: Options,
}

/// The search for the steps of one state.
struct Search<'a, M> {
    memory: &'a M,
    timeout: bool,
    steps: Steps<M>,
}

impl<'a> Interpreter<'a> {
    /// An interpreter for `system`.
    pub fn new(system: &'a System, options: Options) -> Self {
        Self { system, options }
    }

    /// The options of the semantics.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The system it runs.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// All steps out of `state`. None with [`Control::Atomic`] means that the
    /// process has lost control: the steps are then those with [`Control::Free`].
    pub fn steps(&self, state: &State, control: Control) -> Steps {
        let mut search = Search { memory: state, timeout: false, steps: Steps::default() };
        self.ask_all(&mut search, control);
        if search.steps.steps.is_empty() && control == Control::Free {
            search.timeout = true;
            self.ask_all(&mut search, control);
        }
        search.steps
    }

    /// The steps of one process, with `timeout` as given.
    pub fn steps_of(&self, state: &State, pid: usize, timeout: bool) -> Steps {
        let mut search = Search { memory: state, timeout, steps: Steps::default() };
        self.ask(&mut search, pid);
        search.steps
    }

    /// Whether a condition of a claim holds in a state. A claim is not a process: its `_pid`
    /// is 0, and a variable of a process that does not exist has the value 0.
    ///
    /// A violation that a process would survive, such as a poll of a rendezvous channel,
    /// is an error here: the condition has no value.
    pub fn holds<M: Memory>(&self, state: &M, condition: &Expr) -> Result<bool, ViolationKind> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        let holds = self.view(state, OUTSIDE, &runs, &notes).holds(condition)?;
        notes.into_inner().into_iter().next().map_or(Ok(holds), Err)
    }

    /// Whether a state without steps is a valid end.
    pub fn is_valid_end(&self, state: &State) -> bool {
        let at_end =
            |p: &crate::Process| self.system.proctypes[p.proctype].end_locations[p.location];
        let channels_empty = || {
            let mut channels = state.channels.iter();
            channels.all(|c| state.cells[c.base as usize] == 0)
        };
        let trace_over = || match &self.system.trace {
            Some(trace) => {
                trace.automaton.end_locations[LocationId::from_index(state.event as usize)]
            }
            None => true,
        };
        if state.processes.is_empty() {
            return !self.options.empty_channels || channels_empty();
        }
        state.processes.iter().all(at_end)
            && if self.options.empty_channels { channels_empty() } else { trace_over() }
    }

    /// The edge that a move takes from a state.
    pub fn edge(&self, state: &State, taken: Move) -> &'a Edge {
        &self.edges_at(state, taken.pid)[taken.edge]
    }

    /// The value of an expression in a process. The process need not exist if the expression
    /// contains nothing local.
    pub fn evaluate<M: Memory>(
        &self,
        state: &M,
        pid: usize,
        expr: &Expr,
    ) -> Result<i32, ViolationKind> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        self.view(state, pid, &runs, &notes).eval(expr)
    }

    fn edges_at(&self, state: &State, pid: usize) -> &'a [Edge] {
        let process = &state.processes[pid];
        &self.system.proctypes[process.proctype].edges[process.location]
    }

    fn ask_all(&self, search: &mut Search<'_, State>, control: Control) {
        for pid in (0..search.memory.processes.len()).rev() {
            if control == Control::Free || control == Control::Atomic(pid) {
                self.ask(search, pid);
            }
        }
    }

    /// Tries the edges of one process.
    fn ask(&self, search: &mut Search<'_, State>, pid: usize) {
        if !self.may_move(search.memory, pid, &mut search.steps.violations) {
            return;
        }
        let (mut moved, mut escape) = (false, None);
        for (index, edge) in self.edges_at(search.memory, pid).iter().enumerate() {
            if escape.is_some() && escape != edge.escape {
                break;
            }
            if self.take(search, Move { pid, edge: index }, edge, moved) {
                (moved, escape) = (true, edge.escape);
            }
        }
    }

    /// Tries an edge; returns whether it was possible.
    fn take(&self, search: &mut Search<'_, State>, actor: Move, edge: &Edge, moved: bool) -> bool {
        let notes = &mut search.steps.violations;
        match self.attempt(search.memory, actor, edge, moved, search.timeout, notes) {
            Attempt::Impossible => false,
            Attempt::Done(step) => {
                search.steps.steps.push(step);
                true
            }
            Attempt::Offers { offer, sender, violations } => {
                let before = search.steps.steps.len();
                for pid in (0..sender.processes.len()).rev().filter(|&pid| pid != actor.pid) {
                    let accepted = self.accept(&sender, pid, &offer);
                    search.steps.violations.extend(accepted.violations);
                    search.steps.steps.extend(accepted.steps.into_iter().map(|mut step| {
                        step.actor = actor;
                        step.violations.splice(0..0, violations.iter().cloned());
                        step
                    }));
                }
                search.steps.steps.len() > before
            }
        }
    }
}
