//! Damaged and forged certificates and contracts: nothing may be accepted about a violated program.
//!
//! A program is changed in one place at a time until there are safe and violated ones; which is which
//! is decided by the definition of a step (`testkit::naive`). Then
//!
//! - the certificate of a safe program gets the text of a violated one, with the right hash;
//! - the violated program gets a certificate in which everything but the proof is true;
//! - the contract of a safe program stands beside the violated one, with its seals made anew;
//! - and each of these, and the honest ones, is damaged.

mod abstractions;
mod evidence;
mod locals;
mod variants;

use super::case::{Campaign, CaseReport};
use crate::args::TaskFailure;
use resy::{
    Control, Model, NotAccepted, Program, Question, SplitMix, Subject, check, contract, decode,
    engine, read_certificates_within, recheck,
};
use resy_certificate::contract::{Contract, model as contract_model, text as contract_text};
use resy_certificate::program::with_cut;
use resy_certificate::{Certificate, Origin, OriginKind, Sources, hash, text};
use resy_network::{Budget, build, close};
use resy_testkit::damage::damaged;
use std::time::Duration;
use variants::{ProgramVariant, is_safe, variants};

/// How often a program is changed.
const N_CHANGED: usize = 6;

/// How often each text is damaged.
const N_DAMAGED: usize = 4;

/// The time that an engine gets for an honest certificate or contract.
const HONEST_LIMIT: Duration = Duration::from_secs(5);

/// The campaign `forged`.
pub struct Forged;

impl Campaign for Forged {
    fn unit(&self) -> &'static str {
        "programs with their changes"
    }

    fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure> {
        let mut random = SplitMix(seed ^ 0xf0_96ed);
        random.next_u64();
        let all = variants(seed, &mut random, N_CHANGED);
        let (safe, violated): (Vec<_>, Vec<_>) = all.iter().partition(|v| v.is_safe);
        let mut case = ForgedCase { seed, random, report: CaseReport::default() };
        case.report.count("programs: safe", safe.len() as u64);
        case.report.count("programs: violated", violated.len() as u64);
        for variant in &violated {
            case.liars(variant);
        }
        let is_small = |variant: &&&ProgramVariant| evidence::is_small(&variant.subject);
        for variant in safe.iter().filter(is_small).take(2) {
            case.certificates(variant, &violated);
            case.contracts(variant, &violated);
        }
        Ok(case.report)
    }
}

/// One program with its changes.
struct ForgedCase {
    seed: u64,
    random: SplitMix,
    report: CaseReport,
}

impl ForgedCase {
    /// Certificates of a violated program in which only the proof is false.
    fn liars(&mut self, violated: &ProgramVariant) {
        for (name, written) in evidence::forged(&violated.subject, &mut self.random) {
            self.report.one(format!("forged proof: {name}"));
            if let Some(obligation) = self.rejected_at(&written) {
                self.report.one(format!("forged proof: {name}: rejected at {obligation}"));
            }
            self.recheck_damaged(&written);
        }
    }

    /// The certificate of a safe program, with the texts of violated ones.
    fn certificates(&mut self, safe: &ProgramVariant, violated: &[&ProgramVariant]) {
        let Some(written) = honest_certificate(safe) else {
            return self.report.one("no honest certificate");
        };
        if self.recheck(&written) {
            self.report.one("honest certificate accepted");
        } else {
            let what = "an honest certificate is rejected";
            self.report.differs(self.seed, what, "cert", written.clone());
        }
        self.recheck_damaged(&written);
        for other in violated {
            let Some(forged) = rewritten(&written, |origin| origin.text.clone_from(&other.text))
            else {
                continue;
            };
            self.report.one("certificate with the text of a violated program");
            self.recheck(&forged);
            self.recheck_damaged(&forged);
        }
    }

    fn recheck_damaged(&mut self, written: &str) {
        for i in 0..N_DAMAGED {
            let mut forged = decode(damaged(written, &mut self.random));
            // Every other forger knows about hashes.
            if i % 2 == 0
                && let Some(right) = rewritten(&forged, |_| ())
            {
                forged = right;
            }
            self.report.one("certificate damaged");
            self.recheck(&forged);
        }
    }

    /// The obligation at which the certificates of a file are rejected, if one is.
    fn rejected_at(&mut self, written: &str) -> Option<String> {
        let certificates = read_certificates_within(written, &Control::unlimited()).ok()?;
        let mut rejected = certificates.iter().map(|one| self.judge(one, written));
        rejected.find_map(Result::err)
    }

    /// Whether all certificates of a file are accepted. What is accepted must be true.
    fn recheck(&mut self, written: &str) -> bool {
        let Ok(certificates) = read_certificates_within(written, &Control::unlimited()) else {
            self.report.one("certificate: unreadable");
            return false;
        };
        // Each is judged, also behind one that is rejected.
        let judged: Vec<bool> =
            certificates.iter().map(|one| self.is_accepted(one, written)).collect();
        judged.into_iter().all(|is_accepted| is_accepted)
    }

    fn is_accepted(&mut self, certificate: &Certificate, written: &str) -> bool {
        self.judge(certificate, written).is_ok()
    }

    /// What the checker says: the obligation at which it rejects a certificate. What is accepted must be true.
    fn judge(&mut self, certificate: &Certificate, written: &str) -> Result<(), String> {
        match recheck(certificate, None, &Control::unlimited()) {
            Err(NotAccepted::Rejected(rejection)) => {
                let obligation = rejection.to_string();
                let obligation = obligation.split('`').nth(1).unwrap_or("none");
                self.report.one(format!("certificate: rejected at {obligation}"));
                Err(obligation.to_owned())
            }
            Err(_) => Err("no obligation".to_owned()),
            Ok(_) => {
                self.report.one("certificate: accepted");
                if !is_right(certificate) {
                    let what = "a certificate of a violated program is accepted";
                    self.report.differs(self.seed, what, "cert", written.to_owned());
                }
                Ok(())
            }
        }
    }

    /// The contract of a safe program, beside violated ones.
    fn contracts(&mut self, safe: &ProgramVariant, violated: &[&ProgramVariant]) {
        let Some(written) = honest_contract(safe) else {
            return self.report.one("no honest contract");
        };
        match self.verify(&written, safe) {
            true => self.report.one("honest contract kept"),
            false => {
                let what = "an honest contract is not kept";
                self.report.differs(self.seed, what, "contract", written.clone());
            }
        }
        for other in violated {
            self.report.one("contract beside a violated program");
            self.verify(&written, other);
            if let Some(sealed) = resealed(&written, other) {
                self.report.one("contract beside a violated program, sealed anew");
                self.verify(&sealed, other);
                for _ in 0..N_DAMAGED {
                    let forged = decode(damaged(&sealed, &mut self.random));
                    self.report.one("contract damaged");
                    self.verify(&forged, other);
                }
            }
        }
    }

    /// Whether a program keeps a contract. A violated one must not.
    fn verify(&mut self, written: &str, program: &ProgramVariant) -> bool {
        let Ok(contract) = contract::read(written) else {
            self.report.one("contract: unreadable");
            return false;
        };
        let control = Control::unlimited().with_timeout(Some(HONEST_LIMIT));
        let answer = match contract::verify(&program.subject, &contract, &control) {
            Ok(judgement) if judgement.is_kept() => "kept",
            Ok(_) => "broken",
            Err(contract::NotKept::NotProved(..)) => "proves nothing",
            Err(contract::NotKept::Refused(_)) => "refused",
            Err(contract::NotKept::Unknown(_)) => "unknown",
        };
        self.report.one(format!("contract: {answer}"));
        let is_kept = answer == "kept";
        if is_kept && !program.is_safe && is_about_steps(&contract.property) {
            let what = "a violated program keeps a contract";
            let text = format!("{written}\n\n/* the program */\n{}", program.text);
            self.report.differs(self.seed, what, "contract", text);
        }
        is_kept
    }
}

/// Whether a property covers all that the oracle calls violated.
fn is_about_steps(property: &str) -> bool {
    property.contains("assertions") && property.contains("runtime")
}

/// Whether what an accepted certificate is about is safe, or too large to know.
fn is_right(certificate: &Certificate) -> bool {
    let Origin { kind, property, .. } = &certificate.origin;
    let narrows =
        ["only", "without", "loss"].iter().any(|key| certificate.origin.setting(key).is_some());
    if *kind != OriginKind::Promela || narrows || !is_about_steps(property) {
        return true;
    }
    let sources = Sources::of(&certificate.origin);
    match sources.system() {
        Ok(system) => is_safe(&Program { sources, system, data: None }) != Some(false),
        Err(_) => false,
    }
}

/// The certificates of a file with a changed origin, whose hash is right; nothing if the file cannot be read.
fn rewritten(written: &str, change: impl Fn(&mut Origin)) -> Option<String> {
    let mut certificates = read_certificates_within(written, &Control::unlimited()).ok()?;
    for certificate in &mut certificates {
        change(&mut certificate.origin);
        certificate.origin.hash = hash(&certificate.origin.text);
    }
    Some(certificates.iter().map(text::write).collect())
}

fn honest_certificate(variant: &ProgramVariant) -> Option<String> {
    let engine = engine::by_name("network")?;
    let question = Question {
        engine,
        method: Some("refinement"),
        certificate: true,
        threads: Some(1),
        ..Question::default()
    };
    let control = Control::unlimited().with_timeout(Some(HONEST_LIMIT));
    let report = check(variant.subject.clone(), &question, &control).ok()?;
    Some(report.certificate?.ok()?.text.to_string())
}

fn honest_contract(variant: &ProgramVariant) -> Option<String> {
    let question = Question::default();
    let model = Model::new(variant.subject.clone(), &question).ok()?.without_end_states();
    let control = Control::unlimited().with_timeout(Some(HONEST_LIMIT));
    Some(contract::draft(&model, &question, "case.pml", &control).ok()?.text)
}

/// The contract with the seals of another program's code, as if that had always been there.
fn resealed(written: &str, other: &ProgramVariant) -> Option<String> {
    let contract = contract::read(written).ok()?;
    let Subject::Program(program) = &*other.subject else { return None };
    let settings = contract.settings.clone();
    let (property, text) = (contract.property.clone(), String::new());
    let origin = Origin::new(OriginKind::Promela, property, Vec::new(), settings, text);
    let manner = |manner, plain: &resy_network::Cut<'_>| {
        contract_model::manner_for(&contract, manner, plain)
    };
    let seal = |cut: &resy_network::Cut<'_>, properties: &[_]| {
        let budget = Budget { states: 2_000, labels: 2_000, attempts: 50_000 };
        let (closure, overrun) =
            close(cut, budget, &Default::default(), &mut |_| true, &mut |_| true);
        if overrun.is_some() {
            return None;
        }
        let components = build(cut, &closure, properties, &mut || true)?;
        let derived =
            contract_model::derive(cut, properties, &components, Some(&contract), &mut || true);
        let sealed: Contract = contract_model::sealed(contract.clone(), &derived.ok()?);
        Some(contract_text::write(&sealed))
    };
    let sealed = with_cut(&origin, &program.system, manner, seal, &mut || true);
    sealed.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgeries_are_rejected() -> Result<(), TaskFailure> {
        let mut all = CaseReport::default();
        for seed in 0..12 {
            all.add(Forged.case(seed)?);
        }
        assert!(all.differences.is_empty(), "{:?}", all.differences);
        for kind in [
            "forged proof: states before the error",
            "certificate: rejected at safe",
            "certificate with the text of a violated program",
            "honest certificate accepted",
            "contract beside a violated program, sealed anew",
        ] {
            assert!(all.n(kind) > 0, "{kind}: {:?}", all.answers);
        }
        // Each forgery breaks the obligation that it is about, so that a checker without it accepts some.
        for (name, obligation) in abstractions::ABSTRACTIONS.into_iter().chain(locals::LOCALS) {
            let kind = format!("forged proof: {name}: rejected at {obligation}");
            assert!(all.n(&kind) > 0, "{kind}: {:?}", all.answers);
        }
        Ok(())
    }

    /// A program that is said to be violated, and is not: its own contract is a forgery then.
    #[test]
    fn what_is_kept_is_compared_with_the_oracle() {
        let text = "bit x; active proctype P() { do :: x = 1 - x; assert(x < 2) od }";
        let subject = Subject::promela("case.pml", text).subject.expect("a model");
        let program = |is_safe| ProgramVariant {
            subject: std::sync::Arc::new(subject.clone()),
            text: text.to_owned(),
            is_safe,
        };
        let written = honest_contract(&program(true)).expect("it holds");
        let mut case = ForgedCase { seed: 0, random: SplitMix(1), report: CaseReport::default() };
        assert!(case.verify(&written, &program(true)) && case.report.differences.is_empty());
        assert!(case.verify(&written, &program(false)));
        assert_eq!(case.report.differences.len(), 1);
    }
}
