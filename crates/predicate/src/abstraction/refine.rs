//! New predicates from a path that is no run.
//!
//! The first source is substitution alone: what refutes the path, carried back along its assignments.
//! Inputs are projected out of linear bounds by Fourier and Motzkin's elimination. The other sources
//! do not depend on the path: assertions as wholes, assignments as equalities, differences of counters.

use super::basis::{Basis, BasisPredicate, PredicateSource};
use super::cases;
use super::counters::{counters, proportions};
use crate::liveness::conditions;
use resy_index::Id;
use resy_symbolic::{CommandKind, ControlId, GuardedCommand};
use resy_symbolic::{Rational, Relation, Sort, SymbolId, SymbolicProgram, Term, TermId, Terms};
use resy_system::{Command, Expr};
use std::collections::BTreeSet;

/// What new predicates look like.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct NewPredicates {
    /// The size of the largest one; 0 if there is none.
    pub size: usize,
    /// Whether one of them compares the same sum with yet another number.
    pub repeats: bool,
}

/// So many comparisons of one sum with numbers are more than a proof needs.
const MOST_BOUNDS: usize = 5;

/// So are so many sums of the same variables: `2*d <= x`, `3*d <= x`, …
const MOST_MULTIPLES: usize = 12;

/// How preconditions become predicates.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As they are, without those that have a changed array.
    Plain,
    /// Reads of changed arrays and quotients are decided by cases, and what equals a parameter is that parameter.
    ByCases,
}

/// Adds the weakest preconditions of what refutes a path.
pub(crate) fn preconditions(
    program: &SymbolicProgram<'_>,
    basis: &mut Basis,
    commands: &[GuardedCommand],
    core: &[Vec<TermId>],
    form: Form,
) -> NewPredicates {
    let mut terms = program.terms().borrow_mut();
    let mut new = NewPredicates::default();
    let mut carried: Vec<TermId> = core.last().cloned().unwrap_or_default();
    for (at, command) in commands.iter().enumerate().rev() {
        let later = carried.iter().map(|&f| terms.substitute(f, &command.updates));
        let mut here: Vec<TermId> = later.collect();
        here.extend(&core[at]);
        for &input in &command.inputs {
            here = project(&mut terms, here, input);
        }
        if form == Form::ByCases {
            here = cases::by_parameters(&mut terms, program.parameters(), &here);
        }
        here.retain(|&f| terms.as_truth(f).is_none());
        here.sort_unstable();
        here.dedup();
        if command.kind == CommandKind::Start {
            break;
        }
        let atoms = match form {
            Form::Plain => here.clone(),
            Form::ByCases => cases::without_cases(&mut terms, program.parameters(), &here),
        };
        add_atoms(&mut terms, basis, &atoms, PredicateSource::Precondition, &mut new);
        carried = here;
    }
    new
}

/// Adds the atoms of formulas, without those that have a changed array: it would change once more in the next
/// round.
pub(crate) fn add_atoms(
    terms: &mut Terms,
    basis: &mut Basis,
    formulas: &[TermId],
    source: PredicateSource,
    new: &mut NewPredicates,
) {
    let is_changed = |terms: &Terms, id: TermId| {
        matches!(terms.term(id), Term::Store(..) | Term::Difference(..))
    };
    for atom in terms.atoms_in(formulas) {
        if terms.closure(&[atom]).iter().any(|&part| is_changed(terms, part)) {
            continue;
        }
        for predicate in bounds_of(terms, atom) {
            if basis.add(terms, predicate, source) {
                new.size = new.size.max(terms.closure(&[predicate]).len());
                new.repeats |= n_bounds(terms, basis, predicate) > MOST_BOUNDS
                    || n_multiples(terms, basis, predicate) > MOST_MULTIPLES;
            }
        }
    }
}

/// An equality of integers as two bounds: of these an invariant consists more often, and a chain of
/// equalities `x == -1`, `x == -2`, … has no end where one bound is enough.
fn bounds_of(terms: &mut Terms, atom: TermId) -> Vec<TermId> {
    let Term::Compare(Relation::Equal, sum, bound) = terms.term(atom).clone() else {
        return vec![atom];
    };
    let is_plain = |part: &TermId| {
        matches!(terms.term(*part), Term::Symbol(_)) && terms.sort(*part) == Sort::Integer
    };
    if !sum.summands.iter().all(|(part, _)| is_plain(part)) {
        return vec![atom];
    }
    let (left, right) = (terms.of_sum(sum), terms.number(bound));
    vec![terms.at_most(left, right), terms.at_least(left, right)]
}

/// The number of predicates that compare the same sum with a number.
fn n_bounds(terms: &Terms, basis: &Basis, predicate: TermId) -> usize {
    let sum_of = |formula: TermId| match terms.term(terms.literal(formula).0) {
        Term::Compare(_, sum, _) => Some(sum),
        _ => None,
    };
    let Some(sum) = sum_of(predicate) else { return 0 };
    basis.as_slice().iter().filter(|p| sum_of(p.formula) == Some(sum)).count()
}

/// The number of predicates that compare a sum of the same terms, whatever their coefficients.
fn n_multiples(terms: &Terms, basis: &Basis, predicate: TermId) -> usize {
    let terms_of = |formula: TermId| match terms.term(terms.literal(formula).0) {
        Term::Compare(_, sum, _) => Some(sum.summands.iter().map(|(term, _)| *term)),
        _ => None,
    };
    let Some(own) = terms_of(predicate) else { return 0 };
    let is_same = |p: &&BasisPredicate| terms_of(p.formula).is_some_and(|o| o.eq(own.clone()));
    basis.as_slice().iter().filter(is_same).count()
}

/// The consequences of some literals that do not contain an input: those without it, and the
/// combinations of its lower and upper bounds.
fn project(terms: &mut Terms, literals: Vec<TermId>, input: SymbolId) -> Vec<TermId> {
    let (with, mut without): (Vec<TermId>, Vec<TermId>) =
        literals.into_iter().partition(|&f| terms.symbols_in(&[f]).contains(&input));
    let bounds: Vec<Bound> = with.into_iter().flat_map(|f| bounds(terms, f, input)).collect();
    let (lower, upper): (Vec<&Bound>, Vec<&Bound>) =
        bounds.iter().partition(|bound| bound.coefficient.signum() < 0);
    for low in &lower {
        for high in &upper {
            let Some(opposite) = low.coefficient.negate() else { continue };
            let (a, b) = (terms.scale(opposite, high.sum), terms.scale(high.coefficient, low.sum));
            let (sum, zero) = (terms.add(a, b), terms.number(0));
            without.push(match low.is_strict || high.is_strict {
                true => terms.less(sum, zero),
                false => terms.at_most(sum, zero),
            });
        }
    }
    without
}

/// `sum <= 0` or `sum < 0`, and the coefficient of the input in it.
struct Bound {
    sum: TermId,
    coefficient: Rational,
    is_strict: bool,
}

fn bounds(terms: &mut Terms, literal: TermId, input: SymbolId) -> Vec<Bound> {
    let (atom, is_positive) = terms.literal(literal);
    let Term::Compare(relation, sum, bound) = terms.term(atom).clone() else { return Vec::new() };
    let input = terms.symbol(input);
    let (left, right) = (terms.of_sum(sum), terms.number(bound));
    let (below, above) = (terms.subtract(left, right), terms.subtract(right, left));
    let sides = match (relation, is_positive) {
        (Relation::AtMost, true) => vec![(below, false)],
        (Relation::AtMost, false) => vec![(above, true)],
        (Relation::Less, true) => vec![(below, true)],
        (Relation::Less, false) => vec![(above, false)],
        (Relation::Equal, true) => vec![(below, false), (above, false)],
        (Relation::Equal, false) => Vec::new(),
    };
    let of_side = |(sum, is_strict): (TermId, bool)| {
        let parts = terms.sum_of(sum);
        let coefficient = parts.summands.iter().find(|(part, _)| *part == input)?.1;
        Some(Bound { sum, coefficient, is_strict })
    };
    sides.into_iter().filter_map(of_side).collect()
}

/// Adds all that a source which does not depend on paths has; returns whether there was anything new.
pub(crate) fn from_text(
    program: &mut SymbolicProgram<'_>,
    basis: &mut Basis,
    source: PredicateSource,
) -> bool {
    let found = match source {
        PredicateSource::Assertion => assertions(program),
        PredicateSource::Assignment => assignments(program),
        PredicateSource::Counters => counters(program),
        PredicateSource::Proportions => proportions(program),
        PredicateSource::Given
        | PredicateSource::Precondition
        | PredicateSource::Ranking
        | PredicateSource::Invariant
        | PredicateSource::Interpolant => Vec::new(),
    };
    let terms = program.terms().borrow();
    found.into_iter().fold(false, |any, formula| basis.add(&terms, formula, source) | any)
}

/// Adds what has to be known for the guessed rankings of a cycle to fall; returns whether anything is new.
pub(crate) fn rankings(
    program: &SymbolicProgram<'_>,
    basis: &mut Basis,
    commands: &[GuardedCommand],
) -> bool {
    let formulas = conditions(program, commands);
    let mut terms = program.terms().borrow_mut();
    let mut new = NewPredicates::default();
    add_atoms(&mut terms, basis, &formulas, PredicateSource::Ranking, &mut new);
    new.size > 0
}

/// Adds the atoms of all guards that contain no inputs; returns whether one is new.
pub(crate) fn guards(program: &SymbolicProgram<'_>, basis: &mut Basis) -> bool {
    let mut is_new = false;
    for command in program.known_commands() {
        let terms = program.terms().borrow();
        for atom in terms.atoms_in(&command.guard) {
            let symbols = terms.symbols_in(&[atom]);
            if symbols.iter().all(|symbol| !command.inputs.contains(symbol)) {
                is_new |= basis.add(&terms, atom, PredicateSource::Assertion);
            }
        }
    }
    is_new
}

/// Guards, assertions and propositions of the property that mention data, each as one formula.
fn assertions(program: &SymbolicProgram<'_>) -> Vec<TermId> {
    let mut found = BTreeSet::new();
    let system = program.interpreter().system();
    let n_controls = program.controls().len();
    for control in (0..n_controls).map(ControlId::from_index) {
        let mut conditions: Vec<(Option<usize>, &Expr)> =
            program.propositions().into_iter().map(|p| (None, p)).collect();
        for (pid, process) in program.controls()[control].state.processes().iter().enumerate() {
            let edges = &system.proctypes[process.proctype].edges[process.location];
            conditions.extend(edges.iter().filter_map(|edge| match &edge.command {
                Command::Guard(e) | Command::Assert(e, _) => Some((Some(pid), e)),
                _ => None,
            }));
        }
        for (pid, condition) in conditions {
            if let Ok(formula) = program.condition_of(control, pid, condition) {
                found.insert(formula);
            }
        }
    }
    found.into_iter().collect()
}

/// `x == t` for the assignments `x = t` that do not contain `x`.
fn assignments(program: &SymbolicProgram<'_>) -> Vec<TermId> {
    let mut found = BTreeSet::new();
    for command in program.known_commands() {
        for (&symbol, &value) in &command.updates {
            let mut terms = program.terms().borrow_mut();
            let symbols = terms.symbols_in(&[value]);
            let is_copy = !symbols.is_empty()
                && !symbols.contains(&symbol)
                && symbols.iter().all(|s| !command.inputs.contains(s));
            if is_copy && terms.sort(value).is_numeric() {
                let own = terms.symbol(symbol);
                found.insert(terms.equal(own, value));
            }
        }
    }
    found.into_iter().collect()
}
