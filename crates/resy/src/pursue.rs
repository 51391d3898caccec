//! From a violation of a generated model to a run of the model itself.
//!
//! With the requirement in the module's place the verdict is the same, but the runs are not. The run of
//! the generated model is followed in the model itself as far as possible: a step of the environment is
//! the same statement, and a step of the module is any that has the same effect on what is shared. Then
//! a search continues from the states along the way, the last ones first, and finally from the initial state.
//! What is returned has been carried out in the model.

use crate::control::Control;
use crate::counterexample::{Candidate, Counterexample, violation};
use crate::model::Model;
use resy_engine::search::{self, Limits, Replay, Task, execute, replay_while};
use resy_system::{Command, Control as Hold, Interpreter, Move, State, Step, Steps, System};
use std::collections::{HashSet, VecDeque};

/// How many states of the model may correspond to one of the trail.
const MAX_WIDTH: usize = 256;

/// How many states are searched from each place of the trail, in two attempts.
const ATTEMPTS: [usize; 2] = [500, 20_000];

/// How many states are searched from all places together.
const MAX_SEARCHED: usize = 200_000;

/// What is known of a violation.
pub struct Clue<'a> {
    /// The generated model.
    pub generated: &'a System,
    /// Its run to the violation, as far as it is known.
    pub run: Vec<Replay>,
    /// The processes of the module, whose bodies differ there.
    pub module: Vec<usize>,
    /// The global cells that are not the module's own.
    pub cells: Vec<usize>,
    /// The global channels that are not the module's own.
    pub channels: Vec<usize>,
}

/// A run of the model that violates one of its properties. `None` if there is none, or if a limit
/// came first.
pub fn pursue(model: &Model, clue: &Clue<'_>, control: &Control) -> Option<Counterexample> {
    let interpreter = model.interpreter()?;
    let mut pursuit = Pursuit { model, interpreter, clue, nodes: Vec::new() };
    let layers = pursuit.follow(&clue.seen());
    let mut searched = 0;
    for most in ATTEMPTS {
        for layer in layers.iter().rev() {
            if searched > MAX_SEARCHED || !control.may_go_on() {
                break;
            }
            let (found, n_states) = pursuit.search(layer, most);
            if found.is_some() {
                return found;
            }
            searched += n_states;
        }
    }
    search_all(model, control)
}

/// The steps that are possible now. Losing control inside an `atomic` is not a step.
pub fn choices(interpreter: &Interpreter<'_>, state: &State, hold: &mut Hold) -> Vec<Step> {
    let Steps { steps, .. } = interpreter.steps(state, *hold);
    if steps.is_empty() && *hold != Hold::Free {
        *hold = Hold::Free;
        return interpreter.steps(state, Hold::Free).steps;
    }
    steps
}

impl<'a> Clue<'a> {
    /// The clue in which no process is the module's and everything global is shared.
    pub fn of_globals(system: &System, generated: &'a System, run: Vec<Replay>) -> Self {
        let n_channels = resy_system::channels_of(&system.globals).count();
        let cells = (0..system.globals.cells.len()).collect();
        Self { generated, run, module: Vec::new(), cells, channels: (0..n_channels).collect() }
    }

    /// The steps of the run, each with what is not the module's after it.
    fn seen(&self) -> Vec<(&Replay, Vec<i32>)> {
        let seen_after = |replay| {
            let Replay { step, .. }: &Replay = replay;
            let (after, _) = step.next.as_ref()?;
            Some((replay, self.look(self.generated, after)))
        };
        self.run.iter().map_while(seen_after).collect()
    }

    /// What does not belong to the module, in a state.
    fn look(&self, system: &System, state: &State) -> Vec<i32> {
        let globals = state.globals(system);
        let mut seen: Vec<i32> = self.cells.iter().map(|&cell| globals[cell]).collect();
        for &chan in &self.channels {
            let messages = state.messages(system, chan);
            seen.push(messages.len() as i32);
            messages.into_iter().for_each(|message| seen.extend(message));
        }
        for (pid, process) in state.processes().iter().enumerate() {
            let edges = &system.proctypes[process.proctype].edges[process.location];
            // Whoever stands at its end is as good as dead: a process in the way may live on.
            let ended = edges.iter().all(|edge| matches!(edge.command, Command::Exit));
            if !self.module.contains(&pid) && !ended {
                seen.extend([pid as i32, resy_index::Id::index(process.location) as i32]);
                seen.extend(state.locals(system, pid));
            }
        }
        seen
    }

    fn is_module(&self, m: Move) -> bool {
        self.module.contains(&m.pid)
    }

    /// Whether only the module takes part in a step.
    fn is_inside(&self, step: &Step) -> bool {
        self.is_module(step.actor) && step.partner.is_none_or(|partner| self.is_module(partner))
    }
}

/// A state of the model, and how it was reached.
#[derive(Clone)]
struct Node {
    state: State,
    hold: Hold,
    /// What the claims have seen.
    sets: Vec<u64>,
    /// The node before, and the moves from there.
    way: Option<(usize, (Move, Option<Move>))>,
}

struct Pursuit<'a> {
    model: &'a Model,
    interpreter: Interpreter<'a>,
    clue: &'a Clue<'a>,
    nodes: Vec<Node>,
}

impl Pursuit<'_> {
    /// For each step of the trail the states of the model that correspond to the state after it.
    fn follow(&mut self, run: &[(&Replay, Vec<i32>)]) -> Vec<Vec<usize>> {
        let Ok(state) = self.interpreter.initial() else { return Vec::new() };
        let sets = self.model.selection.monitors.initial();
        let mut first = Node { state, hold: Hold::Free, sets, way: None };
        self.watch(&mut first);
        self.nodes.push(first);
        let mut layers = vec![self.with_inner_steps(vec![0])];
        for (replay, target) in run {
            let mut next = Vec::new();
            let mut known = HashSet::new();
            for &node in layers.last().into_iter().flatten() {
                for found in self.same_step(node, replay, target) {
                    let Node { state, hold, .. } = &self.nodes[found];
                    if next.len() < MAX_WIDTH && known.insert((state.clone(), *hold)) {
                        next.push(found);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layers.push(self.with_inner_steps(next));
        }
        layers
    }

    /// The states after a step of the model that does what a step of the trail does.
    fn same_step(&mut self, from: usize, replay: &Replay, target: &[i32]) -> Vec<usize> {
        let mut found = Vec::new();
        let inside = self.clue.is_inside(&replay.step);
        if inside && self.look(from) == target {
            found.push(from);
        }
        let (mut todo, mut n_tried) = (VecDeque::from([from]), 0);
        while let Some(at) = todo.pop_front() {
            n_tried += 1;
            for step in self.steps(at) {
                let own = self.clue.is_inside(&step);
                if own != inside || !own && step.actor.pid != replay.step.actor.pid {
                    continue;
                }
                let Some(next) = self.take(at, &step) else { continue };
                // A module that keeps control has not yet done what it does in one step.
                let goes_on = matches!(self.nodes[next].hold, Hold::Atomic(pid) if self.clue.module.contains(&pid));
                if self.look(next) == target {
                    found.push(next);
                }
                if goes_on && n_tried < MAX_WIDTH {
                    todo.push_back(next);
                }
            }
        }
        found
    }

    /// The same states, and those that the module can reach unseen.
    fn with_inner_steps(&mut self, mut layer: Vec<usize>) -> Vec<usize> {
        let known = layer.iter().map(|&node| self.nodes[node].state.clone());
        let mut known: HashSet<State> = known.collect();
        let mut next = 0;
        while next < layer.len() && layer.len() < MAX_WIDTH {
            let at = layer[next];
            next += 1;
            if self.nodes[at].hold != Hold::Free {
                continue;
            }
            let before = self.look(at);
            for step in self.steps(at).into_iter().filter(|step| self.clue.is_inside(step)) {
                if let Some(node) = self.take(at, &step)
                    && self.look(node) == before
                    && known.insert(self.nodes[node].state.clone())
                {
                    layer.push(node);
                }
            }
        }
        layer
    }

    /// Searches on from some states, up to a number of them; says how many there were.
    fn search(&mut self, from: &[usize], most: usize) -> (Option<Counterexample>, usize) {
        let n_before = self.nodes.len();
        let mut todo: VecDeque<usize> = from.iter().copied().collect();
        let mut known: HashSet<(State, Hold, Vec<u64>)> = HashSet::new();
        while let Some(at) = todo.pop_front() {
            if known.len() >= most {
                break;
            }
            for step in self.steps(at) {
                let moves = (step.actor, step.partner);
                let wrong = !step.violations.is_empty();
                let next = self.take(at, &step);
                let wrong = wrong || next.is_some_and(|next| self.is_bad(next));
                if wrong && let Some(run) = self.confirm(at, moves) {
                    return (Some(run), known.len());
                }
                if let Some(next) = next {
                    let Node { state, hold, sets, .. } = self.nodes[next].clone();
                    if known.insert((state, hold, sets)) {
                        todo.push_back(next);
                    }
                }
            }
        }
        let n_known = known.len();
        self.nodes.truncate(n_before);
        (None, n_known)
    }

    /// Carries out the way to a node, and a step from there, from the beginning.
    fn confirm(&self, node: usize, last: (Move, Option<Move>)) -> Option<Counterexample> {
        let mut moves = vec![last];
        let mut at = node;
        while let Some((before, way)) = self.nodes[at].way {
            moves.push(way);
            at = before;
        }
        moves.reverse();
        let run = execute(&self.interpreter, &moves);
        let properties = &self.model.selection.properties;
        Candidate::of_program(self.model, properties, run).replay().ok()
    }

    fn steps(&mut self, at: usize) -> Vec<Step> {
        let node = &mut self.nodes[at];
        choices(&self.interpreter, &node.state, &mut node.hold)
    }

    fn take(&mut self, at: usize, step: &Step) -> Option<usize> {
        let (state, hold) = step.next.clone()?;
        let sets = self.nodes[at].sets.clone();
        let way = Some((at, (step.actor, step.partner)));
        let mut node = Node { state, hold, sets, way };
        self.watch(&mut node);
        self.nodes.push(node);
        Some(self.nodes.len() - 1)
    }

    /// Shows a state to the claims, if it is one that is stored.
    fn watch(&self, node: &mut Node) {
        let stored = node.hold == Hold::Free
            || self.interpreter.steps(&node.state, node.hold).steps.is_empty();
        if stored {
            // A condition without a value is a violation of its own, which is found later.
            let monitors = &self.model.selection.monitors;
            let _ = monitors.step(&self.interpreter, &node.state, &mut node.sets);
        }
    }

    fn is_bad(&self, node: usize) -> bool {
        self.model.selection.monitors.bad(&self.nodes[node].sets).next().is_some()
    }

    fn look(&self, node: usize) -> Vec<i32> {
        self.clue.look(self.interpreter.system(), &self.nodes[node].state)
    }
}

/// Searches the whole model.
fn search_all(model: &Model, control: &Control) -> Option<Counterexample> {
    let interpreter = model.interpreter()?;
    let properties = &model.selection.properties;
    let may_go_on = || control.may_go_on();
    let limits = Limits {
        timeout: control.left(),
        memory: control.memory(),
        first_violation: true,
        transitions: None,
        interrupt: Some(control.stop_flag()),
        goes_on: control.has_condition().then_some(&may_go_on as _),
        progress: None,
    };
    let task = Task::new(model.reduced())
        .options(model.options)
        .monitors(model.selection.monitors.clone())
        .asked(properties)
        .claims_only(model.selection.claims_only())
        .limits(limits);
    let found = search::search(&task).ok()?;
    let (property, finding) = properties.iter().find_map(|p| Some((p, violation(&found, p)?)))?;
    let go_on = &mut control.replaying();
    let steps = replay_while(&interpreter, &task, &found, finding, go_on)?;
    Candidate::of_program(model, std::slice::from_ref(property), steps).replay_while(go_on)?.ok()
}
