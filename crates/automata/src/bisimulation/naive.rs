//! Bisimulations straight from their definitions: separate states whose signatures differ,
//! until none do. (Blom and Orzan, *A distributed algorithm for strong bisimulation
//! reduction of state spaces*, 2002, call this signature refinement.)

use crate::lts::{Label, Lts, StateId};
use crate::partition::{BlockId, Partition};
use std::collections::BTreeSet;

/// The transitions of a state, in terms of blocks.
type Signature = BTreeSet<(Label, BlockId)>;

/// Strong bisimulation; the internal action is treated like any other.
pub fn strong(lts: &Lts) -> Partition {
    fixpoint(lts, |partition, state| {
        let row = lts.transitions_from(state).iter();
        row.map(|&(label, target)| (label, partition.block_of(target))).collect()
    })
}

/// Branching bisimulation that ignores divergence: internal steps inside a block do not count.
pub fn branching(lts: &Lts) -> Partition {
    fixpoint(lts, |partition, state| {
        let home = partition.block_of(state);
        let mut signature = Signature::new();
        let mut found = BTreeSet::from([state]);
        let mut stack = vec![state];
        while let Some(state) = stack.pop() {
            for &(label, target) in lts.transitions_from(state) {
                let block = partition.block_of(target);
                if label != Label::Tau || block != home {
                    signature.insert((label, block));
                } else if found.insert(target) {
                    stack.push(target);
                }
            }
        }
        signature
    })
}

fn fixpoint(lts: &Lts, signature: impl Fn(&Partition, StateId) -> Signature) -> Partition {
    let mut partition = Partition::single(lts.n_states());
    loop {
        let finer = partition.refined_by(|state| signature(&partition, state));
        if finer == partition {
            return partition;
        }
        partition = finer;
    }
}
