//! Selections to lists of edges, and escapes to the front of them.

use super::flow::{Destination, Kind};
use super::table::{Finished, Row, Table};
use resy_index::{Id, IndexVec};
use resy_system::{Edge, LocationId};

/// Finishes a table: every location gets the list of its edges.
pub(super) fn finish(table: &mut Table<'_>, start: LocationId) -> Finished {
    let (mut ends, progress, labels) = marks(table);
    flatten_choices(&mut table.rows, &mut ends);
    let lists = edge_lists(&table.rows, &mut ends);
    let edges = with_escapes(&lists);
    pass_ends_on(table, &edges, &mut ends);
    let end = table.flow.body.and_then(|b| table.flow.sequences[b].last);
    let end = end.map_or(start, |e| table.location(e));
    Finished { start, edges, end_locations: ends, progress_locations: progress, labels, end }
}

type Marks = IndexVec<LocationId, bool>;

/// The locations with end and progress labels, and all labels.
fn marks(table: &Table<'_>) -> (Marks, Marks, Vec<(String, LocationId)>) {
    let none = || table.rows.ids().map(|_| false).collect::<Marks>();
    let (mut ends, mut progress, mut labels) = (none(), none(), Vec::new());
    for (id, element) in table.flow.elements.iter_enumerated() {
        if matches!(element.kind, Kind::End) {
            ends[table.location(id)] = true;
        }
    }
    for label in &table.flow.labels {
        let Destination::Label(symbol) = label.destination else { continue };
        let name = &table.hunter.symbols.table[symbol].name;
        let at = table.location(label.element);
        ends[at] |= name.starts_with("end");
        progress[at] |= name.starts_with("progress");
        labels.push((name.to_string(), at));
    }
    (ends, progress, labels)
}

/// A selection that starts with a selection offers the options of both.
fn flatten_choices(rows: &mut IndexVec<LocationId, Row>, ends: &mut Marks) {
    loop {
        let mut changed = false;
        for id in rows.ids() {
            let Row::Choice(starts) = &rows[id] else { continue };
            if !starts.iter().any(|&s| matches!(rows[s], Row::Choice(_))) {
                continue;
            }
            let mut flat = Vec::new();
            for &start in starts {
                match &rows[start] {
                    Row::Choice(inner) if start != id => {
                        flat.extend(inner.iter().copied());
                        if ends[start] {
                            inner.iter().for_each(|&l| ends[l] = true);
                        }
                    }
                    _ => flat.push(start),
                }
            }
            rows[id] = Row::Choice(flat);
            changed = true;
        }
        if !changed {
            return;
        }
    }
}

/// One edge with the escapes that are possible beside it.
type Guarded = (Edge, Vec<LocationId>);

fn edge_lists(
    rows: &IndexVec<LocationId, Row>,
    ends: &mut Marks,
) -> IndexVec<LocationId, Vec<Guarded>> {
    let list = |row: &Row| match row {
        Row::None => Vec::new(),
        Row::Edge(edge, escapes) => vec![(edge.clone(), escapes.clone())],
        Row::Choice(starts) => {
            let mut list = Vec::new();
            for &start in starts {
                if let Row::Edge(edge, escapes) = &rows[start] {
                    if ends[start]
                        && let Some(target) = edge.target
                    {
                        ends[target] = true;
                    }
                    list.push((edge.clone(), escapes.clone()));
                }
            }
            list
        }
    };
    rows.iter().map(list).collect()
}

/// Escapes come first, the innermost before the outer ones. Spin prepends each edge that it
/// finds, which reverses the order within an escape.
fn with_escapes(lists: &IndexVec<LocationId, Vec<Guarded>>) -> IndexVec<LocationId, Vec<Edge>> {
    let mut out: IndexVec<LocationId, Vec<Edge>> =
        lists.iter().map(|list| list.iter().map(|(e, _)| e.clone()).collect()).collect();
    let most = lists.iter().flatten().map(|(_, escapes)| escapes.len()).max().unwrap_or(0);
    for id in lists.ids() {
        let mut front: Vec<Edge> = Vec::new();
        for (_, escapes) in &lists[id] {
            for k in (0..most).rev() {
                let Some(&start) = escapes.get(k) else { continue };
                for edge in &out[start] {
                    let known = |e: &Edge| e.id == edge.id;
                    if !front.iter().any(known) && !out[id].iter().any(known) {
                        front.push(Edge { escape: Some(start), ..edge.clone() });
                    }
                }
            }
        }
        front.reverse();
        front.append(&mut out[id]);
        out[id] = front;
    }
    out
}

/// If a meeting point is a valid end location, so is its successor.
fn pass_ends_on(table: &Table<'_>, edges: &IndexVec<LocationId, Vec<Edge>>, ends: &mut Marks) {
    let mut dots: Vec<LocationId> = table
        .flow
        .elements
        .iter_enumerated()
        .filter(|(_, e)| matches!(e.kind, Kind::Dot))
        .map(|(id, _)| table.location(id))
        .collect();
    dots.sort_by_key(|l| l.index());
    for dot in dots {
        if let [edge] = &edges[dot][..]
            && ends[dot]
            && let Some(target) = edge.target
        {
            ends[target] = true;
        }
    }
}
