//! The methods that find a requirement, each within the limits of a control.

use super::SynthesisResult;
use super::options::{AssumeOptions, Synthesis};
use super::result::{Canonicity, NoRequirement, Refined};
use crate::assumption::{self, InterfaceAssumption};
use crate::control::{Control, Message, Stop};
use crate::problem::Problem;
use resy_automata::lts::Lts;
use resy_compose::auto::{self, AutoOptions, AutoProgress};
use resy_compose::minimize::minimize;
use resy_compose::refine::{self, RequirementDraft, alternating, forward_first};
use resy_compose::{Conclusion, Requirement, exact};
use std::cell::Cell;
use std::time::Duration;

/// With more contexts the exact method is given up.
const MAX_CONTEXTS: usize = 20_000_000;

/// With more contexts a smaller requirement is proved by refinement.
const FEW_CONTEXTS: usize = 200_000;

/// An assumption about the interface, and the image of the module that it gives.
pub(super) fn about_interface(
    options: &AssumeOptions,
    problem: &Problem<'_>,
    control: &Control,
) -> SynthesisResult {
    let (requirement, assumption) = assumption::synthesize(problem, options, control);
    let steps = assumption.as_ref().map_or(0, InterfaceAssumption::n_refinements);
    let is_interrupted = requirement.verdict == Conclusion::Interrupted;
    let method = options.method.name();
    let found = SynthesisResult::bare(requirement, method, Canonicity::Unknown, control);
    SynthesisResult { assumption, steps, is_interrupted, ..found }
}

/// Tells the progress of a synthesis; whether to go on.
pub(super) fn told(progress: &AutoProgress, control: &Control) -> bool {
    match progress {
        AutoProgress::Exploring(n_states) => return control.product(*n_states),
        AutoProgress::Folding(progress) => control.folding(progress),
        AutoProgress::Refining(progress) => control.refinement(progress, || None),
    }
    control.may_go_on()
}

/// The requirement by whichever method proves the property first.
pub(super) fn automatic(
    options: &AssumeOptions,
    problem: &Problem<'_>,
    control: &Control,
) -> Result<SynthesisResult, NoRequirement> {
    let mut steps = 0;
    // A smaller requirement is worth less than the proof of one.
    let end = control.timeout().filter(|_| options.certificate).map(|limit| limit / 4 * 3);
    let is_late = || end.is_some_and(|end| control.elapsed() > end);
    let auto = AutoOptions::default();
    let found = auto::synthesize(&problem.network, &problem.split, &auto, |progress| {
        if let AutoProgress::Refining(progress) = progress {
            steps = progress.steps;
        }
        told(progress, control) && !is_late()
    });
    let found = found.map_err(|error| NoRequirement::OutOfReach(error.to_string()))?;
    control.tell(&Message::Done);
    Ok(SynthesisResult::kept(found, steps, Canonicity::Unknown, control))
}

/// The canonical requirement from all contexts, if they fit into the limits.
pub(super) fn exact(problem: &Problem<'_>, control: &Control) -> Result<SynthesisResult, String> {
    let found = exact::synthesize_while(&problem.split, MAX_CONTEXTS, || control.may_go_on());
    match found {
        Ok(Some(requirement)) => {
            let method = Synthesis::Exact.name();
            Ok(SynthesisResult::bare(requirement, method, Canonicity::Canonical, control))
        }
        Ok(None) => Err(control.exceeded().unwrap_or(Stop::Cancelled).to_string()),
        Err(_) => Err(format!("there are more than {MAX_CONTEXTS} contexts")),
    }
}

/// Refines until the requirement is canonical, or until a limit is reached.
pub(super) fn refined(
    options: &AssumeOptions,
    problem: &Problem<'_>,
    control: &Control,
) -> SynthesisResult {
    let mut trace = Vec::new();
    let (mut steps, mut is_interrupted, mut overhead) = (0, false, Duration::ZERO);
    let is_stopped = Cell::new(false);
    let in_step = || {
        is_stopped.set(!control.may_go_on());
        !is_stopped.get()
    };
    let go_on = |draft: &mut RequirementDraft<'_, '_>| {
        let (start, progress) = (control.elapsed(), draft.progress());
        steps = progress.steps;
        if options.trace {
            trace.push(record(draft, start - overhead));
        }
        // To know the size takes a while; at most a tenth of the time is spent on it.
        let size = || (overhead * 10 <= start).then(|| draft.requirement().lts().n_states());
        control.refinement(&progress, size);
        overhead += control.elapsed() - start;
        let is_late = !control.may_go_on();
        if is_late {
            draft.hurry();
        }
        is_interrupted = is_late || options.steps.is_some_and(|most| steps >= most);
        !is_interrupted
    };
    let requirement = refine::assume_while(&problem.split, forward_first, go_on, in_step);
    is_interrupted |= is_stopped.get();
    control.tell(&Message::Done);
    let elapsed = control.elapsed() - overhead;
    let canonicity = if is_interrupted { Canonicity::Unknown } else { Canonicity::Canonical };
    let found = SynthesisResult::bare(requirement, Synthesis::Refine.name(), canonicity, control);
    SynthesisResult { steps, is_interrupted, trace, elapsed, ..found }
}

fn record(draft: &mut RequirementDraft<'_, '_>, elapsed: Duration) -> Refined {
    let progress = draft.progress();
    let n_states = draft.requirement().lts().n_states();
    Refined { step: progress.steps, n_classes: progress.n_classes, n_states, elapsed }
}

/// Merges further while the property is still proved, within the limits.
pub(super) fn minimized(
    problem: &Problem<'_>,
    requirement: &Requirement,
    control: &Control,
) -> Requirement {
    let split = &problem.split;
    let module = &split.module.lts;
    let in_time = || control.may_go_on();
    if let Ok(mut proves) = exact::prover_while(split, FEW_CONTEXTS, in_time) {
        return minimize(module, requirement, |lts| if in_time() { proves(lts) } else { None });
    }
    let proves = |lts: &Lts| {
        let checked = refine::check(&split.with_module(lts.clone()), alternating, |_| in_time());
        checked.verdict == Conclusion::Holds
    };
    minimize(module, requirement, |lts| in_time().then(|| proves(lts)))
}
