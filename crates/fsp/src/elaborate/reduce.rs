//! `minimal` and `deterministic`: machines with fewer states or transitions.

use super::machine::Machine;
use resy_automata::bisimulation::strong;
use resy_automata::{ActionId, Alphabet, Label, Lts, LtsBuilder, Quotient, StateId};
use resy_index::{Id, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A machine with the same traces and one next state for every action: the machine itself if it is
/// one, or the subset construction, reduced. A set with `ERROR` in it is `ERROR`. `None` if
/// `go_on(n_states)`, which is called for each state, says no.
pub(crate) fn deterministic(
    machine: &Machine,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Option<Machine> {
    let lts = &machine.lts;
    if lts.is_deterministic() {
        return Some(machine.clone());
    }
    let mut ids: FxHashMap<BTreeSet<StateId>, StateId> = FxHashMap::default();
    let mut sets = Vec::new();
    let mut builder = LtsBuilder::new();
    let mut number =
        |set: BTreeSet<StateId>, sets: &mut Vec<BTreeSet<StateId>>, builder: &mut LtsBuilder| {
            *ids.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                builder.add_state()
            })
        };
    let is_error = |set: &BTreeSet<StateId>| machine.error.is_some_and(|e| set.contains(&e));
    let close = |set: BTreeSet<StateId>| {
        let set = closure(lts, set);
        if is_error(&set) { machine.error.into_iter().collect() } else { set }
    };
    number(close([lts.initial()].into()), &mut sets, &mut builder);
    let mut next = 0;
    while next < sets.len() {
        if !go_on(sets.len()) {
            return None;
        }
        let set = sets[next].clone();
        let rows = set.iter().flat_map(|&state| lts.transitions_from(state));
        let actions: BTreeSet<ActionId> = rows.filter_map(|(label, _)| label.action()).collect();
        for action in actions {
            let label = Label::Visible(action);
            let row = |&state: &StateId| lts.transitions_by(state, label).iter().map(|t| t.1);
            let target = close(set.iter().flat_map(row).collect());
            let target = number(target, &mut sets, &mut builder);
            builder.add_transition(Id::from_index(next), label, target);
        }
        next += 1;
    }
    // `END` alone: where a machine may also have stopped, or may go on, it has not ended.
    let only = |state: Option<StateId>| {
        let at = sets.iter().position(|set| state.is_some_and(|s| set.iter().eq([&s])));
        at.map(Id::from_index)
    };
    let state_names = sets.iter().map(|set| names_of(machine, set)).collect();
    let (end, error) = (only(machine.end), only(machine.error));
    let lts = builder.finish(Id::from_index(0), lts.alphabet().clone());
    // LTSA reduces the result as well.
    Some(minimal(&Machine { lts, state_names, end, error, ..machine.clone() }))
}

fn names_of(machine: &Machine, set: &BTreeSet<StateId>) -> String {
    let names: Vec<&str> = set.iter().map(|&s| &*machine.state_names[s]).take(3).collect();
    if set.len() > 3 { format!("{}+…", names.join("+")) } else { names.join("+") }
}

/// All states that internal steps lead to.
fn closure(lts: &Lts, mut set: BTreeSet<StateId>) -> BTreeSet<StateId> {
    let mut open: Vec<StateId> = set.iter().copied().collect();
    while let Some(state) = open.pop() {
        for &(_, target) in lts.transitions_by(state, Label::Tau) {
            if set.insert(target) {
                open.push(target);
            }
        }
    }
    set
}

/// The quotient by weak bisimulation, with `END` and `ERROR` kept apart. Weak bisimulation is
/// strong bisimulation of the saturated system.
pub(crate) fn minimal(machine: &Machine) -> Machine {
    let partition = strong(&saturated(machine));
    let quotient = Quotient::contracting(&machine.lts, partition);
    let mut state_names: IndexVec<StateId, String> =
        (0..quotient.lts().n_states()).map(|_| String::new()).collect();
    for (state, name) in machine.state_names.iter_enumerated() {
        let class = &mut state_names[quotient.state_of(state)];
        if class.is_empty() {
            class.clone_from(name);
        }
    }
    let place = |state: Option<StateId>| state.map(|s| quotient.state_of(s));
    let (end, error) = (place(machine.end), place(machine.error));
    Machine { lts: quotient.lts().clone(), state_names, end, error, ..machine.clone() }.reachable()
}

/// The system with a transition for every weak one, internal loops everywhere, and loops that
/// mark the special states.
fn saturated(machine: &Machine) -> Lts {
    let lts = &machine.lts;
    let unused = lts.alphabet().last().map_or(0, |action| action.index() + 1);
    let mut builder = LtsBuilder::with_states(lts.n_states());
    let closures: Vec<BTreeSet<StateId>> =
        lts.states().map(|state| closure(lts, [state].into())).collect();
    for state in lts.states() {
        let mut steps: FxHashSet<(Label, StateId)> = FxHashSet::default();
        for &near in &closures[state.index()] {
            steps.insert((Label::Tau, near));
            for &(label, middle) in lts.transitions_from(near) {
                steps.extend(closures[middle.index()].iter().map(|&far| (label, far)));
            }
        }
        for (label, target) in steps {
            builder.add_transition(state, label, target);
        }
    }
    for (i, special) in [machine.end, machine.error].into_iter().enumerate() {
        if let Some(state) = special {
            let mark = Label::Visible(Id::from_index(unused + i));
            builder.add_transition(state, mark, state);
        }
    }
    builder.finish(lts.initial(), Alphabet::default())
}
