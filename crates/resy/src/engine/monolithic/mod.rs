//! The engine that visits all states: of a program by compiled steps, of a network or of processes in FSP as a product.

mod composition;
mod product;
mod program;
mod saving;
mod team;

use super::{Account, Case, Engine};
use crate::control::Control;
use crate::question::CallError;
use crate::subject::Subject;

/// Visits all states of the whole system.
pub(super) struct Monolithic;

impl Engine for Monolithic {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "All states of the whole system"
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        decide_beside(case, control, None)
    }
}

/// The name of the engine.
const NAME: &str = "monolithic";

/// What a search does for the rivals that it races with.
pub(super) trait Rivals {
    /// Yields to them.
    fn offer(&self);
}

/// Decides a case, perhaps beside rivals that share its threads.
pub(super) fn decide_beside(
    case: &Case,
    control: &Control,
    rivals: Option<&dyn Rivals>,
) -> Result<Account, CallError> {
    if case.question.certificate {
        return Err(CallError::NoCertificate);
    }
    match case.model.subject() {
        Subject::Program(program) => program::search_states(case, program, control, rivals),
        Subject::Network(file) => match case.question.search_only() {
            Some(option) if option != "plain" => Err(CallError::SearchOnly(option)),
            _ => Ok(product::explore(&file.network, control, rivals)),
        },
        Subject::Fsp(model) => match case.question.search_only() {
            Some(option) if !["plain", "shortest"].contains(&option) => {
                Err(CallError::SearchOnly(option))
            }
            _ => Ok(composition::explore(case, model, control, rivals)),
        },
    }
}
