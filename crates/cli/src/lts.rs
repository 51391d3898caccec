//! `resy lts`: the component automata of a model.

use crate::Exit;
use crate::args::{Automata, Equivalence, Lts};
use crate::limits::Limits;
use crate::model::Model;
use crate::network_file;
use crate::progress::Meter;
use resy_automata::network::{Network, Reduction};
use resy_automata::text::{aut, dot, fsp, network_file as files};
use resy_network::Manner;
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub fn run(lts: &Lts) -> Exit {
    let reduced = |(network, seconds): (Network, f64)| match lts.reduce {
        None => (network, seconds),
        Some(Equivalence::Strong) => (network.reduced(Reduction::Strong), seconds),
        Some(Equivalence::Branching) => (network.reduced(Reduction::Branching), seconds),
    };
    let network = network(lts).map(reduced);
    match network.and_then(|(network, seconds)| write(lts, &network, seconds)) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

/// The network of a model, or of a network file, and how long it took.
fn network(lts: &Lts) -> Result<(Network, f64), Exit> {
    let start = Instant::now();
    if network_file::is_one(&lts.file) {
        let network = network_file::load(&lts.file, lts.tau.as_deref())?;
        return Ok((network, start.elapsed().as_secs_f64()));
    }
    let model = Model::load(&lts.file, &lts.common, &lts.semantics, &lts.properties)?;
    let model = if lts.strict { model.strict() } else { model };
    for not_checked in &model.selection.not_checked {
        eprintln!("resy: note: `{}` has no monitor: {}", not_checked.name, not_checked.reason);
    }
    let limits = Limits::of(&lts.resources).map_err(bad_input)?;
    let limits = limits.told_to(Meter::of(&lts.common));
    let manner = Manner { strict: lts.strict, ..Manner::default() };
    let cut = model.cut(&model.selection.properties, manner, lts.budget, &limits);
    limits.meter().inspect(|meter| meter.done());
    let (_, components) = cut.map_err(|message| {
        eprintln!("resy: {message}");
        Exit::Unknown
    })?;
    for doubt in model.doubts(&components) {
        eprintln!("resy: note: {doubt}");
    }
    Ok((components.network, start.elapsed().as_secs_f64()))
}

fn write(lts: &Lts, network: &Network, seconds: f64) -> Result<(), Exit> {
    match (&lts.output, lts.format) {
        (Some(folder), format) => {
            write_files(folder, network, format.unwrap_or(Automata::Aut), tau(lts))?;
        }
        (None, Some(format)) => print!("{}", one_text(network, format, tau(lts))?),
        (None, None) => {}
    }
    if lts.json {
        println!("{}", to_json(lts, network, seconds));
    } else if lts.format.is_none() || lts.output.is_some() {
        summarize(network);
    }
    Ok(())
}

fn tau(lts: &Lts) -> &str {
    lts.tau.as_deref().unwrap_or("i")
}

/// All automata in one text.
fn one_text(network: &Network, format: Automata, tau: &str) -> Result<String, Exit> {
    match format {
        Automata::Aut if tau == "i" => files::write(network).map_err(|e| bad_input(e.to_string())),
        _ => Ok(texts(network, format, tau)?.into_iter().map(|(_, text)| text).collect()),
    }
}

/// One text for each automaton, with its name.
fn texts(network: &Network, format: Automata, tau: &str) -> Result<Vec<(String, String)>, Exit> {
    let actions = &network.actions;
    let mut texts = Vec::new();
    for component in network.components.iter() {
        let text = match format {
            Automata::Aut => {
                aut::write(&component.lts, actions, tau).map_err(|e| bad_input(e.to_string()))?
            }
            Automata::Dot => dot::component(component, actions),
            Automata::Fsp => continue,
        };
        texts.push((component.name.clone(), text));
    }
    if let Some(monitor) = &network.monitor {
        match format {
            Automata::Aut => {
                let text =
                    aut::write(&monitor.lts, actions, tau).map_err(|e| bad_input(e.to_string()))?;
                texts.push(("monitor".to_owned(), text));
            }
            Automata::Dot => texts.push(("monitor".to_owned(), dot::monitor(monitor, actions))),
            Automata::Fsp => {}
        }
    }
    if format == Automata::Fsp {
        texts.push(("network".to_owned(), fsp::write(network)));
    }
    Ok(texts)
}

fn write_files(folder: &Path, network: &Network, format: Automata, tau: &str) -> Result<(), Exit> {
    let failed =
        |error: std::io::Error| bad_input(format!("cannot write to {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    if format == Automata::Aut && tau == "i" {
        let files = files::write_files(network).map_err(|e| bad_input(e.to_string()))?;
        std::fs::write(folder.join("model.net"), files.network).map_err(failed)?;
        for (path, text) in files.automata {
            std::fs::write(folder.join(path), text).map_err(failed)?;
        }
        return Ok(());
    }
    let extension = match format {
        Automata::Aut => "aut",
        Automata::Dot => "dot",
        Automata::Fsp => "lts",
    };
    for (name, text) in texts(network, format, tau)? {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let name: String = name.chars().map(plain).collect();
        std::fs::write(folder.join(format!("{name}.{extension}")), text).map_err(failed)?;
    }
    Ok(())
}

fn summarize(network: &Network) {
    let width = network.components.iter().map(|c| c.name.len()).max().unwrap_or(0).max(9);
    println!("{:width$}  {:>8}  {:>11}  {:>8}", "component", "states", "transitions", "actions");
    let monitor = network.monitor.iter().map(|m| ("monitor", &m.lts));
    let components = network.components.iter().map(|c| (c.name.as_str(), &c.lts));
    for (name, lts) in components.chain(monitor) {
        let actions = lts.alphabet().len();
        println!("{name:width$}  {:>8}  {:>11}  {actions:>8}", lts.n_states(), lts.n_transitions());
    }
}

fn to_json(lts: &Lts, network: &Network, seconds: f64) -> serde_json::Value {
    let automaton = |name: &str, lts: &resy_automata::lts::Lts| {
        json!({
            "name": name,
            "states": lts.n_states(),
            "transitions": lts.n_transitions(),
            "actions": lts.alphabet().len(),
        })
    };
    json!({
        "schema": "resy/1",
        "command": "lts",
        "file": lts.file.display().to_string(),
        "components": network.components.iter().map(|c| automaton(&c.name, &c.lts)).collect::<Vec<_>>(),
        "monitor": network.monitor.as_ref().map(|m| automaton("monitor", &m.lts)),
        "actions": network.actions.len(),
        "seconds": seconds,
    })
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
