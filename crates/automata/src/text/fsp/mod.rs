//! A network in FSP, the language of LTSA (Magee and Kramer, *Concurrency*).
//!
//! Each component is a process with a local process `Q0`, `Q1`, … for each state, and
//! `NETWORK` is their composition; LTSA synchronises on shared names just as we do. The
//! monitor is an ordinary process that ends in `ERROR`: in this form it may be
//! non-deterministic, which a `property` may not. The internal action is written as an
//! action that is hidden at once. Names are made legal by [`identifiers`].

pub mod identifiers;

use crate::lts::{ActionId, Label, Lts, StateId};
use crate::network::Network;
use identifiers::{action_identifiers, dotted, process_identifiers};
use resy_index::{Id, IndexVec};
use std::fmt::Write;

/// What the states of an automaton mean in FSP, beside its transitions.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessMarks {
    /// `ERROR`.
    pub error: Option<StateId>,
    /// `END`.
    pub end: Option<StateId>,
    /// Whether it is a `property`: deterministic, and what it cannot do leads to `ERROR`.
    pub is_property: bool,
}

/// The network as FSP.
pub fn write(network: &Network) -> String {
    write_marked(network, &[])
}

/// The network as FSP, with marks for its first components.
pub fn write_marked(network: &Network, marks: &[ProcessMarks]) -> String {
    let (actions, internal) = action_identifiers(&network.actions);
    let names = network.components.iter().map(|c| &*c.name);
    let names = process_identifiers(names.chain(network.monitor.is_some().then_some("Monitor")));
    let mut text = String::new();
    // Writing to a string cannot fail.
    for (action, identifier) in network.actions.iter().zip(&actions) {
        if &action.name != identifier && dotted(identifier) != action.name {
            let _ = writeln!(text, "// {identifier}: {}", action.name.escape_debug());
        }
    }
    let error = network.monitor.as_ref().map(|monitor| monitor.error);
    for (i, (lts, name)) in network.systems().into_iter().zip(&names).enumerate() {
        let marks = match i < network.components.len() {
            true => marks.get(i).copied().unwrap_or_default(),
            false => ProcessMarks { error, ..ProcessMarks::default() },
        };
        let process = Process { name, lts, marks, actions: &actions, internal: &internal };
        let _ = write!(text, "\n{process}");
    }
    if !names.is_empty() {
        text += &composite(network, &names, &actions);
    }
    text
}

/// The composition of all processes. What is hidden is hidden in a composite inside it, because
/// LTSA analyses a composite without its own hiding.
fn composite(network: &Network, names: &[String], actions: &IndexVec<ActionId, String>) -> String {
    let named = network.actions.iter().zip(actions);
    let hidden: Vec<&str> = named
        .filter(|(action, _)| action.name.starts_with('\\'))
        .map(|(_, identifier)| &**identifier)
        .collect();
    let parts = names.join(" || ");
    match hidden.is_empty() {
        true => format!("\n||NETWORK = ({parts}).\n"),
        false => {
            format!("\n||PARTS = ({parts}) \\ {{{}}}.\n\n||NETWORK = PARTS.\n", hidden.join(", "))
        }
    }
}

/// One automaton as a process.
struct Process<'a> {
    name: &'a str,
    lts: &'a Lts,
    marks: ProcessMarks,
    actions: &'a IndexVec<ActionId, String>,
    internal: &'a str,
}

impl Process<'_> {
    fn local(&self, state: StateId) -> String {
        match self.marks.error == Some(state) {
            true => "ERROR".to_owned(),
            false => format!("Q{}", state.index()),
        }
    }

    fn choices(&self, state: StateId) -> String {
        // What a property cannot do leads to `ERROR` anyway.
        let is_error = |target| self.marks.is_property && self.marks.error == Some(target);
        let row = self.lts.transitions_from(state).iter();
        let row: Vec<(Label, StateId)> = row.filter(|step| !is_error(step.1)).copied().collect();
        if row.is_empty() {
            let is_end = self.marks.end == Some(state);
            return if is_end { "END".to_owned() } else { "STOP".to_owned() };
        }
        let choice = |&(label, target): &(Label, StateId)| {
            let action = label.action().map_or(self.internal, |a| &*self.actions[a]);
            format!("{action} -> {}", self.local(target))
        };
        let choices: Vec<String> = row.iter().map(choice).collect();
        format!("({})", choices.join("\n      | "))
    }
}

impl std::fmt::Display for Process<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let property = if self.marks.is_property { "property " } else { "" };
        write!(f, "{property}{} = {}", self.name, self.local(self.lts.initial()))?;
        for state in self.lts.states().filter(|&state| self.marks.error != Some(state)) {
            write!(f, ",\n  {} = {}", self.local(state), self.choices(state))?;
        }
        let shown = |target| !self.marks.is_property || self.marks.error != Some(target);
        let used = self.lts.transitions().filter(|&(_, _, target)| shown(target));
        let used = used.filter_map(|(_, label, _)| label.action()).collect();
        let unused = self.lts.alphabet().without(&used);
        if !unused.is_empty() {
            let unused: Vec<&str> = unused.iter().map(|a| &*self.actions[a]).collect();
            write!(f, "\n  + {{{}}}", unused.join(", "))?;
        }
        if self.lts.transitions().any(|(_, label, _)| label == Label::Tau) {
            write!(f, "\n  \\ {{{}}}", self.internal)?;
        }
        f.write_str(".\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Action, Component, Monitor};
    use crate::testing::lts;

    #[test]
    fn a_network_in_fsp() {
        let actions = ["q!3", "q_send_3", "Done", "range"].map(|n| Action { name: n.to_owned() });
        let component = |name: &str, lts| Component {
            name: name.to_owned(),
            lts,
            state_names: IndexVec::new(),
        };
        let components = [
            component("sender 1", lts(2, &[(0, 1, 1), (0, 3, 0), (1, 0, 0)], &[3])),
            component("Q7", lts(1, &[(0, 2, 0)], &[])),
        ];
        let good = lts(2, &[(0, 1, 1)], &[]);
        let monitor = Monitor::of_good_words(&good, IndexVec::new()).unwrap();
        let network = Network::new(
            actions.into_iter().collect(),
            components.into_iter().collect(),
            Some(monitor),
            vec![],
        );
        let expected = "\
// q_send_3_2: q!3
// done: Done
// range_2: range

Sender_1 = Q0,
  Q0 = (q_send_3_2 -> Q1
      | done -> Q0),
  Q1 = (internal -> Q0)
  + {range_2}
  \\ {internal}.

Q7_2 = Q0,
  Q0 = (q_send_3 -> Q0).

Monitor = Q0,
  Q0 = (q_send_3_2 -> Q1),
  Q1 = (q_send_3_2 -> ERROR).

||NETWORK = (Sender_1 || Q7_2 || Monitor).
";
        assert_eq!(write(&network), expected);
    }
}
