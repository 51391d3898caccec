//! `resy contract init`: requirements that prove the property together.

use super::{MAX_JOINT, bad_input, path};
use crate::Exit;
use crate::args::{ContractInit, Properties};
use crate::assume::print_run;
use crate::confirm::Violation;
use crate::limits::Limits;
use crate::model::{BUDGET, Model, watched};
use crate::problem::{Problem, Source, Trouble};
use crate::{memory, network_file, trace};
use resy_automata::lts::Lts;
use resy_automata::network::Network;
use resy_automata::product::Step;
use resy_automata::quotient::Quotient;
use resy_certificate::contract::model::{self, Derived};
use resy_certificate::contract::{Clause, Contract, Finding, NotProved, judge, proved, text};
use resy_compose::contract::{Agreement, Work, agree};
use resy_compose::{Split, Verdict};
use resy_index::Id;
use resy_network::Property;
use serde_json::{Value, json};
use std::path::Path;

/// So much is done to make requirements smaller, and as much to make them wider: a few seconds.
const IMPROVING: usize = 2_000_000;

/// So many states are named in a hint.
const MAX_NAMES: usize = 3;

/// Runs the command.
pub fn answer(init: &ContractInit) -> Result<Exit, Exit> {
    if network_file::is_one(&init.file) {
        let why = "a contract is about the processes of a model, not about a network of automata";
        return Err(bad_input(why.to_owned()));
    }
    let file = path(&init.file, init.output.as_deref(), "-o")?;
    let is_printed = file == Path::new("-");
    if !is_printed && file.exists() && !init.force {
        let why = format!("{} is there already; --force replaces it", file.display());
        return Err(bad_input(why));
    }
    let limits = Limits::of(&init.resources).map_err(bad_input)?;
    let model = load(init)?;
    let properties = &model.selection.properties;
    let problem = Problem::without_module(&model, properties, BUDGET, &limits);
    let problem = problem.map_err(|trouble| match trouble {
        Trouble::BadCall(why) => bad_input(why),
        Trouble::OutOfReach(why) => unknown(init, &why),
    })?;
    let Some(source) = &problem.source else { return Err(unknown(init, "there is no program")) };
    model.doubts(&source.components).iter().for_each(|doubt| eprintln!("resy: note: {doubt}"));
    if problem.misses_violations() {
        return Err(unknown(
            init,
            "a claim may be violated at the end of a run, which is not seen here",
        ));
    }
    let asked: Vec<Property> = properties.iter().filter_map(watched).collect();
    let derived = model::derive(&source.cut, &asked, &source.components, None);
    let derived = derived.map_err(|rejection| unknown(init, &rejection.to_string()))?;
    let agreement = match agreement(&derived, &limits) {
        Ok(agreement) => agreement,
        Err(Verdict::Fails(steps)) => return fails(init, &problem, source, &steps),
        Err(_) => return Err(unknown(init, limits.exceeded().unwrap_or("it was given up"))),
    };
    let contract = contract(init, &model, source, &derived, &agreement);
    let written = text::write(&contract);
    let n_joint = check(&written, source, &asked, &limits).map_err(|why| unknown(init, &why))?;
    if is_printed {
        print!("{written}");
        return Ok(Exit::Holds);
    }
    std::fs::write(&file, &written)
        .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display())))?;
    report(init, &file, &contract, &derived.network, n_joint, &limits);
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
fn agreement(derived: &Derived, limits: &Limits) -> Result<Agreement, Verdict> {
    let network = &derived.network;
    let split = Split::without_module(network).map_err(|_| Verdict::Interrupted)?;
    let agreement = agree(network, &split, |_| limits.exceeded().is_none())?;
    let is_process = |i: &usize| {
        let name = &network.components[Id::from_index(*i)].name;
        derived.processes.iter().any(|(process, _)| process == name)
    };
    let (processes, objects): (Vec<usize>, Vec<usize>) =
        (0..network.components.len()).partition(is_process);
    let order = [processes.clone(), objects].concat();
    let work = || Work::new(IMPROVING, || limits.exceeded().is_none());
    Ok(agreement.merged(&split, &order, &mut work()).widened(&processes, &mut work()))
}

fn contract(
    init: &ContractInit,
    model: &Model,
    source: &Source<'_>,
    derived: &Derived,
    agreement: &Agreement,
) -> Contract {
    let network = &derived.network;
    let actions: Vec<String> = network.actions.iter().map(|action| action.name.clone()).collect();
    let named = &source.components.network;
    let clause = |(i, requirement): (usize, &Lts)| {
        let component = &named.components[Id::from_index(i)];
        let name = |state| component.state_names.get(Id::from_index(state));
        let hints = hints(&agreement.quotients[i], name);
        Clause::new(&component.name, requirement, &hints, &actions)
    };
    let clauses = agreement.requirements.iter().enumerate().map(clause).collect();
    let live = model::live(&source.components);
    let signatures = live.iter().map(|&action| source.components.signatures[action].clone());
    let names = model.selection.properties.iter().filter(|p| watched(p).is_some());
    let contract = Contract {
        property: names.map(|p| p.name()).collect::<Vec<_>>().join(", "),
        settings: settings(init, source),
        signatures: signatures.collect(),
        actions,
        clauses,
        monitor: network.monitor.clone().expect("a property has a monitor"),
        premises: agreement.premises.clone(),
    };
    model::sealed(contract, derived)
}

/// How the network was made.
fn settings(init: &ContractInit, source: &Source<'_>) -> Vec<(String, String)> {
    let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let name = init.file.file_name().unwrap_or_default().to_string_lossy();
    let mut settings = vec![setting("model", &name)];
    settings.extend(init.common.define.iter().map(|define| setting("define", define)));
    settings.extend(init.property.iter().map(|only| setting("only", only)));
    settings.extend(init.semantics.loss.then(|| setting("loss", "yes")));
    settings.push(setting("reduced", "yes"));
    settings.extend(resy_certificate::model::settings(&source.cut.manner));
    settings
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
fn check(
    written: &str,
    source: &Source<'_>,
    asked: &[Property],
    limits: &Limits,
) -> Result<usize, String> {
    let contract = text::read(written).map_err(|error| error.to_string())?;
    let joint = proved(&contract, MAX_JOINT, &mut || limits.exceeded().is_none());
    let joint = joint.map_err(|why| match (why, limits.exceeded()) {
        (NotProved::TooLarge, Some(limit)) => limit.to_owned(),
        (NotProved::TooLarge, None) => {
            format!("the requirements have more than {MAX_JOINT} states together")
        }
        (other, _) => format!("the requirements prove nothing: {other:?}"),
    })?;
    let derived = model::derive(&source.cut, asked, &source.components, Some(&contract));
    let derived = derived.map_err(|rejection| rejection.to_string())?;
    let judged = judge(&contract, &derived.network, |_| false);
    let judged = judged.map_err(|refusal| refusal.0)?;
    match judged.findings.iter().zip(&contract.clauses).find(|(f, _)| **f != Finding::Keeps) {
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
    problem: &Problem<'_>,
    source: &Source<'_>,
    steps: &[Step],
) -> Result<Exit, Exit> {
    let live = model::live(&source.components);
    let steps: Vec<Step> = steps
        .iter()
        .map(|&step| match step {
            Step::Action(action) => Step::Action(live[action.index()]),
            step => step,
        })
        .collect();
    let Some(violation) = source.confirm(&steps) else {
        let why = "the network has a run that violates the property, the program has not";
        return Err(unknown(init, why));
    };
    if init.json {
        println!("{}", failed(init, source, &violation));
    } else {
        println!("the property fails, so there is no contract");
        print_run(problem, &violation);
    }
    Ok(Exit::Fails)
}

fn failed(init: &ContractInit, source: &Source<'_>, violation: &Violation) -> Value {
    let interpreter = source.model.interpreter();
    let steps = trace::steps_json(&interpreter, &violation.run, &violation.property);
    json!({
        "schema": "resy/1",
        "command": "contract init",
        "file": init.file.display().to_string(),
        "verdict": "fails",
        "property": violation.property.name(),
        "counterexample": { "steps": steps },
    })
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
