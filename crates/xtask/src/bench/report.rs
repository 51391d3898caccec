//! The files of a benchmark beside `raw.csv`: its conditions, and its summary.

use super::question::{BenchQuestion, BenchTools};
use super::sample::Sample;
use super::table::Model;
use crate::machine;
use std::fs;
use std::io;
use std::path::Path;

/// Describes how the numbers were measured.
pub fn write_readme(out: &Path, tools: &BenchTools) -> io::Result<()> {
    let text = format!(
        "# Spin and resy side by side\n\n\
         {}- {} runs of each measurement, killed after {} s\n\n{WHAT}",
        machine::describe(&tools.resy.version()?)?,
        tools.runs,
        tools.limit.as_secs(),
    );
    fs::write(out.join("README.md"), text)
}

const WHAT: &str = "\
`raw.csv` has every run, `summary.md` the medians. BenchTools take turns (spin, resy, spin, resy, …) at the same
priority, and nothing is bound to a core. A run that does not decide is not repeated. Before the measured runs of pan there
is one that is not measured: it finds the depth of the search, so that `-m` is no deeper than needed. All verifiers are
compiled with `gcc -O2 -DSAFETY -DNOCLAIM`.

- *verdict*: `spin -a`, gcc and `pan` without options (but `-m` where 10,000 is not enough) against `resy check`, each as a new
  process.
- *plain*: `spin -a -o1 -o2 -o3`, `-DNOREDUCE`, `pan -n -c0` with a table of two to four slots a state, against `resy check --plain
  --exhaustive --json` with one and with two threads. Only the search of spin is timed, but all of resy's process.
- *memory*: the same with `-DCOLLAPSE`, a table of one to two slots a state; the largest resident set that the kernel reports
  (`wait4`), less that of a model with one `skip`.
- *reduced*: `spin -a` and `pan -n -c0` against `resy check --exhaustive`.
";

/// Writes medians and means; returns the models on which the tools contradict each other.
pub fn write_summary(
    out: &Path,
    questions: &[&BenchQuestion],
    models: &[Model],
    samples: &[Sample],
) -> io::Result<Vec<String>> {
    let summaries: Vec<_> = questions.iter().map(|q| (q.summarise)(models, samples)).collect();
    let texts: Vec<&str> = summaries.iter().map(|s| s.text.as_str()).collect();
    let differences: Vec<String> = summaries.iter().flat_map(|s| s.differences.clone()).collect();
    let mut text = texts.join("\n");
    if !differences.is_empty() {
        text.push_str("\n## Differences\n\n");
        differences.iter().for_each(|d| text.push_str(&format!("- {d}\n")));
    }
    fs::write(out.join("summary.md"), text)?;
    Ok(differences)
}
