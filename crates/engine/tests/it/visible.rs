//! The law of visibility: what a property sees changes in the same ways with and without reductions.

use crate::common::{models, random};
use resy_engine::search::Ample;
use resy_index::Id;
use resy_passes::{Independence, Visible, check_independence, merge, reset_dead};
use resy_system::{
    BinaryOp, Control, Expr, Interpreter, LocationId, Options, Place, ProctypeId, Scope, State,
    System,
};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// Beyond this many states a program is left out.
const LIMIT: usize = 4_000;

type Values = Vec<Option<i32>>;

/// Something to see: the first globals, the middle of a proctype, the length of a channel.
fn something(system: &System) -> Visible {
    let mut expressions = Vec::new();
    for variable in system.globals.variables.iter().take(2) {
        let place = Place::cell(Scope::Global, variable.offset, variable.cell);
        let load = Expr::Load(place);
        expressions.push(match variable.cell {
            resy_system::CellType::Chan => Expr::Len(Box::new(load)),
            _ => load,
        });
    }
    let proctype = ProctypeId::from_index(0);
    if let Some(declared) = system.proctypes.get(proctype) {
        let middle = LocationId::from_index(declared.edges.len() / 2).index() as i32;
        let at = Expr::RemoteLocation { proctype, pid: None };
        let here = Expr::Binary(BinaryOp::Eq, Box::new(at), Box::new(Expr::Const(middle)));
        expressions.push(here);
    }
    Visible { expressions }
}

/// All changes of what is visible, from one stored state to the next.
fn changes(
    system: &System,
    visible: &Visible,
    ample: Option<&Ample>,
) -> Option<BTreeSet<(Values, Values)>> {
    let interpreter = Interpreter::new(system, Options::default());
    let look = |state: &State| -> Values {
        visible.expressions.iter().map(|e| interpreter.evaluate(state, 0, e).ok()).collect()
    };
    let first = interpreter.initial().ok()?;
    let mut found = BTreeSet::from([(look(&first), look(&first))]);
    let mut seen = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    while let Some(state) = queue.pop_front() {
        if seen.len() > LIMIT {
            return None;
        }
        let can_move = |pid| successors(&interpreter, &state, Some(pid)).is_some();
        let chosen = ample.and_then(|a| a.choose(&(system, &state), can_move));
        let mut next = successors(&interpreter, &state, chosen).unwrap_or_default();
        if next.iter().all(|s| seen.contains(s)) {
            next = successors(&interpreter, &state, None).unwrap_or_default();
        }
        for there in next {
            let (before, after) = (look(&state), look(&there));
            if before != after {
                found.insert((before, after));
            }
            if seen.insert(there.clone()) {
                queue.push_back(there);
            }
        }
    }
    Some(found)
}

/// The next stored states by steps of one process, or of all; `None` if there is no step.
fn successors(
    interpreter: &Interpreter<'_>,
    state: &State,
    pid: Option<usize>,
) -> Option<Vec<State>> {
    let mut open = interpreter.steps(state, Control::Free).steps;
    open.retain(|s| pid.is_none_or(|pid| s.actor.pid == pid));
    if open.is_empty() {
        return None;
    }
    let (mut inside, mut found) = (HashSet::new(), Vec::new());
    while let Some(step) = open.pop() {
        let Some((next, control)) = step.next else { continue };
        let more = match control {
            Control::Free => Vec::new(),
            Control::Atomic(_) => interpreter.steps(&next, control).steps,
        };
        if more.is_empty() {
            found.push(next);
        } else if inside.insert((next, control)) {
            open.extend(more);
        }
    }
    Some(found)
}

fn nothing_is_hidden(systems: impl Iterator<Item = (String, System)>, at_least: usize) {
    let (mut wrong, mut n) = (Vec::new(), 0);
    for (name, plain) in systems {
        let visible = something(&plain);
        let Some(expected) = changes(&plain, &visible, None) else { continue };
        n += 1;
        let merged = merge(&plain, &visible);
        let reset = reset_dead(&plain, &visible);
        let both = merge(&reset, &visible);
        for (what, system, reduce) in [
            ("merge", &merged, false),
            ("dead", &reset, false),
            ("ample", &plain, true),
            ("all", &both, true),
        ] {
            let ample = Ample::of(system, &visible, Options::default());
            if changes(system, &visible, reduce.then_some(&ample)).as_ref() != Some(&expected) {
                wrong.push(format!("{name}, {what}"));
            }
            let independence = Independence::of(system, &visible, Options::default());
            let interpreter = Interpreter::new(system, Options::default());
            if let Err(sentence) = check_independence(&interpreter, &independence, &visible, LIMIT)
            {
                wrong.push(format!("{name}, {what}: {sentence}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {n}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n >= at_least, "only {n} programs were searched");
}

#[test]
fn every_change_is_seen_on_every_model() {
    nothing_is_hidden(models(), 200);
}

#[test]
fn every_change_is_seen_on_random_programs() {
    nothing_is_hidden(random(400..600), 100);
}
