//! Symmetry against a search of everything: random programs, whose verdicts must be the same, and a table of models.

use crate::args::{TaskArgs, TaskFailure};
use resy_testkit::process;
use resy_testkit::scratch::Scratch;
use resy_testkit::symmetric::symmetric_program;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The searches that are compared.
const WAYS: [(&str, &[&str]); 4] = [
    ("plain order, no symmetry", &["--no-por", "--no-symmetry"]),
    ("plain order, symmetry", &["--no-por"]),
    ("reduced, no symmetry", &["--no-symmetry"]),
    ("reduced, symmetry", &[]),
];

/// What a search has found.
struct Outcome {
    /// The verdict of each property.
    verdicts: Vec<(String, String)>,
    states: u64,
    seconds: f64,
    is_over: bool,
}

/// The task `symmetry`; true if all verdicts are the same. With `--count`, random programs; else the models of
/// `bench/symmetry.toml`.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let resy = args.resy().canonicalize()?;
    let limit = Duration::from_secs(args.number("limit", 60)?);
    match args.number::<u64>("count", 0)? {
        0 => table(&resy, limit),
        count => programs(&resy, limit, args.number("seed", 0)?, count),
    }
}

fn programs(resy: &Path, limit: Duration, first: u64, count: u64) -> Result<bool, TaskFailure> {
    let folder = Scratch::new("symmetry")?;
    let file = folder.path().join("program.pml");
    let (mut n_wrong, mut n_smaller) = (0, 0);
    for seed in first..first + count {
        std::fs::write(&file, symmetric_program(seed))?;
        let (_, options) = WAYS[2];
        let plain = ask(resy, &file, &[], &["--exhaustive"], options, limit)?;
        let (_, options) = WAYS[3];
        let symmetric = ask(resy, &file, &[], &["--exhaustive"], options, limit)?;
        n_smaller += u64::from(symmetric.states < plain.states);
        if symmetric.verdicts != plain.verdicts || plain.verdicts.is_empty() {
            n_wrong += 1;
            println!("seed {seed}: {:?}, not {:?}", symmetric.verdicts, plain.verdicts);
        }
    }
    println!("{count} programs, {n_smaller} with fewer states, {n_wrong} with other verdicts");
    Ok(n_wrong == 0)
}

fn table(resy: &Path, limit: Duration) -> Result<bool, TaskFailure> {
    let text = std::fs::read_to_string("bench/symmetry.toml")?;
    let table: toml::Table = text.parse().map_err(|e| TaskFailure::new(format!("{e}")))?;
    let rows = table.get("row").and_then(toml::Value::as_array).into_iter().flatten();
    let names: Vec<&str> = WAYS.iter().map(|way| way.0).collect();
    println!("| model | verdict | {} |", names.join(" | "));
    println!("|---|---|{}", "---|".repeat(names.len()));
    let mut is_right = true;
    for row in rows {
        let file = row.get("file").and_then(toml::Value::as_str).map(PathBuf::from);
        let file =
            file.ok_or_else(|| TaskFailure::new("bench/symmetry.toml: a row has no file"))?;
        let defines = row.get("defines").and_then(toml::Value::as_array).into_iter().flatten();
        let defines: Vec<String> =
            defines.filter_map(toml::Value::as_str).map(|d| format!("-D{d}")).collect();
        let found: io::Result<Vec<Outcome>> =
            WAYS.iter().map(|way| ask(resy, &file, &defines, &[], way.1, limit)).collect();
        let found = found?;
        let over: Vec<&Outcome> = found.iter().filter(|o| o.is_over).collect();
        let is_same = over.windows(2).all(|pair| pair[0].verdicts == pair[1].verdicts);
        is_right &= is_same;
        let total = over.first().map_or("–", |o| o.total());
        let cells: Vec<String> = found.iter().map(ToString::to_string).collect();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let verdict = if is_same { total } else { "DIFFERENT" };
        println!("| {name} {} | {verdict} | {} |", defines.join(" "), cells.join(" | "));
    }
    Ok(is_right)
}

fn ask(
    resy: &Path,
    file: &Path,
    defines: &[String],
    more: &[&str],
    options: &[&str],
    limit: Duration,
) -> io::Result<Outcome> {
    let folder = Scratch::new("symmetry")?;
    let mut command = Command::new(resy);
    command.args(["check", "--engine", "monolithic", "--as-found", "--json", "--threads", "1"]);
    command.args(["--memory", "4G"]).args(more).args(options).args(defines);
    let output = process::run(command.arg(file), folder.path(), limit)?;
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let properties = json["properties"].as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let verdicts: Vec<(String, String)> =
        properties.iter().map(|p| (word(&p["name"]), word(&p["verdict"]))).collect();
    let is_known = |total: &str| ["holds", "fails"].contains(&total);
    Ok(Outcome {
        is_over: is_known(&word(&json["verdict"])),
        verdicts,
        states: json["stats"]["states"].as_u64().unwrap_or(0),
        seconds: output.usage.cpu.as_secs_f64(),
    })
}

impl Outcome {
    fn total(&self) -> &'static str {
        let is_violated = self.verdicts.iter().any(|(_, verdict)| verdict == "fails");
        if is_violated { "fails" } else { "holds" }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.is_over {
            true => write!(f, "{} / {:.2} s", self.states, self.seconds),
            false => write!(f, "– ({:.0} s)", self.seconds),
        }
    }
}
