//! A limit that is reached while the store is converted.

use super::{Clock, Expander, Run, Stopped, Task};
use crate::search::{Limits, Search, StorePolicy, replay};
use resy_system::Interpreter;
use std::cell::Cell;
use std::time::Instant;

/// A product of three counters; `assert` fails near the initial state.
const MODEL: &str = "byte x, y, z;
active proctype X() { do :: x < 44 -> x++; assert(x != 2) od }
active proctype Y() { do :: y < 44 -> y++ od }
active proctype Z() { do :: z < 44 -> z++ od }";

/// The number of states from which the store is converted: it asks once meanwhile.
const ENOUGH: usize = 34_000;

/// A search of many states whose store is converted then, and whether its states were lost; `calls` begins at 0 with
/// the conversion. The clock asks at once, on the paths to violations, or after many more states.
fn converted(task: &Task<'_>, calls: &Cell<u32>, asks_at_once: bool) -> (bool, Search) {
    let mut expander = Expander::new(task).expect("it starts");
    let mut run = Run::begin(task, &mut expander, Instant::now(), None);
    while run.frontier.store.len() < ENOUGH && run.has_next() {
        run.enters_level();
        run.expand_next();
    }
    assert!(!run.frontier.findings.is_empty());
    run.clock = Clock::new(Instant::now());
    if !asks_at_once {
        let n_asked = (0..1 << 14).filter(|_| run.clock.due()).count();
        assert!(n_asked < 1 << 10 && !run.clock.due());
    }
    calls.set(0);
    run.most_flat = 0;
    run.convert_if_due();
    let is_lost = run.lost.is_some();
    (is_lost, run.end())
}

/// The run to a violation needs its states, which the conversion used to keep for it beyond any limit.
#[test]
fn a_conversion_ends_at_a_limit_and_runs_are_kept() {
    let system = resy_testkit::systems::system(MODEL);
    let calls = Cell::new(1);
    let goes_on = || {
        calls.set(calls.get() + 1);
        calls.get() != 1
    };
    let limits = Limits { goes_on: Some(&goes_on), ..Limits::default() };
    let task = Task::new(&system).store(StorePolicy::FlatUpTo(usize::MAX)).limits(limits);
    let interpreter = Interpreter::new(&system, task.options);
    for asks_at_once in [true, false] {
        let (is_lost, search) = converted(&task, &calls, asks_at_once);
        assert_eq!(is_lost, !asks_at_once);
        assert_eq!((search.stopped, calls.get()), (Some(Stopped::Interrupt), 1));
        assert!(search.states >= ENOUGH as u64);
        for found in search.findings.iter() {
            let run = replay(&interpreter, &task, &search, found);
            assert!(run.last().is_some_and(|last| !last.step.violations.is_empty()));
        }
    }
}
