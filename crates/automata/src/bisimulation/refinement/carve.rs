//! The smaller side of a block becomes a block.

use super::graph::TransitionId;
use super::sides::Side;
use super::slices::{ActionSliceId, BlockSliceId, Slices, StateSliceId};
use crate::lts::StateId;
use crate::partition::BlockId;

/// The two halves of a block that was not stable.
pub struct Parts {
    /// The states that can reach the splitter.
    pub reaching: BlockId,
    /// The states that cannot.
    pub rest: BlockId,
    /// The formerly inert steps from the first to the second, which do not belong to a bunch yet.
    pub crossing: Vec<TransitionId>,
    /// Pairs of a slice of the old block and its twin in the new one.
    moved: Vec<(BlockSliceId, BlockSliceId)>,
}

impl Slices<'_> {
    /// Splits the block of the splitter into the states that can reach it by inert steps
    /// and the others; `None` if there are no others.
    pub fn split(&mut self, splitter: BlockSliceId) -> Option<Parts> {
        let block = self.slices_of_block.list_of(splitter)?;
        let side = self.smaller_side(block, splitter)?;
        let new = self.add_block();
        let inert = |t: &TransitionId| self.action_slices.list_of(*t).is_none();
        let graph = self.graph;
        Some(match side {
            Side::Reaching(states) => {
                let out = states.iter().flat_map(|&state| graph.out(state)).filter(inert);
                let out: Vec<TransitionId> = out.collect();
                let moved = self.carve(&states, new);
                let crosses = |t: &TransitionId| self.block_of[graph.target[*t]] == block;
                let crossing = out.into_iter().filter(crosses).collect();
                Parts { reaching: new, rest: block, crossing, moved }
            }
            Side::Rest(states) => {
                let into = states.iter().flat_map(|&state| graph.tau_into(state)).copied();
                let into: Vec<TransitionId> = into.filter(inert).collect();
                let moved = self.carve(&states, new);
                let crosses = |t: &TransitionId| self.block_of[graph.source[*t]] == block;
                let crossing = into.into_iter().filter(crosses).collect();
                Parts { reaching: block, rest: new, crossing, moved }
            }
        })
    }

    /// The slice of one of the halves that corresponds to a slice of the old block.
    pub fn slice_in(
        &self,
        part: BlockId,
        slice: BlockSliceId,
        parts: &Parts,
    ) -> Option<BlockSliceId> {
        let twin = parts.moved.iter().find(|moved| moved.0 == slice).map(|moved| moved.1);
        let candidates = [Some(slice), twin].into_iter().flatten();
        candidates.into_iter().find(|&c| self.slices_of_block.list_of(c) == Some(part))
    }

    /// Moves states, and their transitions in both directions, to a new block.
    fn carve(&mut self, states: &[StateId], new: BlockId) -> Vec<(BlockSliceId, BlockSliceId)> {
        let graph = self.graph;
        let mut moved: Vec<(BlockSliceId, BlockSliceId)> = Vec::new();
        let mut split: Vec<ActionSliceId> = Vec::new();
        for &state in states {
            self.block_of[state] = new;
            let lists = if self.n_inert[state] == 0 { &mut self.bottom } else { &mut self.others };
            lists.put(new, state);
            for t in graph.out(state) {
                if !self.is_inert(t) {
                    self.carve_source(self.state_slice_of[t], new, &mut moved);
                }
            }
            for &t in graph.into_(state) {
                if !self.is_inert(t) {
                    self.carve_target(t, &mut split);
                }
            }
        }
        for &(old, _) in &moved {
            self.block_slices[old].twin = None;
            if self.is_empty(old) {
                self.drop_block_slice(old);
            }
        }
        for old in split {
            self.twins[old] = None;
            if let Some(bunch) = self.bunches.list_of(old) {
                if self.action_slices.len(old) == 0 {
                    self.drop_action_slice(old);
                }
                self.wait_if_mixed(bunch);
            }
        }
        moved
    }

    /// Updates the slices for a state slice whose source moves to a new block.
    fn carve_source(
        &mut self,
        slice: StateSliceId,
        new: BlockId,
        moved: &mut Vec<(BlockSliceId, BlockSliceId)>,
    ) {
        let Some(old) = self.block_slice_of(slice) else { return };
        if self.slices_of_block.list_of(old) == Some(new) {
            return;
        }
        let twin = match self.block_slices[old].twin {
            Some(twin) => twin,
            None => {
                let twin = self.add_block_slice(new, self.block_slices[old].bunch);
                if self.block_slices[old].is_splitter {
                    self.make_splitter(twin);
                }
                self.block_slices[old].twin = Some(twin);
                moved.push((old, twin));
                twin
            }
        };
        let is_marked = self.marked.list_of(slice).is_some();
        let lists = if is_marked { &mut self.marked } else { &mut self.unmarked };
        lists.put(twin, slice);
    }

    /// Updates the slices for a transition whose target moves to a new block.
    fn carve_target(&mut self, t: TransitionId, split: &mut Vec<ActionSliceId>) {
        let Some(old) = self.action_slices.list_of(t) else { return };
        let Some(bunch) = self.bunches.list_of(old) else { return };
        let twin = match self.twins[old] {
            Some(twin) => twin,
            None => {
                let twin = self.add_action_slice(bunch);
                self.twins[old] = Some(twin);
                split.push(old);
                twin
            }
        };
        self.action_slices.put(twin, t);
    }

    /// Creates a bunch of the steps that are no longer inert. All of them are marked.
    pub fn add_exits(&mut self, parts: &Parts) -> Option<BlockSliceId> {
        if parts.crossing.is_empty() {
            return None;
        }
        let bunch = self.add_bunch();
        let action_slice = self.add_action_slice(bunch);
        let home = self.add_block_slice(parts.reaching, bunch);
        let mut sources: Vec<StateId> = Vec::new();
        for &t in &parts.crossing {
            self.action_slices.put(action_slice, t);
            let source = self.graph.source[t];
            self.n_inert[source] -= 1;
            if self.n_inert[source] == 0 {
                self.others.remove(source);
                self.bottom.put(parts.reaching, source);
            }
            let own = match self.exit_slice[source] {
                Some(own) => own,
                None => {
                    let own = self.add_state_slice(source, bunch);
                    self.marked.put(home, own);
                    self.exit_slice[source] = Some(own);
                    sources.push(source);
                    own
                }
            };
            self.state_slices[own].n_transitions += 1;
            self.state_slice_of[t] = own;
        }
        for source in sources {
            self.exit_slice[source] = None;
        }
        Some(home)
    }
}
