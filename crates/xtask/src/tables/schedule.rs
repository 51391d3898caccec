//! Which rows are measured, and the order of the runs: row by row, modes alternating.

use super::mode::Mode;
use crate::args::TaskFailure;
use resy_testkit::case_studies::CaseStudy;
use resy_testkit::families::Variant;
use std::collections::BTreeSet;

/// The selected rows: the papers', all, the smallest of each family, or those that are named.
pub fn select(
    mut rows: Vec<CaseStudy>,
    names: &[String],
    quick: bool,
    all: bool,
) -> Result<Vec<CaseStudy>, TaskFailure> {
    if let Some(name) = names.iter().find(|name| rows.iter().all(|row| row.name != **name)) {
        return Err(TaskFailure::new(format!("--only: no row is called {name}")));
    }
    if !names.is_empty() {
        rows.retain(|row| names.contains(&row.name));
    } else if quick {
        let mut seen = BTreeSet::new();
        rows.retain(|row| seen.insert(row.family()));
    } else if !all {
        rows.retain(CaseStudy::is_in_a_paper);
    }
    Ok(rows)
}

/// A run that is scheduled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Job {
    /// The index of the row.
    pub row: usize,
    /// The variant of the row.
    pub variant: Variant,
    /// The mode.
    pub mode: Mode,
    /// The index of the module.
    pub split: usize,
    /// The number of the run, from 1.
    pub run: usize,
}

/// All runs: row by row, and alternating modes on each row.
pub fn jobs(rows: &[CaseStudy], runs: usize, quick: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        for (variant, run) in
            (1..=runs).map(|run| (Variant::Plain, run)).chain([(Variant::Broken, 1)])
        {
            for mode in Mode::ALL {
                let is_asked = match variant {
                    Variant::Plain => run == 1 || !mode.is_run_once(),
                    Variant::Broken => mode.is_for_broken(),
                };
                // A violated property has no certificate.
                let is_possible = mode != Mode::Recheck || row.truth(variant) == "holds";
                // The compiler takes most of the time.
                let splits =
                    if mode.is_split() && !(quick && mode == Mode::Reduced) { 2 } else { 1 };
                if is_asked && is_possible {
                    let job = |split| Job { row: number, variant, mode, split, run };
                    jobs.extend((0..splits).map(job));
                }
            }
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_testkit::case_studies::case_studies;

    fn names(rows: &[CaseStudy]) -> Vec<&str> {
        rows.iter().map(|row| row.name.as_str()).collect()
    }

    fn selected(names: &[&str], quick: bool, all: bool) -> Result<Vec<CaseStudy>, TaskFailure> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        select(case_studies()?, &names, quick, all)
    }

    #[test]
    fn rows_are_selected() -> Result<(), TaskFailure> {
        assert_eq!(selected(&[], false, false)?.len(), 29);
        assert_eq!(selected(&[], false, true)?.len(), case_studies()?.len());
        let quick = selected(&[], true, false)?;
        let smallest = ["Elevator 2", "Prodcell 2", "Workflow 2", "Mutual exclusion"];
        assert_eq!(names(&quick)[..4], ["SW 2/1/A", "SW 2/1/B", "SW 2/1/C", "SW 2/1/D"]);
        assert_eq!(names(&quick)[4..], smallest);
        assert_eq!(names(&selected(&["Elevator 7"], true, false)?), ["Elevator 7"]);
        assert!(selected(&["Elevator 9"], true, false).is_err());
        Ok(())
    }

    #[test]
    fn modes_take_turns() -> Result<(), TaskFailure> {
        let rows = selected(&["SW 2/1/D", "Elevator 2"], false, false)?;
        let jobs = jobs(&rows, 3, false);
        let of = |row: usize, variant: Variant, mode: Mode| {
            let fits = |job: &&Job| (job.row, job.variant, job.mode) == (row, variant, mode);
            jobs.iter().filter(fits).count()
        };
        assert_eq!(of(0, Variant::Plain, Mode::Assume), 6);
        assert_eq!(of(0, Variant::Broken, Mode::Assume), 2);
        assert_eq!(
            (of(0, Variant::Plain, Mode::Recheck), of(1, Variant::Plain, Mode::Recheck)),
            (0, 6)
        );
        assert_eq!(
            (of(1, Variant::Plain, Mode::Reduced), of(1, Variant::Broken, Mode::Reduced)),
            (2, 0)
        );
        let runs: Vec<usize> =
            jobs.iter().filter(|job| job.mode == Mode::Check).map(|job| job.run).collect();
        assert_eq!(runs, [1, 2, 3, 1, 1, 2, 3, 1]);
        Ok(())
    }
}
