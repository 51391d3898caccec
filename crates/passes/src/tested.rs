//! Tested locations: where it matters that an edge is *not* enabled.

use crate::access::each_command;
use crate::channels::Channels;
use fixedbitset::FixedBitSet;
use resy_index::Id;
use resy_system::{Command, Edge, LocationId, Proctype, ProctypeId, System};

/// The locations at which something depends on an edge's being disabled: at an `else` and at escapes, in a
/// `D_proctype`, which fails if two edges are enabled, and for a process that has control, which loses it
/// where it cannot continue. Elsewhere the steps of others can only enable more.
pub(crate) fn tested(proctype: &Proctype) -> FixedBitSet {
    let mut tested = FixedBitSet::with_capacity(proctype.edges.len());
    for (at, edges) in proctype.edges.iter_enumerated() {
        if (proctype.deterministic && edges.len() > 1) || edges.iter().any(is_test) {
            tested.insert(at.index());
        }
        let kept = edges.iter().filter(|e| e.atomic);
        kept.filter_map(|e| e.target).for_each(|l| tested.insert(LocationId::index(l)));
    }
    tested
}

/// An `else`, an escape, or a `d_step`, which takes the first option that is enabled.
fn is_test(edge: &Edge) -> bool {
    edge.escape.is_some() || matches!(edge.command, Command::Else | Command::DStep(_))
}

/// Whether a process at these edges may offer a rendezvous.
pub(crate) fn may_offer(
    system: &System,
    channels: &Channels,
    id: ProctypeId,
    edges: &[Edge],
) -> bool {
    any_command(
        edges,
        |command| matches!(command, Command::Send { chan, .. } if channels.may_be_rendezvous(system, id, chan)),
    )
}

/// Whether a process at these edges may accept a rendezvous.
pub(crate) fn may_accept(
    system: &System,
    channels: &Channels,
    id: ProctypeId,
    edges: &[Edge],
) -> bool {
    any_command(
        edges,
        |command| matches!(command, Command::Receive { chan, .. } if channels.may_be_rendezvous(system, id, chan)),
    )
}

fn any_command(edges: &[Edge], test: impl Fn(&Command) -> bool) -> bool {
    let mut found = false;
    for edge in edges {
        each_command(&edge.command, &mut |command| found |= test(command));
    }
    found
}
