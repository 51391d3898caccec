//! Minimisation: never larger, still an image, still a proof, and no two classes can be joined.

use crate::common;
use crate::common::{is_safe_with, network};
use proptest::prelude::*;
use resy_automata::{Partition, Quotient};
use resy_compose::minimize::minimize;
use resy_compose::{Conclusion, Requirement, Split, exact};

const LIMIT: usize = 1_000_000;

fn both(seed: u64, size: usize) -> (resy_automata::Network, Requirement, Requirement) {
    let network = network(seed, size);
    let split = Split::of(&network, LIMIT).unwrap();
    let exact = exact::synthesize(&split, LIMIT).unwrap();
    let mut prover = exact::prover(&split, LIMIT).unwrap();
    let small = minimize(&split.module.lts, &exact, |lts| Some(prover(lts)));
    (network, exact, small)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(300)))]

    #[test]
    fn it_is_an_image_of_the_requirement_and_still_proves(
        seed in any::<u64>(),
        size in 1..=20usize,
    ) {
        let (network, exact, small) = both(seed, size);
        prop_assert!(exact.quotient.partition().refines(small.quotient.partition()));
        prop_assert_eq!(&small.verdict, &exact.verdict);
        if small.verdict != Conclusion::Holds {
            prop_assert_eq!(small.lts().n_states(), 1);
            return Ok(());
        }
        prop_assert!(is_safe_with(&network, small.lts()));
        let n = small.lts().n_states();
        for (i, j) in (0..n).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let joined = Partition::by_keys((0..n).map(|k| if k == j { i } else { k }));
            let joined = Quotient::of(small.lts(), joined);
            prop_assert!(!is_safe_with(&network, joined.lts()), "{} and {}", i, j);
        }
    }
}

/// Prints the gain: `cargo test -p resy-compose -- --nocapture gain`.
#[test]
fn gain_on_hard_networks() {
    let (mut n, mut before, mut after) = (0, 0, 0);
    for seed in 0..300 {
        let (_, exact, small) = both(seed, 20);
        if exact.verdict == Conclusion::Holds && exact.lts().n_states() >= 3 {
            n += 1;
            before += exact.lts().n_states();
            after += small.lts().n_states();
        }
    }
    println!("{n} networks with three classes or more: {before} classes, minimised {after}");
    assert!(after < before);
}

/// The smallest number of groups of the classes that still prove the property: all partitions are
/// tried, so that this is for few classes only.
fn optimum(split: &Split, requirement: &Requirement) -> usize {
    let mut proves = exact::prover(split, LIMIT).unwrap();
    let n = requirement.lts().n_states();
    let mut best = n;
    // Each class joins a group before it, or begins the next one.
    let mut todo: Vec<Vec<usize>> = vec![vec![0]];
    while let Some(groups) = todo.pop() {
        let used = groups.iter().max().map_or(0, |group| group + 1);
        if used >= best {
            continue;
        }
        if groups.len() == n {
            let merged = Quotient::of(requirement.lts(), Partition::by_keys(&groups));
            if proves(merged.lts()) {
                best = used;
            }
            continue;
        }
        todo.extend((0..=used).map(|group| [&groups[..], &[group]].concat()));
    }
    best
}

/// How far the greedy result is from the smallest one, where that can be found.
#[test]
fn greedy_merging_is_near_the_optimum() {
    let (mut n, mut canonical, mut greedy, mut smallest) = (0, 0, 0, 0);
    for seed in 0..400 {
        let (network, exact, small) = both(seed, 20);
        if exact.verdict != Conclusion::Holds || !(3..=7).contains(&exact.lts().n_states()) {
            continue;
        }
        let split = Split::of(&network, LIMIT).unwrap();
        let best = optimum(&split, &exact);
        assert!(best <= small.lts().n_states());
        n += 1;
        canonical += exact.lts().n_states();
        greedy += small.lts().n_states();
        smallest += best;
    }
    println!("{n} networks: {canonical} classes, greedy {greedy}, the smallest have {smallest}");
    assert!(n >= 30 && greedy <= smallest + smallest / 10);
}
