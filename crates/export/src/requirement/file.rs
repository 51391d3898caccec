//! A requirement as a file: its extension says how it is written.

use super::{Described, DescribedState, StateMark};
use crate::pages::requirement_page;
use crate::rewrite::{Module, requirement_proctype};
use resy::assume::Assumed;
use resy::{NamedRequirement, Source, Subject};
use resy_automata::lts::StateId;
use resy_automata::network::Network;
use resy_automata::text::{aut, dot, fsp};
use resy_index::Id;
use std::path::Path;

impl Described {
    /// The description of a requirement with names.
    pub fn of(named: &NamedRequirement) -> Self {
        use resy::RequirementMark;
        let states = named.members.iter().zip(&named.marks).map(|(members, mark)| {
            let mark = match mark {
                RequirementMark::Plain => StateMark::Plain,
                RequirementMark::Unreachable => StateMark::Unreachable,
                RequirementMark::Error => StateMark::Error,
            };
            DescribedState { members: members.clone(), mark }
        });
        Self::new(&named.module, &named.lts, &named.actions, states.collect())
    }
}

/// Whether the extension of a file says how a requirement is written.
pub fn is_known_extension(file: &Path) -> bool {
    let known = ["aut", "dot", "fsp", "lts", "json", "svg", "html", "pml"];
    file.extension().and_then(|extension| extension.to_str()).is_some_and(|e| known.contains(&e))
}

/// The text of a file with this name; `facts` are shown where there is room for them.
pub fn file_text(
    file: &Path,
    assumed: &Assumed<'_>,
    described: &Described,
    facts: &[(String, String)],
    made_by: String,
) -> Result<String, String> {
    let problem = &assumed.problem;
    let (lts, actions) = (assumed.shown_lts(), &problem.network.actions);
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
        Some("svg") => described
            .to_svg()
            .map_err(|too_large| format!("{too_large}; .html, .json and .dot have no limit")),
        Some("html") => Ok(requirement_page(assumed, described, facts, made_by)),
        // An assumption is about some actions only; the image of the module can stand for it.
        Some("pml") if assumed.assumption.as_ref().is_some_and(|a| a.words.is_some()) => {
            proctype(assumed, &Described::of(&assumed.named_image()))
        }
        Some("pml") => proctype(assumed, described),
        _ => Err("the extension does not say what to write".to_owned()),
    }
}

/// The requirement as a proctype to read.
fn proctype(assumed: &Assumed<'_>, described: &Described) -> Result<String, String> {
    let problem = &assumed.problem;
    let (Some(Source { cut, components }), Subject::Program(program)) =
        (&problem.source, problem.model.subject())
    else {
        return Err("a network of automata has no Promela".to_owned());
    };
    let module = Module { cut, components, members: &problem.network.module };
    let members = |state: StateId| described.states[state.index()].members.clone();
    let text = program.sources.preprocessed();
    let proctype = requirement_proctype(&text, module, assumed.requirement.lts(), &members);
    proctype.map_err(|why| why.to_string())
}
