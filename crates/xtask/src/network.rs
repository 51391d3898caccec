//! How the running times of spin and of each engine of resy grow with the size of a model.
//!
//! The families of `bench/families.toml`, correct and broken, with n = 2, 4, 8, … and the goal. Each tool
//! runs until its first n without a verdict. The results are one CSV file, one table, and one picture per
//! family.

mod growth;
mod measurement;
mod summary;
mod tool;

use crate::args::{TaskArgs, TaskFailure};
use crate::machine;
use measurement::Measurement;
use resy_testkit::families::{Family, Variant, families};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tool::{FamilyInstance, GrowthBench, GrowthTool, TOOLS};

/// The time limit of resy. The goal is ten seconds; slightly longer runs are still recorded.
const OWN_LIMIT: Duration = Duration::from_secs(15);

/// The memory limit of a spin verifier, unless the machine has less.
const MEGABYTES: u64 = 8192;

/// The task `network`; true if no answer is wrong.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let families = select(&args.list("only"))?;
    let seconds = if args.flag("quick") { 10 } else { 60 };
    let megabytes = machine::megabytes().map_or(MEGABYTES, |all| all.min(MEGABYTES));
    let limit = Duration::from_secs(seconds);
    let own_limit = limit.min(OWN_LIMIT);
    let bench = GrowthBench { resy: binary(args)?, limit, own_limit, megabytes };
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/network"));
    std::fs::create_dir_all(&out)?;
    let version = machine::first_line(&bench.resy.display().to_string(), &["--version"]);
    let head = summary::head(&machine::describe(&version)?, seconds, megabytes);
    let csv = Mutex::new(File::create(out.join("network.csv"))?);
    writeln!(lock(&csv), "{}", measurement::CSV_HEADING)?;
    // Spin gets a core of its own, because it takes most of the time.
    let lane = |is_in: fn(&GrowthTool) -> bool| measure_all(&bench, &families, &csv, is_in);
    let (ours, theirs) = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| lane(|tool| tool.to_the_last));
        let ours = lane(|tool| !tool.to_the_last);
        (ours, theirs.join().expect("measuring does not panic"))
    });
    let all: Vec<Measurement> = ours?.into_iter().chain(theirs?).collect();
    for family in &families {
        let picture = out.join(format!("network-{}.svg", family.name));
        std::fs::write(picture, summary::picture(family, &all))?;
    }
    std::fs::write(out.join("network.md"), summary::text(&head, &families, &all))?;
    print!("{}", summary::overview(&families, &all));
    let wrong = summary::wrong(&families, &all);
    wrong.iter().for_each(|answer| println!("wrong: {answer}"));
    Ok(wrong.is_empty())
}

/// Runs some tools on all variants as they grow.
fn measure_all(
    bench: &GrowthBench,
    families: &[Family],
    csv: &Mutex<File>,
    is_in: fn(&GrowthTool) -> bool,
) -> std::io::Result<Vec<Measurement>> {
    let mut all = Vec::new();
    for family in families {
        for variant in Variant::ALL {
            for tool in TOOLS.iter().filter(|tool| is_in(tool)) {
                all.extend(measure(bench, family, variant, tool, csv)?);
            }
        }
    }
    Ok(all)
}

/// Runs a tool on a variant as it grows.
fn measure(
    bench: &GrowthBench,
    family: &Family,
    variant: Variant,
    tool: &GrowthTool,
    csv: &Mutex<File>,
) -> std::io::Result<Vec<Measurement>> {
    let ask = |n: u32| {
        let measurement = bench.ask(tool, &FamilyInstance { family, variant, n })?;
        eprintln!("{measurement}");
        writeln!(lock(csv), "{}", measurement.csv())?;
        Ok(measurement)
    };
    growth::until_undecided(&growth::sizes(family.goal), tool.to_the_last, ask)
}

fn lock(csv: &Mutex<File>) -> MutexGuard<'_, File> {
    csv.lock().unwrap_or_else(PoisonError::into_inner)
}

fn select(names: &[String]) -> Result<Vec<Family>, TaskFailure> {
    let mut all = families()?;
    if let Some(name) = names.iter().find(|name| all.iter().all(|family| family.name != **name)) {
        return Err(TaskFailure::new(format!("--only: no family is called {name}")));
    }
    all.retain(|family| names.is_empty() || names.contains(&family.name));
    Ok(all)
}

/// An absolute path, because runs change the current folder.
fn binary(args: &TaskArgs) -> Result<PathBuf, TaskFailure> {
    let path = args.resy();
    path.canonicalize()
        .map_err(|e| TaskFailure::new(format!("resy binary {}: {e}", path.display())))
}
