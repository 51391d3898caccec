//! What of a process others can observe, by properties and remote references.

use crate::access::cells;
use crate::channels::Channels;
use crate::tested::{may_accept, may_offer, tested};
use fixedbitset::FixedBitSet;
use resy_index::{Id, IndexVec};
use resy_system::{BinaryOp, Command, Expr, LocationId, Proctype, ProctypeId, System};

/// What the properties read, besides assertions, end states and errors.
///
/// A reduction preserves the order in which the values of these expressions change, not the number of steps
/// in between: a claim must not count steps (`ltl` without `X` does not).
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// The propositions: expressions over globals, channels and remote references.
    pub expressions: Vec<Expr>,
    /// Whether it matters which processes are at an accept label.
    pub accept_labels: bool,
    /// Whether it matters in which states a process is enabled, as under fairness.
    pub enabledness: bool,
}

impl Visible {
    /// Nothing: only assertions, end states, errors and event traces are preserved.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// The values of these propositions.
    pub fn new(expressions: Vec<Expr>) -> Self {
        Self { expressions, ..Self::default() }
    }

    /// Everything that an automaton (a `never` claim) reads.
    pub fn of(automaton: &Proctype) -> Self {
        let mut expressions = Vec::new();
        for edge in automaton.edges.iter().flatten() {
            if let Command::Guard(e) | Command::Assert(e, _) = &edge.command {
                expressions.push(e.clone());
            }
        }
        Self::new(expressions)
    }
}

/// What of the processes is read from outside.
pub(crate) struct Observed {
    /// Whether the order in which processes move is observable: by priorities, `_last`, `enabled`,
    /// `pc_value`. Then no two steps commute, and nothing is reduced.
    pub schedule: bool,
    /// The variables that remote references read.
    pub cells: IndexVec<ProctypeId, FixedBitSet>,
    /// The locations that remote references read.
    pub locations: IndexVec<ProctypeId, FixedBitSet>,
}

impl Observed {
    /// What the system itself and the properties observe.
    pub fn of(system: &System, visible: &Visible) -> Self {
        let mut observed = Self {
            schedule: system.uses_last || system.uses_priority,
            cells: system
                .proctypes
                .iter()
                .map(|p| FixedBitSet::with_capacity(p.frame.cells.len()))
                .collect(),
            locations: system
                .proctypes
                .iter()
                .map(|p| FixedBitSet::with_capacity(p.edges.len()))
                .collect(),
        };
        let known = &mut None;
        for expr in &visible.expressions {
            expr.walk(&mut |e| observed.look(system, e, known));
            observed.schedule |= expr.any(|e| matches!(e, Expr::Timeout));
        }
        if visible.accept_labels {
            observed.look_at_labels(system, |p| &p.accept_locations);
        }
        let trace = system.trace.as_ref().map(|t| &t.automaton);
        for proctype in system.proctypes.iter().chain(trace) {
            for edge in proctype.edges.iter().flatten() {
                edge.command.walk(&mut |e| observed.look(system, e, known));
                observed.schedule |= matches!(edge.command, Command::SetPriority(..));
            }
            if let Some(provided) = &proctype.provided {
                provided.walk(&mut |e| observed.look(system, e, known));
            }
        }
        observed.look_at_receivers(system, visible.enabledness);
        observed
    }

    /// Where it matters that a rendezvous is not possible, the locations of receives are observed. `always`: it matters
    /// everywhere.
    fn look_at_receivers(&mut self, system: &System, always: bool) {
        let channels = Channels::of(system);
        let looks = |(id, proctype): (ProctypeId, &Proctype)| {
            let tested = tested(proctype);
            let mut locations = proctype.edges.iter_enumerated();
            locations.any(|(at, edges)| {
                tested.contains(at.index()) && may_offer(system, &channels, id, edges)
            })
        };
        if !always && !system.proctypes.iter_enumerated().any(looks) {
            return;
        }
        for (id, proctype) in system.proctypes.iter_enumerated() {
            for (at, edges) in proctype.edges.iter_enumerated() {
                if may_accept(system, &channels, id, edges) {
                    self.locations[id].insert(at.index());
                }
            }
        }
    }

    /// Adds what an expression observes, without its subexpressions. `asked_for` is a part of the last one
    /// that is already covered.
    fn look<'a>(&mut self, system: &System, expr: &'a Expr, asked_for: &mut Option<&'a Expr>) {
        match expr {
            // `P@label` observes one location only.
            Expr::Binary(BinaryOp::Eq, at, to)
                if let (Expr::RemoteLocation { proctype, .. }, Expr::Const(n)) = (&**at, &**to) =>
            {
                *asked_for = Some(at);
                let exists = |&n: &usize| n < system.proctypes[*proctype].edges.len();
                if let Some(n) = usize::try_from(*n).ok().filter(exists) {
                    self.locations[*proctype].insert(n);
                }
            }
            Expr::RemoteLocation { .. } if asked_for.is_some_and(|e| std::ptr::eq(e, expr)) => {}
            Expr::RemoteLocation { proctype, .. } => {
                let n = system.proctypes[*proctype].edges.len();
                (0..n).for_each(|l| self.locations[*proctype].insert(l));
            }
            Expr::RemoteLoad { proctype, place, .. } => {
                cells(place).for_each(|c| self.cells[*proctype].insert(c));
            }
            Expr::NonProgress => self.look_at_labels(system, |p| &p.progress_locations),
            Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::Last
            | Expr::Priority => self.schedule = true,
            _ => {}
        }
    }

    /// The locations with labels of a kind are observed.
    fn look_at_labels(
        &mut self,
        system: &System,
        of: fn(&Proctype) -> &IndexVec<LocationId, bool>,
    ) {
        for (id, proctype) in system.proctypes.iter_enumerated() {
            let labelled = of(proctype).iter_enumerated().filter(|(_, is)| **is);
            labelled.for_each(|(l, _)| self.locations[id].insert(l.index()));
        }
    }

    pub fn location(&self, proctype: ProctypeId, location: LocationId) -> bool {
        self.locations[proctype].contains(location.index())
    }
}
