//! The smallest automaton with the same words.

use super::automaton::{WordAutomaton, WordState};
use resy_automata::lts::ActionId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl WordAutomaton {
    /// The smallest automaton that accepts the same words, its states in the order in which they are
    /// reached: equal languages give equal automata.
    #[must_use]
    pub fn minimized(&self) -> Self {
        let n = self.states().len();
        let mut class_of: Vec<usize> = (0..n).map(|q| usize::from(self.rejects_at(q))).collect();
        let mut n_classes = 0;
        loop {
            let mut classes: FxHashMap<(usize, WordState), usize> = FxHashMap::default();
            let refined: Vec<usize> = (0..n)
                .map(|q| {
                    let next = classes.len();
                    let row = self.row(q).map(|(action, to)| (action, class_of[to]));
                    let key = (class_of[q], compressed(row));
                    *classes.entry(key).or_insert(next)
                })
                .collect();
            class_of = refined;
            if classes.len() == n_classes {
                break;
            }
            n_classes = classes.len();
        }
        self.quotient(&class_of)
    }

    /// The automaton of the classes that are reached.
    fn quotient(&self, class_of: &[usize]) -> Self {
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        let mut members = vec![self.initial()];
        number.insert(class_of[self.initial()], 0);
        let mut states = Vec::new();
        while let Some(&member) = members.get(states.len()) {
            let mut numbered = |target: usize, class: usize| {
                *number.entry(class).or_insert_with(|| {
                    members.push(target);
                    members.len() - 1
                })
            };
            for (_, to) in self.row(member) {
                numbered(to, class_of[to]);
            }
            let row = self.row(member).map(|(action, to)| (action, number[&class_of[to]]));
            states.push(compressed(row));
        }
        let rejecting = members.iter().position(|&member| self.rejects_at(member));
        Self::new(self.alphabet().clone(), states, rejecting)
    }
}

/// A row in which the most frequent target, of several the first, is that of the letters not listed.
fn compressed(row: impl Iterator<Item = (ActionId, usize)>) -> WordState {
    let row: Vec<(ActionId, usize)> = row.collect();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    row.iter().for_each(|&(_, to)| *counts.entry(to).or_default() += 1);
    let others = counts.iter().max_by_key(|(to, n)| (**n, Reverse(**to))).map(|(to, _)| *to);
    let next = row.into_iter().filter(|&(_, to)| Some(to) != others).collect();
    WordState { next, others }
}
