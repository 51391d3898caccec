//! The cost of the search for cycles: against the safety search of the same model, under fairness, by two threads, and against
//! spin's verifier, all in one run (`bench/cycles.toml`).
//!
//! Processor time and peak memory of the whole process; the time that two threads save is wall time.

mod pan;
mod row;

use crate::args::{TaskArgs, TaskFailure};
use crate::machine;
use crate::stats::geometric_mean;
use row::Measured;
use std::path::Path;
use std::time::Duration;

const HEADING: &str = "\
| model | formula | verdict | product | safety s | one thread s (×) | weak (×) | strong (×) | two threads s | wall: one, two (× as fast) \
| `pan -a` s (×) | `pan -f` s (×) | states of `pan -a`, `-f` | bytes a state above safety: one, two |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// What is told of all rows together: a name, and the ratio of each row that has one.
type Ratio = (&'static str, fn(&Measured) -> Option<f64>);

const RATIOS: [Ratio; 6] = [
    ("one thread to the safety search", Measured::to_safety),
    ("weak fairness to none", |row| row.to_none(row.weak.as_ref()?)),
    ("strong fairness to none", |row| row.to_none(row.strong.as_ref()?)),
    ("two threads are × as fast as one", Measured::speedup),
    ("`pan -a` to one thread", |row| Some(row.pan.as_ref()?.seconds / row.one.as_ref()?.seconds)),
    ("`pan -f` to weak fairness", |row| {
        Some(row.pan_fair.as_ref()?.seconds / row.weak.as_ref()?.seconds)
    }),
];

/// The task `cycles`; true if no two searches of a row have different verdicts.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let resy = args.resy().canonicalize()?;
    let limit = Duration::from_secs(args.number("limit", 120)?);
    let only = args.list("only");
    let version = machine::first_line(&resy.to_string_lossy(), &["--version"]);
    let mut text = format!("{}\n{HEADING}", machine::describe(&version)?);
    print!("{text}");
    let mut rows = Vec::new();
    for row in row::read(Path::new("bench/cycles.toml"))? {
        if !only.is_empty() && !only.contains(&row.model) {
            continue;
        }
        let measured = row.measure(&resy, limit)?;
        let line = format!("{}\n", measured.line(&row));
        print!("{line}");
        text += &line;
        rows.push(measured);
    }
    let told = ratios(&rows);
    print!("{told}");
    if let Some(out) = args.path("out") {
        std::fs::write(out, text + &told)?;
    }
    Ok(rows.iter().all(Measured::is_consistent))
}

/// The geometric mean and the extremes of each ratio.
fn ratios(rows: &[Measured]) -> String {
    let line = |(name, of): &Ratio| {
        let values: Vec<f64> = rows.iter().filter_map(of).collect();
        let (least, most) =
            values.iter().fold((f64::MAX, 0.0_f64), |(a, b), &v| (a.min(v), b.max(v)));
        let mean = geometric_mean(values.iter().copied())?;
        Some(format!(
            "- {name}: {mean:.2} in the geometric mean of {}, {least:.2} to {most:.2}\n",
            values.len()
        ))
    };
    let lines: Vec<String> = RATIOS.iter().filter_map(line).collect();
    format!("\n{}", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::row::{self, CycleRow};
    use std::path::Path;

    #[test]
    fn the_table_is_read() {
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/cycles.toml");
        let rows: Vec<CycleRow> = row::read(&table).expect("the table");
        assert!(rows.len() >= 10, "{}", rows.len());
        assert!(rows.iter().any(|row| row.is_fair));
        assert_eq!(
            rows[0].text("byte inside;\n"),
            "byte inside;\n\nltl formula { <>[] (inside <= 1) }\n"
        );
    }
}
