//! Rows of LTSA's answers, each compared with what the command says.

use super::answers::FspAnswer;
use crate::args::TaskFailure;
use crate::parallel::{LoopControl, for_each};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What LTSA says about a composite.
#[derive(Clone, Debug, Default)]
pub(super) struct LtsaRow {
    file: String,
    composite: String,
    /// `ok`, `violated`, `deadlock`, `REJECTED`, or that there is no answer.
    verdict: String,
    /// States and transitions.
    pub(super) sizes: Option<(u64, u64)>,
    /// Assertions with their verdicts.
    assertions: Vec<(String, String)>,
    /// The progress properties that LTSA names as violated, if it was asked.
    violated_progress: Option<Vec<String>>,
}

impl LtsaRow {
    pub(super) fn question(file: String, composite: String) -> Self {
        Self { file, composite, ..Self::default() }
    }

    /// A row of a table: file, composite, verdict, sizes, and cells with `=`.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, composite, verdict, rest @ ..] = &cells[..] else { return None };
        let number = |i: usize| rest.get(i).and_then(|cell| cell.parse().ok());
        let mut row = Self::question((*file).to_owned(), (*composite).to_owned());
        row.verdict = (*verdict).to_owned();
        row.sizes = number(0).zip(number(1));
        for (name, verdict) in rest.iter().filter_map(|cell| cell.split_once('=')) {
            match name.strip_prefix("progress") {
                None => row.assertions.push((name.to_owned(), verdict.to_owned())),
                Some(name) => {
                    let violated = row.violated_progress.get_or_insert_default();
                    violated.extend((!name.is_empty()).then(|| name.trim().to_owned()));
                }
            }
        }
        Some(row)
    }

    pub(super) fn as_question(&self) -> String {
        format!("{}\t{}\n", self.file, self.composite)
    }

    /// Takes what another table says about progress.
    pub(super) fn take_progress(&mut self, others: &[Self]) {
        let same = |other: &&Self| other.file == self.file && other.composite == self.composite;
        self.violated_progress = others.iter().find(same).and_then(|o| o.violated_progress.clone());
    }
}

/// How many answers are equal, and which are not.
#[derive(Default)]
pub(super) struct Comparison {
    rows: usize,
    equal: usize,
    /// Rows whose states and transitions are equal as well.
    equal_sizes: usize,
    /// Rows that are `ok`, but `minimal` makes LTSA's numbers smaller.
    minimal: usize,
    /// Rows with more transitions: of hidden actions between the same states LTSA counts one.
    hidden: usize,
    assertions: usize,
    assertions_without_answer: usize,
    progress: usize,
    different: Vec<String>,
    refused: Vec<String>,
    /// What LTSA has not decided, and what resy says.
    ours: Vec<String>,
}

impl Comparison {
    pub(super) fn is_agreement(&self) -> bool {
        self.different.is_empty() && self.refused.is_empty()
    }

    pub(super) fn report(&self) -> String {
        let mut text = format!(
            "- {} rows: {} verdicts equal, {} different, {} refused, {} without LTSA's answer\n\
             - states and transitions equal in {} `ok` rows; {} more have `minimal`, which the command does not apply; in {} \
             the states are equal, and of several hidden actions between two states LTSA counts one\n\
             - {} assertions equal ({} without LTSA's answer), {} composites with equal progress\n",
            self.rows,
            self.equal,
            self.different.len(),
            self.refused.len(),
            self.ours.len(),
            self.equal_sizes,
            self.minimal,
            self.hidden,
            self.assertions,
            self.assertions_without_answer,
            self.progress,
        );
        let lists =
            [("Different", &self.different), ("Refused", &self.refused), ("Ours", &self.ours)];
        for (title, lines) in lists.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            let _ = writeln!(text, "\n{title}:\n");
            lines.iter().for_each(|line| text += &format!("- {line}\n"));
            text.push('\n');
        }
        text
    }
}

/// Compares all rows.
pub(super) fn compare(
    resy: &Path,
    folder: &Path,
    rows: &[LtsaRow],
    jobs: usize,
) -> Result<Comparison, TaskFailure> {
    let resy = resy.canonicalize().map_err(|e| TaskFailure::new(format!("--resy: {e}")))?;
    let comparison = Mutex::new(Comparison::default());
    for_each(rows, jobs, |row| {
        let mut one = Comparison { rows: 1, ..Comparison::default() };
        let comparer = Comparer { resy: &resy, folder, row };
        match row.composite.as_str() {
            "?" => comparer.others(rows, &mut one)?,
            _ => comparer.compare(&mut one)?,
        }
        comparison.lock().unwrap_or_else(PoisonError::into_inner).add(one);
        Ok::<_, TaskFailure>(LoopControl::Continue)
    })?;
    let mut comparison = comparison.into_inner().unwrap_or_else(PoisonError::into_inner);
    for lines in [&mut comparison.different, &mut comparison.refused, &mut comparison.ours] {
        lines.sort();
    }
    Ok(comparison)
}

impl Comparison {
    fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.equal += other.equal;
        self.equal_sizes += other.equal_sizes;
        self.minimal += other.minimal;
        self.hidden += other.hidden;
        self.assertions += other.assertions;
        self.assertions_without_answer += other.assertions_without_answer;
        self.progress += other.progress;
        self.different.extend(other.different);
        self.refused.extend(other.refused);
        self.ours.extend(other.ours);
    }
}

/// Whether only transitions differ, and ours are more.
fn is_hidden(ours: (u64, u64), ltsas: (u64, u64)) -> bool {
    ours.0 == ltsas.0 && ours.1 > ltsas.1
}

/// One row.
struct Comparer<'a> {
    resy: &'a Path,
    folder: &'a Path,
    row: &'a LtsaRow,
}

impl Comparer<'_> {
    fn ask(&self, composite: &str, options: &[&str]) -> Result<FspAnswer, TaskFailure> {
        FspAnswer::of(self.resy, self.folder, &self.row.file, Some(composite), options)
    }

    fn compare(&self, found: &mut Comparison) -> Result<(), TaskFailure> {
        let LtsaRow { file, composite, verdict, sizes, .. } = self.row;
        let answer = self.ask(composite, &["--engine", "monolithic"])?;
        let ours = answer.verdict();
        let what = format!("`{file}`, {composite}");
        if verdict.starts_with("TIMEOUT") {
            found.ours.push(format!("{what}: {ours}"));
            return Ok(());
        }
        match (ours == verdict, ours) {
            (true, _) => found.equal += 1,
            (false, "REJECTED") => {
                found.refused.push(format!("{what}: {} (LTSA: {verdict})", answer.message()));
            }
            (false, _) => found.different.push(format!("{what}: {ours}, LTSA: {verdict}")),
        }
        if ours == "REJECTED" {
            return Ok(());
        }
        if let (Some(sizes), "ok", "ok") = (sizes, ours, verdict.as_str()) {
            match answer.sizes() == *sizes {
                true => found.equal_sizes += 1,
                false if self.has("minimal") => found.minimal += 1,
                false if is_hidden(answer.sizes(), *sizes) && (self.has("\\") || self.has("@")) => {
                    found.hidden += 1;
                }
                false => {
                    let ours = answer.sizes();
                    found.different.push(format!("{what}: sizes {ours:?}, LTSA: {sizes:?}"));
                }
            }
        }
        self.temporal(found)
    }

    /// Whether the text has a word.
    fn has(&self, word: &str) -> bool {
        let text = std::fs::read(self.folder.join(&self.row.file)).unwrap_or_default();
        String::from_utf8_lossy(&text).contains(word)
    }

    /// Assertions and progress.
    fn temporal(&self, found: &mut Comparison) -> Result<(), TaskFailure> {
        let LtsaRow { file, composite, verdict, assertions, violated_progress, .. } = self.row;
        if assertions.is_empty() && violated_progress.is_none() {
            return Ok(());
        }
        let call = ["--engine", "monolithic", "--all-properties", "--exhaustive"];
        let answer = self.ask(composite, &call)?;
        for (name, verdict) in assertions {
            let ours = answer.on(name);
            // If the composite itself is wrong, LTSA calls every safety formula violated.
            let is_about_it = verdict != "?" && (self.row.verdict == "ok" || verdict == "holds");
            match !is_about_it {
                true => found.assertions_without_answer += 1,
                false if ours == verdict => found.assertions += 1,
                false => found
                    .different
                    .push(format!("`{file}`, {composite}: {name} {ours}, LTSA: {verdict}")),
            }
        }
        // LTSA reports the first terminal set with a violation.
        let ours = answer.progress();
        let is_ok = verdict == "ok";
        let Some(violated) = violated_progress.as_ref().filter(|_| is_ok) else { return Ok(()) };
        let named = |name: &str| violated.iter().any(|other| other == name);
        let is_equal = match violated.is_empty() {
            true => ours.iter().all(|(_, holds)| *holds),
            false => {
                ours.iter().any(|(_, holds)| !holds)
                    && ours.iter().all(|(name, holds)| !holds || !named(name))
            }
        };
        match is_equal || ours.is_empty() {
            true => found.progress += usize::from(!ours.is_empty()),
            false => found
                .different
                .push(format!("`{file}`, {composite}: progress {ours:?}, LTSA names {violated:?}")),
        }
        Ok(())
    }

    /// The composites of a file that LTSA has no answer for.
    fn others(&self, rows: &[LtsaRow], found: &mut Comparison) -> Result<(), TaskFailure> {
        let text = std::fs::read(self.folder.join(&self.row.file))?;
        let text = String::from_utf8_lossy(&text);
        let starts = text.lines().filter_map(|line| line.split_once("||"));
        let names = starts.filter(|(before, _)| {
            let words = before.split_whitespace();
            { words }
                .all(|word| ["minimal", "deterministic", "compose", "property"].contains(&word))
        });
        let name = |(_, after): (&str, &str)| {
            let end = after.trim().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
            end.unwrap_or("").to_owned()
        };
        let known = rows.iter().filter(|row| row.file == self.row.file);
        let known: BTreeSet<&str> = known.map(|row| row.composite.as_str()).collect();
        let is_name = |name: &String| name.starts_with(|c: char| c.is_ascii_uppercase());
        let all: BTreeSet<String> = names.map(name).filter(is_name).collect();
        for composite in all.iter().filter(|name| !known.contains(name.as_str())) {
            let answer = self.ask(composite, &[])?;
            let (verdict, sizes) = (answer.verdict(), answer.sizes());
            if answer.message().contains("is not defined") {
                // A word in a comment.
                continue;
            }
            let because = if verdict == "REJECTED" { answer.message() } else { "" };
            let file = &self.row.file;
            found.ours.push(format!("`{file}`, {composite}: {verdict}, {sizes:?} {because}"));
        }
        Ok(())
    }
}
