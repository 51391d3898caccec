//! Names of local states: a process by its line and its variables, a channel by its messages.

use super::value::{message_name, value_name};
use crate::cut::{Cut, PartId, Role};
use crate::step::reply::{DEAD, join, messages};
use resy_system::Cell;

/// The names of the local states of a component, in their order.
pub fn state_names<'v>(
    cut: &Cut<'_>,
    id: PartId,
    locals: impl IntoIterator<Item = &'v [i32]>,
) -> impl Iterator<Item = String> {
    let part = &cut.parts[id];
    let own = part.process.map(|_| format!("{}.", part.name));
    let cell_name = |&cell: &Cell| {
        let name = cut.cell_name(cell);
        own.as_ref().and_then(|own| name.strip_prefix(own)).map(str::to_owned).unwrap_or(name)
    };
    let cells: Vec<String> = part.cells.iter().map(cell_name).collect();
    locals.into_iter().map(move |local| state_name(cut, id, &cells, local))
}

/// The name of a local state of a component whose cells have these names.
fn state_name(cut: &Cut<'_>, id: PartId, cells: &[String], local: &[i32]) -> String {
    let part = &cut.parts[id];
    match part.role {
        Role::Plain => {}
        Role::Last => return format!("_last={}", local[0]),
        Role::Ends(_) => return format!("{} from {}", local[1], local[0]),
        Role::Slot(chan, _) => return message_name(cut, chan, local),
        Role::Trace if local[1] != 0 => return "trace violated".to_owned(),
        Role::Trace => return format!("trace at {}", local[0]),
        Role::Claim(claim) => return claim_name(cut, claim, local),
    }
    let mut name = String::new();
    let mut word = |parts: [&str; 3]| {
        name.push_str(if name.is_empty() { "" } else { ", " });
        parts.into_iter().for_each(|part| name.push_str(part));
    };
    let mut at = 0;
    if let Some(pid) = part.process {
        word([&location_name(cut, pid, local[0]), "", ""]);
        at = 1;
    }
    for ((&cell, text), &value) in part.cells.iter().zip(cells).zip(&local[at..]) {
        word([text, "=", &value_name(cut, cell, value)]);
    }
    for &chan in &part.channels {
        let channel = cut.channels[chan];
        let inside = messages(local, channel).map(|m| message_name(cut, chan, m));
        let inside = inside.collect::<Vec<_>>().join(" ");
        word([&cut.channel_name(chan), "", &format!("[{inside}]")]);
    }
    name
}

/// The possible locations of a claim's monitor, and the conditions that hold.
fn claim_name(cut: &Cut<'_>, claim: usize, local: &[i32]) -> String {
    let bits = |set: u64| (0..u64::BITS).filter(move |bit| set >> bit & 1 == 1);
    let [valuation, set] = [join(local[0], local[1]), join(local[2], local[3])];
    let at: Vec<String> = bits(set).map(|location| location.to_string()).collect();
    let mut words = vec![format!("{} at {{{}}}", cut.claims[claim].monitor.name, at.join(","))];
    words.extend(bits(valuation).map(|number| cut.condition_text(claim, number, true)));
    words.join(", ")
}

/// A location's jump label, or else its line.
fn location_name(cut: &Cut<'_>, pid: usize, location: i32) -> String {
    if location == DEAD {
        return "dead".to_owned();
    }
    let (id, location) = cut.at(pid, location);
    let proctype = &cut.system().proctypes[id];
    if let Some((label, _)) = proctype.labels.iter().find(|(_, at)| *at == location) {
        return label.clone();
    }
    match proctype.edges[location].iter().map(|e| e.source.line).find(|&line| line > 0) {
        Some(line) => format!("line {line}"),
        None => "end".to_owned(),
    }
}
