//! The requirement of the definition: by all contexts if they are few, by two foldings, or among what is
//! reachable.

use super::{Canonicity, NoRequirement, SynthesisResult, told};
use crate::control::{Control, Message};
use crate::problem::Problem;
use resy_automata::partition::Partition;
use resy_compose::canonical::CanonicalLimits;
use resy_compose::fold::FoldLimits;
use resy_compose::{Conclusion, Requirement, canonical, exact};

/// With more contexts two foldings are tried first.
const FEW_CONTEXTS: usize = 20_000;

/// With more pairs or contexts of the folded environment foldings are given up.
const MAX_FOLDED: usize = 1_000_000;

/// With more contexts the definition among reachable states is given up.
const MAX_GUARDED: usize = 4_000_000;

/// The canonical requirement, by whichever method has it within its limit. The limits count, so that
/// the answer does not depend on the machine.
pub(super) fn by_any_method(
    problem: &Problem<'_>,
    control: &Control,
) -> Result<SynthesisResult, NoRequirement> {
    let split = &problem.split;
    let few = exact::synthesize_while(split, FEW_CONTEXTS, || control.may_go_on());
    if let Ok(Some(requirement)) = few {
        return Ok(SynthesisResult::bare(requirement, "exact", Canonicity::Canonical, control));
    }
    if let Some(found) = folded(problem, control)? {
        return Ok(found);
    }
    let guarded = exact::guarded(split, MAX_GUARDED, || control.may_go_on());
    if let Ok(Some(requirement)) = guarded {
        let canonicity = Canonicity::AmongReachable;
        return Ok(SynthesisResult::bare(requirement, "exact with guards", canonicity, control));
    }
    match super::exact(problem, control) {
        Ok(found) => Ok(found),
        Err(_) if !control.may_go_on() => Ok(interrupted(problem, control)),
        Err(why) => Err(NoRequirement::ExactOnly(why)),
    }
}

/// The canonical requirement by two foldings.
pub(super) fn by_folding(
    problem: &Problem<'_>,
    control: &Control,
) -> Result<SynthesisResult, NoRequirement> {
    let found = folded(problem, control)?;
    found.ok_or_else(|| {
        let why = format!("the folded environment has more than {MAX_FOLDED} contexts");
        NoRequirement::ExactOnly(why)
    })
}

/// `None` if the limit is exceeded. If the control has stopped it, it is the module itself.
fn folded(
    problem: &Problem<'_>,
    control: &Control,
) -> Result<Option<SynthesisResult>, NoRequirement> {
    let (network, split) = (&problem.network, &problem.split);
    let limits = CanonicalLimits { fold: FoldLimits::default(), contexts: MAX_FOLDED };
    let found = canonical::synthesize(network, split, limits, |progress| told(progress, control));
    control.tell(&Message::Done);
    let found = found.map_err(|error| NoRequirement::OutOfReach(error.to_string()))?;
    Ok(found.map(|found| {
        let is_known = !found.is_cancelled;
        let canonicity = if is_known { Canonicity::Canonical } else { Canonicity::Unknown };
        SynthesisResult::kept(found, 0, canonicity, control)
    }))
}

/// The module itself: sound, and nothing is known.
fn interrupted(problem: &Problem<'_>, control: &Control) -> SynthesisResult {
    let module = &problem.split.module.lts;
    let discrete = Partition::discrete(module.n_states());
    let requirement = Requirement::new(module, discrete, Conclusion::Interrupted);
    let found = SynthesisResult::bare(requirement, "exact", Canonicity::Unknown, control);
    SynthesisResult { is_interrupted: true, ..found }
}
