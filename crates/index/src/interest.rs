//! Whether a long computation is still wanted.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

/// A unit of work takes about a microsecond; the callback may take as long.
const ASK_EVERY: u32 = 256;

/// A callback that may say no. It is asked now and then only; once it has said no, the interest is
/// lost for all clones that are made afterwards.
#[derive(Clone, Default)]
pub struct Interest {
    go_on: Option<Rc<dyn Fn() -> bool>>,
    n_asked: Cell<u32>,
    is_lost: Cell<bool>,
}

impl Interest {
    /// Interest that lasts until `go_on` says no.
    pub fn lasting_while(go_on: impl Fn() -> bool + 'static) -> Self {
        Self { go_on: Some(Rc::new(go_on)), ..Self::default() }
    }

    /// Whether to go on; one unit of work was done.
    pub fn lasts(&self) -> bool {
        let n_asked = self.n_asked.get().wrapping_add(1);
        self.n_asked.set(n_asked);
        if n_asked.is_multiple_of(ASK_EVERY) && !self.is_lost.get() {
            self.is_lost.set(self.go_on.as_ref().is_some_and(|go_on| !go_on()));
        }
        !self.is_lost.get()
    }

    /// Whether the callback has said no.
    pub fn is_lost(&self) -> bool {
        self.is_lost.get()
    }
}

impl fmt::Debug for Interest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_lost.get() { "lost" } else { "there" })
    }
}
