//! A requirement in the terms of its model: what its states stand for.

use crate::assumption::InterfaceAssumption;
use crate::control::Control;
use crate::problem::Problem;
use resy_automata::lts::{ActionId, Lts};
use resy_automata::network::Action;
use resy_compose::Requirement;
use resy_compose::marks::{RequirementMark, marks_while};
use resy_compose::refine::{self, RequirementDraft, forward_first};
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
        Self::new_within(problem, requirement, &Control::unlimited())
    }

    /// Like [`new`](Self::new), within the limits of a control: beyond them no state is marked.
    pub fn new_within(problem: &Problem<'_>, requirement: &Requirement, control: &Control) -> Self {
        let go_on = || control.may_go_on();
        let marks = marks_while(&problem.split, requirement, MAX_MARKED, go_on);
        let n_states = requirement.lts().n_states();
        let marks = marks.unwrap_or_else(|| vec![RequirementMark::Plain; n_states]);
        Self::with_marks(problem, requirement, marks)
    }

    /// Names the states of an assumption after the module's states that it may be in with.
    /// `None` if the assumption is an image of the module.
    pub fn of_assumption(problem: &Problem<'_>, assumption: &InterfaceAssumption) -> Option<Self> {
        let words = assumption.words.as_ref()?;
        let members = words.members(problem);
        let mark = |members: &Vec<String>| match members.is_empty() {
            true => RequirementMark::Unreachable,
            false => RequirementMark::Plain,
        };
        Some(Self {
            module: problem.names(true).join(", "),
            lts: words.lts.clone(),
            actions: problem.network.actions.clone(),
            marks: members.iter().map(mark).collect(),
            members,
        })
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
        let go_on = |draft: &mut RequirementDraft<'_, '_>| {
            let is_late = !control.may_go_on();
            if is_late {
                draft.hurry();
            }
            !is_late
        };
        let in_step = || control.may_go_on();
        let requirement = refine::assume_while(&problem.split, forward_first, go_on, in_step);
        Self::new_within(problem, &requirement, control)
    }
}
