//! Certificates of Promela programs: the text is the program, and the network is derived from it.
//!
//! The trusted front end turns the text into a system, reduced or not, and a [`Cut`] with the
//! [options](manner()) of the certificate. From the cut on, nothing is trusted:
//! [`derive`](derive()) runs the components from the listed local states, and computes the network
//! for [`check`](crate::check()).

use crate::changed::{ChangeRefused, meets_all};
use crate::check::Checked;
use crate::derive::{self, Change, NotDerived};
use crate::obligation::{Obligation, Rejection};
use crate::origin::{Certificate, Interface, Listed, Origin};
use crate::proof::{About, Map, Node, Proof, ProofEvidence};
use resy_automata::lts::{ActionId, Label, Lts, LtsBuilder};
use resy_automata::network::{ComponentId, Network};
use resy_index::{Id, IndexVec};
use resy_network::{Components, Cut, Item, Manner, ProcessSlot, WatchedProperty};
use resy_system::{Cell, ProctypeId};

/// The settings that describe how a program is cut.
pub fn settings(manner: &Manner) -> Vec<(String, String)> {
    let Manner { strict, loose, within, slots, rings, sums, apart, given } = manner;
    let setting = |key: &str, value: String| (key.to_owned(), value);
    let mut settings = Vec::new();
    settings.extend(strict.then(|| setting("strict", "yes".to_owned())));
    settings.extend(loose.then(|| setting("loose", "yes".to_owned())));
    settings.extend(within.then(|| setting("within", "yes".to_owned())));
    settings.extend(slots.iter().map(|slot| setting("slot", slot_words(slot))));
    settings.extend(rings.iter().map(|chan| setting("ring", chan.to_string())));
    settings.extend(sums.iter().map(|&cell| setting("sum", cell_words(cell))));
    settings.extend(apart.iter().map(|&cell| setting("apart", cell_words(cell))));
    for (item, pid) in given {
        settings.extend(match item {
            Item::Cell(cell) => Some(setting("give", format!("{pid} {}", cell_words(*cell)))),
            Item::Channel(chan) => Some(setting("give", format!("{pid} channel {chan}"))),
            Item::Process(_) | Item::Last => None,
        });
    }
    settings
}

/// The options with which a certificate's program is cut. Not every option is admissible for every
/// program: see [`Cut::permits`].
pub fn manner(origin: &Origin) -> Result<Manner, Rejection> {
    let [strict, loose, within] =
        ["strict", "loose", "within"].map(|key| origin.setting(key).is_some());
    let mut manner = Manner { strict, loose, within, ..Manner::default() };
    for (key, value) in &origin.settings {
        let words: Vec<&str> = value.split(' ').collect();
        let wrong = || Obligation::Text.fails(format!("setting `{key} {value}`"));
        let number = |word: &str| word.parse::<usize>().map_err(|_| wrong());
        match (key.as_str(), &words[..]) {
            ("slot", words) => manner.slots.push(slot_of(words).ok_or_else(wrong)?),
            ("ring", [chan]) => manner.rings.push(number(chan)?),
            ("sum", cell) => manner.sums.push(cell_of(cell).ok_or_else(wrong)?),
            ("apart", cell) => manner.apart.push(cell_of(cell).ok_or_else(wrong)?),
            ("give", [pid, "channel", chan]) => {
                manner.given.push((Item::Channel(number(chan)?), number(pid)?));
            }
            ("give", [pid, cell @ ..]) => {
                let cell = cell_of(cell).ok_or_else(wrong)?;
                manner.given.push((Item::Cell(cell), number(pid)?));
            }
            _ => {}
        }
    }
    Ok(manner)
}

/// The numbers of the proctypes, then `CELL=VALUE` for each constant.
fn slot_words(slot: &ProcessSlot) -> String {
    let proctypes = slot.proctypes.iter().map(|id| id.index().to_string());
    let constants = slot.constants.iter().map(|(cell, value)| format!("{cell}={value}"));
    proctypes.chain(constants).collect::<Vec<_>>().join(" ")
}

fn slot_of(words: &[&str]) -> Option<ProcessSlot> {
    let mut slot = ProcessSlot { proctypes: Vec::new(), constants: Vec::new() };
    for word in words {
        match word.split_once('=') {
            Some((cell, value)) => slot.constants.push((cell.parse().ok()?, value.parse().ok()?)),
            None => {
                let number: u32 = word.parse().ok()?;
                slot.proctypes.push(ProctypeId::from_index(number as usize));
            }
        }
    }
    (!slot.proctypes.is_empty()).then_some(slot)
}

fn cell_words(cell: Cell) -> String {
    match cell {
        Cell::Global(offset) => format!("global {offset}"),
        Cell::Local(pid, offset) => format!("local {pid} {offset}"),
    }
}

fn cell_of(words: &[&str]) -> Option<Cell> {
    match words {
        ["global", offset] => Some(Cell::Global(offset.parse().ok()?)),
        ["local", pid, offset] => Some(Cell::Local(pid.parse().ok()?, offset.parse().ok()?)),
        _ => None,
    }
}

/// The certificate of a program, from evidence about its components. Actions that some component
/// has and can never take are omitted, because they cannot be derived from the local states.
pub fn certify(
    origin: Origin,
    cut: &Cut<'_>,
    components: &Components,
    evidence: ProofEvidence,
) -> Certificate {
    let new = live_actions(&components.network);
    let interface = interface(cut, components, &new);
    let alive = |Node { of, map }: &Node| {
        let map = match map {
            Map::Identity => Map::Identity,
            Map::Image(map, image) => Map::Image(map.clone(), restricted(image, &new)),
        };
        Node { of: of.clone(), map }
    };
    let about = |about: About| match about {
        About::All => About::All,
        About::Only(actions) => About::Only(actions.iter().filter_map(|a| new[a]).collect()),
    };
    let nodes = evidence.nodes.iter().map(alive).collect();
    let proofs = evidence.proofs.into_iter();
    let proofs = proofs.map(|proof| Proof { about: about(proof.about), ..proof }).collect();
    Certificate { origin, interface, evidence: ProofEvidence { nodes, proofs } }
}

/// The components with their local states, and the actions that have a new number.
pub(crate) fn interface(
    cut: &Cut<'_>,
    components: &Components,
    new: &IndexVec<ActionId, Option<ActionId>>,
) -> Interface {
    let Components { network, locals, signatures, watched, .. } = components;
    let live = || network.actions.ids().filter(|&action| new[action].is_some());
    let listed = network.components.ids().map(|id| {
        let width = cut.initial_local(components.parts[id]).len();
        let locals: Vec<i32> = locals[id].iter().flat_map(|local| local.to_vec()).collect();
        let n_states = network.components[id].lts.n_states();
        Listed { name: network.components[id].name.clone(), n_states, width, locals }
    });
    Interface {
        actions: live().map(|action| network.actions[action].name.clone()).collect(),
        signatures: live().map(|action| signatures[action].clone()).collect(),
        components: listed.collect(),
        watched: watched.clone(),
    }
}

/// New numbers for the actions for which every participant has a transition.
pub fn live_actions(network: &Network) -> IndexVec<ActionId, Option<ActionId>> {
    let mut is_live: IndexVec<ActionId, bool> = network.actions.iter().map(|_| true).collect();
    for component in &network.components {
        let mut takes = vec![false; network.actions.len()];
        let taken = component.lts.transitions().filter_map(|(_, label, _)| label.action());
        taken.for_each(|action| takes[action.index()] = true);
        for action in component.lts.alphabet().iter() {
            is_live[action] &= takes[action.index()];
        }
    }
    let mut n_live = 0;
    let mut number = |&is_live: &bool| {
        n_live += usize::from(is_live);
        is_live.then(|| ActionId::from_index(n_live - 1))
    };
    is_live.iter().map(&mut number).collect()
}

/// The system with new numbers, and without the actions that have none.
fn restricted(lts: &Lts, new: &IndexVec<ActionId, Option<ActionId>>) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions() {
        let label = match label {
            Label::Tau => Some(Label::Tau),
            Label::Visible(action) => new[action].map(Label::Visible),
        };
        if let Some(label) = label {
            builder.add_transition(source, label, target);
        }
    }
    builder.finish(lts.initial(), lts.alphabet().iter().filter_map(|action| new[action]).collect())
}

/// The network of a certificate's program, cut with its options, with the certificate's numbers.
pub fn derive(
    certificate: &Certificate,
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
) -> Result<Network, Rejection> {
    derive_while(certificate, cut, properties, &mut || true).map_err(NotDerived::rejection)
}

/// Like [`derive()`]; `go_on` may cancel.
pub fn derive_while(
    certificate: &Certificate,
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Network, NotDerived> {
    let derived = derive::derive_called(cut, properties, &certificate.interface, go_on)?;
    with_module(certificate, derived.network).map_err(NotDerived::Rejected)
}

/// The network with the module that a certificate names.
pub(crate) fn with_module(
    certificate: &Certificate,
    network: Network,
) -> Result<Network, Rejection> {
    let components = &certificate.interface.components;
    let position = |name: &String| {
        let found = components.iter().position(|listed| listed.name == *name);
        let missing = || Obligation::Names.fails(format!("the module's component `{name}`"));
        found.map(ComponentId::from_index).ok_or_else(missing)
    };
    let module = certificate.origin.module.iter().map(position).collect::<Result<_, _>>()?;
    Ok(Network { module, ..network })
}

/// Whether the module of a changed program, cut with the options of an accepted certificate, may
/// take the place of the old one. The other components must be unchanged as automata. A process of
/// the module may have `limit` local states. `go_on` may cancel.
pub fn recheck(
    certificate: &Certificate,
    network: &Network,
    checked: &Checked<'_>,
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ChangeRefused> {
    let requirements = checked.requirements(&network.module).map_err(ChangeRefused::Different)?;
    let change = derive::changed(cut, properties, &certificate.interface, network, limit, go_on);
    let change = change.ok_or(ChangeRefused::Stopped)?;
    let Change { module, surroundings, actions } = change.map_err(ChangeRefused::Different)?;
    meets_all(&requirements, &surroundings, &module, go_on)
        .ok_or(ChangeRefused::Stopped)?
        .map_err(|forbidden| ChangeRefused::Forbidden(forbidden, actions))
}

/// The options with which to cut a changed program, given its plain cut, so that its components are
/// those of a certificate. A variable that the module no longer uses would be given to its only
/// remaining user, and is kept apart.
pub fn manner_for(interface: &Interface, manner: Manner, plain: &Cut<'_>) -> Manner {
    manner_with(interface.components.iter().map(|listed| &*listed.name), manner, plain)
}

/// Like [`manner_for`], for components with these names.
pub(crate) fn manner_with<'n>(
    names: impl Iterator<Item = &'n str>,
    mut manner: Manner,
    plain: &Cut<'_>,
) -> Manner {
    let is_there = |name: &str| plain.parts.iter().any(|part| part.name == name);
    let cells = (0..plain.globals.len()).map(|offset| Cell::Global(offset as u32));
    for missing in names.filter(|name| !is_there(name)) {
        let cell = cells.clone().find(|&cell| plain.cell_name(cell) == missing);
        manner.apart.extend(cell.filter(|cell| !manner.apart.contains(cell)));
    }
    manner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_has_numbers_of_proctypes() {
        let slot = slot_of(&["3", "1=-2"]).expect("a slot");
        assert_eq!(slot_words(&slot), "3 1=-2");
        for damaged in ["4294967296", "-1", "x", "1=", "=1"] {
            assert!(slot_of(&[damaged]).is_none(), "{damaged}");
        }
    }
}
