//! Conditions on the module and the program, independent of the requirement.

use super::module::Module;
use super::refusal::{RewriteObstacle, RewriteRefusal};
use resy_network::{Doubt, Item, PartId, Request, StepTurn};
use resy_system::{Cell, Expr, ProctypeId, Scope, SourcePlace};

impl Module<'_> {
    /// Whether the module can be replaced by any requirement.
    pub(super) fn can_be_replaced(&self) -> Result<(), RewriteRefusal> {
        let system = self.cut.system();
        if let Some(doubt) = self.components.doubts.first() {
            let why = match doubt {
                Doubt::Timeout(_) => RewriteObstacle::Timeout,
                Doubt::Late(_) => RewriteObstacle::Bounded,
                Doubt::ClaimAtEnd(_) => RewriteObstacle::ClaimAtEnd,
            };
            return Err(RewriteRefusal { why, action: None, source: doubt.source() });
        }
        if resy_network::asks_timeout(system) {
            return Err(RewriteObstacle::Timeout.into());
        }
        if self.cut.manner.within || !self.cut.manner.slots.is_empty() {
            return Err(RewriteObstacle::Bounded.into());
        }
        if system.uses_last || self.cut.claims.iter().any(|c| c.monitor.counts_steps()) {
            return Err(RewriteObstacle::Counted.into());
        }
        for pid in self.pids() {
            let process = &self.cut.initial.processes()[pid];
            let proctype = &system.proctypes[process.proctype];
            if process.location != proctype.start {
                return Err(RewriteObstacle::Started.into());
            }
            // The clause stays in the text, but the requirement does not update what only the module
            // reads.
            if proctype.provided.as_ref().is_some_and(|condition| !self.is_outside(condition)) {
                return Err(RewriteObstacle::Provided.into());
            }
        }
        if let Some(source) = self.remote_reference() {
            return Err(RewriteRefusal {
                why: RewriteObstacle::Asked,
                action: None,
                source: Some(source),
            });
        }
        let shares = self.cut.sums.iter().flat_map(|sum| &sum.shares);
        if shares.into_iter().any(|&share| self.owns(Item::Cell(share))) {
            return Err(RewriteObstacle::Shares.into());
        }
        let supports = self.cut.claims.iter().flat_map(|claim| &claim.supports);
        for support in supports {
            if support.all || support.items.iter().any(|&item| self.owns(item)) {
                return Err(RewriteObstacle::Watched.into());
            }
        }
        Ok(())
    }

    /// Whether no event of the trace depends on an offer of the module that is not accepted. The
    /// requirement may offer more than the module, and spin checks the trace before it looks for a
    /// receiver.
    pub(super) fn attempts_no_event(&self) -> Result<(), RewriteRefusal> {
        let trace = self.cut.system().trace.as_ref();
        if trace.is_none_or(|trace| trace.sends.is_empty()) {
            return Ok(());
        }
        let offers = |turn: &StepTurn| turn.offer.is_some() && self.contains(turn.part);
        match self.components.meanings.iter().find(|meaning| meaning.turns.iter().any(offers)) {
            None => Ok(()),
            Some(meaning) => {
                let source = meaning.sources.first().copied();
                Err(RewriteRefusal { why: RewriteObstacle::Attempts, action: None, source })
            }
        }
    }

    /// Whether a condition refers only to global variables that do not belong to the module.
    fn is_outside(&self, condition: &Expr) -> bool {
        let mut outside = true;
        condition.walk(&mut |part| {
            outside &= match part {
                Expr::Load(place) => {
                    let cell = Cell::Global(place.offset);
                    place.scope == Scope::Global
                        && place.indices.is_empty()
                        && !self.owns(Item::Cell(cell))
                }
                Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Pid => true,
                _ => false,
            }
        });
        outside
    }

    /// The location of a reference to the module's labels or variables by another process or a claim.
    /// Even a reference that is never evaluated would make the text invalid.
    fn remote_reference(&self) -> Option<SourcePlace> {
        let system = self.cut.system();
        let pids = self.pids();
        let replaced: Vec<ProctypeId> = pids.iter().map(|&pid| self.cut.proctypes[pid]).collect();
        let names = |e: &Expr| match e {
            Expr::RemoteLocation { proctype, .. } | Expr::RemoteLoad { proctype, .. } => {
                replaced.contains(proctype)
            }
            _ => false,
        };
        let claims = self.cut.claims.iter().flat_map(|claim| &claim.monitor.propositions);
        if claims.into_iter().any(|condition| condition.any(names)) {
            return Some(SourcePlace::default());
        }
        for (id, proctype) in system.proctypes.iter_enumerated() {
            if self.instances(id).iter().all(|pid| pids.contains(pid)) && replaced.contains(&id) {
                continue;
            }
            if proctype.provided.as_ref().is_some_and(|condition| condition.any(names)) {
                return Some(proctype.source);
            }
            for edge in proctype.edges.iter().flatten() {
                let mut found = false;
                edge.command.walk(&mut |e| found |= names(e));
                if found {
                    return Some(edge.source);
                }
            }
        }
        None
    }

    /// Whether no component observes that instances of a proctype first take a step to select their
    /// behaviour.
    pub(super) fn can_wait(&self, proctype: ProctypeId) -> Result<(), RewriteRefusal> {
        let parts: Vec<PartId> =
            self.instances(proctype).iter().map(|&pid| self.cut.processes[pid]).collect();
        let turns = self.components.meanings.iter().flat_map(|meaning| &meaning.turns);
        let mut exchanges = turns.flat_map(|turn| &turn.exchanges);
        let asked = exchanges.any(|e| parts.contains(&e.part) && e.request != Request::Alive);
        let watched = self.cut.claims.iter().flat_map(|claim| &claim.supports).any(|support| {
            let about = |item: &Item| match item {
                Item::Process(pid) => parts.contains(&self.cut.processes[*pid]),
                _ => false,
            };
            support.items.iter().any(about)
        });
        if asked || watched { Err(RewriteObstacle::Asked.into()) } else { Ok(()) }
    }
}
