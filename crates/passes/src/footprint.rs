//! Footprints: what a process may access from a location on, in its whole future and in that of the
//! processes that it starts.
//!
//! A footprint shrinks as a process moves on: a variable that two processes use one after the other belongs
//! to the second once the first has left its part of the program.

use crate::access::{cells, each_command, stores};
use crate::bits::extend;
use crate::channels::{ARRIVALS, Channels, DEPARTURES, Meaning, RECEIVES, SENDS};
use crate::objects::Objects;
use crate::observed::Observed;
use crate::tested::tested;
use fixedbitset::FixedBitSet;
use resy_index::{Id, IndexVec};
use resy_system::{
    CellInit, Command, Edge, Expr, LocationId, Options, Probe, Proctype, ProctypeId, Scope, System,
};
use std::collections::BTreeMap;

/// A set of accesses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Footprint {
    pub reads: FixedBitSet,
    pub writes: FixedBitSet,
    /// Objects that others can only read, and that several processes change independently: births and
    /// deaths, and the locations and variables that remote references read.
    pub counts: FixedBitSet,
    /// The accesses to the global channels, by number.
    pub globals: Vec<u8>,
    /// The accesses to the channels that constant cells of the frame hold.
    pub locals: BTreeMap<u32, u8>,
    /// The accesses to unknown channels.
    pub any: u8,
}

impl Footprint {
    pub fn new(objects: &Objects, channels: &Channels) -> Self {
        let empty = FixedBitSet::with_capacity(objects.len);
        Self {
            reads: empty.clone(),
            writes: empty.clone(),
            counts: empty,
            globals: vec![0; channels.n_global + 1],
            locals: BTreeMap::new(),
            any: 0,
        }
    }

    /// Adds another footprint of the same proctype; returns whether anything was new.
    fn add(&mut self, other: &Footprint) -> bool {
        let mut changed = self.add_shared(other);
        for (&cell, &roles) in &other.locals {
            changed |= set(self.locals.entry(cell).or_default(), roles);
        }
        changed
    }

    fn add_shared(&mut self, other: &Footprint) -> bool {
        let mut changed = extend(&mut self.reads, &other.reads);
        changed |= extend(&mut self.writes, &other.writes);
        changed |= extend(&mut self.counts, &other.counts);
        for (mine, &roles) in self.globals.iter_mut().zip(&other.globals) {
            changed |= set(mine, roles);
        }
        changed | set(&mut self.any, other.any)
    }

    /// Adds accesses to the channels that an expression may denote.
    fn add_channel(&mut self, meaning: &Meaning, roles: u8) -> bool {
        match meaning {
            Meaning::Global(numbers) => {
                numbers.iter().fold(false, |c, &n| c | set(&mut self.globals[n], roles))
            }
            Meaning::Local(cells) => cells
                .iter()
                .fold(false, |c, &cell| c | set(self.locals.entry(cell).or_default(), roles)),
            Meaning::Any => set(&mut self.any, roles),
        }
    }

    /// Whether the accesses of two footprints to variables conflict: their order matters.
    pub fn disturbs(&self, other: &Footprint) -> bool {
        !self.writes.is_disjoint(&other.reads)
            || !self.writes.is_disjoint(&other.writes)
            || !self.reads.is_disjoint(&other.writes)
            || !self.counts.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.counts)
    }
}

fn set(roles: &mut u8, more: u8) -> bool {
    let before = *roles;
    *roles |= more;
    *roles != before
}

/// The facts about a system from which footprints are computed.
pub(crate) struct FootprintAnalysis<'a> {
    pub system: &'a System,
    pub options: Options,
    pub observed: Observed,
    pub objects: Objects,
    pub channels: Channels,
}

impl FootprintAnalysis<'_> {
    /// The footprint of every location of every proctype, unless `go_on` ends the computation.
    pub fn futures(
        &self,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<IndexVec<ProctypeId, IndexVec<LocationId, Footprint>>> {
        let at_each = |(id, proctype): (ProctypeId, &Proctype)| {
            let tested = tested(proctype);
            let here = |at| self.at(id, at, tested.contains(LocationId::index(at)));
            proctype.edges.ids().map(|at| go_on().then(|| here(at))).collect()
        };
        let futures = self.system.proctypes.iter_enumerated().map(at_each);
        let mut futures: IndexVec<ProctypeId, _> = futures.collect::<Option<_>>()?;
        while self.spread(&mut futures, go_on)? {}
        Some(futures)
    }

    /// One iteration: every location gets the footprints of its targets, and of the processes it starts.
    fn spread(
        &self,
        futures: &mut IndexVec<ProctypeId, IndexVec<LocationId, Footprint>>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        let mut changed = false;
        for (id, proctype) in self.system.proctypes.iter_enumerated() {
            for at in proctype.edges.ids().collect::<Vec<_>>().into_iter().rev() {
                if !go_on() {
                    return None;
                }
                for edge in &proctype.edges[at] {
                    if let Some(target) = edge.target.filter(|&t| t != at) {
                        let next = futures[id][target].clone();
                        changed |= futures[id][at].add(&next);
                    }
                    edge.command.walk(&mut |e| {
                        if let Expr::Run { proctype: child, args, .. } = e {
                            let start = self.system.proctypes[*child].start;
                            let child = futures[*child][start].clone();
                            changed |= self.start(id, &mut futures[id][at], &child, args);
                        }
                    });
                }
            }
        }
        Some(changed)
    }

    /// Adds the footprint of a process that is started with these arguments.
    fn start(
        &self,
        id: ProctypeId,
        here: &mut Footprint,
        child: &Footprint,
        args: &[Expr],
    ) -> bool {
        let mut changed = here.add_shared(child);
        for (&cell, &roles) in &child.locals {
            // No other process knows the channels that the child creates.
            if let Some(arg) = args.get(cell as usize) {
                changed |= here.add_channel(&self.channels.meaning(id, arg), roles);
            }
        }
        changed
    }

    /// The accesses of the edges of one location.
    fn at(&self, id: ProctypeId, at: LocationId, tested: bool) -> Footprint {
        let proctype = &self.system.proctypes[id];
        let edges = &proctype.edges[at];
        let mut print = Footprint::new(&self.objects, &self.channels);
        if let Some(provided) = &proctype.provided {
            self.add_expr(id, provided, &mut print);
        }
        if let Some(trace) = &self.system.trace {
            // Sends and receives move the trace, which reads the variables of its patterns.
            for edge in trace.automaton.edges.iter().flatten() {
                edge.command.walk(&mut |e| self.add_read(id, e, &mut print));
            }
        }
        for edge in edges {
            self.add_edge(id, at, edge, tested, &mut print);
        }
        print
    }

    /// Adds the accesses of an edge. `tested`: whether something depends on its being disabled.
    pub fn add_edge(
        &self,
        id: ProctypeId,
        at: LocationId,
        edge: &Edge,
        tested: bool,
        print: &mut Footprint,
    ) {
        let seen = |l| self.observed.location(id, l);
        if seen(at) || edge.target.is_some_and(seen) {
            print.counts.insert(self.objects.location(id));
        }
        each_command(&edge.command, &mut |command| self.add_command(id, command, tested, print));
    }

    fn add_command(&self, id: ProctypeId, command: &Command, tested: bool, print: &mut Footprint) {
        for place in stores(command) {
            match place.scope {
                Scope::Global => cells(place).for_each(|c| print.writes.insert(c)),
                Scope::Local => {
                    let seen = cells(place).filter_map(|c| self.objects.local(id, c));
                    seen.for_each(|object| print.counts.insert(object));
                }
                Scope::Nowhere => {}
            }
        }
        match command {
            Command::DStep(_) => return,
            Command::Send { chan, sorted, .. } => {
                // A sorted send may come first; with loss, a full channel changes the effect.
                let looks = tested || *sorted || self.options.loss;
                let roles = SENDS | if looks { DEPARTURES } else { 0 };
                print.add_channel(&self.channels.meaning(id, chan), roles);
                // A rendezvous depends on the locations of the others.
                if tested && self.channels.may_be_rendezvous(self.system, id, chan) {
                    let all = self.system.proctypes.ids();
                    all.for_each(|p| print.reads.insert(self.objects.location(p)));
                }
            }
            Command::Receive { chan, .. } => {
                let roles = RECEIVES | if tested { ARRIVALS } else { 0 };
                print.add_channel(&self.channels.meaning(id, chan), roles);
            }
            Command::Exit => {
                print.counts.insert(self.objects.count);
                print.counts.insert(self.objects.existence(id));
            }
            // These can only be enabled by arrivals, or by departures.
            Command::Guard(Expr::Probe(Probe::NotEmpty, chan)) if !tested => {
                print.add_channel(&self.channels.meaning(id, chan), DEPARTURES);
                return chan.walk(&mut |e| self.add_read(id, e, print));
            }
            Command::Guard(Expr::Probe(Probe::NotFull, chan)) if !tested => {
                print.add_channel(&self.channels.meaning(id, chan), ARRIVALS);
                return chan.walk(&mut |e| self.add_read(id, e, print));
            }
            _ => {}
        }
        command.walk(&mut |e| self.add_read(id, e, print));
    }

    /// Adds what the event trace observes of the channels that it watches.
    pub fn add_watched(&self, print: &mut Footprint) {
        let Some(trace) = &self.system.trace else { return };
        let any = ProctypeId::from_index(0);
        for (watched, roles) in [(&trace.sends, ARRIVALS), (&trace.receives, DEPARTURES)] {
            for chan in watched {
                print.add_channel(&self.channels.meaning(any, chan), roles);
            }
        }
    }

    /// Adds what an expression reads.
    pub fn add_expr(&self, id: ProctypeId, expr: &Expr, print: &mut Footprint) {
        expr.walk(&mut |e| self.add_read(id, e, print));
    }

    /// Adds what it takes to know which processes are at labels.
    pub fn add_locations(&self, print: &mut Footprint) {
        for proctype in self.system.proctypes.ids() {
            print.reads.insert(self.objects.location(proctype));
            print.reads.insert(self.objects.existence(proctype));
        }
    }

    fn add_read(&self, id: ProctypeId, expr: &Expr, print: &mut Footprint) {
        let objects = &self.objects;
        match expr {
            Expr::Load(_) => add_global(expr, print),
            Expr::Len(chan) | Expr::Probe(_, chan) | Expr::Poll { chan, .. } => {
                print.add_channel(&self.channels.meaning(id, chan), ARRIVALS | DEPARTURES);
            }
            Expr::ProcessCount => print.reads.insert(objects.count),
            Expr::RemoteLocation { proctype, .. } => {
                print.reads.insert(objects.location(*proctype));
                print.reads.insert(objects.existence(*proctype));
            }
            Expr::RemoteLoad { proctype, place, .. } => {
                let seen = cells(place).filter_map(|c| objects.local(*proctype, c));
                seen.for_each(|object| print.reads.insert(object));
                print.reads.insert(objects.existence(*proctype));
            }
            Expr::NonProgress => self.add_locations(print),
            Expr::Run { proctype, .. } => {
                print.writes.insert(objects.runs);
                print.counts.insert(objects.count);
                print.counts.insert(objects.existence(*proctype));
                for init in &self.system.proctypes[*proctype].frame.init {
                    if let CellInit::Value(_, e) = init {
                        e.walk(&mut |e| add_global(e, print));
                    }
                }
            }
            _ => {}
        }
    }
}

fn add_global(expr: &Expr, print: &mut Footprint) {
    if let Expr::Load(place) = expr
        && place.scope == Scope::Global
    {
        cells(place).for_each(|c| print.reads.insert(c));
    }
}
