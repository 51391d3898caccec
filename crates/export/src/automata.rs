//! The component automata of a subject, as text, JSON and files.

use crate::drawing::{TooLargeToDraw, stacked};
use crate::requirement::{Described, DescribedState, StateMark};
use crate::results::object;
use resy_automata::lts::{Lts, StateId};
use resy_automata::network::Network;
pub use resy_automata::text::fsp::ProcessMarks;
use resy_automata::text::{aut, dot, fsp, network_file};
use resy_index::{Id as _, IndexVec};
use serde_json::{Value, json};

/// The formats of automata.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AutomataFormat {
    /// Aldebaran, as CADP and mCRL2 read it.
    Aut,
    /// Pictures for graphviz.
    Dot,
    /// Finite state processes, as LTSA reads them.
    Fsp,
    /// Pictures.
    Svg,
}

/// Automata, and what their states mean in FSP.
#[derive(Copy, Clone)]
pub struct ShownAutomata<'a> {
    /// The automata.
    pub network: &'a Network,
    /// The marks of the first components.
    pub marks: &'a [ProcessMarks],
}

/// All automata in one text. `tau` is the name of the internal action.
pub fn one_text(
    shown: ShownAutomata<'_>,
    format: AutomataFormat,
    tau: &str,
) -> Result<String, String> {
    match format {
        AutomataFormat::Aut if tau == "i" => {
            network_file::write(shown.network).map_err(|error| error.to_string())
        }
        AutomataFormat::Svg => Ok(picture(shown)),
        _ => Ok(texts(shown, format, tau)?.into_iter().map(|(_, text)| text).collect()),
    }
}

/// The files of a folder with all automata: their names and texts.
pub fn files(
    shown: ShownAutomata<'_>,
    format: AutomataFormat,
    tau: &str,
) -> Result<Vec<(String, String)>, String> {
    if format == AutomataFormat::Aut && tau == "i" {
        let files = network_file::write_files(shown.network).map_err(|error| error.to_string())?;
        let main = ("model.net".to_owned(), files.network);
        return Ok(std::iter::once(main).chain(files.automata).collect());
    }
    let extension = match format {
        AutomataFormat::Aut => "aut",
        AutomataFormat::Dot => "dot",
        AutomataFormat::Fsp => "lts",
        AutomataFormat::Svg => "svg",
    };
    let named = texts(shown, format, tau)?.into_iter().map(|(name, text)| {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let name: String = name.chars().map(plain).collect();
        (format!("{name}.{extension}"), text)
    });
    Ok(named.collect())
}

/// One text for each automaton, with its name.
fn texts(
    shown: ShownAutomata<'_>,
    format: AutomataFormat,
    tau: &str,
) -> Result<Vec<(String, String)>, String> {
    let network = shown.network;
    let actions = &network.actions;
    let aldebaran = |lts: &Lts| aut::write(lts, actions, tau).map_err(|error| error.to_string());
    let mut texts = Vec::new();
    match format {
        AutomataFormat::Fsp => {
            texts.push(("network".to_owned(), fsp::write_marked(network, shown.marks)))
        }
        AutomataFormat::Svg => {
            for described in described(shown) {
                let svg = described.to_svg_called(&described.module);
                let too_large = |why: TooLargeToDraw| format!("{}: {why}", described.module);
                texts.push((described.module.clone(), svg.map_err(too_large)?));
            }
        }
        AutomataFormat::Aut => {
            for component in network.components.iter() {
                texts.push((component.name.clone(), aldebaran(&component.lts)?));
            }
            if let Some(monitor) = &network.monitor {
                texts.push(("monitor".to_owned(), aldebaran(&monitor.lts)?));
            }
        }
        AutomataFormat::Dot => {
            let components = network.components.iter();
            texts.extend(components.map(|c| (c.name.clone(), dot::component(c, actions))));
            let monitor = network.monitor.iter();
            texts.extend(monitor.map(|m| ("monitor".to_owned(), dot::monitor(m, actions))));
        }
    }
    Ok(texts)
}

/// Pictures of all automata, one below the other. One that is too large is named only.
fn picture(shown: ShownAutomata<'_>) -> String {
    stacked(&described(shown))
}

/// All automata as they are drawn.
fn described(shown: ShownAutomata<'_>) -> Vec<Described> {
    let network = shown.network;
    let one = |name: &str, lts: &Lts, names: &IndexVec<StateId, String>, error| {
        let state = |state: StateId| DescribedState {
            members: names.get(state).cloned().into_iter().collect(),
            mark: if error == Some(state) { StateMark::Error } else { StateMark::Plain },
        };
        Described::new(name, lts, &network.actions, lts.states().map(state).collect())
    };
    let components = network.components.iter_enumerated().map(|(id, component)| {
        let error = shown.marks.get(id.index()).and_then(|marks| marks.error);
        one(&component.name, &component.lts, &component.state_names, error)
    });
    let monitor = network.monitor.iter();
    let monitor = monitor.map(|m| one("monitor", &m.lts, &m.state_names, Some(m.error)));
    components.chain(monitor).collect()
}

/// The sizes of all automata, for people.
pub fn summary(network: &Network) -> String {
    let width = network.components.iter().map(|c| c.name.len()).max().unwrap_or(0).max(9);
    let head = format!(
        "{:width$}  {:>8}  {:>11}  {:>8}\n",
        "component", "states", "transitions", "actions"
    );
    let monitor = network.monitor.iter().map(|m| ("monitor", &m.lts));
    let components = network.components.iter().map(|c| (c.name.as_str(), &c.lts));
    let rows = components.chain(monitor).map(|(name, lts)| {
        let (states, transitions) = (lts.n_states(), lts.n_transitions());
        format!("{name:width$}  {states:>8}  {transitions:>11}  {:>8}\n", lts.alphabet().len())
    });
    std::iter::once(head).chain(rows).collect()
}

/// The sizes of all automata, for programs.
pub fn to_json(network: &Network, file: &str, seconds: f64) -> Value {
    let automaton = |name: &str, lts: &Lts| {
        json!({
            "name": name,
            "states": lts.n_states(),
            "transitions": lts.n_transitions(),
            "actions": lts.alphabet().len(),
        })
    };
    let components = network.components.iter().map(|c| automaton(&c.name, &c.lts));
    let own = json!({
        "components": components.collect::<Vec<_>>(),
        "monitor": network.monitor.as_ref().map(|m| automaton("monitor", &m.lts)),
        "actions": network.actions.len(),
        "seconds": seconds,
    });
    object("lts", file, own)
}
