//! Independence: when the steps of one process alone represent all steps of a state.
//!
//! If nothing that the other processes may do before process `p` moves can change which edges of `p` are enabled
//! or what they do, then every run from here can be reordered so that `p` moves first, or `p` can move first
//! in addition: the steps of `p` are a *persistent* set (Godefroid 1996; Peled 1993). A search that
//! explores only such a set must also see to it that no process is ignored for ever; that proviso depends on
//! the search and is not decided here.
//!
//! Whether a step of `p` is disturbed is decided in the state, by comparing what it
//! touches ([`own`](crate::own)) with the [footprints](crate::footprint) of the others: everything that they may
//! touch from where they stand. Spin decides once for all states, by variable, and
//! needs `xr` and `xs` to know who uses a channel.
//!
//! - *Variables*: nobody else writes what the step reads, or touches what it writes.
//! - *Channels*: a send is disturbed by other senders and by those who would act otherwise after an arrival (`len`,
//!   `empty`, polls; a receive beside `else`, beside an escape, or inside an `atomic`, which loses
//!   control where the channel is empty). A receive is disturbed by other receivers, sorted sends, and those
//!   who would act otherwise after a departure. A full or an empty channel may change: the step
//!   must find room or a message. Rendezvous involves two processes and is never enough.
//! - *`else`, escapes, `provided`, non-determinism in a `D_proctype`*: functions of the guards, which are
//!   settled if these are. *`timeout`* is impossible while `p` can move; in `p` it depends on all.
//! - *Births and deaths*: only the youngest process can end, so its end is disturbed by `run`, and `run`
//!   by the end of younger processes; both by whoever reads `_nr_pr` or refers to the
//!   process. *Channels of the frame* die with it: such an end is never enough.
//! - *`atomic`*: the whole block counts as the step. *`d_step`* with channels is never enough.
//! - *Failing steps* (an index) are steps without successor: the rule on new successors covers them.
//! - *Event traces* see what happens to the channels that they watch, like a property. With *priorities, `_last`,
//!   `enabled`, `pc_value`* there is no reduction.

use crate::channels::Channels;
use crate::escape::escapes;
use crate::footprint::{Footprint, FootprintAnalysis};
use crate::objects::Objects;
use crate::observed::{Observed, Visible};
use crate::own::{How, Own, Use};
use crate::view::{StateView, channel_number};
use fixedbitset::FixedBitSet;
use resy_index::{Id, IndexVec};
use resy_system::{LocationId, Options, ProctypeId, System};
use std::collections::HashMap;

/// For every location of every proctype, when the steps from there are independent of all other processes.
pub struct Independence {
    own: IndexVec<ProctypeId, IndexVec<LocationId, Safety>>,
    /// For every location the footprint from there on, as a position in `footprints`.
    futures: IndexVec<ProctypeId, IndexVec<LocationId, u32>>,
    /// The footprints, each once: many locations share one.
    footprints: Vec<Footprint>,
    /// What the properties look at.
    visible: Footprint,
    /// Whether the number of a global channel may be held by other variables.
    escapes: Vec<bool>,
}

/// When the steps of a process at a location are enough.
enum Safety {
    Never,
    Always,
    /// If no other process disturbs this. The set has the footprints that do so by variables.
    Unless(Box<Own>, FixedBitSet),
}

impl Independence {
    /// Studies a system.
    pub fn of(system: &System, visible: &Visible, options: Options) -> Self {
        let observed = Observed::of(system, visible);
        let objects = Objects::of(system, &observed);
        let analysis = FootprintAnalysis {
            system,
            options,
            observed,
            objects,
            channels: Channels::of(system),
        };
        let nothing = Footprint::new(&analysis.objects, &analysis.channels);
        let mut seen = nothing.clone();
        // Propositions have no frame of their own, so that any proctype will do.
        for expr in &visible.expressions {
            analysis.add_expr(ProctypeId::from_index(0), expr, &mut seen);
        }
        analysis.add_watched(&mut seen);
        let (futures, footprints) = share(analysis.futures());
        let safety = |id, at| match analysis.own(id, at) {
            _ if analysis.observed.schedule => Safety::Never,
            None => Safety::Never,
            Some(own) if own.is_private(&nothing) => Safety::Always,
            Some(own) if own.print.disturbs(&seen) => Safety::Never,
            Some(own) => {
                let mut disturbing = FixedBitSet::with_capacity(footprints.len());
                let all = footprints.iter().enumerate();
                all.filter(|(_, f)| own.print.disturbs(f)).for_each(|(i, _)| disturbing.insert(i));
                Safety::Unless(Box::new(own), disturbing)
            }
        };
        let own = system.proctypes.iter_enumerated();
        let own = own.map(|(id, p)| p.edges.ids().map(|at| safety(id, at)).collect()).collect();
        let escapes = escapes(system, &analysis.channels);
        Self { own, futures, footprints, visible: seen, escapes }
    }

    /// Whether the steps of a process touch only its own variables, in every state with its present location.
    pub fn is_private(&self, view: &impl StateView, pid: usize) -> bool {
        let (proctype, location) = view.process(pid);
        matches!(self.own[proctype][location], Safety::Always)
    }

    /// Whether the steps of a process are independent of everything that the other processes can do from this
    /// state on before the process itself moves. Nothing is said about whether it has a step.
    pub fn is_independent(&self, view: &impl StateView, pid: usize) -> bool {
        let (proctype, location) = view.process(pid);
        match &self.own[proctype][location] {
            Safety::Never => false,
            Safety::Always => true,
            Safety::Unless(own, disturbing) => {
                (!own.youngest || pid + 1 == view.n_processes())
                    && self.is_undisturbed(view, pid, own, disturbing)
            }
        }
    }

    fn is_undisturbed(
        &self,
        view: &impl StateView,
        pid: usize,
        own: &Own,
        disturbing: &FixedBitSet,
    ) -> bool {
        let Some(uses) = numbers(view, pid, &own.uses) else { return false };
        let seen = |&(number, how): &(usize, How)| {
            self.roles(number, &self.visible, |_| 0) & how.disturbed_by() != 0
        };
        let mut others = (0..view.n_processes()).filter(|&other| other != pid);
        !uses.iter().any(seen)
            && others.all(|other| {
                let (proctype, location) = view.process(other);
                let future = self.futures[proctype][location] as usize;
                let disturbs = |&(number, how): &(usize, How)| {
                    let holds = |cell: u32| view.local(other, cell as usize);
                    self.roles(number, &self.footprints[future], holds) & how.disturbed_by() != 0
                };
                !disturbing.contains(future) && !uses.iter().any(disturbs)
            })
    }

    /// What a footprint does to a channel. `holds` tells the values of the frame's cells.
    fn roles(&self, number: usize, print: &Footprint, holds: impl Fn(u32) -> i32) -> u8 {
        let mut roles = print.globals.get(number).copied().unwrap_or(0);
        if self.escapes.get(number).copied().unwrap_or(true) {
            roles |= print.any;
        }
        for (&cell, &more) in &print.locals {
            if holds(cell) == number as i32 {
                roles |= more;
            }
        }
        roles
    }
}

/// A table of footprints as positions in a list that has each footprint once.
fn share(
    table: IndexVec<ProctypeId, IndexVec<LocationId, Footprint>>,
) -> (IndexVec<ProctypeId, IndexVec<LocationId, u32>>, Vec<Footprint>) {
    let mut positions: HashMap<&Footprint, u32> = HashMap::new();
    let mut footprints = Vec::new();
    let mut position = |footprint| {
        *positions.entry(footprint).or_insert_with(|| {
            footprints.push(footprint.clone());
            footprints.len() as u32 - 1
        })
    };
    let shared = table.iter().map(|row| row.iter().map(&mut position).collect()).collect();
    (shared, footprints)
}

/// The numbers of the channels that a step uses; `None` if it is not settled what happens.
fn numbers(view: &impl StateView, pid: usize, uses: &[Use]) -> Option<Vec<(usize, How)>> {
    let mut found: Vec<(usize, How, usize)> = Vec::new();
    for Use { place, how, site } in uses {
        let number = channel_number(view, pid, place)?;
        let (len, capacity) = view.channel(number)?;
        let settled = match how {
            How::Send => len < capacity,
            How::Receive => len > 0,
            How::Ask => true,
        };
        // Of two uses in one step, the second finds another channel than the one that is here.
        let again = found.iter().any(|&(n, _, s)| n == number && s != *site);
        if capacity == 0 || !settled || again {
            return None;
        }
        found.push((number, *how, *site));
    }
    Some(found.into_iter().map(|(number, how, _)| (number, how)).collect())
}
