//! What the check of a certificate found, as text and JSON.

use super::forbidden;
use resy::{Accepted, DataAccepted, NotAccepted, NotAcceptedData, counted};
use resy_certificate::changed::{Breach, Called, ChangeRefused, Forbidden};
use resy_certificate::unbounded::DataCertificate;
use resy_certificate::{Certificate, Rejection};
use resy_system::System;
use serde_json::{Value, json};

/// What the check of a certificate found.
pub struct RecheckView {
    /// Whether everything is accepted.
    pub is_accepted: bool,
    /// The result for people, a line each.
    pub lines: Vec<String>,
    /// The result for programs.
    pub json: Value,
}

/// The results of the checks of a file's certificates, as one; `changed` as in [`recheck_view`].
pub fn recheck_views(
    checked: &[(Certificate, Result<Accepted, NotAccepted>)],
    changed: Option<&System>,
) -> RecheckView {
    let views = checked.iter().map(|(one, result)| recheck_view(one, changed, result));
    let mut views: Vec<RecheckView> = views.collect();
    if views.len() == 1 {
        return views.remove(0);
    }
    let verdict = |result: &Result<_, NotAccepted>| match result {
        Ok(_) => "accepted",
        Err(why) if why.is_undecided() => "unknown",
        Err(_) => "rejected",
    };
    let named = |(view, (certificate, result)): (&RecheckView, &(Certificate, _))| {
        let mut object = json!({
            "property": certificate.origin.property,
            "verdict": verdict(result),
        });
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), view.json.clone()) {
            object.extend(more);
        }
        object
    };
    let certificates: Vec<Value> = views.iter().zip(checked).map(named).collect();
    let properties = checked.iter().map(|(one, _)| one.origin.property.as_str());
    RecheckView {
        is_accepted: views.iter().all(|view| view.is_accepted),
        lines: views.iter().flat_map(|view| view.lines.clone()).collect(),
        json: json!({
            "property": properties.collect::<Vec<_>>().join(", "),
            "certificates": certificates,
        }),
    }
}

/// The result of the check of a certificate; `changed` is the meaning of the changed program, if one was
/// checked, and the default for a network.
pub fn recheck_view(
    certificate: &Certificate,
    changed: Option<&System>,
    result: &Result<Accepted, NotAccepted>,
) -> RecheckView {
    match (result, changed) {
        (Ok(_), Some(_)) => RecheckView {
            is_accepted: true,
            lines: vec![format!(
                "accepted: the changed module meets the requirement, `{}` holds",
                certificate.origin.property
            )],
            json: json!({}),
        },
        (Ok(accepted), None) => accepts(certificate, accepted),
        (Err(NotAccepted::Rejected(rejection)), _) => rejects(rejection),
        (Err(NotAccepted::Changed(ChangeRefused::Different(what))), _) => RecheckView {
            is_accepted: false,
            lines: vec![format!("rejected: {what}; only the module may change")],
            json: json!({ "reason": what }),
        },
        (Err(NotAccepted::Changed(ChangeRefused::Stopped)), _) => stopped("it was cancelled"),
        (Err(NotAccepted::Stopped(stop)), _) => stopped(&stop.to_string()),
        (Err(NotAccepted::InfiniteRuns), _) => stopped(&format!(
            "`{}` is about infinite runs: the certificate proves it for its own program only",
            certificate.origin.property
        )),
        (Err(NotAccepted::Changed(ChangeRefused::Forbidden(forbidden, actions))), system) => {
            let default = System::default();
            forbids(forbidden, actions, system.unwrap_or(&default))
        }
    }
}

fn accepts(certificate: &Certificate, accepted: &Accepted) -> RecheckView {
    let Accepted { requirement_states, n_transitions, n_inductive, n_steps } = accepted;
    let property = &certificate.origin.property;
    let mut lines = vec![format!("accepted: `{property}` holds")];
    for n_states in requirement_states {
        let module = certificate.origin.module.join(", ");
        lines.push(format!("requirement of {module}: {}", counted(n_states, "state")));
    }
    let steps = format!("{} from {}", counted(n_steps, "step"), counted(n_inductive, "state"));
    lines.push(match *n_transitions {
        0 => format!("checked {steps}"),
        n => format!("checked {}, and {steps}", counted(n, "mapped transition")),
    });
    let json = json!({
        "property": property,
        "module": certificate.origin.module,
        "requirement_states": requirement_states.iter().max(),
        "proofs": certificate.evidence.proofs.len(),
        "mapped_transitions": n_transitions,
        "inductive_states": n_inductive,
        "inductive_steps": n_steps,
    });
    RecheckView { is_accepted: true, lines, json }
}

/// The results of the checks of a file's certificates of abstractions.
pub fn data_recheck_view(
    checked: &[(DataCertificate, Result<DataAccepted, NotAcceptedData>)],
) -> RecheckView {
    let (mut lines, mut certificates) = (Vec::new(), Vec::new());
    for (certificate, result) in checked {
        let view = of_data(certificate, result);
        lines.extend(view.lines);
        certificates.push(view.json);
    }
    let properties = checked.iter().map(|(one, _)| one.origin.property.as_str());
    let json = match &certificates[..] {
        [only] => only.clone(),
        _ => json!({
            "property": properties.collect::<Vec<_>>().join(", "),
            "certificates": certificates,
        }),
    };
    RecheckView { is_accepted: checked.iter().all(|(_, result)| result.is_ok()), lines, json }
}

fn of_data(
    certificate: &DataCertificate,
    result: &Result<DataAccepted, NotAcceptedData>,
) -> RecheckView {
    let accepted = match result {
        Ok(accepted) => accepted,
        Err(NotAcceptedData::Rejected(rejection)) => return rejects(rejection),
        Err(NotAcceptedData::Stopped(stop)) => return stopped(&stop.to_string()),
        Err(NotAcceptedData::NoSolver(why)) => return stopped(why),
        Err(NotAcceptedData::Open(obligation, place)) => {
            let name = obligation.name();
            return stopped(&format!(
                "obligation `{name}` at {place} has no derivation, or the solver does not know"
            ));
        }
    };
    let DataAccepted { checked, assumed, fairness, solver } = accepted;
    let property = &certificate.origin.property;
    let fair = fairness.iter().map(|words| format!(", {words}")).collect::<String>();
    let how = match solver {
        Some(solver) => format!("refuted by {solver}"),
        None => format!("by derivations of {} steps", checked.n_steps),
    };
    let lines = vec![
        format!("accepted: `{property}` holds for unbounded data{fair}"),
        match assumed.is_empty() {
            true => "assumed: nothing".to_owned(),
            false => format!("assumed: {}", assumed.join("; ")),
        },
        format!(
            "checked {} obligations about {} valuations of {} predicates in {} control states, {how}",
            checked.n_obligations, checked.n_states, checked.n_predicates, checked.n_controls
        ),
    ];
    let json = json!({
        "property": property,
        "verdict": "accepted",
        "assumed": assumed,
        "fairness": fairness,
        "solver": solver,
        "obligations": checked.n_obligations,
        "derivation_steps": checked.n_steps,
        "abstract_states": checked.n_states,
        "predicates": checked.n_predicates,
        "control_states": checked.n_controls,
    });
    RecheckView { is_accepted: true, lines, json }
}

fn stopped(why: &str) -> RecheckView {
    RecheckView {
        is_accepted: false,
        lines: vec![format!("unknown: {why}")],
        json: json!({ "reason": why }),
    }
}

fn rejects(rejection: &Rejection) -> RecheckView {
    let Rejection { obligation, place } = rejection;
    RecheckView {
        is_accepted: false,
        lines: vec![format!("rejected: {rejection}")],
        json: json!({
            "obligation": obligation.name(),
            "reason": obligation.sentence(),
            "place": place,
        }),
    }
}

fn forbids(forbidden: &Forbidden, actions: &[Called], system: &System) -> RecheckView {
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
    RecheckView {
        is_accepted: false,
        lines,
        json: json!({ "reason": what, "action": last, "run": steps }),
    }
}
