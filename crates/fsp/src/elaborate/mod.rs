//! The syntax tree to compositions of automata.
//!
//! `scope` has the definitions and the values of constants, ranges and sets; `eval` and
//! `labels` give values and labels; `process` explores a primitive process, `composite`
//! flattens a composite, `assertion` instantiates a formula. Mistakes travel as `Fault`s to the definition that they end.

mod assertion;
mod compiler;
mod composite;
mod eval;
mod fault;
mod instances;
mod labels;
mod machine;
mod names;
mod process;
mod product;
mod reduce;
mod relation;
mod renaming;
mod scope;
mod states;
mod value;

pub(crate) use compiler::Compiler;
pub(crate) use fault::{Fault, undefined};
pub(crate) use machine::Machine;
pub(crate) use product::Termination;
pub(crate) use scope::Scope;
pub(crate) use value::Env;

/// How large things may become.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ElaborationLimits {
    /// States of a primitive process.
    pub states: usize,
    /// Parts of a composite.
    pub parts: usize,
    /// States of a product that must be built: for priority, `deterministic` and
    /// `property ||P`.
    pub product: usize,
    /// Whether `minimal` is applied, which needs a product as well. The verdicts are the same
    /// without it, the numbers of states are LTSA's only with it.
    pub minimise: bool,
}

impl Default for ElaborationLimits {
    fn default() -> Self {
        Self { states: 1 << 20, parts: 1 << 14, product: 1 << 18, minimise: false }
    }
}
