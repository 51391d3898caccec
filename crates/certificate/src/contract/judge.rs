//! Whether the components of a changed program meet their requirements, each judged alone.
//!
//! The rules are those of [`changed`](crate::changed): a requirement follows its component. Other
//! components may have changed too; therefore a component must not touch the new or old actions of
//! any other. An action that no component has any more does not happen, and needs no following.
//! That the monitor has not become stricter is one more game, in which the old monitor follows the
//! new one into its error state.

use super::Contract;
use crate::changed::{Forbidden, Surroundings, meets, meets_while};
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder};
use resy_automata::network::{Component, Monitor, Network};
use resy_index::Id;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The finding about a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseFinding {
    /// It meets its requirement, and its code has the seal of the contract.
    Unchanged,
    /// It meets its requirement.
    Keeps,
    /// It does what its requirement forbids.
    Breaks(Forbidden),
}

/// The findings, in the order of the clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedContract {
    /// One finding per clause.
    pub findings: Vec<ClauseFinding>,
}

/// Why a network is not judged: something other than its components has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractRefusal(pub String);

impl JudgedContract {
    /// Whether every component meets its requirement.
    pub fn is_kept(&self) -> bool {
        self.findings.iter().all(|finding| !matches!(finding, ClauseFinding::Breaks(_)))
    }
}

/// Judges the components of a network whose first actions are those of the contract. Every clause is
/// judged, whatever its seal says: anyone can compute a seal. The result is `None` if `go_on`, which is
/// asked now and then, cancels.
pub fn judge(
    contract: &Contract,
    network: &Network,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<JudgedContract>, ContractRefusal> {
    let systems = same_components(contract, network)?;
    same_monitor(contract, network)?;
    let known = contract.actions.len();
    let alive: Alphabet = network.components.iter().flat_map(|c| c.lts.alphabet().iter()).collect();
    let monitor = network.monitor.iter().flat_map(|m| m.lts.alphabet().iter());
    let monitor: Alphabet = monitor.chain(contract.monitor.lts.alphabet().iter()).collect();
    let mut findings = Vec::new();
    // New actions of processes.
    let mut seen: FxHashSet<ActionId> = FxHashSet::default();
    for (i, clause) in contract.clauses.iter().enumerate() {
        let requirement = &clause.requirement;
        let mut system = with_dead_actions(&systems[i], requirement, &alive);
        match clause.seal {
            Some(_) => seen.extend(system.alphabet().iter().filter(|a| a.index() >= known)),
            // A new action of an object is also a new action of the process that takes it.
            None => system = only_known(&system, known),
        }
        let environment = environment(contract, &systems, i);
        let rest = Surroundings { n_actions: known, environment, monitor: monitor.clone() };
        let Some(result) = meets_while(requirement, &rest, &system, go_on) else {
            return Ok(None);
        };
        findings.push(match result {
            Ok(()) => ClauseFinding::Keeps,
            Err(forbidden) => ClauseFinding::Breaks(forbidden),
        });
    }
    let judged = JudgedContract { findings };
    let mut new = alive.iter().filter(|a| a.index() >= known && !seen.contains(a));
    match new.next().filter(|_| judged.is_kept()) {
        None => Ok(Some(judged)),
        Some(action) => Err(ContractRefusal(format!(
            "`{}` is new, and no process takes part in it",
            network.actions[action].name
        ))),
    }
}

/// The component of each clause; an object that is no longer used does nothing.
fn same_components<'n>(
    contract: &Contract,
    network: &'n Network,
) -> Result<Vec<Cow<'n, Lts>>, ContractRefusal> {
    let refuse = |what: String| Err(ContractRefusal(what));
    let mut systems = Vec::new();
    for clause in &contract.clauses {
        let found = network.components.iter().find(|c| c.name == clause.name);
        if found.is_none() && clause.seal.is_some() {
            return refuse(format!("process `{}` is missing", clause.name));
        }
        let idle = || Cow::Owned(Lts::idle(Alphabet::default()));
        systems.push(found.map_or_else(idle, |component| Cow::Borrowed(&component.lts)));
    }
    let is_known = |c: &&Component| contract.clauses.iter().any(|clause| clause.name == c.name);
    for new in network.components.iter().filter(|c| !is_known(c)) {
        if new.lts.alphabet().iter().any(|a| a.index() < contract.actions.len()) {
            return refuse(format!("`{}` is new, and takes part in what was there", new.name));
        }
    }
    Ok(systems)
}

/// The actions of all other components, present and former.
fn environment(contract: &Contract, systems: &[Cow<'_, Lts>], of: usize) -> Alphabet {
    let others = contract.clauses.iter().zip(systems).enumerate().filter(|(i, _)| *i != of);
    let both = others.flat_map(|(_, (clause, now))| [&clause.requirement, &**now]);
    both.flat_map(|lts| lts.alphabet().iter()).collect()
}

/// The system with the actions of its requirement that no component has any more, without
/// transitions for them.
fn with_dead_actions(system: &Lts, requirement: &Lts, alive: &Alphabet) -> Lts {
    let dead = requirement.alphabet().without(alive);
    system.relabelled(system.alphabet().union(&dead), |label| label)
}

/// The system without new actions.
fn only_known(system: &Lts, n_known: usize) -> Lts {
    let is_known = |action: ActionId| action.index() < n_known;
    let mut builder = LtsBuilder::with_states(system.n_states());
    for (source, label, target) in system.transitions() {
        if label.action().is_none_or(is_known) {
            builder.add_transition(source, label, target);
        }
    }
    builder.finish(system.initial(), system.alphabet().iter().filter(|&a| is_known(a)).collect())
}

/// Whenever the monitor of the network errs by known actions, the monitor of the contract does too.
fn same_monitor(contract: &Contract, network: &Network) -> Result<(), ContractRefusal> {
    let refusal = || ContractRefusal("the property is not that of the contract".to_owned());
    let now = network.monitor.as_ref().ok_or_else(refusal)?;
    let components = network.components.iter().flat_map(|c| c.lts.alphabet().iter());
    let known: Alphabet = components.filter(|a| a.index() < contract.actions.len()).collect();
    let errs = ActionId::from_index(network.actions.len());
    let [before, now] = [&contract.monitor, now].map(|monitor| telling(monitor, &known, errs));
    let environment = known.iter().chain([errs]).collect();
    let rest = Surroundings { n_actions: errs.index() + 1, environment, monitor: known };
    meets(&before, &rest, &now).map_err(|_| refusal())
}

/// The monitor as a system that takes part in all of some actions, and in one more where it has
/// erred.
fn telling(monitor: &Monitor, actions: &Alphabet, errs: ActionId) -> Lts {
    let Monitor { lts, error, .. } = monitor;
    let mut builder = LtsBuilder::with_states(lts.n_states());
    builder.add_transition(*error, Label::Visible(errs), *error);
    for state in lts.states() {
        for label in actions.iter().map(Label::Visible) {
            let moves = lts.transitions_by(state, label);
            moves.iter().for_each(|t| builder.add_transition(state, label, t.1));
            // It does not watch this action, or is in its error state.
            if moves.is_empty() {
                builder.add_transition(state, label, state);
            }
        }
    }
    builder.finish(lts.initial(), Alphabet::default())
}
