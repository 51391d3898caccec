//! The order of the places in each row, with few crossings.
//!
//! Each place moves to the mean of its neighbours in the row before, row by row, down and up, and
//! neighbours that cross less the other way round are swapped. The best of all sweeps is kept.

use super::layers::Layers;

/// More sweeps hardly ever find anything better.
const MAX_SWEEPS: usize = 24;
/// So many sweeps without gain are enough.
const MAX_IDLE: usize = 6;
/// Means are counted in such parts of a position.
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

/// The order in which a walk downwards meets the places: a tree has no crossings then.
fn first_order(rows: &Layers) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); rows.rows.len()];
    let mut seen = vec![false; rows.places.len()];
    for &root in rows.rows.iter().flatten() {
        let mut stack = vec![root];
        while let Some(place) = stack.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            found[rows.places[place].row].push(place);
            let from = stack.len();
            stack.extend(rows.lowers(place));
            stack[from..].reverse();
        }
    }
    found
}

fn note(row: &[usize], positions: &mut [usize]) {
    for (position, &place) in row.iter().enumerate() {
        positions[place] = position;
    }
}

/// Sorts a row by the means of the neighbours above, or below.
fn sort(rows: &mut Layers, row: usize, above: bool, positions: &mut [usize]) {
    let mut places = std::mem::take(&mut rows.rows[row]);
    places.sort_by_cached_key(|&place| {
        let neighbours: Vec<usize> =
            if above { rows.uppers(place).collect() } else { rows.lowers(place).collect() };
        let sum: usize = neighbours.iter().map(|&neighbour| positions[neighbour]).sum();
        match neighbours.len() {
            0 => positions[place] * FINE,
            n => sum * FINE / n,
        }
    });
    note(&places, positions);
    rows.rows[row] = places;
}

/// Swaps neighbours where that saves crossings.
fn swap(rows: &mut Layers, row: usize, positions: &mut [usize]) {
    let mut places = std::mem::take(&mut rows.rows[row]);
    let ends = |place: usize| {
        let uppers = rows.uppers(place).map(|upper| positions[upper]).collect();
        let lowers = rows.lowers(place).map(|lower| positions[lower]).collect();
        [uppers, lowers].map(|mut ends: Vec<usize>| {
            ends.sort_unstable();
            ends
        })
    };
    let mut left = places.first().map(|&place| ends(place)).unwrap_or_default();
    for i in 1..places.len() {
        let right = ends(places[i]);
        let count = |a: &[Vec<usize>; 2], b: &[Vec<usize>; 2]| {
            inversions(&a[0], &b[0]) + inversions(&a[1], &b[1])
        };
        if count(&right, &left) < count(&left, &right) {
            places.swap(i - 1, i);
        } else {
            left = right;
        }
    }
    note(&places, positions);
    rows.rows[row] = places;
}

/// How many pairs cross if `left` is left of `right`; both are sorted.
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

/// How many pairs of links cross.
fn crossings(rows: &Layers, positions: &[usize]) -> usize {
    rows.rows
        .windows(2)
        .map(|pair| crossings_between(rows, &pair[0], pair[1].len(), positions))
        .sum()
}

/// Counts with a tree of sums (Barth, Jünger and Mutzel 2002).
fn crossings_between(rows: &Layers, upper: &[usize], n_lower: usize, positions: &[usize]) -> usize {
    let mut sums = vec![0; n_lower + 1];
    let (mut count, mut n_before) = (0, 0);
    for &place in upper {
        let mut ends: Vec<usize> = rows.lowers(place).map(|lower| positions[lower]).collect();
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

    /// Pair by pair.
    fn naive(rows: &Layers, positions: &[usize]) -> usize {
        let mut count = 0;
        for (i, a) in rows.links.iter().enumerate() {
            for b in &rows.links[..i] {
                let same_row = rows.places[a.upper].row == rows.places[b.upper].row;
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
            prop_assert!(all.into_iter().eq(0..rows.places.len()));
        }
    }
}
