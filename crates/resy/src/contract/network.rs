//! What a contract is about: the components of a network, cut from a program or read from a file.

use crate::control::Control;
use crate::problem::{Problem, Source};
use crate::question::Question;
use crate::subject::Subject;
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_certificate::NotDerived;
use resy_certificate::contract::Contract;
use resy_certificate::contract::model::{self, Derived};
use resy_certificate::contract::network;
use resy_certificate::program::watched;
use resy_index::Id;
use resy_network::WatchedProperty;

/// The setting with the number of local states of the largest component, from which the limit for
/// changed models is computed.
pub(super) const LARGEST: &str = "largest";

/// The network with the numbers of a contract, if there is one already; or why there is none. `counts` are the settings of a
/// property of infinite runs, if it is one.
pub(super) fn derive(
    problem: &Problem<'_>,
    contract: Option<&Contract>,
    counts: &[(String, String)],
    control: &Control,
) -> Result<Derived, String> {
    let derived = match &problem.source {
        None => network::derive(&problem.network, contract).map_err(NotDerived::Rejected),
        Some(source) => {
            let asked: Vec<WatchedProperty> =
                problem.properties.iter().filter_map(watched).collect();
            let go_on = &mut || control.may_go_on();
            model::derive_counted(&source.cut, &asked, &source.components, contract, counts, go_on)
        }
    };
    derived.map_err(|why| match why {
        NotDerived::Rejected(rejection) => rejection.to_string(),
        NotDerived::Stopped => stopped(control),
    })
}

/// Why the control has cancelled.
pub(super) fn stopped(control: &Control) -> String {
    control.exceeded().map_or("it was given up".to_owned(), |stop| stop.to_string())
}

/// The components, with the names of their states.
pub(super) fn named<'a>(problem: &'a Problem<'_>) -> &'a Network {
    match &problem.source {
        None => &problem.network,
        Some(source) => &source.components.network,
    }
}

/// What identifies each action of the network that is derived without a contract.
pub(super) fn signatures(problem: &Problem<'_>) -> Vec<String> {
    match &problem.source {
        None => problem.network.actions.iter().map(|action| action.name.clone()).collect(),
        Some(Source { components, .. }) => {
            let live = model::live(components);
            live.iter().map(|&action| components.signatures[action].clone()).collect()
        }
    }
}

/// How the network was made. `file` is the name of the model.
pub(super) fn settings(
    problem: &Problem<'_>,
    question: &Question,
    file: &str,
) -> Vec<(String, String)> {
    let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let mut settings = vec![setting("model", file)];
    if let Subject::Fsp(fsp) = problem.model.subject() {
        settings.extend(fsp.composite.iter().map(|name| setting("composite", name)));
        settings.extend(question.property.iter().map(|only| setting("only", only)));
        settings.extend(question.without.iter().map(|name| setting("without", name)));
        settings.extend(question.all_properties.then(|| setting("all-properties", "yes")));
    }
    let (Some(source), Subject::Program(program)) = (&problem.source, problem.model.subject())
    else {
        return settings;
    };
    settings.extend(program.sources.defines.iter().map(|define| setting("define", define)));
    settings.extend(question.property.iter().map(|only| setting("only", only)));
    let left_out = question.left_out(problem.model.subject());
    settings.extend(left_out.iter().map(|name| setting("without", name)));
    settings.extend(question.semantics.loss.then(|| setting("loss", "yes")));
    settings.push(setting("reduced", "yes"));
    settings.extend(resy_certificate::model::settings(&source.cut.manner));
    let sizes = source.components.network.components.iter().map(|c| c.lts.n_states());
    settings.push(setting(LARGEST, &sizes.max().unwrap_or_default().to_string()));
    settings
}

/// The steps of the derived network as steps of the problem's network.
pub(super) fn original_steps(problem: &Problem<'_>, steps: &[ProductStep]) -> Vec<ProductStep> {
    let Some(source) = &problem.source else { return steps.to_vec() };
    let live = model::live(&source.components);
    let step = |&step: &ProductStep| match step {
        ProductStep::Action(action) => ProductStep::Action(live[action.index()]),
        step => step,
    };
    steps.iter().map(step).collect()
}
