//! A long run made shorter: what is not needed for the violation is left out.
//!
//! First the detours between equal states, then whole processes, then stretches of steps, each half as long
//! as those before (delta debugging, Zeller and Hildebrandt 2002). Whatever is left is carried out anew:
//! a step that is not possible any more is left out as well. So the result is a run, whatever was tried.

use super::replay::Replay;
use resy_system::{Control, Interpreter, Move, State, Step};
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// What a process does in a step: its pid, and spin's number of the statement. Positions of edges would not do:
/// the process may stand elsewhere.
type Deed = (usize, u32);

/// A step that is wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Wanted {
    actor: Deed,
    partner: Option<Deed>,
    /// Nobody else may be able to move.
    after_timeout: bool,
}

/// A run that is at most as long, and for which `violates` says after how many steps it is violated. The
/// longer one can wait, the shorter it may be.
pub fn shorten(
    interpreter: &Interpreter<'_>,
    run: Vec<Replay>,
    violates: &dyn Fn(&[Replay]) -> Option<usize>,
    deadline: Instant,
) -> Vec<Replay> {
    let mut best = Best { interpreter, violates, deadline, wanted: Vec::new(), run };
    best.wanted = best.run.iter().map(|replay| best.wish(replay)).collect();
    best.cut_detours();
    best.drop_processes();
    best.drop_stretches();
    best.run
}

struct Best<'a> {
    interpreter: &'a Interpreter<'a>,
    violates: &'a dyn Fn(&[Replay]) -> Option<usize>,
    deadline: Instant,
    run: Vec<Replay>,
    /// Its steps.
    wanted: Vec<Wanted>,
}

impl Best<'_> {
    /// Leaves out what leads from a state back to it.
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
        // What is needed for a step that has been left out may not be needed any more.
        while self.drop_stretches_of(1) {}
    }

    /// Tries to leave out every stretch of a length; says whether it could leave out any.
    fn drop_stretches_of(&mut self, length: usize) -> bool {
        let (mut at, n_before) = (0, self.run.len());
        while at < self.run.len() && Instant::now() < self.deadline {
            let mut rest = self.wanted.clone();
            rest.drain(at..(at + length).min(rest.len()));
            // What comes next has moved up if something was left out.
            if !self.attempt(rest) {
                at += length;
            }
        }
        self.run.len() < n_before
    }

    /// Takes the run of these steps if it is shorter and violates the same; says whether it did.
    fn attempt(&mut self, mut steps: Vec<Wanted>) -> bool {
        if steps.len() >= self.run.len() || Instant::now() >= self.deadline {
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

    /// Takes the steps that are possible, one after the other; the others leave the list.
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
