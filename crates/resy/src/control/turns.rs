//! Taking turns: more workers than threads, of which a fixed number runs at a time.
//!
//! A worker asks for a turn before it begins and offers it to the others from time to time. The
//! worker that has waited longest gets the next one.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The length of a turn while others wait.
const TURN: Duration = Duration::from_millis(50);

/// How many workers may run at a time, and which wait.
pub struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    n_free: usize,
    waiting: VecDeque<usize>,
    next_ticket: usize,
}

/// The right to run; it ends when it is dropped.
pub struct Turn {
    turns: Arc<Turns>,
    since: Cell<Instant>,
}

impl Turns {
    /// At most `n_at_a_time` workers run at a time, at least one.
    pub fn new(n_at_a_time: usize) -> Arc<Self> {
        let state = State { n_free: n_at_a_time.max(1), waiting: VecDeque::new(), next_ticket: 0 };
        Arc::new(Self { state: Mutex::new(state), changed: Condvar::new() })
    }

    /// Waits for a turn.
    pub fn begin(self: &Arc<Self>) -> Turn {
        self.wait();
        Turn { turns: self.clone(), since: Cell::new(Instant::now()) }
    }

    fn wait(&self) {
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting.push_back(ticket);
        while state.n_free == 0 || state.waiting.front() != Some(&ticket) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.pop_front();
        state.n_free -= 1;
        drop(state);
        // More than one place may be free.
        self.changed.notify_all();
    }

    fn leave(&self) {
        self.lock().n_free += 1;
        self.changed.notify_all();
    }

    /// The counts are consistent even if a holder of the lock has panicked.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// The workers that take turns.
    pub fn turns(&self) -> Arc<Turns> {
        self.turns.clone()
    }

    /// Leaves the turn to others while `waits` runs, which only waits.
    pub fn pause<T>(&self, waits: impl FnOnce() -> T) -> T {
        self.turns.leave();
        let result = waits();
        self.turns.wait();
        self.since.set(Instant::now());
        result
    }

    /// Yields to a waiting worker if the turn has lasted long enough; returns with a new turn.
    pub fn offer(&self) {
        if self.since.get().elapsed() < TURN || self.turns.lock().waiting.is_empty() {
            return;
        }
        self.turns.leave();
        self.turns.wait();
        self.since.set(Instant::now());
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn never_more_than_allowed_and_everybody_gets_on() {
        let turns = Turns::new(2);
        let (now, most, rounds) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let worker = || {
            let turn = turns.begin();
            for _ in 0..3 {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(TURN + Duration::from_millis(5));
                rounds.fetch_add(1, Ordering::SeqCst);
                now.fetch_sub(1, Ordering::SeqCst);
                turn.offer();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..5 {
                scope.spawn(worker);
            }
        });
        assert_eq!((most.into_inner(), rounds.into_inner()), (2, 15));
    }
}
