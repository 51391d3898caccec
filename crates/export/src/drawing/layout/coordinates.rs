//! The horizontal position of each item.
//!
//! Links act as springs, which are stiffer between passing arrows so that long arrows become straight.
//! Row by row, items move to the positions of least energy that keep their order and their distances. For
//! one row this is an isotonic least-squares regression, solved exactly by pooling adjacent items that
//! would be too close.

use super::layers::{Layers, Link};
use super::{Extent, Graph};

/// The smallest distance between two items.
const APART: f64 = 22.0;
/// The distance between two arrows at a box.
const PORT: f64 = 18.0;
/// The distance of arrows from the corners of a box.
const CORNER: f64 = 12.0;
/// The stiffness of a link between two passing arrows; a link at a box has stiffness 1.
const STRAIGHT: f64 = 6.0;
/// The weight of an item's current position.
const REST: f64 = 1e-3;
/// The number of sweeps that consider the links of one side only.
const FIRST_SWEEPS: usize = 8;
/// A bound on the number of items moved by the sweeps that consider both sides.
const MAX_MOVES: usize = 200_000;

/// The position of each item's reference line. Also distributes the links along the sides of the boxes.
pub fn coordinates(graph: &Graph, rows: &mut Layers) -> Vec<f64> {
    spread(graph, rows);
    let mut xs = vec![0.0; rows.items.len()];
    for row in 0..rows.rows.len() {
        settle(rows, row, [true, false], &mut xs);
    }
    let n_sweeps = FIRST_SWEEPS + (MAX_MOVES / rows.items.len().max(1)).clamp(16, 400);
    for sweep in 0..n_sweeps {
        let n_rows = rows.rows.len();
        let down = sweep % 2 == 0;
        let look = if sweep < FIRST_SWEEPS { [down, !down] } else { [true, true] };
        for i in 0..n_rows {
            settle(rows, if down { i } else { n_rows - 1 - i }, look, &mut xs);
        }
    }
    straighten(rows, &mut xs);
    xs
}

/// Gives each link its own point on the lower and upper sides of the boxes, in the order of the links'
/// other ends.
fn spread(graph: &Graph, rows: &mut Layers) {
    let positions = rows.positions();
    for (state, &Extent { width, .. }) in graph.boxes.iter().enumerate() {
        let links = &mut rows.links;
        rows.below[state].sort_by_key(|&link| positions[links[link].lower]);
        rows.above[state].sort_by_key(|&link| positions[links[link].upper]);
        for (i, &link) in rows.below[state].iter().enumerate() {
            links[link].upper_port = port(i, rows.below[state].len(), width);
        }
        for (i, &link) in rows.above[state].iter().enumerate() {
            links[link].lower_port = port(i, rows.above[state].len(), width);
        }
    }
}

fn port(i: usize, n: usize, width: f64) -> f64 {
    if n < 2 {
        return 0.0;
    }
    let step = ((width - 2.0 * CORNER).max(0.0) / (n - 1) as f64).min(PORT);
    (i as f64 - (n - 1) as f64 / 2.0) * step
}

/// Moves the items of a row to where the links above, below or both pull them.
fn settle(rows: &Layers, row: usize, [above, below]: [bool; 2], xs: &mut [f64]) {
    let items = &rows.rows[row];
    let mut blocks: Vec<Block> = Vec::with_capacity(items.len());
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(items.len());
    for (i, &item) in items.iter().enumerate() {
        if i > 0 {
            offset += rows.items[items[i - 1]].right + APART + rows.items[item].left;
        }
        offsets.push(offset);
        let mut block = Block { weight: REST, sum: REST * (xs[item] - offset), len: 1 };
        for link in rows.above[item].iter().filter(|_| above).map(|&link| &rows.links[link]) {
            let x = xs[link.upper] + link.upper_port - link.lower_port;
            block.pull(stiffness(rows, link), x - offset);
        }
        for link in rows.below[item].iter().filter(|_| below).map(|&link| &rows.links[link]) {
            let x = xs[link.lower] + link.lower_port - link.upper_port;
            block.pull(stiffness(rows, link), x - offset);
        }
        while let Some(before) = blocks.pop_if(|before| before.mean() >= block.mean()) {
            block = Block {
                weight: before.weight + block.weight,
                sum: before.sum + block.sum,
                len: before.len + block.len,
            };
        }
        blocks.push(block);
    }
    let means = blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean(), block.len));
    for ((&item, offset), mean) in items.iter().zip(offsets).zip(means) {
        xs[item] = mean + offset;
    }
}

/// Makes arrows exactly straight over as many rows as space allows, the longest arrows first.
fn straighten(rows: &Layers, xs: &mut [f64]) {
    let mut chains: Vec<&Vec<usize>> = rows.chains.iter().collect();
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    let positions = rows.positions();
    for chain in chains {
        let inner: Vec<usize> = chain.iter().skip(1).map(|&link| rows.links[link].upper).collect();
        let mut rest = &inner[..];
        while !rest.is_empty() {
            let (mut from, mut to, mut len) = (f64::NEG_INFINITY, f64::INFINITY, 0);
            for &item in rest {
                let (least, most) = room(rows, item, positions[item], xs);
                if least.max(from) > most.min(to) {
                    break;
                }
                (from, to, len) = (least.max(from), most.min(to), len + 1);
            }
            // Rounding may leave an item no space at all.
            let (run, behind) = rest.split_at(len.max(1));
            if len > 0 {
                let mean = run.iter().map(|&item| xs[item]).sum::<f64>() / len as f64;
                run.iter().for_each(|&item| xs[item] = mean.max(from).min(to));
            }
            rest = behind;
        }
    }
}

/// The interval in which an item can move.
fn room(rows: &Layers, item: usize, position: usize, xs: &[f64]) -> (f64, f64) {
    let row = &rows.rows[rows.items[item].row];
    let before = position.checked_sub(1).map(|i| row[i]);
    let after = row.get(position + 1);
    let least = before.map(|b| xs[b] + rows.items[b].right + APART + rows.items[item].left);
    let most = after.map(|&a| xs[a] - rows.items[a].left - APART - rows.items[item].right);
    (least.unwrap_or(f64::NEG_INFINITY), most.unwrap_or(f64::INFINITY))
}

fn stiffness(rows: &Layers, link: &Link) -> f64 {
    let at_box = link.upper.min(link.lower) < rows.n_states;
    if at_box { 1.0 } else { STRAIGHT }
}

/// A block of adjacent items at their minimal distances.
struct Block {
    weight: f64,
    sum: f64,
    len: usize,
}

impl Block {
    fn pull(&mut self, weight: f64, to: f64) {
        self.weight += weight;
        self.sum += weight * to;
    }

    fn mean(&self) -> f64 {
        self.sum / self.weight
    }
}
