//! The reference semantics: all the steps of a state.
//!
//! The order and the rules are those of spin's verifier. Processes are asked from
//! the youngest to the oldest, the edges of a location in their order. `else` is
//! possible if no edge before it was. `timeout` holds if nothing else is possible
//! anywhere. Control stays with a process inside `atomic` while it can move; the
//! caller takes the loss of control as no step: it asks again with
//! [`Control::Free`].

use crate::command::Command;
use crate::effect::Effect;
use crate::eval::{OUTSIDE, View};
use crate::expr::Expr;
use crate::message::Offer;
use crate::state::State;
use crate::step::{Control, Move, Step, Steps};
use crate::system::{Edge, LocationId, Proctype, System};
use crate::violation::{Violation, ViolationKind};
use resy_index::Id;
use std::cell::RefCell;

/// Choices about the semantics that a user can make.
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

/// One look around from a state.
struct Search<'a> {
    state: &'a State,
    timeout: bool,
    steps: Steps,
}

impl<'a> Interpreter<'a> {
    /// An interpreter for `system`.
    pub fn new(system: &'a System, options: Options) -> Self {
        Self { system, options }
    }

    /// The choices made about the semantics.
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
        let mut search = Search { state, timeout: false, steps: Steps::default() };
        self.ask_all(&mut search, control);
        if search.steps.steps.is_empty() && control == Control::Free {
            search.timeout = true;
            self.ask_all(&mut search, control);
        }
        search.steps
    }

    /// The steps of one process, with `timeout` as given.
    pub fn steps_of(&self, state: &State, pid: usize, timeout: bool) -> Steps {
        let mut search = Search { state, timeout, steps: Steps::default() };
        self.ask(&mut search, pid);
        search.steps
    }

    /// Whether a condition of a claim holds in a state. A claim is no process: its
    /// `_pid` is 0, and a variable of a process that is not there has the value 0.
    pub fn holds(&self, state: &State, condition: &Expr) -> Result<bool, ViolationKind> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        self.view(state, OUTSIDE, &runs, &notes).holds(condition)
    }

    /// Whether a state without steps is a valid end.
    pub fn is_valid_end(&self, state: &State) -> bool {
        let at_end = |p: &crate::Process| self.proctype(p).end_locations[p.location];
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
        &self.edges(state, taken.pid)[taken.edge]
    }

    /// The value of an expression as a process sees it. The process need not exist
    /// if the expression has nothing local in it.
    pub fn evaluate(&self, state: &State, pid: usize, expr: &Expr) -> Result<i32, ViolationKind> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        self.view(state, pid, &runs, &notes).eval(expr)
    }

    fn proctype(&self, process: &crate::Process) -> &'a Proctype {
        &self.system.proctypes[process.proctype]
    }

    fn edges(&self, state: &State, pid: usize) -> &'a [Edge] {
        let process = &state.processes[pid];
        &self.proctype(process).edges[process.location]
    }

    fn ask_all(&self, search: &mut Search<'_>, control: Control) {
        for pid in (0..search.state.processes.len()).rev() {
            if control == Control::Free || control == Control::Atomic(pid) {
                self.ask(search, pid);
            }
        }
    }

    /// Tries the edges of one process.
    fn ask(&self, search: &mut Search<'_>, pid: usize) {
        if !self.may_move(search.state, pid, &mut search.steps.violations) {
            return;
        }
        let (mut moved, mut escape) = (false, None);
        for (index, edge) in self.edges(search.state, pid).iter().enumerate() {
            if escape.is_some() && escape != edge.escape {
                break;
            }
            if self.take(search, Move { pid, edge: index }, edge, moved) {
                (moved, escape) = (true, edge.escape);
            }
        }
    }

    /// Takes an edge if it can be taken, and says whether it could.
    fn take(&self, search: &mut Search<'_>, actor: Move, edge: &Edge, moved: bool) -> bool {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        let view = self.view(search.state, actor.pid, &runs, &notes);
        let view = View { timeout: search.timeout, moved, ..view };
        let possible = view.possible(&edge.command);
        let violations =
            notes.take().into_iter().map(|kind| Violation { kind, source: edge.source });
        search.steps.violations.extend(violations);
        match possible {
            Ok(false) => return false,
            Err(kind) => {
                search.steps.steps.push(failed(actor, None, kind, edge));
                return true;
            }
            Ok(true) => {}
        }
        if let Command::Send { chan, args, .. } = &edge.command
            && let Ok(chan) = view.channel(chan)
            && view.is_rendezvous(chan)
        {
            let message = view.message(chan, args);
            let notes = notes.take();
            return self.offer(search, actor, edge, chan, message, notes, moved);
        }
        let effect = self.effect(search.state.clone(), actor.pid, search.timeout, edge);
        search.steps.steps.push(self.finish(effect, actor, None, edge, moved));
        true
    }

    /// Offers a message to every process that stands at a matching receive.
    #[expect(clippy::too_many_arguments, reason = "the parts of one offer")]
    fn offer(
        &self,
        search: &mut Search<'_>,
        actor: Move,
        edge: &Edge,
        chan: usize,
        message: Result<(Vec<i32>, Vec<i32>), ViolationKind>,
        notes: Vec<ViolationKind>,
        moved: bool,
    ) -> bool {
        let message = match message {
            Ok((message, _)) => message,
            Err(kind) => {
                search.steps.steps.push(failed(actor, None, kind, edge));
                return true;
            }
        };
        let offer = Offer { chan, message };
        let mut sender = self.effect(search.state.clone(), actor.pid, false, edge);
        notes.into_iter().for_each(|kind| sender.note(kind));
        sender.observe(true, chan, &offer.message);
        self.arrive(&mut sender.state, actor.pid, edge);
        // The attempt counts, also if nobody accepts.
        if moved && self.proctype(&search.state.processes[actor.pid]).deterministic {
            let kind = ViolationKind::NonDeterminism;
            search.steps.violations.push(Violation { kind, source: edge.source });
        }
        let before = search.steps.steps.len();
        for pid in (0..sender.state.processes.len()).rev().filter(|&pid| pid != actor.pid) {
            self.accept(search, actor, &sender, &offer, pid);
        }
        search.steps.steps.len() > before
    }

    /// Lets one process accept an offer by each of its matching receives.
    fn accept(
        &self,
        search: &mut Search<'_>,
        actor: Move,
        sender: &Effect<'_>,
        offer: &Offer,
        pid: usize,
    ) {
        if !self.may_move(&sender.state, pid, &mut search.steps.violations) {
            return;
        }
        let (mut moved, mut escape) = (false, None);
        for (index, edge) in self.edges(&sender.state, pid).iter().enumerate() {
            if escape.is_some() && escape != edge.escape {
                break;
            }
            let (runs, notes) = (RefCell::default(), RefCell::default());
            let view = self.view(&sender.state, pid, &runs, &notes);
            let view = View { offer: Some(offer), moved, ..view };
            let partner = Some(Move { pid, edge: index });
            match view.possible(&edge.command) {
                Ok(false) => continue,
                Err(kind) => search.steps.steps.push(failed(actor, partner, kind, edge)),
                Ok(true) => {
                    let mut effect = self.effect(sender.state.clone(), pid, false, edge);
                    effect.offer = Some(offer);
                    effect.violations.clone_from(&sender.violations);
                    search.steps.steps.push(self.finish(effect, actor, partner, edge, moved));
                }
            }
            (moved, escape) = (true, edge.escape);
        }
    }

    fn effect<'b>(&'b self, state: State, pid: usize, timeout: bool, edge: &Edge) -> Effect<'b> {
        Effect {
            interpreter: self,
            state,
            pid,
            timeout,
            offer: None,
            source: edge.source,
            violations: Vec::new(),
            output: String::new(),
        }
    }

    /// Carries out the command of an edge and moves the process along it.
    fn finish(
        &self,
        mut effect: Effect<'_>,
        actor: Move,
        partner: Option<Move>,
        edge: &Edge,
        moved: bool,
    ) -> Step {
        let pid = effect.pid;
        let deterministic = self.proctype(&effect.state.processes[pid]).deterministic;
        let unwatched = matches!(edge.command, Command::Else | Command::Skip | Command::DStep(_));
        if deterministic && moved && !unwatched {
            effect.note(ViolationKind::NonDeterminism);
        }
        let result = effect.perform(&edge.command);
        let next = match result {
            Ok(()) => {
                self.arrive(&mut effect.state, pid, edge);
                let control = if edge.atomic { Control::Atomic(pid) } else { Control::Free };
                Some((effect.state, control))
            }
            Err(kind) => {
                effect.violations.push(Violation { kind, source: effect.source });
                None
            }
        };
        Step { actor, partner, next, violations: effect.violations, output: effect.output }
    }

    fn arrive(&self, state: &mut State, pid: usize, edge: &Edge) {
        for &cell in &edge.resets {
            let base = state.processes[pid].base;
            state.cells[(base + cell) as usize] = 0;
        }
        if let Some(target) = edge.target {
            state.processes[pid].location = target;
        }
        if self.system.uses_last {
            state.last = pid as u32;
        }
    }

    /// Whether priorities and the `provided` clause let a process move.
    fn may_move(&self, state: &State, pid: usize, violations: &mut Vec<Violation>) -> bool {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        let view = self.view(state, pid, &runs, &notes);
        let provided = |pid: usize| match &self.proctype(&state.processes[pid]).provided {
            Some(condition) => view.of(pid).holds(condition),
            None => Ok(true),
        };
        let outranked = || {
            for (other, process) in state.processes.iter().enumerate() {
                if process.priority > state.processes[pid].priority
                    && provided(other)?
                    && view.enabled(other as i32)?
                {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let allowed =
            provided(pid).and_then(|yes| Ok(yes && !(self.system.uses_priority && outranked()?)));
        allowed.unwrap_or_else(|kind: ViolationKind| {
            let source = self.proctype(&state.processes[pid]).source;
            violations.push(Violation { kind, source });
            false
        })
    }
}

fn failed(actor: Move, partner: Option<Move>, kind: ViolationKind, edge: &Edge) -> Step {
    let violations = vec![Violation { kind, source: edge.source }];
    Step { actor, partner, next: None, violations, output: String::new() }
}
