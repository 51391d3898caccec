//! Formulas that wait in the same way are searched for cycles together.
//!
//! The automaton of the negation of `[] (p -> <> q)` waits for a `p` after which there is no `q`: until then it is in one
//! state that no run needs to leave, and the product is the system itself. What several formulas have in common is
//! joined: one automaton waits for all of them, so that the system is visited once, and only what follows is visited for
//! each. It accepts what one of theirs accepts: if nothing violates it, nothing violates any formula, and a run that does
//! is tried with each.

use resy_automata::ltl::{BuchiAutomaton, BuchiEdge, BuchiStateId, LiteralSet};
use resy_index::{Id, IndexVec};
use resy_system::{
    Claim, ClaimEdge, ClaimKind, GivenAutomaton, LivenessClaim, LivenessKind, SourcePlace,
};

/// The most propositions that the edges of a state depend on: their valuations are listed.
const MOST_PROPOSITIONS: u32 = 6;

/// Whether the automaton of a claim waits in its only initial state, without marks.
pub(super) fn waits(claim: &LivenessClaim) -> bool {
    let Some([start]) = claim.initial().as_deref().map(<[u32; 1]>::try_from).and_then(Result::ok)
    else {
        return false;
    };
    let is_formula = matches!(claim.kind(), LivenessKind::Formula | LivenessKind::Automaton);
    let fits = |state| claim.looks_at(state).count_ones() <= MOST_PROPOSITIONS;
    let stays = |edges: &[ClaimEdge]| edges.iter().any(|edge| edge.target == start);
    // Otherwise a cycle of the joint automaton could have marks of several claims.
    let comes_back = |state: u32| labelled(claim, state).iter().any(|(e, _)| e.target == start);
    is_formula
        && (0..claim.n_states() as u32).all(fits)
        && claim.accepting_components()[start as usize].is_none()
        && valuations(claim.looks_at(start)).all(|valuation| stays(&edges(claim, start, valuation)))
        && !(0..claim.n_states() as u32).any(|state| state != start && comes_back(state))
}

/// The claim that a run violates if it violates one of some claims, all of which [wait](waits); `None` if they have too
/// many propositions.
pub(super) fn join(claims: &[&LivenessClaim]) -> Option<LivenessClaim> {
    let mut joint = Joint::default();
    joint.edges.push(vec![BuchiEdge { label: LiteralSet::ANY, target: waiting(), marks: 0 }]);
    let marks = claims.iter().fold(0, |all, claim| all | claim.marks());
    for claim in claims {
        joint.add(claim, marks & !claim.marks())?;
    }
    let automaton = BuchiAutomaton { initial: vec![waiting()], edges: joint.edges, marks };
    let given = GivenAutomaton {
        automaton,
        propositions: joint.propositions,
        counts_steps: claims.iter().any(|claim| claim.counts_steps()),
    };
    let names: Vec<&str> = claims.iter().map(|claim| claim.name.as_str()).collect();
    let kind = ClaimKind::Automaton(Box::new(given));
    let claim = Claim { name: names.join(" "), kind, source: SourcePlace::default() };
    LivenessClaim::of(&claim).ok()
}

/// The state in which the joint automaton waits.
fn waiting() -> BuchiStateId {
    BuchiStateId::from_index(0)
}

/// An automaton that is being joined.
#[derive(Default)]
struct Joint {
    edges: IndexVec<BuchiStateId, Vec<BuchiEdge>>,
    propositions: Vec<resy_system::Expr>,
}

impl Joint {
    /// Adds a claim, all of whose edges but those of the start get some more marks.
    fn add(&mut self, claim: &LivenessClaim, more: u64) -> Option<()> {
        let start = claim.initial()?.first().copied()?;
        let first = self.propositions.len() as u32;
        self.propositions.extend_from_slice(&claim.propositions);
        if self.propositions.len() > u64::BITS as usize {
            return None;
        }
        // The states but the start get the next numbers.
        let n = self.edges.len() as u32;
        let number = |state: u32| match state {
            _ if state == start => waiting(),
            _ => BuchiStateId::from_index((n + state - u32::from(state > start)) as usize),
        };
        for state in 0..claim.n_states() as u32 {
            let mut out = Vec::new();
            for (edge, label) in labelled(claim, state) {
                if state == start && edge.target == start {
                    continue;
                }
                let label = LiteralSet { yes: label.yes << first, no: label.no << first };
                out.push(BuchiEdge {
                    label,
                    target: number(edge.target),
                    marks: edge.marks | more,
                });
            }
            match state == start {
                true => self.edges[waiting()].extend(out),
                false => _ = self.edges.push(out),
            }
        }
        Some(())
    }
}

/// The valuations of some propositions.
fn valuations(of: u64) -> impl Iterator<Item = u64> {
    // The subsets of the bits, from none to all.
    std::iter::successors(Some(0_u64), move |&valuation| {
        let next = (valuation | !of).wrapping_add(1) & of;
        (next != 0).then_some(next)
    })
}

fn edges(claim: &LivenessClaim, state: u32, valuation: u64) -> Vec<ClaimEdge> {
    let mut edges = Vec::new();
    claim.step(state, valuation, &mut edges);
    edges
}

/// The different edges out of a state, each with labels that exclude each other.
fn labelled(claim: &LivenessClaim, state: u32) -> Vec<(ClaimEdge, LiteralSet)> {
    let of = claim.looks_at(state);
    let by_valuation: Vec<(u64, Vec<ClaimEdge>)> =
        valuations(of).map(|valuation| (valuation, edges(claim, state, valuation))).collect();
    let mut kinds: Vec<ClaimEdge> = Vec::new();
    for edge in by_valuation.iter().flat_map(|(_, edges)| edges) {
        if !kinds.contains(edge) {
            kinds.push(*edge);
        }
    }
    let mut found = Vec::new();
    for kind in kinds {
        let reads = |valuation: u64| {
            by_valuation.iter().any(|(v, edges)| *v == valuation && edges.contains(&kind))
        };
        split(of, LiteralSet::ANY, &reads, &mut |label| found.push((kind, label)));
    }
    found
}

/// Labels that exclude each other, and that together allow the valuations of some propositions that are read. They
/// extend a label.
fn split(of: u64, label: LiteralSet, reads: &dyn Fn(u64) -> bool, out: &mut dyn FnMut(LiteralSet)) {
    let all = valuations(of).map(|valuation| reads(valuation | label.yes));
    let (mut some_are, mut some_are_not) = (false, false);
    all.for_each(|is_read| if is_read { some_are = true } else { some_are_not = true });
    match (some_are, some_are_not) {
        (false, _) => {}
        (true, false) => out(label),
        (true, true) => {
            let bit = of & of.wrapping_neg();
            split(of & !bit, LiteralSet { no: label.no | bit, ..label }, reads, out);
            split(of & !bit, LiteralSet { yes: label.yes | bit, ..label }, reads, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valuations_are_all_subsets() {
        assert_eq!(valuations(0).collect::<Vec<_>>(), [0]);
        assert_eq!(valuations(0b1010).collect::<Vec<_>>(), [0, 0b10, 0b1000, 0b1010]);
    }

    #[test]
    fn labels_exclude_each_other_and_allow_what_is_read() {
        for set in 0_u64..256 {
            let of = 0b1101;
            let place = |valuation: u64| valuation & 1 | valuation >> 1 & 6;
            let reads = |valuation: u64| set >> place(valuation) & 1 == 1;
            let mut labels = Vec::new();
            split(of, LiteralSet::ANY, &reads, &mut |label| labels.push(label));
            for valuation in valuations(of) {
                let n = labels.iter().filter(|label| label.allows(valuation)).count();
                assert_eq!(n, usize::from(reads(valuation)), "{set} {valuation}");
            }
        }
    }
}
