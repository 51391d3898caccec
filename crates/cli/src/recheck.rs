//! `resy recheck`: is a certificate what it says, and does a changed module meet its requirement?

use crate::Exit;
use crate::args::Recheck;
use crate::{certified, forbidden, load, network_file};
use resy_automata::network::Network;
use resy_certificate::changed::{Breach, Called, ChangeRefused, Forbidden};
use resy_certificate::{Certificate, OriginKind, Rejection, check, network, text};
use resy_system::System;
use serde_json::{Value, json};

/// What came of it, and how it is told.
struct Report {
    exit: Exit,
    lines: Vec<String>,
    json: Value,
}

/// Runs the command.
pub fn run(recheck: &Recheck) -> Exit {
    let report = match read(recheck).and_then(|certificate| judge(recheck, &certificate)) {
        Ok(report) => report,
        Err(exit) => return exit,
    };
    if recheck.json {
        let mut object = json!({
            "schema": "resy/1",
            "command": "recheck",
            "file": recheck.certificate.display().to_string(),
            "changed": recheck.changed.as_ref().map(|file| file.display().to_string()),
            "verdict": if report.exit == Exit::Holds { "accepted" } else { "rejected" },
        });
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), report.json) {
            object.extend(more);
        }
        println!("{object}");
    } else {
        report.lines.iter().for_each(|line| println!("{line}"));
    }
    report.exit
}

fn read(recheck: &Recheck) -> Result<Certificate, Exit> {
    let file = recheck.certificate.display();
    let complain = |error: &dyn std::fmt::Display| {
        eprintln!("resy: {file}: {error}");
        Exit::BadInput
    };
    let found = load::read(&recheck.certificate).map_err(|error| complain(&error))?;
    text::read(&found).map_err(|error| complain(&error))
}

fn judge(recheck: &Recheck, certificate: &Certificate) -> Result<Report, Exit> {
    let derived = match certificate.origin.kind {
        OriginKind::Network => network::derive(certificate),
        OriginKind::Promela => certified::network(certificate),
    };
    let network = match derived {
        Ok(network) => network,
        Err(rejection) => return Ok(rejected(&rejection)),
    };
    let checked = match check(certificate, &network) {
        Ok(checked) => checked,
        Err(rejection) => return Ok(rejected(&rejection)),
    };
    let Some(file) = &recheck.changed else {
        return Ok(accepted(certificate, &network, &checked));
    };
    let (result, system) = match certificate.origin.kind {
        OriginKind::Network => {
            let other = network_file::load(file, None)?;
            (network::recheck(certificate, &network, &checked, &other), System::default())
        }
        OriginKind::Promela => {
            let system = load::load(file, &recheck.common)?;
            (certified::recheck(certificate, &network, &checked, &system), system)
        }
    };
    Ok(match result {
        Ok(()) => Report {
            exit: Exit::Holds,
            lines: vec![format!(
                "accepted: the changed module meets the requirement, `{}` holds",
                certificate.origin.property
            )],
            json: json!({}),
        },
        Err(ChangeRefused::Different(what)) => Report {
            exit: Exit::Fails,
            lines: vec![format!("rejected: {what}; only the module may change")],
            json: json!({ "reason": what }),
        },
        Err(ChangeRefused::Forbidden(forbidden, actions)) => forbids(&forbidden, &actions, &system),
    })
}

fn accepted(
    certificate: &Certificate,
    network: &Network,
    checked: &resy_certificate::Checked<'_>,
) -> Report {
    let property = &certificate.origin.property;
    let requirements = checked.requirements(&network.module).unwrap_or_default();
    let requirement_states = requirements.iter().map(|image| image.n_states());
    let n_mapped = checked.n_transitions;
    let mut lines = vec![format!("accepted: `{property}` holds")];
    for n_states in requirement_states.clone() {
        let module = certificate.origin.module.join(", ");
        lines.push(format!("requirement of {module}: {n_states} states"));
    }
    lines.push(format!(
        "looked at {n_mapped} transitions that are mapped, and {} steps from {} states",
        checked.n_steps, checked.n_inductive
    ));
    let json = json!({
        "property": property,
        "module": certificate.origin.module,
        "requirement_states": requirement_states.max(),
        "proofs": certificate.evidence.proofs.len(),
        "mapped_transitions": n_mapped,
        "inductive_states": checked.n_inductive,
        "inductive_steps": checked.n_steps,
    });
    Report { exit: Exit::Holds, lines, json }
}

fn rejected(rejection: &Rejection) -> Report {
    let Rejection { obligation, place } = rejection;
    Report {
        exit: Exit::Fails,
        lines: vec![format!("rejected: {rejection}")],
        json: json!({
            "obligation": obligation.name(),
            "reason": obligation.sentence(),
            "place": place,
        }),
    }
}

fn forbids(forbidden: &Forbidden, actions: &[Called], system: &System) -> Report {
    let last = forbidden::name(forbidden.last.label, actions);
    let what = match (forbidden.why, forbidden.last.idles) {
        (Breach::NotKnown, _) => format!(
            "the changed module takes part in `{last}`, which belongs to others and which the old module did not have"
        ),
        (Breach::NotAllowed, false) => format!("the requirement forbids `{last}` here"),
        (Breach::NotAllowed, true) => format!(
            "the changed module no longer takes part in `{last}`, so that the environment may do it here, which the requirement forbids"
        ),
    };
    let mut lines = vec![format!("rejected: {what}")];
    let steps = forbidden::steps(forbidden, actions, system);
    let numbered = steps.iter().enumerate();
    lines.extend(numbered.map(|(i, step)| format!("{:>4}  {step}", i + 1)));
    Report {
        exit: Exit::Fails,
        lines,
        json: json!({ "reason": what, "action": last, "run": steps }),
    }
}
