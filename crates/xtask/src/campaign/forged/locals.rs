//! Forged lists of local states: the program's components, without the states that lead to the error.

use resy_automata::lts::{Alphabet, Lts, LtsBuilder, StateId};
use resy_automata::network::ComponentId;
use resy_index::{Id, IndexVec};
use resy_network::Components;

/// The names of the forgeries, each with the obligation that it breaks.
pub const LOCALS: [(&str, &str); 2] = [
    ("local states that cannot err", "locals-closed"),
    ("local states without the first", "locals"),
];

/// Components with fewer local states; nothing if no component can be forged so.
pub fn forged(components: &Components, guilty: &Alphabet, name: &str) -> Option<Components> {
    let mut fewer = copied(components);
    let mut is_forged = false;
    for id in components.network.components.ids() {
        let lts = &components.network.components[id].lts;
        let errs = |state: StateId| {
            let mut actions = lts.transitions_from(state).iter().filter_map(|t| t.0.action());
            actions.any(|action| guilty.contains(action))
        };
        let is_kept = |state: StateId| match name {
            "local states that cannot err" => !errs(state),
            _ => state != lts.initial() && !errs(state),
        };
        let kept: Vec<StateId> = lts.states().filter(|&state| is_kept(state)).collect();
        let starts = kept.contains(&lts.initial());
        let is_better = lts.alphabet().iter().any(|action| guilty.contains(action))
            && kept.len() < lts.n_states()
            && (starts || name != "local states that cannot err");
        if is_better && !kept.is_empty() {
            keep(&mut fewer, id, lts, &kept);
            is_forged = true;
        }
    }
    is_forged.then_some(fewer)
}

fn copied(components: &Components) -> Components {
    Components {
        network: components.network.clone(),
        parts: components.parts.clone(),
        locals: components.locals.clone(),
        classes: components.classes.clone(),
        meanings: components.meanings.clone(),
        signatures: components.signatures.clone(),
        watched: components.watched.clone(),
        drivers: components.drivers.clone(),
        doubts: components.doubts.clone(),
    }
}

/// Leaves these states of a component only; the first of them is initial if the initial one is not among them.
fn keep(components: &mut Components, id: ComponentId, lts: &Lts, kept: &[StateId]) {
    let number = |state: StateId| kept.iter().position(|&other| other == state);
    let mut builder = LtsBuilder::with_states(kept.len());
    for (from, label, to) in lts.transitions() {
        if let (Some(from), Some(to)) = (number(from), number(to)) {
            builder.add_transition(Id::from_index(from), label, Id::from_index(to));
        }
    }
    let initial = number(lts.initial()).unwrap_or_default();
    let component = &mut components.network.components[id];
    let names: IndexVec<StateId, String> = match component.state_names.is_empty() {
        true => IndexVec::new(),
        false => kept.iter().map(|&state| component.state_names[state].clone()).collect(),
    };
    component.lts = builder.finish(Id::from_index(initial), lts.alphabet().clone());
    component.state_names = names;
    let locals = &mut components.locals[id];
    *locals = kept.iter().map(|&state| locals[state].clone()).collect();
}
