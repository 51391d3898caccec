//! The heights of the rows, and the ways of the arrows through them.

use super::layers::{BESIDE, LOOP, Layers, Link};
use super::{Extent, Graph, GraphLayout, MARGIN, Point, Route, STRAIGHT};

/// The least and the greatest distance between two rows, in which arrows bend.
const BEND: [f64; 2] = [26.0, 110.0];
/// The distance between two rows as a part of how far an arrow goes to the side there.
const SLOPE: f64 = 0.3;

/// Puts everything in its place.
pub fn route(graph: &Graph, rows: &Layers, xs: &[f64]) -> GraphLayout {
    let left = rows.places.iter().zip(xs).map(|(place, x)| x - place.left);
    let shift = MARGIN - left.fold(f64::INFINITY, f64::min);
    let xs: Vec<f64> = xs.iter().map(|x| round(x + shift)).collect();
    let bands = bands(rows, &xs);
    let right = rows.places.iter().zip(&xs).map(|(place, x)| x + place.right);
    let size = Extent {
        width: right.fold(0.0, f64::max) + MARGIN,
        height: bands.last().map_or(0.0, |band| band.bottom) + MARGIN,
    };
    let middle = |place: usize| bands[rows.places[place].row].middle();
    let corners = graph.boxes.iter().enumerate().map(|(state, size)| Point {
        x: xs[state] - size.width / 2.0,
        y: middle(state) - size.height / 2.0,
    });
    let corners: Vec<Point> = corners.collect();
    let routes = graph.arrows.iter().enumerate().map(|(number, &(from, to, caption))| {
        let place = rows.captions[number];
        let y = middle(place) - caption.height / 2.0;
        if from == to {
            let side = xs[from] + graph.boxes[from].width / 2.0;
            let points = around(Point { x: side, y: middle(from) });
            return Route { points, caption: Point { x: side + LOOP + BESIDE, y } };
        }
        let upwards = rows.places[from].row > rows.places[to].row;
        let (upper, lower) = if upwards { (to, from) } else { (from, to) };
        let mut points = down(&rows.chains[number], rows, &xs, &bands);
        // The ends are at the boxes, which may be less high than their rows.
        let last = points.len() - 1;
        points[0].y = corners[upper].y + graph.boxes[upper].height;
        points[last].y = corners[lower].y;
        if upwards {
            points.reverse();
        }
        Route { points, caption: Point { x: xs[place] + BESIDE, y } }
    });
    GraphLayout { size, routes: routes.collect(), corners }
}

/// Where a row is; arrows go straight there.
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
        let height = row.iter().map(|&place| rows.places[place].height).fold(0.0, f64::max);
        let bottom = top + round(height);
        bands.push(Band { top, bottom });
        let links = row.iter().flat_map(|&place| &rows.below[place]).map(|&link| &rows.links[link]);
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

/// The way of an arrow from top to bottom: straight within the rows, with a bend in between.
fn down(chain: &[usize], rows: &Layers, xs: &[f64], bands: &[Band]) -> Vec<Point> {
    let mut points = Vec::with_capacity(6 * chain.len() + 4);
    for link in chain.iter().map(|&link| &rows.links[link]) {
        let (start, end) = (start(link, xs), end(link, xs));
        let upper = &bands[rows.places[link.upper].row];
        let lower = &bands[rows.places[link.lower].row];
        // At a box there is a straight piece for the head.
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
    let last = chain.last().map(|&link| bands[rows.places[rows.links[link].lower].row].top);
    last.into_iter().for_each(|y| straight(&mut points, y));
    points
}

/// Goes on straight down.
fn straight(points: &mut Vec<Point>, y: f64) {
    let Some(&Point { x, .. }) = points.last() else { return };
    points.extend([Point { x, y }; 3]);
}

/// The way of a loop, from the right side of a box and back.
fn around(side: Point) -> Vec<Point> {
    let at = |x: f64, y: f64| Point { x: side.x + x, y: side.y + y };
    let out = LOOP * 0.9;
    let bow = [at(0.0, -7.0), at(out, -20.0), at(out * 1.2, 7.0), at(STRAIGHT, 7.0)];
    bow.into_iter().chain([at(STRAIGHT, 7.0), at(0.0, 7.0), at(0.0, 7.0)]).collect()
}

/// Tenths are fine enough, and the same on every machine.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
