//! How long products and reductions take: `cargo run --release -p resy-automata --example
//! scaling [n]`.
//!
//! First the product of counters that share a reset, with about `n` transitions. Then for each
//! family: strong and branching bisimulation of a system with about `n`
//! transitions (a million unless given), then with twice as many. O(m log n) means that the
//! second takes a little more than twice as long.

use resy_automata::bisimulation::{branching, strong};
use resy_automata::product::product;
use resy_automata::{Alphabet, Label, Lts, LtsBuilder, Partition};
use resy_index::Id;
use std::time::Instant;

type Family = (&'static str, fn(usize) -> Lts);

fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let counter = lts(6, (0..6).map(|i| (i, usize::from(i == 5), (i + 1) % 6)));
    let n_counters = (n as f64 / 8.0).log(6.0).round() as usize;
    let start = Instant::now();
    let whole = product(&vec![&counter; n_counters], usize::MAX).map(|p| p.lts.n_transitions());
    let seconds = start.elapsed().as_secs_f64();
    println!("product of {n_counters} counters: {whole:?} transitions in {seconds:.2}s\n");
    let families: [Family; 6] = [
        ("random, 5 labels", |m| random(m, m / 4, 5)),
        ("random, half tau", |m| random(m, m / 4, 1)),
        ("chain of a", |m| chain(m, 1)),
        ("chain of tau, a at the end", |m| chain(m, 0)),
        ("comb: a off a chain of tau", comb),
        ("binary tree of tau and a", tree),
    ];
    println!("{:28} {:>9} {:>9}  strong          branching", "", "states", "transitions");
    for (name, family) in families {
        for m in [n, 2 * n] {
            let lts = family(m);
            let (by_strong, by_branching) = (timed(&lts, strong), timed(&lts, branching));
            let (n_states, n_transitions) = (lts.n_states(), lts.n_transitions());
            println!("{name:28} {n_states:>9} {n_transitions:>9}  {by_strong:15} {by_branching}");
        }
    }
}

fn timed(lts: &Lts, partition: fn(&Lts) -> Partition) -> String {
    let start = Instant::now();
    let n_blocks = partition(lts).n_blocks();
    format!("{:.2}s {n_blocks}", start.elapsed().as_secs_f64())
}

fn label(number: usize) -> Label {
    if number == 0 { Label::Tau } else { Label::Visible(Id::from_index(number - 1)) }
}

fn lts(n_states: usize, transitions: impl Iterator<Item = (usize, usize, usize)>) -> Lts {
    let mut builder = LtsBuilder::with_states(n_states);
    for (source, number, target) in transitions {
        builder.add_transition(Id::from_index(source), label(number), Id::from_index(target));
    }
    builder.finish(Id::from_index(0), Alphabet::default())
}

/// Random transitions; label 0, the internal one, is as likely as any other.
fn random(m: usize, n: usize, n_labels: usize) -> Lts {
    let mut seed = 1u64;
    let mut next = move |bound: usize| {
        // Knuth's linear congruential generator; the high bits are good enough.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    lts(n, (0..m).map(move |_| (next(n), next(n_labels + 1), next(n))))
}

/// One state after the other; the last step is visible.
fn chain(m: usize, number: usize) -> Lts {
    lts(m + 1, (0..m).map(|i| (i, if i + 1 == m { 1 } else { number }, i + 1)))
}

/// A chain of internal steps, and from each of its states a visible one to a chain of
/// visible ones.
fn comb(m: usize) -> Lts {
    let n = m / 3;
    let step = move |i: usize| [(i, 0, i + 1), (i, 1, n + 1 + i), (n + 1 + i, 2, n + 2 + i)];
    lts(2 * n + 2, (0..n).flat_map(step))
}

/// A binary tree whose left branches are internal.
fn tree(m: usize) -> Lts {
    lts(m + 1, (1..=m).map(|i| ((i - 1) / 2, (i - 1) % 2, i)))
}
