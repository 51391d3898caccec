//! Shared objects, other than channels, as numbers.

use crate::observed::Observed;
use resy_index::Id;
use resy_system::{ProctypeId, System};
use std::collections::BTreeMap;

/// Numbers of the objects that processes share, other than channels.
pub(crate) struct Objects {
    /// The variables that remote references read.
    locals: BTreeMap<(ProctypeId, usize), usize>,
    /// The first of the two objects of a proctype: the locations of its processes, and which of them exist.
    proctypes: usize,
    /// The number of processes.
    pub count: usize,
    /// The order in which processes are started.
    pub runs: usize,
    pub len: usize,
}

impl Objects {
    pub fn of(system: &System, observed: &Observed) -> Self {
        let cells = observed.cells.iter_enumerated();
        let seen = cells.flat_map(|(id, cells)| cells.ones().map(move |cell| (id, cell)));
        let first = system.globals.cells.len();
        let locals: BTreeMap<_, _> = seen.zip(first..).collect();
        let proctypes = first + locals.len();
        let count = proctypes + 2 * system.proctypes.len();
        Self { locals, proctypes, count, runs: count + 1, len: count + 2 }
    }

    /// The object of a variable of a proctype, if others can read it.
    pub fn local(&self, proctype: ProctypeId, cell: usize) -> Option<usize> {
        self.locals.get(&(proctype, cell)).copied()
    }

    /// The object of the locations of a proctype's processes.
    pub fn location(&self, proctype: ProctypeId) -> usize {
        self.proctypes + 2 * proctype.index()
    }

    /// The object of which processes of a proctype exist.
    pub fn existence(&self, proctype: ProctypeId) -> usize {
        self.location(proctype) + 1
    }
}
