//! A requirement in the terms of its model, and as a file.

use crate::confirm::Violation;
use crate::limits::Limits;
use crate::page;
use crate::problem::{Problem, Source};
use resy_automata::lts::StateId;
use resy_automata::network::Network;
use resy_automata::text::{aut, dot, fsp};
use resy_compose::marks::{self as compose, marks};
use resy_compose::refine::{self, forward_first};
use resy_compose::{Conclusion, Requirement};
use resy_export::requirement::{Described, DescribedState, StateMark};
use resy_export::rewrite::{Module, requirement_proctype};
use resy_index::Id;
use std::path::Path;

/// With more states of the requirement and its environment no state is marked.
const MAX_MARKED: usize = 1_000_000;

/// The requirement with what its states stand for.
pub fn describe(problem: &Problem<'_>, requirement: &Requirement) -> Described {
    let lts = requirement.lts();
    let mut members = vec![Vec::new(); lts.n_states()];
    for state in problem.split.module.lts.states() {
        members[requirement.class_of(state).index()].push(problem.state_name(state));
    }
    let marks = marks(&problem.split, requirement, MAX_MARKED);
    let marks = marks.unwrap_or_else(|| vec![compose::RequirementMark::Plain; lts.n_states()]);
    let states = members.into_iter().zip(marks).map(|(members, mark)| {
        let mark = match mark {
            compose::RequirementMark::Plain => StateMark::Plain,
            compose::RequirementMark::Unreachable => StateMark::Unreachable,
            compose::RequirementMark::Error => StateMark::Error,
        };
        DescribedState { members, mark }
    });
    let module = problem.names(true).join(", ");
    Described::new(&module, lts, &problem.network.actions, states.collect())
}

/// The requirement for a report: canonical, unless a limit is reached before.
pub fn synthesize(problem: &Problem<'_>, limits: &Limits) -> Described {
    let requirement = refine::assume(&problem.split, forward_first, |draft| {
        let is_late = limits.exceeded().is_some();
        if is_late {
            draft.hurry();
        }
        !is_late
    });
    describe(problem, &requirement)
}

/// The text of a file with this name; `facts` and a violation are shown where there is room for them.
pub fn write(
    file: &Path,
    problem: &Problem<'_>,
    requirement: &Requirement,
    described: &Described,
    facts: &[(String, String)],
    violation: Option<&Violation>,
) -> Result<String, String> {
    let (lts, actions) = (requirement.lts(), &problem.network.actions);
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("aut") => aut::write(lts, actions, "i").map_err(|error| error.to_string()),
        Some("dot") => Ok(dot::component(&described.to_component(lts), actions)),
        Some("fsp" | "lts") => {
            let components = [described.to_component(lts)].into_iter().collect();
            let network = Network {
                components,
                monitor: None,
                module: Vec::new(),
                ..problem.network.clone()
            };
            Ok(fsp::write(&network))
        }
        Some("json") => Ok(format!("{:#}\n", described.to_json())),
        Some("svg") => described.to_svg().map_err(|too_large| {
            format!("{}: {too_large}; .html, .json and .dot have no limit", file.display())
        }),
        Some("html") => {
            let steps = match &requirement.verdict {
                Conclusion::Fails(steps) => Some(&steps[..]),
                _ => None,
            };
            Ok(page::of_requirement(problem, described, facts, violation, steps))
        }
        Some("pml") => proctype(problem, requirement, described)
            .map_err(|why| format!("{}: {why}", file.display())),
        _ => Err(format!(
            "{}: the extension says what to write: .pml, .aut, .fsp, .dot, .svg, .html or .json",
            file.display()
        )),
    }
}

/// The requirement as a proctype to read.
fn proctype(
    problem: &Problem<'_>,
    requirement: &Requirement,
    described: &Described,
) -> Result<String, String> {
    let Some(Source { model, cut, components, .. }) = &problem.source else {
        return Err("a network of automata has no Promela".to_owned());
    };
    let module = Module { cut, components, members: &problem.network.module };
    let members = |state: StateId| described.states[state.index()].members.clone();
    let text = model.program.preprocessed();
    let proctype = requirement_proctype(&text, module, requirement.lts(), &members);
    proctype.map_err(|why| why.to_string())
}
