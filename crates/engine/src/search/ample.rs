//! Ample sets: which processes a reduced search tries, and in which order.

use resy_passes::{Independence, StateView, Visible};
use resy_system::{Options, System};

/// The partial order reduction of a search.
pub struct Ample {
    independence: Independence,
}

impl Ample {
    /// The reduction of a system that preserves what `visible` reads.
    pub fn of(system: &System, visible: &Visible, options: Options) -> Self {
        Self { independence: Independence::of(system, visible, options) }
    }

    /// The processes whose steps alone are an ample set of a state, if they have any and the proviso of the
    /// search holds: first those that touch only their own variables, then the others, both from the youngest
    /// to the oldest.
    pub fn candidates(&self, view: &impl StateView, pids: &mut Vec<usize>) {
        let all = || (0..view.n_processes()).rev();
        let private = |pid: usize| self.independence.is_private(view, pid);
        pids.clear();
        pids.extend(all().filter(|&pid| private(pid)));
        pids.extend(
            all().filter(|&pid| !private(pid) && self.independence.is_independent(view, pid)),
        );
    }

    /// The first candidate that can move.
    pub fn choose(
        &self,
        view: &impl StateView,
        mut can_move: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let mut pids = Vec::new();
        self.candidates(view, &mut pids);
        pids.into_iter().find(|&pid| can_move(pid))
    }
}
