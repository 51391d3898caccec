//! The benchmark: spin and resy on the same models on the same machine.

mod memory;
mod pan;
mod plain;
mod question;
mod reduced;
mod report;
mod resy;
mod sample;
mod table;
mod verdict;

use crate::args::{TaskArgs, TaskFailure};
use question::{BenchQuestion, BenchTools};
use resy::BenchResy;
use sample::Sample;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const QUESTIONS: [BenchQuestion; 4] =
    [verdict::QUESTION, plain::QUESTION, memory::QUESTION, reduced::QUESTION];

/// The task `bench`; true if the tools never contradict each other.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let models = table::select(args)?;
    let questions = asked(&args.list("ask"))?;
    let limit = Duration::from_secs(args.number("limit", 300)?);
    let tools = BenchTools {
        resy: BenchResy::new(&args.resy(), limit)?,
        runs: args.number("runs", 5)?,
        limit,
    };
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/bench"));
    std::fs::create_dir_all(&out)?;
    report::write_readme(&out, &tools)?;
    let mut raw = std::fs::File::create(out.join("raw.csv"))?;
    writeln!(raw, "{}", sample::CSV_HEADING)?;
    let mut samples: Vec<Sample> = Vec::new();
    for (done, model) in models.iter().enumerate() {
        for question in &questions {
            let start = Instant::now();
            for sample in (question.measure)(&tools, model)? {
                let (model, question) = (model.name.clone(), question.name);
                let sample = Sample { model, question, ..sample };
                writeln!(raw, "{}", sample.csv())?;
                samples.push(sample);
            }
            let seconds = start.elapsed().as_secs_f64();
            let (n, all) = (done + 1, models.len());
            println!("{n:>3}/{all} {:<30} {:<8} {seconds:>7.1} s", model.name, question.name);
        }
        // Partial results can be read while the benchmark runs.
        report::write_summary(&out, &questions, &models[..=done], &samples)?;
    }
    let differences = report::write_summary(&out, &questions, &models, &samples)?;
    differences.iter().for_each(|difference| println!("differs: {difference}"));
    println!("{}", out.join("summary.md").display());
    Ok(differences.is_empty())
}

fn asked(names: &[String]) -> Result<Vec<&'static BenchQuestion>, TaskFailure> {
    if let Some(name) = names.iter().find(|name| QUESTIONS.iter().all(|q| q.name != **name)) {
        return Err(TaskFailure::new(format!("--ask: there is no question {name}")));
    }
    let wanted = |q: &&BenchQuestion| names.is_empty() || names.iter().any(|name| name == q.name);
    Ok(QUESTIONS.iter().filter(wanted).collect())
}
