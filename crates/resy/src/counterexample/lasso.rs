//! Carrying out an infinite run: the loop is taken several times and must come back to the same state.
//!
//! The search may have reset variables that are not read again, so that the program comes back to the same state only
//! after the first round. What the run violates is decided from its states alone: a formula is evaluated on them, and
//! the fairness of the loop is seen in what processes can do and what they do.

use super::{FairHow, FairReason, Lasso};
use resy_engine::search::{InfiniteRun, Replay, execute_while};
use resy_system::{Control, Fairness, Interpreter, LivenessClaim, State};
use std::collections::BTreeSet;

/// How many rounds may pass before the loop comes back to the same state.
const ROUNDS: usize = 3;
/// A claim without a cycle comes to its end within this many repetitions of the last state.
const REPETITIONS: usize = 64;

/// The steps of an infinite run and its loop, if it violates the claim, unless `go_on`, which is called for each step,
/// says no.
pub(super) fn replay(
    interpreter: &Interpreter<'_>,
    claim: &LivenessClaim,
    run: &InfiniteRun,
    fairness: Fairness,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Vec<Replay>, Option<Lasso>)> {
    let initial = interpreter.initial().ok()?;
    let Some(cycle) = &run.cycle else {
        let steps = execute_while(interpreter, &run.stem, go_on)?;
        let is_whole = steps.len() == run.stem.len();
        let is_violated =
            run.failure.is_some() || ends_claim(interpreter, claim, &initial, &steps, go_on);
        return (is_whole && is_violated).then_some((steps, None));
    };
    let mut moves = run.stem.clone();
    (0..=ROUNDS).for_each(|_| moves.extend_from_slice(cycle));
    let mut steps = execute_while(interpreter, &moves, go_on)?;
    if steps.len() != moves.len() {
        return None;
    }
    let (start, end) = bounds(&initial, &steps, run.stem.len(), cycle.len())?;
    steps.truncate(end);
    let observed = observed(interpreter, &initial, &steps);
    let first = observed.iter().position(|(n_steps, _)| *n_steps == start)?;
    let ends = cycle.is_empty();
    if ends && !interpreter.steps(observed[first].1, Control::Free).steps.is_empty() {
        return None;
    }
    // Without a stutter, the last state is the one that the loop starts from.
    let states: Vec<&State> = observed.iter().map(|(_, state)| *state).collect();
    let round = if ends { first..states.len() } else { first..states.len() - 1 };
    if !claim.is_violated_by(interpreter, &states[..round.end], first, ends) {
        return None;
    }
    let fair = match fairness {
        Fairness::None => Vec::new(),
        _ => fair(interpreter, fairness, &observed[round], &steps[start..], go_on)?,
    };
    Some((steps, Some(Lasso { start, fairness, fair })))
}

/// Where the first round begins that comes back to the same state twice, and where it ends.
fn bounds(initial: &State, steps: &[Replay], stem: usize, cycle: usize) -> Option<(usize, usize)> {
    let state = |n_steps: usize| match n_steps.checked_sub(1) {
        None => Some(initial),
        Some(last) => steps.get(last)?.step.next.as_ref().map(|(state, _)| state),
    };
    let starts = (0..ROUNDS - 1).map(|round| stem + round * cycle);
    let mut starts = starts.filter(|&start| {
        let here = state(start);
        here.is_some() && here == state(start + cycle) && here == state(start + 2 * cycle)
    });
    starts.next().map(|start| (start, start + cycle))
}

/// The states that claims observe, each with the number of steps before it.
fn observed<'a>(
    interpreter: &Interpreter<'_>,
    initial: &'a State,
    steps: &'a [Replay],
) -> Vec<(usize, &'a State)> {
    let later = steps.iter().enumerate().filter_map(|(i, replay)| {
        let (state, control) = replay.step.next.as_ref()?;
        let is_observed =
            *control == Control::Free || interpreter.steps(state, *control).steps.is_empty();
        is_observed.then_some((i + 1, state))
    });
    std::iter::once((0, initial)).chain(later).collect()
}

/// Whether the claim comes to its end on a finite run.
fn ends_claim(
    interpreter: &Interpreter<'_>,
    claim: &LivenessClaim,
    initial: &State,
    steps: &[Replay],
    go_on: &mut dyn FnMut() -> bool,
) -> bool {
    let observed = observed(interpreter, initial, steps);
    let mut states: Vec<&State> = observed.iter().map(|(_, state)| *state).collect();
    let last = states[states.len() - 1];
    if interpreter.steps(last, Control::Free).steps.is_empty() {
        states.extend(std::iter::repeat_n(last, REPETITIONS));
    }
    claim.initial().is_none() || claim.is_violated_within(interpreter, &states, go_on)
}

/// Why a loop is fair to each process of its first state; `None` if it is not.
fn fair(
    interpreter: &Interpreter<'_>,
    fairness: Fairness,
    round: &[(usize, &State)],
    steps: &[Replay],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<FairReason>> {
    let start = round.first()?.0;
    let pids = |(_, state): &(usize, &State)| {
        let steps = interpreter.steps(state, Control::Free).steps;
        go_on().then(|| steps.iter().map(|step| step.actor.pid).collect())
    };
    let enabled: Vec<BTreeSet<usize>> = round.iter().map(pids).collect::<Option<_>>()?;
    let n_processes = round.iter().map(|(_, state)| state.processes().len()).max()?;
    let mut reasons = Vec::new();
    for pid in 0..n_processes {
        let moves = steps.iter().position(|Replay { step, .. }| {
            step.actor.pid == pid || step.partner.is_some_and(|partner| partner.pid == pid)
        });
        let blocked = enabled.iter().position(|enabled| !enabled.contains(&pid));
        let is_never_enabled = enabled.iter().all(|enabled| !enabled.contains(&pid));
        let how = match (moves, blocked) {
            (Some(step), _) => FairHow::Moves(start + step + 1),
            (None, _) if is_never_enabled => FairHow::NeverEnabled,
            (None, Some(at)) if fairness == Fairness::Weak => FairHow::Blocked(round[at].0),
            _ => return None,
        };
        if pid < round[0].1.processes().len() {
            reasons.push(FairReason { pid, how });
        }
    }
    Some(reasons)
}
