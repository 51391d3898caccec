//! The vertical positions of the rows, and the routes of the arrows through them.

use super::layers::{BESIDE, LOOP, Layers, Link};
use super::{Extent, Graph, GraphLayout, MARGIN, Point, Route, STRAIGHT};

/// The smallest and the largest distance between two rows; arrows bend there.
const BEND: [f64; 2] = [26.0, 110.0];
/// The distance between two rows, relative to the largest horizontal distance that an arrow covers there.
const SLOPE: f64 = 0.3;

/// Computes the layout from the horizontal positions of the items.
pub fn route(graph: &Graph, rows: &Layers, xs: &[f64]) -> GraphLayout {
    let left = rows.items.iter().zip(xs).map(|(item, x)| x - item.left);
    let shift = MARGIN - left.fold(f64::INFINITY, f64::min);
    let xs: Vec<f64> = xs.iter().map(|x| round(x + shift)).collect();
    let bands = bands(rows, &xs);
    let right = rows.items.iter().zip(&xs).map(|(item, x)| x + item.right);
    let size = Extent {
        width: right.fold(0.0, f64::max) + MARGIN,
        height: bands.last().map_or(0.0, |band| band.bottom) + MARGIN,
    };
    let middle = |item: usize| bands[rows.items[item].row].middle();
    let corners = graph.boxes.iter().enumerate().map(|(state, size)| Point {
        x: xs[state] - size.width / 2.0,
        y: middle(state) - size.height / 2.0,
    });
    let corners: Vec<Point> = corners.collect();
    let routes = graph.arrows.iter().enumerate().map(|(number, &(from, to, caption))| {
        let item = rows.captions[number];
        let y = middle(item) - caption.height / 2.0;
        if from == to {
            let side = xs[from] + graph.boxes[from].width / 2.0;
            let points = around(Point { x: side, y: middle(from) });
            return Route { points, caption: Point { x: side + LOOP + BESIDE, y } };
        }
        let upwards = rows.items[from].row > rows.items[to].row;
        let (upper, lower) = if upwards { (to, from) } else { (from, to) };
        let mut points = down(&rows.chains[number], rows, &xs, &bands);
        // An arrow ends at the box, which may be lower than its row.
        let last = points.len() - 1;
        points[0].y = corners[upper].y + graph.boxes[upper].height;
        points[last].y = corners[lower].y;
        if upwards {
            points.reverse();
        }
        Route { points, caption: Point { x: xs[item] + BESIDE, y } }
    });
    GraphLayout { size, routes: routes.collect(), corners }
}

/// The vertical range of a row. Arrows are vertical within it.
struct Band {
    top: f64,
    bottom: f64,
}

impl Band {
    fn middle(&self) -> f64 {
        (self.top + self.bottom) / 2.0
    }
}

fn bands(rows: &Layers, xs: &[f64]) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::with_capacity(rows.rows.len());
    let mut top = MARGIN;
    for row in &rows.rows {
        let height = row.iter().map(|&item| rows.items[item].height).fold(0.0, f64::max);
        let bottom = top + round(height);
        bands.push(Band { top, bottom });
        let links = row.iter().flat_map(|&item| &rows.below[item]).map(|&link| &rows.links[link]);
        let farthest =
            links.map(|link| (start(link, xs) - end(link, xs)).abs()).fold(0.0, f64::max);
        top = bottom + STRAIGHT + round((farthest * SLOPE).clamp(BEND[0], BEND[1]));
    }
    bands
}

fn start(link: &Link, xs: &[f64]) -> f64 {
    xs[link.upper] + link.upper_port
}

fn end(link: &Link, xs: &[f64]) -> f64 {
    xs[link.lower] + link.lower_port
}

/// The route of an arrow from top to bottom: vertical within rows, bent between them.
fn down(chain: &[usize], rows: &Layers, xs: &[f64], bands: &[Band]) -> Vec<Point> {
    let mut points = Vec::with_capacity(6 * chain.len() + 4);
    for link in chain.iter().map(|&link| &rows.links[link]) {
        let (start, end) = (start(link, xs), end(link, xs));
        let upper = &bands[rows.items[link.upper].row];
        let lower = &bands[rows.items[link.lower].row];
        // At a box there is a vertical piece for the arrow head.
        let ends = [link.upper, link.lower].map(|end| end < rows.n_states);
        let [after, before] = ends.map(|at_box| if at_box { STRAIGHT } else { 0.0 });
        let (from, to) = (upper.bottom + after, lower.top - before);
        let middle = (from + to) / 2.0;
        if points.is_empty() {
            points.push(Point { x: start, y: upper.bottom });
        }
        straight(&mut points, from);
        points.extend([(start, middle), (end, middle), (end, to)].map(|(x, y)| Point { x, y }));
    }
    let last = chain.last().map(|&link| bands[rows.items[rows.links[link].lower].row].top);
    last.into_iter().for_each(|y| straight(&mut points, y));
    points
}

/// Extends the route vertically down to `y`.
fn straight(points: &mut Vec<Point>, y: f64) {
    let Some(&Point { x, .. }) = points.last() else { return };
    points.extend([Point { x, y }; 3]);
}

/// The route of a self-loop, from the right side of a box and back to it.
fn around(side: Point) -> Vec<Point> {
    let at = |x: f64, y: f64| Point { x: side.x + x, y: side.y + y };
    let out = LOOP * 0.9;
    let bow = [at(0.0, -7.0), at(out, -20.0), at(out * 1.2, 7.0), at(STRAIGHT, 7.0)];
    bow.into_iter().chain([at(STRAIGHT, 7.0), at(0.0, 7.0), at(0.0, 7.0)]).collect()
}

/// Rounds to tenths. This is precise enough, and gives the same digits on every machine.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
