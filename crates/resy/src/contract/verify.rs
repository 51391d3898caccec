//! Whether the processes of a changed model keep their contracts, each alone.

use super::network::LARGEST;
use super::{MAX_JOINT, coverage};
use crate::control::{Control, Stop};
use crate::model::Model;
use crate::question::{MAX_LOCAL_STATES, Question};
use crate::subject::Subject;
use resy_automata::lts::Label;
use resy_certificate::contract::model::{self, NotJudged, Verified};
use resy_certificate::contract::{ClauseFinding, Contract, NotProved, network, proved, text};
use resy_certificate::program::with_cut_of_contract;
use resy_certificate::{NotDerived, Origin, OriginKind};
use resy_network::{Budget, Cut};
use resy_system::NotChecked;
use std::sync::Arc;

/// What the check of a changed model found.
pub struct Judgement {
    /// For each clause whether its component keeps it.
    pub verified: Verified,
    /// The number of states of the joint proof.
    pub n_joint: usize,
}

/// Why nothing is known to be kept.
#[derive(Debug)]
pub enum NotKept {
    /// The requirements do not prove the property, whatever the program is: a run that they permit
    /// together, or a label about whose errors there is no proof.
    NotProved(Vec<Label>, String),
    /// The model differs in more than its processes.
    Refused(String),
    /// A limit was reached.
    Unknown(String),
}

impl Judgement {
    /// Whether all contracts are kept.
    pub fn is_kept(&self) -> bool {
        self.verified.judged.is_kept()
    }

    /// The findings, in the order of the clauses.
    pub fn findings(&self) -> &[ClauseFinding] {
        &self.verified.judged.findings
    }
}

/// What a contract says about a changed model. The file chooses it, so a user should see it.
pub struct ContractScope {
    /// The properties that it is about.
    pub covers: Vec<String>,
    /// The properties of the model that it says nothing about.
    pub not_covered: Vec<NotChecked>,
    /// The macros with which the model is read.
    pub defines: Vec<String>,
    /// Whether a message sent to a full channel is lost.
    pub loss: bool,
}

impl ContractScope {
    /// The scope of a contract of a model that was read with these macros.
    pub fn of(subject: &Arc<Subject>, contract: &Contract, defines: &[String]) -> Self {
        let covers: Vec<String> = contract.property.split(", ").map(str::to_owned).collect();
        let model = Model::new(subject.clone(), &Question::default());
        let mut not_covered = Vec::new();
        if let Ok(selection) = model.map(|model| model.without_end_states().selection) {
            let others = selection.properties.iter().map(|property| property.name().to_owned());
            let reason = "the contract is about other properties";
            let others = others.filter(|name| !covers.contains(name));
            not_covered.extend(others.map(|name| NotChecked { name, reason: reason.to_owned() }));
            not_covered.extend(selection.not_checked);
        }
        let loss = contract.settings.iter().any(|(key, value)| key == "loss" && value == "yes");
        Self { covers, not_covered, defines: defines.to_vec(), loss }
    }

    /// The scope in a line.
    pub fn sentence(&self) -> String {
        let defines = self.defines.iter().map(|define| format!("with the macro {define}"));
        let loss = self.loss.then(|| "with messages that full channels lose".to_owned());
        let manner: Vec<String> = defines.chain(loss).collect();
        let coverage = coverage(&self.covers, &self.not_covered);
        if manner.is_empty() { coverage } else { format!("{coverage}; {}", manner.join(", ")) }
    }
}

/// Reads the text of a contract; a message if it is none.
pub fn read(written: &str) -> Result<Contract, String> {
    text::read(written).map_err(|error| error.to_string())
}

/// Judges a changed model by a contract: every process, also those whose seals fit.
pub fn verify(
    subject: &Subject,
    contract: &Contract,
    control: &Control,
) -> Result<Judgement, NotKept> {
    let joint = proved(contract, MAX_JOINT, &mut |n_states| control.product(n_states));
    let joint = joint.map_err(|why| not_proved(contract, why, control.exceeded()))?;
    let verified = match subject {
        Subject::Network(file) => network::derive(&file.network, Some(contract))
            .map_err(|rejection| NotJudged::Refused(rejection.to_string()))
            .and_then(|derived| model::judged(contract, derived, &mut || control.may_go_on())),
        Subject::Fsp(fsp) => network::of_contract(&fsp.composition, contract)
            .map_err(NotJudged::Refused)
            .and_then(|network| {
                network::derive(&network, Some(contract))
                    .map_err(|rejection| NotJudged::Refused(rejection.to_string()))
            })
            .and_then(|derived| model::judged(contract, derived, &mut || control.may_go_on())),
        Subject::Program(program) => verify_program(&program.system, contract, control),
    };
    match verified {
        Ok(verified) => Ok(Judgement { verified, n_joint: joint.n_states }),
        Err(NotJudged::Refused(what)) => Err(NotKept::Refused(what)),
        Err(NotJudged::Unknown(what)) => {
            Err(NotKept::Unknown(control.exceeded().map_or(what, |stop| stop.to_string())))
        }
    }
}

fn not_proved(contract: &Contract, why: NotProved, stop: Option<Stop>) -> NotKept {
    let name = |label: Label| match label {
        Label::Tau => "(internal step)",
        Label::Visible(action) => &contract.actions[resy_index::Id::index(action)],
    };
    let sentence =
        |what: &str| format!("the requirements do not prove `{}`: {what}", contract.property);
    match why {
        NotProved::TooLarge => {
            let too_many = format!("they have more than {MAX_JOINT} states together");
            NotKept::Unknown(sentence(&stop.map_or(too_many, |stop| stop.to_string())))
        }
        NotProved::NotCovered(label) => {
            let what = format!("no proof is about errors by `{}`", name(label));
            NotKept::NotProved(Vec::new(), sentence(&what))
        }
        NotProved::Run(run) => {
            let what = "together they permit this run, which violates it";
            NotKept::NotProved(run, sentence(what))
        }
    }
}

fn verify_program(
    system: &resy_system::System,
    contract: &Contract,
    control: &Control,
) -> Result<Verified, NotJudged> {
    let settings = contract.settings.clone();
    let (property, text) = (contract.property.clone(), String::new());
    let origin = Origin::new(OriginKind::Promela, property, Vec::new(), settings, text);
    let manner = |manner, plain: &Cut<'_>| model::manner_for(contract, manner, plain);
    let verify = |cut: &Cut<'_>, properties: &[_]| {
        let budget = budget(contract);
        let in_time = &mut |n_states| control.components(n_states);
        model::verify(contract, cut, properties, budget, in_time)
    };
    let verified =
        with_cut_of_contract(&origin, system, manner, verify, &mut || control.may_go_on());
    let verified = verified.map_err(|why| match why {
        NotDerived::Rejected(rejection) => NotJudged::Refused(rejection.place),
        NotDerived::Stopped => NotJudged::Unknown("time or memory ran out".to_owned()),
    });
    verified.and_then(|verified| verified)
}

/// The limit for the components of a changed model: so many times what the largest component had,
/// and some more. A counter that has no bound is noticed soon, and what had a contract keeps having
/// one. The file may only choose among limits that are finite.
fn budget(contract: &Contract) -> Budget {
    const TIMES: usize = 100;
    const MORE: usize = 10_000;
    // Contracts that were written before the size was noted.
    const UNNOTED: usize = 1_000;
    let noted = contract.settings.iter().find(|(key, _)| key == LARGEST);
    let largest = noted.and_then(|(_, value)| value.parse().ok()).unwrap_or(UNNOTED);
    let states = TIMES.saturating_mul(largest).saturating_add(MORE).min(MAX_LOCAL_STATES);
    let labels = TIMES.saturating_mul(contract.actions.len()).saturating_add(MORE);
    let most = Budget::default();
    Budget { states, labels: labels.min(most.labels), ..most }
}

/// The macros with which a changed model is read: those of the contract except those that are given
/// anew, and then the given ones.
pub fn verify_defines(contract: &Contract, given: &[String]) -> Vec<String> {
    let name = |define: &str| define.split(['=', '(']).next().unwrap_or_default().to_owned();
    let is_new = |define: &&String| !given.iter().any(|other| name(other) == name(define));
    let noted = contract.settings.iter().filter(|(key, _)| key == "define").map(|(_, d)| d);
    noted.filter(is_new).chain(given).cloned().collect()
}
