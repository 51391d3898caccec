//! What a process may access: cells, channels, locations of others.
//!
//! Array indices and channel ids that are constant for a process (an unassigned parameter, `_pid`)
//! are resolved exactly; any other index may be any element.

use crate::cut::Cut;
use crate::cut::support::Item;
use crate::step::half::Half;
use resy_index::IndexVec;
use resy_system::{
    Cell, CellRef, Command, Expr, IndexTerm, LocationId, Proctype, ProctypeId, Scope,
    for_each_command, for_each_write,
};
use std::collections::BTreeSet;

/// The items that a process or a condition may access.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Items that are read or written.
    pub items: BTreeSet<Item>,
    /// Items that are written.
    pub writes: BTreeSet<Item>,
    /// Channels from which messages may be received.
    pub receives: BTreeSet<usize>,
    /// Whether any item may be accessed.
    pub all: bool,
}

/// The locations reachable from a location.
pub fn reachable(proctype: &Proctype, from: LocationId) -> Vec<LocationId> {
    let mut seen: IndexVec<LocationId, bool> = proctype.edges.iter().map(|_| false).collect();
    let mut found = vec![from];
    let mut next = 0;
    seen[from] = true;
    while next < found.len() {
        for target in proctype.edges[found[next]].iter().filter_map(|e| e.target) {
            if !std::mem::replace(&mut seen[target], true) {
                found.push(target);
            }
        }
        next += 1;
    }
    found
}

/// Whether an expression can observe which processes are alive.
pub fn observes_lives(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::ProcessCount
            | Expr::RemoteLocation { .. }
            | Expr::RemoteLoad { .. }
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Last
    )
}

/// Whether a command creates a process.
pub fn starts_process(command: &Command) -> bool {
    let mut found = false;
    command.walk(&mut |e| found |= matches!(e, Expr::Run { .. }));
    found
}

/// The offsets that a place may refer to; `known` gives the value of an index, or `None` for any
/// value.
pub fn offsets(place: &CellRef, known: &mut dyn FnMut(&IndexTerm) -> Option<i32>) -> Vec<u32> {
    let mut offsets = vec![place.offset];
    for term in &place.indices {
        let indices = match known(term) {
            Some(index) => match u32::try_from(index) {
                Ok(index) if index < term.len => index..index + 1,
                _ => 0..0,
            },
            None => 0..term.len,
        };
        offsets = offsets
            .into_iter()
            .flat_map(|base| indices.clone().map(move |index| base + index * term.stride))
            .collect();
    }
    offsets
}

/// Collects the accesses of one process's commands, or of a condition outside all processes.
pub struct Finder<'c, 'a> {
    cut: &'c Cut<'a>,
    half: Half<'c>,
    pid: usize,
    /// The accesses found so far.
    pub uses: Uses,
}

impl<'c, 'a: 'c> Finder<'c, 'a> {
    /// A finder for a process; of the state, it knows the constants only.
    pub fn new(cut: &'c Cut<'a>, pid: usize) -> Self {
        let half = Half::knowing_constants(cut);
        Self { cut, half, pid, uses: Uses::default() }
    }

    /// Adds the accesses of a command.
    pub fn command(&mut self, command: &Command) {
        command.walk(&mut |e| self.one(e));
        for_each_write(command, &mut |place| self.place(place, true));
        for_each_command(command, &mut |command| match command {
            Command::Send { chan, .. } => self.channel(chan, true, false),
            Command::Receive { chan, peek, .. } => self.channel(chan, !peek, true),
            _ => {}
        });
    }

    /// Adds the accesses of a condition.
    pub fn condition(&mut self, condition: &Expr) {
        condition.walk(&mut |e| self.one(e));
    }

    /// Adds the accesses of an expression, without its subexpressions.
    fn one(&mut self, expr: &Expr) {
        match expr {
            Expr::Load(place) => self.place(place, false),
            Expr::Len(chan) | Expr::Probe(_, chan) | Expr::Poll { chan, .. } => {
                self.channel(chan, false, false);
            }
            Expr::RemoteLocation { proctype, pid } => self.remote(*proctype, pid, None),
            Expr::RemoteLoad { proctype, pid, place } => self.remote(*proctype, pid, Some(place)),
            Expr::PcValue(pid) => match self.constant(pid) {
                Some(pid) if (0..self.cut.proctypes.len() as i32).contains(&pid) => {
                    self.uses.items.insert(Item::Process(pid as usize));
                }
                Some(_) => {}
                None => self.uses.all = true,
            },
            Expr::Last => {
                self.uses.items.insert(Item::Last);
            }
            Expr::ProcessCount => {
                self.uses.items.extend((0..self.cut.proctypes.len()).map(Item::Process));
            }
            Expr::Enabled(_) | Expr::NonProgress => self.uses.all = true,
            // A process asks the others whether they can move, and each knows what is its own.
            Expr::Timeout => self.uses.all |= self.pid == usize::MAX,
            _ => {}
        }
    }

    /// The value of an expression, if it is constant.
    fn constant(&self, expr: &Expr) -> Option<i32> {
        let value = self.cut.interpreter.evaluate(&self.half, self.pid, expr).ok();
        if self.half.take_gap().is_some() { None } else { value }
    }

    fn offsets(&self, place: &CellRef) -> Vec<u32> {
        offsets(place, &mut |term| self.constant(&term.index))
    }

    fn place(&mut self, place: &CellRef, written: bool) {
        let pid = self.pid as u32;
        for offset in self.offsets(place) {
            let cell = match place.scope {
                Scope::Global => Cell::Global(offset),
                Scope::Local => Cell::Local(pid, offset),
                Scope::Nowhere => return,
            };
            self.uses.items.insert(Item::Cell(cell));
            if written {
                self.uses.writes.insert(Item::Cell(cell));
            }
        }
    }

    fn remote(&mut self, proctype: ProctypeId, pid: &Option<Box<Expr>>, place: Option<&CellRef>) {
        let exactly = pid.as_ref().and_then(|pid| self.constant(pid));
        for (pid, runs) in self.cut.runs.iter().enumerate() {
            if !runs.contains(&proctype) || exactly.is_some_and(|exactly| exactly != pid as i32) {
                continue;
            }
            self.uses.items.insert(Item::Process(pid));
            for offset in place.map(|place| self.offsets(place)).unwrap_or_default() {
                self.uses.items.insert(Item::Cell(Cell::Local(pid as u32, offset)));
            }
        }
    }

    fn channel(&mut self, chan: &Expr, written: bool, received: bool) {
        for chan in self.channels(chan) {
            self.uses.items.insert(Item::Channel(chan));
            if written {
                self.uses.writes.insert(Item::Channel(chan));
            }
            if received {
                self.uses.receives.insert(chan);
            }
        }
    }

    /// The channels whose id an expression may have.
    fn channels(&self, expr: &Expr) -> Vec<usize> {
        let n_channels = self.cut.channels.len();
        let position =
            |id: i32| usize::try_from(id).ok()?.checked_sub(1).filter(|&c| c < n_channels);
        if let Some(id) = self.constant(expr) {
            return position(id).into_iter().collect();
        }
        // An element of an array of constant channel ids.
        if let Expr::Load(place) = expr {
            let names: Option<Vec<i32>> = self
                .offsets(place)
                .into_iter()
                .map(|offset| {
                    self.constant(&Expr::Load(CellRef::cell(place.scope, offset, place.cell)))
                })
                .collect();
            if let Some(names) = names {
                return names.into_iter().filter_map(position).collect();
            }
        }
        (0..n_channels).collect()
    }
}

/// The offsets of the cells of a frame that some command of a proctype may write.
pub fn written_locals(proctype: &Proctype) -> BTreeSet<u32> {
    written(proctype, Scope::Local)
}

/// The offsets of the global cells that some command of a proctype may write.
pub fn written_globals(proctype: &Proctype) -> BTreeSet<u32> {
    written(proctype, Scope::Global)
}

fn written(proctype: &Proctype, scope: Scope) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let constant = |term: &IndexTerm| match term.index {
        Expr::Const(value) => Some(value),
        _ => None,
    };
    for edge in proctype.edges.iter().flatten() {
        found.extend(edge.resets.iter().filter(|_| scope == Scope::Local));
        for_each_write(&edge.command, &mut |place| {
            if place.scope == scope {
                found.extend(offsets(place, &mut |term| constant(term)));
            }
        });
    }
    found
}
