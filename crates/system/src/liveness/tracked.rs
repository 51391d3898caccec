//! Properties of infinite runs that components can prove, by counting.
//!
//! Components do not show where a run ends. A run that ends repeats its last state for ever, so that a formula can be
//! proved only if its negation accepts no word that ends in one repeated letter. `progress` is about real steps only.

use super::{Automaton, LivenessClaim, LivenessKind};
use crate::monitor::{check_condition, subsets};
use crate::{ClaimMonitor, Expr};
use resy_automata::ltl::{BuchiAutomaton, TemporalFormula, translate};

/// With more propositions a formula is assumed to be violated by some run that ends.
const MAX_PROPOSITIONS: u32 = 10;

impl LivenessClaim {
    /// The monitor that follows a run for a proof by counting, or why there is none.
    pub fn tracker(&self) -> Result<ClaimMonitor, &'static str> {
        let (propositions, automaton) = match &self.automaton {
            Automaton::Formula(_, automaton) => (self.propositions.clone(), automaton.clone()),
            Automaton::Progress => (vec![Expr::NonProgress], without_progress()),
            Automaton::Buchi(_) | Automaton::Never(..) | Automaton::Acceptance => {
                return Err("components prove formulas and `progress` only, of what is about \
                            infinite runs");
            }
        };
        if self.kind() == LivenessKind::Formula {
            if propositions.iter().any(|condition| check_condition(condition).is_err()) {
                return Err("one of its conditions is a matter of all components at once");
            }
            if accepts_a_repeated_letter(&automaton) {
                return Err("a run that ends may violate it, and where a run ends is a matter of \
                            all components at once");
            }
        }
        if automaton.edges.len() > u64::BITS as usize {
            return Err("its automaton has more than 64 states");
        }
        Ok(ClaimMonitor::tracker(&self.name, propositions, automaton, self.counts_steps))
    }
}

/// The words in which proposition 0 holds from some moment on.
fn without_progress() -> BuchiAutomaton {
    let always = TemporalFormula::Always(Box::new(TemporalFormula::Prop(0)));
    let negation = TemporalFormula::Eventually(Box::new(always));
    translate(&negation).map(|automaton| automaton.live_part()).unwrap_or_default()
}

/// Whether some word whose letters are the same from some moment on is accepted.
fn accepts_a_repeated_letter(automaton: &BuchiAutomaton) -> bool {
    let edges = automaton.edges.iter().flatten();
    let seen = edges.fold(0, |all, edge| all | edge.label.yes | edge.label.no);
    let initial: Vec<_> = automaton.edges.ids().collect();
    let accepts = |letter: u64| {
        let edges = automaton.edges.iter();
        let edges = edges.map(|out| out.iter().copied().filter(|e| e.label.allows(letter)));
        let edges = edges.map(Iterator::collect).collect();
        !BuchiAutomaton { initial: initial.clone(), edges, marks: automaton.marks }.is_empty()
    };
    seen.count_ones() > MAX_PROPOSITIONS || subsets(seen).any(accepts)
}
