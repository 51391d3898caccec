//! A run that the client chooses step by step.
//!
//! The steps so far are a recording as any other, so that a debugger goes back in it. A step that the recording does not
//! have is taken here: what came after the place is forgotten, and a session with the longer run begins.

use super::Wire;
use super::recording::Halt;
use super::session::{Marks, Session};
use resy::{Interpreter, Moment, Options, Replay, Simulation, Step, System};
use resy_export::run::{Run, ViolatedProperty, changes_between, process_name};
use serde_json::{Value, json};
use std::cell::RefCell;

/// `continue` takes this many steps at most.
const MAX_STEPS: usize = 10_000;

/// A request for a step that the run does not have.
pub(super) struct Beyond {
    pub wish: Wish,
    /// The number of steps after which it is taken.
    pub at: usize,
    /// The number of steps when the client asked.
    pub before: usize,
    pub request: Value,
}

/// Which step is wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// The one with this number among those that are possible.
    Choice(usize),
    /// One of a process; of another, if that cannot move.
    Of(usize),
    /// One of a process, and of no other.
    Only(usize),
    /// Steps at random, until something stops the run.
    Run,
}

/// What a session knows of the steps that are possible at each place of a run.
pub(super) trait PossibleSteps {
    /// Whether a step can follow the last one. A run ends with a violation.
    fn is_open(&self) -> bool;

    /// The possible steps after some steps as a client shows them, those of a process first.
    fn targets(&self, n_steps: usize, pid: Option<usize>) -> Vec<Value>;
}

/// The steps that are possible at each place of a run.
struct Choices<'a, 's> {
    simulation: &'a RefCell<Simulation<'s>>,
    /// The places after which a step is possible: a step that failed has none behind it.
    moments: &'a [Moment],
    n_steps: usize,
}

impl Choices<'_, '_> {
    /// The possible steps after some steps.
    fn at(&self, n_steps: usize) -> Vec<Step> {
        let Some(moment) = self.moments.get(n_steps) else { return Vec::new() };
        let mut simulation = self.simulation.borrow_mut();
        simulation.return_to(moment);
        simulation.choices()
    }
}

impl PossibleSteps for Choices<'_, '_> {
    fn is_open(&self) -> bool {
        let is_violated = self.moments.last().is_some_and(|last| {
            let mut simulation = self.simulation.borrow_mut();
            simulation.return_to(last);
            simulation.is_violated()
        });
        !is_violated && !self.at(self.n_steps).is_empty()
    }

    fn targets(&self, n_steps: usize, pid: Option<usize>) -> Vec<Value> {
        let steps = self.at(n_steps);
        let simulation = self.simulation.borrow();
        let (interpreter, state) = (simulation.interpreter(), simulation.state());
        let system = interpreter.system();
        let target = |(id, step): (usize, &Step)| {
            let edge = interpreter.edge(state, step.actor);
            let mut label =
                format!("{}: {}", process_name(system, state, step.actor.pid), edge.text);
            if let Some(partner) = step.partner {
                let name = process_name(system, state, partner.pid);
                label += &format!(" → {name}: {}", interpreter.edge(state, partner).text);
            }
            let at = edge.source;
            json!({ "id": id, "label": label, "line": at.line, "column": at.column.max(1) })
        };
        let all = || steps.iter().enumerate();
        let is_own = |step: &Step| takes_part(step, pid);
        let own = all().filter(|(_, step)| is_own(step)).map(target);
        own.chain(all().filter(|(_, step)| !is_own(step)).map(target)).collect()
    }
}

fn takes_part(step: &Step, pid: Option<usize>) -> bool {
    pid == Some(step.actor.pid) || step.partner.is_some_and(|p| pid == Some(p.pid))
}

/// Lets the client choose the steps of a run.
pub(super) fn simulate(
    wire: &mut Wire<'_>,
    request: &Value,
    system: &System,
) -> Result<(), String> {
    let interpreter = Interpreter::new(system, Options::default());
    let simulation = RefCell::new(Simulation::new(system, Options::default())?);
    let mut walk = Walk { moments: vec![simulation.borrow().moment()], steps: Vec::new() };
    let mut marks = Marks::default();
    let mut pending: Option<(Beyond, Halt)> = None;
    wire.answer(request, Value::Null);
    wire.event("initialized", json!({}));
    loop {
        let choices =
            Choices { simulation: &simulation, moments: &walk.moments, n_steps: walk.steps.len() };
        let why = walk.ending(&interpreter, &choices);
        let pairs = walk.steps.iter().map(|replay| (&replay.before, &replay.step));
        let run = Run::new(&interpreter, pairs, why).ok_or("there is no initial state")?;
        let is_open = choices.is_open();
        let mut session = Session::simulated(&run, &choices, marks);
        if let Some((beyond, halt)) = pending.take() {
            wire.answer(&beyond.request, json!({ "allThreadsContinued": true }));
            let halt = if is_open { halt } else { Halt::End };
            let thread = beyond.request["arguments"]["threadId"].as_u64();
            let life = thread.and_then(|id| (id as usize).checked_sub(1));
            session.tell(wire, &halt, beyond.before, life);
        }
        let Some(beyond) = session.serve(wire) else { return Ok(()) };
        let pid_of = |life: usize| run.lives.get(life).map(|life| life.pid);
        let wish = beyond.wish;
        let pid = match wish {
            Wish::Of(life) | Wish::Only(life) => pid_of(life),
            _ => None,
        };
        marks = session.into_marks();
        drop(run);
        let halt = walk.go(&simulation, &interpreter, &beyond, pid, &marks);
        pending = Some((beyond, halt));
    }
}

/// The steps so far, and the places before and after them.
struct Walk {
    moments: Vec<Moment>,
    steps: Vec<Replay>,
}

impl Walk {
    /// Takes the steps that are wanted; why it stops then.
    fn go(
        &mut self,
        simulation: &RefCell<Simulation<'_>>,
        interpreter: &Interpreter<'_>,
        beyond: &Beyond,
        pid: Option<usize>,
        marks: &Marks,
    ) -> Halt {
        let simulation = &mut *simulation.borrow_mut();
        let Some(moment) = self.moments.get(beyond.at) else { return Halt::End };
        simulation.return_to(moment);
        let steps = simulation.choices();
        let own = steps.iter().position(|step| takes_part(step, pid));
        let chosen = match beyond.wish {
            Wish::Choice(number) => Some(number).filter(|n| *n < steps.len()),
            Wish::Only(_) => own,
            Wish::Of(_) => own.or((!steps.is_empty()).then_some(0)),
            Wish::Run => return self.run(simulation, interpreter, beyond.at, marks),
        };
        match chosen.and_then(|n| steps.into_iter().nth(n)) {
            Some(step) => {
                self.take(simulation, beyond.at, step);
                Halt::Step
            }
            None => Halt::Blocked,
        }
    }

    /// Takes steps at random until a mark, a violation or the end; the same steps each time.
    fn run(
        &mut self,
        simulation: &mut Simulation<'_>,
        interpreter: &Interpreter<'_>,
        from: usize,
        marks: &Marks,
    ) -> Halt {
        let system = interpreter.system();
        for at in from..from + MAX_STEPS {
            let mut steps = simulation.choices();
            if steps.is_empty() || simulation.is_violated() {
                return Halt::End;
            }
            let step = steps.swap_remove(scattered(at) % steps.len());
            let place = interpreter.edge(simulation.state(), step.actor).source;
            if at > from && marks.lines.contains(&(place.file, place.line)) {
                return Halt::Line;
            }
            let before = simulation.state().clone();
            self.take(simulation, at, step);
            let changes = changes_between(system, &before, simulation.state());
            let is_watched = |name: &String| {
                let whole = name.split('[').next().unwrap_or(name);
                marks.watched.contains(name) || marks.watched.contains(whole)
            };
            if let Some(name) = changes.into_iter().map(|(name, _)| name).find(is_watched) {
                return Halt::Changed(name);
            }
            if self.moments.len() <= self.steps.len() {
                return Halt::End;
            }
        }
        Halt::Step
    }

    /// Takes a step after this many; what came after them is forgotten.
    fn take(&mut self, simulation: &mut Simulation<'_>, at: usize, step: Step) {
        self.steps.truncate(at);
        self.moments.truncate(at + 1);
        let before = simulation.state().clone();
        self.steps.push(Replay { before, step: step.clone() });
        if simulation.take(step) {
            self.moments.push(simulation.moment());
        }
    }

    /// How the run ends, if it cannot go on.
    fn ending(&self, interpreter: &Interpreter<'_>, choices: &Choices<'_, '_>) -> ViolatedProperty {
        let last = self.steps.last().and_then(|replay| replay.step.violations.last());
        let reason = match last {
            Some(violation) => {
                let place = interpreter.system().location(violation.source);
                format!("{} at {place}", violation.kind)
            }
            None if choices.simulation.borrow_mut().is_stuck() => "invalid end state".to_owned(),
            None => "no process can move".to_owned(),
        };
        ViolatedProperty { property: "simulation".to_owned(), kind: String::new(), reason }
    }
}

/// A number that looks random, and is the same for the same number (SplitMix).
fn scattered(number: usize) -> usize {
    let mut z = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 33) as usize
}
