//! Certificates of processes in FSP: the text is the model, and its network is compiled again.
//!
//! The front end is trusted; it is the one that made the network. Nothing is searched: a network
//! is the automata of the processes and a monitor.

use crate::changed::ChangeRefused;
use crate::check::Checked;
use crate::derive::NotDerived;
use crate::network::{self, renumbered};
use crate::obligation::{Obligation, Rejection};
use crate::origin::{Certificate, Interface, Listed, Origin, OriginKind};
use crate::proof::ProofEvidence;
use resy_automata::network::{Component, Network};
use resy_fsp::{ComposeOptions, Composition, Diagnostics, FspSelection, read_within};

/// How a network was made of a text.
pub struct FspSource<'a> {
    /// The name of the file, for messages.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The composite that was named.
    pub composite: Option<&'a str>,
    /// The properties that were asked for.
    pub asked: FspSelection<'a>,
}

/// The certificate of a network of processes, from evidence about it.
pub fn certify(
    made: &FspSource<'_>,
    property: String,
    network: &Network,
    evidence: ProofEvidence,
) -> Certificate {
    let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let mut settings = vec![setting("file", made.name)];
    settings.extend(made.composite.map(|name| setting("composite", name)));
    settings.extend(made.asked.only.map(|only| setting("only", only)));
    settings.extend(made.asked.without.iter().map(|name| setting("without", name)));
    settings.extend(made.asked.all.then(|| setting("all-properties", "yes")));
    let module = network.module.iter().map(|&id| network.components[id].name.clone()).collect();
    let text = made.text.to_owned();
    let origin = Origin::new(OriginKind::Fsp, property, module, settings, text);
    let listed = |c: &Component| Listed::plain(c.name.clone(), c.lts.n_states());
    let interface = Interface {
        actions: network.actions.iter().map(|action| action.name.clone()).collect(),
        signatures: Vec::new(),
        components: network.components.iter().map(listed).collect(),
        watched: Vec::new(),
    };
    Certificate { origin, interface, evidence }
}

/// The network of a certificate, compiled from its text.
pub fn derive(certificate: &Certificate) -> Result<Network, Rejection> {
    derive_within(certificate, Diagnostics::new()).map_err(|why| match why {
        NotDerived::Rejected(rejection) => rejection,
        NotDerived::Stopped => unreachable!("nothing stops it"),
    })
}

/// Like [`derive()`], with the list that tells the front end when to end early.
pub fn derive_within(
    certificate: &Certificate,
    diagnostics: Diagnostics,
) -> Result<Network, NotDerived> {
    let origin = &certificate.origin;
    let wrong = |what: String| Obligation::Text.fails(what);
    let composite = origin.setting("composite").map(str::to_owned);
    let options = ComposeOptions { composite, ..ComposeOptions::default() };
    let (composition, diagnostics) = read_within(&origin.text, &options, diagnostics);
    if diagnostics.is_stopped() {
        return Err(NotDerived::Stopped);
    }
    let composition = composition.ok_or_else(|| {
        let first = diagnostics.iter().find(|d| d.code.as_str().starts_with('E'));
        wrong(first.map_or_else(String::new, |d| d.short(&origin.text)))
    })?;
    let network = network_of(origin, &composition).map_err(wrong)?;
    let actions = &certificate.interface.actions;
    let names: Vec<&str> = network.actions.iter().map(|action| action.name.as_str()).collect();
    Ok(renumbered(&network, &names, actions, actions)?)
}

/// The network of a composition that a certificate is about, with its module.
fn network_of(origin: &Origin, composition: &Composition) -> Result<Network, String> {
    let without = origin.settings.iter().filter(|(key, _)| key == "without");
    let without: Vec<String> = without.map(|(_, name)| name.clone()).collect();
    let all = origin.setting("all-properties").is_some();
    let asked = FspSelection { only: origin.setting("only"), without: &without, all };
    let mut network = watched(composition, &asked, &origin.property)?;
    for name in &origin.module {
        let found = network.components.iter_enumerated().find(|(_, c)| c.name == *name);
        let (id, _) = found.ok_or_else(|| format!("there is no component `{name}`"))?;
        network.module.push(id);
    }
    network.module.sort_unstable();
    Ok(network)
}

/// The network whose monitor watches what is asked for and has one, if these are the properties with
/// these names.
pub(crate) fn watched(
    composition: &Composition,
    asked: &FspSelection<'_>,
    names: &str,
) -> Result<Network, String> {
    let mut properties = composition
        .select(asked)
        .map_err(|unknown| format!("there is no property `{}`", unknown.name))?;
    properties.retain(|&property| composition.has_monitor(property));
    let found = properties.iter().map(|&property| composition.property_name(property));
    let found = found.collect::<Vec<_>>().join(", ");
    match found == names {
        true => composition.network_of(&properties),
        false => Err(format!("its properties are {found}")),
    }
}

/// Whether the module of another composition may take the place of the one in an accepted
/// certificate. Everything else must be the same.
pub fn recheck(
    certificate: &Certificate,
    network: &Network,
    checked: &Checked<'_>,
    other: &Composition,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ChangeRefused> {
    let other = network_of(&certificate.origin, other).map_err(ChangeRefused::Different)?;
    network::recheck(certificate, network, checked, &other, go_on)
}
