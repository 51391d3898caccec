//! Predicates between the steps of a path that is no run: interpolants.
//!
//! Every variable gets a copy for each command that changes it, and an equation says what the copy is.
//! The interpolant between the first commands and the rest then has only the variables that are current
//! there: it says what the rest needs to know of the first commands. Unlike a precondition it is not
//! carried back through every turn of a loop, but combines what the first commands say, so that amounts
//! that cancel out disappear: after `x = x - d; y = y + d` it is about `x + y`.

use super::basis::{Basis, PredicateSource};
use super::refine::{NewPredicates, add_atoms};
use crate::embedded::Embedded;
use crate::interpolant::interpolant;
use resy_symbolic::{GuardedCommand, Solver, SolverAnswer, SymbolId, SymbolicProgram};
use resy_symbolic::{TermId, Terms};
use rustc_hash::FxHashMap;

/// Longer paths are not cut: each cut costs as much as the derivation is long.
const MOST_CUTS: usize = 400;

/// Adds the atoms of interpolants between the commands of a path.
pub(crate) fn interpolants(
    program: &SymbolicProgram<'_>,
    basis: &mut Basis,
    commands: &[GuardedCommand],
    core: &[Vec<TermId>],
) -> NewPredicates {
    let mut new = NewPredicates::default();
    let mut terms = program.terms().borrow_mut();
    let path = CopiedPath::of(&mut terms, commands, core);
    if path.steps.len() > MOST_CUTS {
        return new;
    }
    // The embedded procedure has derivations, whichever solver found the path to be none.
    let mut solver = Embedded::new();
    path.steps.iter().flatten().for_each(|&formula| solver.assert(formula));
    let SolverAnswer::Unsatisfiable(refutation) = solver.check(&mut terms, &[]) else {
        return new;
    };
    let Some(derivation) = refutation.derivation else { return new };
    for cut in 1..path.steps.len() {
        let (before, after) = path.steps.split_at(cut);
        let (before, after) = (before.concat(), after.concat());
        let Some(found) = interpolant(&mut terms, &derivation, &before, &after) else { continue };
        let found = terms.substitute(found, &path.originals[cut]);
        add_atoms(&mut terms, basis, &[found], PredicateSource::Interpolant, &mut new);
    }
    new
}

/// A path over copies of the variables.
struct CopiedPath {
    /// What each command demands and sets, and in the end what is demanded there.
    steps: Vec<Vec<TermId>>,
    /// Before each of them: the variables that the current copies stand for.
    originals: Vec<FxHashMap<SymbolId, TermId>>,
}

impl CopiedPath {
    fn of(terms: &mut Terms, commands: &[GuardedCommand], core: &[Vec<TermId>]) -> Self {
        let mut path = Self { steps: Vec::new(), originals: Vec::new() };
        let mut now: FxHashMap<SymbolId, TermId> = FxHashMap::default();
        let mut originals: FxHashMap<SymbolId, TermId> = FxHashMap::default();
        let copy = |terms: &mut Terms, symbol: SymbolId| {
            let declared = terms.declaration(symbol).clone();
            let copy = terms.declare(&declared.name, declared.sort);
            (copy, terms.symbol(copy))
        };
        for (at, command) in commands.iter().enumerate() {
            path.originals.push(originals.clone());
            let mut map = now.clone();
            map.extend(command.inputs.iter().map(|&input| (input, copy(terms, input).1)));
            let guards = core.get(at).into_iter().flatten();
            let mut step: Vec<TermId> = guards.map(|&g| terms.substitute(g, &map)).collect();
            let mut updates: Vec<(SymbolId, TermId)> =
                command.updates.iter().map(|(&symbol, &value)| (symbol, value)).collect();
            updates.sort_unstable();
            for (symbol, value) in updates {
                let value = terms.substitute(value, &map);
                let (new, as_term) = copy(terms, symbol);
                step.push(terms.equal(as_term, value));
                if let Some(old) = now.insert(symbol, as_term) {
                    originals.retain(|&known, _| terms.symbol(known) != old);
                }
                let original = terms.symbol(symbol);
                originals.insert(new, original);
            }
            path.steps.push(step);
        }
        path.originals.push(originals);
        let last = core.get(commands.len()).into_iter().flatten();
        path.steps.push(last.map(|&formula| terms.substitute(formula, &now)).collect());
        path
    }
}
