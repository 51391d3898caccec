//! From representatives to a run: the permutations are undone along the way.
//!
//! The states that a search has stored are images of those of a run. If `t` is the image of a state `s` under a
//! permutation and has a successor, `s` has the successor whose image that is. So each state of the run is found from
//! the next representative and the product of all permutations up to there.

use super::super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::super::findings::{Finding, same};
use super::{Canonicalizer, Permutation};
use crate::vector::Shape;
use resy_system::Outcome;

/// The moves of a run to a violation, from the representatives of its states; `go_on` is called for each step. `None` if
/// it says no, or if there is no such run.
pub(in super::super) fn concrete_run(
    expander: &mut Expander<'_>,
    representatives: &[Vec<u8>],
    found: &Finding,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Moves>> {
    let mut canonical = expander.symmetry.take()?;
    let moves = undo(expander, &mut canonical, representatives, found, go_on);
    expander.symmetry = Some(canonical);
    moves
}

fn undo(
    expander: &mut Expander<'_>,
    canonical: &mut Canonicalizer,
    representatives: &[Vec<u8>],
    found: &Finding,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Moves>> {
    let mut first = All::default();
    expander.initial(&mut first);
    let mut moves = Vec::new();
    let Some((mut state, _)) = first.arrived.pop() else { return Some(found.moves.clone()) };
    if first.violations.iter().any(|(outcome, _)| same(outcome, &found.outcome)) {
        return Some(moves);
    }
    let mut product = permutation(expander, canonical, &state);
    for pair in representatives.windows(2) {
        if !go_on() {
            return None;
        }
        let (next, step) = successor(expander, canonical, &pair[0], &pair[1])?;
        let image = image(expander, canonical, &product.inverse(), &next);
        let taken = moves_to(expander, &state, &image)?;
        moves.extend(taken);
        state = image;
        product = product.then(&step);
    }
    moves.extend(last_moves(expander, canonical, state, &found.outcome)?);
    Some(moves)
}

/// The permutation that leads from a state to its representative.
fn permutation(
    expander: &mut Expander<'_>,
    canonical: &mut Canonicalizer,
    vector: &[u8],
) -> Permutation {
    let id = expander.shape(vector);
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    let found = canonical.representative(layout, id, &shapes[id], vector);
    found.map_or_else(|| Permutation::identity(canonical.members.len()), |(_, order)| order)
}

fn image(
    expander: &mut Expander<'_>,
    canonical: &mut Canonicalizer,
    permutation: &Permutation,
    vector: &[u8],
) -> Vec<u8> {
    let id = expander.shape(vector);
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    canonical.apply(layout, id, &shapes[id], permutation, vector)
}

/// A successor whose representative is the given one, and the permutation that leads there.
fn successor(
    expander: &mut Expander<'_>,
    canonical: &mut Canonicalizer,
    from: &[u8],
    to: &[u8],
) -> Option<(Vec<u8>, Permutation)> {
    let mut all = All::default();
    expander.expand(from, &mut all);
    all.arrived.into_iter().find_map(|(vector, _)| {
        let order = permutation(expander, canonical, &vector);
        (image(expander, canonical, &order, &vector) == to).then_some((vector, order))
    })
}

fn moves_to(expander: &mut Expander<'_>, from: &[u8], to: &[u8]) -> Option<Vec<Moves>> {
    let mut all = All::default();
    expander.expand(from, &mut all);
    all.arrived.into_iter().find(|(vector, _)| vector == to).map(|(_, moves)| moves)
}

/// The moves from the last state to the violation. A process at its end that is not the youngest among its
/// representatives may have to end first.
fn last_moves(
    expander: &mut Expander<'_>,
    canonical: &Canonicalizer,
    mut state: Vec<u8>,
    outcome: &Outcome,
) -> Option<Vec<Moves>> {
    let mut before = Vec::new();
    loop {
        let mut all = All::default();
        expander.expand(&state, &mut all);
        if let Some((_, moves)) = all.violations.into_iter().find(|(o, _)| same(o, outcome)) {
            before.extend(moves);
            return Some(before);
        }
        let is_end = |moves: &[Moves]| match moves {
            [(only, None)] => is_ending(expander_shape(expander, &state), canonical, only.pid),
            _ => false,
        };
        let (next, moves) = all.arrived.into_iter().find(|(_, moves)| is_end(moves))?;
        before.extend(moves);
        state = next;
    }
}

/// The proctype and the location of the youngest process, with its pid.
type Youngest = Option<(usize, resy_system::ProctypeId, resy_system::LocationId)>;

fn expander_shape(expander: &Expander<'_>, vector: &[u8]) -> Youngest {
    let state = expander.peek(vector);
    let pid = state.processes().len().checked_sub(1)?;
    let process = state.processes()[pid];
    Some((pid, process.proctype, process.location))
}

fn is_ending(youngest: Youngest, canonical: &Canonicalizer, pid: usize) -> bool {
    youngest.is_some_and(|(last, proctype, location)| {
        last == pid && canonical.symmetry.processes[proctype].ends[location]
    })
}

/// All that an expansion finds.
#[derive(Default)]
struct All {
    arrived: Vec<(Vec<u8>, Vec<Moves>)>,
    violations: Vec<(Outcome, Vec<Moves>)>,
}

impl Arrivals for All {
    fn arrive(&mut self, vector: &[u8], _: &Shape, moves: TransitionMoves<'_>) {
        self.arrived.push((vector.to_vec(), moves.to_vec()));
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        self.violations.push((outcome, moves.to_vec()));
    }
}
