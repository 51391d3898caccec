//! Networks written as text.

use super::KEYWORDS;
use crate::lts::{ActionId, Alphabet, Lts, StateId};
use crate::network::{Action, Network};
use crate::text::quote::quoted;
use crate::text::{INTERNAL, NameClash, aut};
use resy_index::{Id, IndexVec};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A network in several files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFiles {
    /// The text of the network file.
    pub network: String,
    /// The automata: the paths in the network file, and their texts.
    pub automata: Vec<(String, String)>,
}

/// The network as one text, with the automata inside.
pub fn write(network: &Network) -> Result<String, NameClash> {
    write_with(network, |_, automaton| format!("\n{automaton}"))
}

/// The network as a text that refers to a file for each automaton, named after the component, or
/// `monitor.aut`.
pub fn write_files(network: &Network) -> Result<NetworkFiles, NameClash> {
    let mut automata: Vec<(String, String)> = Vec::new();
    let mut taken = BTreeSet::new();
    let network = write_with(network, |name, automaton| {
        let path = free_path(name, &mut taken);
        let reference = format!(" {}\n", quoted(&path));
        automata.push((path, automaton));
        reference
    })?;
    Ok(NetworkFiles { network, automata })
}

/// The network; `place` returns the text for the automaton of a component, or of the `monitor`.
fn write_with(
    network: &Network,
    mut place: impl FnMut(&str, String) -> String,
) -> Result<String, NameClash> {
    let actions = &network.actions;
    let automaton = |lts: &Lts| aut::write(lts, actions, INTERNAL[0]);
    let mut text = "network\n".to_owned();
    for component in &network.components {
        let _ = write!(text, "\ncomponent {}", bare(&component.name));
        text.push_str(&place(&component.name, automaton(&component.lts)?));
        text.push_str(&clauses(&component.lts, &component.state_names, actions));
    }
    if let Some(monitor) = &network.monitor {
        text.push_str("\nmonitor");
        text.push_str(&place("monitor", automaton(&monitor.lts)?));
        text.push_str(&clauses(&monitor.lts, &monitor.state_names, actions));
        let _ = writeln!(text, "  error {}", monitor.error.index());
    }
    let module = network.module.iter().map(|&id| bare(&network.components[id].name));
    let module: Vec<String> = module.collect();
    if !module.is_empty() {
        let _ = writeln!(text, "\nmodule {}", module.join(", "));
    }
    Ok(text)
}

/// The clauses for what Aldebaran's format cannot express.
fn clauses(
    lts: &Lts,
    state_names: &IndexVec<StateId, String>,
    actions: &IndexVec<ActionId, Action>,
) -> String {
    let mut text = String::new();
    let used: Alphabet = lts.transitions().filter_map(|(_, label, _)| label.action()).collect();
    let unused = lts.alphabet().without(&used);
    let unused: Vec<String> = unused.iter().map(|a| bare(&actions[a].name)).collect();
    if !unused.is_empty() {
        let _ = writeln!(text, "  alphabet {}", unused.join(", "));
    }
    let states: Vec<String> = state_names.iter().map(|name| quoted(name)).collect();
    if !states.is_empty() {
        let _ = writeln!(text, "  states {}", states.join(",\n    "));
    }
    text
}

/// The name without quotes if it is a plain word.
fn bare(name: &str) -> String {
    let mut chars = name.chars();
    let plain = chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && !KEYWORDS.contains(&name) { name.to_owned() } else { quoted(name) }
}

/// A path that differs from the others, also ignoring case.
fn free_path(name: &str, taken: &mut BTreeSet<String>) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let stem: String = name.chars().map(|c| if harmless(c) { c } else { '_' }).take(60).collect();
    let stem = if stem.is_empty() { "component".to_owned() } else { stem };
    let numbered = (2..).map(|n| format!("{stem}-{n}.aut"));
    let mut paths = std::iter::once(format!("{stem}.aut")).chain(numbered);
    paths.find(|path| taken.insert(path.to_lowercase())).unwrap_or_default()
}
