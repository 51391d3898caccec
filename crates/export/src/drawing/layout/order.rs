//! The order of the items in each row, chosen to have few crossings.
//!
//! Sweeps go down and up in turn. Each row is sorted by the mean position of the neighbours in the
//! previous row; then adjacent items are swapped where that reduces the number of crossings. The best
//! order of all sweeps is kept.

use super::layers::Layers;

/// The maximal number of sweeps. More sweeps rarely improve the result.
const MAX_SWEEPS: usize = 24;
/// The maximal number of consecutive sweeps without improvement.
const MAX_IDLE: usize = 6;
/// The resolution of means: fractions of a position.
const FINE: usize = 1 << 16;

/// Orders the rows.
pub fn order(rows: &mut Layers) {
    rows.rows = first_order(rows);
    let mut positions = rows.positions();
    let mut best = (crossings(rows, &positions), rows.rows.clone());
    let mut idle = 0;
    for sweep in 0..MAX_SWEEPS {
        if best.0 == 0 || idle == MAX_IDLE {
            break;
        }
        let n_rows = rows.rows.len();
        let down = sweep % 2 == 0;
        for i in 0..n_rows {
            let row = if down { i } else { n_rows - 1 - i };
            sort(rows, row, down, &mut positions);
        }
        for row in 0..n_rows {
            swap(rows, row, &mut positions);
        }
        let found = crossings(rows, &positions);
        idle += 1;
        if found < best.0 {
            best = (found, rows.rows.clone());
            idle = 0;
        }
    }
    rows.rows = best.1;
}

/// The order in which a depth-first traversal downwards visits the items. A tree has no crossings in this
/// order.
fn first_order(rows: &Layers) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); rows.rows.len()];
    let mut seen = vec![false; rows.items.len()];
    for &root in rows.rows.iter().flatten() {
        let mut stack = vec![root];
        while let Some(item) = stack.pop() {
            if std::mem::replace(&mut seen[item], true) {
                continue;
            }
            found[rows.items[item].row].push(item);
            let from = stack.len();
            stack.extend(rows.lowers(item));
            stack[from..].reverse();
        }
    }
    found
}

fn note(row: &[usize], positions: &mut [usize]) {
    for (position, &item) in row.iter().enumerate() {
        positions[item] = position;
    }
}

/// Sorts a row by the mean positions of the neighbours above or below.
fn sort(rows: &mut Layers, row: usize, above: bool, positions: &mut [usize]) {
    let mut items = std::mem::take(&mut rows.rows[row]);
    items.sort_by_cached_key(|&item| {
        let neighbours: Vec<usize> =
            if above { rows.uppers(item).collect() } else { rows.lowers(item).collect() };
        let sum: usize = neighbours.iter().map(|&neighbour| positions[neighbour]).sum();
        match neighbours.len() {
            0 => positions[item] * FINE,
            n => sum * FINE / n,
        }
    });
    note(&items, positions);
    rows.rows[row] = items;
}

/// Swaps adjacent items where that reduces the number of crossings.
fn swap(rows: &mut Layers, row: usize, positions: &mut [usize]) {
    let mut items = std::mem::take(&mut rows.rows[row]);
    let ends = |item: usize| {
        let uppers = rows.uppers(item).map(|upper| positions[upper]).collect();
        let lowers = rows.lowers(item).map(|lower| positions[lower]).collect();
        [uppers, lowers].map(|mut ends: Vec<usize>| {
            ends.sort_unstable();
            ends
        })
    };
    let mut left = items.first().map(|&item| ends(item)).unwrap_or_default();
    for i in 1..items.len() {
        let right = ends(items[i]);
        let count = |a: &[Vec<usize>; 2], b: &[Vec<usize>; 2]| {
            inversions(&a[0], &b[0]) + inversions(&a[1], &b[1])
        };
        if count(&right, &left) < count(&left, &right) {
            items.swap(i - 1, i);
        } else {
            left = right;
        }
    }
    note(&items, positions);
    rows.rows[row] = items;
}

/// The number of crossing pairs if `left` is to the left of `right`; both are sorted.
fn inversions(left: &[usize], right: &[usize]) -> usize {
    let mut smaller = 0;
    let mut count = 0;
    for &end in left {
        while right.get(smaller).is_some_and(|&other| other < end) {
            smaller += 1;
        }
        count += smaller;
    }
    count
}

/// The number of crossing pairs of links.
fn crossings(rows: &Layers, positions: &[usize]) -> usize {
    rows.rows
        .windows(2)
        .map(|pair| crossings_between(rows, &pair[0], pair[1].len(), positions))
        .sum()
}

/// Counts crossings with a Fenwick tree (Barth, Jünger and Mutzel 2002).
fn crossings_between(rows: &Layers, upper: &[usize], n_lower: usize, positions: &[usize]) -> usize {
    let mut sums = vec![0; n_lower + 1];
    let (mut count, mut n_before) = (0, 0);
    for &item in upper {
        let mut ends: Vec<usize> = rows.lowers(item).map(|lower| positions[lower]).collect();
        ends.sort_unstable();
        for &end in &ends {
            count += n_before - up_to(&sums, end);
        }
        for &end in &ends {
            n_before += 1;
            add(&mut sums, end);
        }
    }
    count
}

fn add(sums: &mut [usize], position: usize) {
    let mut i = position + 1;
    while i < sums.len() {
        sums[i] += 1;
        i += i & i.wrapping_neg();
    }
}

fn up_to(sums: &[usize], position: usize) -> usize {
    let (mut i, mut sum) = (position + 1, 0);
    while i > 0 {
        sum += sums[i];
        i -= i & i.wrapping_neg();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::{Extent, Graph, ranks::ranks};
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    /// Counts pair by pair.
    fn naive(rows: &Layers, positions: &[usize]) -> usize {
        let mut count = 0;
        for (i, a) in rows.links.iter().enumerate() {
            for b in &rows.links[..i] {
                let same_row = rows.items[a.upper].row == rows.items[b.upper].row;
                let upper = positions[a.upper].cmp(&positions[b.upper]);
                let lower = positions[a.lower].cmp(&positions[b.lower]);
                count +=
                    usize::from(same_row && upper == lower.reverse() && upper != Ordering::Equal);
            }
        }
        count
    }

    proptest! {
        #[test]
        fn crossings_are_counted_right_and_not_made(arrows in prop::collection::btree_set((0..12_usize, 0..12_usize), 0..40)) {
            let size = Extent { width: 40.0, height: 20.0 };
            let arrows = arrows.into_iter().map(|(from, to)| (from, to, size));
            let graph = Graph { initial: 0, boxes: vec![size; 12], arrows: arrows.collect() };
            let mut rows = Layers::new(&graph, &ranks(&graph));
            rows.rows = first_order(&rows);
            let first = crossings(&rows, &rows.positions());
            prop_assert_eq!(first, naive(&rows, &rows.positions()));
            order(&mut rows);
            let best = crossings(&rows, &rows.positions());
            prop_assert_eq!(best, naive(&rows, &rows.positions()));
            prop_assert!(best <= first);
            let mut all: Vec<usize> = rows.rows.concat();
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..rows.items.len()));
        }
    }
}
