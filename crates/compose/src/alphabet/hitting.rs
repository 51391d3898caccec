//! A smallest set that hits every clause, by branch and bound.
//!
//! The clauses are few and small: iterative deepening on the size, branching on the letters of a
//! smallest clause that is not hit yet, with disjoint clauses as the lower bound.

use resy_automata::lts::{ActionId, Alphabet};

/// A smallest alphabet that has a letter of each clause; the first in the order of the letters.
/// Clauses must not be empty.
pub(super) fn smallest_hitting_set(clauses: &[Alphabet]) -> Alphabet {
    let least = disjoint(&clauses.iter().collect::<Vec<_>>());
    let found = (least..).find_map(|size| {
        let mut chosen = Vec::new();
        hits(clauses, &mut chosen, size).then_some(chosen)
    });
    found.into_iter().flatten().collect()
}

/// Whether the choice can be completed by at most `left` letters.
fn hits(clauses: &[Alphabet], chosen: &mut Vec<ActionId>, left: usize) -> bool {
    let is_open = |clause: &&Alphabet| !chosen.iter().any(|&letter| clause.contains(letter));
    let open: Vec<&Alphabet> = clauses.iter().filter(is_open).collect();
    let Some(clause) = open.iter().min_by_key(|clause| clause.len()) else { return true };
    if disjoint(&open) > left {
        return false;
    }
    for letter in clause.iter() {
        chosen.push(letter);
        if hits(clauses, chosen, left - 1) {
            return true;
        }
        chosen.pop();
    }
    false
}

/// The number of clauses in a greedy choice of disjoint ones.
fn disjoint(clauses: &[&Alphabet]) -> usize {
    let mut sorted = clauses.to_vec();
    sorted.sort_by_key(|clause| clause.len());
    let mut used = Alphabet::default();
    let mut n = 0;
    for clause in sorted {
        if !clause.iter().any(|letter| used.contains(letter)) {
            used = used.union(clause);
            n += 1;
        }
    }
    n
}
