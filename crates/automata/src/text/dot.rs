//! Pictures of automata, as graphviz reads them.

use crate::lts::{ActionId, Label, Lts, StateId};
use crate::network::{Action, Component, Monitor};
use crate::text::caption::caption;
use resy_index::{Id, IndexVec};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A component as a graph.
pub fn component(component: &Component, actions: &IndexVec<ActionId, Action>) -> String {
    write(&component.name, &component.lts, &component.state_names, None, actions)
}

/// A monitor as a graph, with the error state in red.
pub fn monitor(monitor: &Monitor, actions: &IndexVec<ActionId, Action>) -> String {
    write("monitor", &monitor.lts, &monitor.state_names, Some(monitor.error), actions)
}

fn write(
    name: &str,
    lts: &Lts,
    state_names: &IndexVec<StateId, String>,
    error: Option<StateId>,
    actions: &IndexVec<ActionId, Action>,
) -> String {
    let title = quoted(name);
    let mut text = format!("digraph {title} {{\n  label={title}; labelloc=t;\n");
    text.push_str("  node [shape=box, style=rounded];\n  start [shape=point];\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  start -> s{};", lts.initial().index());
    for state in lts.states() {
        let number = state.index();
        let label = match state_names.get(state) {
            Some(name) => quoted(&name.replace(", ", "\n")),
            None => quoted(&number.to_string()),
        };
        let colour = if error == Some(state) { ", color=red, fontcolor=red" } else { "" };
        let _ = writeln!(text, "  s{number} [label={label}{colour}];");
        for (target, labels) in by_target(lts, state) {
            let labels = labels.iter().map(|label| match label {
                Label::Tau => "τ",
                Label::Visible(action) => &actions[*action].name,
            });
            let labels = quoted(&caption(name, labels).join("\n"));
            let colour = if error == Some(target) { ", color=red, fontcolor=red" } else { "" };
            let target = target.index();
            let _ = writeln!(text, "  s{number} -> s{target} [label={labels}{colour}];");
        }
    }
    text.push_str("}\n");
    text
}

/// One arrow for each target, however many labels lead there.
fn by_target(lts: &Lts, state: StateId) -> BTreeMap<StateId, Vec<Label>> {
    let mut arrows: BTreeMap<StateId, Vec<Label>> = BTreeMap::new();
    for &(label, target) in lts.transitions_from(state) {
        arrows.entry(target).or_default().push(label);
    }
    arrows
}

/// A string of DOT, where a backslash begins an escape.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::lts;

    #[test]
    fn arrows_are_folded_and_names_escaped() {
        let actions = ["say \"x\"", "b"].map(|name| Action { name: name.to_owned() });
        let lts = lts(3, &[(0, 1, 1), (0, 2, 1), (1, 0, 2)], &[]);
        let state_names = ["x\\y, z=1", "L2", "error"].map(str::to_owned).into_iter().collect();
        let monitor_ = Monitor { lts, error: Id::from_index(2), state_names };
        let expected = r#"digraph "monitor" {
  label="monitor"; labelloc=t;
  node [shape=box, style=rounded];
  start [shape=point];
  start -> s0;
  s0 [label="x\\y\nz=1"];
  s0 -> s1 [label="say \"x\"\nb"];
  s1 [label="L2"];
  s1 -> s2 [label="τ", color=red, fontcolor=red];
  s2 [label="error", color=red, fontcolor=red];
}
"#;
        assert_eq!(monitor(&monitor_, &actions.into_iter().collect()), expected);
    }
}
