//! A run, as it is shown to people and to other programs.
//!
//! A [`Run`] is made once from the steps that were carried out, and everything that shows a run is a
//! function of it: [table](Run::table), [chart](Chart), picture, [trail](Run::trail), and the formats of other tools.

mod chart;
mod fold;
mod itf;
mod json;
mod listener;
mod messages;
mod sarif;
mod table;
mod values;

pub use chart::{Chart, ChartMark, ChartRow, Glyphs, Lifeline};
pub use fold::{FoldSegment, fold, unfold};
pub use messages::{Passage, Passing};
pub use sarif::{Level, SarifFinding, Site, sarif};
pub use values::{all as values_of, changes as changes_between, process_name, text as value_text};

use crate::spin::{Trail, TrailLine};
use messages::Queues;
use resy_system::{Interpreter, Move, SourcePlace, State, Step, System};
use serde_json::Value;
use std::borrow::Cow;

/// A run with all that there is to show of it.
pub struct Run<'a> {
    /// The system that runs.
    pub system: &'a System,
    /// Why it is shown.
    pub why: ViolatedProperty,
    /// The processes that live in it, in the order of their births.
    pub lives: Vec<Life>,
    /// The steps.
    pub events: Vec<Event>,
    /// The state at the start, and after each step that left one.
    states: Vec<Cow<'a, State>>,
    /// The file of all steps, if it is only one.
    only_file: Option<u32>,
}

/// Why a run is shown: the property that it violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolatedProperty {
    /// The name of the property.
    pub property: String,
    /// Its kind: `assertion`, `end-state`, …
    pub kind: String,
    /// What is wrong, in words.
    pub reason: String,
}

/// The life of a process. A pid may be given anew after a death.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub proctype: String,
    /// Its name for people: proctype and pid, and which life it is if there was one before.
    pub name: String,
    /// It begins after so many steps.
    pub born: usize,
}

/// A step of a run.
#[derive(Clone, Debug)]
pub struct Event {
    /// Who moves; in a rendezvous, the sender.
    pub actor: Act,
    /// The receiver of a rendezvous.
    pub partner: Option<Act>,
    /// The messages that are sent and received.
    pub passings: Vec<Passing>,
    /// What is printed.
    pub output: String,
    /// What goes wrong, and where.
    pub violations: Vec<(String, SourcePlace)>,
}

/// What one process does in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Which of the lives.
    pub life: usize,
    /// The statement.
    pub statement: String,
    /// Where it stands.
    pub place: SourcePlace,
    /// Spin's number of the statement.
    pub id: u32,
}

/// Where a process stands: the line, and the statements there.
pub struct Standing {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// Where.
    pub place: SourcePlace,
    /// What it could do, were it possible.
    pub statements: Vec<String>,
}

impl<'a> Run<'a> {
    /// The run of these steps, each with the state before it; none if there is no first state.
    pub fn new(
        interpreter: &Interpreter<'a>,
        steps: impl IntoIterator<Item = (&'a State, &'a Step)>,
        why: ViolatedProperty,
    ) -> Option<Self> {
        let system = interpreter.system();
        let initial = interpreter.initial().ok()?;
        let (lives, events, states) = (Vec::new(), Vec::new(), Vec::new());
        let mut run = Self { system, why, lives, events, states, only_file: None };
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

    /// What is done, by one process after the other.
    pub fn acts(&self) -> impl Iterator<Item = &Act> {
        self.events.iter().flat_map(|event| [&event.actor].into_iter().chain(&event.partner))
    }

    /// Only the youngest process can die, so that those who live are a stack.
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

    /// The state after so many steps; a step that failed for good left none.
    pub fn state(&self, n_steps: usize) -> Option<&State> {
        self.states.get(n_steps).map(Cow::as_ref)
    }

    /// The last state: after the last step, or before it if that failed for good.
    pub fn last_state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Whether the last step failed for good.
    pub fn is_wrecked(&self) -> bool {
        self.states.len() <= self.events.len()
    }

    /// What a step changed: the names of variables and channels, with their new values.
    pub fn changes(&self, event: usize) -> Vec<(String, Value)> {
        self.changes_over(event..event + 1)
    }

    /// What some steps changed together.
    pub fn changes_over(&self, events: std::ops::Range<usize>) -> Vec<(String, Value)> {
        match (self.state(events.start), self.state(events.end)) {
            (Some(before), Some(after)) => values::changes(self.system, before, after),
            _ => Vec::new(),
        }
    }

    /// The life of who does something.
    pub fn life(&self, act: &Act) -> &Life {
        &self.lives[act.life]
    }

    /// The processes that are in no valid end, in the last state.
    pub fn stuck(&self) -> Vec<Standing> {
        let state = self.last_state();
        let is_stuck = |pid: &usize| {
            let process = &state.processes()[*pid];
            !self.system.proctypes[process.proctype].end_locations[process.location]
        };
        let stuck = (0..state.processes().len()).filter(is_stuck);
        stuck.map(|pid| standing(self.system, state, pid)).collect()
    }

    /// The place to look at first: where it goes wrong, where a process is stuck, or else the last step.
    pub fn blame(&self) -> SourcePlace {
        let last = self.events.last();
        let stuck = || self.stuck().first().map(|standing| standing.place);
        let violated = || last.and_then(|event| event.violations.last()).map(|(_, place)| *place);
        let place = if self.why.kind == "end-state" { stuck() } else { violated() };
        place.or_else(|| last.map(|event| event.actor.place)).unwrap_or_default()
    }

    /// The run as a spin trail.
    pub fn trail(&self) -> Trail {
        let lines = self.acts().map(|act| TrailLine { pid: self.life(act).pid, statement: act.id });
        Trail { lines: lines.collect(), with_claim: false }
    }
}

/// Where a process stands in a state.
pub fn standing(system: &System, state: &State, pid: usize) -> Standing {
    let process = &state.processes()[pid];
    let proctype = &system.proctypes[process.proctype];
    let edges = &proctype.edges[process.location];
    let mut statements: Vec<String> = edges.iter().map(|e| e.text.clone()).collect();
    statements.dedup();
    let place = edges.first().map(|e| e.source).unwrap_or_default();
    Standing { pid, process: proctype.name.clone(), place, statements }
}
