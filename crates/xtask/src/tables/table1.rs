//! Table 1 of the tool paper with our numbers, the published ones below each row, and both splits.

use super::markdown::{NOTHING, count, mb, ms, number, percent, table, text, times};
use super::mode::Mode;
use super::results::Results;
use resy_testkit::case_studies::{CaseStudy, Cost, Published};

const HEADINGS: [&str; 19] = [
    "row",
    "M",
    "E",
    "A",
    "min A",
    "assume t",
    "m",
    "CMC t",
    "m",
    "R10% t",
    "m",
    "check t",
    "m",
    "spin -a",
    "gcc",
    "pan",
    "spin t",
    "m",
    "spin / check",
];

const TABLE_1: &str = "\
# Table 1

Each row twice: our figures, and *in italics* those of the tool paper (TACAS 2008; Pentium M, 2.13 GHz). M, E and A are the states of the module, its
environment and the requirement, *min A* the same with `--minimize`. Times (t) are medians in milliseconds of a whole process, memory (m) is the peak in megabytes: resy's own account, for spin
the resident set of `pan`, and for R10% that of all programs on the way if spin was called. *CMC* is `check --engine requirement`, *R10%* `spin --threshold 10%`, *check* what a user
types. Spin alone is split into `spin -a`, the compiler and `pan`.

The original models are not public; ours are written from the papers' descriptions. So sizes differ. Where they do, it is for reasons that the heads of the models
name (`models/case_studies`), and because of how a program is cut: our modules have no states between the parts of an atomic statement, and shared variables go to the process that
writes them. For properties that the other process alone can violate (B, D) the requirement says nothing, and has one or two states; for A and C see
`algorithm_paper.md`.

";

/// The papers' splits.
pub fn table1(results: &Results) -> String {
    let mut rows = Vec::new();
    for row in &results.rows {
        rows.push(measured(results, row));
        rows.extend(row.published.as_ref().map(published));
    }
    format!("{TABLE_1}{}", table(&HEADINGS, &rows))
}

fn measured(results: &Results, row: &CaseStudy) -> Vec<String> {
    let of = |mode: Mode| results.of(row, mode, 0);
    let (assume, spin, check) = (of(Mode::Assume), of(Mode::Spin), of(Mode::Check));
    let mut cells = vec![row.name.clone()];
    cells.extend(sizes(results, row, 0));
    for runs in [&assume, &of(Mode::Requirement), &of(Mode::Threshold), &check] {
        cells.extend([ms(runs), mb(runs)]);
    }
    cells.extend(
        [0, 1, 2].map(|step| spin.step(step).map_or(NOTHING.to_owned(), |s| number(s * 1e3))),
    );
    cells.extend([ms(&spin), mb(&spin)]);
    let ratio = spin.seconds().zip(check.seconds()).map(|(spin, check)| spin / check);
    cells.push(times(ratio));
    cells
}

/// The sizes of M, E, A and the minimised A.
fn sizes(results: &Results, row: &CaseStudy, split: usize) -> [String; 4] {
    let assume = results.of(row, Mode::Assume, split);
    let first = assume.first();
    [
        count(first.and_then(|answer| answer.module)),
        text(first.map_or("", |answer| &answer.environment)),
        count(assume.requirement()),
        count(results.of(row, Mode::Minimise, split).requirement()),
    ]
}

fn published(row: &Published) -> Vec<String> {
    let slanted = |text: String| format!("*{text}*");
    let cost = |cost: Cost| [slanted(number(cost.ms)), slanted(cost.mb.to_string())];
    let mut cells = vec!["*published*".to_owned()];
    cells.extend([row.m, row.e, row.a].map(|states| slanted(states.to_string())));
    cells.push(String::new());
    cells.extend([row.assume, row.cmc, row.r10].into_iter().flat_map(cost));
    cells.extend(std::iter::repeat_n(String::new(), 5));
    cells.extend(cost(row.spin));
    // The only stand-alone checker of the paper is CMC.
    cells.push(slanted(format!("{}×", number(row.spin.ms / row.cmc.ms))));
    cells
}

const SPLITS: &str = "\
# Both splits

Either process of each row as the module; the first is the paper's. Columns as in `table1.md`; *steps* are refinements of `assume`. An environment of several components has
their sizes with crosses between.

";

/// The sizes with each process as the module.
pub fn splits(results: &Results) -> String {
    let headings = [
        "row", "module", "M", "E", "A", "min A", "A / M", "steps", "assume t", "m", "CMC t", "m",
        "R10% t", "m",
    ];
    let mut rows = Vec::new();
    for row in &results.rows {
        for (split, module) in row.modules.iter().enumerate() {
            let of = |mode: Mode| results.of(row, mode, split);
            let assume = of(Mode::Assume);
            let mut cells = vec![row.name.clone(), module.clone()];
            cells.extend(sizes(results, row, split));
            cells.push(assume.share().map_or(NOTHING.to_owned(), percent));
            cells.push(count(assume.first().and_then(|answer| answer.refinements)));
            for runs in [&assume, &of(Mode::Requirement), &of(Mode::Threshold)] {
                cells.extend([ms(runs), mb(runs)]);
            }
            rows.push(cells);
        }
    }
    format!("{SPLITS}{}", table(&headings, &rows))
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::{answer, results};
    use super::*;
    use crate::tables::run::CaseAnswer;

    #[test]
    fn our_figures_stand_above_the_published() {
        let mut results = results(&["SW 2/1/A"]);
        results.add("SW 2/1/A", Mode::Assume, 0, answer("holds", 0.02));
        results.add("SW 2/1/A", Mode::Check, 0, answer("holds", 0.01));
        let spin = CaseAnswer { spin: Some([0.1, 0.8, 0.1]), ..answer("holds", 1.0) };
        results.add("SW 2/1/A", Mode::Spin, 0, spin);
        results.add("SW 2/1/A", Mode::Requirement, 0, answer("hung", 25.0));
        let text = table1(&results);
        let ours = "| SW 2/1/A | 100 | 50 | 4 | – | 20.0 | 5.00 | hung | – | – | – | 10.0 | 5.00 \
                    | 100 | 800 | 100 | 1000 | 5.00 | 100× |";
        assert!(text.contains(ours), "{text}");
        let theirs = "| *published* | *48* | *26* | *3* |  | *86.0* | *0.4* | *86.0* | *0.3* | *86.0* | *0.4* \
                      |  |  |  |  |  | *1149* | *2.7* | *13.4×* |";
        assert!(text.contains(theirs), "{text}");
    }

    #[test]
    fn a_row_has_a_line_for_either_module() {
        let mut results = results(&["Elevator 2"]);
        results.add("Elevator 2", Mode::Assume, 1, answer("holds", 0.5));
        let text = splits(&results);
        assert!(text.contains("| Elevator 2 | Controller | – |"), "{text}");
        assert!(text.contains("| Elevator 2 | Cabin | 100 | 50 | 4 | – | 4.00 % | 30 | 500 |"));
    }
}
