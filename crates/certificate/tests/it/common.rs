//! What the tests of changed programs share: properties of a program, and random changes.

use resy_index::random::SplitMix;
use resy_network::WatchedProperty;
use resy_system::{ClaimMonitor, System};

/// The monitors of the claims that have one.
pub fn monitors(system: &System) -> Vec<ClaimMonitor> {
    system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok()).collect()
}

/// All properties that a network can be checked for.
pub fn properties(system: &System) -> Vec<WatchedProperty> {
    let mut properties = vec![WatchedProperty::Assertions, WatchedProperty::Runtime];
    properties.extend(system.trace.as_ref().map(|_| WatchedProperty::Trace));
    properties.extend((0..monitors(system).len()).map(WatchedProperty::Claim));
    properties
}

/// Another program: the proctype of a process has other edges.
pub fn change(system: &mut System, pid: usize, random: &mut SplitMix) -> Option<()> {
    let proctype = system.instances.get(pid)?.proctype;
    let proctype = &mut system.proctypes[proctype];
    // A loop inside an `atomic`, or at the start of the program, takes for ever.
    if proctype.name == ":init:" || proctype.edges.iter().flatten().any(|edge| edge.atomic) {
        return None;
    }
    let mut edges = Vec::new();
    for location in proctype.edges.ids() {
        edges.extend((0..proctype.edges[location].len()).map(|i| (location, i)));
    }
    let (from, i) = *edges.get(random.below(edges.len().max(1)))?;
    let (other, j) = edges[random.below(edges.len())];
    let model = proctype.edges[other][j].clone();
    match random.below(4) {
        0 => drop(proctype.edges[from].remove(i)),
        1 => proctype.edges[from][i].target = model.target,
        2 => proctype.edges[from][i].command = model.command,
        _ => proctype.edges[from].push(model),
    }
    Some(())
}
