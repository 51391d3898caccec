//! The page of a requirement, with the run if the property is violated.

use super::{components, network, sources};
use crate::report::{FactTable, Page};
use crate::requirement::Described;
use crate::run::run_of;
use resy::assume::{Assumed, PropertyStatus};

/// The page of a requirement. `facts` are said at the top, and `made_by` says how the page was made.
pub fn requirement_page(
    assumed: &Assumed<'_>,
    described: &Described,
    facts: &[(String, String)],
    made_by: String,
) -> String {
    let problem = &assumed.problem;
    let counterexample = match &assumed.standing {
        PropertyStatus::Fails(counterexample) => Some(counterexample),
        _ => None,
    };
    let run = counterexample.and_then(|run| run_of(problem.model, run));
    let shown = counterexample.and_then(|run| Some((problem.model.network_of_run(run)?, run)));
    let run_of_network = shown.map(|((network, steps), run)| network::run(&network, &steps, run));
    let parts = components::of_network(&problem.network);
    let page = Page {
        title: format!("Requirement of {}", described.module),
        facts: FactTable(facts.to_vec()),
        runs: run.into_iter().collect(),
        requirement: Some(described),
        sections: run_of_network.into_iter().chain([parts]).collect(),
        sources: match problem.source {
            Some(_) => sources(problem.model.subject()),
            None => Vec::new(),
        },
        made_by,
        ..Page::default()
    };
    page.to_html()
}
