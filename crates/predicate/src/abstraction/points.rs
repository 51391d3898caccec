//! The paper's algorithm: approximation by test points, as a method of its own, for comparison.
//!
//! Colón and Uribe (CAV 1998) approximate an assertion by those of a fixed set of *points* that it
//! implies (from above) or that imply it (from below): the predicates and their negations, for a
//! transition also those of the next state, and implications from one to another. A formula is walked,
//! and what is known of one operand is the context of the next. **The contexts of the negative clauses
//! are not those of the printed text**: there they are exchanged, and with `b: x > 0` the disjunction
//! `x > 0 || x > 5` has the lower approximation *true*. In both polarities the second operand of a
//! conjunction is approximated where the first one holds, and that of a disjunction where it does not.
//!
//! What points cannot say is lost: successors are a superset of the exact ones.

use resy_symbolic::{Solver, Term, TermId, Terms};

/// On which side of a formula its approximation lies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// From above: the formula implies it.
    Above,
    /// From below: it implies the formula.
    Below,
}

impl Polarity {
    fn opposite(self) -> Self {
        match self {
            Self::Above => Self::Below,
            Self::Below => Self::Above,
        }
    }
}

/// The approximation of a formula by Boolean combinations of points, within a context.
///
/// The nesting of the formula bounds the recursion; terms keep conjunctions flat.
pub fn approximate(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    points: &[TermId],
    polarity: Polarity,
    context: TermId,
    formula: TermId,
) -> TermId {
    match terms.term(formula).clone() {
        Term::Boolean(_) => formula,
        Term::Not(inner) => {
            let inner = approximate(terms, solver, points, polarity.opposite(), context, inner);
            terms.not(inner)
        }
        // A conjunction of literals is one atom. A disjunction is a negated conjunction: its second
        // operand is approximated where the first one, as approximated, does not hold.
        Term::And(parts) if !parts.iter().all(|&part| is_literal(terms, part)) => {
            let (mut so_far, mut context) = (terms.truth(true), context);
            for part in parts {
                let part = approximate(terms, solver, points, polarity, context, part);
                so_far = terms.and(&[so_far, part]);
                context = terms.and(&[context, part]);
            }
            so_far
        }
        _ => atom(terms, solver, points, polarity, context, formula),
    }
}

fn is_literal(terms: &Terms, formula: TermId) -> bool {
    !matches!(terms.term(terms.literal(formula).0), Term::And(_) | Term::If(..))
}

/// From above the conjunction of the points that the formula implies; from below the disjunction of
/// those that imply it.
fn atom(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    points: &[TermId],
    polarity: Polarity,
    context: TermId,
    formula: TermId,
) -> TermId {
    let mut chosen = Vec::new();
    for &point in points {
        let (premise, conclusion) = match polarity {
            Polarity::Above => (formula, point),
            Polarity::Below => (point, formula),
        };
        let opposite = terms.not(conclusion);
        if is_refuted(terms, solver, &[context, premise, opposite]) {
            chosen.push(point);
        }
    }
    match polarity {
        Polarity::Above => terms.and(&chosen),
        Polarity::Below => terms.or(&chosen),
    }
}

/// The points of a basis: its predicates and their negations.
pub fn points_of(terms: &mut Terms, predicates: &[TermId]) -> Vec<TermId> {
    predicates.iter().flat_map(|&p| [p, terms.not(p)]).collect()
}

/// What a command does to the predicates, as far as points tell.
pub(crate) struct PointRelation {
    /// The values that the predicates have before it.
    before: Vec<(usize, bool)>,
    /// The values that they have after it.
    after: Vec<(usize, bool)>,
    /// A value before it, and the value after it that follows.
    follows: Vec<((usize, bool), (usize, bool))>,
}

impl PointRelation {
    /// Tests all points of a command: `context` is its guard with what is assumed, `before` the
    /// predicates, `changed` those that it changes, over the data before it.
    pub fn test(
        terms: &mut Terms,
        solver: &mut dyn Solver,
        context: &[TermId],
        before: &[TermId],
        changed: &[(usize, TermId)],
    ) -> Self {
        let mut relation = Self { before: Vec::new(), after: Vec::new(), follows: Vec::new() };
        let mut implied = |premise: Option<TermId>, (formula, value): (TermId, bool)| {
            let opposite = if value { terms.not(formula) } else { formula };
            let query: Vec<TermId> =
                context.iter().copied().chain(premise).chain([opposite]).collect();
            is_refuted(terms, solver, &query)
        };
        let signed = |formula: TermId| [(formula, true), (formula, false)];
        for (i, &formula) in before.iter().enumerate() {
            let valid = signed(formula).into_iter().filter(|&point| implied(None, point));
            relation.before.extend(valid.map(|(_, value)| (i, value)));
        }
        for &(j, formula) in changed {
            let valid = signed(formula).into_iter().filter(|&point| implied(None, point));
            relation.after.extend(valid.map(|(_, value)| (j, value)));
        }
        let literals: Vec<(usize, bool, TermId)> = Self::literals(terms, before);
        let mut implied = |premise: TermId, (formula, value): (TermId, bool)| {
            let opposite = if value { terms.not(formula) } else { formula };
            let query: Vec<TermId> = context.iter().copied().chain([premise, opposite]).collect();
            is_refuted(terms, solver, &query)
        };
        for &(i, sign, premise) in &literals {
            for &(j, formula) in
                changed.iter().filter(|c| !relation.after.iter().any(|a| a.0 == c.0))
            {
                let valid = signed(formula).into_iter().filter(|&point| implied(premise, point));
                relation.follows.extend(valid.map(|(_, value)| ((i, sign), (j, value))));
            }
        }
        relation
    }

    fn literals(terms: &mut Terms, before: &[TermId]) -> Vec<(usize, bool, TermId)> {
        let mut literals = Vec::new();
        for (i, &formula) in before.iter().enumerate() {
            if terms.as_truth(formula).is_none() {
                literals.extend([(i, true, formula), (i, false, terms.not(formula))]);
            }
        }
        literals
    }

    /// The values of the changed predicates that the points allow after these values.
    pub fn after(&self, values: &[bool], changed: &[(usize, TermId)]) -> Vec<Vec<bool>> {
        if self.before.iter().any(|&(i, value)| values[i] != value) {
            return Vec::new();
        }
        let mut found: Vec<Vec<bool>> = vec![Vec::new()];
        for &(j, _) in changed {
            let followed =
                self.follows.iter().filter(|((i, sign), (to, _))| *to == j && values[*i] == *sign);
            let known = self.after.iter().filter(|(to, _)| *to == j).map(|(_, value)| *value);
            let forced: Vec<bool> = known.chain(followed.map(|(_, (_, value))| *value)).collect();
            let allowed = [false, true].into_iter().filter(|value| !forced.contains(&!value));
            let allowed: Vec<bool> = allowed.collect();
            found = found
                .into_iter()
                .flat_map(|prefix| {
                    allowed.iter().map(move |&value| {
                        let mut longer = prefix.clone();
                        longer.push(value);
                        longer
                    })
                })
                .collect();
        }
        found
    }
}

fn is_refuted(terms: &mut Terms, solver: &mut dyn Solver, query: &[TermId]) -> bool {
    solver.refutes(terms, query)
}
