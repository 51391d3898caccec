//! What of a process others can see: properties, and remote references.

use super::access::cells;
use super::bits::Bits;
use super::channels::Channels;
use super::tested::{may_accept, may_offer, tested};
use resy_index::{Id, IndexVec};
use resy_system::{BinaryOp, Command, Expr, LocationId, Proctype, ProctypeId, System};

/// What the properties read, besides assertions, end states and errors.
///
/// A reduction keeps the order in which the values of these expressions change, not how many
/// steps are made in between: a claim must not count steps (`ltl` without `X` does not).
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// The propositions: expressions over globals, channels and remote references.
    pub expressions: Vec<Expr>,
}

impl Visible {
    /// Nothing: only assertions, end states, errors and event traces matter.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Everything that an automaton (a `never` claim) reads.
    pub fn of(automaton: &Proctype) -> Self {
        let mut expressions = Vec::new();
        for edge in automaton.edges.iter().flatten() {
            if let Command::Guard(e) | Command::Assert(e, _) = &edge.command {
                expressions.push(e.clone());
            }
        }
        Self { expressions }
    }
}

/// What of the processes is read from outside.
pub(crate) struct Observed {
    /// Something can see in which order processes move: priorities, `_last`, `enabled`,
    /// `pc_value`. Then no two steps are alike, and no reduction is made.
    pub schedule: bool,
    /// The variables that remote references read.
    pub cells: IndexVec<ProctypeId, Bits>,
    /// The locations that somebody asks for.
    pub locations: IndexVec<ProctypeId, Bits>,
}

impl Observed {
    /// What the system itself and the properties see.
    pub fn of(system: &System, visible: &Visible) -> Self {
        let mut observed = Self {
            schedule: system.uses_last || system.uses_priority,
            cells: system.proctypes.iter().map(|p| Bits::new(p.frame.cells.len())).collect(),
            locations: system.proctypes.iter().map(|p| Bits::new(p.edges.len())).collect(),
        };
        for expr in &visible.expressions {
            observed.look(system, &mut |visit| expr.walk(visit));
            observed.schedule |= expr.any(|e| matches!(e, Expr::Timeout));
        }
        let trace = system.trace.as_ref().map(|t| &t.automaton);
        for proctype in system.proctypes.iter().chain(trace) {
            for edge in proctype.edges.iter().flatten() {
                observed.look(system, &mut |visit| edge.command.walk(visit));
            }
            if let Some(provided) = &proctype.provided {
                observed.look(system, &mut |visit| provided.walk(visit));
            }
        }
        observed.look_at_receivers(system);
        observed
    }

    /// Where it matters that a rendezvous is not possible, it is seen who stands at a receive.
    fn look_at_receivers(&mut self, system: &System) {
        let channels = Channels::of(system);
        let looks = |(id, proctype): (ProctypeId, &Proctype)| {
            let tested = tested(proctype);
            let mut locations = proctype.edges.iter_enumerated();
            locations
                .any(|(at, edges)| tested.contains(at.index()) && may_offer(&channels, id, edges))
        };
        if !system.proctypes.iter_enumerated().any(looks) {
            return;
        }
        for (id, proctype) in system.proctypes.iter_enumerated() {
            for (at, edges) in proctype.edges.iter_enumerated() {
                if may_accept(&channels, id, edges) {
                    self.locations[id].insert(at.index());
                }
            }
        }
    }

    /// Looks at all the expressions that `walk` shows.
    fn look<'a>(&mut self, system: &System, walk: &mut dyn FnMut(&mut dyn FnMut(&'a Expr))) {
        let mut asked_for: Option<&Expr> = None;
        walk(&mut |e| match e {
            // `P@label` asks for one location only.
            Expr::Binary(BinaryOp::Eq, at, to)
                if let (Expr::RemoteLocation { proctype, .. }, Expr::Const(n)) = (&**at, &**to) =>
            {
                asked_for = Some(at);
                let known = usize::try_from(*n).ok();
                known
                    .filter(|&n| n < system.proctypes[*proctype].edges.len())
                    .into_iter()
                    .for_each(|n| self.locations[*proctype].insert(n));
            }
            Expr::RemoteLocation { proctype, .. } => {
                if !asked_for.is_some_and(|known| std::ptr::eq(known, e)) {
                    let n = system.proctypes[*proctype].edges.len();
                    (0..n).for_each(|l| self.locations[*proctype].insert(l));
                }
            }
            Expr::RemoteLoad { proctype, place, .. } => {
                cells(place).for_each(|c| self.cells[*proctype].insert(c));
            }
            Expr::NonProgress => {
                for (id, proctype) in system.proctypes.iter_enumerated() {
                    for (l, _) in proctype.progress_locations.iter_enumerated().filter(|&(_, &p)| p)
                    {
                        self.locations[id].insert(l.index());
                    }
                }
            }
            Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::Last
            | Expr::Priority => self.schedule = true,
            _ => {}
        });
    }

    pub fn location(&self, proctype: ProctypeId, location: LocationId) -> bool {
        self.locations[proctype].contains(location.index())
    }
}
