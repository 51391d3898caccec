//! The engines: what decides a question.
//!
//! An engine implements [`Engine`] and stands in [`ENGINES`]. Names, help and the race come from
//! that list: adding an engine is adding a file and a line.

mod abstraction;
mod agar;
pub(crate) mod counting;
mod ends;
mod learning;
mod method;
mod monolithic;
mod network;
mod race;
mod requirement;

pub use crate::canonical::Chance;
pub use method::Method;

use crate::control::Control;
use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::question::{CallError, Question};
use crate::requirement::NamedRequirement;
use crate::unreached::Unreached;
use crate::verdict::{Answer, Verdict};
use resy_automata::network::Network;
use resy_engine::search::Stopped;
use resy_system::{Fairness, NotChecked, Property};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The engine that races those that apply.
pub const AUTO: &dyn Engine = &race::Auto;

/// All engines, in the order in which help lists them.
pub const ENGINES: &[&dyn Engine] = &[
    AUTO,
    &monolithic::Monolithic,
    &requirement::Requirement,
    &network::NetworkEngine,
    &learning::Learning,
    &agar::Agar,
];

/// Decides questions.
pub trait Engine: Sync {
    /// The name that users give.
    fn name(&self) -> &'static str;

    /// What it does, in a sentence.
    fn about(&self) -> &'static str;

    /// The methods that a question may restrict it to.
    fn methods(&self) -> &'static [MethodHelp] {
        &[]
    }

    /// Decides the properties of a case.
    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError>;

    /// Whether it competes with the search of all states in the race.
    fn is_rival(&self) -> bool {
        false
    }

    /// Decides the properties of a case as one of several rivals.
    fn compete(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        self.decide(case, control)
    }
}

/// A method of an engine, for users.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MethodHelp {
    /// The name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
}

/// The engine with this name.
pub fn by_name(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().copied().find(|engine| engine.name() == name)
}

impl fmt::Debug for dyn Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A run that violates a property of infinite runs that is asked of a model, by the search for cycles.
pub fn infinite_run(
    model: &Model,
    fairness: Fairness,
    control: &Control,
) -> Option<Counterexample> {
    let asked: Vec<Property> =
        model.selection.properties.iter().filter(|p| p.is_liveness()).cloned().collect();
    let question = Question { fairness, semantics: model.options, ..Question::default() };
    let case = Case { model: Arc::new(model.asked_for(&asked)), question };
    let account = monolithic::Monolithic.decide(&case, control).ok()?;
    account.answers.into_iter().find_map(|answer| match answer.verdict {
        Verdict::Fails(run) => Some(run),
        _ => None,
    })
}

/// A model and the question that is asked of it.
#[derive(Clone)]
pub struct Case {
    /// The model.
    pub model: Arc<Model>,
    /// The question.
    pub question: Question,
}

/// What an engine has found out, and at what cost.
#[derive(Default)]
pub struct Account {
    /// The verdicts.
    pub answers: Vec<Answer>,
    /// The properties that the engine cannot decide.
    pub not_checked: Vec<NotChecked>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What is said only if it is asked for: why reductions do not apply.
    pub details: Vec<String>,
    /// What rivals of the search have decided, and how.
    pub by_rivals: Vec<String>,
    /// How the answers were found, in a few words.
    pub how: String,
    /// What was visited, in a sentence.
    pub seen: &'static str,
    /// The cost.
    pub stats: Stats,
    /// What ended the search of all states before its end.
    pub stopped: Option<Stopped>,
    /// Why the search could not be saved, if it was to be.
    pub not_saved: Option<String>,
    /// The components, if the model was cut.
    pub network: Option<Network>,
    /// The requirement of the module, if it was asked for.
    pub requirement: Option<NamedRequirement>,
    /// The certificate, if it was asked for and nothing is violated; or why there is none.
    pub certificate: Option<Result<Certified, String>>,
    /// The statements that no run executes, if all states were visited.
    pub unreached: Option<Vec<Unreached>>,
    /// What is up to chance in the answers.
    pub chance: Chance,
}

/// The text of a certificate, or of several, one after the other.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The text.
    pub text: Arc<str>,
    /// The names of the properties that it proves.
    pub properties: Vec<String>,
}

/// The cost of a verdict.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// States of the system or of an abstraction.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// The largest distance from the initial state.
    pub depth: u64,
    /// The time.
    pub elapsed: Duration,
    /// What only some engines can tell.
    pub cost: Cost,
}

/// What only some engines can tell about their cost.
#[derive(Clone, Debug, Default)]
pub enum Cost {
    /// Nothing.
    #[default]
    Plain,
    /// Of a search of all states of a program.
    Search {
        /// The levels that were searched completely.
        levels: Option<u64>,
        /// The store of the states: `flat` or `tree`; `None` if there is none.
        store: Option<&'static str>,
        /// The memory of the store, in bytes a state.
        bytes_per_state: Option<f64>,
        /// The leaves of the store.
        leaves: usize,
        /// The inner nodes of the store.
        nodes: usize,
        /// Whether the numbers are those of all hosts.
        of_all_hosts: bool,
    },
    /// Of abstractions.
    Abstraction {
        /// The module.
        module: Option<String>,
        /// The method that decided last.
        method: Option<&'static str>,
        /// The number of refinements.
        refinements: usize,
        /// The number of classes of all components.
        classes: usize,
        /// The components on which no property depends.
        left_out: Option<Vec<String>>,
    },
}
