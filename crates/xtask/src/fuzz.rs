//! Runs random programs through spin and resy. Differences are shrunk and written to files; the task ends
//! with a summary.

mod finding;
mod summary;
mod trial;

use crate::args::{TaskArgs, TaskFailure};
use crate::cache::SpinCache;
use crate::parallel::{self, LoopControl, lock};
pub use finding::ShrunkFinding;
use resy_testkit::resy::Resy;
use resy_testkit::spin::{SpinOptions, spin_version};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use summary::FuzzSummary;
pub use trial::{FuzzTools, Trial};

/// The time limit of resy for a program that spin searched within five seconds.
pub const RESY_LIMIT: Duration = Duration::from_secs(10);

/// The task `fuzz`; true if there was no difference.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let first: u64 = args.number("seed", 0)?;
    let count: u64 = args.number("count", 500)?;
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/fuzz"));
    let tools = tools(args, args.path("cache"))?;
    println!("{}, seeds {first}..{}", spin_version()?, first + count);
    let start = Instant::now();
    let shrinks_left = Mutex::new(args.number("shrink", 20usize)?);
    let summary = Mutex::new(FuzzSummary::default());
    let seeds: Vec<u64> = (first..first + count).collect();
    parallel::for_each(&seeds, args.number("jobs", 2)?, |&seed| {
        let trial = tools.try_seed(seed)?;
        if trial.difference().is_some() {
            report_difference(&trial, &tools, &out, &shrinks_left)?;
        }
        lock(&summary).add(&trial);
        Ok::<LoopControl, TaskFailure>(LoopControl::Continue)
    })?;
    let summary = lock(&summary);
    print!("{summary}");
    let seconds = start.elapsed().as_secs_f64();
    println!("{seconds:.1} s, {:.1} programs a second", count as f64 / seconds);
    Ok(summary.n_differences() == 0)
}

/// The tools, configured by the options.
pub fn tools(args: &TaskArgs, cache: Option<PathBuf>) -> Result<FuzzTools, TaskFailure> {
    let spin = SpinCache::new(cache, SpinOptions::for_small_programs())?;
    let resy = match args.flag("spin-only") {
        true => None,
        false => Some(Resy::new(&args.resy(), RESY_LIMIT)?),
    };
    Ok(FuzzTools { spin, resy })
}

fn report_difference(
    trial: &Trial,
    tools: &FuzzTools,
    out: &Path,
    shrinks_left: &Mutex<usize>,
) -> Result<(), TaskFailure> {
    let may_shrink = {
        let mut left = lock(shrinks_left);
        let may = *left > 0;
        *left = left.saturating_sub(1);
        may
    };
    let max_tries = if may_shrink { 400 } else { 0 };
    let finding = ShrunkFinding::of(trial, tools, max_tries)?;
    let file = finding.write(out)?;
    println!("{}  → {}", finding.headline(), file.display());
    Ok(())
}
