//! The engine that abstracts the environment of a module.

use super::abstraction::decide_case;
use super::method::Method;
use super::{Account, Case, Engine, MethodHelp};
use crate::control::Control;
use crate::question::CallError;
use crate::subject::Subject;

/// Abstracts the environment of a module, and competes with the product.
pub(super) struct Requirement;

impl Engine for Requirement {
    fn name(&self) -> &'static str {
        "requirement"
    }

    fn about(&self) -> &'static str {
        "An abstraction of the module's environment, refined until the property is decided"
    }

    fn methods(&self) -> &'static [MethodHelp] {
        &super::network::METHODS[..1]
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        let methods: &[Method] = match case.question.method {
            None => &[Method::Requirement, Method::Product],
            Some(_) => &[Method::Requirement],
        };
        decide_case(self.name(), methods, case, control)
    }

    fn is_rival(&self) -> bool {
        true
    }

    /// The product competes already, as a method of the network. A process in FSP that nobody has named is seldom a
    /// good module: of a hundred cars each knows the bridge only. The others then need the processor more.
    fn compete(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        let is_fsp = matches!(case.model.subject(), Subject::Fsp(_));
        if is_fsp && case.question.module.is_empty() {
            return Ok(Account::default());
        }
        decide_case(self.name(), &[Method::Requirement], case, control)
    }
}
