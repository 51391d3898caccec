//! The papers' four tables, with our runs of the same engines above each published row.

use super::case::PeerRow;
use super::engine::{Measured, PeerEngine};
use super::published::{ABSTRACTED, BALANCED, LEARNED, Published, RECURSIVE};
use super::report::{heading, milliseconds, name, of};
use resy_compose::agar::AgarEdges::Closure;
use resy_compose::alphabet::AlphabetChoice::{AllDiff, Backward, Forward, Whole};
use resy_compose::alphabet::AlphabetStart::Property;
use std::fmt::Write;

const TABLE: PeerEngine = PeerEngine::Table(Whole, Property, false);
const BACKWARD: PeerEngine = PeerEngine::Table(Backward, Property, false);
const AGAR: PeerEngine = PeerEngine::Agar(Closure, Whole);
const AGAR_BACKWARD: PeerEngine = PeerEngine::Agar(Closure, Backward);

/// The columns of the tables. Ours comes last, where the papers have nothing, or the sizes of both sides.
const LEARNING: [PeerEngine; 5] = [
    TABLE,
    BACKWARD,
    PeerEngine::Table(Forward, Property, false),
    PeerEngine::Table(AllDiff, Property, false),
    PeerEngine::Ours,
];
const ALL_COMPONENTS: [PeerEngine; 4] = [
    PeerEngine::Levels(Whole),
    PeerEngine::Levels(Backward),
    PeerEngine::Product,
    PeerEngine::Network,
];
const ABSTRACTION: [PeerEngine; 5] = [AGAR, TABLE, AGAR_BACKWARD, BACKWARD, PeerEngine::Ours];

/// A row of ours that was balanced, with the sizes of both sides.
type Balanced = (PeerRow, (usize, usize), Vec<Measured>);

/// All four tables.
pub(super) fn papers(rows: &[(PeerRow, Vec<Measured>)], balanced: &[Balanced], text: &mut String) {
    *text += "## The papers' tables\n\nOurs: states, kilobytes, milliseconds. *Published*: states, megabytes, seconds.\n\n";
    let own: Vec<(&PeerRow, &[Measured])> = rows.iter().map(|(row, all)| (row, &**all)).collect();
    table("TACAS 2007, table 1: two components, L*", &own, &LEARNING, LEARNED, text);
    table("TACAS 2007, table 2: all components", &own, &ALL_COMPONENTS, RECURSIVE, text);
    table("CAV 2008, table 1: two components, AGAR", &own, &ABSTRACTION, ABSTRACTED, text);
    *text += "The last published column: states of the environment with the property, and of the module.\n\n";
    let own: Vec<_> = balanced.iter().map(|(row, _, all)| (row, &**all)).collect();
    if !own.is_empty() {
        table("CAV 2008, table 2: balanced splits", &own, &ABSTRACTION, BALANCED, text);
    }
}

/// A table: each row of ours, and the published one below it.
fn table(
    title: &str,
    rows: &[(&PeerRow, &[Measured])],
    engines: &[PeerEngine],
    published: &[Published],
    text: &mut String,
) {
    let _ = writeln!(text, "### {title}\n");
    heading(&engines.iter().map(|engine| engine.name()).collect::<Vec<_>>(), text);
    for (row, results) in rows {
        let cells: Vec<String> = engines
            .iter()
            .map(|&engine| of(results, engine).map_or_else(String::new, cell))
            .collect();
        let _ = writeln!(text, "| {} | {} |", name(row), cells.join(" | "));
        let is_it = |p: &&Published| {
            (p.file, p.size, p.property) == (row.name(), &*row.size, &*row.property)
        };
        let Some(known) = published.iter().find(is_it) else { continue };
        let (cells, sizes) = known.cells.split_at(known.cells.len().min(engines.len() - 1));
        let sizes = match sizes {
            [] => String::new(),
            sizes => format!(" {}", sizes.join(", ")),
        };
        let missing = " |".repeat(engines.len() - 1 - cells.len());
        let _ = writeln!(text, "| *published* | {} |{missing}{sizes} |", cells.join(" | "));
    }
    *text += "\n";
}

/// States, kilobytes, milliseconds.
fn cell(measured: &Measured) -> String {
    let memory = measured.memory.map_or_else(|| "?".to_owned(), |kb| kb.to_string());
    let time = if measured.holds() { milliseconds(measured.elapsed) } else { "–".to_owned() };
    match measured.engine.finds_assumption() {
        true => format!("{}, {memory}, {time}", measured.states),
        false => format!("{memory}, {time}"),
    }
}
