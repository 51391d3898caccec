//! Contracts of Promela programs.
//!
//! A program is cut and closed: the local states of each component are computed as if the others
//! could do whatever they ever do. No joint states are explored. The closure is not trusted: the
//! network is derived from the local states as for a certificate.

use super::judge::{ClauseFinding, ContractRefusal, JudgedContract, judge};
use super::{Clause, Contract, fingerprint, seal};
use crate::changed::Called;
use crate::counted::{self, Counts};
use crate::derive::{self, NotDerived};
use crate::model::{interface, live_actions, manner_with};
use resy_automata::lts::ActionId;
use resy_automata::network::Network;
use resy_network::{Budget, Components, Cut, Manner, WatchedProperty, build, close, too_large};
use rustc_hash::{FxHashMap, FxHashSet};

/// The network of a program, or of a network file, with the numbers of a contract.
pub struct Derived {
    /// The network: first the actions of the contract, then new ones.
    pub network: Network,
    /// The names and source places of its actions.
    pub called: Vec<Called>,
    /// For each process, its name and the hash of its code.
    pub processes: Vec<(String, u64)>,
}

/// Why a changed program is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJudged {
    /// Something other than processes has changed.
    Refused(String),
    /// A limit was reached.
    Unknown(String),
}

impl From<ContractRefusal> for NotJudged {
    fn from(refusal: ContractRefusal) -> Self {
        Self::Refused(refusal.0)
    }
}

/// The network of a program that has been closed: first the actions of the contract, if one is
/// given, then new ones. `go_on` may cancel.
pub fn derive(
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    components: &Components,
    contract: Option<&Contract>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Derived, NotDerived> {
    let settings = contract.map_or(&[][..], |contract| &contract.settings);
    derive_counted(cut, properties, components, contract, settings, go_on)
}

/// Like [`derive()`], with the settings of a contract that is not made yet: if they have [counts](counted::counts()), the monitor
/// errs where a process exceeds its bound; otherwise it watches the properties.
pub fn derive_counted(
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    components: &Components,
    contract: Option<&Contract>,
    settings: &[(String, String)],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Derived, NotDerived> {
    let mut interface = interface(cut, components, &live_actions(&components.network));
    if let Some(Contract { actions, signatures, .. }) = contract {
        let known: FxHashSet<&str> = signatures.iter().map(String::as_str).collect();
        let found = interface.actions.iter().zip(&interface.signatures);
        let new = found.filter(|(_, signature)| !known.contains(signature.as_str()));
        let (names, keys): (Vec<String>, Vec<String>) =
            new.map(|(name, key)| (name.clone(), key.clone())).unzip();
        interface.actions = [actions.clone(), names].concat();
        interface.signatures = [signatures.clone(), keys].concat();
    }
    let mut derived = derive::derive_called(cut, properties, &interface, go_on)?;
    if counted::counts(settings) {
        let monitor = Counts::of(settings)?.monitor(cut, &derived, &interface.watched)?;
        derived.network.monitor = Some(monitor);
    }
    let (network, called) = (derived.network, derived.called);
    let pids = 0..cut.processes.len();
    let processes = pids.map(|pid| (cut.process_name(pid), fingerprint(cut, pid))).collect();
    Ok(Derived { network, called, processes })
}

/// The result of judging a changed program.
pub struct Verified {
    /// The findings for the clauses.
    pub judged: JudgedContract,
    /// The names and source places of the actions.
    pub called: Vec<Called>,
    /// The number of local states of all components.
    pub n_local_states: usize,
}

/// Judges the processes of a program that has been cut with [`manner_for`] a contract.
/// `go_on(n_local_states)` may cancel.
pub fn verify(
    contract: &Contract,
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    budget: Budget,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Verified, NotJudged> {
    let (closure, overrun) = close(cut, budget, &FxHashMap::default(), &mut |_| true, go_on);
    if let Some(overrun) = overrun {
        return Err(NotJudged::Unknown(too_large(cut, &closure, overrun).to_string()));
    }
    let n_states = closure.n_states();
    let components = build(cut, &closure, properties, &mut || go_on(n_states));
    let components = components.ok_or_else(NotJudged::stopped)?;
    drop(closure);
    let go_on = &mut || go_on(n_states);
    let derived = derive(cut, properties, &components, Some(contract), go_on)?;
    all_counted(contract, &derived)?;
    judged(contract, derived, go_on)
}

/// Steps are counted by their actions: one that a contract of infinite runs does not have would be taken for ever without being
/// counted.
fn all_counted(contract: &Contract, derived: &Derived) -> Result<(), NotJudged> {
    let new = derived.network.actions.iter().nth(contract.actions.len());
    match new.filter(|_| counted::counts(&contract.settings)) {
        None => Ok(()),
        Some(action) => Err(NotJudged::Refused(format!(
            "`{}` is a new step, which a contract about infinite runs does not count",
            action.name
        ))),
    }
}

impl From<NotDerived> for NotJudged {
    fn from(why: NotDerived) -> Self {
        match why {
            NotDerived::Rejected(rejection) => Self::Refused(rejection.to_string()),
            NotDerived::Stopped => Self::stopped(),
        }
    }
}

impl NotJudged {
    fn stopped() -> Self {
        Self::Unknown("time or memory ran out".to_owned())
    }
}

/// Judges the components of a network with the numbers of a contract. `go_on` may cancel.
pub fn judged(
    contract: &Contract,
    derived: Derived,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Verified, NotJudged> {
    let Derived { network, called, processes } = derived;
    let is_known = |name: &str| contract.clauses.iter().any(|c| c.name == name && c.seal.is_some());
    if let Some((name, _)) = processes.iter().find(|(name, _)| !is_known(name)) {
        return Err(NotJudged::Refused(format!("process `{name}` is new")));
    }
    let code: FxHashMap<&str, u64> =
        processes.iter().map(|(name, code)| (&**name, *code)).collect();
    let is_sealed = |clause: &Clause| {
        let code = code.get(clause.name.as_str());
        code.is_some_and(|&code| clause.seal == Some(seal(contract, clause, code)))
    };
    let mut judged = judge(contract, &network, go_on)?.ok_or_else(NotJudged::stopped)?;
    // A seal only decides how a component that meets its requirement is reported.
    for (finding, clause) in judged.findings.iter_mut().zip(&contract.clauses) {
        if *finding == ClauseFinding::Keeps && is_sealed(clause) {
            *finding = ClauseFinding::Unchanged;
        }
    }
    let n_local_states = network.components.iter().map(|c| c.lts.n_states()).sum();
    Ok(Verified { judged, called, n_local_states })
}

/// The options with which to cut a changed program, given its plain cut, so that its components are
/// those of a contract.
pub fn manner_for(contract: &Contract, manner: Manner, plain: &Cut<'_>) -> Manner {
    manner_with(contract.clauses.iter().map(|clause| &*clause.name), manner, plain)
}

/// The contract, sealed with the code of these processes, which meet it.
#[must_use]
pub fn sealed(mut contract: Contract, derived: &Derived) -> Contract {
    for i in 0..contract.clauses.len() {
        let name = &contract.clauses[i].name;
        let code = derived.processes.iter().find(|(process, _)| process == name);
        contract.clauses[i].seal =
            code.map(|&(_, code)| seal(&contract, &contract.clauses[i], code));
    }
    contract
}

/// For each action of a network derived without a contract, the action of the components.
pub fn live(components: &Components) -> Vec<ActionId> {
    let new = live_actions(&components.network);
    new.iter_enumerated().filter_map(|(action, new)| new.map(|_| action)).collect()
}
