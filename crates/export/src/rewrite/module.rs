//! The module: some components of a network, and the program that they come from.

use super::body::{ProctypeBody, ProgramText};
use super::vocabulary::Vocabulary;
use resy_automata::network::ComponentId;
use resy_network::{Components, Cut, Home, Item, PartId};
use resy_system::ProctypeId;
use rustc_hash::FxHashSet;

/// The module that is replaced.
#[derive(Copy, Clone)]
pub struct Module<'a> {
    /// The cut.
    pub cut: &'a Cut<'a>,
    /// The network.
    pub components: &'a Components,
    /// The components of the module.
    pub members: &'a [ComponentId],
}

impl<'a> Module<'a> {
    /// The processes of the module.
    pub(super) fn pids(&self) -> Vec<usize> {
        let parts = self.members.iter().map(|&member| self.components.parts[member]);
        let mut pids: Vec<usize> = parts.filter_map(|part| self.cut.parts[part].process).collect();
        pids.sort_unstable();
        pids
    }

    /// All processes of a proctype.
    pub(super) fn instances(&self, proctype: ProctypeId) -> Vec<usize> {
        let processes = self.cut.proctypes.iter().enumerate();
        processes.filter(|(_, runs)| **runs == proctype).map(|(pid, _)| pid).collect()
    }

    pub(super) fn contains(&self, part: PartId) -> bool {
        self.members.iter().any(|&member| self.components.parts[member] == part)
    }

    /// The processes of the network whose end can be observed.
    pub(super) fn mortals(&self) -> FxHashSet<PartId> {
        let components = self.components.parts.iter().zip(&self.components.locals);
        let dies = |locals: &resy_index::IndexVec<_, Box<[i32]>>| {
            locals.iter().any(|local| local.first() == Some(&0))
        };
        let processes = components.filter(|(part, _)| self.cut.parts[**part].process.is_some());
        let mortals = processes.filter(|(_, locals)| self.cut.deaths && dies(locals));
        mortals.map(|(&part, _)| part).collect()
    }

    /// The names in scope of the process that the module becomes.
    pub(super) fn words(
        &self,
        source: &ProgramText<'_>,
        host: usize,
        body: &ProctypeBody<'_>,
    ) -> Vocabulary<'a> {
        let proctype = self.cut.proctypes[host];
        let frame = &self.cut.system().proctypes[proctype].frame;
        let whole = self.instances(proctype).iter().all(|pid| self.pids().contains(pid));
        let mut own: FxHashSet<String> = body.kept.clone();
        for variable in &frame.variables {
            if !whole || variable.offset < frame.n_params {
                let base = variable.name.split(['.', '[']).next().unwrap_or_default();
                own.insert(base.to_owned());
            }
        }
        Vocabulary::new(self.cut, host, own, source.fresh_prefix())
    }

    /// Whether an item belongs to the module, so that the requirement's actions do not describe effects
    /// on it.
    pub(super) fn owns(&self, item: Item) -> bool {
        match item {
            Item::Cell(cell) => match self.cut.home(cell) {
                Home::At(part, _) => self.contains(part),
                Home::Constant(_) => false,
                Home::Sum(sum) => {
                    let shares = &self.cut.sums[sum as usize].shares;
                    shares.iter().any(|&share| self.owns(Item::Cell(share)))
                }
            },
            Item::Channel(chan) => self.contains(self.cut.channels[chan].part),
            Item::Process(pid) => self.contains(self.cut.processes[pid]),
            Item::Last => true,
        }
    }
}
