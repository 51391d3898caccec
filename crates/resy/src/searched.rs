//! The states of a program that has many, by the search with compiled steps.

use crate::control::Control;
use resy_engine::search::{Limits, Search, Task, search, visit_states};
use resy_network::StateSource;
use resy_system::{Options, State, System};

/// With more transitions the states are too many. A count, not a time, so that a program has the same network everywhere.
const MOST_TRANSITIONS: u64 = 20_000_000;

/// They are also too many if their transitions write more cells than this: a state of a thousand processes takes as long
/// as a hundred small ones. Again a count.
const MOST_CELLS: u64 = 4_000_000_000;

/// The memory of the process, if no limit is given.
const MOST_MEMORY: usize = 4 << 30;

/// All states of a system from one of them on, which are searched once and kept.
pub struct SearchedStates<'s> {
    system: &'s System,
    options: Options,
    control: &'s Control,
    /// The state that was searched from, and the result, if it is complete.
    found: Option<(State, Option<Search>)>,
}

impl<'s> SearchedStates<'s> {
    /// Nothing is searched yet.
    pub fn new(system: &'s System, options: Options, control: &'s Control) -> Self {
        Self { system, options, control, found: None }
    }
}

impl StateSource for SearchedStates<'_> {
    fn visit(
        &mut self,
        initial: &State,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(State),
    ) -> bool {
        let control = self.control;
        let n_cells = initial.cells().len() + initial.processes().len();
        let goes_on = || control.may_go_on();
        let limits = Limits {
            timeout: control.left(),
            memory: control.memory().or(Some(MOST_MEMORY)),
            transitions: Some(MOST_TRANSITIONS.min(MOST_CELLS / (n_cells as u64).max(1))),
            interrupt: Some(control.stop_flag()),
            goes_on: Some(&goes_on),
            ..Limits::default()
        };
        let task = Task::new(self.system).options(self.options).start(initial.clone());
        let task = task.asked(&[]).limits(limits);
        if self.found.as_ref().is_none_or(|(from, _)| from != initial) {
            let found = search(&task).ok().filter(|search| search.stopped.is_none());
            self.found = Some((initial.clone(), found));
        }
        let Some((_, Some(found))) = &self.found else { return false };
        visit_states(&task, found, go_on, visit).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_network::occurring;
    use resy_system::Interpreter;
    use resy_testkit::systems::system;
    use std::collections::HashSet;

    const PROGRAMS: [&str; 3] = [
        "byte x; active [2] proctype P() { byte i; do :: i < 3 -> atomic { x++; i++ } :: else -> break od }",
        "chan c = [2] of { byte }; active proctype S() { byte i; do :: c ! i; i = (i + 1) % 3 od }
         active proctype R() { byte v; do :: c ? v :: timeout -> break od }",
        "byte n; proctype Q(byte id) { n = n + id; assert(n < 5) }
         active proctype P() { run Q(1); run Q(2); (n > 2) -> run Q(3) }",
    ];

    /// The search and the interpreter find the same states, from the initial state and from others.
    #[test]
    fn they_are_the_interpreter_s() {
        for text in PROGRAMS {
            let (system, options) = (system(text), Options::default());
            let interpreter = Interpreter::new(&system, options);
            let control = Control::unlimited();
            let mut source = SearchedStates::new(&system, options, &control);
            let initial = interpreter.initial().expect("it has a start");
            let list = |from: &State| {
                occurring(&interpreter, from.clone(), 10_000, &mut || true).expect("they are few")
            };
            let all = list(&initial);
            for from in [&initial, &all[all.len() / 2], &initial] {
                let mut found = HashSet::new();
                assert!(source.visit(from, &mut || true, &mut |state| _ = found.insert(state)));
                assert_eq!(found, list(from).into_iter().collect(), "{text}");
            }
        }
    }
}
