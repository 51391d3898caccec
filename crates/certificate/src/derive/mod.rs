//! The network of a program, derived from the local states that a certificate lists.
//!
//! The lists are not trusted: every step that the listed states can take together is computed, and
//! must lead to listed states again. So the lists are closed, and the network contains all
//! behaviour of the program.

mod changed;
mod replies;
mod steps;
mod watch;

use crate::changed::Called;
use crate::network::renumbered;
use crate::obligation::{Obligation, Rejection};
use crate::origin::{Interface, Listed};
use replies::{Pair, Replies};
use resy_automata::lts::{ActionId, Label, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Network};
use resy_index::{Id, IndexVec};
use resy_network::{
    ClassId, Cut, PartId, Role, StepStage, WatchedProperty, action_name, signature,
};
use resy_system::SourcePlace;
use rustc_hash::{FxHashMap, FxHashSet};
use steps::{DerivedClass, DerivedSteps, steps, watches};

pub use changed::{Change, changed};

/// Why there is no network, or no verdict on a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotDerived {
    /// An obligation is violated.
    Rejected(Rejection),
    /// The caller cancelled.
    Stopped,
}

impl NotDerived {
    /// The rejection, if nothing cancels.
    pub(crate) fn rejection(self) -> Rejection {
        match self {
            Self::Rejected(rejection) => rejection,
            Self::Stopped => unreachable!("nothing cancels it"),
        }
    }
}

impl From<Rejection> for NotDerived {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

/// A derived network.
pub struct DerivedNetwork {
    /// The network; its monitor watches the properties.
    pub network: Network,
    /// The name and source places of each action.
    pub called: Vec<Called>,
    /// For each action, the process that drives it, if the action occurs.
    pub drivers: IndexVec<ActionId, Option<usize>>,
}

/// The network of a cut with the local states and the numbers of a certificate. Its monitor watches these
/// properties. `go_on` may cancel.
pub fn derive_called(
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    interface: &Interface,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<DerivedNetwork, NotDerived> {
    let parts: Vec<PartId> =
        interface.components.iter().map(|c| part_of(cut, c)).collect::<Result<_, _>>()?;
    each_once(&parts, interface)?;
    let mut replies = IndexVec::new();
    for part in cut.parts.ids() {
        let listed = parts.iter().position(|&p| p == part).map(|i| &interface.components[i]);
        replies.push(replies_of(cut, part, listed)?);
    }
    let mut steps = steps(cut, replies, go_on).ok_or(NotDerived::Stopped)?;
    if cut.manner.within {
        steps.guard();
    }

    let labels = labels(cut, &steps, properties);
    let mut components: IndexVec<_, Component> = IndexVec::new();
    for (listed, &part) in interface.components.iter().zip(&parts) {
        components.push(component(cut, &mut steps, part, listed, &labels)?);
        if !go_on() {
            return Err(NotDerived::Stopped);
        }
    }
    unlisted_stay(cut, &steps, &parts, &labels)?;
    let monitor = watch::monitor(cut, &steps, properties, &labels.visible, interface)?;

    let keys: Vec<String> =
        labels.visible.iter().map(|&class| signature_of(cut, &steps, class)).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    names_fit(cut, &steps, &labels, &keys, interface)?;
    let actions = keys.iter().map(|&key| Action { name: key.to_owned() }).collect();
    let network = Network { actions, components, monitor, module: Vec::new() };
    let network = renumbered(&network, &keys, &interface.signatures, &interface.actions)?;
    let classes: FxHashMap<&str, ClassId> =
        keys.iter().copied().zip(labels.visible.iter().copied()).collect();
    let called = interface.actions.iter().zip(&interface.signatures).map(|(name, key)| {
        let class = classes.get(key.as_str());
        let places = class.map(|&class| places(&steps, class)).unwrap_or_default();
        Called { name: name.clone(), places }
    });
    let called = called.collect();
    let driver = |class: &ClassId| cut.parts[steps.classes[*class].part].process;
    let drivers = interface.signatures.iter();
    let drivers = drivers.map(|key| classes.get(key.as_str()).and_then(driver)).collect();
    Ok(DerivedNetwork { network, called, drivers })
}

/// The source places of a step.
fn places(steps: &DerivedSteps<'_>, class: ClassId) -> Vec<SourcePlace> {
    let class = &steps.classes[class];
    let senders = steps.senders(class.sender).flat_map(|sender| &sender.places);
    senders.chain(&class.places).copied().collect()
}

/// People read names, not signatures, so that the names must correspond: each action has the name
/// of its steps, with a number appended if another action has the same name.
fn names_fit(
    cut: &Cut<'_>,
    steps: &DerivedSteps<'_>,
    labels: &Labels,
    keys: &[&str],
    interface: &Interface,
) -> Result<(), Rejection> {
    let names = interface.signatures.iter().map(String::as_str).zip(&interface.actions);
    let names: FxHashMap<&str, &String> = names.collect();
    for (&class, key) in labels.visible.iter().zip(keys) {
        let Some(&given) = names.get(key) else { continue };
        let name = called(cut, steps, class, action_name(cut, &stages(steps, class)));
        let number = given.strip_prefix(&name).and_then(|rest| rest.strip_prefix(" #"));
        if *given != name && number.is_none_or(|n| n.parse::<u32>().is_err()) {
            return Err(Obligation::Names.fails(format!("`{given}` should be called `{name}`")));
        }
    }
    Ok(())
}

/// No component is listed twice: the states of the second list would not be those that are replied
/// with.
fn each_once(parts: &[PartId], interface: &Interface) -> Result<(), Rejection> {
    let mut seen = FxHashSet::default();
    match parts.iter().position(|&part| !seen.insert(part)) {
        None => Ok(()),
        Some(i) => {
            let name = &interface.components[i].name;
            Err(Obligation::Names.fails(format!("component `{name}` is listed twice")))
        }
    }
}

/// The part of the cut for a listed component.
fn part_of(cut: &Cut<'_>, listed: &Listed) -> Result<PartId, Rejection> {
    let mut parts = cut.parts.iter_enumerated();
    let found = parts.find(|(id, part)| part.name == listed.name && !watches(cut, *id));
    let (id, part) = found.ok_or_else(|| {
        Obligation::Names.fails(format!("the program has no component `{}`", listed.name))
    })?;
    let width = width_of(cut, id);
    if listed.width != width || Some(listed.locals.len()) != width.checked_mul(listed.n_states) {
        let place = format!("`{}`: a local state has {width} numbers", part.name);
        return Err(Obligation::Locals.fails(place));
    }
    Ok(id)
}

fn width_of(cut: &Cut<'_>, part: PartId) -> usize {
    cut.initial_local(part).len()
}

/// The replies of a component. An unlisted one is in its initial state, and must stay there.
fn replies_of(cut: &Cut<'_>, part: PartId, listed: Option<&Listed>) -> Result<Replies, Rejection> {
    let initial = cut.initial_local(part);
    let Some(listed) = listed else {
        return Ok(Replies::new(part, [&initial[..]].into_iter()));
    };
    let place = |what: &str| Obligation::Locals.fails(format!("`{}`: {what}", listed.name));
    if let Some(bad) = listed.rows().find(|local| !fits(cut, part, local)) {
        return Err(place(&format!("{bad:?} is no local state")));
    }
    let mut replies = Replies::new(part, listed.rows());
    if replies.n_listed() != listed.n_states {
        return Err(place("a local state is listed twice"));
    }
    let initial = replies.number(&initial);
    if !replies.is_listed(initial) {
        return Err(place("the initial state is not listed"));
    }
    Ok(replies)
}

/// Whether the values can be a local state: an existing location, and channels that are not
/// overfull. (Variables may have any value.)
fn fits(cut: &Cut<'_>, id: PartId, local: &[i32]) -> bool {
    let (part, system) = (&cut.parts[id], cut.system());
    let capacity = |chan: usize| system.channel_types[cut.channels[chan].ty].capacity as i32;
    match part.role {
        Role::Ends(chan) => {
            return (0..capacity(chan).max(1)).contains(&local[0])
                && (0..=capacity(chan)).contains(&local[1]);
        }
        Role::Slot(..) | Role::Last | Role::Trace | Role::Claim(_) => return true,
        Role::Plain => {}
    }
    let is_location = |pid: usize| {
        let n_locations: usize =
            cut.runs[pid].iter().map(|&id| system.proctypes[id].edges.len()).sum();
        usize::try_from(local[0]).is_ok_and(|at| at < n_locations)
    };
    let is_filled =
        |&chan: &usize| (0..=capacity(chan)).contains(&local[cut.channels[chan].base as usize]);
    part.process.is_none_or(is_location) && part.channels.iter().all(is_filled)
}

/// The classes of steps that can happen.
struct Labels {
    /// The classes that are actions, by number.
    visible: Vec<ClassId>,
    /// The internal classes, in which only their driver takes part.
    internal: Vec<ClassId>,
}

/// The classes in which every participant can take part.
fn labels(cut: &Cut<'_>, steps: &DerivedSteps<'_>, properties: &[WatchedProperty]) -> Labels {
    let mut labels = Labels { visible: Vec::new(), internal: Vec::new() };
    for (id, class) in steps.classes.iter_enumerated() {
        let is_error = violates(steps, class, properties);
        let is_lame =
            class.moves.is_empty() || class.others.iter().any(|(_, pairs)| pairs.is_empty());
        if class.offer.is_some() || class.fails && !is_error || is_lame {
            continue;
        }
        let is_watched = class.log.iter().any(|exchange| watches(cut, exchange.part));
        if class.others.is_empty() && !is_watched && !is_error {
            labels.internal.push(id);
        } else {
            labels.visible.push(id);
        }
    }
    labels
}

/// Whether a step violates a property by itself.
fn violates(
    steps: &DerivedSteps<'_>,
    class: &DerivedClass,
    properties: &[WatchedProperty],
) -> bool {
    let faults = |class: &DerivedClass| {
        class.faults.iter().any(|kind| properties.iter().any(|p| p.is_violated_if(kind)))
    };
    class.beyond.is_some() || faults(class) || steps.senders(class.sender).any(faults)
}

fn signature_of(cut: &Cut<'_>, steps: &DerivedSteps<'_>, class: ClassId) -> String {
    called(cut, steps, class, signature(cut, &stages(steps, class)))
}

/// A name or signature of a class, which may be one of the steps beyond a bound.
fn called(cut: &Cut<'_>, steps: &DerivedSteps<'_>, class: ClassId, name: String) -> String {
    match steps.classes[class].beyond {
        Some(part) => cut.beyond(&name, part),
        None => name,
    }
}

/// The stages of a class: its senders in order, then its driver.
fn stages<'s>(steps: &'s DerivedSteps<'_>, class: ClassId) -> Vec<StepStage<'s>> {
    let class = &steps.classes[class];
    let mut stages: Vec<_> = steps.senders(class.sender).map(DerivedClass::stage).collect();
    stages.reverse();
    stages.push(class.stage());
    stages
}

/// The moves of a component in a class, if it takes part.
fn moves_of(class: &DerivedClass, part: PartId) -> Option<Vec<Pair>> {
    if class.part == part {
        return Some(class.moves.iter().copied().collect());
    }
    class.others.iter().find(|(other, _)| *other == part).map(|(_, pairs)| pairs.to_vec())
}

/// The automaton of a component; all its moves stay within the listed states.
fn component(
    cut: &Cut<'_>,
    steps: &mut DerivedSteps<'_>,
    part: PartId,
    listed: &Listed,
    labels: &Labels,
) -> Result<Component, Rejection> {
    let mut builder = LtsBuilder::with_states(listed.n_states);
    let mut alphabet: Vec<ActionId> = Vec::new();
    let visible = labels.visible.iter().enumerate();
    let visible = visible.map(|(i, &class)| (Label::Visible(ActionId::from_index(i)), class));
    let internal = labels.internal.iter().map(|&class| (Label::Tau, class));
    for (label, class) in visible.chain(internal) {
        let Some(moves) = moves_of(&steps.classes[class], part) else { continue };
        alphabet.extend(label.action());
        for (start, end) in moves {
            if !steps.replies[part].is_listed(end) {
                let (from, to) = (steps.replies[part].value(start), steps.replies[part].value(end));
                let step = signature_of(cut, steps, class);
                let place = format!("`{}`: from {from:?} to {to:?} by {step}", listed.name);
                return Err(Obligation::LocalsClosed.fails(place));
            }
            let state = |number: u32| StateId::from_index(number as usize);
            builder.add_transition(state(start), label, state(end));
        }
    }
    let initial = steps.replies[part].number(&cut.initial_local(part));
    let lts = builder.finish(Id::from_index(initial as usize), alphabet.into_iter().collect());
    Ok(Component { name: listed.name.clone(), lts, state_names: IndexVec::new() })
}

/// An unlisted component takes part in nothing.
fn unlisted_stay(
    cut: &Cut<'_>,
    steps: &DerivedSteps<'_>,
    parts: &[PartId],
    labels: &Labels,
) -> Result<(), Rejection> {
    for &id in labels.visible.iter().chain(&labels.internal) {
        let class = &steps.classes[id];
        let mut taking_part = class.others.iter().map(|other| other.0).chain([class.part]);
        if let Some(missing) = taking_part.find(|part| !parts.contains(part)) {
            let place = format!("component `{}` is not listed", cut.parts[missing].name);
            return Err(Obligation::Names.fails(place));
        }
    }
    Ok(())
}
