//! Replaying a violation: from a finding to an executed run.
//!
//! First the stored states on the path are determined, then the moves between them, by expanding each state
//! until the next is found. The moves are then executed one after the other, possibly on the system before
//! the reductions.

use super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::findings::Finding;
use super::parents::Parents;
use super::symmetry::concrete_run;
use super::{Search, Task, Way};
use crate::store::StateStore;
use crate::tree::StoredId;
use crate::vector::Shape;
use resy_system::{Control, Interpreter, Outcome, State, Step};

/// One step of a run, executed.
pub struct Replay {
    /// The state before the step.
    pub before: State,
    /// The step.
    pub step: Step,
}

/// Up to this many states, steps are interpreted.
const FEW: u64 = 5_000;

/// The run from the initial state to a violation of `search`, executed by `interpreter`.
///
/// # Panics
///
/// If `found` is not a finding of `search`, if `search` is not a search of `task`, or if `interpreter` cannot execute
/// the run. It may have another system than the task, with the same edges: the one before the reductions.
pub fn replay(
    interpreter: &Interpreter<'_>,
    task: &Task<'_>,
    search: &Search,
    found: &Finding,
) -> Vec<Replay> {
    replay_while(interpreter, task, search, found, &mut || true).expect("nothing cancels it")
}

/// Like [`replay`]; `None` if `go_on`, which is called for each step, says no.
pub fn replay_while(
    interpreter: &Interpreter<'_>,
    task: &Task<'_>,
    search: &Search,
    found: &Finding,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Replay>> {
    // What was found after few states is found again sooner than code is compiled.
    let mut goes_on = || search.states > FEW;
    let mut expander =
        Expander::new_while(task, &mut goes_on).expect("what was searched has a first state");
    if let Some(shapes) = &search.shapes {
        expander.stepper.shapes().clone_from(shapes);
    }
    let vectors = way(search, &mut expander, found, go_on)?;
    let moves = match expander.symmetry {
        Some(_) => concrete_run(&mut expander, &vectors, found, go_on)?,
        None => moves_along(&mut expander, &vectors, found, go_on)?,
    };
    let run = execute_while(interpreter, &moves, go_on)?;
    assert_eq!(run.len(), moves.len(), "the system executes what the search has found");
    Some(run)
}

/// The moves along the stored states on the path to a violation, and to the violation itself.
fn moves_along(
    expander: &mut Expander<'_>,
    vectors: &[Vec<u8>],
    found: &Finding,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Moves>> {
    let mut moves = Vec::new();
    for pair in vectors.windows(2) {
        if !go_on() {
            return None;
        }
        let step = first_moves(expander, &pair[0], &pair[1]);
        moves.extend(step.expect("a stored state leads to the next one on the path"));
    }
    moves.extend_from_slice(&found.moves);
    Some(moves)
}

/// The stored states on the path to a violation.
fn way(
    search: &Search,
    expander: &mut Expander<'_>,
    found: &Finding,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Vec<u8>>> {
    let number = search.findings.iter().position(|f| std::ptr::eq(f, found));
    Some(match (&search.way, number) {
        (Way::Vectors(ways), Some(n)) => {
            let mut vectors = ways[n].clone();
            for vector in &mut vectors {
                expander.adopt(vector);
            }
            vectors
        }
        (Way::Paths(paths), Some(n)) => {
            paths[n].iter().map(|&id| search.stores[0].vector(expander, id)).collect()
        }
        (Way::Vectors(_) | Way::Paths(_), None) => panic!("the finding is not of this search"),
        (Way::Parents(parents), _) => {
            path_to(&search.stores[0], parents, expander, found.from, go_on)?
        }
    })
}

/// The stored states on the path to one of them, by the parents of a breadth-first search; `None` if `go_on`, which is
/// called for each of them, says no.
pub(super) fn path_to(
    store: &StateStore,
    parents: &Parents,
    expander: &mut Expander<'_>,
    mut id: StoredId,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Vec<u8>>> {
    let mut vectors = vec![store.vector(expander, id)];
    while id > 0 {
        if !go_on() {
            return None;
        }
        let goal = &vectors[vectors.len() - 1];
        let mut leads = |&c: &StoredId| {
            let candidate = store.vector(expander, c);
            first_moves(expander, &candidate, goal).is_some()
        };
        let parent = parents.candidates(id).find(&mut leads);
        id = parent.expect("a stored state was reached from one of the candidates");
        vectors.push(store.vector(expander, id));
    }
    vectors.reverse();
    Some(vectors)
}

/// The moves of the first transition from one state to another.
fn first_moves(expander: &mut Expander<'_>, from: &[u8], to: &[u8]) -> Option<Vec<Moves>> {
    let mut search = MovesTo { goal: to.to_vec(), moves: None };
    expander.expand(from, &mut search);
    search.moves
}

/// Looks for the transition to one state.
struct MovesTo {
    goal: Vec<u8>,
    moves: Option<Vec<Moves>>,
}

impl Arrivals for MovesTo {
    fn arrive(&mut self, vector: &[u8], _: &Shape, moves: TransitionMoves<'_>) {
        if self.moves.is_none() && vector == self.goal {
            self.moves = Some(moves.to_vec());
        }
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}

    fn goes_on(&self) -> bool {
        self.moves.is_none()
    }
}

/// Executes moves from the initial state, up to the first that is not possible.
pub fn execute(interpreter: &Interpreter<'_>, moves: &[Moves]) -> Vec<Replay> {
    execute_while(interpreter, moves, &mut || true).expect("nothing cancels it")
}

/// Like [`execute`]; `None` if `go_on`, which is called for each move, says no.
pub fn execute_while(
    interpreter: &Interpreter<'_>,
    moves: &[Moves],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Replay>> {
    let Ok(mut state) = interpreter.initial() else { return Some(Vec::new()) };
    let mut control = Control::Free;
    let mut run = Vec::new();
    for &(actor, partner) in moves {
        if !go_on() {
            return None;
        }
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
    Some(run)
}
