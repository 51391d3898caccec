//! From a formula to an automaton, by tableau.
//!
//! A state is a set of formulas that hold of the rest of the word. Each formula
//! is taken apart into what it asks of the next letter and what it leaves for the
//! letter after (Gerth, Peled, Vardi and Wolper, *Simple on-the-fly automatic
//! verification of linear temporal logic*, 1995): `a U b` is `b`, or `a` now and
//! `a U b` later. An edge that puts off `a U b` lacks that formula's mark, so that
//! a run which puts it off for ever is not accepted (Couvreur 1999).

use super::FormulaTooLarge;
use super::automaton::{BuchiAutomaton, BuchiEdge, Numbering};
use super::formula::TemporalFormula;
use super::label::LiteralSet;
use super::nnf::{Subformula, SubformulaId, Subformulas};
use resy_index::IndexVec;
use std::collections::{BTreeMap, BTreeSet};

/// The maximal number of states.
const MAX_STATES: usize = 1 << 11;
/// The maximal number of formulas taken apart, over all states.
const MAX_WORK: usize = 1 << 21;
/// The maximal number of edges out of one state.
const MAX_EDGES: usize = 1 << 10;

/// An automaton that accepts the words that satisfy the formula.
pub fn translate(formula: &TemporalFormula) -> Result<BuchiAutomaton, FormulaTooLarge> {
    let mut nodes = Subformulas::default();
    let (root, _) = nodes.add(formula)?;
    Tableau::new(&nodes, root)?.automaton(root)
}

/// The automata of a formula and of its negation.
pub(crate) fn translate_both(
    formula: &TemporalFormula,
) -> Result<(BuchiAutomaton, BuchiAutomaton), FormulaTooLarge> {
    let mut nodes = Subformulas::default();
    let (yes, no) = nodes.add(formula)?;
    Ok((Tableau::new(&nodes, yes)?.automaton(yes)?, Tableau::new(&nodes, no)?.automaton(no)?))
}

struct Tableau<'a> {
    nodes: &'a Subformulas,
    /// The mark of every `U`.
    mark: BTreeMap<SubformulaId, u64>,
    work: usize,
}

/// A set of formulas that is being turned into an edge.
#[derive(Clone, Default)]
struct Branch {
    /// Still to be taken apart.
    todo: Vec<SubformulaId>,
    /// Taken apart.
    done: BTreeSet<SubformulaId>,
    label: LiteralSet,
    next: BTreeSet<SubformulaId>,
    /// The marks of the `U` that are put off.
    put_off: u64,
}

impl<'a> Tableau<'a> {
    fn new(nodes: &'a Subformulas, root: SubformulaId) -> Result<Self, FormulaTooLarge> {
        let mut mark = BTreeMap::new();
        for id in below(nodes, root) {
            if let Subformula::Until(..) = nodes.get(id) {
                if mark.len() == u64::BITS as usize {
                    return Err(FormulaTooLarge::Eventualities);
                }
                mark.insert(id, 1 << mark.len());
            }
        }
        Ok(Self { nodes, mark, work: 0 })
    }

    fn automaton(&mut self, root: SubformulaId) -> Result<BuchiAutomaton, FormulaTooLarge> {
        let marks = self.mark.values().fold(0, |all, mark| all | mark);
        let mut states = Numbering::default();
        let initial = vec![states.id(BTreeSet::from([root]))];
        let mut edges = IndexVec::new();
        while let Some(formulas) = states.items.get(edges.len()).cloned() {
            if edges.len() > MAX_STATES {
                return Err(FormulaTooLarge::States);
            }
            let branches = self.take_apart(&formulas)?;
            let edge = |b: Branch| {
                let target = states.id(b.next);
                BuchiEdge { label: b.label, target, marks: marks & !b.put_off }
            };
            edges.push(branches.into_iter().map(edge).collect());
        }
        Ok(BuchiAutomaton { initial, edges, marks }.quotient())
    }

    /// The edges out of a set of formulas.
    fn take_apart(
        &mut self,
        formulas: &BTreeSet<SubformulaId>,
    ) -> Result<Vec<Branch>, FormulaTooLarge> {
        let mut complete: Vec<Branch> = Vec::new();
        let todo = formulas.iter().copied().collect();
        let mut open = vec![Branch { todo, ..Branch::default() }];
        while let Some(mut branch) = open.pop() {
            self.work += 1;
            if self.work > MAX_WORK || complete.len() > MAX_EDGES {
                return Err(FormulaTooLarge::States);
            }
            match branch.todo.pop() {
                Some(id) if branch.done.insert(id) => open.extend(self.apply(branch, id)),
                Some(_) => open.push(branch),
                None if complete.iter().any(|other| branch.asks_more_than(other)) => {}
                None => {
                    complete.retain(|other| !other.asks_more_than(&branch));
                    complete.push(branch);
                }
            }
        }
        Ok(complete)
    }

    /// Adds a formula to a branch: one way to satisfy it, two, or none.
    fn apply(&self, branch: Branch, id: SubformulaId) -> Vec<Branch> {
        match self.nodes.get(id) {
            Subformula::Bool(true) => vec![branch],
            Subformula::Bool(false) => Vec::new(),
            Subformula::Literal(proposition, positive) => {
                match branch.label.and(LiteralSet::literal(proposition, positive)) {
                    Some(label) => vec![Branch { label, ..branch }],
                    None => Vec::new(),
                }
            }
            Subformula::And(a, b) => vec![branch.now(&[a, b])],
            Subformula::Or(a, b) => vec![branch.clone().now(&[a]), branch.now(&[b])],
            Subformula::Next(a) => vec![branch.later(a)],
            Subformula::Until(a, b) => {
                let mut later = branch.clone().now(&[a]).later(id);
                later.put_off |= self.mark[&id];
                vec![branch.now(&[b]), later]
            }
            Subformula::Release(a, b) => {
                vec![branch.clone().now(&[a, b]), branch.now(&[b]).later(id)]
            }
        }
    }
}

impl Branch {
    fn now(mut self, formulas: &[SubformulaId]) -> Self {
        self.todo.extend(formulas);
        self
    }

    fn later(mut self, formula: SubformulaId) -> Self {
        self.next.insert(formula);
        self
    }

    /// Whether `self` implies `other`, so that `self` is redundant.
    fn asks_more_than(&self, other: &Self) -> bool {
        self.label.implies(other.label)
            && other.put_off & !self.put_off == 0
            && other.next.is_subset(&self.next)
    }
}

/// All subformulas of a formula, with itself.
fn below(nodes: &Subformulas, root: SubformulaId) -> BTreeSet<SubformulaId> {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![root]);
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        match nodes.get(id) {
            Subformula::Bool(_) | Subformula::Literal(..) => {}
            Subformula::Next(a) => todo.push(a),
            Subformula::And(a, b)
            | Subformula::Or(a, b)
            | Subformula::Until(a, b)
            | Subformula::Release(a, b) => {
                todo.extend([a, b]);
            }
        }
    }
    seen
}
