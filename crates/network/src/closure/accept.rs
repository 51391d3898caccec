//! Which offers a process turns down at once, by its own local state.
//!
//! A server meets each offer of n clients in each of n local states, and accepts few of them: `done` from the client
//! that it waits for. A field that has to be a constant, or the value of a variable that the process owns, is compared
//! before an attempt is queued. Only what needs no other component and cannot fail is decided here, in the order of
//! evaluation; all else is left to the attempt.

use crate::cut::{Cut, Home, PartId};
use resy_index::Id;
use resy_system::{Cell, Command, Edge, Expr, Offer, Pattern, Scope};

impl Cut<'_> {
    /// Whether a process has a receive at this location, so that it might accept an offer.
    pub fn receives_at(&self, pid: usize, location: i32) -> bool {
        use Command::{DStep, Receive};
        let edges = self.edges_from(pid, location);
        edges.iter().any(|edge| matches!(edge.command, Receive { .. } | DStep(_)))
    }

    /// Whether an attempt of a process to accept an offer in this local state may have an outcome.
    pub fn could_accept(&self, part: PartId, local: &[i32], offer: &Offer) -> bool {
        let Some(pid) = self.parts[part].process else { return false };
        let edges = self.edges_from(pid, local[0]);
        // Whether the process may move at all is a question that can fail.
        let is_asked = self.system().uses_priority
            || self.runs[pid].iter().any(|&id| self.system().proctypes[id].provided.is_some());
        if is_asked {
            return self.receives_at(pid, local[0]);
        }
        edges.iter().any(|edge| match &edge.command {
            Command::Receive { chan, patterns, .. } => {
                let own = Own { cut: self, part, pid, local };
                !own.is_elsewhere(chan, offer) && !own.is_other(chan, patterns, offer)
            }
            Command::DStep(_) => true,
            // In the middle of a rendezvous nothing else is possible.
            _ => false,
        })
    }

    fn edges_from(&self, pid: usize, location: i32) -> &[Edge] {
        let (proctype, location) = self.at(pid, location);
        let edges = &self.system().proctypes[proctype].edges[location];
        if location.index() == 0 { &[] } else { edges }
    }
}

/// A process in a local state.
struct Own<'c, 'a> {
    cut: &'c Cut<'a>,
    part: PartId,
    pid: usize,
    local: &'c [i32],
}

impl Own<'_, '_> {
    /// Whether a receive is from another channel that exists.
    fn is_elsewhere(&self, chan: &Expr, offer: &Offer) -> bool {
        let chan = self.channel(chan);
        chan.is_some_and(|chan| chan != offer.chan)
    }

    /// Whether the first field whose value is not that of the message comes before all that are not known here.
    fn is_other(&self, chan: &Expr, patterns: &[Pattern], offer: &Offer) -> bool {
        if self.channel(chan).is_none() {
            return false;
        }
        for (i, pattern) in patterns.iter().enumerate() {
            let Pattern::Match(expr) = pattern else { continue };
            match (self.value(expr), offer.message.get(i)) {
                (Some(value), Some(&field)) if value == field => {}
                (Some(_), Some(_)) => return true,
                _ => return false,
            }
        }
        false
    }

    /// The channel that an expression names, if it is known and exists for certain.
    fn channel(&self, expr: &Expr) -> Option<usize> {
        let chan = usize::try_from(self.value(expr)?).ok()?.checked_sub(1)?;
        let home = self.cut.channels.get(chan)?;
        home.frame.is_none_or(|pid| pid == self.pid).then_some(chan)
    }

    /// The value of a constant or of a variable that the process owns.
    fn value(&self, expr: &Expr) -> Option<i32> {
        let place = match expr {
            Expr::Const(value) => return Some(*value),
            Expr::Load(place) if place.indices.is_empty() => place,
            _ => return None,
        };
        let cell = match place.scope {
            Scope::Global => Cell::Global(place.offset),
            Scope::Local => Cell::Local(self.pid as u32, place.offset),
            Scope::Nowhere => return None,
        };
        match self.cut.home(cell) {
            Home::Constant(value) => Some(value),
            Home::At(part, position) if part == self.part => Some(self.local[position as usize]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::closure::{Budget, Closure, close};
    use crate::cut::Cut;
    use crate::cut::own::Manner;
    use crate::step::script;
    use resy_system::{Interpreter, Options};
    use resy_testkit::systems::system;
    use rustc_hash::FxHashMap;

    /// Constants, own and foreign variables, wildcards, arrays of channels, several receives at one location, a
    /// field that fails, a peek and a block.
    const PROGRAMS: [&str; 4] = [
        "mtype = { ask, done }; chan c = [0] of { mtype, byte }; chan g[3] = [0] of { bit }
         active [3] proctype Client() { do :: c ! ask(_pid); g[_pid] ? 1; c ! done(_pid) od }
         active proctype Server() { byte who; do :: c ? ask(who); g[who] ! 1; c ? done(eval(who)); who = 0 od }",
        "chan c = [0] of { byte, byte }; byte shared;
         active [2] proctype S() { do :: c ! _pid, 1 :: c ! 0, shared :: shared = 1 - shared od }
         active proctype R() { byte x; do :: c ? eval(shared), x :: c ? x, eval(x) :: c ? 1, _ od }",
        "chan c = [0] of { byte, byte }; byte zero;
         active proctype S() { do :: c ! 1, 0 :: c ! 0, 1 od }
         active proctype R() { byte x; do :: c ? eval(x / zero), 7 :: c ? 0, x :: c ? 7, eval(x / zero) od }",
        "chan c = [0] of { byte }; chan d = [0] of { byte }
         active proctype S() { byte i; do :: c ! i; i = (i + 1) % 3 :: d ! i od }
         active proctype R() { byte x; do :: d_step { c ? x; x = 0 } :: d ? eval(x) :: atomic { d ? 2; c ? x } od }",
    ];

    /// Compares with the attempts: pairs that are turned down, and that are not.
    fn compared(closure: &Closure<'_>, cut: &Cut<'_>, text: &str) -> (usize, usize) {
        let (mut n_refused, mut n_tried) = (0, 0);
        for (id, class) in closure.classes.iter_enumerated() {
            let Some(offer) = &class.offer else { continue };
            for part in cut.parts.ids().filter(|&part| part != class.part) {
                for &state in &closure.tables[part].states {
                    let local = closure.tables[part].value(state);
                    if cut.could_accept(part, local, offer) {
                        n_tried += 1;
                        continue;
                    }
                    n_refused += 1;
                    let task = closure.acceptance(part, id, (state, state));
                    let has_outcome = task.is_some_and(|task| !script::run(cut, task).is_empty());
                    assert!(!has_outcome, "{text}: {offer:?} in {local:?}");
                }
            }
        }
        (n_refused, n_tried)
    }

    #[test]
    fn an_attempt_that_is_turned_down_has_no_outcome() {
        for text in PROGRAMS {
            let system = system(text);
            let interpreter = Interpreter::new(&system, Options::default());
            let cut = Cut::of(interpreter, Vec::new(), &Manner::default()).expect("it is cut");
            let limits = FxHashMap::default();
            let (closure, overrun) =
                close(&cut, Budget::default(), &limits, &mut |_| true, &mut |_| true);
            assert_eq!(overrun, None, "{text}");
            let (n_refused, n_tried) = compared(&closure, &cut, text);
            assert!(n_refused > 0 && n_tried > 0, "{text}: {n_refused}, {n_tried}");
        }
    }

    /// The number of attempts to close a server with so many clients.
    fn n_attempts(n: usize) -> usize {
        let text = PROGRAMS[0].replace("[3]", &format!("[{n}]"));
        let system = system(&text);
        let interpreter = Interpreter::new(&system, Options::default());
        let cut = Cut::of(interpreter, Vec::new(), &Manner::default()).expect("it is cut");
        let limits = FxHashMap::default();
        let go_on = &mut |_| true;
        close(&cut, Budget::default(), &limits, &mut |_| true, go_on).0.n_attempts()
    }

    #[test]
    fn attempts_are_linear_in_the_clients_of_a_server_that_knows_its_client() {
        let (few, many) = (n_attempts(20), n_attempts(80));
        assert!(many < 5 * few, "{few}, {many}");
    }
}
