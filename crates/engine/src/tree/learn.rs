//! Learning a good tree from visited states.
//!
//! The cost of a tree is the number of different values of its inner nodes. Related leaves, such as a
//! process and the channel it reads, should therefore be joined low in the tree, and the two halves at the
//! root should each have few values. Clusters are joined greedily, always the two whose union has the
//! fewest values in a sample, as in Huffman's construction.
//!
//! Compared with a tree that is split in the middle, this reduced the inner nodes of `elevator` from 2.7
//! million to 12,000, and the worst model from 55 to 19 bytes per state.

use hashbrown::HashMap;

/// The values of a cluster in the states of a sample, numbered.
struct Column {
    values: Vec<u32>,
    n_values: usize,
}

/// Joins clusters of leaves to one tree. `leaves` has for each leaf its bytes in each state of the sample;
/// there are at least two leaves.
pub fn joins(leaves: &[Vec<&[u8]>]) -> Vec<[u32; 2]> {
    let mut columns: Vec<Option<Column>> = leaves.iter().map(|c| Some(column(c))).collect();
    let mut unions: HashMap<(usize, usize), usize> = HashMap::new();
    let mut joins = Vec::new();
    while let Some((a, b)) = best(&columns, &mut unions) {
        let union = match (&columns[a], &columns[b]) {
            (Some(x), Some(y)) => join(x, y),
            _ => break,
        };
        columns[a] = None;
        columns[b] = None;
        columns.push(Some(union));
        joins.push([a as u32, b as u32]);
    }
    joins
}

/// The two clusters whose union has the fewest values.
fn best(
    columns: &[Option<Column>],
    unions: &mut HashMap<(usize, usize), usize>,
) -> Option<(usize, usize)> {
    let mut best = None;
    for (b, y) in columns.iter().enumerate() {
        let Some(y) = y else { continue };
        for (a, x) in columns[..b].iter().enumerate() {
            let Some(x) = x else { continue };
            let least = x.n_values.max(y.n_values);
            if best.is_some_and(|(n, _)| least > n) {
                continue;
            }
            let n = *unions.entry((a, b)).or_insert_with(|| join(x, y).n_values);
            // Ties go to the clusters with fewer values.
            let cost = (n, x.n_values + y.n_values);
            if best.is_none_or(|(m, (c, d))| {
                let other = |i: usize| columns[i].as_ref().map_or(0, |c: &Column| c.n_values);
                cost < (m, other(c) + other(d))
            }) {
                best = Some((n, (a, b)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

fn column(leaves: &[&[u8]]) -> Column {
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let values = leaves.iter().map(|&leaf| {
        let next = numbers.len() as u32;
        *numbers.entry(leaf).or_insert(next)
    });
    let values = values.collect();
    Column { values, n_values: numbers.len() }
}

fn join(a: &Column, b: &Column) -> Column {
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::with_capacity(a.n_values + b.n_values);
    let values = a.values.iter().zip(&b.values).map(|(&x, &y)| {
        let next = numbers.len() as u32;
        *numbers.entry((x, y)).or_insert(next)
    });
    let values = values.collect();
    Column { values, n_values: numbers.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_together_is_joined_first() {
        // Leaves 0 and 2 are equal, leaves 1 and 3 are equal; the pairs are independent.
        let states: Vec<[u8; 4]> = (0..100).map(|i| [i / 10, i % 10, i / 10, i % 10]).collect();
        let leaves: Vec<Vec<&[u8]>> =
            (0..4).map(|l| states.iter().map(|s| &s[l..=l]).collect()).collect();
        let joins = joins(&leaves);
        let mut first = joins[..2].to_vec();
        first.sort_unstable();
        assert_eq!(first, [[0, 2], [1, 3]]);
        assert_eq!(joins.len(), 3);
    }
}
