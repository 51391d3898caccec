//! Branching bisimulation by partition refinement.
//!
//! This is the algorithm of Jansen, Groote, Keiren and Wijs, *An O(m log n) algorithm for branching
//! bisimilarity on labelled transition systems* (TACAS 2020). States are partitioned into *blocks*.
//! An internal step inside a block is *inert*; a state without inert steps is a *bottom* state of
//! its block. The other transitions are partitioned into *bunches*. The blocks are *stable* under
//! the bunches: if a bunch has a transition out of a block, it has one out of each bottom state of
//! that block. In the end each bunch has one label and one target block, and then the blocks are
//! the bisimulation classes.
//!
//! The main loop takes a smaller part with one label and one target block out of a bunch, and makes
//! the blocks stable again. Every transition is in a part that becomes a bunch, and every state in
//! the smaller half of a block, at most log n times.
//!
//! - [`slices`]: the data.
//! - [`separate`]: a part of a bunch becomes a bunch, and blocks may become unstable.
//! - [`sides`]: the states of a block that can reach a bunch, and the others; the smaller side is
//!   found in time proportional to its size.
//! - [`carve`]: the smaller side becomes a block.

mod carve;
mod graph;
mod lists;
mod separate;
mod sides;
mod slices;

use crate::lts::Lts;
use crate::partition::Partition;
use graph::TransitionGraph;
use slices::{BlockSliceId, Slices};

/// The coarsest branching bisimulation of a system without internal cycles; `None` if `go_on`
/// cancels.
pub fn coarsest(lts: &Lts, mut go_on: impl FnMut() -> bool) -> Option<Partition> {
    let graph = TransitionGraph::new(lts);
    let mut slices = Slices::new(&graph);
    while let Some(bunch) = slices.pop_mixed_bunch() {
        slices.separate(bunch);
        while let Some(splitter) = slices.pop_splitter() {
            if !go_on() {
                return None;
            }
            stabilise(&mut slices, splitter);
        }
    }
    Some(slices.partition())
}

/// Makes the block of the splitter stable under the splitter's bunch.
fn stabilise(slices: &mut Slices<'_>, splitter: BlockSliceId) {
    let partner = slices.block_slices[splitter].partner.take();
    let Some(parts) = slices.split(splitter) else {
        slices.unmark_all(splitter);
        return;
    };
    if let Some(splitter) = slices.slice_in(parts.reaching, splitter, &parts) {
        slices.unmark_all(splitter);
    }
    // States that cannot reach the new bunch have kept all their transitions of the old one.
    if let Some(old) = partner.and_then(|old| slices.slice_in(parts.rest, old, &parts)) {
        slices.settle(old);
    }
    let Some(exits) = slices.add_exits(&parts) else { return };
    // The states that can reach these exits become a block. All its bottom states are new, so that
    // it may be unstable under every bunch. The other block is as stable as before.
    let mut block = parts.reaching;
    if let Some(parts) = slices.split(exits) {
        slices.add_exits(&parts);
        block = parts.reaching;
    }
    slices.all_slices_are_splitters(block);
}
