//! Many processes at once: every component is abstracted, and none is the module.
//!
//! One partition for each component, a single class at first; the monitor is not abstracted. As long
//! as the abstract product has a path to the error state, its word is replayed in each component
//! alone, which costs the sum of the components and not their product. If all can follow, it
//! is a run of the network. Otherwise every component that cannot is refined, where it
//! gets stuck on the classes of the path.

use crate::labels::ContextId;
use crate::refine::abstraction::{Abstraction, Direction, EdgeId};
use crate::refine::classes::{ClassId, Classes};
use crate::refine::{Checked, Progress};
use crate::requirement::Verdict;
use crate::split::Split;
use resy_automata::lts::{Label, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::Step;
use resy_index::Id;

/// Whether the property holds of a split without a module; unknown if `go_on` says no before this
/// is decided.
pub fn check(split: &Split, mut go_on: impl FnMut(&Progress) -> bool) -> Checked {
    if split.fails_at_once() {
        let partitions = split.environment.iter().map(|p| Partition::single(p.lts.n_states()));
        let (verdict, partitions) = (Verdict::Fails(Vec::new()), partitions.collect());
        return Checked { verdict, partitions };
    }
    let mut abstraction = Abstraction::coarsest(split);
    let mut steps = 0;
    let verdict = loop {
        let Some(path) = Path::to_error(&abstraction) else { break Verdict::Holds };
        if !go_on(&abstraction.progress(steps)) {
            break Verdict::Interrupted;
        }
        let stuck: Vec<usize> = (0..abstraction.parts.len())
            .filter(|&part| !path.is_possible(&abstraction, part))
            .collect();
        if stuck.is_empty() {
            break Verdict::Fails(path.steps);
        }
        for part in stuck {
            let (class, apart) = path.conflict(&abstraction, part);
            abstraction.split(part, class, &apart);
            steps += 1;
        }
    };
    Checked { verdict, partitions: abstraction.partitions() }
}

/// A way of the abstract product into the error state.
struct Path {
    steps: Vec<Step>,
    /// The classes before each step, and after all but the last.
    places: Vec<Box<[ClassId]>>,
}

impl Path {
    /// A shortest one.
    fn to_error(abstraction: &Abstraction<'_>) -> Option<Self> {
        let mut order = vec![abstraction.initial()];
        let mut from: Vec<Option<EdgeId>> = vec![None; abstraction.n_ids()];
        let mut seen = vec![false; abstraction.n_ids()];
        seen[abstraction.initial().index()] = true;
        let mut next = 0;
        while let Some(&context) = order.get(next) {
            if let Some(&(last, _)) = abstraction[context].errors.first() {
                return Some(Self::along(abstraction, context, last, &from));
            }
            for (id, edge) in abstraction.edges(context, Direction::Forward) {
                if !std::mem::replace(&mut seen[edge.target.index()], true) {
                    from[edge.target.index()] = Some(id);
                    order.push(edge.target);
                }
            }
            next += 1;
        }
        None
    }

    fn along(
        abstraction: &Abstraction<'_>,
        end: ContextId,
        last: Step,
        from: &[Option<EdgeId>],
    ) -> Self {
        let (mut steps, mut places) = (vec![last], vec![abstraction[end].place.0.clone()]);
        let mut now = end;
        while let Some(id) = from[now.index()] {
            let edge = abstraction.edge(id);
            now = edge.source;
            steps.push(edge.step);
            places.push(abstraction[now].place.0.clone());
        }
        steps.reverse();
        places.reverse();
        Self { steps, places }
    }

    /// The steps in which a part takes part: their positions and labels.
    fn of_part<'s>(
        &'s self,
        abstraction: &'s Abstraction<'_>,
        part: usize,
    ) -> impl Iterator<Item = (usize, Label)> + 's {
        let steps = self.steps.iter().enumerate();
        let own = steps.filter(move |(_, step)| abstraction.participants(**step).contains(&part));
        own.map(|(at, step)| (at, step.label()))
    }

    /// Whether a component can follow the word, on whatever classes.
    fn is_possible(&self, abstraction: &Abstraction<'_>, part: usize) -> bool {
        let classes = &abstraction.parts[part];
        let mut now = vec![classes.lts.initial()];
        for (_, label) in self.of_part(abstraction, part) {
            now = after(classes, &now, label, None);
        }
        !now.is_empty()
    }

    /// Where a component that cannot follow the word gets stuck on the classes of the path: the class, and its
    /// members that have the next step into the next class.
    fn conflict(&self, abstraction: &Abstraction<'_>, part: usize) -> (ClassId, Vec<StateId>) {
        let classes = &abstraction.parts[part];
        let mut now = vec![classes.lts.initial()];
        for (at, label) in self.of_part(abstraction, part) {
            let (class, target) = (self.places[at][part], self.places.get(at + 1).map(|p| p[part]));
            now = after(classes, &now, label, target);
            if now.is_empty() {
                return (class, classes.left(class, label, target));
            }
        }
        unreachable!("who can follow on the classes can follow")
    }
}

/// Where these states get by a label, in a class or anywhere.
fn after(
    classes: &Classes<'_>,
    states: &[StateId],
    label: Label,
    class: Option<ClassId>,
) -> Vec<StateId> {
    let rows = states.iter().flat_map(|&state| classes.lts.transitions_by(state, label));
    let there = rows.map(|t| t.1);
    let mut next: Vec<StateId> =
        there.filter(|&to| class.is_none_or(|class| classes.class_of(to) == class)).collect();
    next.sort_unstable();
    next.dedup();
    next
}
