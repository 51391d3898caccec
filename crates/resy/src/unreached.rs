//! Statements that no run executes: what a model says that never happens.
//!
//! Reductions do not change the result. They do not depend on what a statement means for a
//! property, so a statement that some run executes is executed in the reduced search for the same
//! reason for which a violated assertion in its place would be found.

use resy_engine::search::Search;
use resy_system::{Edge, SourcePlace, System};
use std::collections::BTreeMap;

/// A statement that was never executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The proctype.
    pub process: String,
    /// `file:line`.
    pub location: String,
    /// The statement.
    pub statement: String,
}

impl Unreached {
    /// Whether it is the end of a process: many processes are not meant to end.
    pub fn is_end(&self) -> bool {
        self.statement == "-end-"
    }
}

/// The statements that a complete search did not execute, by proctype, in the order of the
/// text; `None` if the search did not see everything.
pub fn unreached(system: &System, search: &Search) -> Option<Vec<Unreached>> {
    if search.stopped.is_some() {
        return None;
    }
    let mut list = Vec::new();
    for (id, proctype) in system.proctypes.iter_enumerated() {
        // A statement can have many edges: one for each place where an escape can start.
        let mut statements: BTreeMap<u32, (bool, SourcePlace, &str)> = BTreeMap::new();
        for (at, edges) in proctype.edges.iter_enumerated() {
            for (i, edge) in edges.iter().enumerate().filter(|(_, e)| is_statement(e)) {
                let entry = (false, edge.source, edge.text.as_str());
                let statement = statements.entry(edge.id).or_insert(entry);
                statement.0 |= search.coverage.taken(id, at, i);
            }
        }
        let never = statements.into_values().filter(|(taken, ..)| !taken);
        list.extend(never.map(|(_, place, text)| Unreached {
            process: proctype.name.trim_matches(':').to_owned(),
            location: system.location(place),
            statement: text.to_string(),
        }));
    }
    Some(list)
}

/// All statements: where they are, and their texts.
pub fn statements(system: &System) -> impl Iterator<Item = (SourcePlace, &str)> {
    let edges = system.proctypes.iter().flat_map(|proctype| proctype.edges.iter().flatten());
    let edges = edges.filter(|edge| is_statement(edge) && edge.text != "-end-");
    edges.map(|edge| (edge.source, edge.text.as_str()))
}

/// Whether an edge executes something that the text says. Jumps are no steps: they
/// show where the statement before them leads.
fn is_statement(edge: &Edge) -> bool {
    !(edge.text.is_empty() || edge.text == "break" || edge.text.starts_with("goto "))
}
