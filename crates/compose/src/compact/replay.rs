//! A path of contexts in the parts of the environment themselves: they can follow it, or one of them is too coarse.

use super::contexts::{ContextId, Contexts, Mover};
use super::trail::{Trail, TrailMove};
use super::world::{MODULE, World};
use crate::sides::Trace;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::ProductStep;
use rustc_hash::FxHashMap;

/// A step of a path: of the environment, of the module, or of both.
#[derive(Copy, Clone, Debug)]
pub(super) struct PathMove {
    pub by: Mover,
    /// The context after it.
    pub context: ContextId,
    /// The states of the module before and after, if the path is one of the module itself.
    pub module: Option<(StateId, StateId)>,
}

/// Where a piece cannot follow: none of the states that it can be in has the next step.
pub(super) struct Stuck {
    pub piece: usize,
    /// Its class there.
    pub class: usize,
    pub label: Label,
    /// The class that the step should lead to.
    pub target: usize,
}

/// The steps of all parts of the environment along a path.
pub(super) struct Followed {
    trails: FxHashMap<usize, Trail>,
}

/// Follows a path from the first context; the last step may lead to the error, which has no classes.
pub(super) fn follow(
    world: &World<'_>,
    contexts: &Contexts,
    path: &[PathMove],
) -> Result<Followed, Stuck> {
    let mut trails: FxHashMap<usize, Trail> = FxHashMap::default();
    let mut before = 0;
    for step in path {
        let (label, takers) = match step.by {
            Mover::Internal(MODULE) => continue,
            Mover::Internal(piece) => (Label::Tau, vec![piece]),
            Mover::Action(action) => {
                (Label::Visible(action), world.environment_of(action).collect())
            }
        };
        let mut stuck: Option<Stuck> = None;
        for piece in takers {
            let trail = trails.entry(piece).or_insert_with(|| Trail::new(world, piece));
            let targets = contexts.classes_after(world, (before, step.context), piece, label);
            let is_split = world.pieces[piece].is_split();
            if !targets.iter().any(|&class| trail.go(world, piece, label, class))
                && stuck.as_ref().is_none_or(|s| is_split && !world.pieces[s.piece].is_split())
            {
                let class = contexts.class(before, piece);
                stuck = Some(Stuck { piece, class, label, target: targets[0] });
            }
        }
        if let Some(stuck) = stuck {
            return Err(stuck);
        }
        before = step.context;
    }
    Ok(Followed { trails })
}

impl Followed {
    /// The run of the network: the path with the private steps that the environment needs.
    pub(super) fn run(&self, world: &World<'_>, path: &[PathMove]) -> Trace {
        let mut moves: FxHashMap<usize, std::vec::IntoIter<TrailMove>> = FxHashMap::default();
        for (&piece, trail) in &self.trails {
            moves.insert(piece, trail.moves(&world.pieces[piece]).into_iter());
        }
        let mut run = Trace::new();
        let mut next = |piece: usize, run: &mut Trace| {
            let (before, who) = moves.get_mut(&piece)?.next()?;
            run.extend(before);
            who
        };
        for step in path {
            match step.by {
                Mover::Internal(MODULE) => {
                    let part = world.pieces[MODULE].part;
                    let who = step.module.and_then(|(from, to)| part.who_moved(from, to));
                    run.extend(who.map(ProductStep::Tau));
                }
                Mover::Internal(piece) => {
                    let who = next(piece, &mut run);
                    run.extend(who.map(ProductStep::Tau));
                }
                Mover::Action(action) => {
                    for piece in world.environment_of(action) {
                        next(piece, &mut run);
                    }
                    run.push(ProductStep::Action(action));
                }
            }
        }
        run
    }
}
