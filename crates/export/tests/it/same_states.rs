//! A module that is replaced by its own automaton leaves its environment the same states.
//!
//! The module is replaced by its complete automaton, not by a smaller requirement. The reachable states,
//! projected to everything that does not belong to the module, must be the same. This detects every wrong
//! guard, value and order, of which a verdict detects few.

use crate::common;
use crate::common::{
    Outcome, Program, assertions, number, program_of, random_programs, replace_by,
};
use resy_network::{Cut, Item, Manner};
use resy_system::{Cell, Command, Interpreter, Options, State, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::naive::stored_successors;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::Path;

/// The maximal number of states of a test.
const MOST: usize = 20_000;

/// The projection of a state to what does not belong to the module.
type Seen = Vec<i32>;

/// The items that the projection keeps.
struct What {
    module: usize,
    n_processes: usize,
    cells: Vec<usize>,
    channels: Vec<usize>,
}

impl What {
    /// Keeps everything except what only the module uses.
    fn of(program: &Program, module: usize) -> Option<Self> {
        let interpreter = Interpreter::new(&program.system, Options::default());
        let cut = Cut::of(interpreter, Vec::new(), &Manner::default()).ok()?;
        let private = |item: Item| cut.users.get(&item).is_some_and(|u| u.users == [module]);
        let cells = (0..cut.globals.len())
            .filter(|&offset| !private(Item::Cell(Cell::Global(offset as u32))));
        let channels = (0..cut.channels.len())
            .filter(|&chan| cut.channels[chan].frame.is_none() && !private(Item::Channel(chan)));
        let (cells, channels) = (cells.collect(), channels.collect());
        Some(Self { module, n_processes: cut.proctypes.len(), cells, channels })
    }
}

/// The projections of all reachable states, between steps.
fn seen(system: &System, what: &What) -> Option<BTreeSet<Seen>> {
    let interpreter = Interpreter::new(system, Options::default());
    let first = interpreter.initial().ok()?;
    let mut todo = VecDeque::from([first]);
    let mut known: HashSet<State> = todo.iter().cloned().collect();
    let mut found = BTreeSet::new();
    while let Some(state) = todo.pop_front() {
        if known.len() > MOST {
            return None;
        }
        found.insert(look(system, &state, what));
        for next in stored_successors(&interpreter, &state) {
            if known.insert(next.clone()) {
                todo.push_back(next);
            }
        }
    }
    Some(found)
}

fn look(system: &System, state: &State, what: &What) -> Seen {
    let globals = state.globals(system);
    let mut seen: Seen = what.cells.iter().map(|&offset| globals[offset]).collect();
    for &chan in &what.channels {
        let messages = state.messages(system, chan);
        seen.push(messages.len() as i32);
        messages.into_iter().for_each(|message| seen.extend(message));
    }
    for pid in (0..what.n_processes).filter(|&pid| pid != what.module) {
        let alive = state.processes().get(pid).filter(|process| {
            let edges = &system.proctypes[process.proctype].edges[process.location];
            // A process at its end counts as dead: a younger process may keep it alive.
            !edges.iter().all(|edge| matches!(edge.command, Command::Exit))
        });
        match alive {
            Some(process) => {
                seen.push(resy_index::Id::index(process.location) as i32);
                seen.extend(state.locals(system, pid));
            }
            None => seen.push(-1),
        }
    }
    seen
}

fn compare(program: &Program) -> Tally {
    let mut tally = Tally::default();
    for pid in 0..program.system.instances.len().min(3) {
        let proctype = program.system.instances[pid].proctype;
        let n_instances =
            program.system.instances.iter().filter(|i| i.proctype == proctype).count();
        // If there are several instances, each takes a step to select its behaviour.
        if n_instances > 1 {
            continue;
        }
        let itself = |split: &resy_compose::Split| Some(split.module.lts.clone());
        let Outcome::Replaced(text, ..) = replace_by(program, &[pid], &assertions(), itself) else {
            continue;
        };
        let Some(new) = common::program("new", text.clone(), &[], Path::new(".")) else {
            tally.wrong(format!("{pid}: not read\n{text}"));
            continue;
        };
        let Some(what) = What::of(program, pid) else { continue };
        match (seen(&program.system, &what), seen(&new.system, &what)) {
            (Some(before), Some(after)) if before == after => tally.count("same", 1),
            (Some(before), Some(after)) => {
                let lost = before.difference(&after).next();
                let added = after.difference(&before).next();
                let sizes = (before.len(), after.len());
                let words = format!("{pid}: {sizes:?} lost {lost:?}, added {added:?}");
                tally.wrong(format!("{words}\n{}\n-----\n{text}", program.text));
            }
            _ => {}
        }
    }
    tally
}

static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| compare(&program_of(fixture)));
resy_testkit::each_model!(the_environment_has_the_same_states, crate::same_states::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

#[test]
fn enough_models_are_compared() {
    let n = OUTCOMES.total().n("same");
    assert!(n > 80, "only {n} were compared");
}

#[test]
fn random_programs_have_the_same_states() {
    let (count, from) = (number("RESY_STAND_INS", 150), number("RESY_STAND_INS_FROM", 0));
    let total = Tally::sum(random_programs(from..from + count), compare);
    total.assert_right();
    assert!(total.n("same") as u64 > count / 3, "only {} were compared", total.n("same"));
}
