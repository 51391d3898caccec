//! Bounds that hold together: the largest inductive set of simple candidates.
//!
//! Preconditions of a loop may never end, `x < y`, `x < 2*y`, …, where two bounds of the variables are enough. Candidates are
//! the predicates at hand, the atoms of guards, and comparisons of each variable with numbers, parameters and other variables. In each
//! control state those that a step into it may violate are dropped, until none is (Flanagan and Leino: Houdini, an annotation
//! assistant for ESC/Java, FME 2001). If the rest excludes all violations, what this rests on becomes predicates.

use super::basis::Basis;
use resy_index::Id;
use resy_symbolic::{
    ControlId, GuardedCommand, OutOfReach, Solver, SolverAnswer, Sort, SymbolId, SymbolicProgram,
    TermId,
};
use resy_system::Outcome;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// More candidates, control states and queries are not tried.
const MOST_CANDIDATES: usize = 240;
const MOST_CONTROLS: usize = 2_000;
const MOST_QUERIES: u64 = 20_000;

/// Formulas with more subterms are no candidates.
const LARGEST: usize = 12;

/// The bounds that exclude all violations together, if there are such.
pub(super) fn excluding(
    program: &mut SymbolicProgram<'_>,
    solver: &mut dyn Solver,
    basis: &Basis,
    is_violated: &dyn Fn(&Outcome) -> bool,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Option<BTreeSet<TermId>>, OutOfReach> {
    let Some(steps) = steps(program, go_on)? else { return Ok(None) };
    let candidates = candidates(program, basis, &steps);
    let n_controls = program.controls().len();
    let last_query = solver.n_queries() + MOST_QUERIES;
    let held = vec![vec![true; candidates.len()]; n_controls];
    let mut search = Houdini { program, solver, candidates, steps, held, last_query };
    match search.settle(go_on)? {
        true => search.needed(is_violated, go_on),
        false => Ok(None),
    }
}

/// A command, and where it stands; none at the start.
struct Step {
    source: Option<ControlId>,
    command: GuardedCommand,
}

/// The commands of all control states; `None` if there are too many.
fn steps(
    program: &mut SymbolicProgram<'_>,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Option<Vec<Step>>, OutOfReach> {
    let start = program.start()?;
    let mut steps: Vec<Step> =
        start.iter().map(|command| Step { source: None, command: command.clone() }).collect();
    let mut next = 0;
    while next < program.controls().len() {
        if next >= MOST_CONTROLS || !go_on(next) {
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
fn candidates(program: &SymbolicProgram<'_>, basis: &Basis, steps: &[Step]) -> Vec<TermId> {
    let mut terms = program.terms().borrow_mut();
    let mut found: Vec<TermId> = Vec::new();
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

/// Formulas that are known before a step, and candidates with how they read there.
type Before = (Vec<TermId>, Vec<(TermId, usize)>);

struct Houdini<'h, 'a> {
    program: &'h mut SymbolicProgram<'a>,
    solver: &'h mut dyn Solver,
    candidates: Vec<TermId>,
    steps: Vec<Step>,
    /// The candidates that hold in each control state, as far as it is known: all, where no step leads.
    held: Vec<Vec<bool>>,
    last_query: u64,
}

impl Houdini<'_, '_> {
    /// Drops candidates until a step from what holds leads to what holds; false if a limit was reached.
    fn settle(&mut self, go_on: &mut dyn FnMut(usize) -> bool) -> Result<bool, OutOfReach> {
        let mut waiting: VecDeque<usize> = (0..self.steps.len()).collect();
        let mut is_waiting = vec![true; self.steps.len()];
        let mut out_of = vec![Vec::new(); self.held.len()];
        for (number, step) in self.steps.iter().enumerate() {
            step.source.iter().for_each(|source| out_of[source.index()].push(number));
        }
        while let Some(number) = waiting.pop_front() {
            is_waiting[number] = false;
            if !go_on(0) || self.solver.n_queries() > self.last_query {
                return Ok(false);
            }
            let Some(target) = self.steps[number].command.target else { continue };
            if self.drop_violated(number, target)? {
                let again = out_of[target.index()].iter().copied();
                waiting
                    .extend(again.filter(|&next| !std::mem::replace(&mut is_waiting[next], true)));
            }
        }
        Ok(true)
    }

    /// What is known before a step: assumptions and guard; then for each candidate that holds there how it reads.
    fn before(&mut self, number: usize) -> Result<Before, OutOfReach> {
        let mut context = self.steps[number].command.guard.clone();
        let mut held = Vec::new();
        if let Some(source) = self.steps[number].source {
            context.extend(self.program.assumptions(source)?.iter());
            for (candidate, &formula) in self.candidates.iter().enumerate() {
                if self.held[source.index()][candidate] {
                    let read = self.program.read_in(source, formula);
                    if self.program.terms().borrow().as_truth(read) != Some(true) {
                        held.push((read, candidate));
                    }
                }
            }
        }
        if let Some(target) = self.steps[number].command.target {
            let after = self.program.assumptions(target)?;
            let updates = &self.steps[number].command.updates;
            let mut terms = self.program.terms().borrow_mut();
            context.extend(after.iter().map(|&f| terms.substitute(f, updates)));
        }
        Ok((context, held))
    }

    /// A candidate in the state after a step, over the data before it.
    fn after(&self, number: usize, target: ControlId, candidate: usize) -> TermId {
        let read = self.program.read_in(target, self.candidates[candidate]);
        let updates = &self.steps[number].command.updates;
        self.program.terms().borrow_mut().substitute(read, updates)
    }

    /// Drops what a step may violate; returns whether there was anything.
    fn drop_violated(&mut self, number: usize, target: ControlId) -> Result<bool, OutOfReach> {
        let (context, held) = self.before(number)?;
        let mut goals: Vec<(usize, TermId)> = (0..self.candidates.len())
            .filter(|&candidate| self.held[target.index()][candidate])
            .map(|candidate| (candidate, self.after(number, target, candidate)))
            .collect();
        let known: FxHashSet<TermId> =
            context.iter().copied().chain(held.iter().map(|pair| pair.0)).collect();
        goals.retain(|(_, after)| !known.contains(after));
        let mut is_changed = false;
        let mut terms = self.program.terms().borrow_mut();
        self.solver.push();
        known.iter().for_each(|&formula| self.solver.assert(formula));
        loop {
            goals.retain(|&(_, after)| terms.as_truth(after) != Some(true));
            let opposites: Vec<TermId> = goals.iter().map(|&(_, f)| terms.not(f)).collect();
            if opposites.is_empty() {
                break;
            }
            let some = terms.or(&opposites);
            let answer = self.solver.check(&mut terms, &[some]);
            let n_before = goals.len();
            match answer {
                SolverAnswer::Unsatisfiable(_) => break,
                SolverAnswer::Satisfiable(model) => {
                    let values = terms
                        .evaluate_all(&goals.iter().map(|goal| goal.1).collect::<Vec<_>>(), &model);
                    let holds = resy_symbolic::DataValue::Boolean(true);
                    goals.retain(|&(candidate, after)| {
                        let stays = values.get(&after) == Some(&holds);
                        self.held[target.index()][candidate] &= stays;
                        stays
                    });
                }
                SolverAnswer::Unknown(_) => {}
            }
            if goals.len() == n_before {
                // Nothing is known of any of them.
                goals.drain(..).for_each(|(c, _)| self.held[target.index()][c] = false);
            }
            is_changed = true;
        }
        self.solver.pop();
        Ok(is_changed)
    }

    /// The candidates on which it rests that there is no violation; `None` if there may be one.
    fn needed(
        &mut self,
        is_violated: &dyn Fn(&Outcome) -> bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<BTreeSet<TermId>>, OutOfReach> {
        let mut needed: FxHashSet<(ControlId, usize)> = FxHashSet::default();
        let mut waiting: Vec<(ControlId, usize)> = Vec::new();
        for number in 0..self.steps.len() {
            if !self.steps[number].command.outcomes.iter().any(is_violated) {
                continue;
            }
            let Some(used) = self.refutation(number, None)? else { return Ok(None) };
            waiting.extend(used.into_iter().filter(|&need| needed.insert(need)));
        }
        let mut into: FxHashMap<ControlId, Vec<usize>> = FxHashMap::default();
        for (number, step) in self.steps.iter().enumerate() {
            step.command.target.iter().for_each(|&t| into.entry(t).or_default().push(number));
        }
        while let Some((control, candidate)) = waiting.pop() {
            for &number in into.get(&control).map_or(&[][..], Vec::as_slice) {
                if !go_on(0) || self.solver.n_queries() > self.last_query {
                    return Ok(None);
                }
                let after = self.after(number, control, candidate);
                let opposite = self.program.terms().borrow_mut().not(after);
                let used = self.refutation(number, Some(opposite))?;
                let Some(used) = used else { return Ok(None) };
                waiting.extend(used.into_iter().filter(|&need| needed.insert(need)));
            }
        }
        Ok(Some(needed.into_iter().map(|(_, candidate)| self.candidates[candidate]).collect()))
    }

    /// The candidates before a step that exclude it, together with a formula; `None` if they do not.
    fn refutation(
        &mut self,
        number: usize,
        formula: Option<TermId>,
    ) -> Result<Option<Vec<(ControlId, usize)>>, OutOfReach> {
        let (context, held) = self.before(number)?;
        let assumed: Vec<TermId> = held.iter().map(|pair| pair.0).collect();
        let mut terms = self.program.terms().borrow_mut();
        self.solver.push();
        context.iter().chain(&formula).for_each(|&formula| self.solver.assert(formula));
        let answer = self.solver.check(&mut terms, &assumed);
        self.solver.pop();
        let SolverAnswer::Unsatisfiable(refutation) = answer else { return Ok(None) };
        let Some(source) = self.steps[number].source else { return Ok(Some(Vec::new())) };
        let used = held.iter().filter(|(read, _)| refutation.core.contains(read));
        Ok(Some(used.map(|&(_, candidate)| (source, candidate)).collect()))
    }
}
