//! The engine that visits all states: of a program by compiled steps, of a network or of processes in FSP as a product.

mod composition;
mod cycles;
mod product;
mod program;
mod saving;
mod shared;
mod swarm;
mod team;

use super::{Account, Case, Engine};
use crate::control::Control;
use crate::question::CallError;
use crate::subject::Subject;
use resy_system::Property;
use std::sync::Arc;

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
        decide_by(case, control, |finite| decide_beside(finite, control, None), false)
    }
}

/// Searches where a violation seems near, for a while: a rival in the race that can win by a violation, or because all
/// states were visited.
pub(super) struct Guided;

/// With more transitions the guide has not led to a violation.
const MOST_GUIDED: u64 = 20_000;

/// With more processes an estimate takes longer than it is worth.
const MOST_PROCESSES: usize = 100;

impl Engine for Guided {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "Where a violation seems near first"
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        let Subject::Program(program) = case.model.subject() else {
            return Ok(Account::default());
        };
        let initial = case.model.interpreter().and_then(|interpreter| interpreter.initial().ok());
        if initial.is_none_or(|state| state.processes().len() > MOST_PROCESSES) {
            return Ok(Account::default());
        }
        let mut guided = case.clone();
        guided.question.search.directed = true;
        guided.question.threads = Some(1);
        let account = program::search_states(&guided, program, control, None, Some(MOST_GUIDED))?;
        Ok(Account { how: format!("directed search, {}", account.how), ..account })
    }
}

/// Searches for cycles for a while, beside the search of all states.
pub(super) struct Lassos;

/// With more transitions the search for cycles waits until all states were visited.
const MOST_IN_CYCLES: u64 = 1_000_000;

impl Engine for Lassos {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "Cycles near the start"
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        let properties = &case.model.selection.properties;
        let limit = Some(MOST_IN_CYCLES);
        cycles::decide_one_by_one(case, properties, control, limit)
    }
}

/// Decides a case: what finite runs can violate by `decide`, which gets a case with these properties only, then what
/// only infinite runs can, perhaps in a race.
pub(super) fn decide_by(
    case: &Case,
    control: &Control,
    decide: impl FnOnce(&Case) -> Result<Account, CallError>,
    races: bool,
) -> Result<Account, CallError> {
    let properties = &case.model.selection.properties;
    let (infinite, finite): (Vec<Property>, Vec<Property>) =
        properties.iter().cloned().partition(Property::is_liveness);
    if infinite.is_empty() {
        return decide(case);
    }
    let account = match finite.is_empty() {
        true => None,
        false => {
            let model = Arc::new(case.model.asked_for(&finite));
            Some(decide(&Case { model, ..case.clone() })?)
        }
    };
    cycles::decide(case, &infinite, account, control, races)
}

/// The name of the engine.
const NAME: &str = "monolithic";

/// What a search does for the rivals that it races with.
pub(super) trait Rivals {
    /// Yields to them.
    fn offer(&self);

    /// Whether one of them has decided a property, so that the search need not.
    fn has_decided(&self, property: &Property) -> bool;
}

/// Decides the properties of a case that finite runs violate, perhaps beside rivals that share its threads.
pub(super) fn decide_beside(
    case: &Case,
    control: &Control,
    rivals: Option<&dyn Rivals>,
) -> Result<Account, CallError> {
    if case.question.certificate {
        return Err(CallError::NoCertificate);
    }
    match case.model.subject() {
        Subject::Program(program) => program::search_states(case, program, control, rivals, None),
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
