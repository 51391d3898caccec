//! Whether to go on, asked now and then.

use std::cell::{Cell, RefCell};

/// To ask may take longer than what is done in between.
const ASK_EVERY: u32 = 256;

/// Lasts until somebody says no; afterwards it is over for good.
pub(crate) struct Patience<'a> {
    go_on: RefCell<Box<dyn FnMut() -> bool + 'a>>,
    since_asked: Cell<u32>,
    is_over: Cell<bool>,
}

impl<'a> Patience<'a> {
    /// Asks `go_on`.
    pub(crate) fn new(go_on: impl FnMut() -> bool + 'a) -> Self {
        let go_on = RefCell::new(Box::new(go_on) as Box<_>);
        Self { go_on, since_asked: Cell::new(0), is_over: Cell::new(false) }
    }

    /// Whether to go on.
    pub(crate) fn lasts(&self) -> bool {
        let n = self.since_asked.get() + 1;
        self.since_asked.set(n % ASK_EVERY);
        if n == ASK_EVERY && !self.is_over.get() {
            self.is_over.set(!(self.go_on.borrow_mut())());
        }
        !self.is_over.get()
    }

    /// Whether to go on, asked now.
    pub(crate) fn lasts_now(&self) -> bool {
        self.since_asked.set(ASK_EVERY - 1);
        self.lasts()
    }

    /// Whether somebody has said no.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}
