//! How much of a directed search follows the estimates.
//!
//! A guide that leads nearer and nearer is followed for every other state. One that has led no nearer for a while is
//! wrong, or there is no violation: it is followed half as often, and again half as often after as much work. When it
//! leads nearer once more, it has its full part again. So what wrong estimates cost, in states and in time, grows with
//! the logarithm of the search only. Work is counted, not time, so that a search can be repeated; estimates that cost
//! next to nothing, such as the number of processes that can move, are followed for long.

/// After so much work without a nearer estimate, the guide is followed half as often.
const PATIENCE: usize = 1 << 18;
/// The least part that the guide has is one of this many.
const LEAST_PART: usize = 1 << 10;
/// After so many estimates the guide has not led to a violation, and the search goes on without it.
const MOST_ESTIMATES: usize = 20_000;

/// The estimates so far.
pub(super) struct Guide {
    /// The least one.
    least: usize,
    n_estimates: usize,
    /// The work since the last change.
    in_vain: usize,
    /// For each state that the guide finds, the search by distance finds this many.
    others: usize,
}

impl Default for Guide {
    fn default() -> Self {
        Self { least: usize::MAX, n_estimates: 0, in_vain: 0, others: 1 }
    }
}

impl Guide {
    /// Notes an estimate, and the work that it took; returns whether it is the least so far.
    pub fn note(&mut self, estimate: usize, work: usize) -> bool {
        self.n_estimates += 1;
        self.in_vain += work;
        let leads = estimate < self.least;
        if leads {
            (self.least, self.in_vain, self.others) = (estimate, 0, 1);
        } else if self.in_vain >= PATIENCE {
            (self.in_vain, self.others) = (0, (2 * self.others).min(LEAST_PART));
        }
        leads
    }

    /// Whether the guide has lost a part of the search.
    pub fn is_in_vain(&self) -> bool {
        self.others > 1 || self.is_spent()
    }

    /// Whether the guide is followed next, if so many states were found by following it, and by distance.
    pub fn permits(&self, n_guided: usize, n_by_distance: usize) -> bool {
        n_guided * self.others <= n_by_distance
    }

    /// Whether the guide is not followed any more.
    pub fn is_spent(&self) -> bool {
        self.n_estimates >= MOST_ESTIMATES
    }
}
