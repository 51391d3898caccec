//! The verdicts of every engine and of spin on every row, correct and broken.

use super::markdown::{short, text_table};
use super::mode::Mode;
use super::results::Results;
use super::run::CaseRun;
use resy_testkit::case_studies::CaseStudy;
use resy_testkit::families::Variant;

/// The answers that contradict the truth.
pub fn differences(results: &Results) -> Vec<String> {
    let is_wrong = |row: &CaseStudy, run: &&CaseRun| {
        let truth = row.truth(run.variant);
        run.mode.decides() && run.answer.decided() && run.answer.outcome != truth
    };
    let mut found = Vec::new();
    for row in &results.rows {
        let runs = results.runs.iter().filter(|run| run.row == row.name);
        found.extend(runs.filter(|run| is_wrong(row, run)).map(|run| describe(row, run)));
    }
    found
}

/// Runs without a verdict.
pub fn undecided(results: &Results) -> Vec<String> {
    let mut found = Vec::new();
    for row in &results.rows {
        let runs = results.runs.iter().filter(|run| run.row == row.name && run.mode.decides());
        found.extend(runs.filter(|run| !run.answer.decided()).map(|run| describe(row, run)));
    }
    found
}

fn describe(row: &CaseStudy, run: &CaseRun) -> String {
    let module = if run.mode.is_split() { &row.modules[run.split] } else { "" };
    let (variant, mode, outcome) = (run.variant.name(), run.mode.name(), &run.answer.outcome);
    let truth = row.truth(run.variant);
    format!(
        "{}, {variant}: {mode} {module}: {outcome} after {:.1} s (in truth it {truth})",
        row.name, run.answer.seconds
    )
}

/// The table, and the lists below it.
pub fn verdicts(results: &Results) -> String {
    let decided = results.runs.iter().filter(|run| run.mode.decides() && run.answer.decided());
    let (wrong, silent) = (differences(results), undecided(results));
    let mut text = format!(
        "# Verdicts\n\n{} verdicts, {} of them wrong; {} runs without one. With a slash: either split. \
         A ✓ is the true answer.\n\n",
        decided.count(),
        wrong.len(),
        silent.len()
    );
    let modes: Vec<Mode> = Mode::ALL.into_iter().filter(|mode| mode.decides()).collect();
    let mut headings = vec!["row", "variant", "truth"];
    headings.extend(modes.iter().map(|mode| mode.name()));
    let mut rows = Vec::new();
    for row in &results.rows {
        for variant in Variant::ALL {
            let mut cells = vec![row.name.clone(), variant.name().to_owned()];
            cells.push(row.truth(variant).to_owned());
            cells.extend(modes.iter().map(|&mode| cell(results, row, variant, mode)));
            rows.push(cells);
        }
    }
    text += &text_table(&headings, &rows);
    for (title, lines) in [("Differences", wrong), ("Without a verdict", silent)] {
        text += &format!("\n## {title}\n\n");
        text += &lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
        if lines.is_empty() {
            text += "None.\n";
        }
    }
    text
}

fn cell(results: &Results, row: &CaseStudy, variant: Variant, mode: Mode) -> String {
    let splits = if mode.is_split() { 0..2 } else { 0..1 };
    let runs = splits.map(|split| results.of_variant(row, variant, mode, split));
    let words = runs.map(|runs| match runs.outcome() {
        outcome if outcome == row.truth(variant) => "✓".to_owned(),
        outcome => short(outcome),
    });
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    words.join(" / ")
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::{answer, results};
    use super::*;

    #[test]
    fn a_wrong_answer_is_a_difference_and_silence_is_not_hidden() {
        let mut results = results(&["SW 2/1/D"]);
        results.add("SW 2/1/D", Mode::Assume, 0, answer("fails", 0.1));
        results.add("SW 2/1/D", Mode::Network, 0, answer("holds", 0.1));
        results.add("SW 2/1/D", Mode::Assume, 1, answer("the time limit was reached; so", 20.0));
        results.add("SW 2/1/D", Mode::Bisimulation, 1, answer("done", 0.1));
        let wrong = differences(&results);
        assert_eq!(wrong, ["SW 2/1/D, plain: network : holds after 0.1 s (in truth it fails)"]);
        assert_eq!(undecided(&results).len(), 1);
        let text = verdicts(&results);
        assert!(text.contains("2 verdicts, 1 of them wrong; 1 runs without one"), "{text}");
        assert!(text.contains("| SW 2/1/D | plain | fails | ✓ / time limit |"), "{text}");
        assert!(text.contains("| SW 2/1/D | broken | fails |  |"), "{text}");
    }
}
