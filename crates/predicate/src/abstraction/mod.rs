//! Predicate abstraction with refinement: a verdict on a property of a program with unbounded data.
//!
//! After Colón and Uribe (CAV 1998), with exact successors on demand instead of test points, and with
//! predicates found from paths that are no runs. The loop of [`decide`] takes turns with a plain search
//! over small values, which finds violations, by budgets that count work.

mod basis;
mod between;
mod cases;
mod counters;
mod equalities;
mod factored;
mod graph;
mod houdini;
mod invariants;
mod points;
mod refine;
mod run;
mod small;
mod sources;
mod span;
mod successor;

pub use basis::{Basis, BasisPredicate, PredicateSource};
pub use factored::{
    Assignments, FactoredAbstraction, FactoredKind, FactoredStep, FactoredVariable,
};
pub use graph::{AbstractEdge, AbstractGraph, AbstractId, AbstractState};
pub use points::{Polarity, approximate, points_of};
pub use run::{UnboundedRun, UnboundedStep};
pub use successor::SuccessorMethod;

use graph::Explorer;
pub(crate) use graph::{Explored, literals_of};
use refine::Form;
use resy_symbolic::OutOfReach;
use resy_symbolic::{Solver, SymbolicProgram};
use resy_system::{Outcome, Property};
use run::commands_of;
pub(crate) use run::{PathVerdict, check_path};
pub(crate) use small::SmallSearch;
use sources::Sources;
use successor::Successors;

/// After so many refinements, or with more abstract states, a proof by bounds that hold together is tried first.
const EARLY_REFINEMENTS: usize = 4;
const EARLY_STATES: usize = 3_000;

/// Budgets, which count work.
#[derive(Copy, Clone, Debug)]
pub struct AbstractionBudget {
    /// Refinements of the basis.
    pub refinements: usize,
    /// Abstract states of one exploration.
    pub states: usize,
    /// States of the plain search in each round.
    pub small_states: usize,
}

impl Default for AbstractionBudget {
    fn default() -> Self {
        Self { refinements: 40, states: 200_000, small_states: 2_000 }
    }
}

/// What was found out about a property.
pub enum AbstractVerdict {
    /// No abstract state violates it.
    Holds,
    /// A run violates it.
    Fails(Box<UnboundedRun>),
    /// It is not decided.
    Unknown(AbstractDoubt),
}

/// Why a property is not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbstractDoubt {
    /// A path of the abstraction is no run, and no source has a predicate that excludes it.
    NoPredicate(Vec<String>),
    /// The solver does not know whether a path is a run.
    OpenPath(Vec<String>),
    /// The budget of refinements or of abstract states is spent.
    Budget(&'static str),
    /// The caller lost interest.
    Cancelled,
    /// A cycle of the abstraction may be a fair run.
    FairCycle(Vec<String>),
}

/// A program with the predicates found so far.
pub struct Abstraction<'p, 'a> {
    /// The program.
    pub program: &'p mut SymbolicProgram<'a>,
    /// The decision procedure.
    pub solver: &'p mut dyn Solver,
    /// The predicates.
    pub basis: Basis,
    /// The reachable graph of the last exploration.
    pub graph: AbstractGraph,
    /// How successors are computed.
    pub method: SuccessorMethod,
    /// The successors that are known.
    successors: Successors,
    /// The number of refinements so far.
    pub refinements: usize,
    /// The number of explorations so far.
    pub rounds: usize,
    /// The states that the plain search has visited.
    pub small_states: usize,
}

impl<'p, 'a> Abstraction<'p, 'a> {
    /// An abstraction with an empty basis.
    pub fn new(program: &'p mut SymbolicProgram<'a>, solver: &'p mut dyn Solver) -> Self {
        let (basis, graph) = (Basis::default(), AbstractGraph::default());
        Self {
            program,
            solver,
            basis,
            graph,
            method: SuccessorMethod::default(),
            successors: Successors::default(),
            refinements: 0,
            rounds: 0,
            small_states: 0,
        }
    }

    /// Decides a property that finite runs violate. `go_on` is asked with the number of states.
    pub fn decide(
        &mut self,
        property: &Property,
        budget: AbstractionBudget,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<AbstractVerdict, OutOfReach> {
        let is_violated = |outcome: &Outcome| property.is_violated_by(outcome);
        let mut small = SmallSearch::default();
        let mut sources = Sources::new(self.basis.len());
        let mut most_small = budget.small_states;
        loop {
            let found = small.search(self.program, most_small, &is_violated, &mut || go_on(0))?;
            self.small_states = small.n_states();
            if let Some(run) = found {
                return Ok(AbstractVerdict::Fails(Box::new(run)));
            }
            most_small += budget.small_states;
            let may_refine = self.refinements < budget.refinements;
            let effort = sources.effort().filter(|_| may_refine);
            if effort == Some(1) && self.refinements >= EARLY_REFINEMENTS {
                self.bound(&mut sources, &is_violated, go_on)?;
                continue;
            }
            let early = effort.map_or(usize::MAX, |effort| EARLY_STATES * effort as usize);
            let most_states = budget.states.min(early);
            let path = match self.explore(Some(property), most_states, go_on)? {
                Explored::TooMany if most_states < budget.states => {
                    self.bound(&mut sources, &is_violated, go_on)?;
                    continue;
                }
                Explored::Whole => return Ok(AbstractVerdict::Holds),
                Explored::Violation(path) => commands_of(self.program, &path)?,
                Explored::Cancelled => return Ok(unknown(AbstractDoubt::Cancelled)),
                Explored::TooMany => return Ok(unknown(AbstractDoubt::Budget("abstract states"))),
            };
            let texts = || path.iter().map(|command| command.text.clone()).collect();
            let core = match check_path(self.program, self.solver, &path, &is_violated)? {
                PathVerdict::Run(run) => return Ok(AbstractVerdict::Fails(run)),
                PathVerdict::Open => return Ok(unknown(AbstractDoubt::OpenPath(texts()))),
                PathVerdict::Refuted(core) => core,
            };
            if !may_refine {
                return Ok(unknown(AbstractDoubt::Budget("refinements")));
            }
            self.refinements += 1;
            if !self.refine(&mut sources, (&path, &core), &is_violated, go_on)? {
                return Ok(unknown(AbstractDoubt::NoPredicate(texts())));
            }
        }
    }

    /// The reachable abstract graph over the present basis; `None` if `go_on` says no or there are more states.
    pub fn reachable(
        &mut self,
        most_states: usize,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<&AbstractGraph>, OutOfReach> {
        let explored = self.explore(None, most_states, go_on)?;
        Ok(matches!(explored, Explored::Whole).then_some(&self.graph))
    }

    /// Explores the abstract graph over the present basis.
    pub(crate) fn explore(
        &mut self,
        property: Option<&Property>,
        most_states: usize,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Explored, OutOfReach> {
        self.rounds += 1;
        self.graph = AbstractGraph::default();
        let mut successors = std::mem::take(&mut self.successors);
        successors.change_basis(self.method);
        let mut explorer = Explorer {
            program: self.program,
            solver: self.solver,
            basis: &mut self.basis,
            successors: &mut successors,
            property,
            most_states,
            go_on,
        };
        let explored = explorer.explore(&mut self.graph);
        self.successors = successors;
        explored
    }
}

impl Abstraction<'_, '_> {
    /// Replaces the predicates that were found by bounds that hold together, if these exclude all violations.
    fn bound(
        &mut self,
        sources: &mut Sources,
        is_violated: &dyn Fn(&Outcome) -> bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<(), OutOfReach> {
        let (program, basis) = (&mut *self.program, &mut self.basis);
        let found = sources.invariants(program, self.solver, basis, is_violated, go_on)?;
        self.refinements += usize::from(found);
        Ok(())
    }

    /// Adds predicates because of a path that is no run; false if no source has any that is not decided.
    fn refine(
        &mut self,
        sources: &mut Sources,
        refuted: (&[resy_symbolic::GuardedCommand], &[Vec<resy_symbolic::TermId>]),
        is_violated: &dyn Fn(&Outcome) -> bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<bool, OutOfReach> {
        let formulas = |basis: &Basis| -> Vec<_> {
            basis.as_slice().iter().map(|predicate| predicate.formula).collect()
        };
        let before = formulas(&self.basis);
        loop {
            let n_before = self.basis.len();
            let (program, basis) = (&mut *self.program, &mut self.basis);
            if !sources.refine(program, self.solver, basis, refuted, is_violated, go_on)? {
                return Ok(false);
            }
            self.drop_decided(n_before)?;
            if formulas(&self.basis).iter().any(|formula| !before.contains(formula)) {
                return Ok(true);
            }
            if !go_on(0) || !sources.skip() {
                return Ok(false);
            }
        }
    }

    /// Drops new predicates that the assumptions decide.
    fn drop_decided(&mut self, n_before: usize) -> Result<(), OutOfReach> {
        let start = self.program.start()?.iter().find_map(|command| command.target);
        let Some(start) = start else { return Ok(()) };
        let assumed = self.program.assumptions(start)?;
        let mut terms = self.program.terms().borrow_mut();
        let (assumed, solver) = (assumed.to_vec(), &mut self.solver);
        self.basis.retain_from(n_before, |formula| {
            let opposite = terms.not(formula);
            let is_open = |terms: &mut resy_symbolic::Terms, f| {
                let query: Vec<resy_symbolic::TermId> =
                    assumed.iter().copied().chain([f]).collect();
                !solver.refutes(terms, &query)
            };
            let mut is_open = is_open;
            assumed.is_empty() || is_open(&mut terms, formula) && is_open(&mut terms, opposite)
        });
        Ok(())
    }

    /// A command of the start that leads to an abstract state.
    pub(crate) fn start_of(
        &mut self,
        id: AbstractId,
    ) -> Result<resy_symbolic::GuardedCommand, OutOfReach> {
        let number = self.graph.start_of(id);
        Ok(self.program.start()?[number].clone())
    }
}

fn unknown(doubt: AbstractDoubt) -> AbstractVerdict {
    AbstractVerdict::Unknown(doubt)
}

/// The sources of predicates for a cycle, of which one is used at a time.
#[derive(Default)]
pub(crate) struct CycleRefinement {
    n_left: usize,
    n_paths: usize,
}

/// The sources for cycles that do not depend on paths.
const IN_TEXT: [PredicateSource; 4] = [
    PredicateSource::Assertion,
    PredicateSource::Assignment,
    PredicateSource::Counters,
    PredicateSource::Proportions,
];

/// So many paths are refuted one by one before the guards of all commands are taken.
const MOST_PATHS: usize = 6;

impl CycleRefinement {
    /// Adds predicates that may exclude a cycle; returns whether there are new ones. If the stem and one
    /// turn are no run, what refutes them comes first.
    pub fn refine(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        basis: &mut Basis,
        commands: &[resy_symbolic::GuardedCommand],
        core: Option<&[Vec<resy_symbolic::TermId>]>,
    ) -> bool {
        self.n_paths += 1;
        if let Some(core) = core.filter(|_| self.n_paths <= MOST_PATHS)
            && refine::preconditions(program, basis, commands, core, Form::Plain).size > 0
        {
            return true;
        }
        loop {
            self.n_left += 1;
            let found = match self.n_left {
                1 => refine::guards(program, basis),
                2 => refine::rankings(program, basis, commands),
                n => match IN_TEXT.get(n - 3) {
                    Some(&source) => refine::from_text(program, basis, source),
                    None => return false,
                },
            };
            if found {
                return true;
            }
        }
    }
}
