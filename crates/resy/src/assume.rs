//! The requirement of a module: what it must guarantee so that its environment is safe.

use crate::canonical;
use crate::control::{Control, Message, Stop};
use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::problem::{NoProblem, Problem};
use crate::question::CallError;
use crate::requirement::NamedRequirement;
use resy_automata::lts::Lts;
use resy_automata::network::ComponentId;
use resy_compose::auto::{self, AutoOptions, AutoProgress, Quality, Synthesized};
use resy_compose::marks::RequirementMark;
use resy_compose::minimize::minimize;
use resy_compose::refine::{self, RequirementDraft, alternating, forward_first};
use resy_compose::{Conclusion, Requirement, evidence, exact};
use resy_system::Property;
use std::fmt;
use std::time::Duration;

/// With more contexts the exact method is given up.
const MAX_CONTEXTS: usize = 20_000_000;

/// A larger inductive set is not written.
const MAX_PROOF: usize = 20_000_000;

/// With more contexts a smaller requirement is proved by refinement.
const FEW_CONTEXTS: usize = 200_000;

/// A way to find a requirement.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Synthesis {
    /// The method that proves the property first, within budgets of work; then classes are merged.
    #[default]
    Auto,
    /// An abstraction of the environment, refined step by step.
    Refine,
    /// Two traversals of all contexts.
    Exact,
}

impl Synthesis {
    /// All ways, in the order in which help lists them.
    pub const ALL: &[Self] = &[Self::Auto, Self::Refine, Self::Exact];

    /// The name that users give.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Refine => "refine",
            Self::Exact => "exact",
        }
    }

    /// What it does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Auto => "Whatever proves the property first, then merged while it is proved",
            Self::Refine => "An abstraction of the environment, refined step by step",
            Self::Exact => "Two traversals of all contexts",
        }
    }

    /// The way with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.name() == name)
    }
}

/// How a requirement is asked for.
#[derive(Clone, Debug)]
pub struct AssumeOptions {
    /// The module: names of proctypes, of processes or of components.
    pub module: Vec<String>,
    /// The method.
    pub method: Synthesis,
    /// Merges further while the property is still proved.
    pub minimize: bool,
    /// Stops after this many refinements.
    pub steps: Option<usize>,
    /// Records every refinement.
    pub trace: bool,
    /// Leaves counterexamples as they were found.
    pub as_found: bool,
    /// With more local states of a component the cut is given up.
    pub budget: usize,
}

impl Default for AssumeOptions {
    fn default() -> Self {
        Self {
            module: Vec::new(),
            method: Synthesis::default(),
            minimize: false,
            steps: None,
            trace: false,
            as_found: false,
            budget: crate::MAX_LOCAL_STATES,
        }
    }
}

/// A requirement, and what is known of the property.
pub struct Assumed<'a> {
    /// The network and its split.
    pub problem: Problem<'a>,
    /// The requirement.
    pub requirement: Requirement,
    /// What is known of the property.
    pub standing: PropertyStatus,
    /// What is known of the size of the requirement; `None` if the property fails, because every
    /// image of the module would do.
    pub quality: Option<Quality>,
    /// Whether the requirement is that of the definition.
    pub canonical: bool,
    /// The method that answered.
    pub method: &'static str,
    /// The number of refinements.
    pub steps: usize,
    /// Whether a limit ended the synthesis.
    pub is_interrupted: bool,
    /// One entry for each refinement, if they were recorded.
    pub trace: Vec<Refined>,
    /// The time, without what was spent on the record.
    pub elapsed: Duration,
    /// The proof of the requirement, if the synthesis has kept it.
    synthesized: Option<Synthesized>,
}

/// What a synthesis knows of the property.
#[derive(Debug)]
pub enum PropertyStatus {
    /// It holds with the requirement in the place of the module.
    Holds,
    /// A run violates it.
    Fails(Counterexample),
    /// It is not decided.
    Undecided,
}

impl PropertyStatus {
    /// The word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails(_) => "fails",
            Self::Undecided => "undecided",
        }
    }
}

/// One refinement.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Refined {
    /// Its number.
    pub step: usize,
    /// The classes of the environment.
    pub n_classes: usize,
    /// The states of the requirement.
    pub n_states: usize,
    /// The time until then.
    pub elapsed: Duration,
}

/// Why there is no requirement.
#[derive(Debug)]
pub enum NoRequirement {
    /// The call is wrong.
    BadCall(CallError),
    /// The model is out of reach.
    OutOfReach(String),
    /// The exact method met a limit: why. Refinement has a result at any time.
    ExactOnly(String),
}

impl fmt::Display for NoRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadCall(error) => error.fmt(f),
            Self::OutOfReach(why) | Self::ExactOnly(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NoRequirement {}

impl From<NoProblem> for NoRequirement {
    fn from(trouble: NoProblem) -> Self {
        match trouble {
            NoProblem::BadCall(error) => Self::BadCall(error),
            NoProblem::OutOfReach(why) => Self::OutOfReach(why),
        }
    }
}

/// Synthesises the requirement of a module of a model.
pub fn assume<'a>(
    model: &'a Model,
    options: &AssumeOptions,
    control: &Control,
) -> Result<Assumed<'a>, NoRequirement> {
    let properties = &model.selection.properties;
    let problem =
        Problem::with_module(model, properties, &options.module, options.budget, control)?;
    let found = match options.method {
        Synthesis::Auto => automatic(&problem, control)?,
        Synthesis::Refine => refined(options, &problem, control),
        Synthesis::Exact => exact(&problem, control).map_err(NoRequirement::ExactOnly)?,
    };
    let is_minimized = options.minimize && options.method != Synthesis::Auto;
    let requirement = match is_minimized {
        true => minimized(&problem, &found.requirement, control),
        false => found.requirement,
    };
    let standing = standing(&problem, &requirement, options.as_found, control);
    let Found { steps, is_interrupted, trace, elapsed, method, synthesized, .. } = found;
    let proved = match &synthesized {
        Some(synthesized) => synthesized.quality,
        None => quality(&requirement, is_minimized && control.may_go_on()),
    };
    let quality = match standing {
        PropertyStatus::Holds => Some(proved),
        PropertyStatus::Fails(_) => None,
        PropertyStatus::Undecided => Some(Quality::Undecided),
    };
    let canonical = synthesized.is_none() && !is_interrupted && !is_minimized;
    Ok(Assumed {
        problem,
        requirement,
        standing,
        quality,
        canonical,
        method,
        steps,
        is_interrupted,
        trace,
        elapsed,
        synthesized,
    })
}

/// The modules of a model for which one by one a requirement can be asked for: its processes, or the
/// components of a network file.
pub fn modules(
    model: &Model,
    budget: usize,
    control: &Control,
) -> Result<Vec<String>, NoRequirement> {
    let properties = &model.selection.properties;
    let problem = Problem::without_module(model, properties, budget, control)?;
    let is_process = |id: ComponentId| match &problem.source {
        None => true,
        Some(source) => source.cut.parts[source.components.parts[id]].process.is_some(),
    };
    let components = problem.network.components.iter_enumerated();
    let modules = components.filter(|(id, _)| is_process(*id));
    Ok(modules.map(|(_, component)| component.name.clone()).collect())
}

/// What is known of the size of a requirement that was found by name. Of two states that cannot be
/// joined nothing more has to be known: there is only one image with one state.
fn quality(requirement: &Requirement, is_irreducible: bool) -> Quality {
    match (requirement.lts().n_states(), is_irreducible) {
        (1, _) | (2, true) => Quality::Smallest,
        (_, true) => Quality::Irreducible,
        (_, false) => Quality::Proved,
    }
}

/// What a method has found.
struct Found {
    requirement: Requirement,
    steps: usize,
    is_interrupted: bool,
    trace: Vec<Refined>,
    elapsed: Duration,
    /// The name of the method.
    method: &'static str,
    synthesized: Option<Synthesized>,
}

/// The requirement by whichever method proves the property first.
fn automatic(problem: &Problem<'_>, control: &Control) -> Result<Found, NoRequirement> {
    let mut steps = 0;
    let options = AutoOptions::default();
    let found = auto::synthesize(&problem.network, &problem.split, &options, |progress| {
        match progress {
            AutoProgress::Exploring(n_states) => return control.product(*n_states),
            AutoProgress::Folding(progress) => control.folding(progress),
            AutoProgress::Refining(progress) => {
                steps = progress.steps;
                control.refinement(progress, || None);
            }
        }
        control.may_go_on()
    });
    let found = found.map_err(|error| NoRequirement::OutOfReach(error.to_string()))?;
    control.tell(&Message::Done);
    Ok(Found {
        requirement: found.requirement.clone(),
        steps,
        is_interrupted: found.is_cancelled,
        trace: Vec::new(),
        elapsed: control.elapsed(),
        method: found.by.map_or(Synthesis::Auto.name(), |by| by.as_str()),
        synthesized: Some(found),
    })
}

/// The canonical requirement from all contexts, if they fit into the limits.
fn exact(problem: &Problem<'_>, control: &Control) -> Result<Found, String> {
    let found = exact::synthesize_while(&problem.split, MAX_CONTEXTS, || control.may_go_on());
    match found {
        Ok(Some(requirement)) => {
            let (trace, elapsed) = (Vec::new(), control.elapsed());
            let (method, synthesized) = (Synthesis::Exact.name(), None);
            let (steps, is_interrupted) = (0, false);
            Ok(Found { requirement, steps, is_interrupted, trace, elapsed, method, synthesized })
        }
        Ok(None) => Err(control.exceeded().unwrap_or(Stop::Cancelled).to_string()),
        Err(_) => Err(format!("there are more than {MAX_CONTEXTS} contexts")),
    }
}

/// Refines until the requirement is canonical, or until a limit is reached.
fn refined(options: &AssumeOptions, problem: &Problem<'_>, control: &Control) -> Found {
    let mut trace = Vec::new();
    let (mut steps, mut is_interrupted, mut overhead) = (0, false, Duration::ZERO);
    let requirement = refine::assume(&problem.split, forward_first, |draft| {
        let (start, progress) = (control.elapsed(), draft.progress());
        steps = progress.steps;
        if options.trace {
            trace.push(record(draft, start - overhead));
        }
        // To know the size takes a while; at most a tenth of the time is spent on it.
        let size = || (overhead * 10 <= start).then(|| draft.requirement().lts().n_states());
        control.refinement(&progress, size);
        overhead += control.elapsed() - start;
        let is_late = !control.may_go_on();
        if is_late {
            draft.hurry();
        }
        is_interrupted = is_late || options.steps.is_some_and(|most| steps >= most);
        !is_interrupted
    });
    control.tell(&Message::Done);
    let elapsed = control.elapsed() - overhead;
    let (method, synthesized) = (Synthesis::Refine.name(), None);
    Found { requirement, steps, is_interrupted, trace, elapsed, method, synthesized }
}

fn record(draft: &mut RequirementDraft<'_, '_>, elapsed: Duration) -> Refined {
    let progress = draft.progress();
    let n_states = draft.requirement().lts().n_states();
    Refined { step: progress.steps, n_classes: progress.n_classes, n_states, elapsed }
}

/// Merges further while the property is still proved, within the limits.
fn minimized(problem: &Problem<'_>, requirement: &Requirement, control: &Control) -> Requirement {
    let split = &problem.split;
    let module = &split.module.lts;
    let in_time = || control.may_go_on();
    if let Ok(mut proves) = exact::prover(split, FEW_CONTEXTS) {
        return minimize(module, requirement, |lts| in_time().then(|| proves(lts)));
    }
    let proves = |lts: &Lts| {
        let checked = refine::check(&split.with_module(lts.clone()), alternating, |_| in_time());
        checked.verdict == Conclusion::Holds
    };
    minimize(module, requirement, |lts| in_time().then(|| proves(lts)))
}

/// What is known of the property. A violation that the program does not have decides nothing, nor
/// does a proof that misses the ends of runs.
fn standing(
    problem: &Problem<'_>,
    requirement: &Requirement,
    as_found: bool,
    control: &Control,
) -> PropertyStatus {
    match &requirement.verdict {
        Conclusion::Holds if problem.misses_violations() => PropertyStatus::Undecided,
        Conclusion::Holds => PropertyStatus::Holds,
        Conclusion::Interrupted => PropertyStatus::Undecided,
        Conclusion::Fails(steps) => match problem.replay(steps) {
            None => PropertyStatus::Undecided,
            Some(run) if as_found => PropertyStatus::Fails(run),
            Some(run) => PropertyStatus::Fails(canonical(problem.model, run, control)),
        },
    }
}

impl Assumed<'_> {
    /// The requirement with the names of what its states stand for.
    pub fn named(&self) -> NamedRequirement {
        let Some(found) = &self.synthesized else {
            return NamedRequirement::new(&self.problem, &self.requirement);
        };
        let fails = matches!(self.requirement.verdict, Conclusion::Fails(_));
        let mark = |&is_reached: &bool| match is_reached {
            _ if fails => RequirementMark::Error,
            true => RequirementMark::Plain,
            false => RequirementMark::Unreachable,
        };
        let marks = found.reached.iter().map(mark).collect();
        NamedRequirement::with_marks(&self.problem, &self.requirement, marks)
    }

    /// The certificate, as text, if the property holds; or why there is none. `only` is the one
    /// property that was asked for, if it was one.
    pub fn certificate(&self, only: Option<&str>, without: &[String]) -> Result<String, String> {
        if !matches!(self.standing, PropertyStatus::Holds) {
            return Err("the property is not known to hold".to_owned());
        }
        let split = &self.problem.split;
        let proof = match &self.synthesized {
            Some(synthesized) => synthesized.evidence(&self.problem.network, split, MAX_PROOF),
            None => evidence::of_requirement(split, &self.requirement, MAX_PROOF),
        };
        let proof = proof.ok_or_else(|| format!("it would have more than {MAX_PROOF} states"))?;
        self.problem.certificate(proof, only, without)
    }

    /// Whether the network has a violation that the program does not have.
    pub fn is_spurious(&self) -> bool {
        matches!(self.requirement.verdict, Conclusion::Fails(_))
            && !matches!(self.standing, PropertyStatus::Fails(_))
    }

    /// The names of the properties, as one.
    pub fn property(&self) -> String {
        let names = self.problem.properties.iter().map(Property::name);
        names.collect::<Vec<_>>().join(", ")
    }
}
