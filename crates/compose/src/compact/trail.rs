//! The states that a piece can be in along a path, each with the one before it.

use super::piece::Piece;
use super::world::World;
use resy_automata::lts::{Label, StateId};
use resy_automata::network::ComponentId;
use resy_automata::product::ProductStep;
use resy_index::Id;

/// The states after each step of a path that the piece takes part in.
#[derive(Default)]
pub(super) struct Trail {
    places: Vec<Place>,
    /// Where the states after each step begin; the first are those before any step.
    starts: Vec<usize>,
    /// For each state of the piece, when it was last reached, and what time it is: a time for each step.
    reached: Vec<u32>,
    now: u32,
}

#[derive(Copy, Clone)]
struct Place {
    state: StateId,
    /// The place before, and the label of a private step if it was one.
    from: usize,
    private: Option<Label>,
}

/// What a piece does for one step of the path: private steps, then its part of the step, if that is internal the
/// component that moves.
pub(super) type TrailMove = (Vec<ProductStep>, Option<ComponentId>);

impl Trail {
    /// The states before the first step.
    pub(super) fn new(world: &World<'_>, number: usize) -> Self {
        let mut trail = Self::default();
        let piece = &world.pieces[number];
        let state = piece.lts().initial();
        trail.reached = vec![0; piece.lts().n_states()];
        trail.now = 1;
        trail.starts.push(0);
        trail.reach(state, usize::MAX, None);
        trail.close(world, piece, piece.class_of(state));
        trail
    }

    /// Goes on by a label into a class; if no state has such a step, nothing changes and the answer is no.
    pub(super) fn go(
        &mut self,
        world: &World<'_>,
        number: usize,
        label: Label,
        class: usize,
    ) -> bool {
        let piece = &world.pieces[number];
        let (first, end) = (self.starts[self.starts.len() - 1], self.places.len());
        self.now += 1;
        for from in first..end {
            let state = self.places[from].state;
            for &(_, to) in piece.lts().transitions_by(state, label) {
                if piece.class_of(to) == class {
                    self.reach(to, from, None);
                }
            }
        }
        if self.places.len() == end {
            return false;
        }
        self.starts.push(end);
        self.close(world, piece, class);
        true
    }

    /// Adds a state, unless it was reached by this step before.
    fn reach(&mut self, state: StateId, from: usize, private: Option<Label>) {
        if self.reached[state.index()] != self.now {
            self.reached[state.index()] = self.now;
            self.places.push(Place { state, from, private });
        }
    }

    /// Adds what private steps within the class reach.
    fn close(&mut self, world: &World<'_>, piece: &Piece<'_>, class: usize) {
        let mut next = self.starts[self.starts.len() - 1];
        while let Some(&Place { state, .. }) = self.places.get(next) {
            for &(label, to) in piece.lts().transitions_from(state) {
                if world.is_private(label) && piece.class_of(to) == class {
                    self.reach(to, next, Some(label));
                }
            }
            next += 1;
        }
    }

    /// What the piece does for each step that it takes part in.
    pub(super) fn moves(&self, piece: &Piece<'_>) -> Vec<TrailMove> {
        let mut moves: Vec<TrailMove> = Vec::new();
        // The last step may lead to any state, and nothing has to follow it.
        let mut at = self.starts[self.starts.len() - 1];
        let who = |from: usize, to: usize| {
            piece.part.who_moved(self.places[from].state, self.places[to].state)
        };
        while let Some(place) = self.places.get(at).filter(|place| place.from != usize::MAX) {
            match place.private {
                None => moves.push((Vec::new(), who(place.from, at))),
                Some(label) => {
                    let step = match label {
                        Label::Visible(action) => Some(ProductStep::Action(action)),
                        Label::Tau => who(place.from, at).map(ProductStep::Tau),
                    };
                    // An internal step that changes no component is none.
                    if let Some((before, _)) = moves.last_mut() {
                        before.extend(step);
                    }
                }
            }
            at = place.from;
        }
        moves.iter_mut().for_each(|(before, _)| before.reverse());
        moves.reverse();
        moves
    }
}
