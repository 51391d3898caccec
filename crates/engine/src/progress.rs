//! Nobody is ignored for ever: which reduced states must be expanded after all.
//!
//! Where only one process is looked at, the others must get their turn later: from every reduced state
//! a fully expanded one must be reachable in the reduced graph (Valmari 1990; for safety this is
//! enough). To expand fully whenever no successor is new is sound too, but many times more states are
//! stored on models whose processes go in circles. So such a state only *waits*; when the queue is
//! empty, those that cannot reach a fully expanded state are expanded, and the search goes on.
//!
//! Most waiting states need no look: a fully expanded state vouches for those that it was
//! found from, its parents, grandparents and so on.

use std::collections::HashSet;

/// Which states are known to reach a fully expanded one, and which wait for that.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    sure: Vec<bool>,
    waiting: Vec<u32>,
}

impl Progress {
    /// At the beginning nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// A state was expanded fully. `parent` gives the state that one was found from; the first is
    /// its own.
    pub fn expanded(&mut self, mut id: u32, parent: impl Fn(u32) -> u32) {
        while !self.is_sure(id) {
            self.mark(id);
            id = parent(id);
        }
    }

    /// Only one process was looked at, and none of the successors was new.
    pub fn wait(&mut self, id: u32) {
        self.waiting.push(id);
    }

    /// When there is nothing else to do: a state that must be expanded fully, if there is one.
    /// `successors` gives the reduced successors of a state, all of which are known.
    pub fn ignored(
        &mut self,
        mut successors: impl FnMut(u32) -> Vec<u32>,
        parent: impl Fn(u32) -> u32,
    ) -> Option<u32> {
        while let Some(id) = self.waiting.pop() {
            if self.is_sure(id) {
                continue;
            }
            match self.way_to_sure(id, &mut successors) {
                Some(way) => way.into_iter().for_each(|on| self.expanded(on, &parent)),
                None => return Some(id),
            }
        }
        None
    }

    /// The states on a way to one that is sure.
    fn way_to_sure(
        &self,
        from: u32,
        successors: &mut impl FnMut(u32) -> Vec<u32>,
    ) -> Option<Vec<u32>> {
        let mut seen = HashSet::from([from]);
        let mut way = vec![(from, successors(from))];
        while let Some((_, rest)) = way.last_mut() {
            let Some(next) = rest.pop() else {
                way.pop();
                continue;
            };
            if self.is_sure(next) {
                return Some(way.into_iter().map(|(id, _)| id).collect());
            }
            if seen.insert(next) {
                way.push((next, successors(next)));
            }
        }
        None
    }

    fn is_sure(&self, id: u32) -> bool {
        self.sure.get(id as usize).copied().unwrap_or(false)
    }

    fn mark(&mut self, id: u32) {
        if self.sure.len() <= id as usize {
            self.sure.resize(id as usize + 1, false);
        }
        self.sure[id as usize] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 → 2 → 0, and 3 apart.
    fn ring(id: u32) -> Vec<u32> {
        if id == 3 { vec![3] } else { vec![(id + 1) % 3] }
    }

    #[test]
    fn one_state_of_a_ring_is_expanded() {
        let mut progress = Progress::new();
        progress.wait(2);
        let parent = |id: u32| id.saturating_sub(1);
        assert_eq!(progress.ignored(ring, parent), Some(2));
        progress.expanded(2, parent);
        assert_eq!(progress.ignored(ring, parent), None);
        progress.wait(1);
        assert_eq!(progress.ignored(ring, parent), None);
    }

    #[test]
    fn a_ring_that_leads_to_an_expanded_state_is_left_alone() {
        let mut progress = Progress::new();
        progress.expanded(0, |id| id);
        progress.wait(2);
        progress.wait(3);
        assert_eq!(progress.ignored(ring, |id| id), Some(3));
        progress.expanded(3, |id| id);
        assert_eq!(progress.ignored(ring, |id| id), None);
    }
}
