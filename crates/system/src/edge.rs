//! Taking edges: from a memory and an edge of a process to a step.
//!
//! The code is generic over [`Memory`], so that a component of a network takes its share of
//! a step by the same rules as a whole state.

use crate::command::Command;
use crate::effect::Effect;
use crate::eval::View;
use crate::interpreter::Interpreter;
use crate::memory::{Cell, Memory, Value};
use crate::message::Offer;
use crate::step::{Attempt, Control, Move, Step, Steps};
use crate::system::{Edge, Proctype};
use crate::violation::{Violation, ViolationKind};
use std::cell::RefCell;

impl<'a> Interpreter<'a> {
    /// Tries an edge of a process that may move. `moved` says whether an earlier edge was
    /// possible. Violations that occur without a step are added to `notes`.
    pub fn attempt<M: Memory>(
        &self,
        memory: &M,
        actor: Move,
        edge: &Edge,
        moved: bool,
        timeout: bool,
        notes: &mut Vec<Violation>,
    ) -> Attempt<M> {
        let (runs, noted) = (RefCell::default(), RefCell::default());
        let view = View { timeout, moved, ..self.view(memory, actor.pid, &runs, &noted) };
        let possible = view.possible(&edge.command);
        let note = |kind| Violation { kind, source: edge.source };
        notes.extend(noted.take().into_iter().map(note));
        match possible {
            Ok(false) => return Attempt::Impossible,
            Err(kind) => return Attempt::Done(failed(actor, None, kind, edge)),
            Ok(true) => {}
        }
        match self.offered(&view, edge) {
            Ok(None) => {
                let effect = self.effect(memory.clone(), actor.pid, timeout, edge);
                Attempt::Done(self.finish(effect, actor, None, edge, moved))
            }
            Ok(Some(offer)) => {
                // The attempt counts even if no process accepts the offer.
                if moved && self.is_deterministic(memory, actor.pid) {
                    notes.push(note(ViolationKind::NonDeterminism));
                }
                self.send_off(memory, actor, edge, offer, noted.take())
            }
            Err(kind) => Attempt::Done(failed(actor, None, kind, edge)),
        }
    }

    /// The message that an edge offers, if it is a send on a rendezvous channel.
    fn offered<M: Memory>(&self, view: &View<'_, M>, edge: &Edge) -> Value<Option<Offer>> {
        let Command::Send { chan, args, .. } = &edge.command else {
            return Ok(None);
        };
        let chan = view.channel(chan)?;
        if !view.is_rendezvous(chan)? {
            return Ok(None);
        }
        let (message, _) = view.outgoing(chan, args)?;
        Ok(Some(Offer { chan, message }))
    }

    /// The sender's part of a rendezvous.
    fn send_off<M: Memory>(
        &self,
        memory: &M,
        actor: Move,
        edge: &Edge,
        offer: Offer,
        noted: Vec<ViolationKind>,
    ) -> Attempt<M> {
        let mut sender = self.effect(memory.clone(), actor.pid, false, edge);
        noted.into_iter().for_each(|kind| sender.note(kind));
        let sent = sender
            .observe(true, offer.chan, &offer.message)
            .and_then(|()| self.arrive(&mut sender.memory, actor.pid, edge));
        match sent {
            Ok(()) => {
                Attempt::Offers { offer, sender: sender.memory, violations: sender.violations }
            }
            Err(kind) => Attempt::Done(failed(actor, None, kind, edge)),
        }
    }

    /// The steps by which a process accepts an offer, one for each matching receive. The
    /// caller replaces the actor by the sender.
    pub fn accept<M: Memory>(&self, memory: &M, pid: usize, offer: &Offer) -> Steps<M> {
        let mut accepted = Steps::default();
        if !self.may_move(memory, pid, &mut accepted.violations) {
            return accepted;
        }
        let edges = match self.edges_of(memory, pid) {
            Ok(edges) => edges,
            Err(_) => return accepted,
        };
        let (mut moved, mut escape) = (false, None);
        for (index, edge) in edges.iter().enumerate() {
            if escape.is_some() && escape != edge.escape {
                break;
            }
            let (runs, notes) = (RefCell::default(), RefCell::default());
            let view = self.view(memory, pid, &runs, &notes);
            let view = View { offer: Some(offer), moved, ..view };
            let partner = Move { pid, edge: index };
            match view.possible(&edge.command) {
                Ok(false) => continue,
                Err(kind) => accepted.steps.push(failed(partner, Some(partner), kind, edge)),
                Ok(true) => {
                    let mut effect = self.effect(memory.clone(), pid, false, edge);
                    effect.offer = Some(offer);
                    accepted.steps.push(self.finish(effect, partner, Some(partner), edge, moved));
                }
            }
            (moved, escape) = (true, edge.escape);
        }
        accepted
    }

    /// Whether a process is at a receive that matches an offer.
    pub fn would_accept<M: Memory>(&self, memory: &M, pid: usize, offer: &Offer) -> Value<bool> {
        if !self.may_move(memory, pid, &mut Vec::new()) {
            return Ok(false);
        }
        let (runs, notes) = (RefCell::default(), RefCell::default());
        let view = View { offer: Some(offer), ..self.view(memory, pid, &runs, &notes) };
        for edge in self.edges_of(memory, pid)? {
            match view.possible(&edge.command) {
                Ok(false) => {}
                Err(ViolationKind::Unanswered) => return Err(ViolationKind::Unanswered),
                Ok(true) | Err(_) => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Whether an edge of a process that may move is possible. An edge that would fail is
    /// possible; a rendezvous send is possible only if some process accepts it.
    pub fn could_take<M: Memory>(
        &self,
        memory: &M,
        pid: usize,
        edge: &Edge,
        moved: bool,
        timeout: bool,
    ) -> Value<bool> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        let view = View { timeout, moved, ..self.view(memory, pid, &runs, &notes) };
        let could = view.possible(&edge.command).and_then(|possible| {
            Ok(possible
                && match self.offered(&view, edge)? {
                    Some(offer) => memory.is_welcome(self, pid, &offer)?,
                    None => true,
                })
        });
        match could {
            Ok(could) => Ok(could),
            Err(ViolationKind::Unanswered) => Err(ViolationKind::Unanswered),
            Err(_) => Ok(true),
        }
    }

    /// The edges at the location of a living process.
    pub fn edges_of<M: Memory>(&self, memory: &M, pid: usize) -> Value<&'a [Edge]> {
        Ok(&self.proctype_of(memory, pid)?.edges[memory.location(pid)?])
    }

    fn proctype_of<M: Memory>(&self, memory: &M, pid: usize) -> Value<&'a Proctype> {
        let proctype = memory.proctype(pid)?.ok_or(ViolationKind::NoProcess(pid as i32))?;
        Ok(&self.system.proctypes[proctype])
    }

    fn is_deterministic<M: Memory>(&self, memory: &M, pid: usize) -> bool {
        self.proctype_of(memory, pid).is_ok_and(|p| p.deterministic)
    }

    fn effect<'b, M: Memory>(
        &'b self,
        memory: M,
        pid: usize,
        timeout: bool,
        edge: &Edge,
    ) -> Effect<'b, M> {
        Effect {
            interpreter: self,
            memory,
            pid,
            timeout,
            offer: None,
            source: edge.source,
            violations: Vec::new(),
            output: String::new(),
        }
    }

    /// Executes the command of an edge and moves the process to the target.
    fn finish<M: Memory>(
        &self,
        mut effect: Effect<'_, M>,
        actor: Move,
        partner: Option<Move>,
        edge: &Edge,
        moved: bool,
    ) -> Step<M> {
        let pid = effect.pid;
        let unwatched = matches!(edge.command, Command::Else | Command::Skip | Command::DStep(_));
        if moved && !unwatched && self.is_deterministic(&effect.memory, pid) {
            effect.note(ViolationKind::NonDeterminism);
        }
        let result =
            effect.perform(&edge.command).and_then(|()| self.arrive(&mut effect.memory, pid, edge));
        let (next, wreck) = match result {
            Ok(()) => {
                let control = if edge.atomic { Control::Atomic(pid) } else { Control::Free };
                (Some((effect.memory, control)), None)
            }
            Err(kind) => {
                effect.violations.push(Violation { kind, source: effect.source });
                (None, Some(effect.memory))
            }
        };
        Step { actor, partner, next, wreck, violations: effect.violations, output: effect.output }
    }

    fn arrive<M: Memory>(&self, memory: &mut M, pid: usize, edge: &Edge) -> Value<()> {
        for &cell in &edge.resets {
            memory.store(Cell::Local(pid as u32, cell), 0)?;
        }
        if let Some(target) = edge.target {
            memory.move_to(pid, target)?;
        }
        if self.system.uses_last {
            memory.set_last(pid)?;
        }
        Ok(())
    }

    /// Whether priorities and the `provided` clause let a process move.
    pub fn may_move<M: Memory>(
        &self,
        memory: &M,
        pid: usize,
        violations: &mut Vec<Violation>,
    ) -> bool {
        let Ok(proctype) = self.proctype_of(memory, pid) else {
            return false;
        };
        if proctype.provided.is_none() && !self.system.uses_priority {
            return true;
        }
        let allowed = self.is_provided(memory, pid).and_then(|yes| {
            Ok(yes && !(self.system.uses_priority && self.outranked(memory, pid)?))
        });
        allowed.unwrap_or_else(|kind| {
            violations.push(Violation { kind, source: proctype.source });
            false
        })
    }

    fn is_provided<M: Memory>(&self, memory: &M, pid: usize) -> Value<bool> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        match &self.proctype_of(memory, pid)?.provided {
            Some(condition) => self.view(memory, pid, &runs, &notes).holds(condition),
            None => Ok(true),
        }
    }

    /// Whether a process of higher priority can move.
    fn outranked<M: Memory>(&self, memory: &M, pid: usize) -> Value<bool> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        let view = self.view(memory, pid, &runs, &notes);
        let own = memory.priority(pid)?;
        for other in 0..memory.n_processes()? {
            if memory.priority(other)? > own
                && self.is_provided(memory, other)?
                && view.enabled(other as i32)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn failed<M>(actor: Move, partner: Option<Move>, kind: ViolationKind, edge: &Edge) -> Step<M> {
    let violations = vec![Violation { kind, source: edge.source }];
    Step { actor, partner, next: None, wreck: None, violations, output: String::new() }
}
