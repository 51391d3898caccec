//! Contracts, and what a changed model does with them, as text and JSON.

use super::{forbidden, object};
use resy::NotChecked;
use resy::contract::{ContractDraft, ContractScope, Judgement, NotKept, coverage};
use resy::control::memory;
use resy::counted;
use resy_automata::lts::Label;
use resy_certificate::changed::{Breach, Called, Forbidden};
use resy_certificate::contract::{Clause, ClauseFinding, Contract};
use resy_index::Id;
use resy_system::System;
use serde_json::{Value, json};

/// A contract that was found, for programs.
pub fn draft_json(draft: &ContractDraft, file: &str, written: &str, seconds: f64) -> Value {
    let clause = |(clause, n_states): (&Clause, &usize)| {
        json!({
            "name": clause.name,
            "process": clause.seal.is_some(),
            "states": n_states,
            "requirement_states": clause.requirement.n_states(),
        })
    };
    let clauses = draft.contract.clauses.iter().zip(&draft.component_states);
    let own = json!({
        "contract": written,
        "verdict": "holds",
        "covers": draft.covers,
        "not_covered": not_covered(&draft.not_covered),
        "property": draft.contract.property,
        "requirements": clauses.map(clause).collect::<Vec<_>>(),
        "proofs": draft.contract.premises.len(),
        "joint_states": draft.n_joint,
        "seconds": seconds,
        "peak_bytes": memory::peak(),
    });
    object("contract init", file, own)
}

fn not_covered(list: &[NotChecked]) -> Vec<Value> {
    let one = |NotChecked { name, reason }: &NotChecked| json!({ "name": name, "reason": reason });
    list.iter().map(one).collect()
}

/// What a contract says about a changed model, for programs.
pub fn scope_json(scope: &ContractScope) -> Value {
    json!({
        "covers": scope.covers,
        "not_covered": not_covered(&scope.not_covered),
        "defines": scope.defines,
        "loss": scope.loss,
    })
}

/// A contract that was found, for people.
pub fn draft_text(draft: &ContractDraft) -> String {
    let ContractDraft { contract, component_states, n_joint, covers, not_covered, .. } = draft;
    let width = contract.clauses.iter().map(|c| c.name.len()).max().unwrap_or(0).max(9);
    let mut lines = vec![
        coverage(covers, not_covered),
        format!("{} holds: the requirements prove it together", contract.property),
        format!("{:width$}  {:>11}  {:>8}", "component", "requirement", "of states"),
    ];
    for (clause, n_states) in contract.clauses.iter().zip(component_states) {
        let n_required = clause.requirement.n_states();
        lines.push(format!("{:width$}  {n_required:>11}  {n_states:>9}", clause.name));
    }
    lines.push(format!("together they have {}", counted(n_joint, "state")));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// What a changed model does with a contract.
pub enum Judged {
    /// All contracts are kept.
    Kept,
    /// One is broken, or nothing is proved, or more than processes has changed.
    Broken,
    /// Nothing is known.
    Unknown,
}

impl Judged {
    /// Whether the contract is kept.
    pub fn of(result: &Result<Judgement, NotKept>) -> Self {
        match result {
            Ok(judgement) if judgement.is_kept() => Self::Kept,
            Err(NotKept::Unknown(_)) => Self::Unknown,
            _ => Self::Broken,
        }
    }
}

/// What a changed model does with a contract, for people, a line each. `system` is its meaning.
pub fn judged_text(
    contract: &Contract,
    result: &Result<Judgement, NotKept>,
    system: &System,
) -> Vec<String> {
    match result {
        Ok(judgement) => found(contract, judgement, system).0,
        Err(NotKept::NotProved(run, what)) => {
            let steps = run.iter().enumerate();
            let steps = steps.map(|(i, &label)| format!("{:>4}  {}", i + 1, name(contract, label)));
            std::iter::once(what.clone()).chain(steps).collect()
        }
        Err(NotKept::Refused(what)) => {
            vec![format!("refused: {what}; make a new contract with `init --force`")]
        }
        Err(NotKept::Unknown(what)) => vec![format!("unknown: {what}")],
    }
}

/// What a changed model does with a contract, for programs.
pub fn judged_json(
    contract: &Contract,
    result: &Result<Judgement, NotKept>,
    system: &System,
) -> Value {
    match result {
        Ok(judgement) => json!({
            "verdict": if judgement.is_kept() { "kept" } else { "broken" },
            "processes": found(contract, judgement, system).1,
            "local_states": judgement.verified.n_local_states,
            "joint_states": judgement.n_joint,
        }),
        Err(NotKept::NotProved(run, what)) => {
            let run: Vec<&str> = run.iter().map(|&label| name(contract, label)).collect();
            let run = (!run.is_empty()).then_some(run);
            json!({ "verdict": "refused", "reason": what, "run": run })
        }
        Err(NotKept::Refused(what)) => json!({ "verdict": "refused", "reason": what }),
        Err(NotKept::Unknown(what)) => json!({ "verdict": "unknown", "reason": what }),
    }
}

fn name(contract: &Contract, label: Label) -> &str {
    match label {
        Label::Tau => "(internal step)",
        Label::Visible(action) => &contract.actions[action.index()],
    }
}

/// One line for each process, and for an object if it breaks its clause; and the same as JSON.
fn found(contract: &Contract, judgement: &Judgement, system: &System) -> (Vec<String>, Vec<Value>) {
    let called = &judgement.verified.called;
    let told = contract.clauses.iter().zip(judgement.findings());
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
    lines.push(match judgement.is_kept() {
        true => format!("all contracts are kept: {} holds", contract.property),
        false => format!("a contract is broken: {} may be violated", contract.property),
    });
    (lines, processes)
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
    // The name before the colon is the process that acts.
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
