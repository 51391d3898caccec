//! The generator against the real spin, on a slice of seeds.

use super::*;
use crate::spin::{SpinOptions, SpinOutcome, run_text};

#[test]
fn the_same_seed_gives_the_same_text() {
    for seed in 0..50 {
        assert_eq!(print(&generate(seed)), print(&generate(seed)));
    }
    assert_ne!(print(&generate(1)), print(&generate(2)));
}

#[test]
fn the_real_spin_accepts_the_programs() {
    let options = SpinOptions::for_small_programs();
    let mut refused = Vec::new();
    for seed in 0..25 {
        let outcome = run_text(&print(&generate(seed)), &options).expect("spin is installed");
        if matches!(outcome, SpinOutcome::Rejected(_) | SpinOutcome::NotCompiled(_)) {
            refused.push((seed, outcome));
        }
    }
    assert!(refused.len() <= 1, "{refused:?}");
}

#[test]
fn the_census_of_many_programs_misses_nothing() {
    let mut found = std::collections::BTreeSet::new();
    for seed in 0..3000 {
        found.extend(census(&generate(seed)));
    }
    let wanted = [
        "d_step",
        "unless",
        "select",
        "for in array",
        "for in channel",
        "D_proctype",
        "priority",
        "provided",
        "trace",
        "notrace",
        "never",
        "ltl",
        "np_",
        "_last",
        "enabled",
        "pc_value",
        "remote label",
        "remote variable",
        "sorted send",
        "receive random keeping",
        "poll random",
        "chan of chan",
        "received channel used",
        "chan of record",
        "inline nested",
        "timeout",
        "op precedence",
        "run assigned",
        "array initialiser list",
        "mtype subtype",
        "op ->:",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|w| !found.contains(*w)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
