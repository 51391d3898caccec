//! A requirement that is small enough to stand for its module.

use crate::control::{Control, Message, Stop};
use crate::counterexample::Counterexample;
use crate::problem::Problem;
use resy_compose::refine::{alternating, assume};
use resy_compose::{Conclusion, Requirement};

/// How a refinement has ended.
pub enum Draft {
    /// The property is decided: by a counterexample, or it holds.
    Decided(Option<Counterexample>),
    /// A requirement that is small enough, or canonical.
    Requirement(Requirement),
    /// A limit was reached.
    Stopped(Stop),
}

/// Refines until the requirement has at most this many states, or the property is decided; with
/// `always`, only until the former. Also gives the size of the requirement and the number of refinements.
pub fn small_requirement(
    problem: &Problem<'_>,
    most: usize,
    always: bool,
    control: &Control,
) -> (Draft, usize, usize) {
    let (mut steps, mut next, mut stopped) = (0, 0, None);
    let requirement = assume(&problem.split, alternating, |draft| {
        let progress = draft.progress();
        steps = progress.steps;
        control.refinement(&progress, || None);
        stopped = control.exceeded();
        if stopped.is_some() || steps < next {
            return stopped.is_none();
        }
        // The requirement is costly to compute, so it is looked at ever more rarely.
        next = steps + steps / 4 + 1;
        let requirement = draft.requirement();
        let decided = requirement.verdict != Conclusion::Interrupted;
        !(decided && !always || requirement.lts().n_states() <= most)
    });
    control.tell(&Message::Done);
    let n_states = requirement.lts().n_states();
    let draft = match (stopped, &requirement.verdict) {
        (Some(stop), _) => Draft::Stopped(stop),
        (None, Conclusion::Holds) if !always && !problem.misses_violations() => {
            Draft::Decided(None)
        }
        (None, Conclusion::Fails(path)) if !always => match problem.replay(path) {
            Some(counterexample) => Draft::Decided(Some(counterexample)),
            None => Draft::Requirement(requirement),
        },
        (None, _) => Draft::Requirement(requirement),
    };
    (draft, n_states, steps)
}
