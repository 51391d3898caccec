//! What the suites share: models, random programs, and a naive search.

use resy_system::{Control, Interpreter, State, Violation};
use std::collections::{BTreeSet, HashSet, VecDeque};

mod models;
pub mod monitored;

pub use models::*;

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
        seen.violations.insert("invalid end".into());
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
