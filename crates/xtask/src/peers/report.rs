//! The tables as Markdown.

use super::case::PeerRow;
use super::claims::claims;
use super::engine::{ENGINES, Measured, PeerEngine};
use super::growth::Growth;
use super::papers::papers;
use super::public::PublicRow;
use resy_compose::Conclusion;
use std::fmt::Write;
use std::time::Duration;

type Rows = [(PeerRow, Vec<Measured>)];

/// All that was measured.
#[derive(Default)]
pub(super) struct PeerReport {
    pub limit: Duration,
    /// The published splits.
    pub rows: Vec<(PeerRow, Vec<Measured>)>,
    /// Balanced splits, with the states of both sides.
    pub balanced: Vec<(PeerRow, (usize, usize), Vec<Measured>)>,
    pub growth: Vec<Growth>,
    pub public: Vec<PublicRow>,
}

/// A run in a few characters: states and seconds.
fn cell(measured: &Measured) -> String {
    let time = milliseconds(measured.elapsed);
    match (measured.holds(), measured.engine.finds_assumption()) {
        (true, true) => format!("{}, {time}", measured.states),
        (true, false) => time,
        (false, _) if measured.states > 0 => format!("{}, –", measured.states),
        (false, _) => "–".to_owned(),
    }
}

/// A time with three digits that count.
pub(super) fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        _ if ms < 1.0 => format!("{ms:.4}"),
        _ if ms < 100.0 => format!("{ms:.2}"),
        _ => format!("{ms:.0}"),
    }
}

/// All runs of a case in one line.
pub(super) fn line(results: &[Measured]) -> String {
    let cells = results.iter().map(|m| format!("{} {}", m.engine.name(), cell(m)));
    cells.collect::<Vec<_>>().join("; ")
}

impl PeerReport {
    /// Whether no engine was wrong.
    pub(super) fn is_right(&self) -> bool {
        let own = self.rows.iter().map(|(_, results)| results);
        let mut all = own.chain(self.balanced.iter().map(|(_, _, results)| results)).flatten();
        all.all(Measured::is_right) && self.public.iter().all(PublicRow::is_consistent)
    }

    /// The whole report.
    pub(super) fn markdown(&self) -> String {
        let mut text = format!(
            "# Learned and abstracted assumptions: the papers' tables, and ours\n\n\
             `xtask peers`, limit {} s of processor time for each run, the shortest of several short runs; each engine in a process of its own. A cell is `states, milliseconds`; `–` is the\n\
             limit, with the states reached until then. The models are our own (heads of `models/case_studies/*.lts`):\n\
             published sizes are of other models, and published times, in seconds, of other machines. Every assumption that holds is\n\
             certified in today's format (tests).\n\n",
            self.limit.as_secs()
        );
        let rows = &self.rows;
        verdicts(rows, &mut text);
        papers(rows, &self.balanced, &mut text);
        all_engines("All engines, published splits", rows, &mut text);
        queries(rows, &mut text);
        memory(rows, &mut text);
        self.balanced_table(&mut text);
        growth_table(&self.growth, &mut text);
        self.public_table(&mut text);
        let results: Vec<&[Measured]> = rows.iter().map(|(_, results)| &results[..]).collect();
        claims(&results, &mut text);
        text
    }

    fn balanced_table(&self, text: &mut String) {
        if self.balanced.is_empty() {
            return;
        }
        let rows: Vec<(PeerRow, Vec<Measured>)> =
            self.balanced.iter().map(|(row, _, results)| (row.clone(), results.clone())).collect();
        all_engines("Balanced splits (CAV 2008, table 2)", &rows, text);
        *text += "States of the environment with the property, and of the module: ";
        let sizes = self.balanced.iter().map(|(row, (e, m), _)| format!("{} {e}, {m}", name(row)));
        *text += &sizes.collect::<Vec<_>>().join("; ");
        *text += ".\n\n";
    }

    fn public_table(&self, text: &mut String) {
        if self.public.is_empty() {
            return;
        }
        let n = self.public.len();
        let _ = writeln!(
            text,
            "## Public models in FSP\n\n{n} safety properties of composites with two components or more; the module is the component with\n\
             most states. Decided within {} s, and the median of the milliseconds where decided.\n\n| engine | decided | median ms |\n|---|--:|--:|",
            self.limit.as_secs()
        );
        for (i, engine) in ENGINES.iter().enumerate() {
            let results = self.public.iter().map(|row| &row.results[i]);
            let decided = results.filter(|measured| measured.verdict != Conclusion::Interrupted);
            let mut times: Vec<f64> = decided.map(|m| m.elapsed.as_secs_f64() * 1e3).collect();
            times.sort_by(f64::total_cmp);
            let median = times.get(times.len() / 2).map_or(String::new(), |ms| format!("{ms:.3}"));
            let _ = writeln!(text, "| {} | {} | {median} |", engine.name(), times.len());
        }
        let open = self.public.iter().filter(|row| {
            row.results.iter().any(|measured| measured.verdict == Conclusion::Interrupted)
        });
        *text += "\nNot decided by all:\n\n";
        for PublicRow { name, module, results } in open {
            let undecided = results.iter().filter(|m| m.verdict == Conclusion::Interrupted);
            let names: Vec<String> = undecided.map(|m| m.engine.name()).collect();
            let _ = writeln!(text, "- {name} ({module}): {}", names.join(", "));
        }
        *text += "\n";
    }
}

/// Kilobytes of each run.
fn memory(rows: &Rows, text: &mut String) {
    *text += "## Memory\n\nKilobytes that the first run took beyond the process with its model, as the kernel counts pages.\n\n";
    heading(&ENGINES.iter().map(|engine| engine.name()).collect::<Vec<_>>(), text);
    for (row, results) in rows {
        let cell = |measured: &Measured| measured.memory.map_or(String::new(), |kb| kb.to_string());
        let cells: Vec<String> = results.iter().map(cell).collect();
        let _ = writeln!(text, "| {} | {} |", name(row), cells.join(" | "));
    }
    *text += "\n";
}

pub(super) fn name(row: &PeerRow) -> String {
    format!("{} {} {}", row.name().trim_end_matches(".lts"), row.size, row.property)
}

pub(super) fn heading(columns: &[String], text: &mut String) {
    let _ = writeln!(text, "| case | {} |", columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
}

pub(super) fn of(results: &[Measured], engine: PeerEngine) -> Option<&Measured> {
    results.iter().find(|measured| measured.engine == engine)
}

fn all_engines(title: &str, rows: &Rows, text: &mut String) {
    let _ = writeln!(text, "## {title}\n");
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
    *text += "## Growth\n\nMilliseconds at each size, until the limit.\n\n| family | engine | milliseconds |\n|---|---|---|\n";
    for Growth { family, engine, sizes } in growth {
        let cell = |(size, measured): &(usize, Measured)| match measured.holds() {
            true => format!("{size}: {}", milliseconds(measured.elapsed)),
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
    let (mut slower, mut checked) = (Vec::new(), Vec::new());
    for (row, results) in rows {
        let Some(ours) = of(results, PeerEngine::Ours).filter(|m| m.holds()) else { continue };
        let all = assumptions(results);
        smallest += usize::from(all.iter().all(|m| ours.states <= m.states.min(m.image)));
        let Some(first) = all.iter().min_by_key(|m| m.elapsed) else { continue };
        let best = first.elapsed;
        if ours.elapsed > best {
            let factor = ours.elapsed.as_secs_f64() / best.as_secs_f64();
            slower.push(format!("{} {factor:.2} ({})", name(row), first.engine.name()));
        }
        fastest += usize::from(ours.elapsed <= best);
        within += usize::from(ours.elapsed <= best * 2);
        let checks = results.iter().filter(|m| !m.engine.finds_assumption() && m.holds());
        if checks.map(|m| m.elapsed).min().is_some_and(|t| t < best) {
            check_faster += 1;
            checked.push(name(row));
        }
    }
    let listed = |names: Vec<String>| match names.is_empty() {
        true => String::new(),
        false => format!(": {}", names.join(", ")),
    };
    let (slower, names) = (listed(slower), listed(checked));
    let n = rows.len();
    let _ = writeln!(
        text,
        "## What the tables say\n\n\
         - Ours has the smallest assumption in {smallest} of {n} rows (against states and certified images of all others).\n\
         - Ours is the fastest assumption engine in {fastest} of {n} rows, within twice the fastest in {within}; slower by a factor{slower}.\n\
         - A plain check is faster than every assumption engine in {check_faster} of {n} rows{names}."
    );
    *text += "\n";
}
