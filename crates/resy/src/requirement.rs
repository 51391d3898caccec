//! A requirement in the terms of its model: what its states stand for.

use crate::control::Control;
use crate::problem::Problem;
use resy_automata::lts::{ActionId, Lts};
use resy_automata::network::Action;
use resy_compose::Requirement;
use resy_compose::marks::{RequirementMark, marks};
use resy_compose::refine::{self, forward_first};
use resy_index::{Id, IndexVec};

/// With more states of the requirement and its environment no state is marked.
const MAX_MARKED: usize = 1_000_000;

/// A requirement with the names of what its states and actions stand for.
pub struct NamedRequirement {
    /// The names of the module's components.
    pub module: String,
    /// The requirement.
    pub lts: Lts,
    /// The actions.
    pub actions: IndexVec<ActionId, Action>,
    /// For each state the names of the module's states that it stands for.
    pub members: Vec<Vec<String>>,
    /// For each state whether it is reachable, and whether an error is.
    pub marks: Vec<RequirementMark>,
}

impl NamedRequirement {
    /// Names the states of a requirement.
    pub fn new(problem: &Problem<'_>, requirement: &Requirement) -> Self {
        let marks = marks(&problem.split, requirement, MAX_MARKED);
        let n_states = requirement.lts().n_states();
        let marks = marks.unwrap_or_else(|| vec![RequirementMark::Plain; n_states]);
        Self::with_marks(problem, requirement, marks)
    }

    /// Names the states of a requirement whose marks are known.
    pub fn with_marks(
        problem: &Problem<'_>,
        requirement: &Requirement,
        marks: Vec<RequirementMark>,
    ) -> Self {
        let lts = requirement.lts();
        let mut members = vec![Vec::new(); lts.n_states()];
        for state in problem.split.module.lts.states() {
            members[requirement.class_of(state).index()].push(problem.state_name(state));
        }
        Self {
            module: problem.names(true).join(", "),
            lts: lts.clone(),
            actions: problem.network.actions.clone(),
            members,
            marks,
        }
    }

    /// The requirement of a problem: canonical, unless a limit is reached before.
    pub fn synthesize(problem: &Problem<'_>, control: &Control) -> Self {
        let requirement = refine::assume(&problem.split, forward_first, |draft| {
            let is_late = !control.may_go_on();
            if is_late {
                draft.hurry();
            }
            !is_late
        });
        Self::new(problem, &requirement)
    }
}
