//! Where new predicates come from: sources one after the other, each until it has nothing new or its predicates only grow.

use super::basis::{Basis, PredicateSource};
use super::between;
use super::invariants::{self, Bounds};
use super::refine::{self, Form, NewPredicates};
use resy_symbolic::{GuardedCommand, OutOfReach, Solver, SymbolicProgram, TermId};
use resy_system::Outcome;

/// After so many rounds in which new predicates only grow, a source is left.
const GROWING_ROUNDS: usize = 3;

/// So many times the effort is made if bounds that hold together could not be judged, up to a limit.
const MORE_EFFORT: u32 = 8;
const MOST_EFFORT: u32 = 64;

/// A source.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Preconditions(Form),
    Invariants,
    Text(PredicateSource),
    Interpolants,
}

/// The order of the sources; in the end preconditions again, whether they grow or not.
const STAGES: [Stage; 8] = [
    Stage::Preconditions(Form::Plain),
    Stage::Invariants,
    Stage::Text(PredicateSource::Assertion),
    Stage::Text(PredicateSource::Assignment),
    Stage::Text(PredicateSource::Counters),
    Stage::Text(PredicateSource::Proportions),
    Stage::Preconditions(Form::ByCases),
    Stage::Interpolants,
];

/// The sources of predicates, of which one is used at a time.
pub(super) struct Sources {
    /// The number of predicates that were given.
    n_given: usize,
    /// The effort with which bounds that hold together are tried next; none if it is known what they exclude.
    effort: Option<u32>,
    /// The number of sources that were left.
    n_left: usize,
    /// The source that had something last.
    used: usize,
    /// The sizes of the largest new predicates of the last rounds.
    sizes: Vec<usize>,
    /// The size of the basis when the predicates began to grow.
    before_growth: Option<usize>,
}

impl Sources {
    /// All sources, beside so many predicates that are given.
    pub fn new(n_given: usize) -> Self {
        Self {
            n_given,
            effort: Some(1),
            n_left: 0,
            used: 0,
            sizes: Vec::new(),
            before_growth: None,
        }
    }

    /// The effort with which bounds that hold together are worth trying next.
    pub fn effort(&self) -> Option<u32> {
        self.effort
    }

    /// Bounds that hold together and exclude all violations, in the place of what was found so far; false if there are none.
    pub fn invariants(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        solver: &mut dyn Solver,
        basis: &mut Basis,
        is_violated: &dyn Fn(&Outcome) -> bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<bool, OutOfReach> {
        let Some(effort) = self.effort.take() else { return Ok(false) };
        let found = match invariants::excluding(program, solver, basis, is_violated, effort, go_on)?
        {
            Bounds::Excluding(found) => found,
            Bounds::TooFew => return Ok(false),
            Bounds::Exhausted => {
                let more = effort.saturating_mul(MORE_EFFORT);
                self.effort = (more <= MOST_EFFORT).then_some(more);
                return Ok(false);
            }
        };
        let is_known = |formula| basis.as_slice().iter().any(|p| p.formula == formula);
        let terms = program.terms().borrow();
        if found.iter().all(|&formula| is_known(terms.literal(formula).0)) {
            return Ok(false);
        }
        self.forget_growth();
        basis.truncate(self.n_given);
        for formula in found {
            basis.add(&terms, formula, PredicateSource::Invariant);
        }
        Ok(true)
    }

    /// Adds predicates that may exclude a path, of which each command's contradictory guards are given; returns whether
    /// there are new ones.
    pub fn refine(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        solver: &mut dyn Solver,
        basis: &mut Basis,
        (path, core): (&[GuardedCommand], &[Vec<TermId>]),
        is_violated: &dyn Fn(&Outcome) -> bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<bool, OutOfReach> {
        while let Some(&stage) = STAGES.get(self.n_left) {
            self.used = self.n_left;
            let n_before = basis.len();
            let new = match stage {
                Stage::Preconditions(form) => {
                    refine::preconditions(program, basis, path, core, form)
                }
                Stage::Interpolants => between::interpolants(program, basis, path, core),
                Stage::Text(source) => {
                    self.n_left += 1;
                    if refine::from_text(program, basis, source) {
                        return Ok(true);
                    }
                    continue;
                }
                Stage::Invariants => {
                    self.n_left += 1;
                    if self.invariants(program, solver, basis, is_violated, go_on)? {
                        return Ok(true);
                    }
                    continue;
                }
            };
            if new.size == 0 {
                self.forget_growth();
            } else if self.grows(new, n_before) {
                self.leave(basis);
            } else {
                return Ok(true);
            }
            self.n_left += 1;
        }
        self.used = STAGES.len();
        Ok(refine::preconditions(program, basis, path, core, Form::Plain).size > 0)
    }

    /// Leaves the source that was used last; false if it was the last one.
    pub fn skip(&mut self) -> bool {
        self.forget_growth();
        self.n_left = self.n_left.max(self.used + 1);
        self.used < STAGES.len()
    }

    /// Leaves a source, without what it had when its predicates began to grow.
    fn leave(&mut self, basis: &mut Basis) {
        if let Some(n) = self.before_growth.take() {
            basis.truncate(n);
        }
        self.forget_growth();
    }

    fn forget_growth(&mut self) {
        self.before_growth = None;
        self.sizes.clear();
    }

    /// Whether the new predicates have only grown for some rounds.
    fn grows(&mut self, new: NewPredicates, n_before: usize) -> bool {
        let NewPredicates { size, repeats } = new;
        if !repeats && self.sizes.last().is_some_and(|&last| size <= last) {
            self.sizes.clear();
        }
        if self.sizes.is_empty() {
            self.before_growth = Some(n_before);
        }
        self.sizes.push(size);
        self.sizes.len() > GROWING_ROUNDS
    }
}
