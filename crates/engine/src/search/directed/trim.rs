//! A run that was found at random is made shorter: transitions are left out, and the others are executed again.
//!
//! First those of whole processes, then stretches, each half as long as the one before (delta debugging, as in
//! [`shorten`](crate::search::shorten), which does the same for steps of the interpreter). A transition that is no
//! longer possible is left out too; or, at a second attempt, its process takes another one: a server whose client is
//! left out goes another way. This is done on vectors, by the steps of the search.

use super::walk::{Branches, Script};
use crate::search::expander::{Expander, Moves};
use crate::search::findings::same;
use resy_system::Outcome;
use std::collections::BTreeSet;

/// The most transitions that are executed.
const MOST_EXECUTED: usize = 60_000;

/// Makes runs shorter.
pub(super) struct Trimmer<'a, 'e> {
    pub expander: &'a mut Expander<'e>,
    /// The initial state.
    pub initial: &'a [u8],
    /// What is to be violated.
    pub outcome: Outcome,
    /// Whether a limit permits more.
    pub go_on: &'a mut dyn FnMut() -> bool,
    branches: Branches,
    n_executed: usize,
    best: Script,
}

impl<'a, 'e> Trimmer<'a, 'e> {
    pub fn new(
        expander: &'a mut Expander<'e>,
        initial: &'a [u8],
        (script, outcome): (Script, Outcome),
        go_on: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let branches = Branches::default();
        Self { expander, initial, outcome, go_on, branches, n_executed: 0, best: script }
    }

    /// The states of the shortest run that is found, after the initial one.
    pub fn trim(mut self) -> Vec<Vec<u8>> {
        self.drop_processes();
        let mut length = self.best.len() / 2;
        while length > 1 {
            self.drop_stretches_of(length);
            length /= 2;
        }
        // A transition may have been needed only by one that was left out meanwhile.
        while self.drop_stretches_of(1) {}
        let script = std::mem::take(&mut self.best);
        self.execute(&script, false, true).map(|(_, states)| states).unwrap_or_default()
    }

    fn drop_processes(&mut self) {
        let pids: BTreeSet<usize> = self.best.iter().filter_map(|m| first_mover(m)).collect();
        for pid in pids {
            let others = self.best.iter().filter(|moves| first_mover(moves) != Some(pid));
            let rest = others.cloned().collect();
            self.attempt(rest);
        }
    }

    /// Tries to leave out every stretch of a length; returns whether any could be left out.
    fn drop_stretches_of(&mut self, length: usize) -> bool {
        let (mut at, n_before) = (0, self.best.len());
        while at < self.best.len() && self.may_go_on() {
            let mut rest = self.best.clone();
            rest.drain(at..(at + length).min(rest.len()));
            // After a removal the next stretch is at the same position.
            if !self.attempt(rest) {
                at += length;
            }
        }
        self.best.len() < n_before
    }

    fn may_go_on(&mut self) -> bool {
        self.n_executed < MOST_EXECUTED && (self.go_on)()
    }

    /// Adopts what is possible of a script if it is shorter and still violates; returns whether it was adopted.
    fn attempt(&mut self, script: Script) -> bool {
        for repairs in [false, true] {
            if !self.may_go_on() {
                return false;
            }
            let found = self.execute(&script, repairs, false);
            if let Some((taken, _)) = found.filter(|found| found.0.len() < self.best.len()) {
                self.best = taken;
                return true;
            }
        }
        false
    }

    /// Executes what is possible of a script, up to the violation: its transitions, and their states if they are wanted.
    fn execute(
        &mut self,
        script: &Script,
        repairs: bool,
        wants_states: bool,
    ) -> Option<(Script, Vec<Vec<u8>>)> {
        let (mut at, mut taken, mut states) = (self.initial.to_vec(), Script::new(), Vec::new());
        let mut rest = script.iter();
        loop {
            self.n_executed += 1;
            self.branches.of(self.expander, &at);
            let violation = self.branches.violation.as_ref();
            if violation.is_some_and(|outcome| same(outcome, &self.outcome)) {
                return Some((taken, states));
            }
            let branches = &self.branches;
            let number = rest.find_map(|moves| {
                let other = || branches.by_process(first_mover(moves)?);
                branches.by(moves).or_else(|| repairs.then(other).flatten())
            })?;
            at.clear();
            at.extend_from_slice(branches.vector(number));
            taken.push(branches.moves(number).to_vec());
            if wants_states {
                states.push(at.clone());
            }
        }
    }
}

/// The process that moves first.
fn first_mover(moves: &[Moves]) -> Option<usize> {
    moves.first().map(|taken| taken.0.pid)
}
