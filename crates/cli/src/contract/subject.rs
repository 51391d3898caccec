//! What a contract is about: the processes of a model, or the components of a network file.

use crate::args::ContractInit;
use crate::assume::print_run;
use crate::confirm::Violation;
use crate::model::{Model, watched};
use crate::network_file::step_name;
use crate::problem::{Problem, Source};
use crate::{shorten, trace};
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_certificate::contract::Contract;
use resy_certificate::contract::model::{self, Derived};
use resy_certificate::contract::network;
use resy_index::Id;
use resy_network::WatchedProperty;
use serde_json::{Value, json};
use std::time::Duration;

/// What a contract is about.
pub enum Subject<'a> {
    /// The processes of a model, which has been cut into components.
    Program { model: &'a Model, problem: &'a Problem<'a>, source: &'a Source<'a> },
    /// The components of a network, which are there as they are.
    Network(Network),
}

/// A run that violates the property, for people and for programs.
pub struct Failure<'a> {
    subject: &'a Subject<'a>,
    found: Found,
}

enum Found {
    Violation(Box<Violation>),
    Steps(Vec<String>),
}

impl Subject<'_> {
    /// The network with the numbers of a contract, if there is one already. Or why not.
    pub fn derive(&self, contract: Option<&Contract>) -> Result<Derived, String> {
        let derived = match self {
            Self::Network(network) => network::derive(network, contract),
            Self::Program { model, source, .. } => {
                let properties = model.selection.properties.iter();
                let asked: Vec<WatchedProperty> = properties.filter_map(watched).collect();
                model::derive(&source.cut, &asked, &source.components, contract)
            }
        };
        derived.map_err(|rejection| rejection.to_string())
    }

    /// The components, with the names of their states.
    pub fn named(&self) -> &Network {
        match self {
            Self::Network(network) => network,
            Self::Program { source, .. } => &source.components.network,
        }
    }

    /// What identifies each action of the network that is derived without a contract.
    pub fn signatures(&self) -> Vec<String> {
        match self {
            Self::Network(network) => network.actions.iter().map(|a| a.name.clone()).collect(),
            Self::Program { source, .. } => {
                let live = model::live(&source.components);
                live.iter().map(|&action| source.components.signatures[action].clone()).collect()
            }
        }
    }

    /// What the property is called.
    pub fn property(&self) -> String {
        let Self::Program { model, .. } = self else { return "monitor".to_owned() };
        let names = model.selection.properties.iter().filter(|p| watched(p).is_some());
        names.map(|p| p.name()).collect::<Vec<_>>().join(", ")
    }

    /// How the network was made.
    pub fn settings(&self, init: &ContractInit) -> Vec<(String, String)> {
        let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let name = init.file.file_name().unwrap_or_default().to_string_lossy();
        let mut settings = vec![setting("model", &name)];
        let Self::Program { source, .. } = self else { return settings };
        settings.extend(init.common.define.iter().map(|define| setting("define", define)));
        settings.extend(init.property.iter().map(|only| setting("only", only)));
        settings.extend(init.semantics.loss.then(|| setting("loss", "yes")));
        settings.push(setting("reduced", "yes"));
        settings.extend(resy_certificate::model::settings(&source.cut.manner));
        settings
    }

    /// The failure that these steps of the network are, if the program agrees; made shorter, when it took so long to
    /// find them.
    pub fn failure(&self, steps: &[ProductStep], took: Duration) -> Option<Failure<'_>> {
        let found = match self {
            Self::Network(network) => {
                Found::Steps(steps.iter().map(|&step| step_name(network, step)).collect())
            }
            Self::Program { source, .. } => {
                let live = model::live(&source.components);
                let step = |&step: &ProductStep| match step {
                    ProductStep::Action(action) => ProductStep::Action(live[action.index()]),
                    step => step,
                };
                let steps: Vec<ProductStep> = steps.iter().map(step).collect();
                let violation = source.confirm(&steps)?;
                Found::Violation(Box::new(shorten::violation(source.model, violation, took)))
            }
        };
        Some(Failure { subject: self, found })
    }
}

impl Failure<'_> {
    /// Shows the run.
    pub fn print(&self) {
        println!("the property fails, so there is no contract");
        match (&self.found, self.subject) {
            (Found::Violation(violation), Subject::Program { problem, .. }) => {
                print_run(problem, violation);
            }
            (Found::Steps(steps), _) => {
                steps.iter().enumerate().for_each(|(i, step)| println!("{:>4}  {step}", i + 1));
            }
            _ => {}
        }
    }

    /// The same as JSON: the property and the counterexample.
    pub fn to_json(&self) -> (String, Value) {
        match (&self.found, self.subject) {
            (Found::Violation(violation), Subject::Program { source, .. }) => {
                let interpreter = source.model.interpreter();
                let steps = trace::steps_json(&interpreter, &violation.run, &violation.property);
                (violation.property.name().to_owned(), json!({ "steps": steps }))
            }
            (Found::Steps(steps), subject) => (subject.property(), json!({ "steps": steps })),
            (_, subject) => (subject.property(), Value::Null),
        }
    }
}
