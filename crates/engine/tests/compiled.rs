//! Compiled steps against the reference semantics, state by state, on every model.

mod common;

use resy_engine::compile::Compiled;
use resy_engine::steps::{Interpreted, Noted, Stepper, Successors};
use resy_engine::vector::ShapeId;
use resy_system::{Control, Interpreter, Move, Options, System};
use std::collections::{HashSet, VecDeque};

/// The states of a model that are compared; more would take too long.
const MOST: usize = 20_000;

/// A successor in full: moves, who has control, the vector.
type Full = ((Move, Option<Move>), Control, [u32; 2], Vec<u8>);

fn successors(
    stepper: &mut dyn Stepper,
    vector: &[u8],
    control: Control,
) -> (Vec<Full>, Vec<Noted>) {
    let layout = stepper.layout().clone();
    let mut vector = vector.to_vec();
    let shape: ShapeId = stepper.shapes().adopt(&layout, &mut vector);
    let mut out = Successors::new();
    stepper.expand(&vector, shape, control, &mut out);
    let full = (0..out.len()).map(|i| {
        let record = out.record(i);
        let len = stepper.shapes()[record.shape()].len;
        let mut vector = out.vector(&record, len).to_vec();
        assert_eq!(stepper.shapes().of(&layout, &vector), record.shape());
        // The numbers of shapes are each stepper's own.
        layout.shape.width.store(&mut vector, layout.shape.offset, 0);
        (record.moves(), record.control(), record.edges, vector)
    });
    (full.collect(), out.noted)
}

fn compare(system: &System, options: Options) -> Result<(), String> {
    let interpreter = Interpreter::new(system, options);
    let initial = interpreter.initial().map_err(|e| e.to_string())?;
    let mut slow = Interpreted::new(interpreter.clone(), &[]);
    let Some(mut fast) = Compiled::new(interpreter, &[], &[]) else {
        return if system.uses_priority { Ok(()) } else { Err("is not compiled".into()) };
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
    Ok(())
}

fn differences(systems: impl Iterator<Item = (String, System)>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, system) in systems {
        for options in [Options::default(), Options { loss: true, ..Options::default() }] {
            if let Err(difference) = compare(&system, options) {
                wrong.push(format!("{name}: {difference}"));
            }
        }
    }
    wrong
}

#[test]
fn compiled_steps_are_those_of_the_interpreter_on_every_model() {
    let wrong = differences(common::models());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn compiled_steps_are_those_of_the_interpreter_on_random_programs() {
    let wrong = differences(common::random(0..150));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
