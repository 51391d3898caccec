//! The embedded decision procedure: linear integers and rationals, arrays, Boolean structure.
//!
//! A search that learns from its conflicts (`clauses`) assigns literals to Boolean terms; bounds go to
//! a simplex tableau (`simplex`), whose values are a candidate model (`candidate`). What the candidate
//! violates is decided next: an open literal of an assertion, a split of a fraction (`integers`), or
//! an axiom that is added when it is violated (`lemmas`). Every clause has an origin, so that a
//! contradiction is a derivation (`proof`) that [`resy_symbolic::derivation::check`] accepts.

mod candidate;
mod clauses;
mod cube;
mod delta;
mod equations;
mod integers;
mod lemmas;
mod proof;
mod relevant;
mod simplex;
mod state;

use clauses::{ClauseNumber, ClauseOrigin, Lit};
use integers::Integrality;
use relevant::Relevant;
use resy_index::Interest;
use resy_symbolic::derivation::axiom_clause;
use resy_symbolic::{Interpretation, TermId, Terms};
use resy_symbolic::{Refutation, Solver, SolverAnswer, SolverObstacle};
use simplex::Trouble;
use state::State;

/// Units of work of one query: pivots, and sixteen terms of a candidate. At most about a second.
const WORK: u64 = 60_000;

/// Work for each attempt to drop an assumption from a core.
const WORK_ON_CORE: u64 = 400;

/// A state with more variables than this is thrown away if few of them matter: rows of old queries make
/// pivots slow.
const MANY_VARIABLES: usize = 600;

/// The embedded decision procedure.
#[derive(Debug)]
pub struct Embedded {
    scopes: Vec<usize>,
    assertions: Vec<TermId>,
    state: State,
    /// The literals of the first levels.
    assumed: Vec<Lit>,
    work: u64,
    interest: Interest,
    n_queries: u64,
}

impl Default for Embedded {
    fn default() -> Self {
        Self {
            scopes: Vec::new(),
            assertions: Vec::new(),
            state: State::default(),
            assumed: Vec::new(),
            work: WORK,
            interest: Interest::default(),
            n_queries: 0,
        }
    }
}

/// How a search ended.
enum Ending {
    Satisfiable(Interpretation),
    /// The hypotheses that contradict each other, and the premises of the empty clause.
    Unsatisfiable(Vec<TermId>, Vec<ClauseNumber>),
    Unknown(SolverObstacle),
}

/// What to do with a candidate.
enum Next {
    Decide(Lit),
    /// Something was added: propagate again.
    GoOn,
    Done(Interpretation),
    Stuck(SolverObstacle),
}

impl Embedded {
    /// Without assertions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the work of one query, about a microsecond to a tenth of a millisecond each.
    pub fn set_work(&mut self, work: u64) {
        self.work = work;
    }

    /// Sets whether answers are still wanted.
    pub fn set_interest(&mut self, interest: Interest) {
        self.interest = interest;
    }

    /// Searches for a model of all roots.
    fn search(&mut self, terms: &mut Terms, roots: &[TermId], work: u64) -> Ending {
        let ending = self.try_search(terms, roots, work);
        if let Ending::Unknown(_) = &ending {
            // An overflow leaves the tableau half changed.
            self.forget();
        }
        ending
    }

    fn forget(&mut self) {
        self.state = State::default();
        self.assumed.clear();
    }

    fn try_search(&mut self, terms: &mut Terms, roots: &[TermId], work: u64) -> Ending {
        let overflow = || Ending::Unknown(SolverObstacle::Overflow);
        let mut relevant = Relevant::default();
        relevant.add(terms, roots);
        if self.state.clauses.n_variables() > MANY_VARIABLES.max(8 * relevant.booleans.len()) {
            self.forget();
        }
        let Some(assumptions) = self.prepare(terms, roots) else { return overflow() };
        let mut budget = work;
        loop {
            if budget == 0 {
                return Ending::Unknown(SolverObstacle::Budget);
            }
            if !self.interest.lasts() {
                return Ending::Unknown(SolverObstacle::Cancelled);
            }
            // A candidate is looked at as a whole.
            budget = budget.saturating_sub(1 + relevant.len() as u64 / 16);
            match self.state.propagate(&mut budget) {
                Err(Trouble::Budget) => return Ending::Unknown(SolverObstacle::Budget),
                Err(_) => return overflow(),
                Ok(Some(conflict)) => {
                    if !self.learn(conflict) {
                        return self.contradiction(terms, &[], Some(conflict));
                    }
                    continue;
                }
                Ok(None) => {}
            }
            if let Some(&next) = assumptions.get(self.state.clauses.level()) {
                match self.state.clauses.value(next) {
                    Some(false) => return self.contradiction(terms, &[next], None),
                    Some(true) => self.state.open_level(),
                    None => self.state.decide(next),
                }
                continue;
            }
            match self.next(terms, roots, &mut relevant) {
                None => return overflow(),
                Some(Next::Decide(literal)) => self.state.decide(literal),
                Some(Next::GoOn) => {}
                Some(Next::Done(model)) => return Ending::Satisfiable(model),
                Some(Next::Stuck(obstacle)) => return Ending::Unknown(obstacle),
            }
        }
    }

    /// Registers the roots, and goes back to the levels that the last query had as well.
    fn prepare(&mut self, terms: &mut Terms, roots: &[TermId]) -> Option<Vec<Lit>> {
        let mut literals = Vec::new();
        let mut is_known = true;
        for &root in roots {
            is_known &= self.state.literal(terms, root).is_some();
        }
        if !is_known {
            self.state.backtrack(0);
        }
        for &root in roots {
            if terms.as_truth(root).is_none() {
                self.state.register(terms, root)?;
                literals.push(self.state.literal(terms, root)?);
            }
        }
        let is_same = |(a, b): &(&Lit, &Lit)| a == b;
        let common = self.assumed.iter().zip(&literals).take_while(is_same).count();
        self.state.backtrack(common);
        self.assumed = literals.clone();
        Some(literals)
    }

    /// Learns from a violated clause and goes back; false if it is violated at level 0.
    fn learn(&mut self, conflict: ClauseNumber) -> bool {
        let level = self.state.clauses.highest_level(conflict);
        if level == 0 {
            return false;
        }
        self.state.backtrack(level);
        let (learned, premises) = self.state.clauses.analyze(conflict);
        let back = learned.get(1).map_or(0, |&second| self.state.clauses.level_of(second));
        self.state.backtrack(back);
        self.state.add_clause(learned, ClauseOrigin::Propagation(premises));
        true
    }

    /// The end of an unsatisfiable query: a violated clause, or an assumption that is false.
    fn contradiction(
        &mut self,
        terms: &mut Terms,
        false_assumption: &[Lit],
        conflict: Option<ClauseNumber>,
    ) -> Ending {
        let mut false_literals = false_assumption.to_vec();
        if let Some(conflict) = conflict {
            false_literals.extend_from_slice(&self.state.clauses.stored[conflict].literals);
        }
        let (mut decisions, mut premises) = self.state.clauses.causes(&false_literals);
        decisions.extend_from_slice(false_assumption);
        premises.extend(conflict);
        let used = decisions.iter().map(|&literal| self.state.term(terms, literal)).collect();
        Ending::Unsatisfiable(used, premises)
    }

    /// What the candidate violates first; `None` if a number does not fit.
    fn next(
        &mut self,
        terms: &mut Terms,
        roots: &[TermId],
        relevant: &mut Relevant,
    ) -> Option<Next> {
        let truths = self.state.truths(terms, relevant)?;
        if let Some(&root) = roots.iter().find(|&&root| !truths.get(root)) {
            return Some(Next::Decide(self.state.repair(terms, &truths, root)?));
        }
        if let Some(&open) = relevant.same_arrays.iter().find(|&&same| self.is_open(terms, same)) {
            return Some(Next::Decide(self.state.literal(terms, open)?.negated()));
        }
        let depth = self.state.clauses.level() - self.assumed.len();
        match self.state.integrality(terms, relevant, depth)? {
            Integrality::Whole => {}
            Integrality::Replaced => return Some(Next::GoOn),
            Integrality::Split(atom, holds) => {
                self.state.register(terms, atom)?;
                let literal = self.state.literal(terms, atom)?;
                let literal = if holds { literal } else { literal.negated() };
                // An atom that others imply already was assigned when it was registered.
                let is_open = self.state.clauses.value(literal).is_none();
                return Some(if is_open { Next::Decide(literal) } else { Next::GoOn });
            }
        }
        if let Some(axiom) = self.state.violated_axiom(terms, relevant, &truths) {
            let clause = axiom_clause(terms, &axiom)?;
            let is_new = !clause.iter().all(|&term| relevant.contains(term));
            relevant.add(terms, &clause);
            if is_new | !self.state.has_axiom(&axiom) {
                self.state.add_axiom(terms, axiom)?;
                return Some(Next::GoOn);
            }
            return Some(Next::Decide(self.state.repair_clause(terms, &truths, &clause)?));
        }
        if let Some(model) = self.state.interpretation(terms, roots, relevant) {
            return Some(Next::Done(model));
        }
        let opaque = relevant.opaque.first().map(|&term| SolverObstacle::Fragment(term));
        Some(Next::Stuck(opaque.unwrap_or(SolverObstacle::Overflow)))
    }

    fn is_open(&self, terms: &Terms, id: TermId) -> bool {
        let literal = self.state.literal(terms, id);
        literal.is_some_and(|literal| self.state.clauses.value(literal).is_none())
    }

    fn roots(&self, assumptions: &[TermId]) -> Vec<TermId> {
        self.assertions.iter().chain(assumptions).copied().collect()
    }

    /// Tries to do without each assumption of the core.
    fn minimise(&mut self, terms: &mut Terms, used: &mut Vec<TermId>, refutation: &mut Refutation) {
        let mut position = 0;
        while refutation.core.len() > 1 && position < refutation.core.len() {
            let mut smaller = refutation.core.clone();
            smaller.remove(position);
            let roots = self.roots(&smaller);
            match self.search(terms, &roots, WORK_ON_CORE) {
                Ending::Unsatisfiable(less, premises) => {
                    smaller.retain(|term| less.contains(term));
                    refutation.core = smaller;
                    refutation.derivation = Some(self.state.derivation(terms, &less, &premises));
                    *used = less;
                }
                _ => position += 1,
            }
        }
    }
}

impl Solver for Embedded {
    fn name(&self) -> String {
        "embedded".to_owned()
    }

    fn push(&mut self) {
        self.scopes.push(self.assertions.len());
    }

    fn pop(&mut self) {
        if let Some(length) = self.scopes.pop() {
            self.assertions.truncate(length);
        }
    }

    fn assert(&mut self, formula: TermId) {
        self.assertions.push(formula);
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> SolverAnswer {
        self.n_queries += 1;
        let roots = self.roots(assumptions);
        if let Some(&contradiction) =
            roots.iter().find(|&&root| terms.as_truth(root) == Some(false))
        {
            let derivation = self.state.derivation(terms, &[contradiction], &[]);
            let mut core = assumptions.to_vec();
            core.retain(|&term| term == contradiction);
            return SolverAnswer::Unsatisfiable(Refutation { core, derivation: Some(derivation) });
        }
        match self.search(terms, &roots, self.work) {
            Ending::Satisfiable(model) => SolverAnswer::Satisfiable(model),
            Ending::Unknown(obstacle) => SolverAnswer::Unknown(obstacle),
            Ending::Unsatisfiable(mut used, premises) => {
                let derivation = Some(self.state.derivation(terms, &used, &premises));
                let mut core = assumptions.to_vec();
                core.retain(|term| used.contains(term) && !self.assertions.contains(term));
                let mut refutation = Refutation { core, derivation };
                self.minimise(terms, &mut used, &mut refutation);
                if cfg!(debug_assertions) {
                    self.confirm(terms, assumptions, &refutation);
                }
                SolverAnswer::Unsatisfiable(refutation)
            }
        }
    }

    fn n_queries(&self) -> u64 {
        self.n_queries
    }
}

impl Embedded {
    /// Checks a derivation, in debug builds.
    fn confirm(&self, terms: &mut Terms, assumptions: &[TermId], refutation: &Refutation) {
        let hypotheses = self.roots(assumptions);
        if let Some(derivation) = &refutation.derivation {
            let checked = resy_symbolic::derivation::check(terms, &hypotheses, derivation);
            assert_eq!(checked, Ok(()), "a derivation that the checker rejects");
        }
    }
}
