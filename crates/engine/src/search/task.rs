//! What to search, and how.

use super::{Ample, KnownSymmetry, Limits, StorePolicy};
use resy_system::{Monitors, Options, Property, State, System};
use std::sync::Arc;

/// In which order states are visited.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By distance from the initial state: counterexamples are shortest.
    #[default]
    BreadthFirst,
    /// Along paths.
    DepthFirst,
    /// What seems near to a violation first.
    Directed,
    /// By the least possible length of a run to a violation: the first one found is shortest.
    Shortest,
}

/// The threads of a breadth-first search. They share one store, and find what one thread finds, in the same order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Their number.
    pub n: usize,
    /// One thread searches alone up to this number of states: for a small model, starting the others would take
    /// longer.
    pub alone: usize,
    /// One thread expands a level with fewer states alone.
    pub narrow: usize,
}

impl Threads {
    /// This many threads, where several are faster than one.
    pub fn new(n: usize) -> Self {
        Self { n, alone: 50_000, narrow: 1024 }
    }

    /// Sets up to how many states one thread searches alone.
    pub fn alone(self, alone: usize) -> Self {
        Self { alone, ..self }
    }
}

/// A search to be made: start with [`Task::new`], and change what differs.
pub struct Task<'a> {
    /// The system, with its reductions applied.
    pub system: &'a System,
    /// Choices about the semantics.
    pub options: Options,
    /// The state to start from; `None` for the initial one. A run is replayed from the initial state only.
    pub start: Option<State>,
    /// The claims.
    pub monitors: Monitors,
    /// Whether a state without steps that is no valid end is a violation.
    pub end_states: bool,
    /// The properties whose violations by steps are reported; `None` for all. Others are no reason to stop.
    pub in_steps: Option<Vec<Property>>,
    /// Whether only claims are checked: a state after which none of them can be violated is not searched.
    pub claims_only: bool,
    /// Whether every path through an `atomic` counts as a transition, as in spin; otherwise each end of a block
    /// counts once.
    pub all_paths: bool,
    /// The partial order reduction, if any.
    pub ample: Option<Ample>,
    /// The symmetry of the system that the properties do not notice, if any.
    pub symmetry: Option<Arc<KnownSymmetry>>,
    /// The order of the search.
    pub order: Order,
    /// Whether steps are compiled; otherwise they are interpreted.
    pub compiled: bool,
    /// Which store a breadth-first search uses.
    pub store: StorePolicy,
    /// The threads of a breadth-first search.
    pub threads: Threads,
    /// A lossy search takes successors in a random order, by this seed.
    pub seed: Option<u64>,
    /// When to stop.
    pub limits: Limits<'a>,
}

impl<'a> Task<'a> {
    /// An exhaustive breadth-first search for violations of assertions and for invalid end states, with compiled
    /// steps, without claims, reduction and limits.
    pub fn new(system: &'a System) -> Self {
        Self {
            system,
            options: Options::default(),
            start: None,
            monitors: Monitors::default(),
            end_states: true,
            in_steps: None,
            claims_only: false,
            all_paths: false,
            ample: None,
            symmetry: None,
            order: Order::default(),
            compiled: true,
            store: StorePolicy::default(),
            threads: Threads::new(1),
            seed: None,
            limits: Limits::default(),
        }
    }

    /// Sets the choices about the semantics.
    pub fn options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Sets the state to start from.
    pub fn start(self, start: State) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Sets the claims.
    pub fn monitors(self, monitors: Monitors) -> Self {
        Self { monitors, ..self }
    }

    /// Sets whether invalid end states are violations.
    pub fn end_states(self, end_states: bool) -> Self {
        Self { end_states, ..self }
    }

    /// Reports violations of these properties only; the claims among them are the monitors'.
    pub fn asked(self, properties: &[Property]) -> Self {
        let end_states = properties.contains(&Property::EndStates);
        Self { end_states, in_steps: Some(properties.to_vec()), ..self }
    }

    /// Sets whether only claims are checked.
    pub fn claims_only(self, claims_only: bool) -> Self {
        Self { claims_only, ..self }
    }

    /// Sets whether every path through an `atomic` counts.
    pub fn all_paths(self, all_paths: bool) -> Self {
        Self { all_paths, ..self }
    }

    /// Sets the partial order reduction.
    pub fn ample(self, ample: Option<Ample>) -> Self {
        Self { ample, ..self }
    }

    /// Sets the symmetry.
    pub fn symmetry(self, symmetry: Option<Arc<KnownSymmetry>>) -> Self {
        Self { symmetry, ..self }
    }

    /// Sets the order of the search.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets whether steps are compiled.
    pub fn compiled(self, compiled: bool) -> Self {
        Self { compiled, ..self }
    }

    /// Sets which store a breadth-first search uses.
    pub fn store(self, store: StorePolicy) -> Self {
        Self { store, ..self }
    }

    /// Sets the threads of a breadth-first search.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Sets when to stop.
    pub fn limits(self, limits: Limits<'a>) -> Self {
        Self { limits, ..self }
    }
}
