//! Damaged derivations: steps changed, exchanged, left out.

use resy_index::random::SplitMix;
use resy_symbolic::derivation::{Axiom, Derivation, DerivationStep};
use resy_symbolic::{Rational, Terms};

/// A derivation with one or two changes at random, of which some make no difference.
pub fn damaged(random: &mut SplitMix, terms: &mut Terms, derivation: &Derivation) -> Derivation {
    let mut damaged = derivation.clone();
    for _ in 0..=random.below(2) {
        damaged = with_one_change(random, terms, &damaged);
    }
    damaged
}

/// Changes one step at random.
fn with_one_change(
    random: &mut SplitMix,
    terms: &mut Terms,
    derivation: &Derivation,
) -> Derivation {
    let mut damaged = derivation.clone();
    let n_steps = damaged.steps.len();
    let number = random.below(n_steps);
    let other = damaged.steps[random.below(n_steps)].clone();
    match &mut damaged.steps[number] {
        DerivationStep::Hypothesis(term) => *term = terms.not(*term),
        DerivationStep::Axiom(axiom) => {
            if let (DerivationStep::Axiom(other), true) = (other, random.below(2) == 0) {
                *axiom = other;
            } else {
                *axiom = other_axiom(axiom);
            }
        }
        DerivationStep::Linear(clause, multipliers) => match random.below(3) {
            0 => multipliers[0] = multipliers[0].plus(Rational::ONE).unwrap(),
            1 => multipliers[0] = multipliers[0].negate().unwrap(),
            _ => clause[0] = terms.not(clause[0]),
        },
        DerivationStep::Propagation(clause, premises) => match random.below(4) {
            0 => {
                clause.pop();
            }
            1 => {
                premises.pop();
            }
            2 => premises.insert(0, number),
            _ => premises.reverse(),
        },
    }
    if random.below(4) == 0 {
        damaged.steps.remove(random.below(n_steps));
    }
    damaged
}

fn other_axiom(axiom: &Axiom) -> Axiom {
    match *axiom {
        Axiom::Part(id, part) => Axiom::Part(id, part + 1),
        Axiom::Conjunction(id) => Axiom::Part(id, 0),
        Axiom::Branch(id, holds, value) => Axiom::Branch(id, !holds, value),
        Axiom::Selected(id, holds) => Axiom::Selected(id, !holds),
        Axiom::Equality(id, which) => Axiom::Equality(id, (which + 1) % 3),
        Axiom::ReadWritten(id) => Axiom::ReadOther(id),
        Axiom::ReadOther(id) => Axiom::ReadWritten(id),
        Axiom::ReadSelected(id, holds) => Axiom::ReadSelected(id, !holds),
        Axiom::Congruence(left, _) => Axiom::Congruence(left, left),
        Axiom::SameElements(same, _) => Axiom::Differ(same),
        Axiom::Differ(same) => Axiom::SameElements(same, same),
        Axiom::Division(id, which) => Axiom::Division(id, (which + 1) % 4),
    }
}
