//! Guards: what becomes of a class of steps whose components are bounded.
//!
//! The steps of a class that stay within the bounds are one action. For each participant that some step takes beyond
//! its bound there is another action, which is an error: that participant takes it in the local states that it would
//! leave, the others in all in which they can take part.

use crate::build::LocalMoves;
use crate::closure::{Closure, StepClass};
use crate::cut::{Cut, PartId, Role};

/// The participants of an action, each with its moves.
pub(crate) struct GuardedMoves {
    /// The participant that would leave its bound.
    pub beyond: Option<PartId>,
    /// The participants and their moves.
    pub moves: Vec<(PartId, LocalMoves)>,
}

/// The actions of a class with these participants.
pub(crate) fn guarded(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    class: &StepClass,
    moves: Vec<(PartId, LocalMoves)>,
) -> Vec<GuardedMoves> {
    let is_empty = |moves: &[(PartId, LocalMoves)]| moves.iter().any(|(_, m)| m.is_empty());
    if is_empty(&moves) {
        return Vec::new();
    }
    if !cut.manner.within {
        return vec![GuardedMoves { beyond: None, moves }];
    }
    if class.fails {
        let moves = moves.iter().map(|(part, moves)| (*part, waiting(moves))).collect();
        return vec![GuardedMoves { beyond: None, moves }];
    }
    let stays = |part: PartId, end: u32| closure.tables[part].is_reached(end);
    let mut actions = Vec::new();
    for &(part, ref own) in moves.iter().filter(|(part, _)| !watches(cut, *part)) {
        let leaving: LocalMoves = own.iter().copied().filter(|m| !stays(part, m.1)).collect();
        if leaving.is_empty() {
            continue;
        }
        let others = moves.iter().filter(|(other, _)| !watches(cut, *other));
        let others = others.map(|(other, moves)| match *other == part {
            true => (part, waiting(&leaving)),
            false => (*other, waiting(moves)),
        });
        actions.push(GuardedMoves { beyond: Some(part), moves: others.collect() });
    }
    let inside = moves.into_iter().map(|(part, mut moves)| {
        moves.retain(|m| stays(part, m.1));
        (part, moves)
    });
    let inside: Vec<_> = inside.collect();
    if !is_empty(&inside) {
        actions.insert(0, GuardedMoves { beyond: None, moves: inside });
    }
    actions
}

fn watches(cut: &Cut<'_>, part: PartId) -> bool {
    matches!(cut.parts[part].role, Role::Trace | Role::Claim(_))
}

/// Moves that end where they begin: nothing happens after an error.
fn waiting(moves: &[(u32, u32)]) -> LocalMoves {
    let mut starts: Vec<u32> = moves.iter().map(|&(start, _)| start).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.into_iter().map(|start| (start, start)).collect()
}

impl Cut<'_> {
    /// The name or the signature of an action, for the steps that take a component beyond its bound.
    pub fn beyond(&self, name: &str, part: PartId) -> String {
        format!("{name}; beyond {:?}", self.parts[part].name)
    }
}
