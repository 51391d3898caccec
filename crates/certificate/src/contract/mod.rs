//! Contracts: a requirement for each component of a program, proved together.
//!
//! A certificate shows that a program is safe; a contract shows it of all programs whose components keep to
//! their requirements. The requirements alone satisfy the property ([`proved`]): their product cannot err, whatever
//! is behind them. So components may change, one or several, as long as each, looked at
//! [alone](judge()), meets its own. Requirements that were found one by one, each against the others as they are, would not do.
//! The [text](mod@text) is for people, who read and compare it, and is specified in `docs/contracts.md`.

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

/// What the components of a program have to keep to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The property that is satisfied.
    pub property: String,
    /// How the network is made of the program: words and what they are set to.
    pub settings: Vec<(String, String)>,
    /// The actions.
    pub actions: Vec<String>,
    /// For each action what identifies it, also in a changed program.
    pub signatures: Vec<String>,
    /// What each component has to keep to.
    pub clauses: Vec<Clause>,
    /// The property as a monitor.
    pub monitor: Monitor,
    /// Why it is satisfied: together these are about every action by which the monitor can err.
    pub premises: Vec<Premise>,
}

/// What one component has to keep to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The name of the component.
    pub name: String,
    /// For a process: the [`seal`](seal()) of its code and the requirement, which was met when it was set.
    pub seal: Option<u64>,
    /// The requirement; its first state is the initial one.
    pub requirement: Lts,
    /// For each state of the requirement what it stands for, for people; or none at all.
    pub hints: Vec<String>,
}

/// Which requirements show that the first error is not by one of some actions. All other
/// components may do anything at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The actions.
    pub about: About,
    /// The requirements, and how they are put together: on a stack, from left to right.
    pub parts: Vec<PremisePart>,
}

/// A part of a premise.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PremisePart {
    /// The requirement of the clause at this position.
    Clause(usize),
    /// The last two become one: what they do together, as the others see it.
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
    /// With the requirements of some clauses, which are not joined.
    pub fn of(about: About, clauses: impl IntoIterator<Item = usize>) -> Self {
        Self { about, parts: clauses.into_iter().map(PremisePart::Clause).collect() }
    }

    /// The positions of the clauses.
    pub fn clauses(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter_map(|part| part.clause())
    }
}

impl Clause {
    /// The clause of a component, without a seal. What `actions` are called decides how the states are
    /// numbered, so that two texts differ where the requirements do.
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
            // To stay by an internal step is always possible.
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
