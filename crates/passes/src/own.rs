//! The accesses of the next step of a process.
//!
//! Inside an `atomic` the step continues through the block, so that everything in the block counts.

use crate::channels::{ARRIVALS, DEPARTURES, Meaning, RECEIVES, SENDS};
use crate::footprint::{Footprint, FootprintAnalysis};
use resy_system::{CellRef, Command, Edge, Expr, LocationId, Probe, ProctypeId, Scope};

/// The next step of a process at a location.
pub(crate) struct Own {
    /// The variables that it accesses.
    pub print: Footprint,
    /// The channels that it accesses.
    pub uses: Vec<Use>,
    /// Whether it is independent only for the youngest process.
    pub youngest: bool,
}

/// A use of a channel.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The variable that holds the channel.
    pub place: CellRef,
    /// How it is used.
    pub how: How,
    /// The position in the step: 0 for its beginning.
    pub site: usize,
}

/// How a channel is used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// A message is sent.
    Send,
    /// The first message is read or received.
    Receive,
    /// Something is computed from the messages.
    Ask,
}

impl How {
    /// The accesses of other processes that conflict with this use.
    pub fn disturbed_by(self) -> u8 {
        match self {
            Self::Send => SENDS | ARRIVALS,
            Self::Receive => RECEIVES | DEPARTURES,
            Self::Ask => SENDS | RECEIVES,
        }
    }
}

impl Own {
    /// Whether it accesses nothing that another process could access.
    pub fn is_private(&self, nothing: &Footprint) -> bool {
        self.uses.is_empty() && !self.youngest && self.print == *nothing
    }
}

impl FootprintAnalysis<'_> {
    /// The next step from a location; `None` if it is never independent.
    pub fn own(&self, id: ProctypeId, at: LocationId) -> Option<Own> {
        let proctype = &self.system.proctypes[id];
        let (sites, circle) = self.sites(id, at);
        let mut own = Own {
            print: Footprint::new(&self.objects, &self.channels),
            uses: Vec::new(),
            youngest: false,
        };
        if let Some(provided) = &proctype.provided {
            self.add_expr(id, provided, &mut own.print);
            self.add_questions(provided, 0, &mut own)?;
        }
        for (site, &location) in sites.iter().enumerate() {
            let edges = &proctype.edges[location];
            for edge in edges {
                self.add_edge(id, location, edge, false, &mut own.print);
                self.add_uses(id, edge, site, edges.len() == 1, &mut own)?;
            }
        }
        // The accesses to channels are in `uses`, more precisely.
        own.print.globals.fill(0);
        own.print.locals.clear();
        own.print.any = 0;
        let late = |u: &Use| u.site > 0 && !self.is_settled(id, &u.place);
        let unclear = own.uses.iter().any(late) || (circle && !own.uses.is_empty());
        (!unclear).then_some(own)
    }

    /// The locations of a step, the first one first, and whether it has a cycle.
    fn sites(&self, id: ProctypeId, at: LocationId) -> (Vec<LocationId>, bool) {
        let edges = &self.system.proctypes[id].edges;
        let targets = |l: LocationId| {
            edges[l].iter().filter(|e| e.atomic).filter_map(|e| e.target).collect::<Vec<_>>()
        };
        let mut sites = vec![at];
        let mut circle = false;
        let mut path = vec![(at, targets(at))];
        while let Some((_, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                path.pop();
                continue;
            };
            circle |= path.iter().any(|(l, _)| *l == next);
            if !sites.contains(&next) {
                sites.push(next);
                path.push((next, targets(next)));
            }
        }
        (sites, circle)
    }

    /// Whether a channel variable denotes the same channel before and in the middle of a step.
    fn is_settled(&self, id: ProctypeId, place: &CellRef) -> bool {
        let constant = place.indices.iter().all(|t| matches!(t.index, Expr::Const(_) | Expr::Pid));
        constant && self.channels.meaning(id, &Expr::Load(place.clone())) != Meaning::Any
    }

    /// Adds the uses of channels, births and deaths of an edge; `None` if they depend on others.
    fn add_uses(
        &self,
        id: ProctypeId,
        edge: &Edge,
        site: usize,
        alone: bool,
        own: &mut Own,
    ) -> Option<()> {
        let mut add = |chan: &Expr, how| {
            let Expr::Load(place) = chan else { return None };
            let known = place.scope != Scope::Nowhere;
            known.then(|| own.uses.push(Use { place: place.clone(), how, site }))
        };
        match &edge.command {
            // It may be inserted before a message that another process is about to receive.
            Command::Send { sorted: true, .. } => return None,
            Command::Send { chan, .. } => add(chan, How::Send)?,
            // Beside other edges, a message that arrives may enable one more.
            Command::Receive { random: true, .. } if !alone || site > 0 => return None,
            Command::Receive { chan, .. } => add(chan, How::Receive)?,
            Command::Guard(Expr::Probe(Probe::NotEmpty, chan)) => return add(chan, How::Receive),
            Command::Guard(Expr::Probe(Probe::NotFull, chan)) => return add(chan, How::Send),
            Command::DStep(_) if uses_channels(edge) => return None,
            Command::Exit => {
                // Its channels are removed with it, and others may know them.
                if self.has_channels(id) {
                    return None;
                }
                own.youngest = true;
                own.print.reads.insert(self.objects.runs);
            }
            _ => {}
        }
        let mut result = Some(());
        edge.command.walk(&mut |e| {
            if result.is_some() {
                result = self.add_question(e, site, own);
            }
        });
        result
    }

    fn add_questions(&self, expr: &Expr, site: usize, own: &mut Own) -> Option<()> {
        let mut result = Some(());
        expr.walk(&mut |e| {
            if result.is_some() {
                result = self.add_question(e, site, own);
            }
        });
        result
    }

    /// Adds what an expression, without its subexpressions, reads of channels and processes.
    fn add_question(&self, expr: &Expr, site: usize, own: &mut Own) -> Option<()> {
        match expr {
            // It holds only if no other process can move.
            Expr::Timeout => return None,
            Expr::Run { .. } => own.youngest = true,
            Expr::Len(chan) | Expr::Probe(_, chan) | Expr::Poll { chan, .. } => {
                let Expr::Load(place) = &**chan else { return None };
                own.uses.push(Use { place: place.clone(), how: How::Ask, site });
            }
            _ => {}
        }
        Some(())
    }

    fn has_channels(&self, id: ProctypeId) -> bool {
        let init = &self.system.proctypes[id].frame.init;
        init.iter().any(|i| matches!(i, resy_system::CellInit::Channel(..)))
    }
}

fn uses_channels(edge: &Edge) -> bool {
    let mut found = false;
    crate::access::each_command(&edge.command, &mut |command| {
        found |= matches!(command, Command::Send { .. } | Command::Receive { .. });
    });
    edge.command.walk(&mut |e| {
        found |= matches!(e, Expr::Len(_) | Expr::Probe(..) | Expr::Poll { .. });
    });
    found
}
