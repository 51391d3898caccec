//! From a violation back to the run that leads to it.
//!
//! The store remembers for every state the one it was first reached from, but not
//! how. The steps between the two are found again by running the parent.

use crate::search::{Found, Search};
use crate::store::StateId;
use resy_system::{Control, Interpreter, Move, State, Step};

/// One step of a run, executed.
pub struct Replay {
    /// The state before the step.
    pub before: State,
    /// The step.
    pub step: Step,
}

/// The run from the initial state to a violation.
pub fn replay(interpreter: &Interpreter<'_>, search: &Search, found: &Found) -> Vec<Replay> {
    let mut ids = vec![found.from];
    while let Some(&id) = ids.last()
        && search.store.parent(id) != id
    {
        ids.push(search.store.parent(id));
    }
    ids.reverse();
    let unpack = |id: StateId| State::unpack(interpreter.system(), search.store.get(id));
    let mut run = Vec::new();
    for pair in ids.windows(2) {
        let path = path_between(interpreter, &unpack(pair[0]), &unpack(pair[1]));
        run.extend(execute(interpreter, unpack(pair[0]), &path));
    }
    run.extend(execute(interpreter, unpack(found.from), &found.moves));
    run
}

/// Executes moves from a state.
fn execute(
    interpreter: &Interpreter<'_>,
    mut state: State,
    moves: &[(Move, Option<Move>)],
) -> Vec<Replay> {
    let mut control = Control::Free;
    let mut run = Vec::new();
    for &(actor, partner) in moves {
        let mut steps = interpreter.steps(&state, control).steps;
        if steps.is_empty() {
            steps = interpreter.steps(&state, Control::Free).steps;
        }
        let Some(step) = steps.into_iter().find(|s| s.actor == actor && s.partner == partner)
        else {
            break;
        };
        let next = step.next.clone();
        run.push(Replay { before: state.clone(), step });
        match next {
            Some((after, c)) => (state, control) = (after, c),
            None => break,
        }
    }
    run
}

/// The moves of a transition from one stored state to another: through the
/// states of an `atomic`, if it leads through one.
fn path_between(
    interpreter: &Interpreter<'_>,
    from: &State,
    to: &State,
) -> Vec<(Move, Option<Move>)> {
    let mut path: Vec<(State, Control, std::vec::IntoIter<Step>)> = Vec::new();
    let mut moves = Vec::new();
    let steps = interpreter.steps(from, Control::Free).steps;
    path.push((from.clone(), Control::Free, steps.into_iter()));
    while let Some((_, _, rest)) = path.last_mut() {
        let Some(step) = rest.next() else {
            path.pop();
            moves.pop();
            continue;
        };
        let Some((state, control)) = step.next else { continue };
        moves.push((step.actor, step.partner));
        let steps = match control {
            Control::Free => Vec::new(),
            Control::Atomic(_) => interpreter.steps(&state, control).steps,
        };
        if steps.is_empty() {
            if state == *to {
                return moves;
            }
            moves.pop();
        } else if path.iter().any(|(s, c, _)| *s == state && *c == control) {
            moves.pop();
        } else {
            path.push((state, control, steps.into_iter()));
        }
    }
    moves
}
