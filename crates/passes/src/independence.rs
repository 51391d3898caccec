//! Independence: when the steps of one process alone represent all steps of a state.
//!
//! If nothing that the other processes may do before process `p` moves can change which edges of `p` are enabled
//! or what they do, then every run from here can be reordered so that `p` moves first, or `p` can move first
//! in addition: the steps of `p` are a *persistent* set (Godefroid 1996; Peled 1993). A search that
//! explores only such a set must also see to it that no process is ignored for ever; that proviso depends on
//! the search and is not decided here.
//!
//! Whether a step of `p` is independent is decided in the state, by comparing what it accesses
//! ([`own`](crate::own)) with the [footprints](crate::footprint) of the others: everything that they may
//! access from their locations on. Spin decides it by variable, once for all states, and needs `xr` and
//! `xs` to know who uses a channel.
//!
//! - *Variables*: no other process writes what the step reads, or accesses what it writes.
//! - *Channels*: a send conflicts with other senders and with processes that depend on arrivals (`len`,
//!   `empty`, polls; a receive beside `else`, beside an escape, or inside an `atomic`, which loses control
//!   where the channel is empty). A receive conflicts with other receivers, sorted sends, and processes
//!   that depend on departures. A full or an empty channel may change: the step must find room or a
//!   message. A rendezvous involves two processes and is never independent.
//! - *`else`, escapes, `provided`, non-determinism in a `D_proctype`* are functions of the guards: they are
//!   determined if the guards are. *`timeout`* is false while `p` can move; in `p` it depends on all
//!   processes.
//! - *Births and deaths*: only the youngest process can end, so its end conflicts with `run`, and `run`
//!   with the end of younger processes; both with processes that read `_nr_pr` or refer to the process. The
//!   *channels of the frame* are removed with it: such an end is never independent.
//! - *`atomic`*: the whole block counts as the step. A *`d_step`* with channels is never independent.
//! - *Failing steps* (an index) are steps without successor: the proviso of the search covers them.
//! - *Event traces* observe the channels that they watch, like a property. With *priorities, `_last`,
//!   `enabled`, `pc_value`* no step is independent.

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
    /// For every location the footprint from there on, as an index into `footprints`.
    futures: IndexVec<ProctypeId, IndexVec<LocationId, u32>>,
    /// The distinct footprints: many locations have the same.
    footprints: Vec<Footprint>,
    /// The accesses of the properties.
    visible: Footprint,
    /// Whether the number of a global channel may be held by other variables.
    escapes: Vec<bool>,
}

/// When the steps of a process at a location are independent.
enum Safety {
    Never,
    Always,
    /// If no other process conflicts with these accesses. The set has the footprints that conflict by
    /// variables.
    Unless(Box<Own>, FixedBitSet),
}

/// A larger table of footprints, in bits, is not made: a generated program with 100,000 proctypes would need 30 GB.
const MOST_BITS: usize = 1 << 28;

impl Independence {
    /// Analyses a system; `None` if it is too large.
    pub fn of(system: &System, visible: &Visible, options: Options) -> Option<Self> {
        Self::of_while(system, visible, options, &mut || true)
    }

    /// Analyses a system; `None` if it is too large, or if `go_on` ends the analysis.
    pub fn of_while(
        system: &System,
        visible: &Visible,
        options: Options,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let observed = Observed::of(system, visible);
        let objects = Objects::of(system, &observed);
        let n_locations: usize = system.proctypes.iter().map(|p| p.edges.len()).sum();
        if n_locations.saturating_mul(objects.len) > MOST_BITS {
            return None;
        }
        let analysis = FootprintAnalysis {
            system,
            options,
            observed,
            objects,
            channels: Channels::of(system),
        };
        let nothing = Footprint::new(&analysis.objects, &analysis.channels);
        let mut seen = nothing.clone();
        // Propositions have no frame of their own, so that any proctype serves.
        for expr in &visible.expressions {
            analysis.add_expr(ProctypeId::from_index(0), expr, &mut seen);
        }
        if visible.accept_labels {
            analysis.add_locations(&mut seen);
        }
        analysis.add_watched(&mut seen);
        let (futures, footprints) = share(analysis.futures(go_on)?);
        let mut safety = |id, at| {
            let safety = match analysis.own(id, at) {
                _ if analysis.observed.schedule => Safety::Never,
                None => Safety::Never,
                Some(own) if own.is_private(&nothing) => Safety::Always,
                Some(own) if own.print.disturbs(&seen) => Safety::Never,
                Some(own) => {
                    let mut disturbing = FixedBitSet::with_capacity(footprints.len());
                    let all = footprints.iter().enumerate();
                    let all = all.filter(|(_, f)| own.print.disturbs(f));
                    all.for_each(|(i, _)| disturbing.insert(i));
                    Safety::Unless(Box::new(own), disturbing)
                }
            };
            go_on().then_some(safety)
        };
        let own = system.proctypes.iter_enumerated();
        let own = own.map(|(id, p)| p.edges.ids().map(|at| safety(id, at)).collect());
        let own = own.collect::<Option<_>>()?;
        let escapes = escapes(system, &analysis.channels);
        Some(Self { own, futures, footprints, visible: seen, escapes })
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

    /// The accesses of a footprint to a channel. `holds` gives the values of the frame's cells.
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

/// A table of footprints, as indices into a list of the distinct ones.
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

/// The numbers of the channels that a step uses; `None` if its effect is not determined.
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
        // Of two uses in one step, the second finds the channel in another state than it is now.
        let again = found.iter().any(|&(n, _, s)| n == number && s != *site);
        if capacity == 0 || !settled || again {
            return None;
        }
        found.push((number, *how, *site));
    }
    Some(found.into_iter().map(|(number, how, _)| (number, how)).collect())
}
