//! The overhead of the race of engines on small models: `auto` against the search alone.
//!
//! Both are run alternately, several times; the difference of the medians counts.

use crate::args::{TaskArgs, TaskFailure};
use crate::models::find;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time above which a model is not considered small.
const SMALL: Duration = Duration::from_millis(50);

/// The task `race`; true if the overhead is below ten milliseconds for every small model.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let resy = args.resy();
    let runs: usize = args.number("runs", 11)?;
    let paths = match args.positional() {
        [] => vec!["models".to_owned()],
        paths => paths.to_vec(),
    };
    let mut costs = Vec::new();
    for model in find(&paths)? {
        let (mut alone, mut race) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            alone.push(time(&resy, &model, "monolithic")?);
            race.push(time(&resy, &model, "auto")?);
        }
        let (alone, race) = (median(alone), median(race));
        if alone < SMALL {
            costs.push((race.as_secs_f64() - alone.as_secs_f64(), model));
        }
    }
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let milliseconds = |cost: f64| format!("{:.2} ms", 1000.0 * cost);
    let Some((most, model)) = costs.last() else { return Err(TaskFailure::new("no small models")) };
    println!("{} small models, {runs} runs of each engine", costs.len());
    println!("median cost of the race: {}", milliseconds(costs[costs.len() / 2].0));
    println!("largest: {} ({})", milliseconds(*most), model.display());
    Ok(*most <= 0.010)
}

/// The wall time of one run.
fn time(resy: &Path, model: &Path, engine: &str) -> Result<Duration, TaskFailure> {
    let start = Instant::now();
    let mut command = Command::new(resy);
    command.args(["check", "-q", "--engine", engine]).arg(model);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
