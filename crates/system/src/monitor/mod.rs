//! Claims as monitors: deterministic automata that detect violations of a claim on a run.
//!
//! A monitor steps on every stored state, beginning with the initial one, by the values of
//! its conditions there. Its state is the *set* of locations that the claim can be in (the
//! subset construction), so that it is deterministic although claims are not. With at most
//! 64 locations the set is a `u64`.
//!
//! Formulas and claims whose violations are infinite runs are refused by name.

mod never;
mod read;
mod refusal;
mod test;
mod tracker;
mod universal;

pub(crate) use never::Never;
pub(crate) use refusal::check_condition;
pub use refusal::{Refusal, RefusalReason};
pub(crate) use universal::subsets;

use crate::{Claim, ClaimKind, Expr, Formula, LtlFormula};
use resy_automata::ltl::{BadPrefixes, BuchiAutomaton, SafetyClass, classify};

/// A claim that watches a run.
#[derive(Clone, Debug)]
pub struct ClaimMonitor {
    /// The name of the claim.
    pub name: String,
    /// Its conditions; bit `i` of a valuation says whether condition `i` holds.
    pub propositions: Vec<Expr>,
    automaton: Automaton,
    counts_steps: bool,
}

#[derive(Clone, Debug)]
enum Automaton {
    /// Of an `ltl` formula: the empty set is a violation.
    Formula(BadPrefixes),
    /// Of a `never` claim: a set with a certain location is a violation.
    Never(Never),
    /// Of a property of infinite runs: no set is a violation.
    Tracker(BuchiAutomaton),
}

impl ClaimMonitor {
    /// The monitor of a claim, or why there is none.
    pub fn of(claim: &Claim) -> Result<Self, Refusal> {
        let made = match &claim.kind {
            ClaimKind::Ltl(ltl) => of_formula(ltl),
            ClaimKind::Automaton(_) => Err(RefusalReason::Liveness),
            ClaimKind::Never(proctype) => Never::of(proctype)
                .map(|(never, propositions)| (Automaton::Never(never), propositions)),
        };
        let checked = made.and_then(|(automaton, propositions)| {
            propositions.iter().try_for_each(check_condition)?;
            let counts_steps = match &claim.kind {
                ClaimKind::Ltl(ltl) => ltl.formula.has_next(),
                ClaimKind::Never(_) | ClaimKind::Automaton(_) => true,
            };
            Ok(Self { name: claim.name.clone(), propositions, automaton, counts_steps })
        });
        checked.map_err(|why| Refusal {
            claim: claim.name.clone(),
            is_formula: !matches!(claim.kind, ClaimKind::Never(_)),
            why,
        })
    }

    /// The number of bits that its sets need.
    pub fn width(&self) -> u32 {
        match &self.automaton {
            Automaton::Formula(prefixes) => prefixes.n_states() as u32,
            Automaton::Never(never) => never.width(),
            Automaton::Tracker(automaton) => automaton.edges.len() as u32,
        }
    }

    /// Whether repeating a state can change the verdict: a never claim may count steps, and so
    /// does a formula with `X`.
    pub fn counts_steps(&self) -> bool {
        self.counts_steps
    }

    /// The set of locations before the first state.
    pub fn initial(&self) -> u64 {
        match &self.automaton {
            Automaton::Formula(prefixes) => prefixes.initial(),
            Automaton::Never(never) => never.initial(),
            Automaton::Tracker(automaton) => tracker::initial(automaton),
        }
    }

    /// The set after a state with this valuation.
    pub fn step(&self, set: u64, valuation: u64) -> u64 {
        match &self.automaton {
            Automaton::Formula(prefixes) => prefixes.step(set, valuation),
            Automaton::Never(never) => never.step(set, valuation),
            Automaton::Tracker(automaton) => tracker::step(automaton, set, valuation),
        }
    }

    /// Whether every continuation of the run violates the claim.
    pub fn is_bad(&self, set: u64) -> bool {
        match &self.automaton {
            Automaton::Formula(prefixes) => prefixes.is_bad(set),
            Automaton::Never(never) => never.is_bad(set),
            Automaton::Tracker(_) => false,
        }
    }

    /// Whether no continuation can change the verdict.
    pub fn is_over(&self, set: u64) -> bool {
        self.is_bad(set)
            || match &self.automaton {
                Automaton::Formula(prefixes) => prefixes.is_settled(set),
                Automaton::Never(never) => never.is_over(set),
                Automaton::Tracker(_) => false,
            }
    }

    /// Whether it can be decided without a violation.
    pub fn can_settle(&self) -> bool {
        match &self.automaton {
            Automaton::Formula(prefixes) => prefixes.can_settle(),
            Automaton::Never(_) => true,
            Automaton::Tracker(_) => false,
        }
    }

    /// The propositions that the next step depends on.
    pub fn looks_at(&self, set: u64) -> u64 {
        match &self.automaton {
            Automaton::Formula(prefixes) => prefixes.looks_at(set),
            Automaton::Never(never) => never.looks_at(set),
            Automaton::Tracker(_) => u64::MAX,
        }
    }

    /// The set after infinitely many repetitions of the last state: a run that ends stutters.
    ///
    /// With a constant valuation, a reachable location is reached within 64 steps, and a set
    /// that is not empty after 64 steps is never empty.
    pub fn stutter(&self, mut set: u64, valuation: u64) -> u64 {
        for _ in 0..u64::BITS {
            let next = self.step(set, valuation);
            if next == set || self.is_bad(set) {
                break;
            }
            set = next;
        }
        set
    }
}

fn of_formula(ltl: &LtlFormula) -> Result<(Automaton, Vec<Expr>), RefusalReason> {
    if ltl.propositions.len() > u64::BITS as usize {
        return Err(RefusalReason::Propositions);
    }
    ltl.propositions.iter().try_for_each(check_condition)?;
    match classify(&opaque(&ltl.formula)) {
        Ok(SafetyClass::Safety(prefixes)) => {
            Ok((Automaton::Formula(prefixes), ltl.propositions.clone()))
        }
        Ok(SafetyClass::Liveness) => Err(RefusalReason::Liveness),
        Err(too_large) => Err(RefusalReason::TooLarge(too_large)),
    }
}

/// The formula in the representation of `resy_automata`.
pub(crate) fn opaque(formula: &Formula) -> resy_automata::ltl::TemporalFormula {
    use resy_automata::ltl::TemporalFormula as Opaque;
    let of = |f: &Formula| Box::new(opaque(f));
    match formula {
        Formula::Bool(b) => Opaque::Bool(*b),
        Formula::Prop(p) => Opaque::Prop(*p),
        Formula::Not(a) => Opaque::Not(of(a)),
        Formula::And(a, b) => Opaque::And(of(a), of(b)),
        Formula::Or(a, b) => Opaque::Or(of(a), of(b)),
        Formula::Implies(a, b) => Opaque::Implies(of(a), of(b)),
        Formula::Equiv(a, b) => Opaque::Equiv(of(a), of(b)),
        Formula::Next(a) => Opaque::Next(of(a)),
        Formula::Always(a) => Opaque::Always(of(a)),
        Formula::Eventually(a) => Opaque::Eventually(of(a)),
        Formula::Until(a, b) => Opaque::Until(of(a), of(b)),
        Formula::WeakUntil(a, b) => Opaque::WeakUntil(of(a), of(b)),
        Formula::Release(a, b) => Opaque::Release(of(a), of(b)),
    }
}
