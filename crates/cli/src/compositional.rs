//! `resy check` by abstraction: of the module's environment (`--engine requirement`), or of every
//! component (`--engine network`).

use crate::Exit;
use crate::args::Check;
use crate::check::total;
use crate::decide::{Decision, Effort, Method, decide, have_module};
use crate::limits::Limits;
use crate::model::{BUDGET, Model};
use crate::output::{Answer, Report, Stats};
use crate::problem::{Problem, Trouble};
use crate::progress::Meter;
use crate::properties::{Property, Verdict};
use crate::requirement::synthesize;
use crate::{args, page, shorten, show, team};
use resy_compose::Conclusion;
use resy_compose::cone::cone;
use resy_export::report::PageSection;
use resy_export::requirement::Described;
use serde_json::json;
use std::path::Path;

/// More names are not listed for people.
const MAX_NAMES: usize = 8;

/// The verdict on every property that has a monitor.
pub fn verdict(call: &Check, methods: &[Method]) -> Result<Verdict, Exit> {
    if !have_module(methods) && !call.module.is_empty() {
        return Err(bad_input("--engine network has no module; leave out --module".to_owned()));
    }
    if let Some(option) = only_for_searches(call) {
        let message = format!("{option} is about the search of all states; leave it out");
        return Err(bad_input(message));
    }
    let limits = Limits::of(&call.resources).map_err(bad_input)?;
    let limits = limits.told_to(Meter::of(&call.common));
    let mut model = Model::load(&call.file, &call.common, &call.semantics, &call.properties)?;
    model.selection = model.selection.without_end_states();
    let mut outcome = answers(call, &model, methods, &limits).map_err(bad_input)?;
    limits.meter().inspect(|meter| meter.done());
    let (interpreter, found) = (model.interpreter(), &mut outcome.answers);
    shorten::answers(call, &interpreter, &model.selection, found, limits.elapsed());
    let nothing = outcome.answers.is_empty() && !model.selection.not_checked.is_empty();
    let report = Report {
        check: call,
        interpreter: &interpreter,
        total: total(outcome.answers.iter().map(|a| a.verdict), nothing),
        notes: outcome.notes(),
        stats: outcome.stats(&limits),
        answers: outcome.answers,
        not_checked: &model.selection.not_checked,
        unreached: None,
        program: &model.program,
        seen: "The states of the whole system were not visited one by one: abstractions of the components decide.",
        parts: outcome.parts,
        requirement: outcome.requirement,
    };
    let verdict = show::finish(&report)?;
    match &call.certificate {
        Some(file) => write_certificate(file, outcome.certificate).map(|()| verdict),
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
pub fn only_for_searches(call: &Check) -> Option<&'static str> {
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

/// What was found, and how.
#[derive(Default)]
pub struct Outcome {
    /// What was found of each property.
    pub answers: Vec<Answer>,
    /// If all properties hold and it is asked for: its text, or why there is none.
    pub certificate: Option<Result<String, String>>,
    /// What it took.
    effort: Effort,
    /// The method that decided last.
    method: Option<Method>,
    module: Option<String>,
    /// The components.
    pub parts: Option<PageSection>,
    /// The requirement of the module, if a report is asked for and the properties hold.
    requirement: Option<Described>,
    /// The components on which no property depends; none is known before the first property.
    left_out: Option<Vec<String>>,
}

impl Outcome {
    /// What else is to be said.
    fn notes(&self) -> Vec<String> {
        let unknown = self.answers.iter().filter(|answer| answer.verdict == Verdict::Unknown);
        let why = |answer: &Answer| {
            Some(format!("{}: {}", answer.property.name(), answer.reason.as_ref()?))
        };
        let mut notes: Vec<String> = unknown.filter_map(why).collect();
        notes.extend(self.module.iter().map(|module| format!("module: {module}")));
        notes.extend(self.left_out.as_deref().and_then(left_out));
        notes
    }

    fn stats(&self, limits: &Limits) -> Stats {
        Stats {
            states: self.effort.states as u64,
            transitions: 0,
            depth: 0,
            elapsed: limits.elapsed(),
            more: vec![
                ("module", json!(self.module)),
                ("method", json!(self.method.map(Method::name))),
                ("refinements", json!(self.effort.refinements)),
                ("classes", json!(self.effort.classes)),
                ("left_out", json!(self.left_out)),
            ],
        }
    }

    /// How the answers were found, in words.
    pub fn how(&self) -> String {
        let Effort { states, refinements, .. } = self.effort;
        match self.method {
            Some(Method::Requirement) => {
                format!("requirement, {refinements} refinements, {states} abstract contexts")
            }
            Some(Method::Refinement) => {
                format!("network, {refinements} refinements, {states} abstract states")
            }
            Some(Method::Folding) => {
                format!("network, folding with products of at most {states} states")
            }
            Some(Method::Product) => format!("network, all {states} states of the product"),
            None => "nobody".to_owned(),
        }
    }
}

/// The components that a property cannot depend on, for people.
fn left_out(names: &[String]) -> Option<String> {
    let shown = names.iter().take(MAX_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => None,
        n if n > MAX_NAMES => {
            Some(format!("left out, for it cannot matter: {shown} and {} more", n - MAX_NAMES))
        }
        _ => Some(format!("left out, for it cannot matter: {shown}")),
    }
}

/// Decides the properties of a model; an error is about the call.
pub fn answers(
    call: &Check,
    model: &Model,
    methods: &[Method],
    limits: &Limits,
) -> Result<Outcome, String> {
    let mut engine = Engine { methods, call, model, limits, outcome: Outcome::default() };
    let properties = &model.selection.properties;
    // What is needed to prove one property is in the way of another. A certificate is of all.
    match !have_module(methods) && call.certificate.is_none() {
        true => engine.decide_one_by_one(properties)?,
        false => engine.decide(properties)?,
    }
    Ok(engine.outcome)
}

struct Engine<'a> {
    methods: &'a [Method],
    call: &'a Check,
    model: &'a Model,
    limits: &'a Limits,
    outcome: Outcome,
}

impl Engine<'_> {
    /// Decides properties together: as long as they hold, that is one proof for all.
    fn decide(&mut self, properties: &[Property]) -> Result<(), String> {
        if properties.is_empty() {
            return Ok(());
        }
        let (call, model, limits) = (self.call, self.model, self.limits);
        let problem = match have_module(self.methods) {
            true => Problem::of_model(model, properties, &call.module, BUDGET, limits),
            false => Problem::without_module(model, properties, BUDGET, limits),
        };
        let problem = match problem {
            Ok(problem) => problem,
            Err(Trouble::BadCall(message)) => return Err(message),
            Err(Trouble::OutOfReach(why)) => {
                self.unknown(properties, &why);
                return Ok(());
            }
        };
        let wants_evidence = call.certificate.is_some();
        let decision = decide(&problem, self.methods, team::threads(call), wants_evidence, limits);
        self.note(&problem, &decision);
        let steps = match &decision.verdict {
            Conclusion::Holds => {
                self.holds(&problem, properties);
                self.describe(&problem);
                if *properties == model.selection.properties {
                    self.certify(&problem, decision);
                }
                return Ok(());
            }
            Conclusion::Interrupted => {
                self.unknown(properties, limits.exceeded().unwrap_or("it was given up"));
                return Ok(());
            }
            Conclusion::Fails(steps) => steps,
        };
        let violation = problem.source.as_ref().and_then(|source| source.confirm(steps));
        let Some(violation) = violation else {
            if properties.len() > 1 {
                return self.decide_one_by_one(properties);
            }
            let why = "the network has a run that violates it, the program has not: `timeout` is \
                       taken to hold at any time";
            self.unknown(properties, why);
            return Ok(());
        };
        let property = violation.property;
        let rest: Vec<Property> = properties.iter().filter(|p| **p != property).cloned().collect();
        self.outcome.answers.push(Answer {
            verdict: Verdict::Fails,
            engine: self.engine(),
            reason: Some(property.describe(&model.system, &violation.outcome)),
            run: Some(violation.run),
            property,
        });
        if call.exhaustive {
            return self.decide(&rest);
        }
        self.unknown(&rest, AFTER_VIOLATION);
        Ok(())
    }

    fn decide_one_by_one(&mut self, properties: &[Property]) -> Result<(), String> {
        for (i, property) in properties.iter().enumerate() {
            self.decide(std::slice::from_ref(property))?;
            let last = self.outcome.answers.last();
            if !self.call.exhaustive && last.is_some_and(|a| a.verdict == Verdict::Fails) {
                self.unknown(&properties[i + 1..], AFTER_VIOLATION);
                break;
            }
        }
        Ok(())
    }

    fn engine(&self) -> &'static str {
        self.methods.first().map_or("network", |method| method.engine())
    }

    /// Takes note of what was done.
    fn note(&mut self, problem: &Problem<'_>, decision: &Decision) {
        let outcome = &mut self.outcome;
        outcome.effort.and(&decision.effort);
        if decision.verdict != Conclusion::Interrupted {
            outcome.method = Some(decision.method);
        }
        let module = problem.names(true);
        outcome.module = (!module.is_empty()).then(|| module.join(", "));
        outcome.parts = Some(page::of_network(&problem.network));
        if !have_module(self.methods) {
            let matters = cone(&problem.network);
            let components = problem.network.components.iter_enumerated();
            // Who does nothing need not be mentioned.
            let others = components.filter(|(id, c)| !matters[*id] && c.lts.n_transitions() > 0);
            let others = others.map(|(_, component)| component.name.clone());
            let before = outcome.left_out.take();
            let stays = |name: &String| before.as_ref().is_none_or(|names| names.contains(name));
            outcome.left_out = Some(others.filter(stays).collect());
        }
    }

    fn holds(&mut self, problem: &Problem<'_>, properties: &[Property]) {
        for property in properties {
            if problem.misses_violations_of(property.name()) {
                let why = "it may be violated at the end of a run, which is not seen here";
                self.unknown(std::slice::from_ref(property), why);
                continue;
            }
            self.outcome.answers.push(Answer {
                property: property.clone(),
                verdict: Verdict::Holds,
                engine: self.engine(),
                reason: None,
                run: None,
            });
        }
    }

    /// Synthesises the requirement, if a report is to show it.
    fn describe(&mut self, problem: &Problem<'_>) {
        if self.call.report.is_some() && self.call.engine == args::Engine::Requirement {
            self.outcome.requirement = Some(synthesize(problem, self.limits));
        }
    }

    /// Makes the certificate, if it is asked for.
    fn certify(&mut self, problem: &Problem<'_>, decision: Decision) {
        let only = self.call.properties.property.as_deref();
        let evidence = decision.evidence.filter(|_| !problem.misses_violations());
        self.outcome.certificate = evidence.map(|evidence| problem.certificate(evidence?, only));
    }

    fn unknown(&mut self, properties: &[Property], why: &str) {
        let engine = self.engine();
        self.outcome.answers.extend(properties.iter().map(|property| Answer {
            property: property.clone(),
            verdict: Verdict::Unknown,
            engine,
            reason: Some(why.to_owned()),
            run: None,
        }));
    }
}

const AFTER_VIOLATION: &str = "the search stopped at a violation of another property";

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
