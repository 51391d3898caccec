//! Where the states and arrows of a picture are.
//!
//! The layered method of Sugiyama, Tagawa and Toda (1981), written for automata: arrows point down
//! but for those that close a cycle, between any two rows of states there is a row of captions,
//! and what has a place in a row has it for itself. So no arrow crosses a box or a caption, whatever
//! the graph: arrows bend between the rows only. Everything is a few sweeps over the rows.

mod coordinates;
mod layers;
mod order;
mod ranks;
mod route;

use layers::Layers;
use std::fmt;

/// A place, from the top left corner.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// How much room something takes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Extent {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// What is to be laid out.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The initial state.
    pub initial: usize,
    /// The sizes of the states' boxes.
    pub boxes: Vec<Extent>,
    /// The arrows: from, to, and the size of the caption.
    pub arrows: Vec<(usize, usize, Extent)>,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub struct GraphLayout {
    /// The size of the whole.
    pub size: Extent,
    /// The top left corners of the boxes.
    pub corners: Vec<Point>,
    /// The ways of the arrows.
    pub routes: Vec<Route>,
}

/// The way of an arrow.
#[derive(Clone, Debug)]
pub struct Route {
    /// Where it starts, and then for each cubic curve its two control points and its end. The last
    /// piece is straight and long enough for a head.
    pub points: Vec<Point>,
    /// The top left corner of its caption.
    pub caption: Point,
}

/// What is too large for a picture.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TooLargeToDraw {
    /// The number of states.
    pub n_states: usize,
    /// The number of arrows.
    pub n_arrows: usize,
}

/// Room in front of the initial state, for the arrow from nowhere.
pub const START: f64 = 34.0;
/// The length of the straight piece at both ends of an arrow.
const STRAIGHT: f64 = 12.0;
/// Room around everything.
const MARGIN: f64 = 16.0;
/// Nobody looks at more states than this.
const MAX_STATES: usize = 300;
/// More boxes, captions and passages take more than a moment.
const MAX_PLACES: usize = 60_000;

/// Lays out a graph.
pub fn layout(graph: &Graph) -> Result<GraphLayout, TooLargeToDraw> {
    let too_large = TooLargeToDraw { n_states: graph.boxes.len(), n_arrows: graph.arrows.len() };
    if graph.boxes.len() > MAX_STATES {
        return Err(too_large);
    }
    let ranks = ranks::ranks(graph);
    if layers::n_places(graph, &ranks) > MAX_PLACES {
        return Err(too_large);
    }
    let mut rows = Layers::new(graph, &ranks);
    order::order(&mut rows);
    let places = coordinates::coordinates(graph, &mut rows);
    Ok(route::route(graph, &rows, &places))
}

impl fmt::Display for TooLargeToDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_states, n_arrows } = self;
        write!(f, "{n_states} states with {n_arrows} arrows are too many for a picture")
    }
}

impl std::error::Error for TooLargeToDraw {}

#[cfg(test)]
mod tests;
