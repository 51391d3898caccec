//! The states of a block that can reach a splitter by inert steps, and those that cannot.
//!
//! Two searches run in turns, one per side, and each gives up when it has found more than half of
//! the block. So the smaller side is found in time proportional to the transitions of its states. A
//! state that the other search has visited in vain becomes a new bottom state, which happens once
//! per state.

use super::graph::TransitionId;
use super::slices::{BlockSliceId, BunchId, Slices, StateSliceId};
use crate::lts::StateId;
use crate::partition::BlockId;
use resy_index::{Id, IndexVec};
use std::ops::Range;

/// One side of a block.
pub enum Side {
    /// The states that can reach the splitter.
    Reaching(Vec<StateId>),
    /// The states that cannot.
    Rest(Vec<StateId>),
}

/// The searches' notes about states, reset whenever no search runs.
pub struct Scratch {
    /// Known to reach the splitter.
    reaches: IndexVec<StateId, bool>,
    /// The number of inert steps not yet known to lead to the rest; 0 if the state was not visited.
    open: IndexVec<StateId, u32>,
}

impl Scratch {
    pub fn new(n_states: usize) -> Self {
        Self {
            reaches: IndexVec::from_vec(vec![false; n_states]),
            open: IndexVec::from_vec(vec![0; n_states]),
        }
    }
}

/// The status of a search.
#[derive(PartialEq, Eq)]
enum Progress {
    Running,
    Done,
}

/// The search for the states that can reach the splitter.
struct ReachingSearch {
    found: Vec<StateId>,
    /// The state whose predecessors are being visited, and the next of them.
    at: (usize, usize),
    /// Unmarked sources that have not been visited.
    sources: Option<StateSliceId>,
}

/// The search for the states that cannot reach the splitter.
struct RestSearch {
    found: Vec<StateId>,
    at: (usize, usize),
    /// Bottom states that have not been visited.
    bottom: Option<StateId>,
    /// A state whose inert steps all lead to the rest, and its unvisited transitions.
    test: Option<(StateId, Range<usize>)>,
    /// All visited states.
    met: Vec<StateId>,
}

impl Slices<'_> {
    /// The smaller side of a block; `None` if all of its states can reach the splitter.
    pub fn smaller_side(&mut self, block: BlockId, splitter: BlockSliceId) -> Option<Side> {
        let marked = self.marked.iter(splitter).map(|slice| self.state_slices[slice].state);
        let found: Vec<StateId> = marked.collect();
        let n_bottom = found.iter().filter(|&&state| self.n_inert[state] == 0).count();
        if n_bottom == self.bottom.len(block) {
            return None;
        }
        for &state in &found {
            self.scratch.reaches[state] = true;
        }
        let sources = self.unmarked.first(splitter);
        let mut reaching = ReachingSearch { found, at: (0, 0), sources };
        let bottom = self.bottom.first(block);
        let mut rest =
            RestSearch { found: vec![], at: (0, 0), bottom, test: None, met: Vec::new() };
        let bunch = self.block_slices[splitter].bunch;
        let half = (self.bottom.len(block) + self.others.len(block)) / 2;
        let reaching_is_smaller = loop {
            if reaching.found.len() <= half && self.step_reaching(&mut reaching) == Progress::Done {
                break true;
            }
            if rest.found.len() <= half && self.step_rest(&mut rest, bunch) == Progress::Done {
                break false;
            }
        };
        for &state in &reaching.found {
            self.scratch.reaches[state] = false;
        }
        for &state in &rest.met {
            self.scratch.open[state] = 0;
        }
        let side = match reaching_is_smaller {
            true => Side::Reaching(reaching.found),
            false => Side::Rest(rest.found),
        };
        Some(side)
    }

    fn step_reaching(&mut self, search: &mut ReachingSearch) -> Progress {
        let (state, next) = search.at;
        if let Some(&target) = search.found.get(state) {
            match self.graph.tau_into(target).get(next) {
                None => search.at = (state + 1, 0),
                Some(&t) => {
                    search.at.1 += 1;
                    if self.is_inert(t) {
                        self.reaches(self.graph.source[t], search);
                    }
                }
            }
            return Progress::Running;
        }
        let Some(slice) = search.sources else { return Progress::Done };
        search.sources = self.unmarked.next(slice);
        self.reaches(self.state_slices[slice].state, search);
        Progress::Running
    }

    fn reaches(&mut self, state: StateId, search: &mut ReachingSearch) {
        if !std::mem::replace(&mut self.scratch.reaches[state], true) {
            search.found.push(state);
        }
    }

    fn step_rest(&mut self, search: &mut RestSearch, bunch: BunchId) -> Progress {
        if let Some((state, mut transitions)) = search.test.take() {
            match transitions.next() {
                None => search.found.push(state),
                Some(t) if self.is_in(Id::from_index(t), bunch) => {}
                Some(_) => search.test = Some((state, transitions)),
            }
            return Progress::Running;
        }
        if let Some(state) = search.bottom {
            search.bottom = self.bottom.next(state);
            // All bottom states with a transition of the bunch are marked.
            if !self.scratch.reaches[state] {
                search.found.push(state);
            }
            return Progress::Running;
        }
        let (state, next) = search.at;
        let Some(&target) = search.found.get(state) else { return Progress::Done };
        match self.graph.tau_into(target).get(next) {
            None => search.at = (state + 1, 0),
            Some(&t) => {
                search.at.1 += 1;
                if self.is_inert(t) {
                    self.leads_to_rest(self.graph.source[t], search);
                }
            }
        }
        Progress::Running
    }

    /// Counts one more inert step of the state that leads to the rest.
    fn leads_to_rest(&mut self, state: StateId, search: &mut RestSearch) {
        if self.scratch.reaches[state] {
            return;
        }
        if self.scratch.open[state] == 0 {
            self.scratch.open[state] = self.n_inert[state];
            search.met.push(state);
        }
        self.scratch.open[state] -= 1;
        if self.scratch.open[state] == 0 {
            search.test = Some((state, self.graph.out_numbers(state)));
        }
    }

    fn is_in(&self, t: TransitionId, bunch: BunchId) -> bool {
        !self.is_inert(t) && self.state_slices[self.state_slice_of[t]].bunch == bunch
    }
}
