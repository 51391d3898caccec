//! `resy check` by abstraction: of the module's environment (`--engine requirement`), or of every
//! component (`--engine network`).

use crate::Exit;
use crate::args::Check;
use crate::check::{finish, total};
use crate::limits::Limits;
use crate::model::{BUDGET, Model};
use crate::output::{Answer, Report, Stats};
use crate::problem::{Problem, Trouble};
use crate::properties::{Property, Verdict};
use resy_certificate::About;
use resy_compose::evidence::Proofs;
use resy_compose::refine::{self, Checked, Progress, alternating};
use resy_compose::{Split, Verdict as Decided, obligations};
use serde_json::json;
use std::path::Path;

/// What is abstracted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The environment of a module.
    Requirement,
    /// Every component.
    Network,
}

impl Method {
    /// The name of the engine.
    pub fn engine(self) -> &'static str {
        match self {
            Self::Requirement => "requirement",
            Self::Network => "network",
        }
    }

    /// Decides whether the property of a split holds; also says how far it came. Proofs are
    /// collected if somebody wants them.
    pub fn decide(
        self,
        split: &Split,
        limits: &Limits,
        mut proofs: Option<&mut Proofs<'_>>,
    ) -> (Decided, Progress) {
        let mut last = Progress::default();
        let go_on = |progress: &Progress| {
            last = *progress;
            limits.exceeded().is_none()
        };
        let mut proved = |about: &About, checked: &Checked| {
            if let Some(proofs) = &mut proofs {
                proofs.add(about, checked);
            }
        };
        let verdict = match self {
            Self::Network => obligations::check(split, go_on, proved),
            Self::Requirement => {
                let checked = refine::check(split, alternating, go_on);
                if checked.verdict == Decided::Holds {
                    proved(&About::All, &checked);
                }
                checked.verdict
            }
        };
        (verdict, last)
    }
}

/// Larger inductive sets are not written.
const MAX_PROOF: usize = 20_000_000;

/// The verdict on every property that has a monitor.
pub fn verdict(call: &Check, method: Method) -> Result<Verdict, Exit> {
    if method == Method::Network && !call.module.is_empty() {
        return Err(bad_input("--engine network has no module; leave out --module".to_owned()));
    }
    if let Some(option) = only_for_searches(call) {
        let message = format!("{option} is about the search of all states; leave it out");
        return Err(bad_input(message));
    }
    let limits = Limits::of(&call.resources).map_err(bad_input)?;
    let mut model = Model::load(&call.file, &call.common, &call.semantics, &call.properties)?;
    model.selection = model.selection.without_end_states();
    let mut engine = Engine {
        method,
        call,
        model: &model,
        limits: &limits,
        answers: Vec::new(),
        certificate: None,
        effort: Effort::default(),
    };
    engine.decide(&model.selection.properties)?;
    let Engine { answers, certificate, effort, .. } = engine;
    let nothing = answers.is_empty() && !model.selection.not_checked.is_empty();
    let mut notes: Vec<String> = Vec::new();
    for answer in answers.iter().filter(|a| a.verdict == Verdict::Unknown) {
        let reason = answer.reason.iter().map(|why| format!("{}: {why}", answer.property.name()));
        notes.extend(reason);
    }
    notes.extend(effort.module.iter().map(|module| format!("module: {module}")));
    let report = Report {
        check: call,
        interpreter: &model.interpreter(),
        total: total(answers.iter().map(|a| a.verdict), nothing),
        answers,
        not_checked: &model.selection.not_checked,
        notes,
        unreached: None,
        stats: effort.stats(&limits),
    };
    let verdict = finish(call, &report)?;
    match &call.certificate {
        Some(file) => write_certificate(file, certificate).map(|()| verdict),
        None => Ok(verdict),
    }
}

/// Writes the certificate, or says why there is none.
pub fn write_certificate(
    file: &Path,
    certificate: Option<Result<String, String>>,
) -> Result<(), Exit> {
    match certificate {
        None => {
            eprintln!("resy: not everything is known to hold, so no certificate is written");
            Ok(())
        }
        Some(Err(why)) => {
            eprintln!("resy: no certificate is written: {why}");
            Err(Exit::Unknown)
        }
        Some(Ok(text)) => std::fs::write(file, text)
            .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display()))),
    }
}

/// An option of the call that makes no sense here.
fn only_for_searches(call: &Check) -> Option<&'static str> {
    let options = [
        ("--hosts", call.hosts.is_some()),
        ("--dfs", call.dfs),
        ("--interpret", call.interpret),
        ("--plain", call.plain),
        ("--shortest", call.shortest),
        ("--checkpoint", call.checkpoint.is_some()),
        ("--resume", call.resume.is_some()),
        ("--bitstate", call.bitstate.is_some()),
        ("--hash-compact", call.hash_compact),
        ("--empty-channels", call.semantics.empty_channels),
    ];
    options.iter().find(|(_, given)| *given).map(|(name, _)| *name)
}

/// The proofs of a call that asks for a certificate: none yet.
pub fn proofs<'a>(call: &Check, problem: &'a Problem<'_>) -> Option<Proofs<'a>> {
    call.certificate.as_ref().map(|_| Proofs::new(&problem.split, MAX_PROOF))
}

/// The text of the certificate of a property that holds.
pub fn certificate(
    problem: &Problem<'_>,
    proofs: Proofs<'_>,
    only: Option<&str>,
) -> Result<String, String> {
    let evidence = proofs.evidence();
    let evidence = evidence.ok_or_else(|| format!("it would have more than {MAX_PROOF} states"))?;
    problem.certificate(evidence, only)
}

struct Engine<'a> {
    method: Method,
    call: &'a Check,
    model: &'a Model,
    limits: &'a Limits,
    answers: Vec<Answer>,
    /// If all properties hold and it is asked for: its text, or why there is none.
    certificate: Option<Result<String, String>>,
    effort: Effort,
}

/// What the verdicts took.
#[derive(Default)]
struct Effort {
    module: Option<String>,
    contexts: usize,
    classes: usize,
    refinements: usize,
}

impl Effort {
    fn stats(&self, limits: &Limits) -> Stats {
        Stats {
            states: self.contexts as u64,
            transitions: 0,
            depth: 0,
            elapsed: limits.elapsed(),
            more: vec![
                ("module", json!(self.module)),
                ("refinements", json!(self.refinements)),
                ("classes", json!(self.classes)),
            ],
        }
    }
}

impl Engine<'_> {
    /// Decides properties together: as long as they hold, that is one proof for all.
    fn decide(&mut self, properties: &[Property]) -> Result<(), Exit> {
        if properties.is_empty() {
            return Ok(());
        }
        let (model, limits) = (self.model, self.limits);
        let problem = match self.method {
            Method::Requirement => {
                Problem::of_model(model, properties, &self.call.module, BUDGET, limits)
            }
            Method::Network => Problem::without_module(model, properties, BUDGET, limits),
        };
        let problem = match problem {
            Ok(problem) => problem,
            Err(Trouble::BadCall(message)) => return Err(bad_input(message)),
            Err(Trouble::OutOfReach(why)) => {
                self.unknown(properties, &why);
                return Ok(());
            }
        };
        let mut proofs = proofs(self.call, &problem);
        let (verdict, progress) = self.method.decide(&problem.split, limits, proofs.as_mut());
        let module = problem.names(true);
        self.effort.module = (!module.is_empty()).then(|| module.join(", "));
        self.effort.contexts = self.effort.contexts.max(progress.n_contexts);
        self.effort.classes = self.effort.classes.max(progress.n_classes);
        self.effort.refinements += progress.steps;
        let steps = match &verdict {
            Decided::Holds => {
                self.holds(&problem, properties);
                if properties == self.model.selection.properties {
                    self.certify(&problem, proofs);
                }
                return Ok(());
            }
            Decided::Interrupted => {
                self.unknown(properties, limits.exceeded().unwrap_or("it was interrupted"));
                return Ok(());
            }
            Decided::Fails(steps) => steps,
        };
        let violation = problem.source.as_ref().and_then(|source| source.confirm(steps));
        let Some(violation) = violation else { return self.decide_one_by_one(properties) };
        let property = violation.property;
        let rest: Vec<Property> = properties.iter().filter(|p| **p != property).cloned().collect();
        self.answers.push(Answer {
            verdict: Verdict::Fails,
            engine: self.method.engine(),
            reason: Some(property.describe(&model.system, &violation.outcome)),
            run: Some(violation.run),
            property,
        });
        if self.call.exhaustive {
            return self.decide(&rest);
        }
        self.unknown(&rest, "the search stopped at a violation of another property");
        Ok(())
    }

    /// A violation was none: that is no verdict on the one it was of, but others may be decided.
    fn decide_one_by_one(&mut self, properties: &[Property]) -> Result<(), Exit> {
        if let [_] = properties {
            let why = "the network has a run that violates it, the program has not: `timeout` is \
                       taken to hold at any time";
            self.unknown(properties, why);
            return Ok(());
        }
        properties.iter().try_for_each(|property| self.decide(std::slice::from_ref(property)))
    }

    fn holds(&mut self, problem: &Problem<'_>, properties: &[Property]) {
        for property in properties {
            if problem.misses_violations_of(property.name()) {
                let why = "it may be violated at the end of a run, which is not seen here";
                self.unknown(std::slice::from_ref(property), why);
                continue;
            }
            self.answers.push(Answer {
                property: property.clone(),
                verdict: Verdict::Holds,
                engine: self.method.engine(),
                reason: None,
                run: None,
            });
        }
    }

    /// Makes the certificate, if it is asked for.
    fn certify(&mut self, problem: &Problem<'_>, proofs: Option<Proofs<'_>>) {
        let only = self.call.properties.property.as_deref();
        let proofs = proofs.filter(|_| !problem.misses_violations());
        self.certificate = proofs.map(|proofs| certificate(problem, proofs, only));
    }

    fn unknown(&mut self, properties: &[Property], why: &str) {
        self.answers.extend(properties.iter().map(|property| Answer {
            property: property.clone(),
            verdict: Verdict::Unknown,
            engine: self.method.engine(),
            reason: Some(why.to_owned()),
            run: None,
        }));
    }
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
