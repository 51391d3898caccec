//! From labels back to states: a definite violation of the abstraction as a run.
//!
//! A state in a forward label is reachable with *every* member of the context, so that the path
//! there can be followed back from any member: each forward must edge has a predecessor for it.
//! From a state in a backward label the error is reachable with *every* member, and each backward
//! must edge has a successor. Labels may have been inherited from contexts that have been split
//! since, whose edges are gone; the history keeps them.

use super::classes::{ClassId, Classes};
use super::lower::Lower;
use super::refinement::Refinement;
use crate::labels::ContextId;
use crate::moves::Moves;
use crate::run::SplitRun;
use resy_automata::lts::{Label, StateId};
use resy_index::Id;

/// A state of the whole split, and an abstract context that contains it.
struct Point {
    context: ContextId,
    module: StateId,
    environment: Vec<StateId>,
}

impl Refinement<'_> {
    /// A run into the error, if the forward labels alone prove that there is one.
    pub(crate) fn forward_violation(&self) -> Option<SplitRun> {
        let moves = &self.forward.moves;
        let (context, step, module) = self.abstraction.live().find_map(|(id, context)| {
            let mut steps = context.errors.iter().map(|error| error.0);
            steps.find_map(|step| Some((id, step, moves.permitting(step, self.forward.get(id))?)))
        })?;
        // Some members can take the step; choose one of them.
        let mut environment = self.any_members(context);
        for &part in self.abstraction.participants(step).iter() {
            let (classes, class) = (&self.abstraction.parts[part], self.class(context, part));
            environment[part] = classes.left(class, step.label(), None)[0];
        }
        let run = self.before(&Point { context, module, environment });
        Some(run.into_error(self.split))
    }

    /// A run into the error, if the labels prove that there is one. The module must not be merged.
    pub(crate) fn violation(&self) -> Option<SplitRun> {
        let forward = self.forward_violation();
        forward.or_else(|| self.meeting()).or_else(|| self.backward_violation())
    }

    /// A run along forward labels to a state in a backward label, and on from there.
    fn meeting(&self) -> Option<SplitRun> {
        let (context, module) = self.abstraction.live().find_map(|(id, _)| {
            let both = self.forward.get(id).intersection(self.backward.get(id)).next()?;
            Some((id, Id::from_index(both)))
        })?;
        let environment = self.any_members(context);
        let point = Point { context, module, environment };
        let run = self.before(&point).then(self.after(&point));
        Some(run.into_error(self.split))
    }

    /// A run from the initial state, if it is in a backward label.
    fn backward_violation(&self) -> Option<SplitRun> {
        let (context, module) = (self.abstraction.initial(), self.split.module.lts.initial());
        if !self.backward.get(context).contains(module.index()) {
            return None;
        }
        let environment = self.split.environment.iter().map(|part| part.lts.initial()).collect();
        let run = self.after(&Point { context, module, environment });
        Some(run.into_error(self.split))
    }

    /// A run from the initial state to the point.
    fn before(&self, point: &Point) -> SplitRun {
        let back = Moves::backward(&self.split.module.lts, self.split.shared());
        let mut run = self.follow(&self.forward, point, &back, |classes, state, label, class| {
            classes.predecessors(state, label).find(|&before| classes.is_in(before, class))
        });
        run.states.reverse();
        run.labels.reverse();
        run
    }

    /// A run from the point to a state with a step into the error.
    fn after(&self, point: &Point) -> SplitRun {
        let moves = &self.forward.moves;
        self.follow(&self.backward, point, moves, |classes, state, label, class| {
            let after = classes.lts.transitions_by(state, label).iter().map(|t| t.1);
            after.into_iter().find(|&after| classes.is_in(after, class))
        })
    }

    /// The run from a point along the history of its label, in the order of the history; `next`
    /// finds a neighbour of a part's state in a class.
    fn follow(
        &self,
        lower: &Lower<'_>,
        point: &Point,
        moves: &Moves<'_>,
        next: impl Fn(&Classes<'_>, StateId, Label, ClassId) -> Option<StateId>,
    ) -> SplitRun {
        let origins = |context| self.abstraction.origins(context);
        let mut run = SplitRun { states: vec![self.state(point)], labels: Vec::new() };
        let mut environment = point.environment.clone();
        for link in lower.history.links(point.context, point.module, moves, origins) {
            let parts = link.step.map(|step| self.abstraction.participants(step));
            for &part in parts.iter().flat_map(|parts| parts.iter()) {
                let (classes, class) =
                    (&self.abstraction.parts[part], self.class(link.context, part));
                let found = next(classes, environment[part], link.label, class);
                environment[part] = found.expect("a must edge is one for every member");
            }
            let (context, module) = (link.context, link.state);
            run.labels.push(link.label);
            run.states.push(self.state(&Point {
                context,
                module,
                environment: environment.clone(),
            }));
        }
        run
    }

    fn any_members(&self, context: ContextId) -> Vec<StateId> {
        let parts = self.abstraction.parts.iter().enumerate();
        parts.map(|(i, part)| part.members(self.class(context, i))[0]).collect()
    }

    fn class(&self, context: ContextId, part: usize) -> ClassId {
        self.abstraction[context].tuple.0[part]
    }

    fn state(&self, point: &Point) -> Vec<StateId> {
        let monitor = self.abstraction[point.context].tuple.1;
        [&[point.module], &point.environment[..], &[monitor]].concat()
    }
}
