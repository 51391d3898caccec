//! Seals: whether a process is unchanged since its requirement was set.
//!
//! A seal is a hash of the code, lowered and reduced, and of the requirement. It serves the report
//! only: a process that meets its requirement is called *unchanged* if the seal fits. The hash is
//! neither keyed nor collision-resistant, so that anyone can forge a seal; therefore no check is
//! skipped because of one.

use super::{Clause, Contract, text};
use crate::hash;
use resy_network::{Cut, Home};
use resy_system::{Cell, Edge};
use std::fmt::Write;

/// The seal of a requirement and of the code that meets it.
pub fn seal(contract: &Contract, clause: &Clause, fingerprint: u64) -> u64 {
    hash(&format!("{fingerprint:016x}\n{}", text::requirement(contract, clause)))
}

/// A hash of everything that determines a process's own behaviour: its code, what it owns, its
/// initial state, and the constants. (What it asks of others is in the labels.)
pub fn fingerprint(cut: &Cut<'_>, pid: usize) -> u64 {
    let (system, part) = (cut.system(), cut.processes[pid]);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{pid} {} {}", cut.deaths, system.uses_priority);
    let _ = match cut.manner.slots.get(pid) {
        None => {
            let locals = cut.initial.locals(system, pid);
            writeln!(text, "{:?} {locals:?}", cut.initial_local(part))
        }
        Some(slot) => writeln!(text, "{:?} {slot:?}", cut.initial_local(part)),
    };
    for proctype in cut.runs[pid].iter().map(|&id| &system.proctypes[id]) {
        let _ = writeln!(text, "{:?} {:?}", proctype.frame, proctype.provided);
        for (location, edges) in proctype.edges.iter_enumerated() {
            for Edge { command, target, atomic, escape, resets, .. } in edges {
                let _ = writeln!(
                    text,
                    "{location:?} {command:?} {target:?} {atomic} {escape:?} {resets:?}"
                );
            }
        }
    }
    let owned = &cut.parts[part];
    let _ = writeln!(text, "{:?} {:?}", owned.channels, owned.role);
    owned.cells.iter().for_each(|&cell| text.push_str(&cut.cell_name(cell)));
    for (offset, home) in cut.globals.iter().enumerate() {
        if let Home::Constant(value) = home {
            let _ = writeln!(text, "{} {value}", cut.cell_name(Cell::Global(offset as u32)));
        }
    }
    let _ = writeln!(text, "{:?}", system.channel_types);
    hash(&without_places(&text))
}

/// The text without source places, which move when lines are added elsewhere. Stored seals were
/// made when `SourcePlace` was printed as `Place`; they stay valid under either name.
fn without_places(text: &str) -> String {
    let text = text.replace("SourcePlace { file:", "Place { file:");
    let mut pieces = text.split("Place { file:");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |all, piece| all + piece.split_once('}').map_or(piece, |(_, rest)| rest))
}
