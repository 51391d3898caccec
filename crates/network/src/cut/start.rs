//! The start of a program, up to the state in which all its processes exist.
//!
//! Components are static. Therefore the start is executed first: as long as some process may still
//! create others, the only possible step is taken. If several are possible, a step that only
//! creates processes, or computes their arguments, is taken first: it commutes with the steps of
//! the others.

use crate::cut::refusal::{CutObstacle, CutRefusal};
use crate::cut::uses::{observes_lives, reachable, starts_process};
use resy_system::{
    CellRef, Command, Control, Edge, Expr, Interpreter, Move, ProctypeId, Scope, SourcePlace,
    State, Step, System,
};

/// A start with more steps is refused.
const MAX_STEPS: usize = 100_000;

/// The moves of one step: that of the actor, and that of the receiver of a rendezvous.
pub type MovePair = (Move, Option<Move>);

/// The program after its start.
pub struct Start {
    /// The state in which all processes exist.
    pub state: State,
    /// The states before it that spin stores, oldest first.
    pub before: Vec<State>,
    /// The moves that lead to the state.
    pub moves: Vec<MovePair>,
}

/// Runs the start of a program. With `in_order`, a step is taken only if it is the only possible
/// one, because a claim counts steps. `go_on` may cancel.
pub fn elaborate(
    interpreter: &Interpreter<'_>,
    in_order: bool,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Start, CutRefusal> {
    let system = interpreter.system();
    let refuse = |why, source| Err(CutRefusal { why, source });
    let mut state = match interpreter.initial() {
        Ok(state) => state,
        Err(kind) => return refuse(CutObstacle::BadStart(kind), SourcePlace::default()),
    };
    let (mut before, mut moves, mut control) = (Vec::new(), Vec::new(), Control::Free);
    while let Some((creator, source)) = creator(system, &state) {
        if moves.len() >= MAX_STEPS {
            return refuse(CutObstacle::LongStart, source);
        }
        if !go_on() {
            return refuse(CutObstacle::Stopped, source);
        }
        let Some(step) = only_step(interpreter, &state, control, creator, in_order) else {
            return refuse(CutObstacle::LateRun, source);
        };
        if let Some(violation) = step.violations.into_iter().next() {
            return refuse(CutObstacle::BadStart(violation.kind), violation.source);
        }
        let Some((next, next_control)) = step.next else {
            return refuse(CutObstacle::LateRun, source);
        };
        if control == Control::Free {
            before.push(state);
        }
        moves.push((step.actor, step.partner));
        (state, control) = (next, next_control);
    }
    // No process keeps control between steps of a network: run the rest of an `atomic`.
    while let Control::Atomic(pid) = control {
        if !go_on() {
            return refuse(CutObstacle::Stopped, SourcePlace::default());
        }
        let mut steps = interpreter.steps(&state, control).steps;
        match (steps.len(), steps.pop()) {
            (0, _) => break,
            (
                1,
                Some(Step { next: Some((next, next_control)), violations, actor, partner, .. }),
            ) if violations.is_empty() && moves.len() < MAX_STEPS => {
                moves.push((actor, partner));
                (state, control) = (next, next_control);
            }
            _ => {
                let process = &state.processes()[pid];
                let edges = &system.proctypes[process.proctype].edges[process.location];
                return refuse(
                    CutObstacle::LateRun,
                    edges.first().map(|e| e.source).unwrap_or_default(),
                );
            }
        }
    }
    Ok(Start { state, before, moves })
}

/// The oldest process that may still create others, and the source place of a `run`.
fn creator(system: &System, state: &State) -> Option<(usize, SourcePlace)> {
    state.processes().iter().enumerate().find_map(|(pid, process)| {
        let proctype = &system.proctypes[process.proctype];
        let locations = reachable(proctype, process.location);
        let edges = locations.into_iter().flat_map(|l| &proctype.edges[l]);
        edges.filter(|e| starts_process(&e.command)).map(|e| (pid, e.source)).next()
    })
}

/// The next step, if there is no choice.
fn only_step(
    interpreter: &Interpreter<'_>,
    state: &State,
    control: Control,
    creator: usize,
    in_order: bool,
) -> Option<Step> {
    let mut steps = interpreter.steps(state, control).steps;
    if steps.is_empty() && control != Control::Free {
        steps = interpreter.steps(state, Control::Free).steps;
    }
    if steps.len() > 1 {
        let system = interpreter.system();
        steps.retain(|step| step.actor.pid == creator);
        let commutes = steps.iter().all(|step| {
            let edge = interpreter.edge(state, step.actor);
            is_private(system, edge) && step.partner.is_none()
        });
        if in_order || !commutes || !creation_is_unobservable(system) {
            return None;
        }
    }
    if steps.len() == 1 { steps.pop() } else { None }
}

/// Whether an edge neither reads nor writes anything that other processes access.
fn is_private(system: &System, edge: &Edge) -> bool {
    let mut private = match &edge.command {
        Command::Skip | Command::Guard(_) | Command::Print(_) => true,
        Command::Assign(place, _) => place.scope != Scope::Global,
        _ => false,
    };
    edge.command.walk(&mut |e| {
        private &= match e {
            Expr::Load(place) => place.scope != Scope::Global || is_never_written(system, place),
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cond(..)
            | Expr::Run { .. }
            | Expr::Pid => true,
            _ => false,
        }
    });
    private
}

fn is_never_written(system: &System, place: &CellRef) -> bool {
    let mut written = false;
    for proctype in system.proctypes.iter() {
        for edge in proctype.edges.iter().flatten() {
            resy_system::for_each_write(&edge.command, &mut |other| {
                written |= other.scope == Scope::Global && overlap(other, place);
            });
        }
    }
    !written
}

fn overlap(a: &CellRef, b: &CellRef) -> bool {
    let end =
        |p: &CellRef| p.offset + p.indices.iter().map(|t| (t.len - 1) * t.stride).sum::<u32>();
    a.offset <= end(b) && b.offset <= end(a)
}

/// Whether no process can observe when others are created or which pids they get.
fn creation_is_unobservable(system: &System) -> bool {
    let sees = |e: &Expr| observes_lives(e) || matches!(e, Expr::GetPriority(_) | Expr::Timeout);
    let pids_matter = |e: &Expr| matches!(e, Expr::Pid);
    let ends = |proctype: ProctypeId| {
        let proctype = &system.proctypes[proctype];
        let locations = reachable(proctype, proctype.start);
        let mut edges = locations.into_iter().flat_map(|l| &proctype.edges[l]);
        edges.any(|e| matches!(e.command, Command::Exit))
    };
    let some_end = system.proctypes.ids().any(|p| system.proctypes[p].name != ":init:" && ends(p));
    let mut unseen = true;
    for proctype in system.proctypes.iter() {
        for edge in proctype.edges.iter().flatten() {
            edge.command.walk(&mut |e| unseen &= !(sees(e) || some_end && pids_matter(e)));
            // The value of `run` is a pid.
            let keeps_pid = matches!(&edge.command, Command::Assign(_, e) if e.any(|e| matches!(e, Expr::Run { .. })));
            unseen &= !(some_end && keeps_pid);
        }
    }
    unseen
}
