//! `resy contract verify`: do the processes of a changed model keep to their contracts?

use super::{MAX_JOINT, bad_input, is_in_time, path};
use crate::args::{Common, ContractVerify};
use crate::certified::with_cut;
use crate::limits::Limits;
use crate::model::BUDGET;
use crate::progress::Meter;
use crate::{Exit, forbidden, load, memory, network_file};
use resy_automata::lts::Label;
use resy_certificate::changed::{Breach, Called, Forbidden};
use resy_certificate::contract::model::{self, NotJudged, Verified};
use resy_certificate::contract::network;
use resy_certificate::contract::{Clause, ClauseFinding, Contract, NotProved, proved, text};
use resy_certificate::{Origin, OriginKind};
use resy_index::Id;
use resy_network::{Budget, Cut};
use resy_system::System;
use serde_json::{Value, json};
use std::path::Path;

/// What came of it, and how it is told.
struct Report {
    exit: Exit,
    lines: Vec<String>,
    json: Value,
}

/// Runs the command.
pub fn answer(verify: &ContractVerify) -> Result<Exit, Exit> {
    let file = path(&verify.file, verify.contract.as_deref(), "--contract")?;
    let contract = read(&file)?;
    let limits = Limits::of(&verify.resources).map_err(bad_input)?;
    let limits = limits.told_to(Meter::of(&verify.common));
    let joint = proved(&contract, MAX_JOINT, &mut |n_states| is_in_time(n_states, &limits));
    let report = match joint {
        Err(why) => not_proved(&contract, &why, limits.exceeded()),
        Ok(joint) => judge(verify, &contract, joint.n_states, &limits)?,
    };
    limits.meter().inspect(|meter| meter.done());
    if verify.json {
        let mut object = json!({
            "schema": "resy/1",
            "command": "contract verify",
            "file": verify.file.display().to_string(),
            "contract": file.display().to_string(),
            "property": contract.property,
            "seconds": limits.elapsed().as_secs_f64(),
            "peak_bytes": memory::peak(),
        });
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), report.json) {
            object.extend(more);
        }
        println!("{object}");
    } else {
        report.lines.iter().for_each(|line| println!("{line}"));
    }
    Ok(report.exit)
}

fn read(file: &Path) -> Result<Contract, Exit> {
    let found = load::read(file).map_err(|error| {
        let name = file.display();
        bad_input(format!("{name}: {error}; `resy contract init` writes a contract"))
    })?;
    text::read(&found).map_err(|error| bad_input(format!("{}: {error}", file.display())))
}

/// The requirements say too little, which depends on no program.
fn not_proved(contract: &Contract, why: &NotProved, exceeded: Option<&str>) -> Report {
    let name = |label: Label| match label {
        Label::Tau => "(internal step)",
        Label::Visible(action) => &contract.actions[action.index()],
    };
    let (exit, what, run) = match why {
        NotProved::TooLarge => {
            let too_many = || format!("they have more than {MAX_JOINT} states together");
            (Exit::Unknown, exceeded.map_or_else(too_many, str::to_owned), None)
        }
        NotProved::NotCovered(label) => {
            (Exit::Fails, format!("no proof is about errors by `{}`", name(*label)), None)
        }
        NotProved::Run(run) => {
            let run: Vec<&str> = run.iter().map(|&label| name(label)).collect();
            (Exit::Fails, "together they permit this run, which violates it".to_owned(), Some(run))
        }
    };
    let what = format!("the requirements do not prove `{}`: {what}", contract.property);
    let steps = run.iter().flatten().enumerate();
    let mut lines = vec![what.clone()];
    lines.extend(steps.map(|(i, step)| format!("{:>4}  {step}", i + 1)));
    let verdict = if exit == Exit::Unknown { "unknown" } else { "refused" };
    Report { exit, lines, json: json!({ "verdict": verdict, "reason": what, "run": run }) }
}

fn judge(
    verify: &ContractVerify,
    contract: &Contract,
    n_joint: usize,
    limits: &Limits,
) -> Result<Report, Exit> {
    let (verified, system) = match network_file::is_one(&verify.file) {
        true => (verified_network(verify, contract)?, System::default()),
        false => verified_program(verify, contract, limits)?,
    };
    Ok(match verified {
        Ok(verified) => found(contract, &verified, n_joint, &system),
        Err(NotJudged::Refused(what)) => Report {
            exit: Exit::Fails,
            lines: vec![format!("refused: {what}; make a new contract with `init --force`")],
            json: json!({ "verdict": "refused", "reason": what }),
        },
        Err(NotJudged::Unknown(what)) => {
            let what = limits.exceeded().map_or(what, str::to_owned);
            Report {
                exit: Exit::Unknown,
                lines: vec![format!("unknown: {what}")],
                json: json!({ "verdict": "unknown", "reason": what }),
            }
        }
    })
}

fn verified_network(
    verify: &ContractVerify,
    contract: &Contract,
) -> Result<Result<Verified, NotJudged>, Exit> {
    let network = network_file::load_with_monitor(&verify.file)?;
    let derived = network::derive(&network, Some(contract));
    let derived = derived.map_err(|rejection| NotJudged::Refused(rejection.to_string()));
    Ok(derived.and_then(|derived| model::judged(contract, derived, verify.all)))
}

fn verified_program(
    verify: &ContractVerify,
    contract: &Contract,
    limits: &Limits,
) -> Result<(Result<Verified, NotJudged>, System), Exit> {
    let define = defines(contract, &verify.common.define);
    let system = load::load(&verify.file, &Common { define, ..verify.common.clone() })?;
    let settings = contract.settings.clone();
    let (property, text) = (contract.property.clone(), String::new());
    let origin = Origin::new(OriginKind::Promela, property, Vec::new(), settings, text);
    let manner = |manner, plain: &Cut<'_>| model::manner_for(contract, manner, plain);
    let verified = with_cut(&origin, &system, manner, |cut, properties| {
        let budget = Budget { states: BUDGET, ..Budget::default() };
        let in_time = &mut |n_states| {
            limits.meter().inspect(|meter| meter.components(n_states));
            limits.exceeded().is_none()
        };
        model::verify(contract, cut, properties, budget, verify.all, in_time)
    });
    let verified = verified.map_err(|rejection| NotJudged::Refused(rejection.place));
    Ok((verified.and_then(|verified| verified), system))
}

/// The macros of the contract, but those that are given anew, and then the given ones.
fn defines(contract: &Contract, given: &[String]) -> Vec<String> {
    let name = |define: &str| define.split(['=', '(']).next().unwrap_or_default().to_owned();
    let is_new = |define: &&String| !given.iter().any(|other| name(other) == name(define));
    let noted = contract.settings.iter().filter(|(key, _)| key == "define").map(|(_, d)| d);
    noted.filter(is_new).chain(given).cloned().collect()
}

/// One line for each process, and for an object if there is something to say.
fn found(contract: &Contract, verified: &Verified, n_joint: usize, system: &System) -> Report {
    let Verified { judged, called, n_local_states } = verified;
    let told = contract.clauses.iter().zip(&judged.findings);
    let told: Vec<(&Clause, &ClauseFinding)> = told
        .filter(|(clause, finding)| {
            clause.seal.is_some() || matches!(finding, ClauseFinding::Breaks(_))
        })
        .collect();
    let width = told.iter().map(|(clause, _)| clause.name.len()).max().unwrap_or(0);
    let (mut lines, mut processes) = (Vec::new(), Vec::new());
    for (clause, finding) in told {
        let name = &clause.name;
        let (status, words, run) = match finding {
            ClauseFinding::Unchanged => ("unchanged", "unchanged".to_owned(), None),
            ClauseFinding::Keeps => ("keeps", "keeps its contract (changed)".to_owned(), None),
            ClauseFinding::Breaks(forbidden) => {
                let words = broken(name, forbidden, called);
                ("breaks", words, Some(forbidden::steps(forbidden, called, system)))
            }
        };
        lines.push(format!("{name:width$}  {words}"));
        let steps = run.iter().flatten().enumerate();
        lines.extend(steps.map(|(i, step)| format!("{:>4}  {step}", i + 1)));
        let action = match finding {
            ClauseFinding::Breaks(forbidden) => Some(forbidden::name(forbidden.last.label, called)),
            _ => None,
        };
        processes.push(json!({ "name": name, "status": status, "action": action, "run": run }));
    }
    let (exit, verdict) = match judged.is_kept() {
        true => (Exit::Holds, "kept"),
        false => (Exit::Fails, "broken"),
    };
    lines.push(match exit {
        Exit::Holds => format!("all contracts are kept: {} holds", contract.property),
        _ => format!("a contract is broken: {} may be violated", contract.property),
    });
    let json = json!({
        "verdict": verdict,
        "processes": processes,
        "local_states": n_local_states,
        "joint_states": n_joint,
    });
    Report { exit, lines, json }
}

/// What a process does that it must not do, in words.
fn broken(process: &str, forbidden: &Forbidden, called: &[Called]) -> String {
    let own = |label: Label| {
        let name = forbidden::name(label, called);
        name.strip_prefix(&format!("{process}: ")).unwrap_or(name)
    };
    let last = own(forbidden.last.label);
    let mut before = forbidden.run.iter().rev();
    let when = match before.find(|step| step.label != Label::Tau) {
        None => "at the start".to_owned(),
        Some(step) => format!("after `{}`", own(step.label)),
    };
    // The first one before the colon is who does it.
    let is_own = |name: &str| {
        let rest = name.strip_prefix(process);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '>']))
    };
    let does = match (forbidden.last.idles, forbidden.last.label) {
        (true, _) => "no longer takes part in",
        (false, Label::Tau) => "performs",
        (false, label) if is_own(forbidden::name(label, called)) => "performs",
        (false, _) => "takes part in",
    };
    match forbidden.why {
        Breach::NotAllowed => format!("BREAKS its contract: {does} `{last}` {when}"),
        Breach::NotKnown => {
            format!("BREAKS its contract: {does} `{last}` {when}, which the contract does not know")
        }
    }
}
