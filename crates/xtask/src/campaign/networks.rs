//! Generated networks over all engines and the checker, inside this process: a process for each engine
//! would take a hundred times as long as the engine.
//!
//! The network is written as a file and read back. The oracle is the product of all components; where it
//! is small, its definition with sets is asked as well. Every engine and method must agree with it,
//! every certificate must be accepted by the checker after it was written and read, and every network
//! that holds must keep the contract that is made for it.

use super::case::{Campaign, CaseReport};
use crate::args::TaskFailure;
use resy::assume::Synthesis;
use resy::engine::{ENGINES, Engine};
use resy::{
    AssumeOptions, Control, Model, Network, NoFiles, PropertyStatus, Question, Reading, Subject,
    Truth, assume, check, contract, read_certificate, recheck,
};
use resy_automata::product::{Safety, naive, reaches_error};
use resy_automata::text::network_file;
use resy_testkit::networks::{
    LIMIT, NetworkRandom, flat_network, network, with_copies, with_spectators,
};
use std::sync::Arc;
use std::time::Duration;

/// The time limit of an engine.
const ENGINE_LIMIT: Duration = Duration::from_secs(20);

/// Networks with at most so many combinations of states are also explored by definition.
const SMALL: usize = 4_000;

/// Engines that start threads are asked only about one network in so many.
const RARELY: u64 = 8;

/// The campaign `networks`.
pub struct Networks;

impl Campaign for Networks {
    fn unit(&self) -> &'static str {
        "networks"
    }

    fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure> {
        let network = generated(seed);
        let mut case = NetworkCase { seed, text: String::new(), report: CaseReport::default() };
        match network_file::write(&network) {
            Ok(text) => case.text = text,
            Err(clash) => case.wrong(format!("cannot be written: {clash:?}")),
        }
        case.run(&network);
        Ok(case.report)
    }
}

/// The network of a seed: some are wider than the generator's, some have a monitor without memory.
fn generated(seed: u64) -> Network {
    let size = 2 + (seed % 7) as usize;
    let mut random = NetworkRandom::new(seed ^ 0x57ec);
    match seed % 5 {
        0 => flat_network(seed, size),
        1 => with_spectators(&network(seed, size), &mut random),
        2 => with_copies(&network(seed, size.min(4)), &mut random),
        _ => network(seed, size),
    }
}

/// One network, and what is said about it.
struct NetworkCase {
    seed: u64,
    text: String,
    report: CaseReport,
}

impl NetworkCase {
    fn wrong(&mut self, what: impl Into<String>) {
        self.report.differs(self.seed, what, "net", self.text.clone());
    }

    fn run(&mut self, network: &Network) {
        let Some(truth) = truth(network) else {
            return self.report.one("not asked: the product is too large");
        };
        self.report.one(format!("product: {truth:?}"));
        if let Some(defined) = defined(network)
            && defined != truth
        {
            self.wrong(format!("product {truth:?}, by definition {defined:?}"));
        }
        self.judge(truth);
    }

    /// Compares every answer with the truth.
    fn judge(&mut self, truth: Truth) {
        let read = Subject::read("case.net", &self.text, &Reading::default(), &mut NoFiles);
        let Some(subject) = read.subject.map(Arc::new) else {
            return self.wrong(format!("cannot be read back: {:?}", read.notes));
        };
        for engine in ENGINES {
            for method in std::iter::once(None).chain(engine.methods().iter().map(|m| Some(m.name)))
            {
                self.engine(&subject, *engine, method, truth);
            }
        }
        for method in Synthesis::ALL {
            self.requirement(&subject, *method, truth);
        }
        self.contract(&subject, truth);
    }

    fn engine(
        &mut self,
        subject: &Arc<Subject>,
        engine: &'static dyn Engine,
        method: Option<&'static str>,
        truth: Truth,
    ) {
        let starts_threads = method.is_none() && engine.name() != "monolithic";
        if starts_threads && !self.seed.is_multiple_of(RARELY) {
            return;
        }
        let name = [engine.name(), method.unwrap_or_default()].join(" ");
        let name = name.trim_end();
        let certificate = !matches!(engine.name(), "monolithic" | "auto");
        let question =
            Question { engine, method, certificate, threads: Some(1), ..Question::default() };
        let control = Control::unlimited().with_timeout(Some(ENGINE_LIMIT));
        let report = match check(subject.clone(), &question, &control) {
            Ok(report) => report,
            Err(error) => return self.wrong(format!("{name}: {error}")),
        };
        self.report.one(format!("{name}: {:?}", report.total));
        if report.total != Truth::Unknown && report.total != truth {
            self.wrong(format!("{name}: {:?}, but {truth:?}", report.total));
        }
        match report.certificate {
            Some(Ok(certified)) => self.certificate(name, &certified.text, truth),
            Some(Err(why)) => self.report.one(format!("{name}: no certificate ({why})")),
            None if certificate && report.total == Truth::Holds => {
                self.wrong(format!("{name}: holds without a certificate"));
            }
            None => {}
        }
    }

    fn certificate(&mut self, name: &str, written: &str, truth: Truth) {
        let certificate = match read_certificate(written) {
            Ok(certificate) => certificate,
            Err(why) => return self.wrong(format!("{name}: certificate cannot be read: {why}")),
        };
        match recheck(&certificate, None, &Control::unlimited()) {
            Ok(_) if truth == Truth::Holds => self.report.one("certificate accepted"),
            Ok(_) => self.wrong(format!("{name}: a false certificate is accepted")),
            Err(_) => self.wrong(format!("{name}: its certificate is rejected")),
        }
    }

    fn requirement(&mut self, subject: &Arc<Subject>, method: Synthesis, truth: Truth) {
        let name = format!("assume {}", method.name());
        let minimize = self.seed.is_multiple_of(2);
        let options = AssumeOptions { method, minimize, ..AssumeOptions::default() };
        let Ok(model) = Model::new(subject.clone(), &Question::default()) else {
            return self.wrong("it has no monitor");
        };
        let control = Control::unlimited().with_timeout(Some(ENGINE_LIMIT));
        let found = match assume(&model, &options, &control) {
            Ok(assumed) => match assumed.standing {
                PropertyStatus::Holds => Truth::Holds,
                PropertyStatus::Fails(_) => Truth::Fails,
                PropertyStatus::Undecided => Truth::Unknown,
            },
            Err(why) => return self.report.one(format!("{name}: {why}")),
        };
        self.report.one(format!("{name}: {found:?}"));
        if found != Truth::Unknown && found != truth {
            self.wrong(format!("{name}: {found:?}, but {truth:?}"));
        }
    }

    fn contract(&mut self, subject: &Arc<Subject>, truth: Truth) {
        let question = Question::default();
        let Ok(model) = Model::new(subject.clone(), &question) else { return };
        let control = Control::unlimited().with_timeout(Some(ENGINE_LIMIT));
        match contract::draft(&model, &question, "case.net", &control) {
            Ok(draft) if truth == Truth::Holds => {
                let kept = contract::read(&draft.text).is_ok_and(|c| {
                    contract::verify(subject, &c, &control).is_ok_and(|j| j.is_kept())
                });
                match kept {
                    true => self.report.one("contract kept"),
                    false => self.wrong("its own contract is not kept"),
                }
            }
            Ok(_) => self.wrong("there is a contract of what fails"),
            Err(contract::NoContract::Fails(_)) if truth == Truth::Fails => {
                self.report.one("contract: fails");
            }
            Err(contract::NoContract::Fails(_)) => self.wrong("contract: fails, but Holds"),
            Err(_) => self.report.one("no contract"),
        }
    }
}

/// Whether the product reaches an error.
fn truth(network: &Network) -> Option<Truth> {
    match reaches_error(network, 4 * LIMIT) {
        Safety::Safe { .. } => Some(Truth::Holds),
        Safety::Trace(_) => Some(Truth::Fails),
        Safety::TooLarge(_) => None,
    }
}

/// The same from the definition of the product, if that is small.
fn defined(network: &Network) -> Option<Truth> {
    let error = network.monitor.as_ref()?.error;
    let n_states: usize = network.systems().iter().map(|lts| lts.n_states()).product();
    if n_states > SMALL {
        return None;
    }
    let reachable = naive::reachable(&network.systems());
    let errs = reachable.keys().any(|state| state.last() == Some(&error));
    Some(if errs { Truth::Fails } else { Truth::Holds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_agree_on_networks() -> Result<(), TaskFailure> {
        let mut all = CaseReport::default();
        for seed in 0..24 {
            all.add(Networks.case(seed)?);
        }
        assert!(all.differences.is_empty(), "{:?}", all.differences);
        for kind in ["product: Holds", "product: Fails", "certificate accepted", "contract kept"] {
            assert!(all.n(kind) > 0, "{kind}: {:?}", all.answers);
        }
        Ok(())
    }

    /// With a false oracle, everything is wrong.
    #[test]
    fn every_answer_is_compared() {
        let network = generated(0);
        let truth = truth(&network).expect("it is small");
        let text = network_file::write(&network).expect("it has names");
        let mut case = NetworkCase { seed: 0, text, report: CaseReport::default() };
        case.judge(match truth {
            Truth::Holds => Truth::Fails,
            _ => Truth::Holds,
        });
        let wrong = |word: &str| case.report.differences.iter().any(|d| d.what.contains(word));
        for word in
            ["monolithic", "network refinement", "folding", "requirement", "assume", "contract"]
        {
            assert!(wrong(word), "{word}: {:?}", case.report.differences);
        }
    }
}
