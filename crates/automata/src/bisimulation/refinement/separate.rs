//! A part of a bunch becomes a bunch.

use super::slices::{ActionSliceId, BlockSliceId, BunchId, Slices, StateSliceId};
use crate::partition::BlockId;

impl Slices<'_> {
    /// Takes a part with one label and one target block, at most half of it, out of a bunch. A
    /// block with transitions in both gets two splitters.
    pub fn separate(&mut self, bunch: BunchId) {
        let Some(part) = self.small_part(bunch) else { return };
        let new = self.add_bunch();
        self.bunches.put(new, part);
        self.wait_if_mixed(bunch);
        let moved = self.move_state_slices(part, new);
        let mut homes: Vec<BlockSliceId> = Vec::new();
        for &(old, own) in &moved {
            let Some(old_home) = self.block_slice_of(old) else { continue };
            let home = match self.block_slices[old_home].twin {
                Some(home) => home,
                None => {
                    homes.push(old_home);
                    self.add_twin(old_home, new)
                }
            };
            self.marked.put(home, own);
            if self.state_slices[old].n_transitions == 0 {
                self.drop_state_slice(old);
            } else {
                self.mark(old);
            }
        }
        for old in homes {
            let Some(home) = self.block_slices[old].twin.take() else { continue };
            if self.is_empty(old) {
                // All transitions of the block in the old bunch are now in the new one.
                self.unmark_all(home);
                self.drop_block_slice(old);
                continue;
            }
            // The list is a stack: the new bunch must be processed first.
            self.block_slices[home].partner = Some(old);
            self.make_splitter(old);
            self.make_splitter(home);
        }
    }

    /// The smaller of two parts of a bunch.
    fn small_part(&self, bunch: BunchId) -> Option<ActionSliceId> {
        self.bunches.iter(bunch).take(2).min_by_key(|&part| self.action_slices.len(part))
    }

    /// Moves the transitions of the part to state slices of the new bunch; returns for each of
    /// these the slice it was taken from.
    fn move_state_slices(
        &mut self,
        part: ActionSliceId,
        new: BunchId,
    ) -> Vec<(StateSliceId, StateSliceId)> {
        let mut moved: Vec<(StateSliceId, StateSliceId)> = Vec::new();
        let mut next = self.action_slices.first(part);
        while let Some(t) = next {
            next = self.action_slices.next(t);
            let old = self.state_slice_of[t];
            let own = match self.state_slices[old].twin {
                Some(own) => own,
                None => {
                    let own = self.add_state_slice(self.graph.source[t], new);
                    self.state_slices[old].twin = Some(own);
                    moved.push((old, own));
                    own
                }
            };
            self.state_slices[old].n_transitions -= 1;
            self.state_slices[own].n_transitions += 1;
            self.state_slice_of[t] = own;
        }
        for &(old, _) in &moved {
            self.state_slices[old].twin = None;
        }
        moved
    }

    /// The slice of the same block for another bunch.
    fn add_twin(&mut self, old: BlockSliceId, bunch: BunchId) -> BlockSliceId {
        let block = self.slices_of_block.list_of(old);
        let block = block.expect("a slice with transitions belongs to a block");
        let twin = self.add_block_slice(block, bunch);
        self.block_slices[old].twin = Some(twin);
        twin
    }

    /// Marks the slice as a splitter: the block may be unstable under its bunch.
    pub fn make_splitter(&mut self, slice: BlockSliceId) {
        let data = &mut self.block_slices[slice];
        data.is_splitter = true;
        if !std::mem::replace(&mut data.is_listed, true) {
            self.splitters.push(slice);
        }
    }

    /// Marks the block as stable under the slice's bunch.
    pub fn settle(&mut self, slice: BlockSliceId) {
        debug_assert_eq!(self.marked.len(slice), 0);
        self.block_slices[slice].is_splitter = false;
    }

    /// Removes and returns the next splitter.
    pub fn pop_splitter(&mut self) -> Option<BlockSliceId> {
        while let Some(slice) = self.splitters.pop() {
            let data = &mut self.block_slices[slice];
            data.is_listed = false;
            let is_splitter = std::mem::replace(&mut data.is_splitter, false);
            if self.slices_of_block.list_of(slice).is_none() {
                self.free_block_slices.push(slice);
            } else if is_splitter {
                return Some(slice);
            }
        }
        None
    }

    /// Makes all slices of a block splitters, and marks all bottom states.
    pub fn all_slices_are_splitters(&mut self, block: BlockId) {
        let mut next = self.slices_of_block.first(block);
        while let Some(slice) = next {
            next = self.slices_of_block.next(slice);
            self.make_splitter(slice);
        }
        let mut next = self.bottom.first(block);
        while let Some(state) = next {
            next = self.bottom.next(state);
            for t in self.graph.out(state) {
                self.mark(self.state_slice_of[t]);
            }
        }
    }
}
