//! Laws of the layout, on random graphs.

use super::*;
use proptest::prelude::*;

prop_compose! {
    fn graph()(n_states in 1..25_usize)(
        initial in 0..n_states,
        boxes in prop::collection::vec((40.0..300.0, 20.0..90.0), n_states),
        arrows in prop::collection::btree_map((0..n_states, 0..n_states), (0.0..300.0, 14.0..120.0), 0..80),
    ) -> Graph {
        let size = |(width, height)| Extent { width, height };
        let arrows = arrows.into_iter().map(|((from, to), caption)| (from, to, size(caption)));
        Graph { initial, boxes: boxes.into_iter().map(size).collect(), arrows: arrows.collect() }
    }
}

/// The rectangle of a box or a caption.
#[derive(Copy, Clone, Debug)]
struct Area {
    corner: Point,
    size: Extent,
}

impl Area {
    /// Whether two rectangles overlap by more than the rounding error.
    fn overlaps(&self, other: &Self) -> bool {
        let apart =
            |a: f64, a_len: f64, b: f64, b_len: f64| a + a_len <= b + 0.5 || b + b_len <= a + 0.5;
        !apart(self.corner.x, self.size.width, other.corner.x, other.size.width)
            && !apart(self.corner.y, self.size.height, other.corner.y, other.size.height)
    }
}

fn boxes(graph: &Graph, layout: &GraphLayout) -> Vec<Area> {
    let areas = layout.corners.iter().zip(&graph.boxes);
    areas.map(|(&corner, &size)| Area { corner, size }).collect()
}

fn captions(graph: &Graph, layout: &GraphLayout) -> Vec<Area> {
    let areas = layout.routes.iter().zip(&graph.arrows);
    areas.map(|(route, &(_, _, size))| Area { corner: route.caption, size }).collect()
}

/// Points on the route of an arrow.
fn along(route: &Route) -> Vec<Point> {
    let mut points = Vec::new();
    for curve in route.points.windows(4).step_by(3) {
        for i in 0..=16 {
            let t = f64::from(i) / 16.0;
            let s = 1.0 - t;
            let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
            let sum =
                |axis: fn(&Point) -> f64| weights.iter().zip(curve).map(|(w, p)| w * axis(p)).sum();
            points.push(Point { x: sum(|p| p.x), y: sum(|p| p.y) });
        }
    }
    points
}

proptest! {
    #[test]
    fn boxes_and_captions_do_not_overlap(graph in graph()) {
        let layout = layout(&graph).unwrap();
        let areas = [boxes(&graph, &layout), captions(&graph, &layout)].concat();
        let whole = Area { corner: Point { x: 0.0, y: 0.0 }, size: layout.size };
        for (i, area) in areas.iter().enumerate() {
            prop_assert!(area.corner.x >= 0.0 && area.corner.x + area.size.width <= whole.size.width);
            prop_assert!(area.corner.y >= 0.0 && area.corner.y + area.size.height <= whole.size.height);
            for other in &areas[..i] {
                prop_assert!(!area.overlaps(other), "{area:?} and {other:?}");
            }
        }
    }

    #[test]
    fn arrows_keep_away_from_boxes_and_captions(graph in graph()) {
        let layout = layout(&graph).unwrap();
        let areas = [boxes(&graph, &layout), captions(&graph, &layout)].concat();
        for point in layout.routes.iter().flat_map(along) {
            prop_assert!(point.x.is_finite() && point.y.is_finite());
            let spot = Area { corner: point, size: Extent { width: 0.0, height: 0.0 } };
            for area in &areas {
                prop_assert!(!area.overlaps(&spot), "{point:?} in {area:?}");
            }
        }
    }

    #[test]
    fn arrows_lead_from_box_to_box(graph in graph()) {
        let layout = layout(&graph).unwrap();
        let boxes = boxes(&graph, &layout);
        let touches = |area: &Area, point: &Point| {
            let (x, y) = (point.x - area.corner.x, point.y - area.corner.y);
            let (within_x, within_y) = (x >= -0.1 && x <= area.size.width + 0.1, y >= -0.1 && y <= area.size.height + 0.1);
            within_x && within_y
        };
        for (route, &(from, to, _)) in layout.routes.iter().zip(&graph.arrows) {
            prop_assert!(touches(&boxes[from], &route.points[0]));
            prop_assert!(touches(&boxes[to], &route.points[route.points.len() - 1]));
            let straight = [route.points[route.points.len() - 4], route.points[route.points.len() - 1]];
            let length = (straight[0].x - straight[1].x).hypot(straight[0].y - straight[1].y);
            prop_assert!(length >= STRAIGHT - 0.1, "no room for a head: {length}");
        }
    }
}

#[test]
fn one_state_alone_has_a_place() {
    let size = Extent { width: 40.0, height: 20.0 };
    let layout = layout(&Graph { initial: 0, boxes: vec![size], arrows: Vec::new() }).unwrap();
    assert_eq!(layout.corners, [Point { x: MARGIN + START, y: MARGIN }]);
}

/// Every graph is either drawn quickly or refused as too large.
#[test]
fn three_hundred_states_are_fine_and_all_pairs_of_them_are_refused() {
    let size = Extent { width: 40.0, height: 20.0 };
    let line = (1..300).flat_map(|state| [(state - 1, state, size), (state, state / 2, size)]);
    let boxes = vec![size; 300];
    assert!(layout(&Graph { initial: 0, boxes: boxes.clone(), arrows: line.collect() }).is_ok());
    let pairs = (0..300 * 300).map(|pair| (pair / 300, pair % 300, size));
    let refused = layout(&Graph { initial: 0, boxes, arrows: pairs.collect() }).map(|_| ());
    assert_eq!(refused, Err(TooLargeToDraw { n_states: 300, n_arrows: 90_000 }));
}
