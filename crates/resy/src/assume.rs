//! The requirement of a module: what it must guarantee so that its environment is safe.

mod definition;
mod each;
mod methods;
mod options;
mod result;

pub use each::assume_each;
pub use options::{AssumeOptions, Synthesis};
pub use result::{Assumed, Canonicity, NoRequirement, PropertyStatus, Refined};

use crate::assumption::InterfaceAssumption;
use crate::canonical;
use crate::control::Control;
use crate::model::Model;
use crate::problem::Problem;
use methods::{about_interface, automatic, exact, minimized, refined, told};
use resy_compose::auto::{Quality, Synthesized};
use resy_compose::{Conclusion, Requirement};
use std::time::Duration;

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
