//! The case studies of the papers: their tables and figures with our numbers, and their claims.
//!
//! The rows are in `bench/case_studies.toml`. Every mode of resy and spin is run on each row,
//! alternating; all files are computed from the runs.

mod algorithm;
mod ask;
mod claims;
mod figures;
mod in_turn;
mod markdown;
mod mode;
mod results;
mod run;
mod schedule;
mod spin_tables;
mod table1;
mod trace;
mod verdicts;

use crate::args::{TaskArgs, TaskFailure};
use crate::machine;
use crate::progress::ProgressBar;
use ask::CaseBench;
use mode::Mode;
use results::Results;
use resy_testkit::case_studies::{CaseStudy, case_studies};
use resy_testkit::families::{Variant, families};
use run::CaseRun;
use schedule::{Job, jobs, select};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trace::Way;

/// The memory limit of a search, unless the machine has less.
const MEGABYTES: u64 = 8192;

/// Runs that take longer are not repeated.
const LONG: f64 = 5.0;

/// The task `tables`; true if no answer is wrong.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    if let Some(folder) = args.path("from") {
        return write(&results::read(&folder, case_studies()?)?, &folder, Vec::new());
    }
    let quick = args.flag("quick");
    let bench = bench(args)?;
    let rows = select(case_studies()?, &args.list("only"), quick, args.flag("all"))?;
    let runs = if quick { 1 } else { args.number("runs", 3)? };
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/tables"));
    fs::create_dir_all(&out)?;
    fs::write(out.join("README.md"), readme(&bench, rows.len(), runs)?)?;
    let jobs = jobs(&rows, runs, quick);
    let subjects = in_turn::subjects(&families()?, &case_studies()?, quick);
    let work: f64 = jobs.iter().map(|job| job.mode.weight()).sum();
    let mut progress = ProgressBar::new(work + in_turn::WEIGHT * subjects.len() as f64);
    let results = measure(&bench, rows, &jobs, &mut progress, &out)?;
    let mut replaced = Vec::new();
    for subject in &subjects {
        progress.show(&format!("{} in turn", subject.name));
        replaced.extend(in_turn::replace(&bench, subject)?);
        progress.advance(in_turn::WEIGHT);
    }
    drop(progress);
    fs::write(out.join("in_turn.md"), in_turn::in_turn(&replaced))?;
    fs::write(out.join("traces.csv"), trace::to_csv(&results.traces))?;
    write(&results, &out, in_turn::differences(&replaced))
}

/// Computes all files from the runs; true if no answer is wrong.
fn write(results: &Results, out: &Path, mut wrong: Vec<String>) -> Result<bool, TaskFailure> {
    let texts = texts(results).into_iter().map(|(name, text)| (name.to_owned(), text));
    for (name, text) in texts.chain(figures::figures(results)) {
        fs::write(out.join(name), text)?;
    }
    wrong.extend(verdicts::differences(results));
    wrong.iter().for_each(|difference| println!("wrong: {difference}"));
    println!("{} runs without a verdict", verdicts::undecided(results).len());
    println!("{}", out.display());
    Ok(wrong.is_empty())
}

fn bench(args: &TaskArgs) -> Result<CaseBench, TaskFailure> {
    let path = args.resy();
    let resy = path.canonicalize();
    let resy =
        resy.map_err(|e| TaskFailure::new(format!("resy binary {}: {e}", path.display())))?;
    Ok(CaseBench {
        resy,
        limit: Duration::from_secs(args.number("limit", 20)?),
        spin_limit: Duration::from_secs(args.number("limit", 60)?),
        megabytes: machine::megabytes().map_or(MEGABYTES, |all| all.min(MEGABYTES)),
    })
}

fn measure(
    bench: &CaseBench,
    rows: Vec<CaseStudy>,
    jobs: &[Job],
    progress: &mut ProgressBar,
    out: &Path,
) -> Result<Results, TaskFailure> {
    let mut raw = fs::File::create(out.join("raw.csv"))?;
    writeln!(raw, "{}", run::CSV_HEADING)?;
    let mut results = Results { rows, ..Results::default() };
    for &Job { row, variant, mode, split, run } in jobs {
        let row = &results.rows[row];
        progress.show(&format!("{} {} {}", row.name, variant.name(), mode.name()));
        if is_worth_it(&results, row, variant, mode, split) {
            let answer = bench.ask(row, variant, mode, split)?;
            let run = CaseRun { row: row.name.clone(), variant, mode, split, run, answer };
            writeln!(raw, "{}", run.csv(&row.modules))?;
            results.runs.push(run);
        }
        progress.advance(mode.weight());
    }
    for row in results.rows.iter().filter(|row| figures::is_in_figure7(row)) {
        progress.show(&format!("{} trace", row.name));
        for way in Way::ALL {
            let points = trace::trace(bench, row, way)?;
            results.traces.insert((row.name.clone(), way), points);
        }
    }
    Ok(results)
}

/// Whether a run is repeated: not if it has no verdict or took long.
fn is_worth_it(
    results: &Results,
    row: &CaseStudy,
    variant: Variant,
    mode: Mode,
    split: usize,
) -> bool {
    let before = results.of_variant(row, variant, mode, split);
    before.first().is_none_or(|answer| answer.decided() && answer.seconds < LONG)
}

fn texts(results: &Results) -> Vec<(&'static str, String)> {
    vec![
        ("table1.md", table1::table1(results)),
        ("splits.md", table1::splits(results)),
        ("reduced.md", spin_tables::reduced(results)),
        ("crossover.md", spin_tables::crossover(results)),
        ("algorithm_paper.md", algorithm::algorithm_paper(results)),
        ("claims.md", claims::claims(results)),
        ("verdicts.md", verdicts::verdicts(results)),
    ]
}

fn readme(bench: &CaseBench, rows: usize, runs: usize) -> Result<String, TaskFailure> {
    let version = machine::first_line(&bench.resy.display().to_string(), &["--version"]);
    Ok(format!(
        "# The papers' tables\n\n{}- {rows} rows; {runs} runs of each mode, in turns; one on broken models\n\
         - limits: {} s for resy, {} s for spin and for commands that call it, {} MB\n\n{WHAT}",
        machine::describe(&version)?,
        bench.limit.as_secs(),
        bench.spin_limit.as_secs(),
        bench.megabytes,
    ))
}

const WHAT: &str = "\
`raw.csv` has every run, `traces.csv` the sizes of requirements step by step. All else but `in_turn.md` is computed from these two, again with
`tables --from DIR`:

| file | what |
|---|---|
| table1.md | table 1 of the tool paper, ours and theirs |
| splits.md | either process as the module |
| reduced.md | the requirement in the module's place, verified by spin, against spin alone |
| crossover.md | `check` against the search of `pan` alone, as models grow |
| algorithm_paper.md | the rows of the algorithm paper |
| figure7-*.svg | the size of the requirement against steps of refinement (figure 7 of the algorithm paper) |
| growth-*.svg | time and memory against the parameter of each family |
| in_turn.md | one process after another replaced by its requirement, in three orders |
| claims.md | what the papers claim: confirmed or not |
| verdicts.md | what every engine and spin say, as models stand and broken; who says nothing |

Times are medians of whole processes, one after the other; they mean something on an otherwise idle machine only (the load is above). What gave no verdict or took longer than 5 s is run once, and so are `spin --always` and what is asked
for sizes only. Spin is `spin -a`, `gcc -O2 -DSAFETY` and `pan -E` with partial order reduction; a depth that was too small is not counted. A command that is not at its end five seconds after
the limit that it was told is killed, and listed as hung.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_long_is_not_repeated() {
        let mut results = results::tests::results(&["Elevator 2"]);
        let row = results.rows[0].clone();
        let is_worth_it =
            |results: &Results, mode| is_worth_it(results, &row, Variant::Plain, mode, 0);
        assert!(is_worth_it(&results, Mode::Check));
        results.add("Elevator 2", Mode::Check, 0, results::tests::answer("holds", 0.1));
        results.add("Elevator 2", Mode::Network, 0, results::tests::answer("hung", 0.1));
        results.add("Elevator 2", Mode::Spin, 0, results::tests::answer("holds", 9.0));
        assert!(is_worth_it(&results, Mode::Check));
        assert!(!is_worth_it(&results, Mode::Network) && !is_worth_it(&results, Mode::Spin));
    }
}
