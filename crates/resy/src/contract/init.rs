//! Requirements that prove the property together.

use super::{MAX_JOINT, infinite, network};
use crate::canonical;
use crate::control::{Control, Message};
use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::problem::{NoProblem, Problem};
use crate::question::{CallError, MAX_LOCAL_STATES, Question};
use resy_automata::lts::Lts;
use resy_automata::quotient::Quotient;
use resy_certificate::contract::model::{self, Derived};
use resy_certificate::contract::{Clause, ClauseFinding, Contract, NotProved, judge, proved, text};
use resy_compose::contract::{Agreement, WorkBudget, agree};
use resy_compose::fold::FoldStage;
use resy_compose::{Conclusion, Split};
use resy_index::Id;
use resy_system::{NotChecked, Property};

/// The work that is spent to make requirements smaller, and again to make them wider: a few
/// seconds. A step count, not a clock: contracts are deterministic.
const IMPROVING: usize = 2_000_000;

/// The number of states that a hint names.
const MAX_NAMES: usize = 3;

/// A contract that was found and checked.
pub struct ContractDraft {
    /// The contract.
    pub contract: Contract,
    /// Its text.
    pub text: String,
    /// For each clause the number of states of its component.
    pub component_states: Vec<usize>,
    /// The number of states of the joint proof.
    pub n_joint: usize,
    /// The properties that the contract is about.
    pub covers: Vec<String>,
    /// The properties of the model that the contract says nothing about.
    pub not_covered: Vec<NotChecked>,
}

/// Why there is no contract.
#[derive(Debug)]
pub enum NoContract {
    /// The call is wrong.
    BadCall(CallError),
    /// The property fails.
    Fails(Box<Counterexample>),
    /// There is no proof, for this reason.
    Unknown(String),
}

/// Finds a contract for a model and checks it. `file` is the name of the model in the contract.
pub fn draft(
    model: &Model,
    question: &Question,
    file: &str,
    control: &Control,
) -> Result<ContractDraft, NoContract> {
    let tracking = infinite::tracking(model, question).map_err(NoContract::Unknown)?;
    let is_infinite = tracking.is_some();
    let model = tracking.as_ref().unwrap_or(model);
    let properties = &model.selection.properties;
    if properties.is_empty() {
        let why = "there is no safety property to make a contract for";
        return Err(NoContract::Unknown(why.to_owned()));
    }
    let problem = Problem::without_module(model, properties, MAX_LOCAL_STATES, control);
    let problem = problem.map_err(|trouble| match trouble {
        NoProblem::BadCall(error) => NoContract::BadCall(error),
        NoProblem::OutOfReach(why) => NoContract::Unknown(why),
    })?;
    tell_doubts(&problem, control);
    if problem.misses_violations() {
        let why = "a claim may be violated at the end of a run, which is not seen here";
        return Err(NoContract::Unknown(why.to_owned()));
    }
    if problem.source.as_ref().is_some_and(|source| source.cut.manner.within) {
        let why = "components are bounded by what occurs in the program as it is, which a contract does not list";
        return Err(NoContract::Unknown(why.to_owned()));
    }
    let counts = match is_infinite {
        true => infinite::counts(&problem, question, control).map_err(NoContract::Unknown)?,
        false => Vec::new(),
    };
    let derived = network::derive(&problem, None, &counts, control).map_err(NoContract::Unknown)?;
    let agreement = agreement(&derived, control).map_err(|conclusion| match conclusion {
        Conclusion::Fails(steps) => {
            let steps = network::original_steps(&problem, &steps);
            fails(&problem, &steps, control)
        }
        _ => {
            let stop = control.exceeded();
            NoContract::Unknown(stop.map_or("it was given up".to_owned(), |s| s.to_string()))
        }
    })?;
    let contract = contract(&problem, question, file, &derived, &agreement, counts);
    let covers: Vec<String> = problem.properties.iter().map(|p| p.name().to_owned()).collect();
    let not_covered = model.selection.not_checked.clone();
    let text = with_coverage(&text::write(&contract), &coverage(&covers, &not_covered));
    let n_joint = check(&text, &problem, control).map_err(NoContract::Unknown)?;
    Ok(ContractDraft {
        contract,
        text,
        component_states: derived.network.components.iter().map(|c| c.lts.n_states()).collect(),
        n_joint,
        covers,
        not_covered,
    })
}

/// Tells where the network is not exact. Without a contract, this is often the cause.
fn tell_doubts(problem: &Problem<'_>, control: &Control) {
    let components = problem.source.iter().map(|source| &source.components);
    for doubt in components.flat_map(|components| problem.model.doubts(components)) {
        control.tell(&Message::Warning(&format!("note: {doubt}")));
    }
}

/// What a contract is about, and what it says nothing about, in one line.
pub fn coverage(covers: &[String], not_covered: &[NotChecked]) -> String {
    let covers = format!("covers {}", covers.join(", "));
    let missing = not_covered.iter();
    let missing: Vec<String> =
        missing.map(|NotChecked { name, reason }| format!("{name} ({reason})")).collect();
    let line = match missing.is_empty() {
        true => covers,
        false => format!("{covers}; not covered: {}", missing.join(", ")),
    };
    line.replace('\n', " ")
}

/// The text with the coverage as a comment before its first section.
fn with_coverage(text: &str, coverage: &str) -> String {
    text.replacen("\n\nproperty ", &format!("\n# This contract {coverage}.\n\nproperty "), 1)
}

/// The counterexample that these steps are, if the subject can take them.
fn fails(
    problem: &Problem<'_>,
    steps: &[resy_automata::product::ProductStep],
    control: &Control,
) -> NoContract {
    match problem.replay(steps) {
        Some(run) => NoContract::Fails(Box::new(canonical(problem.model, run, control))),
        None => {
            let why = "the network has a run that violates the property, the program has not";
            NoContract::Unknown(why.to_owned())
        }
    }
}

/// Requirements that prove the property together, as small and then as wide as some work makes
/// them. Processes come first: only they change, so only they gain from room.
fn agreement(derived: &Derived, control: &Control) -> Result<Agreement, Conclusion> {
    let network = &derived.network;
    let split = Split::without_module(network).map_err(|_| Conclusion::Interrupted)?;
    let agreement = agree(network, &split, |stage| {
        match stage {
            FoldStage::Refining(progress) => control.refinement(progress, || None),
            FoldStage::Folding(progress) => control.folding(progress),
        }
        control.may_go_on()
    })?;
    let is_process = |i: &usize| {
        let name = &network.components[Id::from_index(*i)].name;
        derived.processes.iter().any(|(process, _)| process == name)
    };
    let (processes, objects): (Vec<usize>, Vec<usize>) =
        (0..network.components.len()).partition(is_process);
    let order = [processes.clone(), objects].concat();
    let work = || WorkBudget::new(IMPROVING, |left| control.improvement(left));
    Ok(agreement.merged(&split, &order, &mut work()).widened(&processes, &mut work()))
}

fn contract(
    problem: &Problem<'_>,
    question: &Question,
    file: &str,
    derived: &Derived,
    agreement: &Agreement,
    counts: Vec<(String, String)>,
) -> Contract {
    let network = &derived.network;
    let actions: Vec<String> = network.actions.iter().map(|action| action.name.clone()).collect();
    let clause = |(i, requirement): (usize, &Lts)| {
        let component = &network::named(problem).components[Id::from_index(i)];
        let name = |state| component.state_names.get(Id::from_index(state));
        let hints = hints(&agreement.quotients[i], name);
        Clause::new(&component.name, requirement, &hints, &actions)
    };
    let names = problem.properties.iter().map(Property::name);
    let contract = Contract {
        property: names.collect::<Vec<_>>().join(", "),
        settings: [network::settings(problem, question, file), counts].concat(),
        signatures: network::signatures(problem),
        clauses: agreement.requirements.iter().enumerate().map(clause).collect(),
        actions,
        monitor: network.monitor.clone().expect("a property has a monitor"),
        premises: agreement.premises.clone(),
    };
    model::sealed(contract, derived)
}

/// For each state of a requirement the names of the states that it stands for.
fn hints<'n>(quotient: &Quotient, name: impl Fn(usize) -> Option<&'n String>) -> Vec<String> {
    let mut names: Vec<Vec<&str>> = vec![Vec::new(); quotient.lts().n_states()];
    for state in 0..quotient.partition().n_states() {
        let block = &mut names[quotient.state_of(Id::from_index(state)).index()];
        block.extend(name(state).map(String::as_str));
    }
    let shown = |names: &Vec<&str>| match names.len() {
        n if n > MAX_NAMES => format!("{}; ...", names[..MAX_NAMES].join("; ")),
        _ => names.join("; "),
    };
    names.iter().map(shown).collect()
}

/// What is written must be accepted by the checker, which shares no code with those who found it.
/// Returns the number of states of the joint proof.
fn check(written: &str, problem: &Problem<'_>, control: &Control) -> Result<usize, String> {
    let contract = text::read(written).map_err(|error| error.to_string())?;
    let joint = proved(&contract, MAX_JOINT, &mut |n_states| control.product(n_states));
    let joint = joint.map_err(|why| match (why, control.exceeded()) {
        (NotProved::TooLarge, Some(stop)) => stop.to_string(),
        (NotProved::TooLarge, None) => {
            format!("the requirements have more than {MAX_JOINT} states together")
        }
        (other, _) => format!("the requirements prove nothing: {other:?}"),
    })?;
    let derived = network::derive(problem, Some(&contract), &contract.settings, control)?;
    let judged = judge(&contract, &derived.network, &mut || control.may_go_on());
    let judged = judged.map_err(|refusal| refusal.0)?;
    let judged = judged.ok_or_else(|| network::stopped(control))?;
    match judged.findings.iter().zip(&contract.clauses).find(|(f, _)| **f != ClauseFinding::Keeps) {
        None => Ok(joint.n_states),
        Some((_, clause)) => Err(format!("`{}` does not meet its own requirement", clause.name)),
    }
}
