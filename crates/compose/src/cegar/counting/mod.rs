//! Counting: network refinement in which parts that are alike are abstracted to sums.
//!
//! ```text
//! groups of parts that are alike, each with one partition for all its members
//! loop:
//!     outline:  the quotients of the other split parts, for each class of a group a counter
//!     search:   a path of the outline to the error; if there is none, the property holds
//!     replay:   each part alone, whoever of a group it was; then with members chosen for each step
//!     split:    a class that mixes states, in all members of the group;
//!               or take a member out of its group, if the path fails because of who it was
//! ```
//!
//! Some invariants are about sums: as many invalidations are outstanding as a directory awaits
//! acknowledgements, as many workers wait as have arrived. Partitions of single components cannot express them. A tuple of
//! local states of a group becomes the multiset of its classes, *k* counters. That is an abstraction of the product of
//! the members, however they are partitioned, so that being alike is only a heuristic. A member that was taken out is an ordinary
//! part; in the end there are no groups, and this is plain refinement.

mod alike;
mod alone;
mod contexts;
mod fuse;
mod outline;
mod replay;
mod stutter;
mod together;

use super::parts::Parts;
use super::search::{self, SearchResult};
use super::{CONTEXT, COPIED};
use crate::refine::RefineProgress;
use crate::requirement::Conclusion;
use crate::split::Split;
use outline::CountedOutline;
use replay::Obstacle;
use std::cell::Cell;

pub use contexts::CountedOutcome;
pub(crate) use contexts::Multiset;
pub(super) use fuse::{fused, unfused};

/// Parts, of which some are in groups.
pub(crate) struct Counted<'a> {
    parts: Parts<'a>,
    /// The members of each group, in order; they have equal partitions.
    groups: Vec<Vec<usize>>,
}

impl<'a> Counted<'a> {
    /// One class for each part; these parts are not abstracted.
    pub(super) fn unsplit(split: &'a Split, whole: &[usize]) -> Self {
        let mut parts = Parts::unsplit(split);
        let groups = alike::groups(&parts, whole);
        whole.iter().for_each(|&part| parts.keep_whole(part));
        Self { parts, groups }
    }

    /// Whether there is anything to count.
    pub(super) fn has_groups(&self) -> bool {
        self.groups.iter().any(|group| group.len() > 1)
    }

    /// What was counted.
    pub(super) fn outcome(&self) -> CountedOutcome {
        let (partitions, groups) = (self.parts.partitions(), self.groups.clone());
        CountedOutcome { split: self.parts.whole_split().clone(), partitions, groups }
    }

    /// The group of a part.
    fn group_of(&self, part: usize) -> Option<usize> {
        self.groups.iter().position(|group| group.binary_search(&part).is_ok())
    }

    /// The number of classes of a group.
    fn n_classes(&self, group: &[usize]) -> usize {
        let quotient = group.first().and_then(|member| self.parts.quotients().get(member));
        quotient.map_or(1, |quotient| quotient.partition().n_blocks())
    }

    /// The work of removing an obstacle.
    fn cost(&self, obstacle: &Obstacle) -> usize {
        match obstacle {
            Obstacle::Mixed { part, able } => able.len() * self.parts.lts(*part).n_transitions(),
            Obstacle::Who(_) => 1,
        }
    }

    /// Removes an obstacle.
    fn refine(&mut self, obstacle: &Obstacle) {
        match obstacle {
            Obstacle::Mixed { part, able } => {
                self.parts.separate(*part, able);
                if let Some(group) = self.group_of(*part) {
                    for &member in self.groups[group].iter().filter(|member| *member != part) {
                        self.parts.set(member, self.parts.partition(*part));
                    }
                }
            }
            Obstacle::Who(member) => {
                for group in &mut self.groups {
                    group.retain(|other| other != member);
                }
            }
        }
    }
}

/// Refines the present groups and partitions until the property is decided; `Interrupted` if
/// `go_on(progress, work)` cancels. Work is counted as for plain refinement.
pub(super) fn refine(
    counted: &mut Counted<'_>,
    go_on: &mut dyn FnMut(&RefineProgress, usize) -> bool,
) -> Conclusion {
    if counted.parts.fails_at_once() {
        return Conclusion::Fails(Vec::new());
    }
    let (mut steps, mut work) = (0, 0);
    loop {
        let n_classes = counted.parts.n_classes();
        let counted_outline = CountedOutline::of(counted);
        let outline = &counted_outline.outline;
        let context = CONTEXT + outline.systems.len() / COPIED;
        work += outline.n_transitions();
        let so_far = work;
        let mut go_on = |n_contexts: usize| {
            let progress = RefineProgress { steps, n_classes, n_contexts };
            go_on(&progress, so_far + n_contexts * context)
        };
        let (result, n_contexts) = search::to_error(outline, &mut go_on);
        work += n_contexts * context;
        let path = match result {
            SearchResult::Path(path) => path,
            SearchResult::Nothing => return Conclusion::Holds,
            SearchResult::Interrupted => return Conclusion::Interrupted,
        };
        let visited = Cell::new(0);
        let go_on = &mut || go_on(n_contexts);
        let replayed = replay::run_or_obstacle(counted, &counted_outline, &path, &visited, go_on);
        work += visited.get() + path.steps.len() * CONTEXT;
        match replayed {
            Ok(run) => return Conclusion::Fails(run),
            Err(Some(obstacle)) => {
                work += counted.cost(&obstacle);
                counted.refine(&obstacle);
            }
            Err(None) => return Conclusion::Interrupted,
        }
        steps += 1;
    }
}
