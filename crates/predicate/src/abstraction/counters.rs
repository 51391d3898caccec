//! Predicates about counters: variables that commands move by fixed amounts.

use resy_symbolic::{Rational, Sort, SymbolId, SymbolicProgram, TermId};
use std::collections::BTreeSet;

/// `x - y == c` for variables that commands move by constants only, `c` being 0, 1 or −1.
pub(super) fn counters(program: &SymbolicProgram<'_>) -> Vec<TermId> {
    let mut counters: BTreeSet<SymbolId> = BTreeSet::new();
    let mut others: BTreeSet<SymbolId> = BTreeSet::new();
    for command in program.known_commands() {
        for (&symbol, &value) in &command.updates {
            let mut terms = program.terms().borrow_mut();
            if terms.declaration(symbol).sort != Sort::Integer {
                continue;
            }
            let own = terms.symbol(symbol);
            let change = terms.subtract(value, own);
            match terms.as_number(change) {
                Some(_) => counters.insert(symbol),
                None => others.insert(symbol),
            };
        }
    }
    let mut found = Vec::new();
    let counters: Vec<SymbolId> = counters.difference(&others).copied().collect();
    let mut terms = program.terms().borrow_mut();
    for (i, &x) in counters.iter().enumerate() {
        for &y in &counters[..i] {
            let (x, y) = (terms.symbol(x), terms.symbol(y));
            let difference = terms.subtract(x, y);
            for c in [0, 1, -1] {
                let c = terms.number(c);
                found.push(terms.equal(difference, c));
            }
        }
    }
    found
}

/// A counter that always moves by the same amount, up or down.
struct Counter {
    symbol: SymbolId,
    amount: Rational,
    /// The numbers that it is set to.
    starts: BTreeSet<Rational>,
}

/// More counters than this are not compared with each other.
const MOST_COUNTERS: usize = 8;

/// The variables that commands only set to numbers and move by one amount, up or down.
fn steady_counters(program: &mut SymbolicProgram<'_>) -> Vec<Counter> {
    let start = program.start().map(|start| start.to_vec()).unwrap_or_default();
    let mut found: Vec<Counter> = Vec::new();
    let mut others: BTreeSet<SymbolId> = BTreeSet::new();
    let mut terms = program.terms().borrow_mut();
    for command in start.into_iter().chain(program.known_commands()) {
        let mut updates: Vec<(SymbolId, TermId)> =
            command.updates.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        updates.sort_unstable();
        for (symbol, value) in updates {
            if terms.declaration(symbol).sort != Sort::Integer {
                continue;
            }
            let own = terms.symbol(symbol);
            let moved = terms.subtract(value, own);
            let start = terms.as_number(value);
            let amount = terms.as_number(moved).and_then(|by| match by.signum() < 0 {
                true => by.negate(),
                false => Some(by),
            });
            let position = found.iter().position(|counter| counter.symbol == symbol);
            let counter = position.unwrap_or_else(|| {
                found.push(Counter { symbol, amount: Rational::ZERO, starts: BTreeSet::new() });
                found.len() - 1
            });
            let counter = &mut found[counter];
            match (start, amount) {
                (Some(start), _) => _ = counter.starts.insert(start),
                (None, Some(by)) if counter.amount.is_zero() || counter.amount == by => {
                    counter.amount = by;
                }
                _ => _ = others.insert(symbol),
            }
        }
    }
    found.retain(|c| !c.amount.is_zero() && !others.contains(&c.symbol));
    found.truncate(MOST_COUNTERS);
    found
}

/// `n*x - m*y == c` for counters that move by `m` and `n`, as it is where both were set, and where one has
/// moved and the other has not yet.
pub(super) fn proportions(program: &mut SymbolicProgram<'_>) -> Vec<TermId> {
    let counters = steady_counters(program);
    let mut terms = program.terms().borrow_mut();
    let mut found = BTreeSet::new();
    for (i, x) in counters.iter().enumerate() {
        for y in &counters[..i] {
            let (left, right) = (terms.symbol(x.symbol), terms.symbol(y.symbol));
            let (left, right) = (terms.scale(y.amount, left), terms.scale(x.amount, right));
            let difference = terms.subtract(left, right);
            let Some(step) = x.amount.times(y.amount) else { continue };
            let at_starts = x.starts.iter().flat_map(|a| y.starts.iter().map(move |b| (*a, *b)));
            for (a, b) in at_starts {
                let start = y.amount.times(a).zip(x.amount.times(b));
                let Some(start) = start.and_then(|(a, b)| a.minus(b)) else { continue };
                for value in
                    [Some(start), start.plus(step), start.minus(step)].into_iter().flatten()
                {
                    let value = terms.number(value);
                    found.insert(terms.equal(difference, value));
                }
            }
        }
    }
    found.into_iter().collect()
}
