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
use identifiers::{action_identifiers, process_identifiers};
use resy_index::{Id, IndexVec};
use std::fmt::Write;

/// The network as FSP.
pub fn write(network: &Network) -> String {
    let (actions, internal) = action_identifiers(&network.actions);
    let names = network.components.iter().map(|c| &*c.name);
    let names = process_identifiers(names.chain(network.monitor.is_some().then_some("Monitor")));
    let mut text = String::new();
    // Writing to a string cannot fail.
    for (action, identifier) in network.actions.iter().zip(&actions) {
        if &action.name != identifier {
            let _ = writeln!(text, "// {identifier}: {}", action.name.escape_debug());
        }
    }
    let error = network.monitor.as_ref().map(|monitor| monitor.error);
    for (i, (lts, name)) in network.systems().into_iter().zip(&names).enumerate() {
        let error = if i < network.components.len() { None } else { error };
        let _ = write!(
            text,
            "\n{}",
            Process { name, lts, error, actions: &actions, internal: &internal }
        );
    }
    if !names.is_empty() {
        let _ = writeln!(text, "\n||NETWORK = ({}).", names.join(" || "));
    }
    text
}

/// One automaton as a process.
struct Process<'a> {
    name: &'a str,
    lts: &'a Lts,
    error: Option<StateId>,
    actions: &'a IndexVec<ActionId, String>,
    internal: &'a str,
}

impl Process<'_> {
    fn local(&self, state: StateId) -> String {
        if self.error == Some(state) { "ERROR".to_owned() } else { format!("Q{}", state.index()) }
    }

    fn choices(&self, state: StateId) -> String {
        let row = self.lts.transitions_from(state);
        if row.is_empty() {
            return "STOP".to_owned();
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
        write!(f, "{} = {}", self.name, self.local(self.lts.initial()))?;
        for state in self.lts.states().filter(|&state| self.error != Some(state)) {
            write!(f, ",\n  {} = {}", self.local(state), self.choices(state))?;
        }
        let used = self.lts.transitions().filter_map(|(_, label, _)| label.action()).collect();
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
// q_send_3: q!3
// q_send_3_2: q_send_3
// done: Done
// range_2: range

Sender_1 = Q0,
  Q0 = (q_send_3 -> Q1
      | done -> Q0),
  Q1 = (internal -> Q0)
  + {range_2}
  \\ {internal}.

Q7_2 = Q0,
  Q0 = (q_send_3_2 -> Q0).

Monitor = Q0,
  Q0 = (q_send_3 -> Q1),
  Q1 = (q_send_3 -> ERROR).

||NETWORK = (Sender_1 || Q7_2 || Monitor).
";
        assert_eq!(write(&network), expected);
    }
}
