//! Growing a bit set in an iteration to a fixed point.

use fixedbitset::FixedBitSet;

/// Adds all members of `other` to `set`; returns whether `set` has changed.
pub(crate) fn extend(set: &mut FixedBitSet, other: &FixedBitSet) -> bool {
    let changed = !other.is_subset(set);
    if changed {
        set.union_with(other);
    }
    changed
}
