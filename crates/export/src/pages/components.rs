//! Tables of what a subject is made of.

use super::spaced;
use crate::report::PageSection;
use resy::counted;
use resy_automata::network::Network;
use resy_system::{CellInit, Frame, System, Variable};

/// The components of a network.
pub(super) fn of_network(network: &Network) -> PageSection {
    let components = network.components.iter_enumerated();
    let rows = components.map(|(id, component)| {
        let side = match network.module.is_empty() {
            true => "",
            false if network.module.contains(&id) => "module",
            false => "environment",
        };
        let lts = &component.lts;
        let counts = [lts.n_states(), lts.n_transitions()].map(|n| spaced(n as u64));
        [component.name.clone()].into_iter().chain(counts).chain([side.to_owned()]).collect()
    });
    let sentence = "The automata that the model was cut into; their product is its state graph.";
    PageSection {
        title: "Components".to_owned(),
        sentences: vec![sentence.to_owned()],
        columns: vec!["component", "states", "transitions", "role"],
        rows: rows.collect(),
    }
}

/// The components of a network file, and the monitor after them.
pub(super) fn with_monitor(network: &Network) -> PageSection {
    let mut section = of_network(network);
    section.sentences = vec![
        "The automata of the network, which take together the actions that they share.".to_owned(),
    ];
    section.rows.extend(network.monitor.iter().map(|monitor| {
        let counts = [monitor.lts.n_states(), monitor.lts.n_transitions()];
        let [states, transitions] = counts.map(|n| spaced(n as u64));
        vec!["monitor".to_owned(), states, transitions, "property".to_owned()]
    }));
    section
}

/// The processes of a system, and what they share.
pub(super) fn of_system(system: &System) -> PageSection {
    let processes = system.proctypes.iter_enumerated().map(|(id, proctype)| {
        let n = system.instances.iter().filter(|instance| instance.proctype == id).count();
        let what = match n {
            0 => "process, created by `run`".to_owned(),
            1 => "process".to_owned(),
            n => format!("{n} processes"),
        };
        let locations = proctype.edges.iter().filter(|edges| !edges.is_empty()).count();
        let edges: usize = proctype.edges.iter().map(Vec::len).sum();
        vec![
            proctype.name.trim_matches(':').to_owned(),
            what,
            locations.to_string(),
            edges.to_string(),
        ]
    });
    let shared = system.globals.variables.iter().map(|variable| {
        let what = shared(system, &system.globals, variable);
        vec![variable.name.clone(), what, String::new(), String::new()]
    });
    let sentence = "Processes and what they share, as they stand in the model: it was not cut into automata \
                    (`--engine network` and `--engine requirement` do that).";
    PageSection {
        title: "Components".to_owned(),
        sentences: vec![sentence.to_owned()],
        columns: vec!["name", "what it is", "locations", "transitions"],
        rows: processes.chain(shared).collect(),
    }
}

/// What a global variable is, in words.
fn shared(system: &System, globals: &Frame, variable: &Variable) -> String {
    let cells = variable.offset..variable.offset + variable.n_cells;
    let channel = globals.init.iter().find_map(|init| match init {
        CellInit::Channel(cell, ty) if cells.contains(cell) => Some(&system.channel_types[ty.ty]),
        _ => None,
    });
    let n = variable.n_cells;
    match (variable.is_array, channel.map(|ty| ty.capacity)) {
        (false, None) => "variable".to_owned(),
        (true, None) => format!("array, {}", counted(n, "cell")),
        (false, Some(0)) => "rendezvous channel".to_owned(),
        (true, Some(0)) => counted(n, "rendezvous channel"),
        (false, Some(room)) => format!("channel for {}", counted(room, "message")),
        (true, Some(room)) => {
            format!("{}, each for {}", counted(n, "channel"), counted(room, "message"))
        }
    }
}
