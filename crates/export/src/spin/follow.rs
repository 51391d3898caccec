//! The run that a spin trail describes, step by step.

use super::{Trail, TrailLine};
use resy::Replay;
use resy::pursue::choices;
use resy_system::{Control, Interpreter, Move, State, Step};

/// A trail of merged statements leaves out local steps: at most this many in a row.
const MAX_MERGED: usize = 64;

/// The step that a line of a trail stands for (two lines for a rendezvous), and the number of lines.
fn matching(
    interpreter: &Interpreter<'_>,
    state: &State,
    choices: &[Step],
    line: TrailLine,
    next: Option<TrailLine>,
) -> Option<(Step, usize)> {
    let fits = |m: Move, line: TrailLine| {
        m.pid == line.pid && interpreter.edge(state, m).id == line.statement
    };
    let step = choices.iter().find(|step| {
        let partner = match (step.partner, next) {
            (None, _) => true,
            (Some(partner), Some(next)) => fits(partner, next),
            (Some(_), None) => false,
        };
        fits(step.actor, line) && partner
    })?;
    Some((step.clone(), 1 + usize::from(step.partner.is_some())))
}

/// The run of a trail, as far as it can be followed, and the line that cannot be, from 1.
pub fn run_of(interpreter: &Interpreter<'_>, trail: &Trail) -> (Vec<Replay>, Option<usize>) {
    let FollowedTrail { run, stopped, .. } = followed(interpreter, trail);
    (run, stopped)
}

/// The run of a trail.
pub struct FollowedTrail {
    /// The steps, as far as the trail can be followed.
    pub run: Vec<Replay>,
    /// The line that cannot be followed, from 1.
    pub stopped: Option<usize>,
    /// The number of steps before those that are repeated for ever, if the trail has such steps.
    pub loop_start: Option<usize>,
}

/// Follows a trail.
fn followed(interpreter: &Interpreter<'_>, trail: &Trail) -> FollowedTrail {
    followed_while(interpreter, trail, &mut || true).expect("nothing cancels it")
}

/// Follows a trail; `None` if `go_on`, which is called for each step, says no.
pub fn followed_while(
    interpreter: &Interpreter<'_>,
    trail: &Trail,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<FollowedTrail> {
    let Ok(mut state) = interpreter.initial() else {
        return Some(FollowedTrail { run: Vec::new(), stopped: Some(1), loop_start: None });
    };
    let (mut control, mut run) = (Control::Free, Vec::new());
    let (mut rest, mut merged) = (&trail.lines[..], 0);
    let mut loop_start = None;
    while let Some(&line) = rest.first() {
        if !go_on() {
            return None;
        }
        if trail.cycle == Some(trail.lines.len() - rest.len()) {
            loop_start = loop_start.or(Some(run.len()));
        }
        let mut choices = choices(interpreter, &state, &mut control);
        let found = matching(interpreter, &state, &choices, line, rest.get(1).copied());
        let (step, used) = match found {
            Some(found) => found,
            None => {
                // The process that holds control must finish what the trail does not show.
                let pid = match control {
                    Control::Atomic(pid) => pid,
                    Control::Free => line.pid,
                };
                choices.retain(|step| step.actor.pid == pid);
                merged += 1;
                let only = if choices.len() == 1 { choices.pop() } else { None };
                let Some(only) = only.filter(|_| merged <= MAX_MERGED) else { break };
                (only, 0)
            }
        };
        if used > 0 {
            (rest, merged) = (&rest[used..], 0);
        }
        let next = step.next.clone();
        run.push(Replay { before: state.clone(), step });
        let Some(next) = next else { break };
        (state, control) = next;
    }
    let stopped = (!rest.is_empty()).then(|| trail.lines.len() - rest.len() + 1);
    Some(FollowedTrail { run, stopped, loop_start })
}

/// Takes the steps of an `atomic` that spin merged into the last line of a trail.
pub fn finish(interpreter: &Interpreter<'_>, run: &mut Vec<Replay>) {
    for _ in 0..MAX_MERGED {
        let Some(Replay { step, .. }) = run.last() else { return };
        let Some((state, mut control)) = step.next.clone() else { return };
        if control == Control::Free || !step.violations.is_empty() {
            return;
        }
        let mut steps = choices(interpreter, &state, &mut control).into_iter();
        let (Some(only), None) = (steps.next(), steps.next()) else { return };
        if control == Control::Free {
            return;
        }
        run.push(Replay { before: state, step: only });
    }
}
