//! The start of a program, up to where all its processes are there.
//!
//! Components are static. So the start is run first: as long as some process may still
//! create others, the one step that is possible is taken. A step that only creates
//! processes, or computes what they are created with, does not depend on what others do, so that
//! it is taken first also where others could move.

use crate::cut::refusal::{CutObstacle, CutRefusal};
use crate::cut::uses::{reachable, sees_lives, starts_process};
use resy_system::{
    Command, Control, Edge, Expr, Interpreter, Move, Place, ProctypeId, Scope, SourcePlace, State,
    Step, System,
};

/// More steps are no start.
const MAX_STEPS: usize = 100_000;

/// What one or two processes do in a step: a send and its receive.
pub type MovePair = (Move, Option<Move>);

/// The program after its start.
pub struct Start {
    /// The state in which all processes are there.
    pub state: State,
    /// The states before it, oldest first.
    pub before: Vec<State>,
    /// The moves that lead there.
    pub moves: Vec<MovePair>,
}

/// Runs the start of a program. With `in_order` no step is taken before another that is
/// possible: somebody counts the steps.
pub fn elaborate(interpreter: &Interpreter<'_>, in_order: bool) -> Result<Start, CutRefusal> {
    let system = interpreter.system();
    let refuse = |why, source| Err(CutRefusal { why, source });
    let mut state = match interpreter.initial() {
        Ok(state) => state,
        Err(kind) => return refuse(CutObstacle::BadStart(kind), SourcePlace::default()),
    };
    let (mut before, mut moves, mut control) = (Vec::new(), Vec::new(), Control::Free);
    while let Some((creator, source)) = creator(system, &state) {
        if before.len() >= MAX_STEPS {
            return refuse(CutObstacle::LongStart, source);
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
    // Nobody keeps control between steps of a network: run the rest of an `atomic`.
    while let Control::Atomic(pid) = control {
        let mut steps = interpreter.steps(&state, control).steps;
        match (steps.len(), steps.pop()) {
            (0, _) => break,
            (
                1,
                Some(Step { next: Some((next, next_control)), violations, actor, partner, .. }),
            ) if violations.is_empty() && before.len() < MAX_STEPS => {
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

/// The oldest process that may still create others, and where.
fn creator(system: &System, state: &State) -> Option<(usize, SourcePlace)> {
    state.processes().iter().enumerate().find_map(|(pid, process)| {
        let proctype = &system.proctypes[process.proctype];
        let locations = reachable(proctype, process.location);
        let edges = locations.into_iter().flat_map(|l| &proctype.edges[l]);
        edges.filter(|e| starts_process(&e.command)).map(|e| (pid, e.source)).next()
    })
}

/// The step that comes next without any choice.
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
        if in_order || !commutes || !births_go_unseen(system) {
            return None;
        }
    }
    if steps.len() == 1 { steps.pop() } else { None }
}

/// Whether an edge neither sees nor changes what others see.
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

fn is_never_written(system: &System, place: &Place) -> bool {
    let mut written = false;
    for proctype in system.proctypes.iter() {
        for edge in proctype.edges.iter().flatten() {
            crate::cut::uses::for_each_write(&edge.command, &mut |other| {
                written |= other.scope == Scope::Global && overlap(other, place);
            });
        }
    }
    !written
}

fn overlap(a: &Place, b: &Place) -> bool {
    let end = |p: &Place| p.offset + p.indices.iter().map(|t| (t.len - 1) * t.stride).sum::<u32>();
    a.offset <= end(b) && b.offset <= end(a)
}

/// Whether no process can tell when others come to life or which pids they get.
fn births_go_unseen(system: &System) -> bool {
    let sees = |e: &Expr| sees_lives(e) || matches!(e, Expr::GetPriority(_) | Expr::Timeout);
    let pids_matter = |e: &Expr| matches!(e, Expr::Pid);
    let ends = |proctype: ProctypeId| {
        let proctype = &system.proctypes[proctype];
        let locations = reachable(proctype, proctype.start);
        let mut edges = locations.into_iter().flat_map(|l| &proctype.edges[l]);
        edges.any(|e| matches!(e.command, Command::Exit))
    };
    let somebody_ends =
        system.proctypes.ids().any(|p| system.proctypes[p].name != ":init:" && ends(p));
    let mut unseen = true;
    for proctype in system.proctypes.iter() {
        for edge in proctype.edges.iter().flatten() {
            edge.command.walk(&mut |e| unseen &= !(sees(e) || somebody_ends && pids_matter(e)));
            // The number that `run` gives is a pid.
            let keeps_pid = matches!(&edge.command, Command::Assign(_, e) if e.any(|e| matches!(e, Expr::Run { .. })));
            unseen &= !(somebody_ends && keeps_pid);
        }
    }
    unseen
}
