//! Properties of infinite runs: each is an automaton that accepts the runs that violate it.
//!
//! The automaton reads the states of a run, beginning with the initial one, and takes one edge for each state. Edges
//! have *marks*; a run is accepted if it meets every mark infinitely often (generalised Büchi acceptance, not
//! degeneralised; Couvreur 1999). It is not deterministic, so that the sets of [`ClaimMonitor`](crate::ClaimMonitor)
//! do not do: a search takes the product with it. There are four kinds:
//!
//! - An *`ltl` formula*: the automaton of its negation.
//! - A *`never` claim*: its locations are the states; the edges out of an accepting location have the mark. Reaching its
//!   end is a violation too, which a finite run shows.
//! - *Acceptance*: every step out of a state in which some process is at an accept label has the mark. There is no claim.
//! - *Progress*: a cycle is accepted if no process is at a progress label in any of its states.

mod given;
mod lasso;
mod read;
mod tracked;

use crate::monitor::{Never, RefusalReason};
use crate::{Claim, ClaimKind, Expr, Process, Refusal, State, System};
use resy_automata::ltl::{BuchiAutomaton, BuchiEdge, BuchiStateId, LiteralSet, TemporalFormula};
use resy_index::Id;

/// A property of infinite runs.
#[derive(Clone, Debug)]
pub struct LivenessClaim {
    /// Its name.
    pub name: String,
    /// The conditions of its automaton; bit `i` of a valuation says whether condition `i` holds.
    pub propositions: Vec<Expr>,
    automaton: Automaton,
    counts_steps: bool,
}

#[derive(Clone, Debug)]
enum Automaton {
    /// Of the negation of a formula, which is kept for the check of a run.
    Formula(TemporalFormula, BuchiAutomaton),
    /// Given as an automaton.
    Buchi(BuchiAutomaton),
    /// Of a never claim, with its accepting locations as a set.
    Never(Never, u64),
    Acceptance,
    Progress,
}

/// What kind of property of infinite runs it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LivenessKind {
    /// An `ltl` formula.
    Formula,
    /// The automaton of a negated property.
    Automaton,
    /// A `never` claim.
    Never,
    /// The accept labels of processes.
    Acceptance,
    /// The progress labels of processes.
    Progress,
}

/// An edge of the automaton.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ClaimEdge {
    /// Where it leads.
    pub target: u32,
    /// Bit `i`: it has mark `i`.
    pub marks: u64,
}

impl LivenessClaim {
    /// The automaton of a claim, or why there is none.
    pub fn of(claim: &Claim) -> Result<Self, Refusal> {
        read::claim(claim)
    }

    /// The property that no run comes by accept labels of processes infinitely often.
    pub fn acceptance() -> Self {
        Self::of_labels("acceptance", Automaton::Acceptance)
    }

    /// The property that every infinite run comes by progress labels of processes infinitely often.
    pub fn progress() -> Self {
        Self::of_labels("progress", Automaton::Progress)
    }

    fn of_labels(name: &str, automaton: Automaton) -> Self {
        let (name, propositions) = (name.to_owned(), Vec::new());
        Self { name, propositions, automaton, counts_steps: false }
    }

    /// Its kind.
    pub fn kind(&self) -> LivenessKind {
        match self.automaton {
            Automaton::Formula(..) => LivenessKind::Formula,
            Automaton::Buchi(_) => LivenessKind::Automaton,
            Automaton::Never(..) => LivenessKind::Never,
            Automaton::Acceptance => LivenessKind::Acceptance,
            Automaton::Progress => LivenessKind::Progress,
        }
    }

    /// Whether repeating a state can change the verdict.
    pub fn counts_steps(&self) -> bool {
        self.counts_steps
    }

    /// The marks that an accepted run meets infinitely often.
    pub fn marks(&self) -> u64 {
        match &self.automaton {
            Automaton::Formula(_, automaton) | Automaton::Buchi(automaton) => automaton.marks,
            Automaton::Never(..) | Automaton::Acceptance => 1,
            Automaton::Progress => 0,
        }
    }

    /// The number of states of the automaton.
    pub fn n_states(&self) -> usize {
        match &self.automaton {
            Automaton::Formula(_, automaton) | Automaton::Buchi(automaton) => automaton.edges.len(),
            Automaton::Never(never, _) => never.locations.len(),
            Automaton::Acceptance | Automaton::Progress => 1,
        }
    }

    /// For each state the number of a set of states, if an accepted run can stay in that set for ever. A cycle of an
    /// accepted run has states of one set only.
    pub fn accepting_components(&self) -> Vec<Option<usize>> {
        match &self.automaton {
            Automaton::Formula(_, automaton) | Automaton::Buchi(automaton) => {
                automaton.accepting_components().iter().copied().collect()
            }
            Automaton::Never(never, accepting) => {
                // Locations inside an `atomic` count too: there may be more cycles, but none is missed.
                let edges = never.locations.iter().enumerate().map(|(number, location)| {
                    let targets =
                        (0..never.locations.len()).filter(|t| location.successors >> t & 1 == 1);
                    let edge = |target| BuchiEdge {
                        label: LiteralSet::default(),
                        target: BuchiStateId::from_index(target),
                        marks: accepting >> number & 1,
                    };
                    targets.map(edge).collect()
                });
                let graph =
                    BuchiAutomaton { initial: Vec::new(), edges: edges.collect(), marks: 1 };
                graph.accepting_components().iter().copied().collect()
            }
            Automaton::Acceptance | Automaton::Progress => vec![Some(0)],
        }
    }

    /// Whether its automaton has only one state and reads nothing.
    pub fn is_of_labels(&self) -> bool {
        matches!(self.automaton, Automaton::Acceptance | Automaton::Progress)
    }

    /// The states before the first state of a run; `None` if every run violates the property.
    pub fn initial(&self) -> Option<Vec<u32>> {
        match &self.automaton {
            Automaton::Formula(_, automaton) | Automaton::Buchi(automaton) => {
                Some(automaton.initial.iter().map(|q| q.index() as u32).collect())
            }
            Automaton::Never(never, _) => {
                let set = never.initial();
                (!never.is_bad(set)).then(|| vec![set.trailing_zeros()])
            }
            Automaton::Acceptance | Automaton::Progress => Some(vec![0]),
        }
    }

    /// The propositions that the edges out of a state depend on.
    pub fn looks_at(&self, state: u32) -> u64 {
        match &self.automaton {
            Automaton::Formula(_, automaton) | Automaton::Buchi(automaton) => {
                let edges = automaton.edges[BuchiStateId::from_index(state as usize)].iter();
                edges.fold(0, |all, edge| all | edge.label.yes | edge.label.no)
            }
            Automaton::Never(never, _) => never.looks_at(1 << state),
            Automaton::Acceptance | Automaton::Progress => 0,
        }
    }

    /// The edges out of a state that read a valuation, into `out`; returns whether the property is violated
    /// whatever follows. Without edges the run is no violation.
    pub fn step(&self, state: u32, valuation: u64, out: &mut Vec<ClaimEdge>) -> bool {
        out.clear();
        match &self.automaton {
            Automaton::Formula(_, automaton) | Automaton::Buchi(automaton) => {
                let edges = automaton.edges[BuchiStateId::from_index(state as usize)].iter();
                let edges = edges.filter(|edge| edge.label.allows(valuation));
                out.extend(edges.map(|edge| ClaimEdge {
                    target: edge.target.index() as u32,
                    marks: edge.marks,
                }));
            }
            Automaton::Never(never, accepting) => {
                let (set, marks) = (never.step(1 << state, valuation), accepting >> state & 1);
                let targets = (0..never.locations.len() as u32).filter(|t| set >> t & 1 == 1);
                out.extend(targets.map(|target| ClaimEdge { target, marks }));
                return never.is_bad(set);
            }
            Automaton::Acceptance | Automaton::Progress => {
                out.push(ClaimEdge { target: 0, marks: 0 });
            }
        }
        false
    }

    /// Whether every step out of a state has the mark, because a process is at an accept label there.
    pub fn is_accepting(&self, system: &System, state: &State) -> bool {
        let at_label = |p: &Process| system.proctypes[p.proctype].accept_locations[p.location];
        self.kind() == LivenessKind::Acceptance && state.processes().iter().any(at_label)
    }

    /// Whether no accepted cycle has this state, because a process is at a progress label there.
    pub fn is_barrier(&self, system: &System, state: &State) -> bool {
        let at_label = |p: &Process| system.proctypes[p.proctype].progress_locations[p.location];
        self.kind() == LivenessKind::Progress && state.processes().iter().any(at_label)
    }

    /// Describes the runs that violate it.
    pub fn describe(&self, system: &System) -> String {
        match self.kind() {
            LivenessKind::Formula => {
                let claim = system.claims.iter().find(|claim| claim.name == self.name);
                match claim.map(|claim| &claim.kind) {
                    Some(ClaimKind::Ltl(formula)) => format!("the run violates {}", formula.text),
                    _ => "the run violates the formula".to_owned(),
                }
            }
            LivenessKind::Automaton => "the automaton accepts the run".to_owned(),
            LivenessKind::Never => "the run does what the claim forbids".to_owned(),
            LivenessKind::Acceptance => {
                "the run comes by accept labels infinitely often".to_owned()
            }
            LivenessKind::Progress => "the run comes by progress labels finitely often".to_owned(),
        }
    }
}

impl LivenessKind {
    /// The kind of the property, as in the JSON output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Formula | Self::Automaton => "ltl",
            Self::Never => "never",
            Self::Acceptance => "acceptance",
            Self::Progress => "progress",
        }
    }
}

/// Why a claim has no automaton, as a refusal by its name.
fn refused(claim: &str, is_formula: bool, why: RefusalReason) -> Refusal {
    Refusal { claim: claim.to_owned(), is_formula, why }
}
