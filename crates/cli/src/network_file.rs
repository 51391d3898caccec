//! Network files: automata that are analysed without Promela.

use crate::Exit;
use crate::args::{Check, Format};
use crate::{load, memory};
use resy_automata::network::Network;
use resy_automata::product::{Safety, Step, TooLarge, reaches_error};
use resy_automata::text::network_file;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// Larger products are left to the compositional engines.
const MAX_STATES: usize = 50_000_000;

/// Whether a file is a network of automata and no Promela.
pub fn is_one(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "net")
}

/// Reads a network; `tau` is another name of the internal action.
pub fn load(file: &Path, tau: Option<&str>) -> Result<Network, Exit> {
    let text = load::read(file).map_err(|error| {
        eprintln!("resy: cannot read {}: {error}", file.display());
        Exit::BadInput
    })?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut beside = |path: &str| load::read(&folder.join(path)).map_err(|e| e.to_string());
    let internal: Vec<&str> = tau.into_iter().collect();
    let name = file.display().to_string();
    match network_file::read(&name, &text, &internal, &mut beside) {
        Ok((network, notes)) => {
            notes.iter().for_each(|note| eprintln!("resy: note: {note}"));
            Ok(network)
        }
        Err(error) => {
            eprintln!("resy: {error}");
            Err(Exit::BadInput)
        }
    }
}

/// `resy check` on a network: can the monitor err?
pub fn check(check: &Check) -> Exit {
    let start = Instant::now();
    let network = match load(&check.file, None) {
        Ok(network) => network,
        Err(exit) => return exit,
    };
    if network.monitor.is_none() {
        eprintln!(
            "resy: {}: the network has no monitor, so nothing to check",
            check.file.display()
        );
        return Exit::BadInput;
    }
    let safety = reaches_error(&network, MAX_STATES);
    let seconds = start.elapsed().as_secs_f64();
    if check.json || check.format == Format::Json {
        println!("{}", to_json(check, &network, &safety, seconds));
    } else {
        print(&network, &safety);
    }
    match safety {
        Safety::Safe { .. } => Exit::Holds,
        Safety::Trace(_) => Exit::Fails,
        Safety::TooLarge(_) => Exit::Unknown,
    }
}

fn print(network: &Network, safety: &Safety) {
    match safety {
        Safety::Safe { n_states, n_transitions } => {
            println!("monitor holds");
            println!("{n_states} states, {n_transitions} transitions of the product");
        }
        Safety::Trace(steps) => {
            println!("monitor fails after {} steps", steps.len());
            for (i, &step) in steps.iter().enumerate() {
                println!("{:>4}  {}", i + 1, step_name(network, step));
            }
        }
        Safety::TooLarge(TooLarge { limit }) => println!("monitor unknown: {}", too_large(*limit)),
    }
}

fn too_large(limit: usize) -> String {
    format!("the product has more than {limit} states")
}

fn step_name(network: &Network, step: Step) -> String {
    match step {
        Step::Tau(component) => {
            format!("(internal step of {})", network.components[component].name)
        }
        Step::Action(action) => network.actions[action].name.clone(),
    }
}

fn to_json(check: &Check, network: &Network, safety: &Safety, seconds: f64) -> Value {
    let (verdict, reason, states, transitions, depth) = match safety {
        Safety::Safe { n_states, n_transitions } => ("holds", None, *n_states, *n_transitions, 0),
        Safety::Trace(steps) => ("fails", None, 0, 0, steps.len()),
        Safety::TooLarge(TooLarge { limit }) => ("unknown", Some(too_large(*limit)), *limit, 0, 0),
    };
    let counterexample = match safety {
        Safety::Trace(steps) => {
            let steps: Vec<String> = steps.iter().map(|&s| step_name(network, s)).collect();
            json!({ "steps": steps })
        }
        _ => Value::Null,
    };
    json!({
        "schema": "resy/1",
        "command": "check",
        "file": check.file.display().to_string(),
        "verdict": verdict,
        "complete": verdict != "unknown",
        "not_checked": [],
        "properties": [{
            "name": "monitor",
            "kind": "monitor",
            "verdict": verdict,
            "engine": "monolithic",
            "reason": reason,
            "counterexample": counterexample,
        }],
        "stats": {
            "states": states,
            "transitions": transitions,
            "depth": depth,
            "seconds": seconds,
            "peak_bytes": memory::peak(),
        },
    })
}
