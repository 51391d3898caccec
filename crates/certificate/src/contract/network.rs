//! Contracts of networks of automata: each component has a clause, and actions are identified by
//! name.

use super::Contract;
use super::model::Derived;
use crate::changed::Called;
use crate::fsp::watched;
use crate::hash;
use crate::network::renumbered;
use crate::obligation::Rejection;
use resy_automata::lts::{Label, Lts};
use resy_automata::network::Network;
use resy_fsp::{Composition, FspSelection};
use resy_index::Id;
use std::fmt::Write;

/// A network with the numbers of a contract, if there is one: first its actions, then new ones.
pub fn derive(network: &Network, contract: Option<&Contract>) -> Result<Derived, Rejection> {
    let keys: Vec<&str> = network.actions.iter().map(|action| action.name.as_str()).collect();
    let mut names: Vec<String> = contract.map_or_else(Vec::new, |c| c.signatures.clone());
    let new: Vec<&str> =
        keys.iter().copied().filter(|&key| !names.iter().any(|n| n == key)).collect();
    names.extend(new.into_iter().map(str::to_owned));
    let processes = network.components.iter();
    let processes = processes.map(|c| (c.name.clone(), fingerprint(&c.lts, &keys))).collect();
    let network = renumbered(network, &keys, &names, &names)?;
    let called = names.into_iter().map(|name| Called { name, places: Vec::new() }).collect();
    Ok(Derived { network, called, processes })
}

/// The network of a composition that a contract is about.
pub fn of_contract(composition: &Composition, contract: &Contract) -> Result<Network, String> {
    let setting = |key: &str| contract.settings.iter().find(|(word, _)| word == key);
    let without = contract.settings.iter().filter(|(key, _)| key == "without");
    let without: Vec<String> = without.map(|(_, name)| name.clone()).collect();
    let asked = FspSelection {
        only: setting("only").map(|(_, name)| name.as_str()),
        without: &without,
        all: setting("all-properties").is_some(),
    };
    watched(composition, &asked, &contract.property)
}

/// A hash of an automaton, independent of the numbers of its actions.
fn fingerprint(lts: &Lts, names: &[&str]) -> u64 {
    let name = |label: Label| label.action().map_or("", |action| names[action.index()]);
    let mut alphabet: Vec<&str> = lts.alphabet().iter().map(|a| name(Label::Visible(a))).collect();
    alphabet.sort_unstable();
    let transitions = lts.transitions().map(|(from, by, to)| (from.index(), name(by), to.index()));
    let mut transitions: Vec<(usize, &str, usize)> = transitions.collect();
    transitions.sort_unstable();
    let mut text = format!("{} {alphabet:?}\n", lts.initial().index());
    for transition in transitions {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{transition:?}");
    }
    hash(&text)
}
