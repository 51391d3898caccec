//! Certificates of networks of automata: the text is a network file with all automata inside.

use crate::changed::{Called, ChangeRefused, Surroundings, composed, meets_all};
use crate::check::Checked;
use crate::obligation::{Obligation, Rejection};
use crate::origin::{Certificate, Interface, Listed, Origin, OriginKind};
use crate::proof::ProofEvidence;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::text::{NameClash, network_file};
use resy_index::{Id, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};

/// The certificate of a network, from evidence about it.
pub fn certify(network: &Network, evidence: ProofEvidence) -> Result<Certificate, NameClash> {
    let text = network_file::write(network)?;
    let module = network.module.iter().map(|&id| network.components[id].name.clone()).collect();
    let origin = Origin::new(OriginKind::Network, "monitor".to_owned(), module, Vec::new(), text);
    let listed = |c: &Component| Listed::plain(c.name.clone(), c.lts.n_states());
    let interface = Interface {
        actions: network.actions.iter().map(|action| action.name.clone()).collect(),
        signatures: Vec::new(),
        components: network.components.iter().map(listed).collect(),
        watched: Vec::new(),
    };
    Ok(Certificate { origin, interface, evidence })
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

/// Whether the module of another network may take the place of the one in an accepted certificate.
/// Everything else must be the same.
pub fn recheck(
    certificate: &Certificate,
    network: &Network,
    checked: &Checked<'_>,
    other: &Network,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ChangeRefused> {
    let different = |what: String| ChangeRefused::Different(what);
    let requirements = checked.requirements(&network.module).map_err(different)?;
    let keys: Vec<&str> = other.actions.iter().map(|action| action.name.as_str()).collect();
    let mut names = certificate.interface.actions.clone();
    let known: FxHashSet<&str> = certificate.interface.actions.iter().map(|n| &**n).collect();
    names.extend(keys.iter().filter(|key| !known.contains(*key)).map(|&key| key.to_owned()));
    let other =
        renumbered(other, &keys, &names, &names).map_err(|rejection| different(rejection.place))?;
    same_surroundings(network, &other).map_err(different)?;

    let surroundings = Surroundings {
        n_actions: certificate.interface.actions.len(),
        environment: alphabet(environment(network)),
        monitor: network.monitor.iter().flat_map(|m| m.lts.alphabet().iter()).collect(),
    };
    let module: Vec<&Lts> = other.module.iter().map(|&id| &other.components[id].lts).collect();
    let met = meets_all(&requirements, &surroundings, &composed(&module), go_on);
    met.ok_or(ChangeRefused::Stopped)?.map_err(|forbidden| {
        ChangeRefused::Forbidden(forbidden, names.into_iter().map(called).collect())
    })
}

fn called(name: String) -> Called {
    Called { name, places: Vec::new() }
}

/// The components outside the module.
fn environment(network: &Network) -> impl Iterator<Item = &Component> {
    let components = network.components.iter_enumerated();
    components.filter(|(id, _)| !network.module.contains(id)).map(|(_, component)| component)
}

fn alphabet<'a>(components: impl Iterator<Item = &'a Component>) -> Alphabet {
    components.flat_map(|component| component.lts.alphabet().iter()).collect()
}

/// Environment and monitor are the same; the monitor may lack actions that only the old module had.
fn same_surroundings(old: &Network, new: &Network) -> Result<(), String> {
    if new.module.is_empty() {
        return Err("the network names no module".to_owned());
    }
    let same = |a: &&Component, b: &&Component| a.name == b.name && a.lts == b.lts;
    let (mut others, mut ours) = (environment(new), environment(old));
    loop {
        match (ours.next(), others.next()) {
            (None, None) => break,
            (Some(a), Some(b)) if same(&a, &b) => {}
            (Some(a), _) => return Err(format!("component `{}` is not the same", a.name)),
            (None, Some(b)) => return Err(format!("component `{}` is new", b.name)),
        }
    }
    let used = alphabet(new.components.iter());
    let monitor = old.monitor.clone().map(|monitor| monitor.restricted_to(&used));
    let watches = |m: &Option<Monitor>| m.as_ref().map(|m| (m.lts.clone(), m.error));
    if watches(&monitor) != watches(&new.monitor) {
        return Err("the monitor is not the same".to_owned());
    }
    Ok(())
}

/// The network with its actions in the order of a certificate: an action is identified by its entry
/// of `keys`, found in `listed`, and named by `names`.
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
    if new.iter().collect::<FxHashSet<_>>().len() < new.len() {
        return Err(Obligation::Names.fails("two actions of the network are the same"));
    }
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
