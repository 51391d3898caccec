//! Shortening a run: steps that the violation does not need are removed.
//!
//! First the detours between equal states are removed, then whole processes, then stretches of steps, each
//! half as long as the one before (delta debugging, Zeller and Hildebrandt 2002). The remaining steps are
//! executed again, and a step that is no longer possible is removed as well, so that the result is always a
//! run.

use super::replay::Replay;
use resy_system::{Control, Interpreter, Move, State, Step};
use std::collections::{BTreeSet, HashMap};

/// What a process does in a step: its pid, and spin's number of the statement. The position of an edge
/// would not do, since the process may be at another location.
type Deed = (usize, u32);

/// A step that the run should have.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Wanted {
    actor: Deed,
    partner: Option<Deed>,
    /// Whether the step is possible only if no process can move otherwise (`timeout`).
    after_timeout: bool,
}

/// A run that is at most as long as `run` and still violates. `violates` returns the number of steps after
/// which a run violates. `go_on` is told how many steps the next attempt may execute, and may end the attempts.
pub fn shorten(
    interpreter: &Interpreter<'_>,
    run: Vec<Replay>,
    violates: &dyn Fn(&[Replay]) -> Option<usize>,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Vec<Replay> {
    let mut best = Best { interpreter, violates, go_on, is_over: false, wanted: Vec::new(), run };
    best.wanted = best.run.iter().map(|replay| best.wish(replay)).collect();
    best.cut_detours();
    best.drop_processes();
    best.drop_stretches();
    best.run
}

struct Best<'a> {
    interpreter: &'a Interpreter<'a>,
    violates: &'a dyn Fn(&[Replay]) -> Option<usize>,
    go_on: &'a mut dyn FnMut(usize) -> bool,
    /// Whether the attempts have come to their end.
    is_over: bool,
    run: Vec<Replay>,
    /// Its steps.
    wanted: Vec<Wanted>,
}

impl Best<'_> {
    /// Removes what leads from a state back to the same state.
    fn cut_detours(&mut self) {
        let mut last: HashMap<&State, usize> = HashMap::new();
        for (i, replay) in self.run.iter().enumerate() {
            if i == 0 || is_free(&self.run[i - 1]) {
                last.insert(&replay.before, i);
            }
        }
        let (mut kept, mut i) = (Vec::new(), 0);
        while i < self.run.len() {
            i = last.get(&self.run[i].before).copied().filter(|j| *j > i).unwrap_or(i);
            kept.push(i);
            i += 1;
        }
        drop(last);
        self.attempt(kept.into_iter().map(|i| self.wanted[i]).collect());
    }

    fn drop_processes(&mut self) {
        let pids: BTreeSet<usize> = self.wanted.iter().map(|step| step.actor.0).collect();
        for pid in pids.into_iter().rev() {
            let mut rest = self.wanted.clone();
            let is_part = |step: &Wanted| {
                step.actor.0 == pid || step.partner.is_some_and(|partner| partner.0 == pid)
            };
            rest.retain(|step| !is_part(step));
            self.attempt(rest);
        }
    }

    fn drop_stretches(&mut self) {
        let mut length = self.run.len() / 2;
        while length > 1 {
            self.drop_stretches_of(length);
            length /= 2;
        }
        // A step may have been needed only by one that was removed meanwhile.
        while self.drop_stretches_of(1) {}
    }

    /// Tries to remove every stretch of a length; returns whether any could be removed.
    fn drop_stretches_of(&mut self, length: usize) -> bool {
        let (mut at, n_before) = (0, self.run.len());
        while at < self.run.len() && !self.is_over {
            let mut rest = self.wanted.clone();
            rest.drain(at..(at + length).min(rest.len()));
            // After a removal the next stretch is at the same position.
            if !self.attempt(rest) {
                at += length;
            }
        }
        self.run.len() < n_before
    }

    /// Adopts the run of these steps if it is shorter and still violates; returns whether it was adopted.
    fn attempt(&mut self, mut steps: Vec<Wanted>) -> bool {
        if steps.len() >= self.run.len() || self.is_over {
            return false;
        }
        self.is_over = !(self.go_on)(steps.len());
        if self.is_over {
            return false;
        }
        let mut run = self.carry_out(&mut steps);
        let Some(n) = (self.violates)(&run).filter(|n| *n < self.run.len()) else { return false };
        run.truncate(n);
        steps.truncate(n);
        (self.run, self.wanted) = (run, steps);
        true
    }

    fn wish(&self, Replay { before, step }: &Replay) -> Wanted {
        let deed = |m: Move| (m.pid, self.interpreter.edge(before, m).id);
        let (actor, partner) = (deed(step.actor), step.partner.map(deed));
        let alone = self.interpreter.steps_of(before, step.actor.pid, false).steps;
        let is_it = |s: &Step| s.actor == step.actor && s.partner == step.partner;
        Wanted { actor, partner, after_timeout: !alone.iter().any(is_it) }
    }

    /// Executes the steps that are possible, in order; the others are removed from the list.
    fn carry_out(&self, steps: &mut Vec<Wanted>) -> Vec<Replay> {
        let Ok(initial) = self.interpreter.initial() else { return Vec::new() };
        let (mut now, mut run) = (Some((initial, Control::Free)), Vec::new());
        steps.retain(|wanted| {
            let Some((state, control)) = &now else { return false };
            let Some(step) = self.step(state, *control, wanted) else { return false };
            let next = step.next.clone();
            let before = std::mem::replace(&mut now, next).map(|(state, _)| state);
            run.extend(before.map(|before| Replay { before, step }));
            true
        });
        run
    }

    fn step(&self, state: &State, control: Control, wanted: &Wanted) -> Option<Step> {
        let pid = wanted.actor.0;
        if pid >= state.processes().len() {
            return None;
        }
        if let Control::Atomic(holder) = control
            && holder != pid
            && !self.interpreter.steps_of(state, holder, false).steps.is_empty()
        {
            return None;
        }
        let steps = match wanted.after_timeout {
            true => self.interpreter.steps(state, Control::Free).steps,
            false => self.interpreter.steps_of(state, pid, false).steps,
        };
        let deed = |m: Move| (m.pid, self.interpreter.edge(state, m).id);
        let is_it =
            |s: &Step| deed(s.actor) == wanted.actor && s.partner.map(deed) == wanted.partner;
        steps.into_iter().find(is_it)
    }
}

fn is_free(replay: &Replay) -> bool {
    matches!(replay.step.next, Some((_, Control::Free)))
}
