//! LTSA's verdicts: on our models, and on the public ones if they are at hand.
//!
//! The public models are not part of this repository. `RESY_FSP_MODELS` names a folder with
//! them and with `verdicts-dev.tsv` (file, composite, verdict, states, transitions, machines,
//! properties, assertions); without it there is nothing to compare.

use crate::analysis::{Verdict, analyse};
use crate::composed::own_folder;
use resy_fsp::{ComposeOptions, ElaborationLimits, read};
use std::path::Path;

/// States of a product that are explored.
const LIMIT: usize = 2_000_000;

/// How the rows of a table compare.
#[derive(Default)]
struct Comparison {
    equal: usize,
    different: Vec<String>,
    refused: Vec<String>,
    /// Rows without an answer of LTSA.
    undecided: usize,
}

impl Comparison {
    fn is_agreement(&self) -> bool {
        self.different.is_empty() && self.refused.is_empty()
    }
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { equal, different, refused, undecided } = self;
        let (n_different, n_refused) = (different.len(), refused.len());
        write!(
            f,
            "{equal} equal, {n_different} different, {n_refused} refused, {undecided} undecided by LTSA"
        )?;
        different.iter().chain(refused).try_for_each(|line| write!(f, "\n{line}"))
    }
}

/// Compares all rows of a table; the sizes only where `minimal` is applied as in LTSA.
fn compare(folder: &Path, table: &str, minimise: bool) -> Comparison {
    let rows = std::fs::read_to_string(folder.join(table)).expect("the table can be read");
    let mut comparison = Comparison::default();
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (file, composite, expected) = (cells[0], cells[1], cells[2]);
        if composite == "?" {
            comparison.undecided += 1;
            continue;
        }
        let bytes = std::fs::read(folder.join(file)).expect("the model can be read");
        let text = String::from_utf8_lossy(&bytes);
        let limits = ElaborationLimits { minimise, ..ElaborationLimits::default() };
        let options = ComposeOptions { composite: Some(composite.to_owned()), limits };
        let (composition, diagnostics) = read(&text, &options);
        let Some(composition) = composition else {
            let first = diagnostics.iter().find(|d| d.code.as_str().starts_with('E'));
            let first = first.map(|d| d.short(&text)).unwrap_or_default();
            match expected {
                "REJECTED" => comparison.equal += 1,
                _ => comparison.refused.push(format!("{file} {composite}: {first}")),
            }
            continue;
        };
        let analysis = analyse(&composition, LIMIT);
        let verdict = match analysis.verdict {
            Verdict::Ok => "ok",
            Verdict::Violated => "violated",
            Verdict::Deadlock => "deadlock",
            Verdict::TooLarge => "too large",
        };
        let sizes = format!("{}\t{}", analysis.n_states, analysis.n_transitions);
        let expected_sizes = cells.get(3..5).unwrap_or_default().join("\t");
        if verdict != expected || minimise && expected == "ok" && sizes != expected_sizes {
            let line =
                format!("{file} {composite}: {verdict} {sizes}, LTSA: {expected} {expected_sizes}");
            comparison.different.push(line);
        } else {
            comparison.equal += 1;
        }
    }
    comparison
}

#[test]
fn our_models_have_the_verdicts_and_sizes_that_ltsa_gives() {
    let comparison = compare(&own_folder(), "truth.tsv", true);
    assert!(comparison.is_agreement() && comparison.equal > 50, "{comparison}");
}

#[test]
fn without_minimal_the_verdicts_are_the_same() {
    let comparison = compare(&own_folder(), "truth.tsv", false);
    assert!(comparison.is_agreement(), "{comparison}");
}

#[test]
fn the_public_models_have_the_verdicts_and_sizes_that_ltsa_gives() {
    let Some(folder) = std::env::var_os("RESY_FSP_MODELS") else { return };
    for minimise in [true, false] {
        let comparison = compare(Path::new(&folder), "verdicts-dev.tsv", minimise);
        println!("{comparison}");
        assert!(comparison.is_agreement());
    }
}
