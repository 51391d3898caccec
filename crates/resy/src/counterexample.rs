//! Counterexamples: runs that were carried out on the subject.
//!
//! What an engine finds is a [`Candidate`]. [`Candidate::replay`] carries it out on the subject as it
//! stands in its file, and only a violation that is seen there makes a [`Counterexample`]. Where a
//! network of components is not exact, it can do more than the program, and a candidate may be
//! [`Spurious`].

mod candidate;
mod lasso;
mod outcomes;
mod product;

pub use candidate::{Candidate, Spurious};
pub(crate) use outcomes::{ends_badly, outcomes};
pub(crate) use product::first_error;
pub use product::step_name;

use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_engine::search::{Finding, Replay, Search};
use resy_system::{Fairness, Property};
use std::fmt;

/// A run of the subject that violates a property.
pub struct Counterexample {
    property: Property,
    execution: Execution,
    lasso: Option<Lasso>,
    is_canonical: bool,
}

/// What makes a finite list of steps an infinite run: the last of them are repeated for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    /// The number of steps before the loop. The others lead back to the state that they start from. If there are
    /// no others, the run ends, and its last state lasts for ever.
    pub start: usize,
    /// The fairness that the run was found under.
    pub fairness: Fairness,
    /// Why the loop is fair to each process.
    pub fair: Vec<FairReason>,
}

/// Why a loop is fair to a process.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FairReason {
    /// The process.
    pub pid: usize,
    /// What happens in the loop.
    pub how: FairHow,
}

/// What makes a loop fair to a process.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FairHow {
    /// It moves in this step, from 1.
    Moves(usize),
    /// It is not enabled after this many steps.
    Blocked(usize),
    /// It is enabled nowhere in the loop.
    NeverEnabled,
}

/// The steps of a counterexample.
enum Execution {
    /// Steps of a program, and what is wrong at their end.
    Program { steps: Vec<Replay>, what: String },
    /// Steps of a network into the error state of its monitor.
    Network { steps: Vec<ProductStep>, names: Vec<String> },
    /// Steps of processes in FSP.
    Composed(ComposedRun),
}

/// A run of processes in FSP that was carried out.
struct ComposedRun {
    steps: Vec<ProductStep>,
    names: Vec<String>,
    what: String,
}

impl Counterexample {
    /// The steps of a network, if they lead into the error state.
    pub(crate) fn of_network(network: &Network, steps: &[ProductStep]) -> Option<Self> {
        product::of_network(network, steps)
    }

    /// A run of processes that was carried out by the module `composed`.
    pub(crate) fn composed(
        property: &Property,
        steps: Vec<ProductStep>,
        names: Vec<String>,
        what: String,
        loop_start: Option<usize>,
    ) -> Self {
        let execution = Execution::Composed(ComposedRun { steps, names, what });
        let lasso = loop_start.map(|start| Lasso { start, ..Lasso::default() });
        Self { property: property.clone(), execution, lasso, is_canonical: false }
    }

    /// The property that is violated.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// Whether the same question finds the same run again, on every machine and whichever engine is fastest.
    pub fn is_canonical(&self) -> bool {
        self.is_canonical
    }

    /// The same run, canonical if `is_canonical` says so of the present mark.
    pub(crate) fn marked(self, is_canonical: impl FnOnce(bool) -> bool) -> Self {
        Self { is_canonical: is_canonical(self.is_canonical), ..self }
    }

    /// What is wrong at the end of the run, in words; `None` for a network, whose monitor errs.
    pub fn what(&self) -> Option<String> {
        match &self.execution {
            Execution::Program { what, .. } => Some(what.clone()),
            Execution::Network { .. } => None,
            Execution::Composed(run) => Some(run.what.clone()),
        }
    }

    /// The loop, if the run is infinite.
    pub fn lasso(&self) -> Option<&Lasso> {
        self.lasso.as_ref()
    }

    /// The number of steps before the loop, if the run is infinite.
    pub fn loop_start(&self) -> Option<usize> {
        self.lasso.as_ref().map(|lasso| lasso.start)
    }

    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        match &self.execution {
            Execution::Program { steps, .. } => steps.len(),
            Execution::Network { steps, .. } => steps.len(),
            Execution::Composed(run) => run.steps.len(),
        }
    }

    /// The steps of a program, as they were carried out.
    pub fn program_steps(&self) -> Option<&[Replay]> {
        match &self.execution {
            Execution::Program { steps, .. } => Some(steps),
            Execution::Network { .. } | Execution::Composed(_) => None,
        }
    }

    /// The steps of a network and their names.
    pub fn network_steps(&self) -> Option<(&[ProductStep], &[String])> {
        match &self.execution {
            Execution::Program { .. } => None,
            Execution::Network { steps, names } => Some((steps, names)),
            Execution::Composed(run) => Some((&run.steps, &run.names)),
        }
    }

    /// Takes the steps of a program out, to be made shorter.
    pub(crate) fn take_steps(&mut self) -> Option<Vec<Replay>> {
        match &mut self.execution {
            Execution::Program { steps, .. } => Some(std::mem::take(steps)),
            Execution::Network { .. } | Execution::Composed(_) => None,
        }
    }

    /// The same violation at the end of other steps, which [`outcomes`] has judged.
    pub(crate) fn with_steps(mut self, shorter: Vec<Replay>) -> Self {
        if let Execution::Program { steps, .. } = &mut self.execution {
            *steps = shorter;
        }
        self
    }
}

impl fmt::Debug for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (property, n_steps) = (self.property.name(), self.n_steps());
        write!(f, "Counterexample({property} after {n_steps} steps)")
    }
}

/// The first violation of a property that a search has found.
pub(crate) fn violation<'a>(search: &'a Search, property: &Property) -> Option<&'a Finding> {
    search.findings.iter().find(|finding| property.is_violated_by(&finding.outcome))
}
