//! What the four questions have in common: alternating runs, and the form of a summary.

use super::resy::BenchResy;
use super::sample::Sample;
use super::table::Model;
use std::io;
use std::time::Duration;

/// The settings of the tools.
#[derive(Debug)]
pub struct BenchTools {
    /// Resy with its settings.
    pub resy: BenchResy,
    /// The number of repetitions of each measurement.
    pub runs: usize,
    /// The time after which a run is killed.
    pub limit: Duration,
}

/// A question to both tools.
#[derive(Debug)]
pub struct BenchQuestion {
    /// The name in `raw.csv` and for `--ask`.
    pub name: &'static str,
    /// Measures a model.
    pub measure: fn(&BenchTools, &Model) -> io::Result<Vec<Sample>>,
    /// Summarises the samples.
    pub summarise: fn(&[Model], &[Sample]) -> BenchSummary,
}

/// The summary of a question.
#[derive(Debug, Default, PartialEq)]
pub struct BenchSummary {
    /// The text, in Markdown.
    pub text: String,
    /// The models on which the tools contradict each other or the table of models.
    pub differences: Vec<String>,
}

/// A function that runs a tool once; its last sample has the verdict.
pub type BenchRun<'a> = dyn Fn() -> io::Result<Vec<Sample>> + 'a;

/// Runs the tools alternately, `runs` times, so that a temporary slowdown of the machine affects all of
/// them. A tool that does not decide is not run again.
pub fn take_turns(runs: usize, tools: &[&BenchRun<'_>]) -> io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut gone = vec![false; tools.len()];
    for run in 1..=runs {
        for (tool, gone) in tools.iter().zip(&mut gone) {
            if *gone {
                continue;
            }
            let made = tool()?;
            *gone = !made.last().is_some_and(Sample::decided);
            samples.extend(made.into_iter().map(|sample| Sample { run, ..sample }));
        }
    }
    Ok(samples)
}

/// Rows of cells as a Markdown table; the first row is the heading.
pub fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heading: Vec<String> = heading.iter().map(|&h| h.to_owned()).collect();
    let mut rule = vec!["---".to_owned()];
    rule.resize(heading.len(), "---:".to_owned());
    let mut text = line(&heading) + &line(&rule);
    rows.iter().for_each(|row| text.push_str(&line(row)));
    text
}

/// A number with at least three significant digits; a dash if there is none.
pub fn number(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(v) if v >= 100.0 => format!("{v:.0}"),
        Some(v) if v >= 10.0 => format!("{v:.1}"),
        Some(v) if v >= 1.0 => format!("{v:.2}"),
        Some(v) => format!("{v:.4}"),
    }
}

/// A count; a dash if there is none.
pub fn count(value: Option<u64>) -> String {
    value.map_or("-".to_owned(), |v| v.to_string())
}

/// The ratio of two values, if both exist and the divisor is not zero (a time too short to measure).
pub fn ratio(above: Option<f64>, below: Option<f64>) -> Option<f64> {
    let positive = |v: &f64| *v > 0.0;
    Some(above.filter(positive)? / below.filter(positive)?)
}

/// The common verdict, or all verdicts if they differ; and whether two decided ones contradict each
/// other.
pub fn agreement(model: &Model, outcomes: &[(&str, &str)]) -> (String, bool) {
    let truth = model.truth.as_ref().map(|t| ("table", t.verdict.as_str()));
    let all: Vec<(&str, &str)> = truth.into_iter().chain(outcomes.iter().copied()).collect();
    let mut decided: Vec<&str> = all.iter().map(|(_, outcome)| *outcome).collect();
    let same = decided.windows(2).all(|pair| pair[0] == pair[1]);
    decided.retain(|outcome| ["holds", "fails"].contains(outcome));
    let contradict = decided.windows(2).any(|pair| pair[0] != pair[1]);
    if same {
        return (all.first().map_or(String::new(), |(_, outcome)| (*outcome).to_owned()), false);
    }
    let text: Vec<String> = all.iter().map(|(who, what)| format!("{who}: {what}")).collect();
    (text.join(", "), contradict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_testkit::bench_models::Truth;
    use std::cell::RefCell;

    fn sample(tool: &'static str, outcome: &str) -> io::Result<Vec<Sample>> {
        Ok(vec![Sample { tool, outcome: outcome.to_owned(), ..Sample::default() }])
    }

    #[test]
    fn tools_take_turns_and_the_undecided_leave() -> io::Result<()> {
        let order = RefCell::new(String::new());
        let (a, b) = (
            || {
                order.borrow_mut().push('a');
                sample("a", "holds")
            },
            || {
                order.borrow_mut().push('b');
                sample("b", "timed out")
            },
        );
        let samples = take_turns(3, &[&a, &b])?;
        assert_eq!(order.into_inner(), "abaa");
        let runs: Vec<usize> = samples.iter().map(|s| s.run).collect();
        assert_eq!(runs, [1, 1, 2, 3]);
        Ok(())
    }

    #[test]
    fn agreement_is_between_those_that_decide() {
        let truth = Truth { verdict: "holds".to_owned(), states: 1, transitions: 1 };
        let model = Model {
            name: String::new(),
            path: "x".into(),
            defines: Vec::new(),
            class: String::new(),
            truth: Some(truth),
        };
        assert_eq!(agreement(&model, &[("pan", "holds")]), ("holds".to_owned(), false));
        let text = "table: holds, pan: unknown, resy: holds".to_owned();
        assert_eq!(agreement(&model, &[("pan", "unknown"), ("resy", "holds")]), (text, false));
        assert!(agreement(&model, &[("pan", "holds"), ("resy", "fails")]).1);
        assert!(agreement(&model, &[("pan", "fails"), ("resy", "fails")]).1);
    }

    #[test]
    fn a_table_has_a_rule_below_its_heading() {
        let text = table(&["a", "b"], &[vec!["1".to_owned(), "2".to_owned()]]);
        assert_eq!(text, "| a | b |\n| --- | ---: |\n| 1 | 2 |\n");
    }
}
