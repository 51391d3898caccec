//! The checker of an abstraction: it derives the program's commands and goes through the derivations.

use super::cycles::check_cycles;
use super::evidence::{DataCertificate, DataEvidence, WrittenDerivation};
use super::obligations::{
    DataQuestion, DerivedProgram, ProofObligation, derive_commands, obligations,
};
use crate::derive::NotDerived;
use crate::obligation::{Obligation, Rejection};
use resy_index::Id;
use resy_symbolic::{Solver, SolverAnswer, SymbolicProgram, Terms, derivation};
use std::collections::BTreeSet;

/// An accepted certificate: the amount of work.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct DataChecked {
    /// The control states with valuations.
    pub n_controls: usize,
    /// The valuations.
    pub n_states: usize,
    /// The predicates.
    pub n_predicates: usize,
    /// The formulas that were refuted.
    pub n_obligations: usize,
    /// The steps of their derivations.
    pub n_steps: usize,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRefuted {
    /// It is rejected.
    Rejected(Rejection),
    /// An obligation has no derivation, or the solver does not know: the obligation and its place.
    Open(Obligation, String),
    /// A limit was reached.
    Stopped,
}

impl From<Rejection> for NotRefuted {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<NotDerived> for NotRefuted {
    fn from(why: NotDerived) -> Self {
        match why {
            NotDerived::Rejected(rejection) => Self::Rejected(rejection),
            NotDerived::Stopped => Self::Stopped,
        }
    }
}

/// Whether a certificate shows that a property of a program holds. The program must have been read from the
/// certificate's text. With a solver, its opinion counts instead of the derivations. `go_on` may cancel.
pub fn check_data(
    certificate: &DataCertificate,
    program: &mut SymbolicProgram<'_>,
    question: &DataQuestion<'_>,
    mut solver: Option<&mut dyn Solver>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<DataChecked, NotRefuted> {
    let DataCertificate { origin, evidence, derivations } = certificate;
    if crate::hash(&origin.text) != origin.hash {
        return Err(Obligation::Text.fails("the text has been changed").into());
    }
    let mut derived = derived(evidence, program, go_on)?;
    check_cycles(&mut derived, evidence, question, go_on)?;
    let mut written = derivations.iter();
    let (mut checked, mut open) = (sizes(evidence), None);
    obligations(&mut derived, evidence, question, &mut |terms, asked| {
        if !go_on() {
            open = Some(NotRefuted::Stopped);
            return Err(asked.obligation.fails("it was cancelled"));
        }
        checked.n_obligations += 1;
        let written = written.next();
        let written = written.ok_or_else(|| asked.obligation.fails("a derivation is missing"))?;
        let refuted = match (&mut solver, written) {
            (Some(solver), _) => refuted_by(*solver, terms, asked)?,
            (None, Some(written)) => {
                checked.n_steps += written.derivation.steps.len();
                confirm(terms, asked, written)?;
                true
            }
            (None, None) => false,
        };
        if !refuted && open.is_none() {
            open = Some(NotRefuted::Open(asked.obligation, asked.place.clone()));
        }
        Ok(())
    })
    .map_err(|rejection| match open.take() {
        Some(NotRefuted::Stopped) => NotRefuted::Stopped,
        _ => NotRefuted::Rejected(rejection),
    })?;
    if written.next().is_some() {
        return Err(Obligation::Text.fails("there are more derivations than obligations").into());
    }
    match open {
        Some(open) => Err(open),
        None => Ok(checked),
    }
}

fn sizes(evidence: &DataEvidence) -> DataChecked {
    DataChecked {
        n_controls: evidence.controls.iter().filter(|list| !list.is_empty()).count(),
        n_states: evidence.controls.iter().map(Vec::len).sum(),
        n_predicates: evidence.predicates.len(),
        ..DataChecked::default()
    }
}

/// Derives the program of some evidence: its variables are those that are listed, and every valuation has a control
/// state and a value for each predicate.
pub fn derived<'p, 'a>(
    evidence: &DataEvidence,
    program: &'p mut SymbolicProgram<'a>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<DerivedProgram<'p, 'a>, NotDerived> {
    let has_states = &mut |_: &SymbolicProgram<'_>, control: resy_symbolic::ControlId| {
        evidence.controls.get(control.index()).is_some_and(|list| !list.is_empty())
    };
    let explored = derive_commands(program, has_states, go_on);
    let explored = explored.map_err(|why| Obligation::Text.fails(why.why))?;
    explored.ok_or(NotDerived::Stopped)?;
    if evidence.controls.len() > program.controls().len() {
        return Err(Obligation::Valuations
            .fails("a control state that the program has not")
            .into());
    }
    let mut terms = program.terms().borrow_mut();
    let found = terms.symbols().iter().map(|symbol| (symbol.name.clone(), symbol.sort));
    if !found.eq(evidence.symbols.iter().cloned()) {
        let place = "the variables are not those of the program's formulas";
        return Err(Obligation::Names.fails(place).into());
    }
    let made = terms.adopt(&evidence.terms).map_err(|why| Obligation::Valuations.fails(why))?;
    let predicates: Vec<_> =
        evidence.predicates.iter().filter_map(|&i| made.get(i).copied()).collect();
    let ranks: Vec<_> = evidence.ranks.iter().filter_map(|&i| made.get(i).copied()).collect();
    let is_whole =
        (predicates.len(), ranks.len()) == (evidence.predicates.len(), evidence.ranks.len());
    let are_boolean = predicates.iter().all(|&p| terms.sort(p) == resy_symbolic::Sort::Boolean);
    let are_integers = ranks.iter().all(|&r| terms.sort(r) == resy_symbolic::Sort::Integer);
    if !is_whole || !are_boolean || !are_integers {
        return Err(Obligation::Valuations.fails("a predicate or a ranking that is none").into());
    }
    drop(terms);
    for (number, list) in evidence.controls.iter().enumerate() {
        let is_once = list.iter().collect::<BTreeSet<_>>().len() == list.len();
        if !is_once || list.iter().any(|values| values.len() != predicates.len()) {
            return Err(Obligation::Valuations.fails(format!("control state {number}")).into());
        }
    }
    Ok(DerivedProgram { program, predicates, ranks })
}

/// Checks the derivation of an obligation.
fn confirm(
    terms: &mut Terms,
    asked: &ProofObligation,
    written: &WrittenDerivation,
) -> Result<(), Rejection> {
    let fails = |why: String| asked.obligation.fails(format!("{}: {why}", asked.place));
    let made = terms.adopt(&written.terms).map_err(fails)?;
    let mut is_known = true;
    let derivation = written.derivation.with_terms(|id| {
        let term = made.get(id.index()).copied();
        is_known &= term.is_some();
        term.unwrap_or(id)
    });
    if !is_known {
        return Err(fails("a term that is not listed".to_owned()));
    }
    let checked = derivation::check(terms, &asked.formulas, &derivation);
    checked.map_err(|_| fails("its derivation is wrong".to_owned()))
}

/// Whether a solver refutes an obligation; a model of it rejects the certificate.
pub fn refuted_by(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    asked: &ProofObligation,
) -> Result<bool, Rejection> {
    solver.push();
    asked.formulas.iter().for_each(|&formula| solver.assert(formula));
    let answer = solver.check(terms, &[]);
    solver.pop();
    match answer {
        SolverAnswer::Unsatisfiable(_) => Ok(true),
        SolverAnswer::Unknown(_) => Ok(false),
        SolverAnswer::Satisfiable(_) => {
            Err(asked.obligation.fails(format!("{}: the solver has a model", asked.place)))
        }
    }
}
