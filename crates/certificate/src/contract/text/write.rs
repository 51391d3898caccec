//! From contracts to text.

use super::{ERROR, INTERNAL, JOIN, VERSION};
use crate::contract::{Clause, Contract, Premise, PremisePart};
use crate::proof::About;
use resy_automata::lts::{ActionId, Label, StateId};
use resy_automata::network::Monitor;
use resy_index::Id;

const HEAD: &str = "\
# What each process has to keep to, so that the property holds. The requirements prove it together:
# any number of processes may change, as long as each keeps to its own.
#   resy contract verify MODEL    says whether they do
#   resy contract init MODEL      wrote this file (docs/contracts.md)
";

/// The text of a contract.
pub fn write(contract: &Contract) -> String {
    let mut lines: Vec<String> = vec![VERSION.to_owned()];
    lines.push(HEAD.to_owned());
    lines.push(format!("property {}", escaped(&contract.property)));
    let settings = contract.settings.iter();
    lines.extend(settings.map(|(key, value)| format!("setting {key} {}", escaped(value))));
    for clause in &contract.clauses {
        lines.push(String::new());
        let kind = if clause.seal.is_some() { "process" } else { "object" };
        lines.push(format!("{kind} {}", escaped(&clause.name)));
        lines.extend(clause.seal.map(|seal| format!("  sealed {seal:016x}")));
        lines.push(requirement(contract, clause));
    }
    lines.push(String::new());
    lines.push("# The actions that violate the property, and when.".to_owned());
    lines.push("monitor".to_owned());
    lines.extend(monitor(contract, &contract.monitor));
    lines.push(String::new());
    lines.push("# Which requirements show that no first error is by which actions.".to_owned());
    contract.premises.iter().for_each(|p| lines.extend(premise(contract, p)));
    lines.push(String::new());
    lines.push("# What identifies each action, for the machine.".to_owned());
    lines.push("actions".to_owned());
    for (name, signature) in contract.actions.iter().zip(&contract.signatures) {
        lines.push(format!("  {}", escaped(name)));
        lines.push(format!("    {}", escaped(signature)));
    }
    lines.push("end".to_owned());
    lines.join("\n") + "\n"
}

/// The lines of a requirement, without the last line end.
pub fn requirement(contract: &Contract, clause: &Clause) -> String {
    let lts = &clause.requirement;
    let mut lines = Vec::new();
    for state in lts.states() {
        let hint = clause.hints.get(state.index()).filter(|hint| !hint.is_empty());
        let hint = hint.map_or_else(String::new, |hint| format!("  # {}", escaped(hint)));
        lines.push(format!("  state {}{hint}", state.index()));
        let moves = lts.transitions_from(state).iter();
        let moves = moves.map(|&(label, to)| (name(contract, label), to.index().to_string()));
        lines.extend(sorted(moves));
    }
    let taken: Vec<ActionId> = lts.transitions().filter_map(|t| t.1.action()).collect();
    let mut never: Vec<ActionId> = lts.alphabet().iter().filter(|a| !taken.contains(a)).collect();
    if !never.is_empty() {
        never.sort_by_key(|action| &contract.actions[action.index()]);
        lines.push("  never".to_owned());
        lines.extend(never.iter().map(|&a| format!("    {}", name(contract, Label::Visible(a)))));
    }
    lines.join("\n")
}

fn monitor(contract: &Contract, monitor: &Monitor) -> Vec<String> {
    let Monitor { lts, error, .. } = monitor;
    let numbers = numbered(monitor);
    let mut lines = Vec::new();
    for (number, &state) in numbers.iter().enumerate() {
        lines.push(format!("  state {number}"));
        let row = lts.transitions_from(state);
        let changes = row.chunk_by(|a, b| a.0 == b.0).filter(|moves| !stays(moves, state));
        let target = |to: StateId| match numbers.iter().position(|&state| state == to) {
            Some(number) if to != *error => number.to_string(),
            _ => ERROR.to_owned(),
        };
        let moves = changes.flatten().map(|&(label, to)| (name(contract, label), target(to)));
        lines.extend(sorted(moves));
    }
    lines
}

/// Whether these transitions of a state are nothing but a self-loop.
fn stays(moves: &[(Label, StateId)], state: StateId) -> bool {
    moves.iter().all(|m| m.1 == state)
}

/// The states of a monitor except the error state, the initial one first.
fn numbered(monitor: &Monitor) -> Vec<StateId> {
    let others = monitor.lts.states().filter(|state| *state != monitor.error);
    let first = monitor.lts.initial();
    let mut states: Vec<StateId> = vec![first];
    states.extend(others.filter(|&state| state != first));
    states
}

fn premise(contract: &Contract, premise: &Premise) -> Vec<String> {
    let mut lines = vec!["proof".to_owned()];
    lines.extend(premise.parts.iter().map(|part| match part {
        PremisePart::Clause(i) => format!("  by {}", escaped(&contract.clauses[*i].name)),
        PremisePart::Joined => format!("  {JOIN}"),
    }));
    if let About::Only(actions) = &premise.about {
        let mut names: Vec<String> =
            actions.iter().map(|a| name(contract, Label::Visible(a))).collect();
        names.sort();
        lines.extend(names.into_iter().map(|name| format!("  about {name}")));
    }
    lines
}

/// Transitions as lines, in an order that does not depend on the numbers of actions.
fn sorted(moves: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let mut moves: Vec<(String, String)> = moves.collect();
    moves.sort();
    moves.into_iter().map(|(label, to)| format!("    {label} -> {to}")).collect()
}

fn name(contract: &Contract, label: Label) -> String {
    match label {
        Label::Tau => INTERNAL.to_owned(),
        Label::Visible(action) => escaped(&contract.actions[action.index()]),
    }
}

/// The name in one line.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n")
}
