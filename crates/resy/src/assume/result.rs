//! What a synthesis returns: the requirement, what is known of it, its names and its certificate.

use crate::assumption::InterfaceAssumption;
use crate::control::Control;
use crate::counterexample::Counterexample;
use crate::problem::{NoProblem, Problem};
use crate::question::CallError;
use crate::requirement::NamedRequirement;
use resy_automata::lts::Lts;
use resy_compose::auto::{Quality, Synthesized};
use resy_compose::marks::RequirementMark;
use resy_compose::{Conclusion, Requirement, evidence};
use resy_system::Property;
use std::fmt;
use std::time::Duration;

/// A larger inductive set is not written.
const MAX_PROOF: usize = 20_000_000;

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
    pub(super) synthesized: Option<Synthesized>,
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
