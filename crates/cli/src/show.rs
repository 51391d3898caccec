//! The ways in which the result of `resy check` is shown.

use crate::Exit;
use crate::args::{Check, Format};
use crate::output::Report;
use crate::properties::Verdict;
use crate::{load, page};
use resy_export::run::{Chart, Glyphs, Run, sarif};
use std::path::Path;

/// The version, for those who read what is written.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whether a file for the chart can be written: its extension says how.
pub fn validate(check: &Check) -> Result<(), Exit> {
    match check.chart.iter().flatten().find(|file| drawn(file).is_none()) {
        Some(file) => {
            let message = "a chart is written as `.svg`, `.mmd` (Mermaid) or `.txt`";
            Err(bad_input(format!("{}: {message}", file.display())))
        }
        None => Ok(()),
    }
}

/// Writes down what was found.
pub fn finish(report: &Report<'_>) -> Result<Verdict, Exit> {
    let check = report.check;
    if let Some(file) = &check.trail {
        write_run(report, file, "trail", |run| run.trail().to_string())?;
    }
    if let Some(file) = check.chart.as_ref().and_then(Option::as_ref)
        && let Some(draw) = drawn(file)
    {
        write_run(report, file, "chart", |run| draw(&chart(check, run)))?;
    }
    if let Some(file) = &check.report {
        write(file, &page::of_check(report))?;
    }
    match format(check) {
        Format::Text => report.print(),
        Format::Json => println!("{}", report.to_json()),
        Format::Sarif => print_sarif(report),
        Format::Itf => {
            let file = check.file.display().to_string();
            print_run(report, |run| format!("{}\n", run.to_itf(&file, VERSION)));
        }
        Format::Mermaid => print_run(report, |run| chart(check, run).to_mermaid()),
    }
    Ok(report.total)
}

/// Errors in the model itself, for those who read SARIF; they are on standard error already.
pub fn complaints(check: &Check) {
    if format(check) == Format::Sarif {
        let findings = load::complaints(&check.file, &check.common, &check.properties);
        println!("{}", sarif(&findings, VERSION, false, &[]));
    }
}

fn format(check: &Check) -> Format {
    if check.json { Format::Json } else { check.format }
}

fn print_sarif(report: &Report<'_>) {
    let check = report.check;
    let mut findings = load::complaints(&check.file, &check.common, &check.properties);
    let runs = report.answers.iter().filter_map(|answer| report.run(answer));
    findings.extend(runs.map(|run| run.finding()));
    let unknown = report.answers.iter().filter(|answer| answer.verdict == Verdict::Unknown);
    let undecided = unknown.map(|answer| (answer.property.name(), answer.reason.as_deref()));
    let left_out = report.not_checked.iter().map(|n| (n.name.as_str(), Some(n.reason.as_str())));
    let notes: Vec<String> = undecided
        .chain(left_out)
        .map(|(name, why)| format!("{name}: not decided: {}", why.unwrap_or("nobody knows why")))
        .collect();
    println!("{}", sarif(&findings, VERSION, report.total != Verdict::Unknown, &notes));
}

fn first_run<'a>(report: &'a Report<'_>) -> Option<Run<'a>> {
    report.answers.iter().find_map(|answer| report.run(answer))
}

fn print_run(report: &Report<'_>, shown: impl Fn(&Run<'_>) -> String) {
    match first_run(report) {
        Some(run) => print!("{}", shown(&run)),
        None => {
            eprintln!("resy: {}: no violation, so there is no run to show", report.total.as_str())
        }
    }
}

fn write_run(
    report: &Report<'_>,
    file: &Path,
    what: &str,
    shown: impl Fn(&Run<'_>) -> String,
) -> Result<(), Exit> {
    let Some(run) = first_run(report) else {
        eprintln!("resy: no violation, so no {what} is written");
        return Ok(());
    };
    write(file, &shown(&run))
}

fn write(file: &Path, text: &str) -> Result<(), Exit> {
    std::fs::write(file, text)
        .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display())))
}

/// How a chart is drawn in a file with this name.
fn drawn(file: &Path) -> Option<fn(&Chart) -> String> {
    match file.extension()?.to_str()? {
        "svg" => Some(Chart::to_svg),
        "mmd" => Some(Chart::to_mermaid),
        "txt" => Some(|chart| chart.to_text(&Glyphs::UNICODE)),
        _ => None,
    }
}

/// The chart of a run, as much of it as is wanted.
pub fn chart(check: &Check, run: &Run<'_>) -> Chart {
    if check.common.verbose { run.whole_chart() } else { run.chart() }
}

/// The characters that the terminal knows, as its locale tells.
pub fn glyphs() -> Glyphs {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = names.iter().filter_map(|name| std::env::var(name).ok()).find(|v| !v.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
    if is_utf8 { Glyphs::UNICODE } else { Glyphs::ASCII }
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
