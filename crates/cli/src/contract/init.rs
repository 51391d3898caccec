//! `resy contract init`: requirements that prove the property together.

use super::subject::Subject;
use super::{MAX_JOINT, bad_input, is_in_time, path};
use crate::Exit;
use crate::args::{ContractInit, Properties};
use crate::limits::Limits;
use crate::model::{BUDGET, Model};
use crate::problem::{Problem, Trouble};
use crate::progress::Meter;
use crate::{memory, network_file};
use resy_automata::lts::Lts;
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_automata::quotient::Quotient;
use resy_certificate::contract::model::{self, Derived};
use resy_certificate::contract::{Clause, ClauseFinding, Contract, NotProved, judge, proved, text};
use resy_compose::contract::{Agreement, WorkBudget, agree};
use resy_compose::fold::FoldStage;
use resy_compose::{Conclusion, Split};
use resy_index::Id;
use serde_json::json;
use std::path::Path;

/// So much is done to make requirements smaller, and as much to make them wider: a few seconds.
const IMPROVING: usize = 2_000_000;

/// So many states are named in a hint.
const MAX_NAMES: usize = 3;

/// Runs the command.
pub fn answer(init: &ContractInit) -> Result<Exit, Exit> {
    let file = path(&init.file, init.output.as_deref(), "-o")?;
    if file != Path::new("-") && file.exists() && !init.force {
        let why = format!("{} is there already; --force replaces it", file.display());
        return Err(bad_input(why));
    }
    let limits = Limits::of(&init.resources).map_err(bad_input)?;
    let limits = limits.told_to(Meter::of(&init.common));
    let exit = match network_file::is_one(&init.file) {
        true => about_network(init, &file, &limits),
        false => about_program(init, &file, &limits),
    };
    limits.meter().inspect(|meter| meter.done());
    exit
}

fn about_network(init: &ContractInit, file: &Path, limits: &Limits) -> Result<Exit, Exit> {
    if init.property.is_some() {
        return Err(bad_input("the property of a network is its monitor".to_owned()));
    }
    let network = network_file::load_with_monitor(&init.file)?;
    write(init, &Subject::Network(network), file, limits)
}

fn about_program(init: &ContractInit, file: &Path, limits: &Limits) -> Result<Exit, Exit> {
    let model = load(init)?;
    let problem = Problem::without_module(&model, &model.selection.properties, BUDGET, limits);
    let problem = problem.map_err(|trouble| match trouble {
        Trouble::BadCall(why) => bad_input(why),
        Trouble::OutOfReach(why) => unknown(init, &why),
    })?;
    let Some(source) = &problem.source else { return Err(unknown(init, "there is no program")) };
    model.doubts(&source.components).iter().for_each(|doubt| eprintln!("resy: note: {doubt}"));
    if problem.misses_violations() {
        let why = "a claim may be violated at the end of a run, which is not seen here";
        return Err(unknown(init, why));
    }
    write(init, &Subject::Program { model: &model, problem: &problem, source }, file, limits)
}

/// Finds a contract, checks it and writes it.
fn write(
    init: &ContractInit,
    subject: &Subject<'_>,
    file: &Path,
    limits: &Limits,
) -> Result<Exit, Exit> {
    let derived = subject.derive(None).map_err(|why| unknown(init, &why))?;
    let agreement = match agreement(&derived, limits) {
        Ok(agreement) => agreement,
        Err(Conclusion::Fails(steps)) => return fails(init, subject, &steps, limits),
        Err(_) => return Err(unknown(init, limits.exceeded().unwrap_or("it was given up"))),
    };
    let contract = contract(init, subject, &derived, &agreement);
    let written = text::write(&contract);
    let n_joint = check(&written, subject, limits).map_err(|why| unknown(init, &why))?;
    limits.meter().inspect(|meter| meter.done());
    if file == Path::new("-") {
        print!("{written}");
        return Ok(Exit::Holds);
    }
    std::fs::write(file, &written)
        .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display())))?;
    report(init, file, &contract, &derived.network, n_joint, limits);
    Ok(Exit::Holds)
}

fn load(init: &ContractInit) -> Result<Model, Exit> {
    let asked = Properties { property: init.property.clone(), ltl: None, claim: None };
    let mut model = Model::load(&init.file, &init.common, &init.semantics, &asked)?;
    model.selection = model.selection.without_end_states();
    let is_empty = model.selection.properties.is_empty();
    for left_out in &model.selection.not_checked {
        if is_empty || left_out.name != "end-states" || init.common.verbose {
            eprintln!("resy: note: `{}` is left out: {}", left_out.name, left_out.reason);
        }
    }
    match is_empty {
        true => Err(unknown(init, "there is no safety property to make a contract for")),
        false => Ok(model),
    }
}

/// Requirements that prove the property together, as small and then as wide as can be found by some work. Processes
/// may change, so that they come first: what they gain is room.
fn agreement(derived: &Derived, limits: &Limits) -> Result<Agreement, Conclusion> {
    let network = &derived.network;
    let split = Split::without_module(network).map_err(|_| Conclusion::Interrupted)?;
    let agreement = agree(network, &split, |stage| {
        limits.meter().inspect(|meter| match stage {
            FoldStage::Refining(progress) => meter.refinement(progress, || None),
            FoldStage::Folding(progress) => meter.folding(progress),
        });
        limits.exceeded().is_none()
    })?;
    let is_process = |i: &usize| {
        let name = &network.components[Id::from_index(*i)].name;
        derived.processes.iter().any(|(process, _)| process == name)
    };
    let (processes, objects): (Vec<usize>, Vec<usize>) =
        (0..network.components.len()).partition(is_process);
    let order = [processes.clone(), objects].concat();
    let work = || {
        WorkBudget::new(IMPROVING, |left| {
            limits.meter().inspect(|meter| meter.improvement(left));
            limits.exceeded().is_none()
        })
    };
    Ok(agreement.merged(&split, &order, &mut work()).widened(&processes, &mut work()))
}

fn contract(
    init: &ContractInit,
    subject: &Subject<'_>,
    derived: &Derived,
    agreement: &Agreement,
) -> Contract {
    let network = &derived.network;
    let actions: Vec<String> = network.actions.iter().map(|action| action.name.clone()).collect();
    let clause = |(i, requirement): (usize, &Lts)| {
        let component = &subject.named().components[Id::from_index(i)];
        let name = |state| component.state_names.get(Id::from_index(state));
        let hints = hints(&agreement.quotients[i], name);
        Clause::new(&component.name, requirement, &hints, &actions)
    };
    let contract = Contract {
        property: subject.property(),
        settings: subject.settings(init),
        signatures: subject.signatures(),
        clauses: agreement.requirements.iter().enumerate().map(clause).collect(),
        actions,
        monitor: network.monitor.clone().expect("a property has a monitor"),
        premises: agreement.premises.clone(),
    };
    model::sealed(contract, derived)
}

/// For each state of a requirement which states of the component it stands for.
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

/// What is written must be accepted: the text, by the checker, which knows nothing of those who found it. Returns
/// how many states the joint proof has.
fn check(written: &str, subject: &Subject<'_>, limits: &Limits) -> Result<usize, String> {
    let contract = text::read(written).map_err(|error| error.to_string())?;
    let joint = proved(&contract, MAX_JOINT, &mut |n_states| is_in_time(n_states, limits));
    let joint = joint.map_err(|why| match (why, limits.exceeded()) {
        (NotProved::TooLarge, Some(limit)) => limit.to_owned(),
        (NotProved::TooLarge, None) => {
            format!("the requirements have more than {MAX_JOINT} states together")
        }
        (other, _) => format!("the requirements prove nothing: {other:?}"),
    })?;
    let derived = subject.derive(Some(&contract))?;
    let judged = judge(&contract, &derived.network, |_| false);
    let judged = judged.map_err(|refusal| refusal.0)?;
    match judged.findings.iter().zip(&contract.clauses).find(|(f, _)| **f != ClauseFinding::Keeps) {
        None => Ok(joint.n_states),
        Some((_, clause)) => Err(format!("`{}` does not meet its own requirement", clause.name)),
    }
}

/// Nothing is known, and this is why.
fn unknown(init: &ContractInit, why: &str) -> Exit {
    eprintln!("resy: {why}");
    if init.json {
        let object = json!({
            "schema": "resy/1",
            "command": "contract init",
            "file": init.file.display().to_string(),
            "verdict": "unknown",
            "reason": why,
        });
        println!("{object}");
    }
    Exit::Unknown
}

/// The property fails: shows the run.
fn fails(
    init: &ContractInit,
    subject: &Subject<'_>,
    steps: &[ProductStep],
    limits: &Limits,
) -> Result<Exit, Exit> {
    let Some(failure) = subject.failure(steps, limits.elapsed()) else {
        let why = "the network has a run that violates the property, the program has not";
        return Err(unknown(init, why));
    };
    limits.meter().inspect(|meter| meter.done());
    if !init.json {
        failure.print();
        return Ok(Exit::Fails);
    }
    let (property, counterexample) = failure.to_json();
    let object = json!({
        "schema": "resy/1",
        "command": "contract init",
        "file": init.file.display().to_string(),
        "verdict": "fails",
        "property": property,
        "counterexample": counterexample,
    });
    println!("{object}");
    Ok(Exit::Fails)
}

fn report(
    init: &ContractInit,
    file: &Path,
    contract: &Contract,
    network: &Network,
    n_joint: usize,
    limits: &Limits,
) {
    let sizes = contract.clauses.iter().zip(network.components.iter());
    let sizes = sizes.map(|(c, component)| (c, c.requirement.n_states(), component.lts.n_states()));
    if init.json {
        let clause = |(clause, n_required, n_states): (&Clause, usize, usize)| {
            json!({
                "name": clause.name,
                "process": clause.seal.is_some(),
                "states": n_states,
                "requirement_states": n_required,
            })
        };
        let object = json!({
            "schema": "resy/1",
            "command": "contract init",
            "file": init.file.display().to_string(),
            "contract": file.display().to_string(),
            "verdict": "holds",
            "property": contract.property,
            "requirements": sizes.map(clause).collect::<Vec<_>>(),
            "proofs": contract.premises.len(),
            "joint_states": n_joint,
            "seconds": limits.elapsed().as_secs_f64(),
            "peak_bytes": memory::peak(),
        });
        println!("{object}");
        return;
    }
    println!("{} holds: the requirements prove it together", contract.property);
    let width = contract.clauses.iter().map(|c| c.name.len()).max().unwrap_or(0).max(9);
    println!("{:width$}  {:>11}  {:>8}", "component", "requirement", "of states");
    for (clause, n_required, n_states) in sizes {
        println!("{:width$}  {n_required:>11}  {n_states:>9}", clause.name);
    }
    println!("together they have {n_joint} states");
    println!("written to {}", file.display());
}
