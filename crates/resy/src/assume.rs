//! The requirement of a module: what it must guarantee so that its environment is safe.

mod definition;
mod each;

pub use each::assume_each;

use crate::assumption::{self, InterfaceAssumption};
use crate::canonical;
use crate::control::{Control, Message, Stop};
use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::problem::{NoProblem, Problem};
use crate::question::CallError;
use crate::requirement::NamedRequirement;
use resy_automata::lts::Lts;
use resy_compose::alphabet::{AlphabetChoice, AlphabetStart};
use resy_compose::auto::{self, AutoOptions, AutoProgress, Quality, Synthesized};
use resy_compose::marks::RequirementMark;
use resy_compose::minimize::minimize;
use resy_compose::refine::{self, RequirementDraft, alternating, forward_first};
use resy_compose::{Conclusion, Requirement, evidence, exact};
use resy_system::Property;
use std::cell::Cell;
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
    /// The same requirement from two foldings of the environment.
    Fold,
    /// The weakest assumption, by subset construction.
    Weakest,
    /// An assumption that is learned by queries.
    Learn,
    /// A smallest deterministic assumption, within a budget.
    Separating,
    /// An abstraction of the module, refined where an error is not concrete.
    Agar,
    /// Abstractions of all components together, the module's as small as possible.
    Compact,
}

impl Synthesis {
    /// All ways, in the order in which help lists them.
    pub const ALL: &[Self] = &[
        Self::Auto,
        Self::Refine,
        Self::Exact,
        Self::Fold,
        Self::Weakest,
        Self::Learn,
        Self::Separating,
        Self::Agar,
        Self::Compact,
    ];

    /// The name that users give.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Refine => "refine",
            Self::Exact => "exact",
            Self::Fold => "fold",
            Self::Weakest => "weakest",
            Self::Learn => "learn",
            Self::Separating => "separating",
            Self::Agar => "agar",
            Self::Compact => "compact",
        }
    }

    /// What it does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Auto => "Whatever proves the property first, then merged while it is proved",
            Self::Refine => "An abstraction of the environment, refined step by step",
            Self::Exact => "Two traversals of all contexts",
            Self::Fold => "Two foldings of the environment: modulo pasts, and modulo futures",
            Self::Weakest => "All that the environment can bear, by subset construction",
            Self::Learn => "An assumption about the interface, learned by queries",
            Self::Separating => "A smallest deterministic assumption, within a budget",
            Self::Agar => "An abstraction of the module, refined where an error is not concrete",
            Self::Compact => "All components abstracted together; the smallest assumption found",
        }
    }

    /// Whether the result is an assumption about the interface.
    pub fn is_about_interface(self) -> bool {
        self.has_alphabet() || matches!(self, Self::Weakest | Self::Compact)
    }

    /// Whether the alphabet of the result can be chosen.
    pub fn has_alphabet(self) -> bool {
        matches!(self, Self::Learn | Self::Separating | Self::Agar)
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
    /// With [`Synthesis::Auto`]: the requirement of the definition.
    pub canonical: bool,
    /// Merges further while the property is still proved.
    pub minimize: bool,
    /// Stops after this many refinements.
    pub steps: Option<usize>,
    /// Records every refinement.
    pub trace: bool,
    /// With a learned or abstracted assumption: how its alphabet is found.
    pub alphabet: AlphabetChoice,
    /// With a learned or abstracted assumption: where its alphabet begins.
    pub alphabet_start: AlphabetStart,
    /// Leaves counterexamples as they were found.
    pub as_found: bool,
    /// Keeps a quarter of the time for the certificate.
    pub certificate: bool,
    /// With more local states of a component the cut is given up.
    pub budget: usize,
}

impl Default for AssumeOptions {
    fn default() -> Self {
        Self {
            module: Vec::new(),
            method: Synthesis::default(),
            canonical: false,
            minimize: false,
            steps: None,
            trace: false,
            alphabet: AlphabetChoice::default(),
            alphabet_start: AlphabetStart::default(),
            as_found: false,
            certificate: false,
            budget: crate::MAX_LOCAL_STATES,
        }
    }
}

/// A requirement, and what is known of the property.
pub struct Assumed<'a> {
    /// The network and its split.
    pub problem: Problem<'a>,
    /// The requirement; the image of the module that is certified.
    pub requirement: Requirement,
    /// The assumption about the interface that it comes from, if one was asked for.
    pub assumption: Option<InterfaceAssumption>,
    /// What is known of the property.
    pub standing: PropertyStatus,
    /// What is known of the size of the requirement; `None` if the property fails, because every
    /// image of the module would do.
    pub quality: Option<Quality>,
    /// Whether the requirement is that of the definition.
    pub canonicity: Canonicity,
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

/// Whether a requirement is that of the definition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Canonicity {
    /// It may be another one.
    Unknown,
    /// It is that of the definition if a local state that never occurs is an error.
    AmongReachable,
    /// It is.
    Canonical,
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
    of_problem(problem, options, control)
}

/// Synthesises the requirement of the module of a problem.
fn of_problem<'a>(
    problem: Problem<'a>,
    options: &AssumeOptions,
    control: &Control,
) -> Result<Assumed<'a>, NoRequirement> {
    let found = match options.method {
        Synthesis::Auto if options.canonical => definition::by_any_method(&problem, control)?,
        Synthesis::Auto => automatic(options, &problem, control)?,
        Synthesis::Refine => refined(options, &problem, control),
        Synthesis::Exact => exact(&problem, control).map_err(NoRequirement::ExactOnly)?,
        Synthesis::Fold => definition::by_folding(&problem, control)?,
        Synthesis::Weakest
        | Synthesis::Learn
        | Synthesis::Separating
        | Synthesis::Agar
        | Synthesis::Compact => about_interface(options, &problem, control),
    };
    let can_be_minimized = matches!(options.method, Synthesis::Refine | Synthesis::Exact);
    let is_minimized = options.minimize && can_be_minimized;
    let requirement = match is_minimized {
        true => minimized(&problem, &found.requirement, control),
        false => found.requirement,
    };
    let standing = standing(&problem, &requirement, options.as_found, control);
    let SynthesisResult {
        steps,
        is_interrupted,
        trace,
        elapsed,
        method,
        synthesized,
        assumption,
        ..
    } = found;
    let canonicity = if is_minimized { Canonicity::Unknown } else { found.canonicity };
    let proved = match &synthesized {
        Some(synthesized) => synthesized.quality,
        None => quality(&requirement, is_minimized && control.may_go_on()),
    };
    let quality = match standing {
        PropertyStatus::Holds => Some(proved),
        PropertyStatus::Fails(_) => None,
        PropertyStatus::Undecided => Some(Quality::Undecided),
    };
    Ok(Assumed {
        problem,
        requirement,
        assumption,
        standing,
        quality,
        canonicity,
        method,
        steps,
        is_interrupted,
        trace,
        elapsed,
        synthesized,
    })
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
struct SynthesisResult {
    requirement: Requirement,
    steps: usize,
    is_interrupted: bool,
    trace: Vec<Refined>,
    elapsed: Duration,
    /// The name of the method.
    method: &'static str,
    canonicity: Canonicity,
    synthesized: Option<Synthesized>,
    assumption: Option<InterfaceAssumption>,
}

impl SynthesisResult {
    /// A requirement with what its synthesis has kept.
    fn kept(found: Synthesized, steps: usize, canonicity: Canonicity, control: &Control) -> Self {
        Self {
            requirement: found.requirement.clone(),
            steps,
            is_interrupted: found.is_cancelled,
            trace: Vec::new(),
            elapsed: control.elapsed(),
            method: found.by.map_or(Synthesis::Auto.name(), |by| by.as_str()),
            canonicity,
            synthesized: Some(found),
            assumption: None,
        }
    }

    /// A requirement with its verdict, and no more.
    fn bare(
        requirement: Requirement,
        method: &'static str,
        canonicity: Canonicity,
        control: &Control,
    ) -> Self {
        Self {
            requirement,
            steps: 0,
            is_interrupted: false,
            trace: Vec::new(),
            elapsed: control.elapsed(),
            method,
            canonicity,
            synthesized: None,
            assumption: None,
        }
    }
}

/// An assumption about the interface, and the image of the module that it gives.
fn about_interface(
    options: &AssumeOptions,
    problem: &Problem<'_>,
    control: &Control,
) -> SynthesisResult {
    let (requirement, assumption) = assumption::synthesize(problem, options, control);
    let steps = assumption.as_ref().map_or(0, InterfaceAssumption::n_refinements);
    let is_interrupted = requirement.verdict == Conclusion::Interrupted;
    let method = options.method.name();
    let found = SynthesisResult::bare(requirement, method, Canonicity::Unknown, control);
    SynthesisResult { assumption, steps, is_interrupted, ..found }
}

/// Tells the progress of a synthesis; whether to go on.
fn told(progress: &AutoProgress, control: &Control) -> bool {
    match progress {
        AutoProgress::Exploring(n_states) => return control.product(*n_states),
        AutoProgress::Folding(progress) => control.folding(progress),
        AutoProgress::Refining(progress) => control.refinement(progress, || None),
    }
    control.may_go_on()
}

/// The requirement by whichever method proves the property first.
fn automatic(
    options: &AssumeOptions,
    problem: &Problem<'_>,
    control: &Control,
) -> Result<SynthesisResult, NoRequirement> {
    let mut steps = 0;
    // A smaller requirement is worth less than the proof of one.
    let end = control.timeout().filter(|_| options.certificate).map(|limit| limit / 4 * 3);
    let is_late = || end.is_some_and(|end| control.elapsed() > end);
    let auto = AutoOptions::default();
    let found = auto::synthesize(&problem.network, &problem.split, &auto, |progress| {
        if let AutoProgress::Refining(progress) = progress {
            steps = progress.steps;
        }
        told(progress, control) && !is_late()
    });
    let found = found.map_err(|error| NoRequirement::OutOfReach(error.to_string()))?;
    control.tell(&Message::Done);
    Ok(SynthesisResult::kept(found, steps, Canonicity::Unknown, control))
}

/// The canonical requirement from all contexts, if they fit into the limits.
fn exact(problem: &Problem<'_>, control: &Control) -> Result<SynthesisResult, String> {
    let found = exact::synthesize_while(&problem.split, MAX_CONTEXTS, || control.may_go_on());
    match found {
        Ok(Some(requirement)) => {
            let method = Synthesis::Exact.name();
            Ok(SynthesisResult::bare(requirement, method, Canonicity::Canonical, control))
        }
        Ok(None) => Err(control.exceeded().unwrap_or(Stop::Cancelled).to_string()),
        Err(_) => Err(format!("there are more than {MAX_CONTEXTS} contexts")),
    }
}

/// Refines until the requirement is canonical, or until a limit is reached.
fn refined(options: &AssumeOptions, problem: &Problem<'_>, control: &Control) -> SynthesisResult {
    let mut trace = Vec::new();
    let (mut steps, mut is_interrupted, mut overhead) = (0, false, Duration::ZERO);
    let is_stopped = Cell::new(false);
    let in_step = || {
        is_stopped.set(!control.may_go_on());
        !is_stopped.get()
    };
    let go_on = |draft: &mut RequirementDraft<'_, '_>| {
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
    };
    let requirement = refine::assume_while(&problem.split, forward_first, go_on, in_step);
    is_interrupted |= is_stopped.get();
    control.tell(&Message::Done);
    let elapsed = control.elapsed() - overhead;
    let canonicity = if is_interrupted { Canonicity::Unknown } else { Canonicity::Canonical };
    let found = SynthesisResult::bare(requirement, Synthesis::Refine.name(), canonicity, control);
    SynthesisResult { steps, is_interrupted, trace, elapsed, ..found }
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
    if let Ok(mut proves) = exact::prover_while(split, FEW_CONTEXTS, in_time) {
        return minimize(module, requirement, |lts| if in_time() { proves(lts) } else { None });
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
        self.named_within(&Control::unlimited())
    }

    /// Like [`named`](Self::named), within the limits of a control: beyond them no state is marked.
    pub fn named_within(&self, control: &Control) -> NamedRequirement {
        let assumption = self.assumption.as_ref();
        let named = |a| NamedRequirement::of_assumption(&self.problem, a);
        assumption.and_then(named).unwrap_or_else(|| self.named_image_within(control))
    }

    /// The transition system that is shown: the assumption about the interface, or the requirement.
    pub fn shown_lts(&self) -> &Lts {
        let words = self.assumption.as_ref().and_then(|assumption| assumption.words.as_ref());
        words.map_or(self.requirement.lts(), |words| &words.lts)
    }

    /// The image of the module with the names of what its states stand for.
    pub fn named_image(&self) -> NamedRequirement {
        self.named_image_within(&Control::unlimited())
    }

    fn named_image_within(&self, control: &Control) -> NamedRequirement {
        let Some(found) = &self.synthesized else {
            return NamedRequirement::new_within(&self.problem, &self.requirement, control);
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
        self.certificate_within(only, without, &Control::unlimited())
    }

    /// Like [`certificate`](Self::certificate), within the limits of a control.
    pub fn certificate_within(
        &self,
        only: Option<&str>,
        without: &[String],
        control: &Control,
    ) -> Result<String, String> {
        if !matches!(self.standing, PropertyStatus::Holds) {
            return Err("the property is not known to hold".to_owned());
        }
        let (split, go_on) = (&self.problem.split, &mut || control.may_go_on());
        let proof = match &self.synthesized {
            Some(synthesized) => {
                synthesized.evidence_while(&self.problem.network, split, MAX_PROOF, go_on)
            }
            None => evidence::of_requirement_while(split, &self.requirement, MAX_PROOF, go_on),
        };
        let proof = proof.ok_or_else(|| match control.exceeded() {
            Some(stop) => stop.to_string(),
            None => format!("it would have more than {MAX_PROOF} states"),
        })?;
        self.problem.certificate(proof, only, without, control)
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
