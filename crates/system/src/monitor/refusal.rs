//! Why a claim cannot be watched, in sentences.

use crate::Expr;
use resy_automata::ltl::FormulaTooLarge;

/// A claim that has no monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The name of the claim.
    pub claim: String,
    /// Whether it is an `ltl` formula; otherwise a `never` claim.
    pub is_formula: bool,
    /// The reason.
    pub why: RefusalReason,
}

/// Why there is no monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// A violation may need an infinite run.
    Liveness,
    /// The same, because of this label of the claim.
    LivenessLabel(String),
    /// The formula is too large.
    TooLarge(FormulaTooLarge),
    /// More than 64 conditions.
    Propositions,
    /// More locations than a set can hold.
    Locations,
    /// A condition that uses something undefined in a claim.
    Condition(&'static str),
    /// A statement that a claim cannot have.
    Statement(String),
}

/// Refuses conditions whose value depends on more than the state.
pub(crate) fn check_condition(condition: &Expr) -> Result<(), RefusalReason> {
    let mut found = None;
    condition.walk(&mut |e| {
        let name = match e {
            Expr::Timeout => "timeout",
            Expr::NonProgress => "np_",
            Expr::Priority => "_priority",
            Expr::Run { .. } => "run",
            _ => return,
        };
        found = found.or(Some(name));
    });
    found.map_or(Ok(()), |name| Err(RefusalReason::Condition(name)))
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if self.is_formula { "ltl formula" } else { "never claim" };
        write!(f, "{kind} `{}` ", self.claim)?;
        match &self.why {
            RefusalReason::Liveness => {
                write!(f, "is a liveness property: some violation shows on an infinite run only")
            }
            RefusalReason::LivenessLabel(label) => write!(
                f,
                "is a liveness property: label `{label}` asks what happens infinitely often"
            ),
            RefusalReason::TooLarge(why) => write!(f, "is too large: {why}"),
            RefusalReason::Propositions => {
                write!(f, "is too large: it has more than 64 conditions")
            }
            RefusalReason::Locations => write!(f, "is too large: it has more than 63 locations"),
            RefusalReason::Condition("np_") => {
                write!(f, "is a liveness property: `np_` is about cycles without progress")
            }
            RefusalReason::Condition("timeout") => {
                write!(f, "uses `timeout`, whose value in a claim depends on how the search goes")
            }
            RefusalReason::Condition(name) => {
                write!(f, "uses `{name}`, which has no meaning outside of a process")
            }
            RefusalReason::Statement(text) => {
                write!(f, "has the statement `{text}`: a claim can only look")
            }
        }
    }
}

impl std::error::Error for Refusal {}
