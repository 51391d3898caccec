//! Bounds that hold together: the largest inductive set of simple candidates.
//!
//! Preconditions of a loop may never end, `x < y`, `x < 2*y`, …, where two bounds of the variables are enough. Candidates are
//! linear equalities that all commands keep, the predicates at hand, the atoms of guards, and comparisons of each variable with
//! numbers, parameters and other variables. If the largest inductive subset excludes all violations, what this rests on becomes
//! predicates.

use super::basis::Basis;
use super::equalities;
use super::houdini::{Houdini, Step};
use resy_index::Id;
use resy_symbolic::{
    ControlId, GuardedCommand, OutOfReach, Solver, Sort, SymbolId, SymbolicProgram, TermId,
};
use resy_system::Outcome;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// More candidates are not tried.
const MOST_CANDIDATES: usize = 240;

/// So many control states and queries are tried with an effort of one.
const MOST_CONTROLS: usize = 2_000;
const MOST_QUERIES: u64 = 20_000;

/// Formulas with more subterms are no candidates.
const LARGEST: usize = 12;

/// What was found out about bounds that hold together.
pub(super) enum Bounds {
    /// They exclude all violations by these.
    Excluding(BTreeSet<TermId>),
    /// They do not exclude all.
    TooFew,
    /// The effort was not enough to know.
    Exhausted,
}

/// Bounds that exclude all violations together, with some effort.
pub(super) fn excluding(
    program: &mut SymbolicProgram<'_>,
    solver: &mut dyn Solver,
    basis: &Basis,
    is_violated: &dyn Fn(&Outcome) -> bool,
    effort: u32,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Bounds, OutOfReach> {
    let most_controls = MOST_CONTROLS * effort as usize;
    let Some(steps) = steps(program, most_controls, go_on)? else { return Ok(Bounds::Exhausted) };
    let equalities = equalities::equalities(program, &steps, go_on);
    let candidates = candidates(program, basis, &equalities, &steps);
    let most_queries = MOST_QUERIES * u64::from(effort);
    let mut search = Houdini::new(program, solver, candidates, steps, most_queries);
    if !search.settle(go_on)? {
        return Ok(Bounds::Exhausted);
    }
    let needed = search.needed(is_violated, go_on)?;
    Ok(needed.map_or(Bounds::TooFew, Bounds::Excluding))
}

/// The commands of all control states; `None` if there are too many.
fn steps(
    program: &mut SymbolicProgram<'_>,
    most_controls: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Option<Vec<Step>>, OutOfReach> {
    let start = program.start()?;
    let mut steps: Vec<Step> =
        start.iter().map(|command| Step { source: None, command: command.clone() }).collect();
    let mut next = 0;
    while next < program.controls().len() {
        if next >= most_controls || !go_on(next) {
            return Ok(None);
        }
        let control = ControlId::from_index(next);
        next += 1;
        let commands = program.commands(control)?;
        let stay = |command: &&GuardedCommand| {
            command.target != Some(control) || !command.updates.is_empty()
        };
        let commands = commands.iter().filter(stay).cloned();
        steps.extend(commands.map(|command| Step { source: Some(control), command }));
    }
    Ok(Some(steps))
}

/// The predicates at hand, atoms of guards, and comparisons of variables; the first of them if there are many.
fn candidates(
    program: &SymbolicProgram<'_>,
    basis: &Basis,
    equalities: &[TermId],
    steps: &[Step],
) -> Vec<TermId> {
    let mut terms = program.terms().borrow_mut();
    let mut found: Vec<TermId> = equalities.to_vec();
    let inputs: FxHashSet<SymbolId> =
        steps.iter().flat_map(|step| step.command.inputs.iter().copied()).collect();
    let guards: Vec<TermId> = steps.iter().flat_map(|step| step.command.guard.clone()).collect();
    let own = basis.as_slice().iter().map(|predicate| predicate.formula);
    let given: Vec<TermId> = own.chain(terms.atoms_in(&guards)).collect();
    let is_of_data = |terms: &resy_symbolic::Terms, formula: TermId| {
        let size = terms.closure(&[formula]).len();
        size <= LARGEST
            && !terms.symbols_in(&[formula]).iter().any(|symbol| inputs.contains(symbol))
    };
    let moving: BTreeSet<SymbolId> =
        steps.iter().flat_map(|step| step.command.updates.keys().copied()).collect();
    let is_integer = |s: &SymbolId| terms.declaration(*s).sort == Sort::Integer;
    let moving: Vec<SymbolId> = moving.into_iter().filter(is_integer).collect();
    let parameters: Vec<SymbolId> =
        program.parameters().iter().copied().filter(is_integer).collect();
    let moving: Vec<TermId> = moving.into_iter().map(|s| terms.symbol(s)).collect();
    let mut others: Vec<TermId> = [0, 1].into_iter().map(|n| terms.number(n)).collect();
    others.extend(parameters.into_iter().map(|s| terms.symbol(s)).collect::<Vec<_>>());
    for formula in given {
        if !is_of_data(&terms, formula) {
            continue;
        }
        found.extend([formula, terms.not(formula)]);
    }
    for (number, &x) in moving.iter().enumerate() {
        for &y in others.iter().chain(&moving[..number]) {
            found.extend([terms.at_most(x, y), terms.at_least(x, y)]);
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|&formula| terms.as_truth(formula).is_none() && seen.insert(formula));
    found.truncate(MOST_CANDIDATES);
    found
}
