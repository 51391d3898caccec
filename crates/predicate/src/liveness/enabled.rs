//! Fairness of an abstraction: enabledness from below, by queries.
//!
//! An abstract run must be as fair as the runs that it stands for, and no fairer. So an action counts
//! as enabled in an abstract state only if it is enabled in *every* concrete state there. Taking it to
//! be enabled where it is in *some* would exclude fair runs: it is unsound.

use crate::abstraction::{AbstractGraph, AbstractId, Basis, literals_of};
use resy_symbolic::{
    ControlId, FairAction, FairnessAssumptions, GuardedCommand, OutOfReach, Solver,
    SymbolicProgram, TermId,
};
use resy_system::{Fairness, LocationId, ProctypeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The just and the compassionate actions of the processes that some control states have.
pub(crate) fn actions(
    program: &SymbolicProgram<'_>,
    controls: impl Iterator<Item = ControlId>,
    assumptions: &FairnessAssumptions,
) -> (Vec<FairAction>, Vec<FairAction>) {
    let mut all: BTreeSet<(usize, ProctypeId)> = BTreeSet::new();
    for control in controls {
        let living = program.controls()[control].state.processes().iter().enumerate();
        all.extend(living.map(|(pid, process)| (pid, process.proctype)));
    }
    let processes: Vec<(usize, ProctypeId)> = all.into_iter().collect();
    let statements = |list: &[(ProctypeId, LocationId)]| -> Vec<FairAction> {
        let pairs = processes.iter().flat_map(|&(pid, p)| {
            let own = list.iter().filter(move |(proctype, _)| *proctype == p);
            own.map(move |&(_, location)| FairAction::Statement(pid, p, location))
        });
        pairs.collect()
    };
    let (mut just, mut compassionate) =
        (statements(&assumptions.just), statements(&assumptions.compassionate));
    let whole = processes.iter().map(|&(pid, _)| FairAction::Process(pid));
    match assumptions.processes {
        Fairness::None => {}
        Fairness::Weak => just.extend(whole),
        Fairness::Strong => compassionate.extend(whole),
    }
    just.sort_unstable();
    just.dedup();
    compassionate.sort_unstable();
    compassionate.dedup();
    (just, compassionate)
}

/// Answers of the solver about enabledness.
#[derive(Default)]
pub(crate) struct Enabledness {
    known: FxHashMap<(FairAction, AbstractId), bool>,
}

impl Enabledness {
    /// Whether an action is enabled in all concrete states of an abstract one.
    pub fn is_certain(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        solver: &mut dyn Solver,
        basis: &mut Basis,
        graph: &AbstractGraph,
        (action, id): (FairAction, AbstractId),
    ) -> Result<bool, OutOfReach> {
        if let Some(&known) = self.known.get(&(action, id)) {
            return Ok(known);
        }
        let state = &graph.states[id];
        let commands = program.commands(state.control)?;
        // A command with inputs or unknown values may be closed for all that is known.
        let own = commands.iter().filter(|c| action.is_begun_by(c));
        let own: Vec<&GuardedCommand> = own.filter(|c| c.inputs.is_empty() && c.is_exact).collect();
        let is_certain = if own.is_empty() {
            false
        } else if own.iter().any(|command| command.guard.is_empty()) {
            true
        } else {
            let mut query = literals_of(program, basis, state.control, &state.values);
            query.extend(program.assumptions(state.control)?.iter());
            let mut terms = program.terms().borrow_mut();
            for command in own {
                let guard = terms.and(&command.guard);
                query.push(terms.not(guard));
            }
            is_refuted(&mut terms, solver, &query)
        };
        self.known.insert((action, id), is_certain);
        Ok(is_certain)
    }
}

/// Whether a conjunction certainly has no model.
pub(crate) fn is_refuted(
    terms: &mut resy_symbolic::Terms,
    solver: &mut dyn Solver,
    query: &[TermId],
) -> bool {
    solver.refutes(terms, query)
}
