//! Time to verdict: `spin -a`, the C compiler and the verifier against one command of resy.

use super::pan::{self, DEFAULT, Verifier};
use super::question::{
    BenchQuestion, BenchSummary, BenchTools, agreement, number, ratio, table, take_turns,
};
use super::sample::{Sample, SampleRuns};
use super::table::Model;
use crate::stats::geometric_mean;
use std::io;

/// The question.
pub const QUESTION: BenchQuestion = BenchQuestion { name: "verdict", measure, summarise };

/// The total of spin's three steps.
const TOTAL: &str = "spin total";

fn measure(tools: &BenchTools, model: &Model) -> io::Result<Vec<Sample>> {
    let resy = || Ok(vec![tools.resy.check(model, "resy", &[])?]);
    // A first search determines the depth that a user would have to give in the end. This favours spin,
    // because the attempts before are not counted.
    match Verifier::new(model, &DEFAULT, tools.limit)? {
        Ok(first) => {
            let spin = || all_steps(tools, model, &first);
            take_turns(tools.runs, &[&spin, &resy])
        }
        Err(failed) => {
            let mut samples = vec![Sample { tool: TOTAL, run: 1, ..failed }];
            samples.extend(take_turns(tools.runs, &[&resy])?);
            Ok(samples)
        }
    }
}

fn all_steps(tools: &BenchTools, model: &Model, first: &Verifier) -> io::Result<Vec<Sample>> {
    let (folder, mut samples) = pan::build(model, &DEFAULT, first.vector, tools.limit)?;
    if samples.iter().all(|s| s.outcome == "done") {
        let deep = (first.depth() > 10_000).then(|| format!("-m{}", first.depth()));
        let flags: Vec<String> = deep.into_iter().collect();
        samples.push(pan::run(folder.path(), &flags, tools.limit)?.0);
    }
    let last = samples.last().cloned().unwrap_or_default();
    let seconds = samples.iter().map(|s| s.seconds).sum();
    let cpu_seconds = samples.iter().map(|s| s.cpu_seconds).sum();
    samples.push(Sample { tool: TOTAL, seconds, cpu_seconds, own_seconds: None, ..last });
    Ok(samples)
}

fn summarise(models: &[Model], samples: &[Sample]) -> BenchSummary {
    let heading =
        ["model", "spin -a", "gcc", "pan", "spin total", "resy", "spin / resy", "verdict"];
    let mut rows = Vec::new();
    let (mut quick, mut differences) = (Vec::new(), Vec::new());
    for model in models {
        let runs = |tool| SampleRuns::of(samples, &model.name, QUESTION.name, tool);
        let (spin, resy) = (runs(TOTAL), runs("resy"));
        let times = ["spin -a", "gcc", "pan", TOTAL, "resy"].map(|tool| runs(tool).seconds());
        let both = spin.decided() && resy.decided();
        let faster = ratio(times[3], times[4]).filter(|_| both);
        if times[2].is_some_and(|search| search < 1.0) {
            quick.extend(faster);
        }
        let outcomes = [("spin", spin.outcome()), ("resy", resy.outcome())];
        let (verdict, differs) = agreement(model, &outcomes);
        if differs {
            differences.push(format!("{}: {verdict}", model.name));
        }
        let mut row = vec![model.name.clone()];
        row.extend(times.map(number));
        row.extend([number(faster), verdict]);
        rows.push(row);
    }
    let mean = number(geometric_mean(quick.iter().copied()));
    let text = format!(
        "## Time to verdict\n\nMedian wall times in seconds, from the start of the first process to the \
         end of the last.\nGeometric mean of spin / resy over the {} models that pan searches in under \
         a second: **{mean}**.\n\n{}",
        quick.len(),
        table(&heading, &rows)
    );
    BenchSummary { text, differences }
}
