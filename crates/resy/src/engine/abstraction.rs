//! The compositional engines: a model is cut into components, and abstractions of them decide.

use super::counting::{Counted, CountedProof, Means, exceeded, prove};
use super::ends::{Ends, ends};
use super::method::{Decision, Effort, Method, decide, have_module};
use super::{Account, Case, Certified, Chance, Cost, Stats};
use crate::control::Control;
use crate::counted::counted;
use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::problem::{NoProblem, Problem};
use crate::question::{CallError, MAX_LOCAL_STATES};
use crate::requirement::NamedRequirement;
use crate::verdict::{Answer, Evidence, Reason, Truth, Verdict};
use resy_automata::network::Network;
use resy_certificate::counted::settings;
use resy_compose::Conclusion;
use resy_compose::cone::cone;
use resy_network::CutObstacle;
use resy_system::{NotChecked, Property};

/// More names than this are counted, not listed.
const MAX_NAMES: usize = 8;

/// Decides every property of a case that has a monitor.
pub fn decide_case(
    engine: &'static str,
    methods: &[Method],
    case: &Case,
    control: &Control,
) -> Result<Account, CallError> {
    if let Some(option) = case.question.search_only() {
        return Err(CallError::SearchOnly(option));
    }
    let selection = &case.model.selection;
    let has_monitor = |property: &&Property| property.has_monitor();
    let infinite: Vec<Property> =
        selection.properties.iter().filter(|p| p.is_liveness()).cloned().collect();
    let composes = methods.iter().any(|m| matches!(m, Method::Folding | Method::Product));
    let decides_ends = composes && !have_module(methods);
    let is_end = |property: &Property| decides_ends && *property == Property::EndStates;
    let others = selection.properties.iter().filter(|p| !has_monitor(p) && !p.is_liveness());
    let left_out = others.filter(|p| !is_end(p));
    let mut left_out: Vec<NotChecked> = left_out.map(NotChecked::without_monitor).collect();
    // Components do not show that a condition has no value.
    let (out_of_reach, asked): (Vec<Property>, Vec<Property>) = selection
        .properties
        .iter()
        .filter(has_monitor)
        .cloned()
        .partition(|property| may_have_no_value(&case.model, property));
    let model = case.model.asked_for(&asked);
    let monitored = model.selection.properties.clone();
    let mut deliberation = Deliberation {
        engine,
        methods,
        case,
        model: &model,
        control,
        found: DeliberationResult::default(),
    };
    let why = CutObstacle::NoValue.to_string();
    deliberation.unknown(&out_of_reach, &Reason::OutOfReach(why));
    // What proves one property is in the way of another. A certificate is about all of them.
    match !have_module(methods) && !case.question.certificate {
        true => deliberation.decide_one_by_one(&monitored)?,
        false => deliberation.decide(&monitored)?,
    }
    if let Some(ends) = selection.properties.iter().find(|property| is_end(property)) {
        left_out.extend(deliberation.decide_ends(ends)?);
    }
    // Learning needs a deterministic monitor.
    let can_count = !methods.iter().any(|m| matches!(m, Method::Learning | Method::Agar));
    left_out.extend(infinite.iter().filter(|_| !can_count).map(NotChecked::without_monitor));
    for property in infinite.iter().filter(|_| can_count) {
        match case.model.tracking(property) {
            Ok(model) => deliberation.decide_infinite(property, &model)?,
            Err(why) => left_out
                .push(NotChecked { name: property.name().to_owned(), reason: why.to_owned() }),
        }
    }
    let found = deliberation.found;
    Ok(Account {
        stats: found.stats(control),
        notes: found.notes(),
        how: found.how(),
        certificate: found.certificate(),
        answers: found.answers,
        not_checked: left_out,
        seen: "The states of the whole system were not visited one by one: abstractions of the components decide.",
        network: found.network,
        requirement: found.requirement,
        // Methods race as well.
        chance: Chance { is_race: methods.len() > 1, ..Chance::default() },
        ..Account::default()
    })
}

/// What was found so far, and how.
#[derive(Default)]
struct DeliberationResult {
    answers: Vec<Answer>,
    /// The certificates, if they are asked for, or why there is none.
    certificates: Vec<Result<Certified, String>>,
    effort: Effort,
    /// The method that decided last.
    method: Option<Method>,
    module: Option<String>,
    network: Option<Network>,
    requirement: Option<NamedRequirement>,
    /// The components on which no property depends; none is known before the first property.
    left_out: Option<Vec<String>>,
}

impl DeliberationResult {
    /// The certificates as one text, unless a property is violated.
    fn certificate(&self) -> Option<Result<Certified, String>> {
        if self.answers.iter().any(|answer| answer.verdict.truth() == Truth::Fails) {
            return None;
        }
        let written: Vec<&Certified> = self.certificates.iter().flatten().collect();
        if written.is_empty() {
            return self.certificates.first().cloned();
        }
        let text = written.iter().map(|one| &*one.text).collect::<String>().into();
        let properties = written.iter().flat_map(|one| one.properties.iter().cloned()).collect();
        Some(Ok(Certified { text, properties }))
    }

    fn notes(&self) -> Vec<String> {
        let why = |answer: &Answer| match &answer.verdict {
            Verdict::Unknown(reason) => Some(format!("{}: {reason}", answer.property.name())),
            _ => None,
        };
        let mut notes: Vec<String> = self.answers.iter().filter_map(why).collect();
        notes.extend(self.module.iter().map(|module| format!("module: {module}")));
        notes.extend(self.left_out.as_deref().and_then(left_out));
        notes
    }

    fn stats(&self, control: &Control) -> Stats {
        Stats {
            states: self.effort.states as u64,
            transitions: 0,
            depth: 0,
            elapsed: control.elapsed(),
            cost: Cost::Abstraction {
                module: self.module.clone(),
                method: self.method.map(Method::name),
                refinements: self.effort.refinements,
                classes: self.effort.classes,
                left_out: self.left_out.clone(),
            },
        }
    }

    /// How the answers were found, in words.
    fn how(&self) -> String {
        let Effort { states, refinements, classes, .. } = self.effort;
        let refined = counted(refinements, "refinement");
        match self.method {
            Some(Method::Requirement) => {
                format!("requirement, {refined}, {}", counted(states, "abstract context"))
            }
            Some(Method::Refinement) => {
                format!("network, {refined}, {}", counted(states, "abstract state"))
            }
            Some(Method::Folding) => {
                format!("network, folding with products of at most {}", counted(states, "state"))
            }
            Some(Method::Learning) => {
                let hypotheses = if refinements == 1 {
                    "1 hypothesis"
                } else {
                    &format!("{refinements} hypotheses")
                };
                let assumption = counted(classes, "state");
                let contexts = counted(states, "context");
                format!("learning, {hypotheses}, assumption with {assumption}, {contexts}")
            }
            Some(Method::Agar) => {
                let (splits, classes) = (counted(refinements, "split"), counted(classes, "class"));
                format!("agar, {splits}, {classes}, {}", counted(states, "context"))
            }
            Some(Method::Product) => {
                format!("network, all {} of the product", counted(states, "state"))
            }
            None => "nobody".to_owned(),
        }
    }
}

/// What a certificate is as evidence, if there is one.
fn evidence(certificate: Option<&Result<Certified, String>>) -> Option<Evidence> {
    let certified = certificate?.as_ref().ok()?;
    Some(Evidence::Certificate(certified.text.clone()))
}

/// The components that a property cannot depend on, in words.
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

/// The decision of one property after the other.
struct Deliberation<'a> {
    engine: &'static str,
    methods: &'a [Method],
    case: &'a Case,
    model: &'a Model,
    control: &'a Control,
    found: DeliberationResult,
}

impl Deliberation<'_> {
    /// Decides properties together: as long as they hold, one proof is about all of them.
    fn decide(&mut self, properties: &[Property]) -> Result<(), CallError> {
        if properties.is_empty() {
            return Ok(());
        }
        let (question, model, control) = (&self.case.question, self.model, self.control);
        let problem = match self.problem(model, properties) {
            Ok(problem) => problem,
            Err(NoProblem::BadCall(error)) => return Err(error),
            Err(NoProblem::OutOfReach(why)) => {
                self.unknown(properties, &Reason::OutOfReach(why));
                return Ok(());
            }
        };
        let wants_evidence = question.certificate;
        let n_threads = question.n_threads();
        let decision = decide(&problem, self.methods, n_threads, wants_evidence, control);
        self.note(&problem, &decision);
        match &decision.verdict {
            Conclusion::Holds => {
                self.certify(&problem, &decision, properties);
                self.holds(&problem, properties, decision.method);
                self.describe(&problem);
            }
            Conclusion::Interrupted => self.unknown(properties, &Reason::of(control.exceeded())),
            Conclusion::Fails(steps) => match problem.replay(steps) {
                Some(counterexample) => return self.fails(properties, counterexample),
                None if properties.len() > 1 => return self.decide_one_by_one(properties),
                None => self.unknown(properties, &Reason::Spurious),
            },
        }
        Ok(())
    }

    /// Decides the end states; if it cannot, it says why.
    fn decide_ends(&mut self, property: &Property) -> Result<Option<NotChecked>, CallError> {
        let is_violated = |answer: &Answer| answer.verdict.truth() == Truth::Fails;
        if !self.case.question.exhaustive && self.found.answers.iter().any(is_violated) {
            self.unknown(std::slice::from_ref(property), &Reason::OtherViolation);
            return Ok(None);
        }
        let model = self.case.model.asked_for(std::slice::from_ref(property));
        let n_threads = self.case.question.n_threads();
        let reason = match ends(&model, self.methods, n_threads, self.control) {
            Ok(Ends::Valid(n_states, method)) => {
                self.found.effort.and(&Effort { states: n_states, ..Effort::default() });
                self.found.method = Some(method);
                let evidence = Evidence::Proof { method: method.name() };
                self.answer(property.clone(), Verdict::Holds(evidence));
                return Ok(None);
            }
            Ok(Ends::Invalid(run)) => {
                self.answer(property.clone(), Verdict::Fails(run));
                return Ok(None);
            }
            Ok(Ends::Open(why)) | Err(NoProblem::OutOfReach(why)) => why,
            Err(NoProblem::BadCall(error)) => return Err(error),
        };
        Ok(Some(NotChecked { name: property.name().to_owned(), reason }))
    }

    /// Decides a property of infinite runs by counting; the monitor of the model follows it. Without fairness more runs count, so that what is proved holds
    /// under fairness too.
    fn decide_infinite(&mut self, property: &Property, model: &Model) -> Result<(), CallError> {
        let (question, control) = (&self.case.question, self.control);
        let one = std::slice::from_ref(property);
        let unknown = |this: &mut Self, why: String| this.unknown(one, &Reason::OutOfReach(why));
        let tracked = model.selection.properties.clone();
        let problem = match self.problem(model, &tracked) {
            Ok(problem) => problem,
            Err(NoProblem::BadCall(error)) => return Err(error),
            Err(NoProblem::OutOfReach(why)) => {
                unknown(self, why);
                return Ok(());
            }
        };
        let (methods, wants_evidence) = (self.methods, question.certificate);
        let n_threads = question.n_threads();
        let means = Means { methods, n_threads, wants_evidence, control };
        match prove(&problem, &means) {
            Counted::Proved(proof) => self.holds_by_counting(property, &problem, &proof),
            Counted::Exceeded(process) => unknown(self, exceeded(&problem, process)),
            Counted::OutOfReach(why) => unknown(self, why.to_owned()),
            Counted::Interrupted => self.unknown(one, &Reason::of(control.exceeded())),
        }
        Ok(())
    }

    fn holds_by_counting(
        &mut self,
        property: &Property,
        problem: &Problem<'_>,
        proof: &CountedProof,
    ) {
        let found = &mut self.found;
        found.effort.and(&proof.effort);
        found.method = proof.method;
        found.network = Some(problem.network.clone());
        let control = self.control;
        let counts = || settings(proof.order, &proof.bounds);
        let certificate = proof.evidence.clone().map(|evidence| {
            let written = problem.certificate_with(
                evidence?,
                Some(property.name()),
                &[],
                counts(),
                control,
            )?;
            Ok(Certified { text: written.into(), properties: vec![property.name().to_owned()] })
        });
        let evidence = evidence(certificate.as_ref())
            .unwrap_or(Evidence::Proof { method: proof.method.map_or("counting", Method::name) });
        found.certificates.extend(certificate);
        self.answer(property.clone(), Verdict::Holds(evidence));
    }

    /// What the methods work on.
    fn problem<'m>(
        &self,
        model: &'m Model,
        properties: &[Property],
    ) -> Result<Problem<'m>, NoProblem> {
        match have_module(self.methods) {
            true => {
                let module = &self.case.question.module;
                Problem::with_module(model, properties, module, MAX_LOCAL_STATES, self.control)
            }
            false => Problem::without_module(model, properties, MAX_LOCAL_STATES, self.control),
        }
    }

    fn decide_one_by_one(&mut self, properties: &[Property]) -> Result<(), CallError> {
        for (i, property) in properties.iter().enumerate() {
            if i > 0
                && let Some(stop) = self.control.exceeded()
            {
                self.unknown(&properties[i..], &Reason::Stopped(stop));
                break;
            }
            self.decide(std::slice::from_ref(property))?;
            let last = self.found.answers.last();
            let is_violated = last.is_some_and(|a| matches!(a.verdict, Verdict::Fails(_)));
            if is_violated && !self.case.question.exhaustive {
                self.unknown(&properties[i + 1..], &Reason::OtherViolation);
                break;
            }
        }
        Ok(())
    }

    fn fails(
        &mut self,
        properties: &[Property],
        counterexample: Counterexample,
    ) -> Result<(), CallError> {
        let property = counterexample.property().clone();
        let rest: Vec<Property> = properties.iter().filter(|p| **p != property).cloned().collect();
        self.answer(property, Verdict::Fails(counterexample));
        if self.case.question.exhaustive {
            return self.decide(&rest);
        }
        self.unknown(&rest, &Reason::OtherViolation);
        Ok(())
    }

    fn answer(&mut self, property: Property, verdict: Verdict) {
        self.found.answers.push(Answer { property, verdict, engine: self.engine });
    }

    fn unknown(&mut self, properties: &[Property], why: &Reason) {
        for property in properties {
            self.answer(property.clone(), Verdict::Unknown(why.clone()));
        }
    }

    /// Takes note of what was done.
    fn note(&mut self, problem: &Problem<'_>, decision: &Decision) {
        let found = &mut self.found;
        found.effort.and(&decision.effort);
        if decision.verdict != Conclusion::Interrupted {
            found.method = Some(decision.method);
        }
        let module = problem.names(true);
        found.module = (!module.is_empty()).then(|| module.join(", "));
        found.network = Some(problem.network.clone());
        if !have_module(self.methods) {
            let matters = cone(&problem.network);
            let components = problem.network.components.iter_enumerated();
            // A component without transitions need not be mentioned.
            let others = components.filter(|(id, c)| !matters[*id] && c.lts.n_transitions() > 0);
            let others = others.map(|(_, component)| component.name.clone());
            let before = found.left_out.take();
            let stays = |name: &String| before.as_ref().is_none_or(|names| names.contains(name));
            found.left_out = Some(others.filter(stays).collect());
        }
    }

    fn holds(&mut self, problem: &Problem<'_>, properties: &[Property], method: Method) {
        for property in properties {
            if problem.misses_violations_of(property.name()) {
                self.unknown(std::slice::from_ref(property), &Reason::EndOfRun);
                continue;
            }
            let evidence = evidence(self.found.certificates.first())
                .unwrap_or(Evidence::Proof { method: method.name() });
            self.answer(property.clone(), Verdict::Holds(evidence));
        }
    }

    /// Synthesises the requirement, if it is asked for.
    fn describe(&mut self, problem: &Problem<'_>) {
        if self.case.question.requirement && have_module(self.methods) {
            self.found.requirement = Some(NamedRequirement::synthesize(problem, self.control));
        }
    }

    /// Makes the certificate, if it is asked for and the proof is about all properties.
    fn certify(&mut self, problem: &Problem<'_>, decision: &Decision, properties: &[Property]) {
        let all = &self.case.model.selection;
        let is_whole = *properties == self.model.selection.properties
            && !all.properties.iter().any(|p| may_have_no_value(&self.case.model, p));
        if !is_whole || problem.misses_violations() {
            return;
        }
        let (only, control) = (self.case.question.property.as_deref(), self.control);
        let without = &self.case.question.left_out(self.case.model.subject());
        let names = || properties.iter().map(|property| property.name().to_owned()).collect();
        let certificate = decision.evidence.clone().map(|evidence| {
            let text = problem.certificate(evidence?, only, without, control)?.into();
            Ok(Certified { text, properties: names() })
        });
        self.found.certificates.extend(certificate);
    }
}

/// Whether a property has a condition that may have no value in some state.
fn may_have_no_value(model: &Model, property: &Property) -> bool {
    let system = model.subject().system();
    system.is_some_and(|system| model.selection.may_have_no_value(property, system))
}
