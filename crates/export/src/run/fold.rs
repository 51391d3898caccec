//! Folding of repetitions: consecutive equal blocks of a sequence are shown once, with a count.
//!
//! Items are equal if their steps are, not their states: a loop that counts is a loop. Folds are not nested.

use std::ops::Range;

/// The longest period that is searched for.
const MAX_PERIOD: usize = 64;
/// The smallest number of items that a fold must save; the fold itself takes a row.
const MIN_SAVED: usize = 4;

/// A segment of a folded sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoldSegment {
    /// Items that are shown one by one.
    Items(Range<usize>),
    /// The preceding items, repeated.
    Again {
        /// The items that are repeated.
        block: Range<usize>,
        /// The number of further repetitions.
        times: usize,
    },
}

/// Folds a sequence: a block that is repeated immediately is followed by the number of repetitions. Folds
/// are not nested.
pub fn fold<T: PartialEq>(items: &[T]) -> Vec<FoldSegment> {
    let (mut parts, mut shown, mut at) = (Vec::new(), 0, 0);
    while at < items.len() {
        let Some((period, times)) = best(&items[at..]) else {
            at += 1;
            continue;
        };
        parts.push(FoldSegment::Items(shown..at + period));
        parts.push(FoldSegment::Again { block: at..at + period, times });
        at += period * (times + 1);
        shown = at;
    }
    if shown < items.len() {
        parts.push(FoldSegment::Items(shown..items.len()));
    }
    parts
}

/// The positions of the original sequence, each mapped to the position of the item that represents it.
pub fn unfold(parts: &[FoldSegment]) -> Vec<usize> {
    let positions = |part: &FoldSegment| match part {
        FoldSegment::Items(range) => range.clone().collect::<Vec<_>>(),
        FoldSegment::Again { block, times } => {
            let all = std::iter::repeat_n(block.clone(), *times);
            all.flatten().collect()
        }
    };
    parts.iter().flat_map(positions).collect()
}

/// The period at the start that saves most items, and the number of its repetitions.
fn best<T: PartialEq>(items: &[T]) -> Option<(usize, usize)> {
    let candidates = (1..=MAX_PERIOD.min(items.len() / 2)).map(|period| {
        let same = items.iter().zip(&items[period..]).take_while(|(a, b)| a == b).count();
        (period, same / period)
    });
    let saves = candidates.filter(|(period, times)| period * times >= MIN_SAVED);
    // Of periods that save the same number, the shortest is the most informative.
    saves.max_by_key(|&(period, times)| (period * times, std::cmp::Reverse(period)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_loop_is_told_once() {
        let items: Vec<char> = "xabababababy".chars().collect();
        let again = FoldSegment::Again { block: 1..3, times: 4 };
        assert_eq!(fold(&items), [FoldSegment::Items(0..3), again, FoldSegment::Items(11..12)]);
    }

    #[test]
    fn what_is_short_stays() {
        assert_eq!(fold(&[1, 1, 1, 2]), [FoldSegment::Items(0..4)]);
        assert_eq!(fold::<u8>(&[]), []);
    }

    proptest! {
        #[test]
        fn unfolding_gives_the_sequence_back(items in prop::collection::vec(0..3, 0..80)) {
            let unfolded: Vec<i32> = unfold(&fold(&items)).into_iter().map(|i| items[i]).collect();
            prop_assert_eq!(unfolded, items);
        }
    }
}
