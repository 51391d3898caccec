//! The engine that abstracts the module, and refines where an abstract error is not concrete.

use super::abstraction::decide_case;
use super::method::Method;
use super::{Account, Case, Engine};
use crate::control::Control;
use crate::question::CallError;

/// Abstracts the module of a split as far as its environment permits (AGAR). It does not take part in
/// the race: refinement abstracts the environment as well.
pub(super) struct Agar;

impl Engine for Agar {
    fn name(&self) -> &'static str {
        "agar"
    }

    fn about(&self) -> &'static str {
        "An abstraction of the module, refined until the property is decided"
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        decide_case(self.name(), &[Method::Agar], case, control)
    }
}
