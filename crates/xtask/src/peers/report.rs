//! The tables as Markdown.

use super::case::PeerRow;
use super::engine::{ENGINES, Measured, PeerEngine};
use super::growth::Growth;
use super::published::PUBLISHED;
use resy_compose::agar::AgarEdges;
use resy_compose::alphabet::{AlphabetChoice, AlphabetStart};
use std::fmt::Write;
use std::time::Duration;

type Rows = [(PeerRow, Vec<Measured>)];

/// The columns of the papers' first tables.
const PAPERS: [PeerEngine; 6] = [
    PeerEngine::Table(AlphabetChoice::Whole, AlphabetStart::Property, false),
    PeerEngine::Table(AlphabetChoice::Backward, AlphabetStart::Property, false),
    PeerEngine::Table(AlphabetChoice::Forward, AlphabetStart::Property, false),
    PeerEngine::Table(AlphabetChoice::AllDiff, AlphabetStart::Property, false),
    PeerEngine::Agar(AgarEdges::Closure, AlphabetChoice::Whole),
    PeerEngine::Agar(AgarEdges::Closure, AlphabetChoice::Backward),
];

/// A run in a few characters: states and seconds.
fn cell(measured: &Measured) -> String {
    let seconds = measured.elapsed.as_secs_f64();
    match (measured.holds(), measured.engine.finds_assumption()) {
        (true, true) => format!("{}, {seconds:.3}", measured.states),
        (true, false) => format!("{seconds:.3}"),
        (false, _) if measured.states > 0 => format!("{}, –", measured.states),
        (false, _) => "–".to_owned(),
    }
}

/// All runs of a case in one line.
pub(super) fn line(results: &[Measured]) -> String {
    let cells = results.iter().map(|m| format!("{} {}", m.engine.name(), cell(m)));
    cells.collect::<Vec<_>>().join("; ")
}

/// The whole report.
pub(super) fn markdown(rows: &Rows, growth: &[Growth], limit: Duration) -> String {
    let mut text = format!(
        "# Learned and abstracted assumptions: the papers' tables, and ours\n\n\
         `xtask peers`, limit {} s for each run. A cell is `states, seconds`; `–` is the limit, with the states reached\n\
         until then. The models are our own (heads of `models/case_studies/*.lts`): published sizes are of other models, and\n\
         published seconds of other machines. Certified in today's format: every assumption that holds (tests).\n\n",
        limit.as_secs()
    );
    against_papers(rows, &mut text);
    all_engines(rows, &mut text);
    queries(rows, &mut text);
    growth_table(growth, &mut text);
    verdicts(rows, &mut text);
    text
}

fn name(row: &PeerRow) -> String {
    format!("{} {} {}", row.file.trim_end_matches(".lts"), row.size, row.property)
}

fn heading(columns: &[String], text: &mut String) {
    let _ = writeln!(text, "| case | {} |", columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
}

/// Our runs of the papers' engines, with the published figures below each.
fn against_papers(rows: &Rows, text: &mut String) {
    *text += "## The papers' engines (TACAS 2007, table 1; CAV 2008, table 1)\n\n";
    heading(&PAPERS.map(PeerEngine::name), text);
    for (row, results) in rows {
        let cells = PAPERS.map(|engine| of(results, engine).map_or_else(String::new, cell));
        let _ = writeln!(text, "| {} | {} |", name(row), cells.join(" | "));
        let is_it = |p: &&super::published::Published| {
            (p.file, p.size, p.property) == (&*row.file, &*row.size, &*row.property)
        };
        if let Some(published) = PUBLISHED.iter().find(is_it) {
            let figure = |(states, seconds): &(u32, Option<f64>)| match seconds {
                Some(seconds) => format!("{states}, {seconds:.2}"),
                None => format!("{states}, –"),
            };
            let cells: Vec<String> = published.figures.iter().map(figure).collect();
            let _ = writeln!(text, "| *published* | {} |", cells.join(" | "));
        }
    }
    *text += "\n";
}

fn of(results: &[Measured], engine: PeerEngine) -> Option<&Measured> {
    results.iter().find(|measured| measured.engine == engine)
}

fn all_engines(rows: &Rows, text: &mut String) {
    *text += "## All engines\n\n";
    let columns: Vec<String> = ENGINES.iter().map(|engine| engine.name()).collect();
    heading(&columns, text);
    for (row, results) in rows {
        let cells: Vec<String> = results.iter().map(cell).collect();
        let _ = writeln!(text, "| {} | {} |", name(row), cells.join(" | "));
    }
    *text += "\n";
}

fn queries(rows: &Rows, text: &mut String) {
    *text += "## Queries, alphabets and certified images\n\n\
              A cell is membership queries, hypotheses; actions of the alphabet; states of the certified image.\n\n";
    let engines: Vec<PeerEngine> =
        ENGINES.iter().copied().filter(|e| e.finds_assumption()).collect();
    heading(&engines.iter().map(|engine| engine.name()).collect::<Vec<_>>(), text);
    for (row, results) in rows {
        let cell = |measured: &Measured| match (measured.holds(), measured.queries) {
            (false, _) => "–".to_owned(),
            (true, Some((words, hypotheses))) => {
                format!("{words}, {hypotheses}; {}; {}", measured.letters, measured.image)
            }
            (true, None) => format!("{}; {}", measured.letters, measured.image),
        };
        let assumptions = results.iter().filter(|measured| measured.engine.finds_assumption());
        let cells: Vec<String> = assumptions.map(cell).collect();
        let _ = writeln!(text, "| {} | {} |", name(row), cells.join(" | "));
    }
    *text += "\n";
}

fn growth_table(growth: &[Growth], text: &mut String) {
    if growth.is_empty() {
        return;
    }
    *text += "## Growth\n\nSeconds at each size, until the limit.\n\n| family | engine | seconds |\n|---|---|---|\n";
    for Growth { family, engine, sizes } in growth {
        let cell = |(size, measured): &(usize, Measured)| match measured.holds() {
            true => format!("{size}: {:.3}", measured.elapsed.as_secs_f64()),
            false => format!("{size}: –"),
        };
        let cells: Vec<String> = sizes.iter().map(cell).collect();
        let _ = writeln!(text, "| {family} | {} | {} |", engine.name(), cells.join(", "));
    }
    *text += "\n";
}

/// What the tables say about our own engine, and about the papers' claims.
fn verdicts(rows: &Rows, text: &mut String) {
    let assumptions = |results: &[Measured]| -> Vec<Measured> {
        results.iter().filter(|m| m.engine.finds_assumption() && m.holds()).cloned().collect()
    };
    let (mut smallest, mut fastest, mut within, mut check_faster) = (0, 0, 0, 0);
    for (_, results) in rows {
        let Some(ours) = of(results, PeerEngine::Ours).filter(|m| m.holds()) else { continue };
        let all = assumptions(results);
        smallest += usize::from(all.iter().all(|m| ours.states <= m.states.min(m.image)));
        let best = all.iter().map(|m| m.elapsed).min().unwrap_or_default();
        fastest += usize::from(ours.elapsed <= best);
        within += usize::from(ours.elapsed <= best * 2);
        let checks = results.iter().filter(|m| !m.engine.finds_assumption() && m.holds());
        check_faster += usize::from(checks.map(|m| m.elapsed).min().is_some_and(|t| t < best));
    }
    let n = rows.len();
    let _ = writeln!(
        text,
        "## What the tables say\n\n\
         - Ours has the smallest assumption in {smallest} of {n} rows (against states and certified images of all others).\n\
         - Ours is the fastest assumption engine in {fastest} of {n} rows, within twice the fastest in {within}.\n\
         - A plain check is faster than every assumption engine in {check_faster} of {n} rows."
    );
    let [none, backward, forward, all_diff, agar, agar_alphabet] = PAPERS;
    let claims = [
        (
            "alphabet refinement (backward) makes assumptions no larger than L* with the whole interface",
            backward,
            none,
        ),
        ("backward is no larger than forward", backward, forward),
        ("backward is no larger than all differences", backward, all_diff),
        ("AGAR is no larger than L*", agar, none),
        ("AGAR with alphabet refinement is no larger than AGAR", agar_alphabet, agar),
        ("AGAR with alphabet refinement is no larger than L* with it", agar_alphabet, backward),
    ];
    for (claim, one, other) in claims {
        let both = rows.iter().filter_map(|(_, results)| {
            let (one, other) = (of(results, one)?, of(results, other)?);
            one.holds().then_some((one.states, other.states, other.holds()))
        });
        let both: Vec<_> = both.collect();
        let n_true = both.iter().filter(|(a, b, decided)| a <= b || !decided).count();
        let _ = writeln!(text, "- Claim: {claim}. True in {n_true} of {} rows here.", both.len());
    }
}
