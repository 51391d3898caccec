//! An executed run, as people and other programs read it.
//!
//! A [`Run`] is built once from executed steps. Everything that shows a run is a function of it:
//! [table](Run::table), [chart](Chart), picture, [trail](Run::trail), and the formats of other tools.

mod chart;
mod fold;
mod itf;
mod json;
mod lasso;
mod listener;
mod messages;
mod network;
mod reads;
mod sarif;
mod show;
mod table;
mod values;

pub use chart::{Chart, ChartMark, ChartRow, EndlessRows, Glyphs, Lifeline};
pub use fold::{FoldSegment, fold, unfold};
pub use messages::{Passage, Passing};
pub use network::{network_finding, network_run_json, network_run_lines};
pub use sarif::{Level, SarifFinding, Site, sarif};
pub use show::{run_of, state_lines, step_line, step_names, steps_json};
pub use values::{
    ScopedValue, all as values_of, changes as changes_between, process_name,
    scoped as scoped_values_of, text as value_text,
};

use crate::spin::{Trail, TrailLine};
use messages::Queues;
use resy_system::{Interpreter, Move, SourcePlace, State, Step, System};
use serde_json::Value;
use std::borrow::Cow;

/// A run with everything that is shown of it.
pub struct Run<'a> {
    /// The system that was executed.
    pub system: &'a System,
    /// The property that the run violates.
    pub why: ViolatedProperty,
    /// The processes, in the order of their creation.
    pub lives: Vec<Life>,
    /// The steps.
    pub events: Vec<Event>,
    /// The number of steps before those that are repeated for ever, if the run is infinite.
    pub loop_start: Option<usize>,
    /// Why the loop is fair to each process, in words.
    pub fair: Vec<String>,
    /// The initial state, and the state after each step that has one.
    states: Vec<Cow<'a, State>>,
    /// The file of all statements, if there is only one.
    only_file: Option<u32>,
}

/// The property that a run violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolatedProperty {
    /// The name of the property.
    pub property: String,
    /// Its kind: `assertion`, `end-state`, …
    pub kind: String,
    /// The description of the violation.
    pub reason: String,
}

/// The lifetime of a process. A pid may be reused after its process has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// The pid.
    pub pid: usize,
    /// Its proctype.
    pub proctype: String,
    /// The name for people: proctype and pid, and a number if the pid is reused.
    pub name: String,
    /// The number of steps before its creation.
    pub born: usize,
}

/// A step of a run.
#[derive(Clone, Debug)]
pub struct Event {
    /// The process that moves; in a rendezvous, the sender.
    pub actor: Act,
    /// The receiver of a rendezvous.
    pub partner: Option<Act>,
    /// The messages that are sent and received.
    pub passings: Vec<Passing>,
    /// The shared variables that the statement reads, with their values.
    pub reads: Vec<(String, Value)>,
    /// The output of the step.
    pub output: String,
    /// The violations of the step, with their locations.
    pub violations: Vec<(String, SourcePlace)>,
}

/// What one process does in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The index of the process in [`Run::lives`].
    pub life: usize,
    /// The statement.
    pub statement: String,
    /// The location of the statement.
    pub place: SourcePlace,
    /// Spin's number of the statement.
    pub id: u32,
}

/// The location of a process, and the statements there.
pub struct Standing {
    /// The pid.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// The location.
    pub place: SourcePlace,
    /// The statements at the location, whether enabled or not.
    pub statements: Vec<String>,
}

impl<'a> Run<'a> {
    /// The run of these steps, each with the state before it; `None` if there is no initial state.
    pub fn new(
        interpreter: &Interpreter<'a>,
        steps: impl IntoIterator<Item = (&'a State, &'a Step)>,
        why: ViolatedProperty,
    ) -> Option<Self> {
        let system = interpreter.system();
        let initial = interpreter.initial().ok()?;
        let (lives, events, states) = (Vec::new(), Vec::new(), Vec::new());
        let mut run = Self {
            system,
            why,
            lives,
            events,
            loop_start: None,
            fair: Vec::new(),
            states,
            only_file: None,
        };
        let mut alive = Vec::new();
        run.note_births(&initial, &mut alive);
        run.states.push(Cow::Owned(initial));
        let mut queues = Queues::default();
        for (before, step) in steps {
            let act = |m: Move| {
                let edge = interpreter.edge(before, m);
                let (statement, place, id) = (edge.text.clone(), edge.source, edge.id);
                Act { life: alive[m.pid], statement, place, id }
            };
            let violations = step.violations.iter();
            let event = Event {
                actor: act(step.actor),
                partner: step.partner.map(act),
                passings: queues.follow(interpreter, &mut run.events, before, step),
                reads: reads::shared(interpreter, before, step.actor),
                output: step.output.clone(),
                violations: violations.map(|v| (v.kind.to_string(), v.source)).collect(),
            };
            run.events.push(event);
            let Some((after, _)) = &step.next else { break };
            run.note_births(after, &mut alive);
            run.states.push(Cow::Borrowed(after));
        }
        let first = run.acts().next().map(|act| act.place.file);
        run.only_file = first.filter(|first| run.acts().all(|act| act.place.file == *first));
        Some(run)
    }

    /// The acts of all steps, in order.
    pub fn acts(&self) -> impl Iterator<Item = &Act> {
        self.events.iter().flat_map(|event| [&event.actor].into_iter().chain(&event.partner))
    }

    /// Only the youngest process can end, so that the living processes form a stack.
    fn note_births(&mut self, state: &State, alive: &mut Vec<usize>) {
        alive.truncate(state.processes().len());
        for pid in alive.len()..state.processes().len() {
            let mut name = process_name(self.system, state, pid);
            let proctype = self.system.proctypes[state.processes()[pid].proctype].name.clone();
            let is_like = |life: &&Life| life.pid == pid && life.proctype == proctype;
            match self.lives.iter().filter(is_like).count() {
                0 => {}
                n => name = format!("{name}/{}", n + 1),
            }
            alive.push(self.lives.len());
            self.lives.push(Life { pid, proctype, name, born: self.events.len() });
        }
    }

    /// The state after this many steps; `None` after a step that failed and has no successor state.
    pub fn state(&self, n_steps: usize) -> Option<&State> {
        self.states.get(n_steps).map(Cow::as_ref)
    }

    /// The last state: after the last step, or before it if that step has no successor state.
    pub fn last_state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Whether the last step failed and has no successor state.
    pub fn is_wrecked(&self) -> bool {
        self.states.len() <= self.events.len()
    }

    /// The changes of a step: names of variables and channels, with their new values.
    pub fn changes(&self, event: usize) -> Vec<(String, Value)> {
        self.changes_over(event..event + 1)
    }

    /// The combined changes of several steps.
    pub fn changes_over(&self, events: std::ops::Range<usize>) -> Vec<(String, Value)> {
        match (self.state(events.start), self.state(events.end)) {
            (Some(before), Some(after)) => values::changes(self.system, before, after),
            _ => Vec::new(),
        }
    }

    /// The process of an act.
    pub fn life(&self, act: &Act) -> &Life {
        &self.lives[act.life]
    }

    /// The processes that are not at a valid end in the last state.
    pub fn stuck(&self) -> Vec<Standing> {
        let state = self.last_state();
        let is_stuck = |pid: &usize| {
            let process = &state.processes()[*pid];
            !self.system.proctypes[process.proctype].end_locations[process.location]
        };
        let stuck = (0..state.processes().len()).filter(is_stuck);
        stuck.map(|pid| standing(self.system, state, pid)).collect()
    }

    /// The most relevant location: of the violation, of the first blocked process, or else of the last
    /// step.
    pub fn blame(&self) -> SourcePlace {
        let last = self.events.last();
        let stuck = || self.stuck().first().map(|standing| standing.place);
        let violated = || last.and_then(|event| event.violations.last()).map(|(_, place)| *place);
        let place = if self.why.kind == "end-state" { stuck() } else { violated() };
        place.or_else(|| last.map(|event| event.actor.place)).unwrap_or_default()
    }

    /// The run as a spin trail.
    pub fn trail(&self) -> Trail {
        let line = |act: &Act| TrailLine { pid: self.life(act).pid, statement: act.id };
        let n_lines = |event: &Event| 1 + usize::from(event.partner.is_some());
        let cycle = self.loop_start.map(|start| self.events[..start].iter().map(n_lines).sum());
        Trail { lines: self.acts().map(line).collect(), cycle, with_claim: false }
    }
}

/// The location of a process in a state.
pub fn standing(system: &System, state: &State, pid: usize) -> Standing {
    let process = &state.processes()[pid];
    let proctype = &system.proctypes[process.proctype];
    let edges = &proctype.edges[process.location];
    let mut statements: Vec<String> = edges.iter().map(|e| e.text.clone()).collect();
    statements.dedup();
    let place = edges.first().map(|e| e.source).unwrap_or_default();
    Standing { pid, process: proctype.name.clone(), place, statements }
}
