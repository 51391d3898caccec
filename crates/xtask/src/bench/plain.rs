//! Throughput on the unreduced state space, where both tools visit the same states.

use super::pan::{PLAIN, Verifier};
use super::question::{
    BenchQuestion, BenchSummary, BenchTools, count, number, ratio, table, take_turns,
};
use super::sample::{Sample, SampleRuns};
use super::table::Model;
use crate::stats::geometric_mean;
use std::io;

/// The question.
pub const QUESTION: BenchQuestion = BenchQuestion { name: "plain", measure, summarise };

/// The options with which resy counts as pan does.
const OPTIONS: [&str; 3] = ["--plain", "--exhaustive", "--json"];
/// The models that enter the mean.
const MANY_STATES: u64 = 1_000_000;

fn measure(tools: &BenchTools, model: &Model) -> io::Result<Vec<Sample>> {
    let resy = |tool, threads| {
        let options = [&OPTIONS[..], &["--threads", threads]].concat();
        Ok(vec![tools.resy.check(model, tool, &options)?])
    };
    let (one, two) = (|| resy("resy 1", "1"), || resy("resy 2", "2"));
    match Verifier::new(model, &PLAIN, tools.limit)? {
        Ok(pan) => {
            let slots = log_slots(pan.states());
            let pan = || Ok(vec![pan.search(slots)?]);
            take_turns(tools.runs, &[&pan, &one, &two])
        }
        Err(failed) => {
            let mut samples = vec![Sample { tool: "pan", run: 1, ..failed }];
            samples.extend(take_turns(tools.runs, &[&one, &two])?);
            Ok(samples)
        }
    }
}

/// The size of pan's hash table: two to four slots per state, so that chains stay short and no unneeded
/// memory is cleared.
fn log_slots(states: u64) -> u32 {
    (states.max(1).ilog2() + 2).clamp(16, 30)
}

/// Whether two counts are equal up to pan's eight significant digits.
fn same_count(pan: Option<u64>, resy: Option<u64>) -> bool {
    let (Some(pan), Some(resy)) = (pan, resy) else { return false };
    let digits = |n: u64| format!("{:.7e}", n as f64);
    pan == resy || (pan >= 100_000_000 && digits(pan) == digits(resy))
}

struct Answer<'a> {
    pan: SampleRuns<'a>,
    resy: [SampleRuns<'a>; 2],
}

impl<'a> Answer<'a> {
    fn of(model: &Model, samples: &'a [Sample]) -> Answer<'a> {
        let runs = |tool| SampleRuns::of(samples, &model.name, QUESTION.name, tool);
        Answer { pan: runs("pan"), resy: ["resy 1", "resy 2"].map(runs) }
    }

    /// `yes`, or the counts that differ, or why there are none.
    fn equality(&self, model: &Model) -> String {
        let counts = |runs: &SampleRuns<'_>| runs.first().map(|s| (s.states, s.transitions));
        let Some(pan) = self.pan.first().filter(|_| self.pan.decided()) else {
            return format!("pan: {}", self.pan.outcome());
        };
        for (resy, name) in self.resy.iter().zip(["resy 1", "resy 2"]) {
            if !resy.decided() {
                return format!("{name}: {}", resy.outcome());
            }
            let Some((states, transitions)) = counts(resy) else { continue };
            if !same_count(pan.states, states) || !same_count(pan.transitions, transitions) {
                return format!("NO: {name} {}, {}", count(states), count(transitions));
            }
            if resy.outcome() != pan.outcome {
                return format!("NO: {name} {}, pan {}", resy.outcome(), pan.outcome);
            }
        }
        let expected = model.truth.as_ref().map(|t| (t.states, t.transitions, t.verdict.as_str()));
        let found = (pan.states.unwrap_or(0), pan.transitions.unwrap_or(0), pan.outcome.as_str());
        match expected {
            Some(expected) if expected != found => "NO: not as in the table".to_owned(),
            _ => "yes".to_owned(),
        }
    }

    /// Pan's time divided by resy's: wall time, reported time and processor time with one thread; wall
    /// time and reported time with two.
    fn ratios(&self) -> [Option<f64>; 5] {
        let wall = |r: &SampleRuns<'_>| r.seconds().filter(|_| r.decided());
        let own = |r: &SampleRuns<'_>| r.median(|s| s.own_seconds).filter(|_| r.decided());
        let cpu = |r: &SampleRuns<'_>| r.median(|s| Some(s.cpu_seconds)).filter(|_| r.decided());
        let [one, two] = &self.resy;
        [
            ratio(wall(&self.pan), wall(one)),
            ratio(own(&self.pan), own(one)),
            ratio(cpu(&self.pan), cpu(one)),
            ratio(wall(&self.pan), wall(two)),
            ratio(own(&self.pan), own(two)),
        ]
    }
}

fn summarise(models: &[Model], samples: &[Sample]) -> BenchSummary {
    let mut heading = vec!["model", "states", "transitions", "equal"];
    heading.extend(["pan", "pan own", "resy 1", "resy 1 own", "resy 2", "resy 2 own"]);
    heading.extend(["pan / resy 1", "own", "cpu", "pan / resy 2", "own"]);
    let mut rows = Vec::new();
    let mut many: [Vec<f64>; 5] = Default::default();
    let (mut n_many, mut differences) = (0, Vec::new());
    for model in models {
        let answer = Answer::of(model, samples);
        let equal = answer.equality(model);
        let first = answer.pan.first().or_else(|| answer.resy[0].first());
        let states = first.and_then(|s| s.states);
        let ratios = answer.ratios();
        if equal == "yes" && states.is_some_and(|n| n > MANY_STATES) {
            n_many += 1;
            many.iter_mut().zip(ratios).for_each(|(all, one)| all.extend(one));
        }
        if equal.starts_with("NO") {
            differences.push(format!("{}: {equal}", model.name));
        }
        let mut row = vec![model.name.clone(), count(states)];
        row.extend([count(first.and_then(|s| s.transitions)), equal]);
        for runs in [&answer.pan, &answer.resy[0], &answer.resy[1]] {
            row.extend([number(runs.seconds()), number(runs.median(|s| s.own_seconds))]);
        }
        row.extend(ratios.map(number));
        rows.push(row);
    }
    let [one, one_own, one_cpu, two, two_own] = many.map(|ratios| number(geometric_mean(ratios)));
    let text = format!(
        "## Throughput without reductions\n\nMedian wall times of the processes in seconds; *own* is the \
         time that the program says its search took.\nGeometric mean of pan / resy over the {n_many} models \
         above a million states with equal counts:\n**{one}** with one thread (own times {one_own}, processor time {one_cpu}), \
         **{two}** with two (own times {two_own}).\n\n{}",
        table(&heading, &rows)
    );
    BenchSummary { text, differences }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(tool: &'static str, states: u64, seconds: f64) -> Sample {
        Sample {
            model: "m".to_owned(),
            question: QUESTION.name,
            tool,
            outcome: "holds".to_owned(),
            seconds,
            own_seconds: Some(seconds / 2.0),
            states: Some(states),
            transitions: Some(9),
            ..Sample::default()
        }
    }

    fn model() -> Model {
        let (name, class) = ("m".to_owned(), "extra".to_owned());
        Model { name, path: "m.pml".into(), defines: Vec::new(), class, truth: None }
    }

    #[test]
    fn counts_are_compared_in_pans_precision() {
        assert!(same_count(Some(7), Some(7)));
        assert!(!same_count(Some(7), Some(8)));
        assert!(!same_count(None, None));
        assert!(same_count(Some(123_456_790), Some(123_456_789)));
        assert!(!same_count(Some(123_456_790), Some(123_456_999)));
    }

    #[test]
    fn ratios_above_one_mean_that_resy_is_faster() {
        let n = 2_000_000;
        let all = [sample("pan", n, 3.0), sample("resy 1", n, 1.5), sample("resy 2", n, 1.0)];
        let summary = summarise(&[model()], &all);
        assert!(summary.text.contains("**2.00** with one thread"), "{}", summary.text);
        assert!(summary.text.contains("**3.00** with two"), "{}", summary.text);
        assert!(summary.differences.is_empty());
    }

    #[test]
    fn other_counts_are_a_difference() {
        let all = [sample("pan", 7, 3.0), sample("resy 1", 7, 1.5), sample("resy 2", 8, 1.0)];
        assert_eq!(summarise(&[model()], &all).differences, ["m: NO: resy 2 8, 9"]);
    }
}
