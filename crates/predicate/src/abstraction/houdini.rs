//! The largest inductive subset of candidates, and what of it a proof rests on.
//!
//! In each control state the candidates that a step into it may violate are dropped, until none is (Flanagan and Leino: Houdini,
//! an annotation assistant for ESC/Java, FME 2001). How a candidate reads in a control state and after a step is computed
//! once: there are many steps and many candidates, and most steps change few variables.

use resy_index::Id;
use resy_symbolic::{
    ControlId, GuardedCommand, OutOfReach, Solver, SolverAnswer, SymbolId, SymbolicProgram, TermId,
};
use resy_system::Outcome;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// A command, and where it stands; none at the start.
pub(super) struct Step {
    pub source: Option<ControlId>,
    pub command: GuardedCommand,
}

/// Formulas that are known before a step, and candidates with how they read there.
type Before = (Vec<TermId>, Vec<(TermId, usize)>);

/// The candidates, and those that hold in each control state.
pub(super) struct Houdini<'h, 'a> {
    program: &'h mut SymbolicProgram<'a>,
    solver: &'h mut dyn Solver,
    candidates: Vec<TermId>,
    /// The variables of each candidate.
    symbols: Vec<Vec<SymbolId>>,
    steps: Vec<Step>,
    /// The candidates that hold in each control state, as far as it is known: all, where no step leads.
    held: Vec<Vec<bool>>,
    /// How the candidates read in a control state, and after a step over the data before it; none before it is asked.
    reads: Vec<Option<Rc<[TermId]>>>,
    afters: Vec<Option<Rc<[TermId]>>>,
    /// The candidates that hold in all control states, when that is settled.
    everywhere: Vec<bool>,
    last_query: u64,
}

impl<'h, 'a> Houdini<'h, 'a> {
    /// All candidates everywhere, and a limit of queries.
    pub fn new(
        program: &'h mut SymbolicProgram<'a>,
        solver: &'h mut dyn Solver,
        candidates: Vec<TermId>,
        steps: Vec<Step>,
        most_queries: u64,
    ) -> Self {
        let n_controls = program.controls().len();
        let terms = program.terms().borrow();
        let symbols = candidates.iter().map(|&formula| terms.symbols_in(&[formula])).collect();
        drop(terms);
        Self {
            last_query: solver.n_queries() + most_queries,
            held: vec![vec![true; candidates.len()]; n_controls],
            reads: vec![None; n_controls],
            afters: vec![None; steps.len()],
            everywhere: Vec::new(),
            program,
            solver,
            candidates,
            symbols,
            steps,
        }
    }
}

impl Houdini<'_, '_> {
    /// How the candidates read in a control state.
    fn reads(&mut self, control: ControlId) -> Rc<[TermId]> {
        let (program, candidates) = (&self.program, &self.candidates);
        let reads = self.reads[control.index()].get_or_insert_with(|| {
            candidates.iter().map(|&formula| program.read_in(control, formula)).collect()
        });
        reads.clone()
    }

    /// The candidates in the state after a step, over the data before it.
    fn afters(&mut self, number: usize, target: ControlId) -> Rc<[TermId]> {
        if let Some(afters) = &self.afters[number] {
            return afters.clone();
        }
        let reads = self.reads(target);
        let updates = &self.steps[number].command.updates;
        let mut terms = self.program.terms().borrow_mut();
        let moves =
            |candidate: usize| self.symbols[candidate].iter().any(|s| updates.contains_key(s));
        let after = |(candidate, &read): (usize, &TermId)| match moves(candidate) {
            true => terms.substitute(read, updates),
            false => read,
        };
        let afters: Rc<[TermId]> = reads.iter().enumerate().map(after).collect();
        self.afters[number] = Some(afters.clone());
        afters
    }

    /// Drops candidates until a step from what holds leads to what holds; false if a limit was reached.
    pub fn settle(&mut self, go_on: &mut dyn FnMut(usize) -> bool) -> Result<bool, OutOfReach> {
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
        let holds = |candidate: usize| self.held.iter().all(|held| held[candidate]);
        self.everywhere = (0..self.candidates.len()).map(holds).collect();
        Ok(true)
    }

    /// What is known before a step: assumptions and guard; then for each candidate that holds there how it reads.
    fn before(&mut self, number: usize) -> Result<Before, OutOfReach> {
        let mut context = self.steps[number].command.guard.clone();
        let mut held = Vec::new();
        if let Some(source) = self.steps[number].source {
            context.extend(self.program.assumptions(source)?.iter());
            let reads = self.reads(source);
            let terms = self.program.terms().borrow();
            let is_held = self.held[source.index()].iter();
            for (candidate, (&read, _)) in reads.iter().zip(is_held).enumerate().filter(|p| *p.1.1)
            {
                if terms.as_truth(read) != Some(true) {
                    held.push((read, candidate));
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

    /// Drops what a step may violate; returns whether there was anything.
    fn drop_violated(&mut self, number: usize, target: ControlId) -> Result<bool, OutOfReach> {
        let (context, held) = self.before(number)?;
        let afters = self.afters(number, target);
        let mut goals: Vec<(usize, TermId)> = (0..self.candidates.len())
            .filter(|&candidate| self.held[target.index()][candidate])
            .map(|candidate| (candidate, afters[candidate]))
            .collect();
        let known: FxHashSet<TermId> =
            context.iter().copied().chain(held.iter().map(|pair| pair.0)).collect();
        goals.retain(|(_, after)| !known.contains(after));
        let mut is_changed = false;
        let mut terms = self.program.terms().borrow_mut();
        if goals.iter().all(|&(_, after)| terms.as_truth(after) == Some(true)) {
            return Ok(false);
        }
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
    pub fn needed(
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
                let after = self.afters(number, control)[candidate];
                let opposite = self.program.terms().borrow_mut().not(after);
                let used = self.refutation(number, Some(opposite))?;
                let Some(used) = used else { return Ok(None) };
                waiting.extend(used.into_iter().filter(|&need| needed.insert(need)));
            }
        }
        Ok(Some(needed.into_iter().map(|(_, candidate)| self.candidates[candidate]).collect()))
    }

    /// The candidates before a step that exclude it, together with a formula; `None` if they do not. Those that hold
    /// everywhere are preferred: as predicates they have one value, and no abstract state is split.
    fn refutation(
        &mut self,
        number: usize,
        formula: Option<TermId>,
    ) -> Result<Option<Vec<(ControlId, usize)>>, OutOfReach> {
        let (context, held) = self.before(number)?;
        let everywhere = held.iter().filter(|pair| self.everywhere[pair.1]).map(|pair| pair.0);
        let everywhere: Vec<TermId> = everywhere.collect();
        let all: Vec<TermId> = held.iter().map(|pair| pair.0).collect();
        let mut terms = self.program.terms().borrow_mut();
        self.solver.push();
        context.iter().chain(&formula).for_each(|&formula| self.solver.assert(formula));
        let mut answer = self.solver.check(&mut terms, &everywhere);
        if !matches!(answer, SolverAnswer::Unsatisfiable(_)) && everywhere.len() < all.len() {
            answer = self.solver.check(&mut terms, &all);
        }
        self.solver.pop();
        let SolverAnswer::Unsatisfiable(refutation) = answer else { return Ok(None) };
        let Some(source) = self.steps[number].source else { return Ok(Some(Vec::new())) };
        let used = held.iter().filter(|(read, _)| refutation.core.contains(read));
        Ok(Some(used.map(|&(_, candidate)| (source, candidate)).collect()))
    }
}
