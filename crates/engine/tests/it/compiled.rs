//! Compiled steps against the reference semantics, state by state, on every model.

use resy_engine::compile::Compiled;
use resy_engine::steps::{Interpreted, Noted, Stepper, Successors};
use resy_engine::vector::ShapeId;
use resy_system::{Control, Interpreter, Move, Options, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::systems::{random, system_of};
use std::collections::{HashSet, VecDeque};

/// At most this many states of a model are compared.
const MOST: usize = 20_000;

/// The kind of steps that are counted.
const IN_PLACE: &str = "steps made in place";

/// A successor in full: moves, control, edges, vector.
type Full = ((Move, Option<Move>), Control, [u32; 2], Vec<u8>);

fn successors(
    stepper: &mut dyn Stepper,
    vector: &[u8],
    control: Control,
) -> (Vec<Full>, Vec<Noted>) {
    let out = expand(stepper, vector, control);
    let full = (0..out.len()).map(|i| full(stepper, &out, i)).collect();
    (full, out.noted)
}

fn expand(stepper: &mut dyn Stepper, vector: &[u8], control: Control) -> Successors {
    let layout = stepper.layout().clone();
    let mut vector = vector.to_vec();
    let shape: ShapeId = stepper.shapes().adopt(&layout, &mut vector);
    let mut out = Successors::new();
    stepper.expand(&vector, shape, control, &mut out);
    out
}

fn full(stepper: &mut dyn Stepper, out: &Successors, i: usize) -> Full {
    let layout = stepper.layout().clone();
    let record = out.record(i);
    let len = stepper.shapes()[record.shape()].len;
    let mut vector = out.vector(&record, len).to_vec();
    assert_eq!(stepper.shapes().of(&layout, &vector), record.shape());
    // The numbers of shapes are each stepper's own.
    layout.shape.width.store(&mut vector, layout.shape.offset, 0);
    (record.moves(), record.control(), record.edges, vector)
}

/// Moves on in place after each of the successors, and makes the same steps one by one:
/// every time there must be this step only. Gives the number of steps.
fn move_on(
    fast: &mut dyn Stepper,
    slow: &mut dyn Stepper,
    vector: &[u8],
    control: Control,
) -> Result<usize, String> {
    let mut out = expand(fast, vector, control);
    let mut n_steps = 0;
    for i in 0..out.len() {
        let (_, mut control, _, mut vector) = full(fast, &out, i);
        let mut edges = Vec::new();
        fast.advance(i, &mut out, &mut edges);
        for &edge in &edges {
            let (mut steps, noted) = successors(slow, &vector, control);
            let only = steps.pop().filter(|_| steps.is_empty() && noted.is_empty());
            let Some((_, after, _, next)) = only.filter(|step| step.2 == [edge; 2]) else {
                return Err(format!("from {vector:?}: {edge} of {edges:?} is not the only step"));
            };
            (control, vector) = (after, next);
        }
        let (_, ours_control, _, ours) = full(fast, &out, i);
        if (&ours, ours_control) != (&vector, control) {
            return Err(format!("{edges:?} lead to {ours:?}, should be {vector:?} {control:?}"));
        }
        n_steps += edges.len();
    }
    Ok(n_steps)
}

/// Compares, and gives the number of steps made in place.
fn compare(system: &System, options: Options) -> Result<usize, String> {
    let mut n_in_place = 0;
    let interpreter = Interpreter::new(system, options);
    let initial = interpreter.initial().map_err(|e| e.to_string())?;
    let mut slow = Interpreted::new(interpreter.clone(), &[]);
    let Some(mut fast) = Compiled::new(interpreter, &[], &[], &mut || true) else {
        return if system.uses_priority { Ok(0) } else { Err("is not compiled".into()) };
    };
    let layout = slow.layout().clone();
    let mut first = Vec::new();
    layout.pack(slow.shapes(), &initial, &mut first);
    layout.shape.width.store(&mut first, layout.shape.offset, 0);
    let mut seen = HashSet::from([(first.clone(), Control::Free)]);
    let mut todo = VecDeque::from([(first, Control::Free)]);
    while let Some((vector, control)) = todo.pop_front() {
        let (theirs, noted) = successors(&mut slow, &vector, control);
        let (ours, ours_noted) = successors(&mut fast, &vector, control);
        if ours != theirs {
            return Err(format!("from {vector:?} {control:?}: {ours:?}, should be {theirs:?}"));
        }
        if ours_noted.iter().any(|n| !noted.contains(n))
            || noted.iter().any(|n| !ours_noted.contains(n))
        {
            return Err(format!("from {vector:?}: {ours_noted:?}, should be {noted:?}"));
        }
        if control == Control::Free || theirs.len() > 1 {
            n_in_place += move_on(&mut fast, &mut slow, &vector, control)?;
        }
        if theirs.is_empty() && control != Control::Free && seen.len() < MOST {
            let state = (vector, Control::Free);
            if seen.insert(state.clone()) {
                todo.push_back(state);
            }
            continue;
        }
        for (_, control, _, vector) in theirs {
            let state = (vector, control);
            if seen.len() < MOST && seen.insert(state.clone()) {
                todo.push_back(state);
            }
        }
    }
    Ok(n_in_place)
}

static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| tally(&system_of(fixture)));
resy_testkit::each_model!(compiled_steps_are_those_of_the_interpreter, crate::compiled::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

fn tally(system: &System) -> Tally {
    let mut tally = Tally::default();
    for options in [Options::default(), Options { loss: true, ..Options::default() }] {
        match compare(system, options) {
            Ok(n) => tally.count(IN_PLACE, n),
            Err(difference) => tally.wrong(difference),
        }
    }
    tally
}

#[test]
fn steps_are_made_in_place_on_models() {
    let n_in_place = OUTCOMES.total().n(IN_PLACE);
    assert!(n_in_place > 1000, "only {n_in_place} steps were made in place");
}

#[test]
fn compiled_steps_are_those_of_the_interpreter_on_random_programs() {
    let total = Tally::sum(random(0..150), tally);
    total.assert_right();
    let n_in_place = total.n(IN_PLACE);
    assert!(n_in_place > 1000, "only {n_in_place} steps were made in place");
}
