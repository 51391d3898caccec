//! What the steps of a program violate, judged by the interpreter and the monitors alone.

use crate::simulation::is_stuck;
use resy_engine::search::Replay;
use resy_system::{Control, Interpreter, Monitors, Outcome, State};

/// What the steps of a program violate, and after how many steps; as far as `go_on` does not say no.
pub(crate) fn outcomes<'a>(
    monitors: &'a Monitors,
    interpreter: &'a Interpreter<'_>,
    run: &'a [Replay],
    go_on: &'a mut dyn FnMut() -> bool,
) -> impl Iterator<Item = (usize, Outcome)> + 'a {
    let mut sets = monitors.initial();
    let mut watch = move |at: usize, state: &State| {
        let mut found = Vec::new();
        if let Err(failure) = monitors.step(interpreter, state, &mut sets) {
            found.push((at, Outcome::Condition(failure.monitor, failure.kind)));
        }
        found.extend(monitors.bad(&sets).map(|number| (at, Outcome::Claim(number))));
        found
    };
    let initial = interpreter.initial().ok();
    let first = initial.map(|state| watch(0, &state)).unwrap_or_default();
    let run = run.iter().enumerate().take_while(move |_| go_on());
    let later = run.flat_map(move |(i, replay)| {
        let violations = replay.step.violations.iter().cloned();
        let mut found: Vec<_> = violations.map(|v| (i + 1, Outcome::Violation(v))).collect();
        // Claims observe stored states only.
        if let Some((state, control)) = &replay.step.next
            && (*control == Control::Free || interpreter.steps(state, *control).steps.is_empty())
        {
            found.extend(watch(i + 1, state));
        }
        found
    });
    first.into_iter().chain(later)
}

/// What the last state of a run violates: by an edge that cannot be tried, by standing still where a
/// process is not at its end, or because a claim goes on alone in a state without steps.
pub(super) fn outcomes_at_end(
    monitors: &Monitors,
    interpreter: &Interpreter<'_>,
    run: &[Replay],
) -> Vec<Outcome> {
    let initial = if run.is_empty() { interpreter.initial().ok() } else { None };
    let (state, hold) = match (run.last().map(|replay| &replay.step.next), &initial) {
        (Some(Some((state, hold))), _) => (state, *hold),
        (None, Some(state)) => (state, Control::Free),
        _ => return Vec::new(),
    };
    let mut tried = interpreter.steps(state, hold);
    let mut found: Vec<Outcome> = Vec::new();
    if tried.steps.is_empty() && hold != Control::Free {
        let free = interpreter.steps(state, Control::Free);
        found.extend(tried.violations.into_iter().map(Outcome::Violation));
        tried = free;
    }
    found.extend(tried.violations.into_iter().map(Outcome::Violation));
    if tried.steps.is_empty() {
        found.extend((!interpreter.is_valid_end(state)).then_some(Outcome::InvalidEnd));
        let mut sets = sets_after(monitors, interpreter, run);
        let mut known = vec![sets.clone()];
        // A condition without a value was found before.
        while monitors.step(interpreter, state, &mut sets).is_ok() {
            found.extend(monitors.bad(&sets).map(Outcome::Claim));
            if known.contains(&sets) {
                break;
            }
            known.push(sets.clone());
        }
    }
    found
}

/// The sets of the monitors after a run.
fn sets_after(monitors: &Monitors, interpreter: &Interpreter<'_>, run: &[Replay]) -> Vec<u64> {
    let mut sets = monitors.initial();
    let initial = interpreter.initial().ok();
    let observed = run.iter().filter_map(|replay| replay.step.next.as_ref()).filter(|next| {
        let (state, hold) = next;
        *hold == Control::Free || interpreter.steps(state, *hold).steps.is_empty()
    });
    for state in initial.iter().chain(observed.map(|(state, _)| state)) {
        // A condition without a value was found before.
        let _ = monitors.step(interpreter, state, &mut sets);
    }
    sets
}

/// Whether a run ends in a state without steps that is no valid end.
pub(crate) fn ends_badly(interpreter: &Interpreter<'_>, run: &[Replay]) -> bool {
    let last = run.last().and_then(|replay| replay.step.next.as_ref()).map(|(state, _)| state);
    let initial = if run.is_empty() { interpreter.initial().ok() } else { None };
    let Some(state) = last.or(initial.as_ref()) else { return false };
    is_stuck(interpreter, state)
}
