//! Bunches of transitions, sliced by label and target block, by source block, and by source state.

use super::graph::{TransitionGraph, TransitionId};
use super::lists::Lists;
use super::sides::Scratch;
use crate::lts::{Label, StateId};
use crate::partition::{BlockId, Partition};
use resy_index::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;

define_id!(
    /// A set of transitions that are not inert.
    pub struct BunchId,
    "T"
);
define_id!(
    /// The transitions of a bunch with one label and one target block.
    pub struct ActionSliceId,
    "A"
);
define_id!(
    /// The transitions of a bunch out of one block.
    pub struct BlockSliceId,
    "B"
);
define_id!(
    /// The transitions of a bunch out of one state.
    pub struct StateSliceId,
    "S"
);

pub struct StateSlice {
    pub state: StateId,
    pub bunch: BunchId,
    pub n_transitions: u32,
    /// During separation of a bunch: the slice of the new bunch.
    pub twin: Option<StateSliceId>,
}

pub struct BlockSlice {
    pub bunch: BunchId,
    /// Whether the block may be unstable under the bunch. Then all bottom states with a
    /// transition of the bunch are marked.
    pub is_splitter: bool,
    /// For a slice of a new bunch: the slice of the bunch that it was taken from.
    pub partner: Option<BlockSliceId>,
    /// Whether it is in the list of splitters, possibly without being one any more.
    pub is_listed: bool,
    /// During separation of a bunch or split of a block: the slice of the new one.
    pub twin: Option<BlockSliceId>,
}

/// Blocks, bunches and slices.
pub struct Slices<'a> {
    pub graph: &'a TransitionGraph,
    pub block_of: IndexVec<StateId, BlockId>,
    pub bottom: Lists<BlockId, StateId>,
    pub others: Lists<BlockId, StateId>,
    /// The number of inert steps of each state.
    pub n_inert: IndexVec<StateId, u32>,
    /// Inert transitions are in no slice.
    pub action_slices: Lists<ActionSliceId, TransitionId>,
    pub bunches: Lists<BunchId, ActionSliceId>,
    pub is_waiting: IndexVec<BunchId, bool>,
    pub waiting: Vec<BunchId>,
    pub state_slice_of: IndexVec<TransitionId, StateSliceId>,
    pub state_slices: IndexVec<StateSliceId, StateSlice>,
    pub marked: Lists<BlockSliceId, StateSliceId>,
    pub unmarked: Lists<BlockSliceId, StateSliceId>,
    pub block_slices: IndexVec<BlockSliceId, BlockSlice>,
    pub slices_of_block: Lists<BlockId, BlockSliceId>,
    pub splitters: Vec<BlockSliceId>,
    pub twins: IndexVec<ActionSliceId, Option<ActionSliceId>>,
    /// Empty slices, to be reused.
    pub free_action_slices: Vec<ActionSliceId>,
    pub free_block_slices: Vec<BlockSliceId>,
    pub free_state_slices: Vec<StateSliceId>,
    /// While inert steps become exits: the slice of their source.
    pub exit_slice: IndexVec<StateId, Option<StateSliceId>>,
    pub scratch: Scratch,
}

impl<'a> Slices<'a> {
    /// One bunch, and blocks that are stable under it: the states that can reach a visible
    /// action by internal steps, and the others.
    pub fn new(graph: &'a TransitionGraph) -> Self {
        let n_states = graph.n_states();
        let mut slices = Self {
            graph,
            block_of: graph.states().map(|_| Id::from_index(0)).collect(),
            bottom: Lists::new(n_states),
            others: Lists::new(n_states),
            n_inert: graph.states().map(|_| 0).collect(),
            action_slices: Lists::new(graph.source.len()),
            bunches: Lists::new(0),
            is_waiting: IndexVec::new(),
            waiting: Vec::new(),
            state_slice_of: graph.source.iter().map(|_| Id::from_index(0)).collect(),
            state_slices: IndexVec::new(),
            marked: Lists::new(0),
            unmarked: Lists::new(0),
            block_slices: IndexVec::new(),
            slices_of_block: Lists::new(0),
            splitters: Vec::new(),
            twins: IndexVec::new(),
            free_action_slices: Vec::new(),
            free_block_slices: Vec::new(),
            free_state_slices: Vec::new(),
            exit_slice: graph.states().map(|_| None).collect(),
            scratch: Scratch::new(n_states),
        };
        slices.first_blocks();
        slices.first_bunch();
        slices
    }

    fn first_blocks(&mut self) {
        let mut sees = vec![false; self.graph.n_states()];
        let visible = self.graph.source.ids().filter(|&t| self.graph.label[t] != Label::Tau);
        let mut stack: Vec<StateId> = visible.map(|t| self.graph.source[t]).collect();
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut sees[state.index()], true) {
                stack.extend(self.graph.tau_into(state).iter().map(|&t| self.graph.source[t]));
            }
        }
        let blocks = [self.add_block(), self.add_block()];
        for state in self.graph.states() {
            self.block_of[state] = blocks[usize::from(sees[state.index()])];
        }
        for t in self.graph.source.ids() {
            if self.is_inside(t) {
                self.n_inert[self.graph.source[t]] += 1;
            }
        }
        for state in self.graph.states() {
            let lists = if self.n_inert[state] == 0 { &mut self.bottom } else { &mut self.others };
            lists.put(self.block_of[state], state);
        }
    }

    fn first_bunch(&mut self) {
        let bunch = self.add_bunch();
        let mut by_action: FxHashMap<(Label, BlockId), ActionSliceId> = FxHashMap::default();
        let mut by_block: FxHashMap<BlockId, BlockSliceId> = FxHashMap::default();
        for state in self.graph.states() {
            let block = self.block_of[state];
            let mut own = None;
            for t in self.graph.out(state) {
                if self.is_inside(t) {
                    continue;
                }
                let key = (self.graph.label[t], self.block_of[self.graph.target[t]]);
                let slice = *by_action.entry(key).or_insert_with(|| self.add_action_slice(bunch));
                self.action_slices.put(slice, t);
                let own = *own.get_or_insert_with(|| self.add_state_slice(state, bunch));
                self.state_slices[own].n_transitions += 1;
                self.state_slice_of[t] = own;
            }
            if let Some(own) = own {
                let home = by_block.entry(block);
                let home = *home.or_insert_with(|| self.add_block_slice(block, bunch));
                self.unmarked.put(home, own);
            }
        }
        self.wait_if_mixed(bunch);
    }

    /// Whether the transition is an internal step inside a block.
    fn is_inside(&self, t: TransitionId) -> bool {
        let (source, target) = (self.graph.source[t], self.graph.target[t]);
        self.graph.label[t] == Label::Tau && self.block_of[source] == self.block_of[target]
    }

    /// Whether the transition is inert, without comparing blocks.
    pub fn is_inert(&self, t: TransitionId) -> bool {
        self.action_slices.list_of(t).is_none()
    }

    /// The blocks as they are now.
    pub fn partition(&self) -> Partition {
        Partition::by_keys(self.block_of.iter())
    }

    pub fn add_block(&mut self) -> BlockId {
        self.others.add_list();
        self.slices_of_block.add_list();
        self.bottom.add_list()
    }

    pub fn add_bunch(&mut self) -> BunchId {
        self.is_waiting.push(false);
        self.bunches.add_list()
    }

    pub fn add_action_slice(&mut self, bunch: BunchId) -> ActionSliceId {
        let slice = self.free_action_slices.pop().unwrap_or_else(|| {
            self.twins.push(None);
            self.bunches.add_element();
            self.action_slices.add_list()
        });
        self.bunches.put(bunch, slice);
        slice
    }

    pub fn drop_action_slice(&mut self, slice: ActionSliceId) {
        self.bunches.remove(slice);
        self.free_action_slices.push(slice);
    }

    pub fn add_block_slice(&mut self, block: BlockId, bunch: BunchId) -> BlockSliceId {
        let data =
            BlockSlice { bunch, is_splitter: false, is_listed: false, partner: None, twin: None };
        let slice = match self.free_block_slices.pop() {
            Some(slice) => {
                self.block_slices[slice] = data;
                slice
            }
            None => {
                self.slices_of_block.add_element();
                self.marked.add_list();
                self.unmarked.add_list();
                self.block_slices.push(data)
            }
        };
        self.slices_of_block.put(block, slice);
        slice
    }

    /// Frees an empty slice. If it is listed, it is reused only after it has been taken from the
    /// list.
    pub fn drop_block_slice(&mut self, slice: BlockSliceId) {
        self.slices_of_block.remove(slice);
        if !self.block_slices[slice].is_listed {
            self.free_block_slices.push(slice);
        }
    }

    /// A slice without transitions, in no block slice yet.
    pub fn add_state_slice(&mut self, state: StateId, bunch: BunchId) -> StateSliceId {
        let data = StateSlice { state, bunch, n_transitions: 0, twin: None };
        if let Some(slice) = self.free_state_slices.pop() {
            self.state_slices[slice] = data;
            return slice;
        }
        self.marked.add_element();
        self.unmarked.add_element();
        self.state_slices.push(data)
    }

    pub fn drop_state_slice(&mut self, slice: StateSliceId) {
        self.marked.remove(slice);
        self.unmarked.remove(slice);
        self.free_state_slices.push(slice);
    }

    /// Queues a bunch that has more than one label or target block.
    pub fn wait_if_mixed(&mut self, bunch: BunchId) {
        if self.bunches.len(bunch) > 1 && !self.is_waiting[bunch] {
            self.is_waiting[bunch] = true;
            self.waiting.push(bunch);
        }
    }

    /// The next bunch to be separated.
    pub fn pop_mixed_bunch(&mut self) -> Option<BunchId> {
        while let Some(bunch) = self.waiting.pop() {
            self.is_waiting[bunch] = false;
            if self.bunches.len(bunch) > 1 {
                return Some(bunch);
            }
        }
        None
    }

    /// The block slice that a state slice is in.
    pub fn block_slice_of(&self, slice: StateSliceId) -> Option<BlockSliceId> {
        self.unmarked.list_of(slice).or_else(|| self.marked.list_of(slice))
    }

    /// Marks a state slice.
    pub fn mark(&mut self, slice: StateSliceId) {
        if let Some(home) = self.unmarked.list_of(slice) {
            self.unmarked.remove(slice);
            self.marked.put(home, slice);
        }
    }

    pub fn unmark_all(&mut self, home: BlockSliceId) {
        while let Some(slice) = self.marked.first(home) {
            self.marked.remove(slice);
            self.unmarked.put(home, slice);
        }
    }

    /// Whether a block slice is empty.
    pub fn is_empty(&self, slice: BlockSliceId) -> bool {
        self.marked.len(slice) + self.unmarked.len(slice) == 0
    }
}
