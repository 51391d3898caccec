//! The engine that learns what the environment of a module can bear.

use super::abstraction::decide_case;
use super::method::Method;
use super::{Account, Case, Engine};
use crate::control::Control;
use crate::question::CallError;

/// Learns an assumption about the interface of a module. It does not take part in the race: most questions are
/// decided sooner without an assumption.
pub(super) struct Learning;

impl Engine for Learning {
    fn name(&self) -> &'static str {
        "learning"
    }

    fn about(&self) -> &'static str {
        "An assumption about the interface of the module, learned by queries"
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        decide_case(self.name(), &[Method::Learning], case, control)
    }
}
