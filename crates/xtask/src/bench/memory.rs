//! Memory per state: the largest resident set, against spin's exact compressed store.

use super::pan::{COLLAPSE, Verifier};
use super::question::{
    BenchQuestion, BenchSummary, BenchTools, count, number, ratio, table, take_turns,
};
use super::sample::{Sample, SampleRuns};
use super::table::Model;
use crate::stats::geometric_mean;
use resy_testkit::scratch::Scratch;
use std::io;

/// The question.
pub const QUESTION: BenchQuestion = BenchQuestion { name: "memory", measure, summarise };

/// The model for the memory of a process without states, which is measured beside each model and
/// subtracted.
const TRIVIAL: &str = "active proctype P() { skip }\n";
/// Below this number of states, noise dominates the difference.
const ENOUGH_STATES: u64 = 100_000;

fn measure(tools: &BenchTools, model: &Model) -> io::Result<Vec<Sample>> {
    if model.truth.as_ref().is_some_and(|truth| truth.states < ENOUGH_STATES) {
        return Ok(Vec::new());
    }
    let folder = Scratch::new("bench")?;
    let nothing = Model {
        path: folder.path().join("trivial.pml"),
        defines: Vec::new(),
        truth: None,
        ..model.clone()
    };
    std::fs::write(&nothing.path, TRIVIAL)?;
    let mut samples = Vec::new();
    for (model, names) in [(&nothing, ["pan base", "resy base"]), (model, ["pan", "resy"])] {
        samples.extend(measure_one(tools, model, names)?);
    }
    Ok(samples)
}

fn measure_one(
    tools: &BenchTools,
    model: &Model,
    [pan_name, resy_name]: [&'static str; 2],
) -> io::Result<Vec<Sample>> {
    let options = ["--plain", "--exhaustive", "--json", "--threads", "1"];
    let resy = || Ok(vec![tools.resy.check(model, resy_name, &options)?]);
    match Verifier::new(model, &COLLAPSE, tools.limit)? {
        Ok(pan) => {
            // About one slot per state, so that the table does not dominate.
            let slots = pan.states().max(2).next_power_of_two().ilog2().max(10);
            let pan = || Ok(vec![Sample { tool: pan_name, ..pan.search(slots)? }]);
            take_turns(tools.runs, &[&pan, &resy])
        }
        Err(failed) => {
            let mut samples = vec![Sample { tool: pan_name, run: 1, ..failed }];
            samples.extend(take_turns(tools.runs, &[&resy])?);
            Ok(samples)
        }
    }
}

/// Bytes of the whole process per state, minus those of an empty search; and the bytes per state that the
/// program reports.
fn bytes_per_state(all: &SampleRuns<'_>, base: &SampleRuns<'_>) -> [Option<f64>; 2] {
    let resident = |s: &Sample| Some(s.max_rss as f64);
    let states = all.first().and_then(|s| s.states).map(|n| n as f64);
    let states = states.filter(|_| all.decided());
    let above = all.median(resident).zip(base.median(resident)).map(|(all, base)| all - base);
    [ratio(above, states), ratio(all.median(|s| s.own_bytes), states)]
}

fn summarise(models: &[Model], samples: &[Sample]) -> BenchSummary {
    let mut heading = vec!["model", "states", "resy MB", "resy bytes a state", "resy own"];
    heading.extend(["pan MB", "pan bytes a state", "pan own", "resy / pan"]);
    let mut rows = Vec::new();
    let (mut of_resy, mut of_pan) = (Vec::new(), Vec::new());
    for model in models {
        let runs = |tool| SampleRuns::of(samples, &model.name, QUESTION.name, tool);
        let (resy, pan) = (runs("resy"), runs("pan"));
        if resy.first().is_none() {
            continue;
        }
        let megabytes = |runs: &SampleRuns<'_>| runs.median(|s| Some(s.max_rss as f64 / 1e6));
        let of =
            [bytes_per_state(&resy, &runs("resy base")), bytes_per_state(&pan, &runs("pan base"))];
        let states = resy.first().or(pan.first()).and_then(|s| s.states);
        if states.is_some_and(|n| n >= ENOUGH_STATES) {
            of_resy.extend(of[0][0]);
            of_pan.extend(of[1][0]);
        }
        let mut row = vec![model.name.clone(), count(states)];
        row.push(number(megabytes(&resy)));
        row.extend(of[0].map(number));
        row.push(number(megabytes(&pan)));
        row.extend(of[1].map(number));
        row.push(number(ratio(of[0][0], of[1][0])));
        rows.push(row);
    }
    let text = format!(
        "## Memory\n\nLargest resident set of the process less that on a model with one `skip`, divided by \
         the states;\n*own* is what the program says it stores states in, divided by the states. Pan has \
         `-DCOLLAPSE`, a hash table of\nabout one slot a state and a stack just deep enough.\nGeometric \
         means over the models of {ENOUGH_STATES} states and more: resy **{}** ({} models), pan **{}** ({} \
         models) bytes a state.\n\n{}",
        number(geometric_mean(of_resy.iter().copied())),
        of_resy.len(),
        number(geometric_mean(of_pan.iter().copied())),
        of_pan.len(),
        table(&heading, &rows)
    );
    BenchSummary { text, differences: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_taken_off() {
        let sample = |max_rss, states| Sample {
            outcome: "holds".to_owned(),
            max_rss,
            states: Some(states),
            own_bytes: Some(50.0),
            ..Sample::default()
        };
        let (all, base) = ([sample(1_100, 10)], [sample(100, 2)]);
        let (all, base) = (SampleRuns::of(&all, "", "", ""), SampleRuns::of(&base, "", "", ""));
        assert_eq!(bytes_per_state(&all, &base), [Some(100.0), Some(5.0)]);
        assert_eq!(bytes_per_state(&all, &SampleRuns::default()), [None, Some(5.0)]);
    }
}
