//! From a violation back to the run that leads to it.
//!
//! First the stored states on the way, then the moves between them: found again by
//! running each state to the next, and at last carried out one after the other. The
//! moves may be carried out on the system as it was before the reductions.

use super::expansion::{Arrivals, Expansion, Moves};
use super::findings::{Found, Outcome};
use super::{Search, Task, Way};
use crate::tree::{StateId, TreePath};
use crate::vector::Shape;
use resy_system::{Control, Interpreter, State, Step};

/// One step of a run, executed.
pub struct Replay {
    /// The state before the step.
    pub before: State,
    /// The step.
    pub step: Step,
}

/// The run from the initial state to a violation, carried out by `interpreter`.
pub fn replay(
    interpreter: &Interpreter<'_>,
    task: &Task<'_>,
    search: &Search,
    found: &Found,
) -> Vec<Replay> {
    let Ok(mut expansion) = Expansion::new(task) else { return Vec::new() };
    *expansion.stepper.shapes() = search.shapes.clone();
    let ids = way(search, &mut expansion, found);
    let mut moves = Vec::new();
    for pair in ids.windows(2) {
        moves.extend(moves_between(search, &mut expansion, pair[0], pair[1]));
    }
    moves.extend_from_slice(&found.moves);
    let Ok(initial) = interpreter.initial() else { return Vec::new() };
    execute(interpreter, initial, &moves)
}

/// The stored states on the way to a violation.
fn way(search: &Search, expansion: &mut Expansion<'_>, found: &Found) -> Vec<StateId> {
    match &search.way {
        Way::Paths(paths) => {
            let number = search.findings.iter().position(|f| std::ptr::eq(f, found));
            number.map(|n| paths[n].clone()).unwrap_or_default()
        }
        Way::Parents(parents) => {
            let mut ids = vec![found.from];
            while let Some(&id) = ids.last()
                && id > 0
            {
                let leads = |&c: &StateId| first_moves(search, expansion, c, id).is_some();
                let Some(parent) = parents.candidates(id).find(leads) else { break };
                ids.push(parent);
            }
            ids.reverse();
            ids
        }
    }
}

fn moves_between(
    search: &Search,
    expansion: &mut Expansion<'_>,
    from: StateId,
    to: StateId,
) -> Vec<Moves> {
    first_moves(search, expansion, from, to).unwrap_or_default()
}

/// The moves of the first transition from one state to another.
fn first_moves(
    search: &Search,
    expansion: &mut Expansion<'_>,
    from: StateId,
    to: StateId,
) -> Option<Vec<Moves>> {
    let (mut vector, mut goal, mut path) = (Vec::new(), Vec::new(), TreePath::new());
    expansion.load(&search.store, from, &mut vector, &mut path);
    expansion.load(&search.store, to, &mut goal, &mut path);
    let mut hunt = Hunt { goal, moves: None };
    expansion.expand(&vector, &mut hunt);
    hunt.moves
}

/// Waits for one state.
struct Hunt {
    goal: Vec<u8>,
    moves: Option<Vec<Moves>>,
}

impl Arrivals for Hunt {
    fn arrive(&mut self, vector: &[u8], _: &Shape, moves: &[Moves]) {
        if self.moves.is_none() && vector == self.goal {
            self.moves = Some(moves.to_vec());
        }
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}

    fn goes_on(&self) -> bool {
        self.moves.is_none()
    }
}

/// Carries out moves from a state.
fn execute(interpreter: &Interpreter<'_>, mut state: State, moves: &[Moves]) -> Vec<Replay> {
    let mut control = Control::Free;
    let mut run = Vec::new();
    for &(actor, partner) in moves {
        let fits = |s: &Step| s.actor == actor && s.partner == partner;
        let mut steps = interpreter.steps(&state, control).steps.into_iter();
        let step = steps
            .find(fits)
            .or_else(|| interpreter.steps(&state, Control::Free).steps.into_iter().find(fits));
        let Some(step) = step else { break };
        let next = step.next.clone();
        run.push(Replay { before: state.clone(), step });
        match next {
            Some((after, c)) => (state, control) = (after, c),
            None => break,
        }
    }
    run
}
