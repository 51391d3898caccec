//! Searches without any idea in them, on the reference semantics: what the production searches are
//! compared with.

use resy_system::{Control, Interpreter, MonitorFailure, Monitors, State, Violation};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// What an invalid end state is called.
const INVALID_END: &str = "invalid end";

/// What a search saw.
#[derive(Default)]
pub struct Seen {
    /// The stored states.
    pub states: HashSet<State>,
    /// The violations: kind and place.
    pub violations: BTreeSet<String>,
}

/// All states of a system, by the simplest search there is; `None` beyond `limit` states.
pub fn explore(interpreter: &Interpreter<'_>, limit: usize) -> Option<Seen> {
    let mut seen = Seen::default();
    let first = interpreter.initial().ok()?;
    seen.states.insert(first.clone());
    let mut queue = VecDeque::from([first]);
    while let Some(state) = queue.pop_front() {
        if seen.states.len() > limit {
            return None;
        }
        queue.extend(expand(interpreter, &state, &mut seen));
    }
    Some(seen)
}

/// Follows the steps of a state to the next stored states; returns the new ones.
fn expand(interpreter: &Interpreter<'_>, state: &State, seen: &mut Seen) -> Vec<State> {
    let steps = interpreter.steps(state, Control::Free);
    if steps.steps.is_empty() && !interpreter.is_valid_end(state) {
        seen.violations.insert(INVALID_END.into());
    }
    let note = |violations: &[Violation], seen: &mut Seen| {
        for v in violations {
            let kind = format!("{:?}", v.kind);
            let kind = kind.split('(').next().unwrap_or_default();
            seen.violations.insert(format!("{kind} at {:?}", v.source));
        }
    };
    note(&steps.violations, seen);
    let mut open = steps.steps;
    let (mut inside, mut news) = (HashSet::new(), Vec::new());
    while let Some(step) = open.pop() {
        note(&step.violations, seen);
        let Some((next, control)) = step.next else { continue };
        if control != Control::Free {
            if !inside.insert((next.clone(), control)) {
                continue;
            }
            let more = interpreter.steps(&next, control);
            note(&more.violations, seen);
            if !more.steps.is_empty() {
                open.extend(more.steps);
                continue;
            }
        }
        if seen.states.insert(next.clone()) {
            news.push(next);
        }
    }
    news
}

/// The numbers of the monitors that some run violates: all pairs of a state and the
/// monitors' sets, one after the other.
///
/// # Errors
/// If a condition of a monitor has no value in some state.
///
/// # Panics
/// If the system has no initial state.
pub fn violated(
    interpreter: &Interpreter<'_>,
    monitors: &Monitors,
) -> Result<BTreeSet<usize>, MonitorFailure> {
    let all = violated_within(interpreter, monitors, usize::MAX)?;
    Ok(all.expect("there is no limit"))
}

/// Like `violated`; `None` beyond `limit` pairs.
fn violated_within(
    interpreter: &Interpreter<'_>,
    monitors: &Monitors,
    limit: usize,
) -> Result<Option<BTreeSet<usize>>, MonitorFailure> {
    let initial = interpreter.initial().expect("the initial values can be computed");
    let mut found = BTreeSet::new();
    let mut seen: HashSet<(State, Vec<u64>)> = HashSet::new();
    let mut todo = vec![(initial, monitors.initial())];
    while let Some((state, mut sets)) = todo.pop() {
        monitors.step(interpreter, &state, &mut sets)?;
        found.extend(monitors.bad(&sets));
        if !seen.insert((state.clone(), sets.clone())) {
            continue;
        }
        if seen.len() > limit {
            return Ok(None);
        }
        let next = stored_successors(interpreter, &state);
        if next.is_empty() {
            monitors.stutter(interpreter, &state, &mut sets)?;
            found.extend(monitors.bad(&sets));
        }
        todo.extend(next.into_iter().map(|state| (state, sets.clone())));
    }
    Ok(Some(found))
}

/// Whether no step fails and no monitor is violated; `None` beyond `limit` states.
pub fn is_safe(interpreter: &Interpreter<'_>, monitors: &Monitors, limit: usize) -> Option<bool> {
    let seen = explore(interpreter, limit)?;
    if seen.violations.iter().any(|violation| violation != INVALID_END) {
        return Some(false);
    }
    match violated_within(interpreter, monitors, limit) {
        Ok(found) => found.map(|violated| violated.is_empty()),
        Err(_) => Some(false),
    }
}

/// The states that spin would store after a state: `atomic` blocks are followed to where they end
/// or wait.
pub fn stored_successors(interpreter: &Interpreter<'_>, state: &State) -> Vec<State> {
    let (mut out, mut seen) = (Vec::new(), HashSet::new());
    let mut todo = vec![(state.clone(), Control::Free)];
    while let Some((state, control)) = todo.pop() {
        let steps = interpreter.steps(&state, control).steps;
        if control != Control::Free && steps.is_empty() {
            out.push(state);
            continue;
        }
        for (next, control) in steps.into_iter().filter_map(|step| step.next) {
            if control == Control::Free {
                out.push(next);
            } else if seen.insert((next.clone(), control)) {
                todo.push((next, control));
            }
        }
    }
    out
}
