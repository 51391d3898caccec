//! The engine that abstracts every component.

use super::abstraction::decide_case;
use super::method::Method;
use super::{Account, Case, Engine, MethodHelp};
use crate::control::Control;
use crate::question::{CallError, Question};

/// Abstracts every component, and competes with folding and with the product.
pub(super) struct NetworkEngine;

/// The methods, by name.
pub(super) const METHODS: &[MethodHelp] = &[
    MethodHelp {
        name: "refinement",
        about: "Abstract every component, and refine where a path to an error is not possible",
    },
    MethodHelp {
        name: "folding",
        about: "Compose components two by two, hide what nobody else sees, and reduce",
    },
    MethodHelp {
        name: "product",
        about: "Explore the product of all components, which are known by then. Nothing is abstracted",
    },
];

impl Engine for NetworkEngine {
    fn name(&self) -> &'static str {
        "network"
    }

    fn about(&self) -> &'static str {
        "An abstraction of every component, refined until the property is decided"
    }

    fn methods(&self) -> &'static [MethodHelp] {
        METHODS
    }

    fn decide(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        match case.question.module.is_empty() {
            true => self.compete(case, control),
            false => Err(CallError::NoModule(self.name())),
        }
    }

    fn is_rival(&self) -> bool {
        true
    }

    /// A module that the question names is for other engines.
    fn compete(&self, case: &Case, control: &Control) -> Result<Account, CallError> {
        decide_case(self.name(), methods(&case.question), case, control)
    }
}

/// All methods, or the one that is asked for. The product is among them because a program may have few states
/// though its components have many.
fn methods(question: &Question) -> &'static [Method] {
    match question.method {
        Some("refinement") => &[Method::Refinement],
        Some("folding") => &[Method::Folding],
        Some("product") => &[Method::Product],
        _ => &[Method::Refinement, Method::Folding, Method::Product],
    }
}
