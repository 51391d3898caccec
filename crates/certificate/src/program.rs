//! From the text of a program to its network: what a certificate of a program is derived by.
//!
//! The front end, the passes and the cut are trusted; they are the same that made the network.

use crate::changed::ChangeRefused;
use crate::check::Checked;
use crate::counted::{self, CheckedCounts};
use crate::derive::NotDerived;
use crate::model;
use crate::obligation::{Obligation, Rejection};
use crate::origin::{Certificate, Origin, OriginKind};
use crate::sources::Sources;
use resy_automata::network::Network;
use resy_network::{Cut, CutObstacle, CutRefusal, Manner, WatchedProperty};
use resy_passes::{Visible, merge_while, reset_dead_while};
use resy_promela::Diagnostics;
use resy_system::{Interpreter, Options, Property, Selection, System, UnknownProperty, select};
use std::cell::RefCell;

/// A process of a changed module with more local states is not explored.
const MOST_STATES: usize = 100_000;

/// How a network was made of a program, apart from what its cut says.
pub struct Made<'a> {
    /// The texts of the program.
    pub sources: &'a Sources,
    /// The one property that was asked for.
    pub only: Option<&'a str>,
    /// The properties that were left out.
    pub without: &'a [String],
    /// Whether a send to a full channel loses its message.
    pub loss: bool,
    /// Whether the system was reduced before it was cut.
    pub reduced: bool,
}

/// What a certificate says of a network: with this and a proof, [`model::certify`] makes one.
/// `module` has the names of the module's components, in the order of the network.
pub fn origin(
    made: &Made<'_>,
    selection: &Selection,
    manner: &Manner,
    module: Vec<String>,
) -> Origin {
    let yes = |key: &str, is_set: bool| is_set.then(|| (key.to_owned(), "yes".to_owned()));
    let mut settings = made.sources.settings();
    settings.extend(made.only.map(|only| ("only".to_owned(), only.to_owned())));
    settings.extend(made.without.iter().map(|name| ("without".to_owned(), name.clone())));
    settings.extend(yes("loss", made.loss));
    settings.extend(yes("reduced", made.reduced));
    settings.extend(model::settings(manner));
    let text = made.sources.text.clone();
    Origin::new(OriginKind::Promela, property_names(selection), module, settings, text)
}

/// What the monitor watches, as one name.
fn property_names(selection: &Selection) -> String {
    let names = selection.properties.iter().filter(|p| watched(p).is_some()).map(|p| p.name());
    names.collect::<Vec<_>>().join(", ")
}

/// The network of a certificate, derived from its program.
pub fn network(certificate: &Certificate) -> Result<Network, Rejection> {
    let found = network_while(certificate, Diagnostics::new(), &mut || true);
    found.map_err(NotDerived::rejection)
}

/// Like [`network`]; `go_on` may cancel, and so may the diagnostics while the text is read.
pub fn network_while(
    certificate: &Certificate,
    diagnostics: Diagnostics,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Network, NotDerived> {
    let system = Sources::of(&certificate.origin).system_with(diagnostics);
    let Some(system) = system.map_err(wrong)? else { return Err(NotDerived::Stopped) };
    let go_on = &RefCell::new(go_on);
    let derive = |cut: &Cut<'_>, properties: &[_]| {
        model::derive_while(certificate, cut, properties, &mut || go_on.borrow_mut()())
    };
    let origin = &certificate.origin;
    with_cut(origin, &system, |manner, _| manner, derive, &mut || go_on.borrow_mut()())?
}

/// Checks a certificate of a property of infinite runs. `go_on` may cancel, and so may the diagnostics.
pub fn check_counted(
    certificate: &Certificate,
    diagnostics: Diagnostics,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<CheckedCounts, NotDerived> {
    let system = Sources::of(&certificate.origin).system_with(diagnostics);
    let Some(system) = system.map_err(wrong)? else { return Err(NotDerived::Stopped) };
    let origin = &certificate.origin;
    let selection = selected(origin, &system)?.tracking(&system);
    let selection = selection.map_err(|why| wrong(why.to_owned()))?;
    let go_on = &RefCell::new(go_on);
    let check = |cut: &Cut<'_>, properties: &[_]| {
        counted::check(certificate, cut, properties, &mut || go_on.borrow_mut()())
    };
    let manner = |manner, _: &Cut<'_>| manner;
    cut_as_asked(origin, &system, &selection, manner, check, &mut || go_on.borrow_mut()())?
}

/// Whether the module of another program may take the place of the one in an accepted certificate. `go_on` may
/// cancel.
pub fn recheck(
    certificate: &Certificate,
    network: &Network,
    checked: &Checked<'_>,
    system: &System,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ChangeRefused> {
    let Certificate { origin, interface, .. } = certificate;
    let manner = |manner, plain: &Cut<'_>| model::manner_for(interface, manner, plain);
    let go_on = &RefCell::new(go_on);
    let asked = &mut || go_on.borrow_mut()();
    let recheck = |cut: &Cut<'_>, properties: &[_]| {
        let go_on = &mut || go_on.borrow_mut()();
        model::recheck(certificate, network, checked, cut, properties, MOST_STATES, go_on)
    };
    let different = |why| match why {
        NotDerived::Rejected(rejection) => ChangeRefused::Different(rejection.place),
        NotDerived::Stopped => ChangeRefused::Stopped,
    };
    with_cut(origin, system, manner, recheck, asked).map_err(different)?
}

/// Cuts a system as a certificate says, or in another manner. `go_on` may cancel.
pub fn with_cut<T>(
    origin: &Origin,
    system: &System,
    manner: impl FnOnce(Manner, &Cut<'_>) -> Manner,
    then: impl FnOnce(&Cut<'_>, &[WatchedProperty]) -> T,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<T, NotDerived> {
    if origin.setting(counted::ORDER).is_some() {
        return Err(wrong("its property is about infinite runs".to_owned()).into());
    }
    cut_as_asked(origin, system, &selected(origin, system)?, manner, then, go_on)
}

/// Like [`with_cut`], for a contract, whose property may be about infinite runs.
pub fn with_cut_of_contract<T>(
    origin: &Origin,
    system: &System,
    manner: impl FnOnce(Manner, &Cut<'_>) -> Manner,
    then: impl FnOnce(&Cut<'_>, &[WatchedProperty]) -> T,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<T, NotDerived> {
    if origin.setting(counted::ORDER).is_none() {
        return with_cut(origin, system, manner, then, go_on);
    }
    let selection = selected(origin, system)?.tracking(system);
    let selection = selection.map_err(|why| wrong(why.to_owned()))?;
    cut_as_asked(origin, system, &selection, manner, then, go_on)
}

/// The properties of a system that a certificate is about.
fn selected(origin: &Origin, system: &System) -> Result<Selection, Rejection> {
    let without = origin.settings.iter().filter(|(key, _)| key == "without");
    let without: Vec<String> = without.map(|(_, name)| name.clone()).collect();
    select(system, origin.setting("only"))
        .and_then(|selection| selection.without(&without))
        .map_err(|unknown: UnknownProperty| wrong(unknown.to_string()))
}

/// Cuts a system as a certificate says, with monitors for these properties.
fn cut_as_asked<T>(
    origin: &Origin,
    system: &System,
    selection: &Selection,
    manner: impl FnOnce(Manner, &Cut<'_>) -> Manner,
    then: impl FnOnce(&Cut<'_>, &[WatchedProperty]) -> T,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<T, NotDerived> {
    if property_names(selection) != origin.property {
        return Err(wrong(format!("its properties are {}", property_names(selection))).into());
    }
    let is_reduced = origin.setting("reduced").is_some();
    let system = match is_reduced {
        true => reduce(system, selection, go_on).ok_or(NotDerived::Stopped)?,
        false => system.clone(),
    };
    let options = Options { loss: origin.setting("loss").is_some(), ..Options::default() };
    let interpreter = Interpreter::new(&system, options);
    let monitors = selection.monitors.as_slice().to_vec();
    let refused = |refusal: CutRefusal| match refusal.why {
        CutObstacle::Stopped => NotDerived::Stopped,
        _ => wrong(refusal.to_string()).into(),
    };
    let asked = model::manner(origin)?;
    let plain = Manner { slots: asked.slots.clone(), ..Manner::default() };
    let plain = Cut::of_while(interpreter.clone(), monitors.clone(), &plain, go_on);
    let plain = plain.map_err(refused)?;
    let manner = manner(asked, &plain);
    if !plain.permits(&manner) {
        return Err(wrong("it cannot be cut as the settings say".to_owned()).into());
    }
    let cut = Cut::of_while(interpreter, monitors, &manner, go_on).map_err(refused)?;
    let properties: Vec<_> = selection.properties.iter().filter_map(watched).collect();
    Ok(then(&cut, &properties))
}

/// The text is not what the certificate says it is.
fn wrong(what: String) -> Rejection {
    Rejection { obligation: Obligation::Text, place: what }
}

/// The property as a monitor watches it.
pub fn watched(property: &Property) -> Option<WatchedProperty> {
    match property {
        Property::Assertions => Some(WatchedProperty::Assertions),
        Property::Runtime => Some(WatchedProperty::Runtime),
        Property::Trace => Some(WatchedProperty::Trace),
        Property::Claim { monitor, .. } => Some(WatchedProperty::Claim(*monitor)),
        Property::EndStates
        | Property::Liveness { .. }
        | Property::Monitor
        | Property::Composition { .. } => None,
    }
}

/// The system without what no property can observe: dead variables are reset, and statements that
/// touch nothing shared are merged into the step before them. `None` if `go_on` ends it.
pub fn reduce(
    system: &System,
    selection: &Selection,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<System> {
    let visible = Visible::new(selection.monitors.conditions().to_vec());
    match selection.counts_steps {
        true => reset_dead_while(system, &visible, go_on),
        false => reset_dead_while(&merge_while(system, &visible, go_on)?, &visible, go_on),
    }
}
