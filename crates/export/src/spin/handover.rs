//! A requirement in the module's place, handed to the real spin.
//!
//! For each group of properties that spin checks in one run, the environment is refined until the requirement is
//! small enough or the property is decided; then spin verifies the program with the requirement in the module's
//! place, and what it finds is found again in the program itself.

use super::follow::run_of;
use super::{Flags, Folder, PanSearch, SpinFailure, SpinRun, Trail, verify};
use crate::rewrite::{Module, Watched, stand_in, with_one_property};
use resy::pursue::{Clue, pursue};
use resy::{
    CallError, Control, Counterexample, Fairness, MAX_LOCAL_STATES, Model, NoProblem, Problem,
    Property, Subject, Truth, canonical, infinite_run,
};
use resy_automata::lts::Lts;
use resy_network::{Cut, Home, Manner};
use resy_system::{Cell, Interpreter, LivenessKind};
use std::path::PathBuf;
use std::time::Duration;

/// How much longer than the generated model the original one may take: so many times as long, and
/// then so much more.
const PATIENCE: (u32, Duration) = (10, Duration::from_secs(10));

/// How a module is handed over.
#[derive(Clone, Debug)]
pub struct HandoverOptions {
    /// The module: names of proctypes or of processes.
    pub module: Vec<String>,
    /// The requirement is small enough with this many states.
    pub threshold: Threshold,
    /// Hands over also if the property was decided on the way.
    pub always: bool,
    /// Leaves the generated model.
    pub keep: bool,
    /// Leaves counterexamples as they were found.
    pub as_found: bool,
    /// With more local states of a component the cut is given up.
    pub budget: usize,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// Flags for spin's verifier, for its compilation, and for spin itself.
    pub flags: Vec<String>,
}

impl Default for HandoverOptions {
    fn default() -> Self {
        Self {
            module: Vec::new(),
            threshold: Threshold::Percent(10.0),
            always: false,
            keep: false,
            as_found: false,
            budget: MAX_LOCAL_STATES,
            fairness: Fairness::None,
            flags: Vec::new(),
        }
    }
}

/// When a requirement is small enough.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Threshold {
    /// An absolute number of states.
    States(usize),
    /// A share of the module's states, in percent.
    Percent(f64),
}

impl Threshold {
    /// The greatest size for a module with this many states.
    pub fn of(self, n_states: usize) -> usize {
        match self {
            Self::States(states) => states,
            Self::Percent(percent) => (n_states as f64 * percent / 100.0).max(1.0) as usize,
        }
    }
}

/// What was found of properties that spin checks together.
#[derive(Debug)]
pub struct HandedOver {
    /// The properties.
    pub properties: Vec<Property>,
    /// The verdict on all of them.
    pub truth: Truth,
    /// What is wrong, or why it is not known.
    pub reason: Option<String>,
    /// The run that violates one of them.
    pub counterexample: Option<Counterexample>,
    /// Whether the refinement has decided, so that spin was not asked.
    pub decided: bool,
    /// Why the module was kept as it is.
    pub kept: Option<String>,
    /// The sizes of module and requirement.
    pub sizes: Option<Sizes>,
    /// What spin needed for the model as it is.
    pub before: Option<SpinRun>,
    /// What spin needed for the model that it was given.
    pub after: Option<SpinRun>,
    /// The folder of the generated model.
    pub folder: Option<PathBuf>,
}

/// The sizes of a module and of its requirement.
#[derive(Copy, Clone, Debug)]
pub struct Sizes {
    /// States of the module.
    pub module_states: usize,
    /// States of the requirement.
    pub requirement_states: usize,
    /// The number of refinements.
    pub refinements: usize,
}

/// Hands the module of a model to spin, for one group of properties after the other.
pub fn hand_over(
    model: &Model,
    options: &HandoverOptions,
    control: &Control,
) -> Result<Vec<HandedOver>, CallError> {
    let Subject::Program(program) = model.subject() else {
        return Err(CallError::Other("spin reads Promela, not networks of automata".to_owned()));
    };
    let text = program.sources.preprocessed();
    let groups = groups(&model.selection.properties);
    let answers = groups.iter().map(|group| {
        let model = model.asked_for(group);
        Handover { options, model: &model, text: &text, control }.answer()
    });
    answers.collect()
}

/// The properties that spin checks in one run. An error of a step is a failed assertion to it.
fn groups(properties: &[Property]) -> Vec<Vec<Property>> {
    let in_step = |p: &&Property| matches!(p, Property::Assertions | Property::Runtime);
    let steps: Vec<Property> = properties.iter().filter(in_step).cloned().collect();
    let others = properties.iter().filter(|p| !in_step(p)).map(|p| vec![p.clone()]);
    [steps].into_iter().filter(|steps| !steps.is_empty()).chain(others).collect()
}

/// One group of properties on its way to spin.
struct Handover<'a> {
    options: &'a HandoverOptions,
    /// The model, of which only this group is asked.
    model: &'a Model,
    /// Its text without macros and includes.
    text: &'a str,
    control: &'a Control,
}

impl HandedOver {
    fn new(properties: Vec<Property>) -> Self {
        Self {
            properties,
            truth: Truth::Unknown,
            reason: None,
            counterexample: None,
            decided: false,
            kept: None,
            sizes: None,
            before: None,
            after: None,
            folder: None,
        }
    }

    /// The verdict on one of the properties: of those that fail together one is known to.
    pub fn truth_of(&self, property: &Property) -> Truth {
        match &self.counterexample {
            Some(run) if run.property() != property => Truth::Unknown,
            _ => self.truth,
        }
    }
}

impl Handover<'_> {
    fn answer(&self) -> Result<HandedOver, CallError> {
        let mut answer = HandedOver::new(self.model.selection.properties.clone());
        if let Some(kind) = self.infinite() {
            self.ask_about_infinite_runs(kind, &mut answer)?;
            return Ok(answer);
        }
        let original =
            with_one_property(self.text, self.watched()).unwrap_or_else(|_| self.text.to_owned());
        let problem = match self.problem() {
            Ok(problem) => problem,
            Err(NoProblem::BadCall(error)) => return Err(error),
            Err(NoProblem::OutOfReach(why)) => {
                answer.kept = Some(why);
                self.ask_spin(&mut answer, &original, &original, None)?;
                return Ok(answer);
            }
        };
        let requirement = match self.refine(&problem, &mut answer) {
            resy::Draft::Stopped(why) => {
                answer.reason = Some(why.to_string());
                return Ok(answer);
            }
            resy::Draft::Decided(violation) => {
                answer.decided = true;
                answer.truth = Truth::Holds;
                self.violated(&mut answer, violation);
                return Ok(answer);
            }
            resy::Draft::Requirement(requirement) => requirement,
        };
        match self.generated(&problem, requirement.lts()) {
            Ok(text) => self.ask_spin(&mut answer, &text, &original, Some(&problem))?,
            Err(why) => {
                answer.kept = Some(why);
                self.ask_spin(&mut answer, &original, &original, None)?;
            }
        }
        Ok(answer)
    }

    /// The kind of the property, if it is about infinite runs.
    fn infinite(&self) -> Option<LivenessKind> {
        match &self.model.selection.properties[..] {
            [Property::Liveness { kind, .. }] => Some(*kind),
            _ => None,
        }
    }

    /// Spin is asked about the model as it is: a requirement preserves what finite runs do, and may take steps for ever
    /// that its module cannot.
    fn ask_about_infinite_runs(
        &self,
        kind: LivenessKind,
        answer: &mut HandedOver,
    ) -> Result<(), CallError> {
        let why = "a requirement preserves finite runs, not what happens infinitely often";
        answer.kept = Some(why.to_owned());
        if let Some(why) = spin_differs(self.model, kind, self.options.fairness) {
            answer.reason = Some(why.to_owned());
            return Ok(());
        }
        let text = with_one_property(self.text, self.watched());
        let text = text.unwrap_or_else(|_| self.text.to_owned());
        self.ask_spin(answer, &text, &text, None)
    }

    /// The split in which everything that the module shares with others is told what it does.
    fn problem(&self) -> Result<Problem<'_>, NoProblem> {
        let (model, names) = (self.model, &self.options.module);
        let monitors = model.selection.monitors.as_slice().to_vec();
        let interpreter = Interpreter::new(model.reduced(), model.options);
        let apart = match Cut::of(interpreter, monitors, &Manner::default()) {
            Ok(cut) => {
                let called = |pid: &usize| {
                    let name = cut.proctype_name(*pid);
                    names.iter().any(|n| n == name || *n == format!("{name}[{pid}]"))
                };
                let pids: Vec<usize> = (0..cut.proctypes.len()).filter(called).collect();
                cut.told_by(&pids)
            }
            // The cut below fails for the same reason, and reports it.
            Err(_) => Vec::new(),
        };
        let manner = Manner { apart, ..Manner::default() };
        let properties = &model.selection.properties;
        Problem::in_manner(model, properties, names, manner, self.options.budget, self.control)
    }

    /// Refines until the requirement is small enough, or the property decided.
    fn refine(&self, problem: &Problem<'_>, answer: &mut HandedOver) -> resy::Draft {
        let module_states = problem.split.module.lts.n_states();
        let most = self.options.threshold.of(module_states);
        let (draft, requirement_states, refinements) =
            resy::small_requirement(problem, most, self.options.always, self.control);
        answer.sizes = Some(Sizes { module_states, requirement_states, refinements });
        draft
    }

    /// The model with the requirement in the module's place, or why it cannot be written.
    fn generated(&self, problem: &Problem<'_>, requirement: &Lts) -> Result<String, String> {
        let source = problem.source.as_ref().ok_or("there is no model")?;
        let (cut, components) = (&source.cut, &source.components);
        let module = Module { cut, components, members: &problem.network.module };
        stand_in(self.text, self.watched(), module, requirement).map_err(|refusal| {
            match refusal.source {
                Some(at) if at.line > 0 => {
                    format!("{}: {refusal}", self.model.reduced().location(at))
                }
                _ => refusal.to_string(),
            }
        })
    }

    /// Runs spin on the generated model, and for comparison on the original one.
    fn ask_spin(
        &self,
        answer: &mut HandedOver,
        generated: &str,
        original: &str,
        problem: Option<&Problem<'_>>,
    ) -> Result<(), CallError> {
        let stop = |_| !self.control.may_go_on();
        let after = match self.verify(answer, generated, self.options.keep, &stop) {
            Ok(run) => run,
            Err(failure @ SpinFailure::Missing(_)) => {
                return Err(CallError::Other(failure.to_string()));
            }
            Err(SpinFailure::Stopped) => {
                answer.reason = Some(self.why_stopped("spin was stopped"));
                return Ok(());
            }
            Err(failure) => {
                answer.reason = Some(failure.to_string());
                return Ok(());
            }
        };
        if answer.kept.is_none() {
            let patience = after.search * PATIENCE.0 + PATIENCE.1;
            let stop = |elapsed| !self.control.may_go_on() || elapsed > patience;
            answer.before = self.verify(answer, original, false, &stop).ok();
        }
        let report = &after.report;
        if report.errors > 0 {
            let trail = after.trail.as_deref().unwrap_or_default();
            let found = self.pursue(generated, trail, problem);
            if found.is_none() {
                let why = self.why_stopped("resy does not find the run in the model");
                let error = report.error.as_deref().unwrap_or("an error");
                answer.reason = Some(format!("spin reports: {error}; {why}"));
            }
            self.violated(answer, found);
        } else if report.complete && self.may_miss_ends() {
            let why = "under fairness spin misses some violations by runs that end";
            answer.reason = Some(why.to_owned());
        } else if report.complete {
            answer.truth = Truth::Holds;
        } else {
            answer.reason = Some(self.why_stopped("spin did not search all states"));
        }
        answer.after = Some(after);
        Ok(())
    }

    /// Whether spin may miss a violation by a run that ends: its counter of fairness does not count while a run
    /// stutters.
    fn may_miss_ends(&self) -> bool {
        let is_claim = matches!(self.infinite(), Some(LivenessKind::Formula | LivenessKind::Never));
        is_claim && self.options.fairness == Fairness::Weak
    }

    fn why_stopped(&self, otherwise: &str) -> String {
        self.control.exceeded().map_or_else(|| otherwise.to_owned(), |stop| stop.to_string())
    }

    fn verify(
        &self,
        answer: &mut HandedOver,
        text: &str,
        keep: bool,
        stop: &dyn Fn(Duration) -> bool,
    ) -> Result<SpinRun, SpinFailure> {
        let search = match (self.infinite(), self.watched()) {
            (Some(LivenessKind::Acceptance), _) => PanSearch::Acceptance,
            (Some(LivenessKind::Progress), _) => PanSearch::Progress,
            (_, Watched::Steps | Watched::Trace) => PanSearch::Errors,
            (_, Watched::Claim(_)) => PanSearch::Claim,
        };
        let mut flags = Flags::of(search, self.model.options.loss, self.control.memory());
        if self.infinite().is_some() && self.options.fairness == Fairness::Weak {
            flags.fair();
        }
        flags.add(&self.options.flags);
        let folder = Folder::new(keep)?;
        if keep {
            answer.folder = Some(folder.path().to_path_buf());
        }
        verify(folder.path(), text, &flags, stop)
    }

    fn watched(&self) -> Watched<'_> {
        match &self.model.selection.properties[..] {
            [Property::Trace] => Watched::Trace,
            [Property::Claim { name, .. }] => Watched::Claim(name),
            [
                Property::Liveness {
                    name, kind: LivenessKind::Formula | LivenessKind::Never, ..
                },
            ] => Watched::Claim(name),
            _ => Watched::Steps,
        }
    }

    /// The run of the model that spin's trail of the generated model stands for.
    fn pursue(
        &self,
        generated: &str,
        trail: &str,
        problem: Option<&Problem<'_>>,
    ) -> Option<Counterexample> {
        if self.infinite().is_some() {
            return infinite_run(self.model, self.options.fairness, self.control);
        }
        let read = Subject::promela("generated", generated);
        let generated = read.subject?;
        let system = generated.system()?;
        let run = match Trail::parse(trail) {
            Ok(trail) => run_of(&Interpreter::new(system, self.model.options), &trail).0,
            Err(_) => Vec::new(),
        };
        let mut clue = Clue::of_globals(self.model.reduced(), system, run);
        if let Some((problem, source)) = problem.zip(problem.and_then(|p| p.source.as_ref())) {
            let (cut, components) = (&source.cut, &source.components);
            let members: Vec<_> =
                problem.network.module.iter().map(|&id| components.parts[id]).collect();
            let outside = |cell: &usize| match cut.home(Cell::Global(*cell as u32)) {
                Home::At(part, _) => !members.contains(&part),
                _ => true,
            };
            let shared = |chan: &usize| {
                let channel = &cut.channels[*chan];
                channel.frame.is_none() && !members.contains(&channel.part)
            };
            clue.module = members.iter().filter_map(|&part| cut.parts[part].process).collect();
            clue.cells = (0..cut.globals.len()).filter(outside).collect();
            clue.channels = (0..cut.channels.len()).filter(shared).collect();
        }
        pursue(self.model, &clue, self.control)
    }

    /// Takes note of a violation, if there is one.
    fn violated(&self, answer: &mut HandedOver, found: Option<Counterexample>) {
        let Some(found) = found else { return };
        let found = match self.options.as_found || found.lasso().is_some() {
            true => found,
            false => canonical(self.model, found, self.control),
        };
        answer.truth = Truth::Fails;
        answer.reason = found.what();
        answer.counterexample = Some(found);
    }
}

/// Why spin would not answer the question that is asked.
fn spin_differs(model: &Model, kind: LivenessKind, fairness: Fairness) -> Option<&'static str> {
    let system = &model.program()?.system;
    let has_accept_labels =
        system.proctypes.iter().any(|proctype| proctype.accept_locations.iter().any(|&at| at));
    let is_claim = matches!(kind, LivenessKind::Formula | LivenessKind::Never);
    let is_barred =
        system.uses_priority || system.proctypes.iter().any(|proctype| proctype.provided.is_some());
    match fairness {
        _ if kind == LivenessKind::Automaton => Some("spin cannot be given an automaton"),
        _ if is_claim && has_accept_labels => {
            Some("spin would let the accept labels of processes count for the claim")
        }
        Fairness::Strong => Some("spin has no strong fairness"),
        Fairness::Weak if is_barred => {
            Some("with `provided` or priorities spin misses violations under fairness")
        }
        _ => None,
    }
}
