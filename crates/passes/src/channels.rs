//! Channel expressions: which channels they may denote, by static analysis.
//!
//! Most channel variables never change after their frame was created: global channels, and parameters that
//! are never assigned. In every state their values therefore determine which processes can still use which
//! channel.

use crate::access::{cells, each_command, stores};
use fixedbitset::FixedBitSet;
use resy_index::IndexVec;
use resy_system::{
    CellInit, CellRef, CellType, ChannelType, ChannelTypeId, Expr, ProctypeId, Scope, System,
};

/// Sends messages.
pub(crate) const SENDS: u8 = 1;
/// Receives messages, or reads the first.
pub(crate) const RECEIVES: u8 = 2;
/// Depends on the arrival of messages: observes senders.
pub(crate) const ARRIVALS: u8 = 4;
/// Depends on the departure of messages, or on which one is the first: observes receivers.
pub(crate) const DEPARTURES: u8 = 8;

/// The channel variables of a system.
pub(crate) struct Channels {
    /// For a global cell, the number of the channel that it always holds.
    numbers: Vec<Option<usize>>,
    /// The number of global channels.
    pub n_global: usize,
    /// The types of the global channels, by number; there is no number 0.
    types: Vec<Option<ChannelTypeId>>,
    /// Whether any channel is a rendezvous.
    some_rendezvous: bool,
    /// The local cells that some command writes.
    written: IndexVec<ProctypeId, FixedBitSet>,
    /// The types of the local cells.
    cells: IndexVec<ProctypeId, Vec<CellType>>,
}

/// What a channel expression of a proctype may denote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Some of these global channels, by number.
    Global(Vec<usize>),
    /// What some of these constant cells of the frame hold.
    Local(Vec<u32>),
    /// Any channel whose number is used as a value.
    Any,
}

impl Channels {
    pub fn of(system: &System) -> Self {
        let mut numbers = vec![None; system.globals.cells.len()];
        let is_rendezvous = |ty| system.channel_types[ty].capacity == 0;
        let (mut n_global, mut types) = (0, vec![None]);
        for init in &system.globals.init {
            if let CellInit::Channel(cell, channel) = init {
                n_global += 1;
                types.push(Some(channel.ty));
                numbers[*cell as usize] = Some(n_global);
            }
        }
        let mut written: IndexVec<ProctypeId, FixedBitSet> = system
            .proctypes
            .iter()
            .map(|p| FixedBitSet::with_capacity(p.frame.cells.len()))
            .collect();
        for (id, proctype) in system.proctypes.iter_enumerated() {
            for edge in proctype.edges.iter().flatten() {
                each_command(&edge.command, &mut |command| {
                    for place in stores(command) {
                        match place.scope {
                            Scope::Global => cells(place).for_each(|c| numbers[c] = None),
                            Scope::Local => cells(place).for_each(|c| written[id].insert(c)),
                            Scope::Nowhere => {}
                        }
                    }
                });
            }
        }
        let cells = system.proctypes.iter().map(|p| p.frame.cells.clone()).collect();
        let some_rendezvous = system.channel_types.ids().any(is_rendezvous);
        Self { numbers, n_global, types, some_rendezvous, written, cells }
    }

    /// What a channel expression may denote in a process of this proctype.
    pub fn meaning(&self, proctype: ProctypeId, expr: &Expr) -> Meaning {
        match expr {
            Expr::Load(place) => self.of_place(proctype, place),
            _ => Meaning::Any,
        }
    }

    /// Whether a channel expression may denote a rendezvous channel.
    pub fn may_be_rendezvous(&self, system: &System, proctype: ProctypeId, expr: &Expr) -> bool {
        self.some_rendezvous && self.kinds(system, proctype, expr).iter().any(|ty| ty.capacity == 0)
    }

    /// The types that the channel of an expression may have.
    pub fn kinds<'a>(
        &self,
        system: &'a System,
        proctype: ProctypeId,
        expr: &Expr,
    ) -> Vec<&'a ChannelType> {
        match self.meaning(proctype, expr) {
            Meaning::Global(numbers) => {
                let types = numbers.iter().filter_map(|&n| self.types[n]);
                types.map(|ty| &system.channel_types[ty]).collect()
            }
            Meaning::Local(_) | Meaning::Any => system.channel_types.iter().collect(),
        }
    }

    /// The number of the channel that a global cell always holds.
    pub fn number(&self, cell: usize) -> Option<usize> {
        self.numbers[cell]
    }

    fn of_place(&self, proctype: ProctypeId, place: &CellRef) -> Meaning {
        match place.scope {
            Scope::Global => {
                let numbers: Option<Vec<usize>> =
                    elements(place).into_iter().map(|c| self.numbers[c]).collect();
                numbers.map_or(Meaning::Any, Meaning::Global)
            }
            Scope::Local => {
                let all = elements(place);
                let fixed = |&c: &usize| {
                    !self.written[proctype].contains(c) && self.cells[proctype][c] == CellType::Chan
                };
                if !all.iter().all(fixed) {
                    return Meaning::Any;
                }
                Meaning::Local(all.into_iter().map(|c| c as u32).collect())
            }
            Scope::Nowhere => Meaning::Any,
        }
    }
}

/// The cells of all elements that a reference may denote.
pub(crate) fn elements(place: &CellRef) -> Vec<usize> {
    let mut found = vec![place.offset as usize];
    for term in &place.indices {
        let steps = (0..term.len as usize).map(|i| i * term.stride as usize);
        found = steps.flat_map(|by| found.iter().map(move |c| c + by)).collect();
    }
    found
}
