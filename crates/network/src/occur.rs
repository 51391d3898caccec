//! What occurs: the states of a program, if they are few.
//!
//! A component is explored against everything that the others *could* do, and may have far more local states than
//! occur. Where the states of the whole program are few, they are enumerated, and a component is *bounded* by the local
//! states that occur: a step that leads to any other one becomes an error of the network. The product is the same,
//! because the program takes no such step. That it takes none is not believed but proved with the property: a
//! certificate lists the local states, and the monitor of its network has the same errors.
//!
//! Deleting such steps instead would be wrong for requirements: a requirement does more than the module, and may lead
//! the environment to where nothing has been explored.

use crate::cut::uses::written_locals;
use crate::cut::{Cut, PartId, ProcessSlot, Role};
use resy_index::IndexVec;
use resy_index::random::SplitMix;
use resy_system::{Control, Interpreter, ProctypeId, State, channels_of};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The states of a program are given up if there are more, whatever the budget.
const MOST_STATES: usize = 200_000;

/// They are also given up if more cells than this have to be written for each of the states that are permitted. Both are
/// counts, so that a program has the same network everywhere.
const MOST_CELLS: usize = 200;

/// The number of random runs that look for processes, and their length.
const N_RUNS: u64 = 16;
const RUN_LENGTH: usize = 2_000;

/// If there are more places, the number of processes is taken to have no bound.
const MOST_SLOTS: usize = 64;

/// Asking takes as long as a few states.
const ASK_EVERY: usize = 64;

/// The local states of each component that occur; `None` for components that only watch.
pub type Bounds = IndexVec<PartId, Option<FxHashSet<Box<[i32]>>>>;

/// All states of a program between its steps, from this one on, if they are at most so many and `go_on` lets it end.
pub fn occurring(
    interpreter: &Interpreter<'_>,
    initial: State,
    most: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<State>> {
    first_states(interpreter, initial, most, go_on).ok()
}

/// All states of a program, or those that were found before they became too many.
fn first_states(
    interpreter: &Interpreter<'_>,
    initial: State,
    most: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<State>, Vec<State>> {
    let most = most.min(MOST_STATES);
    let mut n_cells = 0;
    let mut seen = FxHashSet::default();
    seen.insert(initial.clone());
    let mut states = vec![initial];
    let mut next = 0;
    while next < states.len() {
        if next.is_multiple_of(ASK_EVERY) && !go_on() {
            return Err(states);
        }
        let state = states[next].clone();
        n_cells += (state.cells().len() + state.processes().len()) * 4;
        for state in successors(interpreter, state) {
            n_cells += state.cells().len() + state.processes().len();
            if seen.insert(state.clone()) {
                states.push(state);
            }
        }
        if states.len() > most || n_cells > most * MOST_CELLS {
            return Err(states);
        }
        next += 1;
    }
    Ok(states)
}

/// A way to enumerate the states of a program that is faster than the interpreter.
pub trait StateSource {
    /// Visits all states of the program between its steps, from this one on; whether these are all. They are not if
    /// they are too many, or if `go_on` cancels. Another call with the same state visits the same ones.
    fn visit(
        &mut self,
        initial: &State,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(State),
    ) -> bool;
}

/// There is no other way.
pub struct NoSource;

impl StateSource for NoSource {
    fn visit(&mut self, _: &State, _: &mut dyn FnMut() -> bool, _: &mut dyn FnMut(State)) -> bool {
        false
    }
}

/// What is known of a program that creates processes after its start.
pub struct LateProcesses {
    /// The places of these processes. `None` if a channel would have no fixed number, or there are too many.
    pub slots: Option<Vec<ProcessSlot>>,
    /// The states of the program.
    pub states: LateStates,
}

/// The states of a program.
pub enum LateStates {
    /// They are few.
    Listed(Vec<State>),
    /// They are many, and the source has all of them.
    InSource,
    /// They are too many.
    TooMany,
}

/// Finds places for processes that are created late: among all states of the program, or if these are too many, among the
/// first ones and along some random runs. Then there may be more processes, which the network shows as errors.
pub fn late_processes(
    interpreter: &Interpreter<'_>,
    initial: &State,
    most: usize,
    source: &mut dyn StateSource,
    go_on: &mut dyn FnMut() -> bool,
) -> LateProcesses {
    let mut states = match first_states(interpreter, initial.clone(), most, go_on) {
        Ok(states) => {
            let slots = slots(interpreter, &states);
            return LateProcesses { slots, states: LateStates::Listed(states) };
        }
        Err(states) => states,
    };
    let mut seen = SeenProcesses::default();
    if source.visit(initial, go_on, &mut |state| seen.add(interpreter, &state)) {
        return LateProcesses { slots: seen.slots(interpreter), states: LateStates::InSource };
    }
    for seed in 0..N_RUNS {
        states.extend(random_run(interpreter, initial.clone(), seed, go_on));
    }
    LateProcesses { slots: slots(interpreter, &states), states: LateStates::TooMany }
}

/// The states of a run whose choices are those of a seed; only states that have a new number of processes.
fn random_run(
    interpreter: &Interpreter<'_>,
    initial: State,
    seed: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<State> {
    let mut random = SplitMix(seed);
    let (mut state, mut found) = (initial, Vec::new());
    let mut n_processes = 0;
    for _ in 0..RUN_LENGTH {
        if n_processes > MOST_SLOTS || !go_on() {
            break;
        }
        let mut next = successors(interpreter, state);
        if next.is_empty() {
            break;
        }
        state = next.swap_remove(random.below(next.len()));
        if state.processes().len() != n_processes {
            n_processes = state.processes().len();
            found.push(state.clone());
        }
    }
    found
}

/// The states after one step; `atomic` blocks are followed to where they end or lose control.
fn successors(interpreter: &Interpreter<'_>, state: State) -> Vec<State> {
    let (mut found, mut inside) = (Vec::new(), FxHashSet::default());
    let mut todo = vec![(state, Control::Free)];
    while let Some((state, control)) = todo.pop() {
        let steps = interpreter.steps(&state, control).steps;
        if control != Control::Free && steps.is_empty() {
            found.push(state);
            continue;
        }
        for (next, control) in steps.into_iter().filter_map(|step| step.next) {
            if control == Control::Free {
                found.push(next);
            } else if inside.insert((next.clone(), control)) {
                todo.push((next, control));
            }
        }
    }
    found
}

/// The local states of the components of a cut in these states of the program.
pub fn bounds(cut: &Cut<'_>, states: &[State]) -> Bounds {
    let mut found = LocalStates::new(cut);
    states.iter().for_each(|state| found.add(state));
    found.bounds()
}

/// The local states of the components of a cut in the states of the program that were visited.
pub struct LocalStates<'c, 'a> {
    cut: &'c Cut<'a>,
    found: Bounds,
}

impl<'c, 'a> LocalStates<'c, 'a> {
    /// No state was visited.
    pub fn new(cut: &'c Cut<'a>) -> Self {
        let watches = |part: PartId| matches!(cut.parts[part].role, Role::Trace | Role::Claim(_));
        let found = cut.parts.ids().map(|part| (!watches(part)).then(FxHashSet::default)).collect();
        Self { cut, found }
    }

    /// Visits a state.
    pub fn add(&mut self, state: &State) {
        for (part, locals) in self.cut.parts.ids().zip(self.found.iter_mut()) {
            let Some(locals) = locals else { continue };
            let local = self.cut.local(part, state);
            if !locals.contains(&local[..]) {
                locals.insert(local.into());
            }
        }
    }

    /// The local states.
    pub fn bounds(self) -> Bounds {
        self.found
    }
}

/// The places for processes, in the order of their pids, as these states show them. A pid may be used again when its
/// process has died. `None` if the number of a channel would depend on the order of creation, or there are very many.
pub fn slots(interpreter: &Interpreter<'_>, states: &[State]) -> Option<Vec<ProcessSlot>> {
    let mut seen = SeenProcesses::default();
    states.iter().for_each(|state| seen.add(interpreter, state));
    seen.slots(interpreter)
}

/// What was seen of the processes of a program, by pid.
#[derive(Default)]
struct SeenProcesses(Vec<Seen>);

impl SeenProcesses {
    fn add(&mut self, interpreter: &Interpreter<'_>, state: &State) {
        let system = interpreter.system();
        if self.0.len() < state.processes().len() {
            self.0.resize_with(state.processes().len(), Seen::default);
        }
        for (pid, process) in state.processes().iter().enumerate() {
            let seen = &mut self.0[pid];
            seen.proctypes.insert(process.proctype);
            for (offset, &value) in state.locals(system, pid).iter().enumerate() {
                let cell = seen.cells.entry(offset as u32).or_insert(Some(value));
                *cell = cell.filter(|&known| known == value);
            }
        }
    }

    fn slots(self, interpreter: &Interpreter<'_>) -> Option<Vec<ProcessSlot>> {
        let proctypes = &interpreter.system().proctypes;
        let channels = |id: ProctypeId| channels_of(&proctypes[id].frame).collect::<Vec<_>>();
        let is_static = |seen: &Seen| {
            let lists: BTreeSet<_> = seen.proctypes.iter().map(|&id| channels(id)).collect();
            lists.len() == 1
        };
        let is_usable = self.0.len() <= MOST_SLOTS && self.0.iter().all(is_static);
        is_usable.then(|| self.0.into_iter().map(|s| s.slot(interpreter)).collect())
    }
}

/// What was seen of the processes with one pid.
#[derive(Default)]
struct Seen {
    proctypes: BTreeSet<ProctypeId>,
    /// For each cell, its value, if it was always the same.
    cells: BTreeMap<u32, Option<i32>>,
}

impl Seen {
    fn slot(self, interpreter: &Interpreter<'_>) -> ProcessSlot {
        let written: BTreeSet<u32> = self
            .proctypes
            .iter()
            .flat_map(|&id| written_locals(&interpreter.system().proctypes[id]))
            .collect();
        let cells = self.cells.into_iter().filter(|(offset, _)| !written.contains(offset));
        let constants = cells.filter_map(|(offset, value)| Some((offset, value?))).collect();
        ProcessSlot { proctypes: self.proctypes.into_iter().collect(), constants }
    }
}
