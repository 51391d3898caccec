//! A changed module among the old local states of the other components.
//!
//! The module is explored from its start. The other components have the states that the certificate
//! lists, and must be the automata that they were: every step that is found must be one that they
//! could take before, or a new one that the module takes with them, which is left to
//! [`meets`](crate::changed::meets). Programs are not compared as texts: a proof depends on labels
//! and automata only.

use super::replies::{Pair, Replies};
use super::steps::{DerivedSteps, steps_beyond, watches};
use super::{Labels, labels, part_of, places, replies_of, signature_of, stages, violates, watch};
use crate::changed::{Called, Surroundings, composed};
use crate::origin::{Interface, Listed};
use resy_automata::lts::{ActionId, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Network;
use resy_index::{Id, IndexVec};
use resy_network::{ClassId, Cut, PartId, WatchedProperty, action_name};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is to be judged of a changed program.
pub struct Change {
    /// The changed module.
    pub module: Lts,
    /// The alphabets around it.
    pub surroundings: Surroundings,
    /// All actions: those of the certificate, then new ones.
    pub actions: Vec<Called>,
}

/// The changed module of a cut, if the other components are as they were; otherwise which one is
/// not. A process of the module may have `limit` local states. `None` if `go_on` cancels.
pub fn changed(
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    interface: &Interface,
    network: &Network,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Result<Change, String>> {
    let mut is_cancelled = false;
    let asked = &mut || {
        is_cancelled |= !go_on();
        !is_cancelled
    };
    let change = changed_while(cut, properties, interface, network, limit, asked);
    (!is_cancelled).then_some(change)
}

/// Like [`changed`]; what it gives after a cancellation means nothing.
fn changed_while(
    cut: &Cut<'_>,
    properties: &[WatchedProperty],
    interface: &Interface,
    network: &Network,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Change, String> {
    let mut parts: Vec<PartId> = Vec::new();
    for (id, listed) in network.components.ids().zip(&interface.components) {
        let named = |part: &PartId| cut.parts[*part].name == listed.name && !watches(cut, *part);
        let part = match network.module.contains(&id) && !cut.manner.within {
            true => cut.parts.ids().find(named),
            false => part_of(cut, listed).ok(),
        };
        parts.push(part.ok_or_else(|| not_the_same(listed))?);
    }
    let module: Vec<PartId> = network.module.iter().map(|id| parts[id.index()]).collect();
    let all_listed = |part: PartId| {
        let position = parts.iter().position(|&p| p == part)?;
        Some(&interface.components[position])
    };
    let listed = |part: PartId| all_listed(part).filter(|_| !module.contains(&part));
    let (steps, labels) = match cut.manner.within {
        true => within(cut, properties, &all_listed, go_on)?,
        false => explored(cut, properties, &module, &listed, limit, go_on)?,
    };

    let numbers = Numbers::new(cut, &steps, &labels, interface, &module, properties);
    for (id, &part) in network.components.ids().zip(&parts) {
        if module.contains(&part) {
            continue;
        }
        let old = &network.components[id].lts;
        let starts_there =
            *steps.replies[part].value(old.initial().index() as u32) == *cut.initial_local(part);
        let mut moves = moves(&steps, &labels, &numbers, part);
        let is_old = |(label, (start, end)): (Label, Pair)| {
            let [start, end] = [start, end].map(|number| StateId::from_index(number as usize));
            let is_new = label.action().is_some_and(|a| a.index() >= interface.actions.len());
            is_new || old.transitions_by(start, label).contains(&(label, end))
        };
        if !starts_there || !moves.all(is_old) {
            return Err(not_the_same(&interface.components[id.index()]));
        }
    }
    same_participants(cut, &steps, &labels, &parts, &module, &numbers)?;
    same_monitor(cut, &steps, properties, &numbers, interface, network)?;

    let systems: Vec<Lts> =
        module.iter().map(|&part| automaton(cut, &steps, &labels, &numbers, part)).collect();
    let whole = composed(&systems.iter().collect::<Vec<_>>());
    // An action of the old module happens with the new one or not at all: a label names its
    // participants.
    let old = network.module.iter().flat_map(|&id| network.components[id].lts.alphabet().iter());
    let alphabet = whole.alphabet().iter().chain(old).collect();
    let others = network.components.iter_enumerated();
    let others = others.filter(|(id, _)| !network.module.contains(id));
    let others = others.flat_map(|(_, component)| component.lts.alphabet().iter());
    let surroundings = Surroundings {
        n_actions: interface.actions.len(),
        environment: others.chain(numbers.foreign.iter().copied()).collect(),
        monitor: network.monitor.iter().flat_map(|m| m.lts.alphabet().iter()).collect(),
    };
    let module = whole.relabelled(alphabet, |label| label);
    Ok(Change { module, surroundings, actions: numbers.called })
}

fn not_the_same(listed: &Listed) -> String {
    format!("component `{}` is not the same", listed.name)
}

/// The steps of a program whose components are bounded: the module too stays in the local states that were listed for
/// it, and a step that leads to any other one is an error, which the requirement must permit.
fn within<'a, 'l>(
    cut: &'a Cut<'a>,
    properties: &[WatchedProperty],
    listed: &impl Fn(PartId) -> Option<&'l Listed>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(DerivedSteps<'a>, Labels), String> {
    let mut replies = IndexVec::new();
    for part in cut.parts.ids() {
        let of_part = replies_of(cut, part, listed(part));
        replies.push(of_part.map_err(|rejection| rejection.place)?);
    }
    let steps = steps_beyond(cut, replies, &[], 0, go_on);
    let mut steps = steps.ok_or_else(|| "it was cancelled".to_owned())?;
    steps.guard();
    let labels = labels(cut, &steps, properties);
    Ok((steps, labels))
}

/// Explores the module until no new state is found. Its own steps are followed at once; for
/// requests by others, there is another round.
fn explored<'a, 'l>(
    cut: &'a Cut<'a>,
    properties: &[WatchedProperty],
    module: &[PartId],
    listed: &impl Fn(PartId) -> Option<&'l Listed>,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(DerivedSteps<'a>, Labels), String> {
    let first = |&part: &PartId| (part, vec![Rc::from(cut.initial_local(part))]);
    let mut reached: FxHashMap<PartId, Vec<Rc<[i32]>>> = module.iter().map(first).collect();
    loop {
        let mut replies = IndexVec::new();
        for part in cut.parts.ids() {
            replies.push(match reached.get(&part) {
                Some(states) => Replies::new(part, states.iter().map(|local| &**local)),
                None => replies_of(cut, part, listed(part)).map_err(|rejection| rejection.place)?,
            });
        }
        let steps = steps_beyond(cut, replies, module, limit, go_on);
        let steps = steps.ok_or_else(|| "it was cancelled".to_owned())?;
        let labels = labels(cut, &steps, properties);
        let mut is_done = true;
        for (&part, states) in &mut reached {
            let replies = &steps.replies[part];
            let classes = labels.visible.iter().chain(&labels.internal);
            let moves = classes.filter_map(|&class| super::moves_of(&steps.classes[class], part));
            let mut new: Vec<u32> = moves.flatten().map(|(_, end)| end).collect();
            new.retain(|&end| !replies.is_listed(end));
            new.sort_unstable();
            new.dedup();
            is_done &= new.is_empty();
            states.extend(new.into_iter().map(|end| replies.value(end)));
            if states.len() > limit {
                return Err(format!("`{}` has too many local states", cut.parts[part].name));
            }
        }
        if is_done {
            return Ok((steps, labels));
        }
    }
}

/// The action numbers of labels: those of the certificate, or new ones.
struct Numbers {
    of: FxHashMap<ClassId, ActionId>,
    called: Vec<Called>,
    /// New labels that the module shares with others.
    foreign: Vec<ActionId>,
}

impl Numbers {
    fn new(
        cut: &Cut<'_>,
        steps: &DerivedSteps<'_>,
        labels: &Labels,
        interface: &Interface,
        module: &[PartId],
        properties: &[WatchedProperty],
    ) -> Self {
        let listed = interface.signatures.iter().enumerate();
        let known: FxHashMap<&str, usize> = listed.map(|(i, key)| (key.as_str(), i)).collect();
        let old = interface.actions.iter();
        let mut called: Vec<Called> =
            old.map(|name| Called { name: name.clone(), places: Vec::new() }).collect();
        let (mut of, mut foreign) = (FxHashMap::default(), Vec::new());
        for &id in &labels.visible {
            let class = &steps.classes[id];
            let number = known.get(&*signature_of(cut, steps, id)).copied().unwrap_or_else(|| {
                let name = action_name(cut, &stages(steps, id));
                called.push(Called { name, places: Vec::new() });
                let outside = |part: &PartId| !module.contains(part);
                let is_shared = class.others.iter().any(|(part, _)| outside(part))
                    || outside(&class.part)
                    || violates(steps, class, properties)
                    || class.log.iter().any(|exchange| watches(cut, exchange.part));
                if is_shared {
                    foreign.push(ActionId::from_index(called.len() - 1));
                }
                called.len() - 1
            });
            called[number].places = places(steps, id);
            of.insert(id, ActionId::from_index(number));
        }
        Self { of, called, foreign }
    }
}

/// The moves of a component.
fn moves<'s>(
    steps: &'s DerivedSteps<'_>,
    labels: &'s Labels,
    numbers: &'s Numbers,
    part: PartId,
) -> impl Iterator<Item = (Label, Pair)> + 's {
    let visible = labels.visible.iter().map(|class| (Label::Visible(numbers.of[class]), class));
    let all = visible.chain(labels.internal.iter().map(|class| (Label::Tau, class)));
    all.flat_map(move |(label, &class)| {
        let moves = super::moves_of(&steps.classes[class], part);
        moves.into_iter().flatten().map(move |pair| (label, pair))
    })
}

/// The automaton of a component of the module.
fn automaton(
    cut: &Cut<'_>,
    steps: &DerivedSteps<'_>,
    labels: &Labels,
    numbers: &Numbers,
    part: PartId,
) -> Lts {
    let mut builder = LtsBuilder::with_states(steps.replies[part].n_listed());
    for (label, (start, end)) in moves(steps, labels, numbers, part) {
        let [start, end] = [start, end].map(|number| StateId::from_index(number as usize));
        builder.add_transition(start, label, end);
    }
    // It was explored from its initial state, or all its states are listed.
    let initial = cut.initial_local(part);
    let n_listed = steps.replies[part].n_listed() as u32;
    let at = (0..n_listed).find(|&number| *steps.replies[part].value(number) == *initial);
    builder.finish(StateId::from_index(at.unwrap_or_default() as usize), Default::default())
}

/// No new component takes part, and steps without the module are not new.
fn same_participants(
    cut: &Cut<'_>,
    steps: &DerivedSteps<'_>,
    labels: &Labels,
    parts: &[PartId],
    module: &[PartId],
    numbers: &Numbers,
) -> Result<(), String> {
    for &id in labels.visible.iter().chain(&labels.internal) {
        let class = &steps.classes[id];
        let mut participants: Vec<PartId> = class.others.iter().map(|other| other.0).collect();
        participants.push(class.part);
        if let Some(&part) = participants.iter().find(|part| !parts.contains(part)) {
            return Err(format!("component `{}` is new", cut.parts[part].name));
        }
        let is_new = numbers.of.get(&id).is_some_and(|action| numbers.foreign.contains(action));
        if is_new && !participants.iter().any(|part| module.contains(part)) {
            let name = action_name(cut, &stages(steps, id));
            return Err(format!("`{name}` is new, and not of the module"));
        }
    }
    Ok(())
}

/// The monitor has the same transitions by all old labels.
fn same_monitor(
    cut: &Cut<'_>,
    steps: &DerivedSteps<'_>,
    properties: &[WatchedProperty],
    numbers: &Numbers,
    interface: &Interface,
    network: &Network,
) -> Result<(), String> {
    let different = || "the property is not the same".to_owned();
    let is_old = |(_, action): &(&ClassId, &ActionId)| action.index() < interface.actions.len();
    let mut old: Vec<(ActionId, ClassId)> =
        numbers.of.iter().filter(is_old).map(|(&class, &action)| (action, class)).collect();
    old.sort_unstable();
    let classes: Vec<ClassId> = old.iter().map(|&(_, class)| class).collect();
    let found = watch::monitor(cut, steps, properties, &classes, interface);
    let (Ok(Some(found)), Some(before)) = (found, &network.monitor) else {
        return Err(different());
    };
    let action = |label: Label| label.action().map(|position| old[position.index()].0);
    let goes_on = |(source, label, target): (StateId, Label, StateId)| {
        let label = action(label).map_or(Label::Tau, Label::Visible);
        before.lts.transitions_by(source, label) == [(label, target)]
    };
    let alphabet = found.lts.alphabet();
    let sees = |position: usize| alphabet.contains(ActionId::from_index(position));
    let mut sees_the_same =
        (0..old.len()).map(|i| sees(i) == before.lts.alphabet().contains(old[i].0));
    let is_same = found.lts.initial() == before.lts.initial()
        && sees_the_same.all(|same| same)
        && found.lts.transitions().all(goes_on);
    if is_same { Ok(()) } else { Err(different()) }
}
