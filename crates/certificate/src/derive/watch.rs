//! The monitor of a program: the states of the watching components, and whether they are an error.
//!
//! It is derived from its initial state. The certificate's list is only used to number its states.

use super::steps::DerivedSteps;
use super::violates;
use crate::obligation::{Obligation, Rejection};
use crate::origin::Interface;
use resy_automata::lts::{ActionId, Label, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_index::{Id, IndexVec};
use resy_network::{ClassId, Cut, PartId, WatchedProperty};
use rustc_hash::FxHashMap;

/// The monitor, if there is a property. Its first state is the error state.
pub fn monitor(
    cut: &Cut<'_>,
    steps: &DerivedSteps<'_>,
    properties: &[WatchedProperty],
    visible: &[ClassId],
    interface: &Interface,
) -> Result<Option<Monitor>, Rejection> {
    if properties.is_empty() {
        return Ok(None);
    }
    let watchers: Vec<PartId> = properties.iter().filter_map(|p| p.part(cut)).collect();
    let watched = |&class: &ClassId| {
        let class = &steps.classes[class];
        let is_seen = class.log.iter().any(|exchange| watchers.contains(&exchange.part));
        is_seen || violates(steps, class, properties)
    };
    let visible = visible.iter().enumerate().filter(|(_, class)| watched(class));
    let visible: Vec<(ActionId, ClassId)> =
        visible.map(|(i, &class)| (ActionId::from_index(i), class)).collect();

    let error = StateId::from_index(0);
    let listed = interface.watched.iter().map(Vec::as_slice);
    let numbers: FxHashMap<&[i32], StateId> =
        listed.enumerate().map(|(i, seen)| (seen, Id::from_index(i + 1))).collect();
    let enter = |seen: &[Vec<i32>]| {
        if watchers.iter().zip(seen).any(|(&part, local)| cut.is_violated(part, local)) {
            return Ok(error);
        }
        let missing = || Obligation::LocalsClosed.fails(format!("the monitor: {seen:?}"));
        numbers.get(&*seen.concat()).copied().ok_or_else(missing)
    };

    let mut builder = LtsBuilder::with_states(interface.watched.len() + 1);
    let start: Vec<Vec<i32>> = watchers.iter().map(|&part| cut.initial_local(part)).collect();
    let initial = enter(&start)?;
    let mut known = vec![false; builder.n_states()];
    known[initial.index()] = true;
    let mut todo = vec![(initial, start)];
    while let Some((source, seen)) = todo.pop().filter(|(state, _)| *state != error) {
        for (property, local) in properties.iter().filter(|p| p.part(cut).is_some()).zip(&seen) {
            if property.fails_if_it_ends(cut, local) {
                return Err(Obligation::ClaimAtEnd.fails(property.name(cut)));
            }
        }
        for &(action, class) in &visible {
            let class = &steps.classes[class];
            let mut next = seen.clone();
            for exchange in class.log.iter() {
                if let Some(at) = watchers.iter().position(|&part| part == exchange.part) {
                    cut.reply(exchange.part, &mut next[at], &exchange.request);
                }
            }
            let is_error = violates(steps, class, properties);
            let target = if is_error { error } else { enter(&next)? };
            builder.add_transition(source, Label::Visible(action), target);
            if target != error && !std::mem::replace(&mut known[target.index()], true) {
                todo.push((target, next));
            }
        }
    }
    let alphabet = visible.iter().map(|&(action, _)| action).collect();
    let lts = builder.finish(initial, alphabet);
    Ok(Some(Monitor { lts, error, state_names: IndexVec::new() }))
}
