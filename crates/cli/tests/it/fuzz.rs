//! A slice of the differential fuzzer: random programs through spin and resy.
//!
//! `cargo run --release -p resy-xtask -- fuzz` runs as many as you like, shrinks what
//! differs and shows what the programs contain.

use resy_testkit::compare::{Comparison, compare, discard_of_spin};
use resy_testkit::generate::{generate, print};
use resy_testkit::resy::Resy;
use resy_testkit::spin::{SpinOptions, run_text};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The programs of these seeds are compared; more of them by `xtask campaign programs`.
const SEEDS: u64 = 60;

#[test]
fn random_programs_mean_the_same_to_spin() {
    let resy = Resy::new(Path::new(env!("CARGO_BIN_EXE_resy")), Duration::from_secs(8))
        .expect("resy was built");
    let options = SpinOptions::for_small_programs();
    let next = AtomicU64::new(0);
    let work = || {
        let (mut same, mut wrong) = (0, Vec::new());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= SEEDS {
                return (same, wrong);
            }
            let text = print(&generate(seed));
            let spin = run_text(&text, &options).expect("spin is installed");
            if discard_of_spin(&spin).is_some() {
                continue;
            }
            let ours = resy.run_text(&text).expect("resy runs");
            match compare(&spin, &ours) {
                Comparison::Same | Comparison::SameVerdict | Comparison::BothReject => same += 1,
                Comparison::Discarded(_) => {}
                Comparison::Difference(difference) => {
                    wrong.push(format!("seed {seed}: {difference:?}\n  {spin:?}\n  {ours:?}"));
                }
            }
        }
    };
    let results = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.map(|w| w.join().expect("a worker"))
    });
    let same: u64 = results.iter().map(|(n, _)| n).sum();
    let wrong: Vec<_> = results.into_iter().flat_map(|(_, w)| w).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same > SEEDS / 2, "only {same} of {SEEDS} programs could be compared");
}
