//! Cooperative cancellation, polled now and then.

use std::cell::{Cell, RefCell};
use std::fmt;

/// The callback may be slower than the work between two polls.
const POLL_EVERY: u32 = 256;

/// What a long computation asks. Objects of this trait hide the lifetime of the callback.
pub(crate) trait Polling: fmt::Debug {
    /// Whether to go on. Once it is no, it stays no.
    fn goes_on(&self) -> bool;

    /// Whether it was ever no.
    fn is_cancelled(&self) -> bool;
}

/// A cancellation callback with a poll counter. Once it has cancelled, it stays cancelled.
pub(crate) struct Cancellation<'a> {
    go_on: RefCell<Box<dyn FnMut() -> bool + 'a>>,
    since_poll: Cell<u32>,
    is_cancelled: Cell<bool>,
}

impl<'a> Cancellation<'a> {
    /// Polls `go_on`, which returns `false` to cancel.
    pub(crate) fn new(go_on: impl FnMut() -> bool + 'a) -> Self {
        let go_on = RefCell::new(Box::new(go_on) as Box<_>);
        Self { go_on, since_poll: Cell::new(0), is_cancelled: Cell::new(false) }
    }

    /// Whether to go on; the callback is called once per [`POLL_EVERY`] calls.
    pub(crate) fn goes_on(&self) -> bool {
        let n = self.since_poll.get() + 1;
        self.since_poll.set(n % POLL_EVERY);
        if n == POLL_EVERY && !self.is_cancelled.get() {
            self.is_cancelled.set(!(self.go_on.borrow_mut())());
        }
        !self.is_cancelled.get()
    }

    /// Whether to go on; the callback is called now.
    pub(crate) fn goes_on_now(&self) -> bool {
        self.since_poll.set(POLL_EVERY - 1);
        self.goes_on()
    }

    /// Whether the callback has cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.get()
    }
}

impl Polling for Cancellation<'_> {
    fn goes_on(&self) -> bool {
        self.goes_on()
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled()
    }
}

impl fmt::Debug for Cancellation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_cancelled.get() { "cancelled" } else { "going on" })
    }
}
