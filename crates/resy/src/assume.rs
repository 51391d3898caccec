//! The requirement of a module: what it must guarantee so that its environment is safe.

use crate::control::{Control, Message, Stop};
use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::problem::{NoProblem, Problem};
use crate::question::CallError;
use crate::requirement::NamedRequirement;
use crate::shorten;
use resy_automata::lts::Lts;
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
    /// An abstraction of the environment, refined step by step.
    #[default]
    Refine,
    /// Two traversals of all contexts.
    Exact,
}

impl Synthesis {
    /// All ways, in the order in which help lists them.
    pub const ALL: &[Self] = &[Self::Refine, Self::Exact];

    /// The name that users give.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refine => "refine",
            Self::Exact => "exact",
        }
    }

    /// What it does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
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
    /// The number of refinements.
    pub steps: usize,
    /// Whether a limit ended the synthesis.
    pub is_interrupted: bool,
    /// One entry for each refinement, if they were recorded.
    pub trace: Vec<Refined>,
    /// The time, without what was spent on the record.
    pub elapsed: Duration,
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
        Synthesis::Refine => refined(options, &problem, control),
        Synthesis::Exact => exact(&problem, control).map_err(NoRequirement::ExactOnly)?,
    };
    let requirement = match options.minimize {
        true => minimized(&problem, &found.requirement, control),
        false => found.requirement,
    };
    let standing = standing(&problem, &requirement, options.as_found, control);
    let Found { steps, is_interrupted, trace, elapsed, .. } = found;
    Ok(Assumed { problem, requirement, standing, steps, is_interrupted, trace, elapsed })
}

/// What a method has found.
struct Found {
    requirement: Requirement,
    steps: usize,
    is_interrupted: bool,
    trace: Vec<Refined>,
    elapsed: Duration,
}

/// The canonical requirement from all contexts, if they fit into the limits.
fn exact(problem: &Problem<'_>, control: &Control) -> Result<Found, String> {
    let found = exact::synthesize_while(&problem.split, MAX_CONTEXTS, || control.may_go_on());
    match found {
        Ok(Some(requirement)) => {
            let (trace, elapsed) = (Vec::new(), control.elapsed());
            Ok(Found { requirement, steps: 0, is_interrupted: false, trace, elapsed })
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
    Found { requirement, steps, is_interrupted, trace, elapsed }
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
            Some(run) => PropertyStatus::Fails(shorten::counterexample(
                problem.model,
                run,
                control.elapsed(),
            )),
        },
    }
}

impl Assumed<'_> {
    /// The requirement with the names of what its states stand for.
    pub fn named(&self) -> NamedRequirement {
        NamedRequirement::new(&self.problem, &self.requirement)
    }

    /// The certificate, as text, if the property holds; or why there is none. `only` is the one
    /// property that was asked for, if it was one.
    pub fn certificate(&self, only: Option<&str>, without: &[String]) -> Result<String, String> {
        if !matches!(self.standing, PropertyStatus::Holds) {
            return Err("the property is not known to hold".to_owned());
        }
        let proof = evidence::of_requirement(&self.problem.split, &self.requirement, MAX_PROOF);
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
