//! Selections to lists of edges, and escapes to the front of them.

use super::flow::{Destination, Kind};
use super::table::{Finished, Row, Table};
use crate::diagnostic::Diagnostics;
use resy_index::{Id, IndexVec};
use resy_system::{Edge, LocationId};

/// Finishes a table: every location gets the list of its edges. `None` if the stages are told to end early.
pub(super) fn finish(table: &mut Table<'_>, start: LocationId) -> Option<Finished> {
    let (mut marks, labels) = marks(table);
    flatten_choices(&mut table.rows, &mut marks);
    let lists = edge_lists(&table.rows, &mut marks, table.interest)?;
    let edges = with_escapes(&lists, table.interest)?;
    pass_on(table, &edges, &mut marks);
    let end = table.flow.body.and_then(|b| table.flow.sequences[b].last);
    let end = end.map_or(start, |e| table.location(e));
    Some(Finished {
        start,
        edges,
        end_locations: marks.iter().map(|m| m.end).collect(),
        accept_locations: marks.iter().map(|m| m.accept).collect(),
        progress_locations: marks.iter().map(|m| m.progress).collect(),
        labels,
        end,
    })
}

/// The kinds of labels that a location has. All three move from location to location by the same rules: those
/// of `imed` in spin's verifier.
#[derive(Copy, Clone, Default)]
struct LabelKinds {
    end: bool,
    accept: bool,
    progress: bool,
}

impl LabelKinds {
    /// The kinds of a label, by its name.
    fn of(name: &str) -> Self {
        Self {
            end: name.starts_with("end"),
            accept: name.starts_with("accept"),
            progress: name.starts_with("progress"),
        }
    }

    fn add(&mut self, other: Self) {
        self.end |= other.end;
        self.accept |= other.accept;
        self.progress |= other.progress;
    }
}

type Marks = IndexVec<LocationId, LabelKinds>;

/// The kinds of labels of each location, and all labels.
fn marks(table: &Table<'_>) -> (Marks, Vec<(String, LocationId)>) {
    let mut marks: Marks = table.rows.ids().map(|_| LabelKinds::default()).collect();
    let mut labels = Vec::new();
    for (id, element) in table.flow.elements.iter_enumerated() {
        if matches!(element.kind, Kind::End) {
            marks[table.location(id)].end = true;
        }
    }
    for label in &table.flow.labels {
        let Destination::Label(symbol) = label.destination else { continue };
        let name = &table.hunter.symbols.table[symbol].name;
        let at = table.location(label.element);
        marks[at].add(LabelKinds::of(name));
        labels.push((name.to_string(), at));
    }
    (marks, labels)
}

/// A selection that starts with a selection offers the options of both.
fn flatten_choices(rows: &mut IndexVec<LocationId, Row>, marks: &mut Marks) {
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
                        let outer = marks[start];
                        inner.iter().for_each(|&l| marks[l].add(outer));
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
    marks: &mut Marks,
    interest: &mut Diagnostics,
) -> Option<IndexVec<LocationId, Vec<Guarded>>> {
    let mut list = |row: &Row| match row {
        Row::None => Vec::new(),
        Row::Edge(edge, escapes) => vec![(edge.clone(), escapes.clone())],
        Row::Choice(starts) => {
            let mut list = Vec::new();
            for &start in starts {
                if let Row::Edge(edge, escapes) = &rows[start] {
                    // The label of an option's first statement belongs to the location after it.
                    let own = marks[start];
                    edge.target.iter().for_each(|&target| marks[target].add(own));
                    list.push((edge.clone(), escapes.clone()));
                }
            }
            list
        }
    };
    rows.iter().map(|row| interest.go_on().then(|| list(row))).collect()
}

/// Escapes come first, the innermost before the outer ones. Spin prepends each edge that it
/// finds, which reverses the order within an escape.
fn with_escapes(
    lists: &IndexVec<LocationId, Vec<Guarded>>,
    interest: &mut Diagnostics,
) -> Option<IndexVec<LocationId, Vec<Edge>>> {
    let mut edges_of = |list: &Vec<Guarded>| {
        interest.go_on().then(|| list.iter().map(|(e, _)| e.clone()).collect())
    };
    let mut out: IndexVec<LocationId, Vec<Edge>> =
        lists.iter().map(&mut edges_of).collect::<Option<_>>()?;
    let most = lists.iter().flatten().map(|(_, escapes)| escapes.len()).max().unwrap_or(0);
    for id in lists.ids() {
        if !interest.go_on() {
            return None;
        }
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
    Some(out)
}

/// The labels of a meeting point belong to its successor too.
fn pass_on(table: &Table<'_>, edges: &IndexVec<LocationId, Vec<Edge>>, marks: &mut Marks) {
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
            && let Some(target) = edge.target
        {
            let own = marks[dot];
            marks[target].add(own);
        }
    }
}
