//! The rows of a picture: states in every other row, captions and passing arrows in all.

use super::{Extent, Graph, START};

/// What has a place in a row: a box, a caption with its arrow, or an arrow that passes.
#[derive(Copy, Clone, Debug)]
pub struct RowItem {
    /// Its row.
    pub row: usize,
    /// The room to the left of its middle, which for captions is the arrow.
    pub left: f64,
    /// The room to the right.
    pub right: f64,
    /// How high it is.
    pub height: f64,
}

/// A piece of an arrow, from a place to one in the next row.
#[derive(Copy, Clone, Debug)]
pub struct Link {
    /// The upper end.
    pub upper: usize,
    /// The lower end.
    pub lower: usize,
    /// How far from the middle of the upper end it starts.
    pub upper_port: f64,
    /// How far from the middle of the lower end it ends.
    pub lower_port: f64,
}

/// The rows, with the places of a state's box having the number of the state.
pub struct Layers {
    /// All places.
    pub places: Vec<RowItem>,
    /// The places of each row, from left to right.
    pub rows: Vec<Vec<usize>>,
    /// All links.
    pub links: Vec<Link>,
    /// The links that end at a place from above.
    pub above: Vec<Vec<usize>>,
    /// The links that start at a place.
    pub below: Vec<Vec<usize>>,
    /// For each arrow its links from top to bottom; none for a loop.
    pub chains: Vec<Vec<usize>>,
    /// For each arrow the place of its caption; that of the box for a loop.
    pub captions: Vec<usize>,
    /// The number of states.
    pub n_states: usize,
}

/// Between an arrow and its caption.
pub const BESIDE: f64 = 6.0;
/// How far a loop reaches out.
pub const LOOP: f64 = 30.0;

/// How many places a graph needs.
pub fn n_places(graph: &Graph, ranks: &[usize]) -> usize {
    let lengths = graph.arrows.iter().map(|&(from, to, _)| 2 * ranks[from].abs_diff(ranks[to]));
    graph.boxes.len() + lengths.map(|length| length.saturating_sub(1)).sum::<usize>()
}

impl Layers {
    /// The rows for these ranks, not in any good order.
    pub fn new(graph: &Graph, ranks: &[usize]) -> Self {
        let places: Vec<RowItem> =
            (0..graph.boxes.len()).map(|s| of_state(graph, ranks, s)).collect();
        let n_rows = 2 * ranks.iter().copied().max().unwrap_or(0) + 1;
        let mut rows = Self {
            rows: vec![Vec::new(); n_rows],
            links: Vec::new(),
            above: vec![Vec::new(); places.len()],
            below: vec![Vec::new(); places.len()],
            chains: Vec::new(),
            captions: Vec::new(),
            n_states: places.len(),
            places,
        };
        for &(from, to, caption) in &graph.arrows {
            let downwards = ranks[from] <= ranks[to];
            let (upper, lower) = if downwards { (from, to) } else { (to, from) };
            rows.add_arrow(upper, lower, caption);
        }
        for (number, place) in rows.places.iter().enumerate() {
            rows.rows[place.row].push(number);
        }
        rows
    }

    fn add_arrow(&mut self, upper: usize, lower: usize, caption: Extent) {
        if upper == lower {
            self.chains.push(Vec::new());
            self.captions.push(upper);
            return;
        }
        let (first, last) = (self.places[upper].row + 1, self.places[lower].row);
        // The odd row in the middle, or the one above it.
        let middle = (first + last) / 2 - 1 + (first + last) / 2 % 2;
        let mut end = upper;
        let mut chain = Vec::new();
        for row in first..last {
            let place = match row == middle {
                true => RowItem {
                    row,
                    left: 0.0,
                    right: BESIDE + caption.width,
                    height: caption.height,
                },
                false => RowItem { row, left: 0.0, right: 0.0, height: 0.0 },
            };
            let next = self.places.len();
            self.places.push(place);
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

    /// Which one in its row each place is.
    pub fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.places.len()];
        for row in &self.rows {
            row.iter().enumerate().for_each(|(position, &place)| positions[place] = position);
        }
        positions
    }

    /// The place at the other end of each link above a place.
    pub fn uppers(&self, place: usize) -> impl Iterator<Item = usize> {
        self.above[place].iter().map(|&link| self.links[link].upper)
    }

    /// The place at the other end of each link below a place.
    pub fn lowers(&self, place: usize) -> impl Iterator<Item = usize> {
        self.below[place].iter().map(|&link| self.links[link].lower)
    }
}

/// The place of a box, with the arrow from nowhere on its left and its loop on its right.
fn of_state(graph: &Graph, ranks: &[usize], state: usize) -> RowItem {
    let Extent { width, height } = graph.boxes[state];
    let mut place =
        RowItem { row: 2 * ranks[state], left: width / 2.0, right: width / 2.0, height };
    if state == graph.initial {
        place.left += START;
    }
    for &(_, _, caption) in
        graph.arrows.iter().filter(|&&(from, to, _)| (from, to) == (state, state))
    {
        place.right += LOOP + BESIDE + caption.width;
        place.height = place.height.max(caption.height);
    }
    place
}
