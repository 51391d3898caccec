//! Contracts: a requirement for each component of a program, proved together.
//!
//! A certificate shows that a program is safe; a contract shows it for all programs whose
//! components meet their requirements. The requirements alone satisfy the property ([`proved`]):
//! their product cannot err, whatever components are behind them. So components may change, one or
//! several, as long as each, [judged](judge()) alone, meets its own. Requirements that were found
//! one by one, each against the other components as they are, would not suffice. The
//! [text](mod@text) is meant to be read and compared by people, and is specified in
//! `docs/contracts.md`.

mod fold;
mod joint;
mod judge;
pub mod model;
pub mod network;
mod seal;
pub mod text;

pub use fold::folded;
pub use joint::{NotProved, Proved, proved};
pub use judge::{ClauseFinding, ContractRefusal, JudgedContract, judge};
pub use seal::{fingerprint, seal};

use crate::proof::About;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_index::Id;
use std::collections::VecDeque;

/// The requirements for the components of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The property that is satisfied.
    pub property: String,
    /// The settings with which the network is derived from the program: keys and values.
    pub settings: Vec<(String, String)>,
    /// The actions.
    pub actions: Vec<String>,
    /// For each action, its signature, which also identifies it in a changed program.
    pub signatures: Vec<String>,
    /// The requirement of each component.
    pub clauses: Vec<Clause>,
    /// The property as a monitor.
    pub monitor: Monitor,
    /// Why the property holds: together the premises cover every action by which the monitor can
    /// err.
    pub premises: Vec<Premise>,
}

/// The requirement of one component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The name of the component.
    pub name: String,
    /// For a process: the [`seal`](seal()) of its code and the requirement. It is not evidence.
    pub seal: Option<u64>,
    /// The requirement; its first state is the initial one.
    pub requirement: Lts,
    /// For each state of the requirement a comment for readers; or none at all.
    pub hints: Vec<String>,
}

/// The requirements that exclude a first error by some actions. All other components may do
/// anything at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The actions.
    pub about: About,
    /// The requirements and how they are joined, in postfix notation.
    pub parts: Vec<PremisePart>,
}

/// A part of a premise.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PremisePart {
    /// The requirement of the clause at this position.
    Clause(usize),
    /// The last two are joined: their product, as the others observe it.
    Joined,
}

impl PremisePart {
    /// The position of the clause.
    pub fn clause(self) -> Option<usize> {
        match self {
            Self::Clause(position) => Some(position),
            Self::Joined => None,
        }
    }
}

impl Premise {
    /// A premise with the requirements of some clauses, not joined.
    pub fn of(about: About, clauses: impl IntoIterator<Item = usize>) -> Self {
        Self { about, parts: clauses.into_iter().map(PremisePart::Clause).collect() }
    }

    /// The positions of the clauses.
    pub fn clauses(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter_map(|part| part.clause())
    }
}

impl Clause {
    /// The clause of a component, without a seal. States are numbered by the names of the actions,
    /// so that two texts differ exactly where the requirements do.
    pub fn new(name: &str, requirement: &Lts, hints: &[String], actions: &[String]) -> Self {
        let called = |label: Label| label.action().map(|action| &*actions[action.index()]);
        let mut number: Vec<Option<usize>> = vec![None; requirement.n_states()];
        let mut order: Vec<StateId> = Vec::new();
        let mut todo = VecDeque::from([requirement.initial()]);
        while let Some(state) = todo.pop_front() {
            if number[state.index()].is_some() {
                continue;
            }
            number[state.index()] = Some(order.len());
            order.push(state);
            let mut moves = requirement.transitions_from(state).to_vec();
            moves.sort_by_key(|&(label, _)| called(label));
            todo.extend(moves.into_iter().map(|(_, to)| to));
        }
        let mut builder = LtsBuilder::with_states(order.len());
        for (source, label, target) in requirement.transitions() {
            // An internal self-loop is always possible.
            let says_nothing = label == Label::Tau && source == target;
            if let (Some(source), Some(target)) = (number[source.index()], number[target.index()])
                && !says_nothing
            {
                builder.add_transition(Id::from_index(source), label, Id::from_index(target));
            }
        }
        let requirement = builder.finish(Id::from_index(0), requirement.alphabet().clone());
        let hint = |state: &StateId| hints.get(state.index()).cloned();
        let hints = order.iter().filter_map(hint).collect();
        Self { name: name.to_owned(), seal: None, requirement, hints }
    }
}
