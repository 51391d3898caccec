//! Statement merging: a process does not stop at locations where stopping cannot be observed.
//!
//! If every statement at a location accesses only variables of its own process, and one of them is enabled
//! in every state, then it can follow immediately on whatever led there: the steps of others that could
//! come in between can as well come after. The edges that lead there therefore keep control (as inside
//! `atomic`), and the state is not stored. The statements and their numbers stay the same, and so do runs
//! and trails.
//!
//! This is Lipton's reduction (CACM 1975) for the simplest movers; spin does the same for chains of single
//! statements. Excluded are:
//!
//! - *A statement that may fail* (an index, a division): the steps of others that could come before it
//!   would be lost.
//! - *The beginning of an `atomic`*: the rest of the block would be joined as well, and need not commute.
//!   It is merged if the rest of the block is mergeable.
//! - *Escapes* (`unless`): which edge is enabled depends on the escape.
//! - *Choices where more than one edge can be enabled*: merging is sound, but the number of paths through a
//!   sequence of them grows exponentially.
//! - *A proctype with `provided`*: its statements are not enabled in every state.
//! - *Locations that a remote reference reads*, and those that lead there: these steps are observed from
//!   outside.
//! - *Everything*, if the schedule is observable: with priorities, `_last`, `enabled`, `pc_value` a step of
//!   one process changes what others may do.
//!
//! End labels do not matter: a process can always move on from such a location, so that no run ends there.
//! A rendezvous gives control to the receiver: it continues at once, the sender does not, which is sound
//! because it is a restriction to fewer schedules of the kind above.

use crate::access::{cells, is_local, stores};
use crate::observed::{Observed, Visible};
use crate::range::surely_succeeds;
use resy_index::IndexVec;
use resy_system::{Command, Edge, Expr, LocationId, Proctype, ProctypeId, Scope, System};

/// The system in which processes continue at once where they can.
pub fn merge(system: &System, visible: &Visible) -> System {
    merge_while(system, visible, &mut || true).expect("nothing ends it")
}

/// Like [`merge`]; `None` if `go_on` ends the computation.
pub fn merge_while(
    system: &System,
    visible: &Visible,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<System> {
    let mut merged = system.clone();
    let observed = Observed::of(system, visible);
    if observed.schedule {
        return Some(merged);
    }
    for (id, proctype) in system.proctypes.iter_enumerated() {
        if proctype.provided.is_some() {
            continue;
        }
        let passed = passed(id, proctype, &observed, go_on)?;
        for edge in merged.proctypes[id].edges.iter_mut().flatten() {
            edge.atomic |= edge.target.is_some_and(|target| passed[target]);
        }
    }
    Some(merged)
}

type Passable = IndexVec<LocationId, bool>;

/// The locations at which a process need not stop. They form no cycle.
fn passed(
    id: ProctypeId,
    proctype: &Proctype,
    observed: &Observed,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Passable> {
    let mut passed = Passable::default();
    for (at, edges) in proctype.edges.iter_enumerated() {
        passed.push(!observed.location(id, at) && can_pass(id, edges, observed));
        if !go_on() {
            return None;
        }
    }
    let before = before_inside_atomic(proctype);
    stop_inside_atomic(proctype, &before, &mut passed);
    while let Some(stop) = circle(proctype, &passed) {
        passed[stop] = false;
        spread_stops(vec![stop], &before, &mut passed);
        if !go_on() {
            return None;
        }
    }
    Some(passed)
}

/// Whether exactly one of these edges is enabled in every state, and which one cannot be observed.
fn can_pass(id: ProctypeId, edges: &[Edge], observed: &Observed) -> bool {
    let alone = match edges {
        [edge] => always_possible(&edge.command),
        [first, second] => {
            matches!(first.command, Command::Guard(_)) && matches!(second.command, Command::Else)
        }
        _ => false,
    };
    let unseen = |edge: &Edge| {
        edge.escape.is_none()
            && edge.target.is_some_and(|target| !observed.location(id, target))
            && is_own(id, &edge.command, observed)
            && surely_succeeds(&edge.command)
    };
    alone && edges.iter().all(unseen)
}

fn always_possible(command: &Command) -> bool {
    match command {
        Command::Skip
        | Command::Else
        | Command::Assign(..)
        | Command::Assert(..)
        | Command::Print(_) => true,
        Command::Guard(Expr::Const(c)) => *c != 0,
        _ => false,
    }
}

/// Whether a command accesses only variables that no other process reads.
fn is_own(id: ProctypeId, command: &Command, observed: &Observed) -> bool {
    let mut own = true;
    command.walk(&mut |e| own &= is_local(e));
    own && stores(command).iter().all(|place| match place.scope {
        Scope::Global => false,
        Scope::Local => !cells(place).any(|c| observed.cells[id].contains(c)),
        Scope::Nowhere => true,
    })
}

/// For each location those from which a step inside an `atomic` leads there.
fn before_inside_atomic(proctype: &Proctype) -> IndexVec<LocationId, Vec<LocationId>> {
    let mut before: IndexVec<LocationId, Vec<LocationId>> =
        proctype.edges.iter().map(|_| Vec::new()).collect();
    for (at, edges) in proctype.edges.iter_enumerated() {
        let targets = edges.iter().filter(|edge| edge.atomic).filter_map(|edge| edge.target);
        targets.for_each(|target| before[target].push(at));
    }
    before
}

/// A location inside an `atomic` is passed only if the rest of the block is.
fn stop_inside_atomic(
    proctype: &Proctype,
    before: &IndexVec<LocationId, Vec<LocationId>>,
    passed: &mut Passable,
) {
    let leaves = |edge: &Edge| edge.atomic && edge.target.is_none();
    for at in proctype.edges.ids() {
        passed[at] &= !proctype.edges[at].iter().any(leaves);
    }
    spread_stops(passed.ids().filter(|&at| !passed[at]).collect(), before, passed);
}

/// What leads to one of these stops inside an `atomic` is a stop as well.
fn spread_stops(
    mut stops: Vec<LocationId>,
    before: &IndexVec<LocationId, Vec<LocationId>>,
    passed: &mut Passable,
) {
    while let Some(stop) = stops.pop() {
        for &at in &before[stop] {
            if std::mem::take(&mut passed[at]) {
                stops.push(at);
            }
        }
    }
}

/// A location on a cycle of passed ones: the one by which a search from outside enters the cycle.
fn circle(proctype: &Proctype, passed: &Passable) -> Option<LocationId> {
    #[derive(Copy, Clone, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let targets =
        |l: LocationId| proctype.edges[l].iter().filter_map(|e| e.target).filter(|&t| passed[t]);
    let outside = passed.ids().filter(|&l| !passed[l] || l == proctype.start).flat_map(targets);
    let entries: Vec<LocationId> = outside.chain(passed.ids().filter(|&l| passed[l])).collect();
    let mut colour: IndexVec<LocationId, Colour> = passed.iter().map(|_| Colour::New).collect();
    for entry in entries {
        if colour[entry] != Colour::New {
            continue;
        }
        colour[entry] = Colour::Open;
        let mut path = vec![(entry, targets(entry).collect::<Vec<_>>())];
        while let Some((at, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                colour[*at] = Colour::Done;
                path.pop();
                continue;
            };
            match colour[next] {
                Colour::Open => return Some(next),
                Colour::Done => {}
                Colour::New => {
                    colour[next] = Colour::Open;
                    path.push((next, targets(next).collect()));
                }
            }
        }
    }
    None
}
