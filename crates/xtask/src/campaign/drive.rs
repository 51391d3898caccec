//! Runs the cases of a campaign one after the other, on several threads, until the seeds or the time end.

use super::case::{Campaign, CaseReport};
use super::plan::CampaignPlan;
use super::processor;
use super::record::{CampaignRecord, keep};
use crate::args::TaskFailure;
use crate::parallel::lock;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a line tells how far the campaign is.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// A case that takes longer is named in the next line of progress.
const SLOW: Duration = Duration::from_secs(20);

/// The parser's recursion needs the room that the command line gives it.
const STACK: usize = 256 << 20;

/// What the threads share.
struct Shared {
    next: u64,
    report: CaseReport,
    failure: Option<TaskFailure>,
    /// For each thread its seed, and when it began.
    running: Vec<Option<(u64, Instant)>>,
}

/// Runs a campaign. A failure of the machine ends it; what was found before is in the record all the same.
pub fn drive(
    campaign: &dyn Campaign,
    plan: &CampaignPlan,
) -> Result<(CampaignRecord, Option<TaskFailure>), TaskFailure> {
    let (started, processor) = (Instant::now(), processor::used());
    let jobs = plan.jobs.max(1);
    let shared = Mutex::new(Shared {
        next: plan.from,
        report: CaseReport::default(),
        failure: None,
        running: vec![None; jobs],
    });
    let record = |report: CaseReport, next: u64| CampaignRecord {
        plan: plan.clone(),
        unit: campaign.unit(),
        next,
        report,
        wall: started.elapsed(),
        processor: processor::used().saturating_sub(processor),
    };
    std::thread::scope(|scope| -> Result<(), TaskFailure> {
        let (alive, ended) = mpsc::channel::<()>();
        for job in 0..jobs {
            let (shared, alive) = (&shared, alive.clone());
            let work = move || {
                work(campaign, plan, started, shared, job);
                drop(alive);
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        }
        drop(alive);
        while ended.recv_timeout(REPORT_EVERY) == Err(RecvTimeoutError::Timeout) {
            let shared = lock(&shared);
            println!("{}", record(shared.report.clone(), shared.next).progress());
            for &(seed, began) in shared.running.iter().flatten() {
                if began.elapsed() > SLOW {
                    println!("  seed {seed} runs for {:.0} s", began.elapsed().as_secs_f64());
                }
            }
        }
        Ok(())
    })?;
    let shared = shared.into_inner().unwrap_or_else(|e| e.into_inner());
    Ok((record(shared.report, shared.next), shared.failure))
}

/// Takes one seed after the other.
fn work(
    campaign: &dyn Campaign,
    plan: &CampaignPlan,
    started: Instant,
    shared: &Mutex<Shared>,
    job: usize,
) {
    loop {
        let seed = {
            let mut shared = lock(shared);
            shared.running[job] = None;
            let is_late = plan.limit.is_some_and(|limit| started.elapsed() >= limit);
            if is_late || shared.failure.is_some() || shared.next - plan.from >= plan.count {
                return;
            }
            let seed = shared.next;
            shared.next += 1;
            shared.running[job] = Some((seed, Instant::now()));
            seed
        };
        let result = catch_unwind(AssertUnwindSafe(|| campaign.case(seed)));
        let result = result.unwrap_or_else(|panic| Ok(panicked(seed, &*panic)));
        match result {
            Ok(report) => note(report, plan, shared),
            Err(failure) => lock(shared).failure = Some(failure),
        }
    }
}

/// Keeps the differences of a case, and adds it to the others.
fn note(report: CaseReport, plan: &CampaignPlan, shared: &Mutex<Shared>) {
    for difference in &report.differences {
        let kept = match keep(&plan.keep, &plan.name, difference) {
            Ok(file) => file.display().to_string(),
            Err(error) => format!("not kept: {error}"),
        };
        println!("DIFFERENCE, seed {}: {}  → {kept}", difference.seed, difference.what);
    }
    lock(shared).report.add(report);
}

fn panicked(seed: u64, panic: &(dyn Any + Send)) -> CaseReport {
    let mut report = CaseReport::default();
    report.differs(seed, panic_sentence(panic), "txt", format!("seed {seed}\n"));
    report
}

/// What a panic says.
pub fn panic_sentence(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("a panic: {text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_testkit::scratch::Scratch;

    /// Seed 3 is wrong, seed 5 panics.
    struct Numbers;

    impl Campaign for Numbers {
        fn unit(&self) -> &'static str {
            "numbers"
        }

        fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure> {
            let mut report = CaseReport::default();
            report.one(if seed.is_multiple_of(2) { "even" } else { "odd" });
            if seed == 3 {
                report.differs(seed, "three", "txt", "3");
            }
            assert_ne!(seed, 5, "five");
            Ok(report)
        }
    }

    #[test]
    fn every_seed_once_and_differences_are_kept() -> Result<(), TaskFailure> {
        let keep = Scratch::new("campaign")?;
        let plan = CampaignPlan {
            name: "numbers".to_owned(),
            from: 2,
            count: 8,
            limit: None,
            jobs: 3,
            keep: keep.path().to_owned(),
        };
        let (record, failure) = drive(&Numbers, &plan)?;
        assert!(failure.is_none());
        assert_eq!((record.n_cases(), record.next), (8, 10));
        assert_eq!((record.report.n("even"), record.report.n("odd")), (4, 3));
        let mut seeds: Vec<u64> = record.report.differences.iter().map(|d| d.seed).collect();
        seeds.sort();
        assert_eq!(seeds, [3, 5]);
        assert_eq!(std::fs::read_to_string(keep.path().join("numbers-3-0.txt"))?, "3");
        let text = record.to_string();
        assert!(text.contains("8 numbers (seeds 2..10), **2 differences**"), "{text}");
        assert!(text.contains("five"), "{text}");
        let late = CampaignPlan { limit: Some(Duration::ZERO), ..plan };
        assert_eq!(drive(&Numbers, &late)?.0.n_cases(), 0);
        Ok(())
    }
}
