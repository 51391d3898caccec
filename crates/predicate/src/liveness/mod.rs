//! Properties of infinite runs: fair cycles of the abstract graph.
//!
//! The abstract graph times the automaton of the violating runs has no cycle that keeps all fairness
//! requirements and all rankings: then the property holds of the program. A cycle that is not excluded
//! is a reason to refine, and in the end `unknown`: the abstraction may go round where no run does. A search over
//! small values looks for a concrete lasso before and after.

mod enabled;
mod lasso;
mod product;
mod rank;
mod streett;

use crate::abstraction::AbstractEdge;
use crate::abstraction::SmallSearch;
use crate::abstraction::{
    AbstractDoubt, AbstractVerdict, Abstraction, AbstractionBudget, CycleRefinement, Explored,
    PathVerdict, UnboundedRun, check_path,
};
use enabled::Enabledness;
pub(crate) use enabled::{actions, is_refuted};
pub(crate) use lasso::is_certain_idle;
use product::{ClaimProduct, product};
pub(crate) use rank::conditions;
use rank::{RankChange, change, guesses};
use resy_symbolic::{ControlId, GuardedCommand, OutOfReach};
use resy_symbolic::{FairAction, FairnessAssumptions, TermId};
use resy_system::LivenessClaim;
use rustc_hash::FxHashMap;
use streett::fair_component;
pub(crate) use streett::{CycleRequirements, DecomposedReason, FairEdge, FairPart, decomposition};

/// States of the search for a lasso over small values, before the first abstraction and after the last.
const FEW_STATES: usize = 500;
const MANY_STATES: usize = 10_000;

/// So often are rankings guessed from a component that is left.
const MOST_ROUNDS: usize = 6;

/// What a property of infinite runs is decided with.
pub struct LivenessQuestion<'q> {
    /// The automaton of the runs that violate it.
    pub claim: &'q LivenessClaim,
    /// What is assumed about the scheduler.
    pub fairness: &'q FairnessAssumptions,
    /// Terms that cannot fall for ever, given by the user.
    pub ranks: Vec<TermId>,
}

impl Abstraction<'_, '_> {
    /// Decides a property of infinite runs; the rankings that were used are added to `used`.
    pub fn decide_liveness(
        &mut self,
        question: &LivenessQuestion<'_>,
        budget: AbstractionBudget,
        used: &mut Vec<TermId>,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<AbstractVerdict, OutOfReach> {
        let mut refinement = CycleRefinement::default();
        let mut small = SmallSearch::default();
        if let Some(run) = self.lasso(&mut small, FEW_STATES, question, go_on)? {
            return Ok(AbstractVerdict::Fails(Box::new(run)));
        }
        let verdict = self.exclude_cycles(question, budget, &mut refinement, used, go_on)?;
        let is_open = matches!(verdict, AbstractVerdict::Unknown(AbstractDoubt::FairCycle(_)));
        match is_open.then(|| self.lasso(&mut small, MANY_STATES, question, go_on)) {
            Some(Ok(Some(run))) => Ok(AbstractVerdict::Fails(Box::new(run))),
            Some(Err(failure)) => Err(failure),
            _ => Ok(verdict),
        }
    }

    /// A concrete lasso among the first states of a search over small values.
    fn lasso(
        &mut self,
        small: &mut SmallSearch,
        most_states: usize,
        question: &LivenessQuestion<'_>,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<UnboundedRun>, OutOfReach> {
        small.search(self.program, most_states, &|_| false, &mut || go_on(0))?;
        self.small_states = small.n_states();
        let controls = (0..small.n_states()).map(|state| small.control_of(state));
        let (just, compassionate) = actions(self.program, controls, question.fairness);
        lasso::lasso(self.program, small, question, (&just, &compassionate))
    }

    /// Refines the abstraction until no fair cycle is left.
    fn exclude_cycles(
        &mut self,
        question: &LivenessQuestion<'_>,
        budget: AbstractionBudget,
        refinement: &mut CycleRefinement,
        used: &mut Vec<TermId>,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<AbstractVerdict, OutOfReach> {
        loop {
            match self.explore(None, budget.states, go_on)? {
                Explored::Whole | Explored::Violation(_) => {}
                Explored::Cancelled => return Ok(unknown(AbstractDoubt::Cancelled)),
                Explored::TooMany => return Ok(unknown(AbstractDoubt::Budget("abstract states"))),
            }
            let product =
                product(self.program, self.solver, &mut self.basis, &self.graph, question.claim)?;
            let Some(cycle) = self.fair_cycle(question, &product, used)? else {
                return Ok(AbstractVerdict::Holds);
            };
            if !go_on(self.graph.states.len()) {
                return Ok(unknown(AbstractDoubt::Cancelled));
            }
            let commands = self.commands_of(&product, &cycle)?;
            let texts = || cycle.texts(&commands);
            if self.refinements >= budget.refinements {
                return Ok(unknown(AbstractDoubt::FairCycle(texts())));
            }
            self.refinements += 1;
            let checked = check_path(self.program, self.solver, &commands, &|_| false)?;
            let core = match &checked {
                PathVerdict::Refuted(core) => Some(&core[..]),
                PathVerdict::Run(_) | PathVerdict::Open => None,
            };
            if !refinement.refine(self.program, &mut self.basis, &commands, core) {
                return Ok(unknown(AbstractDoubt::FairCycle(texts())));
            }
        }
    }

    /// A cycle of the product that keeps all requirements, with the rankings that are given or guessed.
    fn fair_cycle(
        &mut self,
        question: &LivenessQuestion<'_>,
        product: &ClaimProduct,
        used: &mut Vec<TermId>,
    ) -> Result<Option<StemAndCycle>, OutOfReach> {
        let controls = self.graph.states.iter().map(|state| state.control);
        let (just, compassionate) = actions(self.program, controls, question.fairness);
        let mut ranks = question.ranks.clone();
        for round in 0.. {
            let mut requirements = Requirements {
                abstraction: self,
                product,
                just: &just,
                compassionate: &compassionate,
                ranks: &ranks,
                enabledness: Enabledness::default(),
                changes: FxHashMap::default(),
                failure: None,
            };
            let (n, marks) = (product.states.len(), question.claim.marks());
            let found = fair_component(n, &product.edges, marks, &mut requirements);
            if let Some(failure) = requirements.failure {
                return Err(failure);
            }
            let Some(component) = found else {
                used.clone_from(&ranks);
                return Ok(None);
            };
            let mut guessed = match round < MOST_ROUNDS {
                true => self.guess(product, &component)?,
                false => Vec::new(),
            };
            guessed.retain(|guess| !ranks.contains(guess));
            ranks.extend(&guessed);
            if guessed.is_empty() {
                let cycle = product.cycle_in(&component);
                let stem = product.path_to(product.edges[cycle[0]].source);
                return Ok(Some(StemAndCycle { n_stem: stem.len(), stem, cycle }));
            }
        }
        Ok(None)
    }

    fn guess(
        &mut self,
        product: &ClaimProduct,
        component: &[usize],
    ) -> Result<Vec<TermId>, OutOfReach> {
        let mut commands: Vec<GuardedCommand> = Vec::new();
        let mut seen = Vec::new();
        for &edge in component {
            let control = self.graph.states[product.source_of(edge)].control;
            let number = product.taken[edge].command;
            if !seen.contains(&(control, number)) {
                seen.push((control, number));
                commands.push(self.program.commands(control)?[number].clone());
            }
        }
        Ok(guesses(self.program, commands.iter()))
    }

    fn commands_of(
        &mut self,
        product: &ClaimProduct,
        found: &StemAndCycle,
    ) -> Result<Vec<GuardedCommand>, OutOfReach> {
        let first = match found.stem.first().or(found.cycle.first()) {
            Some(&edge) => product.source_of(edge),
            None => return Ok(Vec::new()),
        };
        let mut commands = vec![self.start_of(first)?];
        for &edge in found.stem.iter().chain(&found.cycle) {
            let control = self.graph.states[product.source_of(edge)].control;
            let AbstractEdge { command, .. } = product.taken[edge];
            commands.push(self.program.commands(control)?[command].clone());
        }
        Ok(commands)
    }
}

fn unknown(doubt: AbstractDoubt) -> AbstractVerdict {
    AbstractVerdict::Unknown(doubt)
}

/// A path to a cycle, and the cycle: edges of the product.
struct StemAndCycle {
    stem: Vec<usize>,
    cycle: Vec<usize>,
    n_stem: usize,
}

impl StemAndCycle {
    /// The statements, with a mark where the cycle begins.
    fn texts(&self, commands: &[GuardedCommand]) -> Vec<String> {
        let mut texts: Vec<String> = commands.iter().map(|c| c.text.clone()).collect();
        texts.insert((self.n_stem + 1).min(texts.len()), "the cycle:".to_owned());
        texts
    }
}

/// The requirements of a product, by queries that are asked when they are needed.
struct Requirements<'r, 'p, 'a> {
    abstraction: &'r mut Abstraction<'p, 'a>,
    product: &'r ClaimProduct,
    just: &'r [FairAction],
    compassionate: &'r [FairAction],
    ranks: &'r [TermId],
    enabledness: Enabledness,
    changes: FxHashMap<(usize, ControlId, AbstractEdge, usize), RankChange>,
    failure: Option<OutOfReach>,
}

impl Requirements<'_, '_, '_> {
    fn action(&self, compassionate: bool, number: usize) -> FairAction {
        if compassionate { self.compassionate[number] } else { self.just[number] }
    }

    fn change(&mut self, rank: usize, edge: usize) -> RankChange {
        let nothing = RankChange { falls: false, rises: true };
        let (source, target) = (self.product.source_of(edge), self.product.target_of(edge));
        let control = self.abstraction.graph.states[source].control;
        let key = (rank, control, self.product.taken[edge], resy_index::Id::index(source));
        if let Some(&known) = self.changes.get(&key) {
            return known;
        }
        let Abstraction { program, solver, basis, graph, .. } = &mut *self.abstraction;
        let commands = match program.commands(control) {
            Ok(commands) => commands,
            Err(failure) => {
                self.failure = Some(failure);
                return nothing;
            }
        };
        let command = &commands[self.product.taken[edge].command];
        let step = (source, command, target);
        match change(program, *solver, basis, graph, step, self.ranks[rank]) {
            Ok(change) => {
                self.changes.insert(key, change);
                change
            }
            Err(failure) => {
                self.failure = Some(failure);
                nothing
            }
        }
    }
}

impl CycleRequirements for Requirements<'_, '_, '_> {
    fn n_just(&self) -> usize {
        self.just.len()
    }

    fn n_compassionate(&self) -> usize {
        self.compassionate.len()
    }

    fn n_ranks(&self) -> usize {
        self.ranks.len()
    }

    fn is_enabled(&mut self, compassionate: bool, action: usize, state: usize) -> bool {
        let action = self.action(compassionate, action);
        let id = self.product.states[state].0;
        let Abstraction { program, solver, basis, graph, .. } = &mut *self.abstraction;
        match self.enabledness.is_certain(program, *solver, basis, graph, (action, id)) {
            Ok(is_certain) => is_certain,
            Err(failure) => {
                self.failure = Some(failure);
                false
            }
        }
    }

    fn is_taken(&mut self, compassionate: bool, action: usize, edge: usize) -> bool {
        let action = self.action(compassionate, action);
        let control = self.abstraction.graph.states[self.product.source_of(edge)].control;
        match self.abstraction.program.commands(control) {
            Ok(commands) => action.is_taken_by(&commands[self.product.taken[edge].command]),
            Err(failure) => {
                self.failure = Some(failure);
                true
            }
        }
    }

    fn falls(&mut self, rank: usize, edge: usize) -> bool {
        self.change(rank, edge).falls
    }

    fn rises(&mut self, rank: usize, edge: usize) -> bool {
        self.change(rank, edge).rises
    }
}
