//! Certificates of networks of automata: the text is a network file with all automata inside.

use crate::obligation::{Obligation, Rejection};
use crate::origin::{Certificate, Interface, Kind, Listed, Origin};
use crate::proof::Proof;
use resy_automata::lts::{ActionId, Label, Lts};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::text::{NameClash, network_file};
use resy_index::{Id, IndexVec};
use rustc_hash::FxHashMap;

/// The certificate of a network for which there is a proof.
pub fn certify(network: &Network, proof: Proof) -> Result<Certificate, NameClash> {
    let text = network_file::write(network)?;
    let module = network.module.iter().map(|&id| network.components[id].name.clone()).collect();
    let origin = Origin::new(Kind::Network, "monitor".to_owned(), module, Vec::new(), text);
    let listed = |c: &Component| Listed::plain(c.name.clone(), c.lts.n_states());
    let interface = Interface {
        actions: network.actions.iter().map(|action| action.name.clone()).collect(),
        signatures: Vec::new(),
        components: network.components.iter().map(listed).collect(),
    };
    Ok(Certificate { origin, interface, proof })
}

/// The network that the text of a certificate describes, with the numbers of the certificate.
pub fn derive(certificate: &Certificate) -> Result<Network, Rejection> {
    let nothing_beside = &mut |path: &str| Err(format!("{path}: nothing is beside a certificate"));
    let (network, _) =
        network_file::read("the text", &certificate.origin.text, &[], nothing_beside)
            .map_err(|message| Obligation::Text.fails(message.to_string()))?;
    let names: Vec<&str> = network.actions.iter().map(|action| action.name.as_str()).collect();
    renumbered(&network, &names, &certificate.interface.actions, &certificate.interface.actions)
}

/// The network with its actions in the order of a certificate: those that are identified by
/// `keys` in the network are found among `listed`, and called by `names`.
pub(crate) fn renumbered(
    network: &Network,
    keys: &[&str],
    listed: &[String],
    names: &[String],
) -> Result<Network, Rejection> {
    let mut numbers: FxHashMap<&str, ActionId> = FxHashMap::default();
    for (i, key) in listed.iter().enumerate() {
        if numbers.insert(key, Id::from_index(i)).is_some() {
            return Err(Obligation::Names.fails(format!("there are two actions `{key}`")));
        }
    }
    let number = |key: &&str| {
        let missing = || Obligation::Names.fails(format!("action `{key}` is not listed"));
        numbers.get(key).copied().ok_or_else(missing)
    };
    let new: IndexVec<ActionId, ActionId> = keys.iter().map(number).collect::<Result<_, _>>()?;
    let lts = |lts: &Lts| {
        let alphabet = lts.alphabet().iter().map(|action| new[action]).collect();
        lts.relabelled(alphabet, |label| match label {
            Label::Tau => Label::Tau,
            Label::Visible(action) => Label::Visible(new[action]),
        })
    };
    let component = |c: &Component| Component { lts: lts(&c.lts), ..c.clone() };
    Ok(Network {
        actions: names.iter().map(|name| Action { name: name.clone() }).collect(),
        components: network.components.iter().map(component).collect(),
        monitor: network.monitor.as_ref().map(|m| Monitor { lts: lts(&m.lts), ..m.clone() }),
        module: network.module.clone(),
    })
}
