//! Replaying a path in each part alone: a run of the network, or a conflict.
//!
//! Private steps of a part concern no other part, and are invisible on a path of classes unless
//! they change the class. So between two steps of the path, a part may take any private steps
//! within its class.
//! Otherwise a part would be split by how far its private work has come, and these classes multiply:
//! a ring of 100 stations took more than 20 s without this rule, and takes 0.3 s with it.

use super::outline::{Outline, Ways};
use super::parts::{Parts, whole};
use super::search::Path;
use super::trail::Trail;
use resy_automata::lts::{ActionId, Label, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// A point where a part cannot follow a path: none of the states it can be in has the next step.
pub(super) struct Conflict {
    /// The part.
    pub part: usize,
    /// The class of the part at this point of the path.
    pub class: StateId,
    /// The labels of the next step, which the part cannot take.
    pub labels: Vec<Label>,
    /// The class that they would have to lead to.
    pub target: Option<StateId>,
}

/// The path as a run of the network, or the conflict.
pub(super) fn run_or_conflict(
    parts: &Parts<'_>,
    outline: &Outline,
    path: &Path,
) -> Result<Vec<ProductStep>, Conflict> {
    let on_classes = follow(parts, outline, path, true);
    // The word may be possible on other classes.
    on_classes.or_else(|conflict| follow(parts, outline, path, false).map_err(|_| conflict))
}

/// Follows a path, on its classes or on any classes.
fn follow(
    parts: &Parts<'_>,
    outline: &Outline,
    path: &Path,
    on_classes: bool,
) -> Result<Vec<ProductStep>, Conflict> {
    let mut replay = Replay { parts, outline, trails: FxHashMap::default() };
    let mut steps = Vec::with_capacity(path.steps.len());
    for (at, &step) in path.steps.iter().enumerate() {
        let to = path.contexts.get(at + 1).filter(|_| on_classes);
        let taken = match outline.ways(step) {
            Ways::Internal(part) => replay.alone(part, to.map(|c| &c[..])),
            Ways::Actions(actions) => replay.together(actions, to.map(|c| &c[..])),
        };
        steps.push(taken.ok_or_else(|| replay.conflict(step, &path.contexts[at], to))?);
    }
    Ok(private_before(parts, &replay.trails, &steps))
}

struct Replay<'r> {
    parts: &'r Parts<'r>,
    outline: &'r Outline,
    /// The trails of the parts that have moved.
    trails: FxHashMap<usize, Trail>,
}

impl Replay<'_> {
    /// Takes an internal step of a part.
    fn alone(&mut self, part: usize, to: Option<&[StateId]>) -> Option<ProductStep> {
        let trail = self.after(part, Label::Tau, to)?;
        self.trails.insert(part, trail);
        Some(ProductStep::Tau(Id::from_index(part)))
    }

    /// Takes one of the actions of a group: the first that all participants can take.
    fn together(&mut self, actions: &[ActionId], to: Option<&[StateId]>) -> Option<ProductStep> {
        let all = |action: ActionId| {
            let participants = self.parts.with(action).iter();
            let next = participants
                .map(|&part| Some((part, self.after(part, Label::Visible(action), to)?)));
            next.collect::<Option<Vec<_>>>()
        };
        let (action, next) = actions.iter().find_map(|&a| Some((a, all(a)?)))?;
        self.trails.extend(next);
        Some(ProductStep::Action(action))
    }

    /// The trail of a part after a step with this label into its class in the context `to`, or into
    /// any class.
    fn after(&self, part: usize, label: Label, to: Option<&[StateId]>) -> Option<Trail> {
        let class = to.map(|to| self.outline.class(to, part).unwrap_or_else(whole));
        match self.trails.get(&part) {
            Some(trail) => trail.after(self.parts, label, class),
            None => {
                let initial = self.parts.lts(part).initial();
                let here = to.map(|_| self.parts.class_of(part, initial));
                Trail::at(self.parts, part, initial, here).after(self.parts, label, class)
            }
        }
    }

    /// The conflict of a step that cannot be taken: in the part that rules out most of its
    /// alternatives, preferably one that has been split before.
    fn conflict(&self, step: ProductStep, from: &[StateId], to: Option<&Vec<StateId>>) -> Conflict {
        let to = to.map(|context| &context[..]);
        let mut ruled_out: FxHashMap<usize, Vec<Label>> = FxHashMap::default();
        match self.outline.ways(step) {
            Ways::Internal(part) => {
                ruled_out.insert(part, vec![Label::Tau]);
            }
            Ways::Actions(actions) => {
                for &action in actions {
                    let label = Label::Visible(action);
                    let stuck = self.parts.with(action).iter();
                    for &part in stuck.filter(|&&part| self.after(part, label, to).is_none()) {
                        ruled_out.entry(part).or_default().push(label);
                    }
                }
            }
        }
        let is_split = |part: &usize| self.outline.parts.binary_search(part).is_ok();
        let most = ruled_out
            .into_iter()
            .max_by_key(|(part, labels)| (labels.len(), is_split(part), std::cmp::Reverse(*part)));
        let (part, labels) = most.expect("a step that cannot be taken is ruled out by some part");
        let class = self.outline.class(from, part).unwrap_or_else(whole);
        let target = to.and_then(|context| self.outline.class(context, part));
        Conflict { part, class, labels, target }
    }
}

/// The steps of a path, each preceded by the private steps that it needs, given the trails of the
/// parts that have moved.
pub(super) fn private_before(
    parts: &Parts<'_>,
    trails: &FxHashMap<usize, Trail>,
    steps: &[ProductStep],
) -> Vec<ProductStep> {
    let mut private: FxHashMap<usize, std::vec::IntoIter<Vec<ProductStep>>> = FxHashMap::default();
    for (&part, trail) in trails {
        private.insert(part, trail.private_steps().into_iter());
    }
    let mut run = Vec::new();
    for &step in steps {
        let participants = match step {
            ProductStep::Tau(part) => &[part.index()][..],
            ProductStep::Action(action) => parts.with(action),
        };
        for part in participants {
            run.extend(private.get_mut(part).and_then(Iterator::next).into_iter().flatten());
        }
        run.push(step);
    }
    run
}
