//! Two procedures on the same queries. The first is on trial: its models must satisfy the query, its
//! derivations must be accepted, and the second must not contradict it.

use super::damage::damaged;
use super::generate::{QueryKind, RandomQueries};
use resy_index::random::SplitMix;
use resy_symbolic::derivation::Derivation;
use resy_symbolic::{Refutation, Solver, SolverAnswer, TermId, Terms, derivation, smt_script};

/// Damaged copies of each derivation.
const DAMAGED: usize = 3;

/// What was seen.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct QueryTally {
    /// Queries with a model that satisfies them.
    pub n_satisfiable: u64,
    /// Queries refuted with an accepted derivation.
    pub n_unsatisfiable: u64,
    /// Literals of all cores.
    pub n_core_literals: u64,
    /// Steps of all derivations.
    pub n_steps: u64,
    /// Derivations that were changed, and compared with hypotheses that have a model.
    pub n_damaged: u64,
    /// Queries that the procedure on trial did not decide.
    pub n_unknown: u64,
    /// The first of them, as an SMT-LIB script.
    pub first_unknown: Option<String>,
    /// Queries that the other did not decide.
    pub n_not_compared: u64,
    /// What is wrong, with the query as an SMT-LIB script.
    pub findings: Vec<String>,
}

impl QueryTally {
    /// Adds what was seen elsewhere.
    pub fn add(&mut self, other: Self) {
        self.n_satisfiable += other.n_satisfiable;
        self.n_unsatisfiable += other.n_unsatisfiable;
        self.n_core_literals += other.n_core_literals;
        self.n_steps += other.n_steps;
        self.n_damaged += other.n_damaged;
        self.n_unknown += other.n_unknown;
        self.n_not_compared += other.n_not_compared;
        self.first_unknown = self.first_unknown.take().or(other.first_unknown);
        self.findings.extend(other.findings);
    }
}

/// The procedure on trial, and the other, if there is one.
pub struct QueryComparison<'a> {
    queries: RandomQueries,
    trial: &'a mut dyn Solver,
    oracle: Option<&'a mut dyn Solver>,
    /// What was seen so far.
    pub tally: QueryTally,
}

impl<'a> QueryComparison<'a> {
    /// Nothing seen yet. The procedures must have no assertions, and the one on trial must be new.
    pub fn new(
        kind: QueryKind,
        trial: &'a mut dyn Solver,
        oracle: Option<&'a mut dyn Solver>,
    ) -> Self {
        let queries = RandomQueries::new(kind);
        Self { queries, trial, oracle, tally: QueryTally::default() }
    }

    /// Some queries of the scope of a seed.
    pub fn scope(&mut self, seed: u64, n_queries: usize) {
        let scope = self.queries.scope(seed);
        self.trial.push();
        if let Some(oracle) = &mut self.oracle {
            oracle.push();
        }
        for &assertion in &scope.assertions {
            self.trial.assert(assertion);
            if let Some(oracle) = &mut self.oracle {
                oracle.assert(assertion);
            }
        }
        for _ in 0..n_queries {
            let query = self.queries.query(&scope);
            let context = format!("{:?}, seed {seed}", self.queries.kind());
            let mut terms = std::mem::take(&mut self.queries.terms);
            self.query(&mut terms, &scope.assertions, &query, &context);
            self.queries.terms = terms;
        }
        self.trial.pop();
        if let Some(oracle) = &mut self.oracle {
            oracle.pop();
        }
    }

    fn query(&mut self, terms: &mut Terms, assertions: &[TermId], query: &[TermId], context: &str) {
        let roots: Vec<TermId> = assertions.iter().chain(query).copied().collect();
        let verdict = match self.trial.check(terms, query) {
            SolverAnswer::Unknown(obstacle) => {
                self.tally.n_unknown += 1;
                let script = || format!("{context}: {obstacle}\n{}", smt_script(terms, &roots));
                self.tally.first_unknown.get_or_insert_with(script);
                return;
            }
            SolverAnswer::Satisfiable(model) => {
                self.tally.n_satisfiable += 1;
                if roots.iter().any(|&root| terms.holds(root, &model) != Some(true)) {
                    self.report(terms, &roots, context, "a model that does not satisfy the query");
                }
                true
            }
            SolverAnswer::Unsatisfiable(refutation) => {
                self.tally.n_unsatisfiable += 1;
                let accepted = self.accept(terms, assertions, &refutation);
                if let Err(words) =
                    accepted.and_then(|()| self.damage(terms, assertions, &refutation))
                {
                    self.report(terms, &roots, context, &words);
                }
                false
            }
        };
        let Some(oracle) = &mut self.oracle else { return };
        let other = match oracle.check(terms, query) {
            SolverAnswer::Satisfiable(_) => true,
            SolverAnswer::Unsatisfiable(_) => false,
            SolverAnswer::Unknown(_) => {
                self.tally.n_not_compared += 1;
                return;
            }
        };
        if verdict != other {
            let words = if other { "refuted, but satisfiable" } else { "a model, but refuted" };
            self.report(terms, &roots, context, words);
        }
    }

    /// The derivation must need no more than the core.
    fn accept(
        &mut self,
        terms: &mut Terms,
        assertions: &[TermId],
        refutation: &Refutation,
    ) -> Result<(), String> {
        self.tally.n_core_literals += refutation.core.len() as u64;
        let Some(derivation) = &refutation.derivation else { return Ok(()) };
        self.tally.n_steps += derivation.steps.len() as u64;
        let hypotheses: Vec<TermId> = assertions.iter().chain(&refutation.core).copied().collect();
        derivation::check(terms, &hypotheses, derivation)
    }

    /// Without a literal of the core there is a model, which no derivation may refute, damaged or not.
    fn damage(
        &mut self,
        terms: &mut Terms,
        assertions: &[TermId],
        refutation: &Refutation,
    ) -> Result<(), String> {
        let Some((_, smaller)) = refutation.core.split_last() else { return Ok(()) };
        let Some(derivation) = &refutation.derivation else { return Ok(()) };
        let SolverAnswer::Satisfiable(model) = self.trial.check(terms, smaller) else {
            return Ok(());
        };
        let hypotheses: Vec<TermId> = assertions.iter().chain(smaller).copied().collect();
        if hypotheses.iter().any(|&term| terms.holds(term, &model) != Some(true)) {
            return Err("a model that does not satisfy a smaller query".to_owned());
        }
        self.reject(terms, &hypotheses, derivation)?;
        let mut random = SplitMix(self.tally.n_unsatisfiable);
        for _ in 0..DAMAGED {
            let damaged = damaged(&mut random, terms, derivation);
            self.reject(terms, &hypotheses, &damaged)?;
        }
        Ok(())
    }

    fn reject(
        &mut self,
        terms: &mut Terms,
        hypotheses: &[TermId],
        derivation: &Derivation,
    ) -> Result<(), String> {
        self.tally.n_damaged += 1;
        let checked = derivation::check(terms, hypotheses, derivation);
        let accepted = || format!("accepted of hypotheses with a model: {derivation:?}");
        checked.err().map(drop).ok_or_else(accepted)
    }

    fn report(&mut self, terms: &Terms, roots: &[TermId], context: &str, words: &str) {
        let script = smt_script(terms, roots);
        self.tally.findings.push(format!("{context}: {words}\n{script}"));
    }
}
