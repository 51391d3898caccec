//! Automata given from outside: their propositions become conditions of the system.

use crate::{Expr, Formula, GivenAutomaton, LtlFormula};
use resy_automata::ltl::LiteralSet;
use resy_automata::text::hoa::{HoaAutomaton, PropositionMeaning};

/// A condition that is a disjunction of more conjunctions is refused.
const MAX_TERMS: usize = 1 << 10;

impl GivenAutomaton {
    /// An automaton with the conditions that its propositions stand for, each as the formula `[] condition`. `None` if
    /// there are more than 64 conditions, or if labels become too large.
    pub fn of(hoa: &HoaAutomaton, conditions: &[&LtlFormula]) -> Option<Self> {
        let mut propositions: Vec<Expr> = Vec::new();
        let mut meanings: Vec<PropositionMeaning> = Vec::new();
        for condition in conditions {
            let place = |e: &Expr, all: &mut Vec<Expr>| {
                all.iter().position(|other| other == e).unwrap_or_else(|| {
                    all.push(e.clone());
                    all.len() - 1
                })
            };
            let own = condition.propositions.iter();
            let places: Vec<usize> = own.map(|e| place(e, &mut propositions)).collect();
            let inside = match &condition.formula {
                Formula::Always(inside) => inside,
                _ => &condition.formula,
            };
            if propositions.len() > u64::BITS as usize {
                return None;
            }
            meanings.push([terms(inside, false, &places)?, terms(inside, true, &places)?]);
        }
        let automaton = hoa.buchi(&meanings)?;
        Some(Self { automaton, propositions, counts_steps: !hoa.is_stutter_invariant })
    }
}

/// A condition, or its negation, as a disjunction of literals.
fn terms(condition: &Formula, positive: bool, places: &[usize]) -> Option<Vec<LiteralSet>> {
    let both =
        |a: &Formula, b: &Formula| Some((terms(a, positive, places)?, terms(b, positive, places)?));
    let terms = match (condition, positive) {
        (Formula::Bool(b), _) if *b == positive => vec![LiteralSet::ANY],
        (Formula::Bool(_), _) => Vec::new(),
        (Formula::Prop(p), _) => {
            vec![LiteralSet::literal(*places.get(*p as usize)? as u32, positive)]
        }
        (Formula::Not(a), _) => terms(a, !positive, places)?,
        (Formula::And(a, b), true) | (Formula::Or(a, b), false) => {
            let (a, b) = both(a, b)?;
            let pairs = a.iter().flat_map(|x| b.iter().filter_map(|y| x.and(*y)));
            pairs.take(MAX_TERMS + 1).collect()
        }
        (Formula::Or(a, b), true) | (Formula::And(a, b), false) => {
            let (mut a, b) = both(a, b)?;
            a.extend(b);
            a
        }
        _ => return None,
    };
    (terms.len() <= MAX_TERMS).then_some(terms)
}
