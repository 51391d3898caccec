//! Craig interpolants, from derivations.
//!
//! Two sets of formulas that contradict each other have a formula between them: the left implies it, the
//! right contradicts it, and it has only variables of both. Each clause of a derivation gets a partial
//! interpolant (McMillan, *An interpolating theorem prover*, 2005): of a linear clause it is the combination of
//! its left inequalities alone, of propagation a conjunction or disjunction for every literal that is
//! resolved. A literal with variables of the left *and* variables of the right that the other does not
//! have, such as a split of an integer sum, belongs to neither: then there is no interpolant here.

use resy_symbolic::derivation::{
    Axiom, Derivation, DerivationStep, axiom_clause, negated_inequality,
};
use resy_symbolic::{LinearSum, Rational, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A formula that the left hypotheses imply, that the right ones contradict, and all of whose variables both have.
/// The derivation must be one of a contradiction of all of them. `None` if a clause of it belongs to neither side.
pub fn interpolant(
    terms: &mut Terms,
    derivation: &Derivation,
    left: &[TermId],
    right: &[TermId],
) -> Option<TermId> {
    let mut sides = Sides::new(terms, left, right);
    let mut clauses: Vec<Partial> = Vec::new();
    for step in &derivation.steps {
        let partial = match step {
            DerivationStep::Hypothesis(term) => {
                let is_left = left.contains(term);
                Partial::of_side(terms, &mut sides, vec![*term], is_left)?
            }
            DerivationStep::Axiom(axiom) => of_axiom(terms, &mut sides, axiom)?,
            DerivationStep::Linear(clause, multipliers) => {
                of_linear(terms, &mut sides, clause, multipliers)?
            }
            DerivationStep::Propagation(clause, premises) => {
                let premises: Option<Vec<&Partial>> =
                    premises.iter().map(|&premise| clauses.get(premise)).collect();
                of_propagation(terms, &mut sides, clause, &premises?)?
            }
        };
        clauses.push(partial);
    }
    clauses.last().map(|last| last.between)
}

/// Whose variables a term has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Side {
    /// Only those of the left, and at least one that the right does not have.
    Left,
    /// Only those of the right, and at least one that the left does not have.
    Right,
    /// Only common ones.
    Both,
}

struct Sides {
    left: FxHashSet<SymbolId>,
    right: FxHashSet<SymbolId>,
    known: FxHashMap<TermId, Option<Side>>,
}

impl Sides {
    fn new(terms: &Terms, left: &[TermId], right: &[TermId]) -> Self {
        let symbols = |roots| terms.symbols_in(roots).into_iter().collect();
        Self { left: symbols(left), right: symbols(right), known: FxHashMap::default() }
    }

    fn of(&mut self, terms: &Terms, term: TermId) -> Option<Side> {
        let (atom, _) = terms.literal(term);
        let (left, right) = (&self.left, &self.right);
        *self.known.entry(atom).or_insert_with(|| {
            let symbols = terms.symbols_in(&[atom]);
            let is_left = symbols.iter().all(|symbol| left.contains(symbol));
            let is_right = symbols.iter().all(|symbol| right.contains(symbol));
            match (is_left, is_right) {
                (true, true) => Some(Side::Both),
                (true, false) => Some(Side::Left),
                (false, true) => Some(Side::Right),
                (false, false) => None,
            }
        })
    }
}

/// A clause with its partial interpolant: the left implies it if the clause's left literals are false, and the
/// right contradicts it if the others are.
#[derive(Debug)]
struct Partial {
    clause: Vec<TermId>,
    between: TermId,
}

impl Partial {
    /// A clause that one side alone implies.
    fn of_side(
        terms: &mut Terms,
        sides: &mut Sides,
        clause: Vec<TermId>,
        is_left: bool,
    ) -> Option<Self> {
        if !is_left {
            let between = terms.truth(true);
            return Some(Self { clause, between });
        }
        let mut common = Vec::new();
        for &literal in &clause {
            if sides.of(terms, literal)? == Side::Both {
                common.push(literal);
            }
        }
        let between = terms.or(&common);
        Some(Self { clause, between })
    }
}

fn of_axiom(terms: &mut Terms, sides: &mut Sides, axiom: &Axiom) -> Option<Partial> {
    let clause = axiom_clause(terms, axiom)?;
    let found: Option<Vec<Side>> = clause.iter().map(|&literal| sides.of(terms, literal)).collect();
    let found = found?;
    match (found.contains(&Side::Left), found.contains(&Side::Right)) {
        (true, true) => None,
        (is_left, _) => Partial::of_side(terms, sides, clause, is_left),
    }
}

/// The left summands of Farkas' combination: the variables that only the left has cancel out among them.
fn of_linear(
    terms: &mut Terms,
    sides: &mut Sides,
    clause: &[TermId],
    multipliers: &[Rational],
) -> Option<Partial> {
    let mut total = LinearSum::default();
    let mut is_strict = false;
    for (&literal, &multiplier) in clause.iter().zip(multipliers) {
        if sides.of(terms, literal)? == Side::Left {
            let (sum, strict) = negated_inequality(terms, literal)?;
            total = total.plus(multiplier, &sum)?;
            is_strict |= strict;
        }
    }
    let (sum, zero) = (terms.of_sum(total), terms.number(0));
    let between = if is_strict { terms.less(sum, zero) } else { terms.at_most(sum, zero) };
    Some(Partial { clause: clause.to_vec(), between })
}

/// Propagation as a chain of resolutions, from the violated clause back to what the clause rests on.
fn of_propagation(
    terms: &mut Terms,
    sides: &mut Sides,
    clause: &[TermId],
    premises: &[&Partial],
) -> Option<Partial> {
    let mut false_terms: FxHashSet<TermId> = clause.iter().copied().collect();
    false_terms.insert(terms.truth(false));
    let mut implied: Vec<(TermId, &Partial)> = Vec::new();
    let mut violated = None;
    for &premise in premises {
        let open = premise.clause.iter().find(|&term| !false_terms.contains(term));
        let Some(&open) = open else {
            violated = Some(premise);
            break;
        };
        false_terms.insert(terms.not(open));
        implied.push((open, premise));
    }
    let violated = violated?;
    let mut literals: FxHashSet<TermId> = violated.clause.iter().copied().collect();
    let mut between = violated.between;
    for (pivot, reason) in implied.into_iter().rev() {
        let opposite = terms.not(pivot);
        if !literals.remove(&opposite) {
            continue;
        }
        literals.extend(reason.clause.iter().copied().filter(|&literal| literal != pivot));
        between = match sides.of(terms, pivot)? {
            Side::Left => terms.or(&[between, reason.between]),
            Side::Right | Side::Both => terms.and(&[between, reason.between]),
        };
    }
    Some(Partial { clause: clause.to_vec(), between })
}
