//! The number of states with each tool's reductions enabled. Counts are the same in every run, so one run
//! is enough.

use super::pan::{REDUCED, Verifier};
use super::question::{
    BenchQuestion, BenchSummary, BenchTools, agreement, count, number, ratio, table, take_turns,
};
use super::sample::{Sample, SampleRuns};
use super::table::Model;
use crate::stats::geometric_mean;
use std::io;

/// The question.
pub const QUESTION: BenchQuestion = BenchQuestion { name: "reduced", measure, summarise };

fn measure(tools: &BenchTools, model: &Model) -> io::Result<Vec<Sample>> {
    let options = ["--exhaustive", "--threads", "1", "--json"];
    let resy = || Ok(vec![tools.resy.check(model, "resy", &options)?]);
    match Verifier::new(model, &REDUCED, tools.limit)? {
        Ok(pan) => {
            let pan = || Ok(vec![pan.search(24)?]);
            take_turns(1, &[&pan, &resy])
        }
        Err(failed) => {
            let mut samples = vec![Sample { tool: "pan", run: 1, ..failed }];
            samples.extend(take_turns(1, &[&resy])?);
            Ok(samples)
        }
    }
}

fn summarise(models: &[Model], samples: &[Sample]) -> BenchSummary {
    let heading =
        ["model", "pan states", "resy states", "resy / pan", "pan s", "resy s", "verdict"];
    let mut rows = Vec::new();
    let (mut ratios, mut differences) = (Vec::new(), Vec::new());
    for model in models {
        let runs = |tool| SampleRuns::of(samples, &model.name, QUESTION.name, tool);
        let (pan, resy) = (runs("pan"), runs("resy"));
        let states =
            |runs: &SampleRuns<'_>| runs.first().filter(|s| s.decided()).and_then(|s| s.states);
        let as_float = |n: Option<u64>| n.map(|n| n as f64);
        let more = ratio(as_float(states(&resy)), as_float(states(&pan)));
        ratios.extend(more);
        let outcomes = [("pan", pan.outcome()), ("resy", resy.outcome())];
        let (verdict, differs) = agreement(model, &outcomes);
        if differs {
            differences.push(format!("{}: {verdict}", model.name));
        }
        let mut row = vec![model.name.clone(), count(states(&pan)), count(states(&resy))];
        row.extend([number(more), number(pan.seconds()), number(resy.seconds()), verdict]);
        rows.push(row);
    }
    let text = format!(
        "## Reductions\n\nStates stored with reductions on, past errors, in one run.\nGeometric mean of \
         resy / pan over {} models: **{}**.\n\n{}",
        ratios.len(),
        number(geometric_mean(ratios.iter().copied())),
        table(&heading, &rows)
    );
    BenchSummary { text, differences }
}
