//! A contract for a property of infinite runs: the requirements prove that no process exceeds its bound.
//!
//! What is counted are the steps of each process ([`counting`]), which requirements have like any other actions: if each
//! component follows its requirement, what components do together the requirements can do together. So a monitor that counts
//! the steps of the requirements errs wherever one of the components would. There is one monitor for all processes, which
//! chooses one of them.

use crate::control::Control;
use crate::engine::counting::{Counted, Means, Method, exceeded, prove};
use crate::model::Model;
use crate::problem::Problem;
use crate::question::Question;
use resy_certificate::counted::settings;

/// The model with a monitor that follows the one property that is asked for, if it is about infinite runs; or why there can be
/// no contract for it.
pub(super) fn tracking(model: &Model, question: &Question) -> Result<Option<Model>, String> {
    let Some(name) = &question.property else { return Ok(None) };
    let asked = model.selection.properties.iter().find(|property| property.name() == name);
    match asked.filter(|property| property.is_liveness()) {
        None => Ok(None),
        Some(property) => {
            let tracking = model.tracking(property);
            tracking.map(Some).map_err(|why| format!("`{name}` cannot be counted: {why}"))
        }
    }
}

/// The settings that say how far the steps of each process are counted; or why there is no proof by counting.
pub(super) fn counts(
    problem: &Problem<'_>,
    question: &Question,
    control: &Control,
) -> Result<Vec<(String, String)>, String> {
    let methods = [Method::Refinement, Method::Folding];
    let n_threads = question.n_threads();
    let means = Means { methods: &methods, n_threads, wants_evidence: false, control };
    match prove(problem, &means) {
        Counted::Proved(proof) => Ok(settings(proof.order, &proof.bounds)),
        Counted::Exceeded(process) => Err(exceeded(problem, process)),
        Counted::OutOfReach(why) => Err(why.to_owned()),
        Counted::Interrupted => {
            let stop = control.exceeded();
            Err(stop.map_or("it was given up".to_owned(), |stop| stop.to_string()))
        }
    }
}
