//! The verdict on every property of a subject.

use crate::canonical;
use crate::control::{Control, Message};
use crate::engine::{Account, Case, Certified, Cost, Stats};
use crate::model::Model;
use crate::question::{CallError, Question};
use crate::requirement::NamedRequirement;
use crate::subject::Subject;
use crate::unreached::Unreached;
use crate::verdict::{Answer, Truth, Verdict, stop_word};
use resy_automata::network::Network;
use resy_engine::search::Stopped;
use resy_system::NotChecked;
use std::sync::Arc;

/// What there is to say about the properties of a subject.
pub struct CheckReport {
    /// The model.
    pub model: Arc<Model>,
    /// The verdicts.
    pub answers: Vec<Answer>,
    /// The properties that were not checked.
    pub not_checked: Vec<NotChecked>,
    /// The verdict on all properties that were not left out by the user.
    pub total: Truth,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What is said only if it is asked for: why reductions do not apply.
    pub details: Vec<String>,
    /// What was visited, in a sentence.
    pub seen: &'static str,
    /// The cost.
    pub stats: Stats,
    /// What ended the search of all states before its end.
    pub stopped: Option<Stopped>,
    /// Why the search could not be saved, if it was to be.
    pub not_saved: Option<String>,
    /// The statements that no run executes, if all states were visited.
    pub unreached: Option<Vec<Unreached>>,
    /// The components, if the subject was cut or is a network.
    pub network: Option<Network>,
    /// The requirement of the module, if it was asked for.
    pub requirement: Option<NamedRequirement>,
    /// The certificate, if it was asked for and nothing is violated; or why there is none.
    pub certificate: Option<Result<Certified, String>>,
}

impl CheckReport {
    /// Whether every property was searched to its end.
    pub fn is_complete(&self) -> bool {
        let is_decided = |answer: &Answer| answer.verdict.truth() != Truth::Unknown;
        self.not_checked.is_empty() && self.answers.iter().all(is_decided)
    }

    /// The properties that the certificate does not prove, in order; none if there is no certificate.
    pub fn not_certified(&self) -> Vec<&str> {
        let Some(Ok(certified)) = &self.certificate else { return Vec::new() };
        let decided = self.answers.iter().map(|answer| answer.property.name());
        let all = decided.chain(self.not_checked.iter().map(|left_out| left_out.name.as_str()));
        all.filter(|name| !certified.properties.iter().any(|proved| proved == name)).collect()
    }

    /// The variables whose growth may be why the search of all states did not end: `resy abstract` decides
    /// programs in which they have no bounds.
    pub fn growing(&self) -> Vec<String> {
        if self.stopped.is_none() || self.total != Truth::Unknown {
            return Vec::new();
        }
        self.model.subject().system().map(crate::growing_variables).unwrap_or_default()
    }

    /// Why the search of all states stopped before its end, in words.
    pub fn stop_note(&self) -> Option<&'static str> {
        self.stopped.map(stop_word)
    }

    /// Whether another host was lost, or did not come.
    pub fn has_lost_host(&self) -> bool {
        matches!(self.stopped, Some(Stopped::HostLost | Stopped::HostAbsent))
    }

    /// Whether the numbers are those of all hosts, where several have searched.
    pub fn is_of_all_hosts(&self) -> bool {
        matches!(self.stats.cost, Cost::Search { of_all_hosts: true, .. })
    }
}

/// Decides what a question asks of a subject, within the limits of a control.
pub fn check(
    subject: Arc<Subject>,
    question: &Question,
    control: &Control,
) -> Result<CheckReport, CallError> {
    let engine = question.engine;
    if question.method.is_some_and(|m| engine.methods().iter().all(|known| known.name != m)) {
        return Err(CallError::NoMethod(engine.name()));
    }
    let model = Arc::new(Model::new(subject, question)?);
    let case = Case { model: model.clone(), question: question.clone() };
    let mut account = engine.decide(&case, control)?;
    if !question.as_found {
        let found = std::mem::take(&mut account.answers);
        account.answers = canonical::answers(&model, found, account.chance, control);
    }
    control.tell(&Message::Done);
    Ok(report(&case, account))
}

/// What is said of a run that may be another one next time.
const NOT_CANONICAL: &str =
    "the run shown is not canonical: the same call may show another one, which is as good";

fn report(case: &Case, account: Account) -> CheckReport {
    let Account { answers, stats, notes, stopped, .. } = account;
    let mut runs = answers.iter().filter_map(Answer::counterexample);
    let is_marked = !case.question.as_found && runs.any(|run| !run.is_canonical());
    let mark = is_marked.then(|| NOT_CANONICAL.to_owned());
    let selection = &case.model.selection;
    let not_checked: Vec<NotChecked> =
        selection.not_checked.iter().cloned().chain(account.not_checked).collect();
    let truths = answers.iter().map(|answer| answer.verdict.truth());
    let total = Truth::of_all(truths.chain(not_checked.iter().map(|_| Truth::Unknown)));
    let is_undecided = |answer: &Answer| matches!(answer.verdict, Verdict::Unknown(_));
    let is_undecided = answers.is_empty() || answers.iter().any(is_undecided);
    let stop_note = stopped.filter(|_| is_undecided).map(|stopped| match stopped {
        Stopped::Violation => "the search stopped at the first violation".to_owned(),
        _ => format!("search stopped: {}", stop_word(stopped)),
    });
    let by_rivals =
        account.by_rivals.into_iter().map(|how| format!("decided beside the search: {how}"));
    let mut report = CheckReport {
        model: case.model.clone(),
        answers,
        not_checked,
        total,
        notes: by_rivals.chain(stop_note).chain(notes).chain(mark).collect(),
        details: account.details,
        seen: account.seen,
        stats,
        stopped,
        not_saved: account.not_saved,
        unreached: account.unreached,
        network: account.network,
        requirement: account.requirement,
        certificate: account.certificate,
    };
    let missing = report.not_certified().join(", ");
    if !missing.is_empty() {
        report.notes.push(format!("the certificate does not cover {missing}"));
    }
    report
}
