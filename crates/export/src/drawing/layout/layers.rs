//! The rows of a picture: boxes in even rows, captions and passing arrows in all rows.

use super::{Extent, Graph, START};

/// An item of a row: a box, a caption with its arrow, or an arrow that passes through.
#[derive(Copy, Clone, Debug)]
pub struct RowItem {
    /// Its row.
    pub row: usize,
    /// The space to the left of its reference line. The reference line of a caption is its arrow.
    pub left: f64,
    /// The space to the right of its reference line.
    pub right: f64,
    /// The height.
    pub height: f64,
}

/// A piece of an arrow, from an item to one in the next row.
#[derive(Copy, Clone, Debug)]
pub struct Link {
    /// The upper end.
    pub upper: usize,
    /// The lower end.
    pub lower: usize,
    /// The offset from the reference line of the upper item.
    pub upper_port: f64,
    /// The offset from the reference line of the lower item.
    pub lower_port: f64,
}

/// All rows. The box of a state has the number of the state.
pub struct Layers {
    /// All items.
    pub items: Vec<RowItem>,
    /// The items of each row, from left to right.
    pub rows: Vec<Vec<usize>>,
    /// All links.
    pub links: Vec<Link>,
    /// For each item the links that come from above.
    pub above: Vec<Vec<usize>>,
    /// For each item the links that go down.
    pub below: Vec<Vec<usize>>,
    /// For each arrow its links from top to bottom; empty for a self-loop.
    pub chains: Vec<Vec<usize>>,
    /// For each arrow the item of its caption; for a self-loop the box.
    pub captions: Vec<usize>,
    /// The number of states.
    pub n_states: usize,
}

/// The distance between an arrow and its caption.
pub const BESIDE: f64 = 6.0;
/// The width of a self-loop.
pub const LOOP: f64 = 30.0;

/// The number of items that a graph needs.
pub fn n_items(graph: &Graph, ranks: &[usize]) -> usize {
    let lengths = graph.arrows.iter().map(|&(from, to, _)| 2 * ranks[from].abs_diff(ranks[to]));
    graph.boxes.len() + lengths.map(|length| length.saturating_sub(1)).sum::<usize>()
}

impl Layers {
    /// The rows for these ranks, with the items of each row in arbitrary order.
    pub fn new(graph: &Graph, ranks: &[usize]) -> Self {
        let items: Vec<RowItem> =
            (0..graph.boxes.len()).map(|s| of_state(graph, ranks, s)).collect();
        let n_rows = 2 * ranks.iter().copied().max().unwrap_or(0) + 1;
        let mut rows = Self {
            rows: vec![Vec::new(); n_rows],
            links: Vec::new(),
            above: vec![Vec::new(); items.len()],
            below: vec![Vec::new(); items.len()],
            chains: Vec::new(),
            captions: Vec::new(),
            n_states: items.len(),
            items,
        };
        for &(from, to, caption) in &graph.arrows {
            let downwards = ranks[from] <= ranks[to];
            let (upper, lower) = if downwards { (from, to) } else { (to, from) };
            rows.add_arrow(upper, lower, caption);
        }
        for (number, item) in rows.items.iter().enumerate() {
            rows.rows[item.row].push(number);
        }
        rows
    }

    fn add_arrow(&mut self, upper: usize, lower: usize, caption: Extent) {
        if upper == lower {
            self.chains.push(Vec::new());
            self.captions.push(upper);
            return;
        }
        let (first, last) = (self.items[upper].row + 1, self.items[lower].row);
        // The odd row in the middle, or the odd row above the middle.
        let middle = (first + last) / 2 - 1 + (first + last) / 2 % 2;
        let mut end = upper;
        let mut chain = Vec::new();
        for row in first..last {
            let item = match row == middle {
                true => RowItem {
                    row,
                    left: 0.0,
                    right: BESIDE + caption.width,
                    height: caption.height,
                },
                false => RowItem { row, left: 0.0, right: 0.0, height: 0.0 },
            };
            let next = self.items.len();
            self.items.push(item);
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            if row == middle {
                self.captions.push(next);
            }
            chain.push(self.link(end, next));
            end = next;
        }
        chain.push(self.link(end, lower));
        self.chains.push(chain);
    }

    fn link(&mut self, upper: usize, lower: usize) -> usize {
        let number = self.links.len();
        self.links.push(Link { upper, lower, upper_port: 0.0, lower_port: 0.0 });
        self.below[upper].push(number);
        self.above[lower].push(number);
        number
    }

    /// The position of each item in its row.
    pub fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.items.len()];
        for row in &self.rows {
            row.iter().enumerate().for_each(|(position, &item)| positions[item] = position);
        }
        positions
    }

    /// The items at the upper ends of the links above an item.
    pub fn uppers(&self, item: usize) -> impl Iterator<Item = usize> {
        self.above[item].iter().map(|&link| self.links[link].upper)
    }

    /// The items at the lower ends of the links below an item.
    pub fn lowers(&self, item: usize) -> impl Iterator<Item = usize> {
        self.below[item].iter().map(|&link| self.links[link].lower)
    }
}

/// The item of a box, with space for the initial arrow on its left and for its self-loop on its right.
fn of_state(graph: &Graph, ranks: &[usize], state: usize) -> RowItem {
    let Extent { width, height } = graph.boxes[state];
    let mut item = RowItem { row: 2 * ranks[state], left: width / 2.0, right: width / 2.0, height };
    if state == graph.initial {
        item.left += START;
    }
    for &(_, _, caption) in
        graph.arrows.iter().filter(|&&(from, to, _)| (from, to) == (state, state))
    {
        item.right += LOOP + BESIDE + caption.width;
        item.height = item.height.max(caption.height);
    }
    item
}
