//! Directed search against the other orders of resy and of spin's verifier: states until the first violation, steps
//! of the run, processor time.

use crate::args::{TaskArgs, TaskFailure};
use resy_testkit::process::{self, Ending};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A model with its definitions.
struct Row {
    file: PathBuf,
    defines: Vec<String>,
}

impl Row {
    fn read(table: &toml::Value) -> Option<Row> {
        let defines = table.get("defines")?.as_array()?.iter();
        let defines: Option<Vec<String>> =
            defines.map(|define| define.as_str().map(str::to_owned)).collect();
        Some(Row { file: table.get("file")?.as_str()?.into(), defines: defines? })
    }
}

/// How many states were visited, how long the run is, and the seconds of the processor.
struct MeasuredSearch {
    states: Option<u64>,
    steps: Option<u64>,
    seconds: f64,
}

/// The orders of resy that are compared.
const ORDERS: [(&str, &[&str]); 4] = [
    ("by distance", &[]),
    ("`--dfs`", &["--dfs"]),
    ("`--directed`", &["--directed"]),
    ("`--shortest`", &["--shortest"]),
];

/// The orders of pan: flags of the compiler and of the verifier.
const PAN_ORDERS: [(&str, &[&str], &[&str]); 2] =
    [("`pan -DBFS`", &["-DBFS"], &[]), ("`pan -i`", &["-DREACH"], &["-i", "-m1000000"])];

/// A swarm: this many searches with 4 million bits each, in random orders, until one finds the violation.
const SWARM: &str = "swarm of pan";
const SEARCHES: usize = 10;
const RANDOM: [&str; 3] = ["-DBITSTATE", "-DT_RAND", "-DP_RAND"];

/// The task `directed`; true if no directed search visits more than twice the states of the search by distance.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let limit = Duration::from_secs(args.number("limit", 60)?);
    let resy = args.resy().canonicalize()?;
    let text = std::fs::read_to_string("bench/directed.toml")?;
    let table: toml::Table = text.parse().map_err(|e| TaskFailure::new(format!("{e}")))?;
    let rows = table.get("row").and_then(toml::Value::as_array).into_iter().flatten();
    let rows: Option<Vec<Row>> = rows.map(Row::read).collect();
    let rows =
        rows.ok_or_else(|| TaskFailure::new("bench/directed.toml: a row lacks something"))?;
    let names = ORDERS.iter().map(|order| order.0).chain(PAN_ORDERS.iter().map(|order| order.0));
    let names = names.chain([SWARM]);
    let names: Vec<&str> = names.collect();
    println!("| model | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(names.len()));
    let mut is_right = true;
    for row in rows {
        let mut cells = Vec::new();
        for (_, options) in ORDERS {
            cells.push(by_resy(&resy, &row, options, limit)?);
        }
        for (_, compiled, called) in PAN_ORDERS {
            cells.push(by_pan(&row, compiled, called, limit)?);
        }
        cells.push(by_swarm(&row, limit)?);
        if let (Some(shallow), Some(directed)) = (cells[0].states, cells[2].states) {
            // Each queue may find the successors of one state more than its share.
            is_right &= directed <= 2 * shallow + 100;
        }
        let mut line = format!("| {} {} |", stem(&row.file), row.defines.join(" "));
        for found in &cells {
            _ = write!(line, " {found} |");
        }
        println!("{line}");
    }
    Ok(is_right)
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn define_flags(row: &Row) -> impl Iterator<Item = String> {
    row.defines.iter().map(|define| format!("-D{define}"))
}

fn by_resy(
    resy: &Path,
    row: &Row,
    options: &[&str],
    limit: Duration,
) -> io::Result<MeasuredSearch> {
    let folder = Scratch::new("directed")?;
    let mut command = Command::new(resy);
    command.args(["check", "--engine", "monolithic", "--as-found", "--json", "--threads", "1"]);
    command.args(["--no-por", "--no-merge"]).args(options).args(define_flags(row)).arg(&row.file);
    let output = process::run(&mut command, folder.path(), limit)?;
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let properties = json["properties"].as_array().cloned().unwrap_or_default();
    let steps = properties
        .iter()
        .find_map(|property| property["counterexample"]["steps"].as_array().map(Vec::len));
    let states = json["stats"]["states"].as_u64().filter(|_| steps.is_some());
    let seconds = output.usage.cpu.as_secs_f64();
    Ok(MeasuredSearch { states, steps: steps.map(|n| n as u64), seconds })
}

fn by_pan(
    row: &Row,
    compiled: &[&str],
    called: &[&str],
    limit: Duration,
) -> io::Result<MeasuredSearch> {
    let folder = compile_pan(row, compiled, limit)?;
    run_pan(&folder, called, limit)
}

/// The searches of a swarm one after the other, as one processor makes them: all states, and the run that is found.
fn by_swarm(row: &Row, limit: Duration) -> io::Result<MeasuredSearch> {
    let folder = compile_pan(row, &RANDOM, limit)?;
    let (mut states, mut seconds) = (0, 0.0);
    for seed in 1..=SEARCHES {
        let found = run_pan(&folder, &[&format!("-RS{seed}"), "-w22", "-m100000"], limit)?;
        states += found.states.unwrap_or(0);
        seconds += found.seconds;
        if found.steps.is_some() || seconds > limit.as_secs_f64() {
            return Ok(MeasuredSearch { states: Some(states), seconds, ..found });
        }
    }
    Ok(MeasuredSearch { states: None, steps: None, seconds })
}

fn compile_pan(row: &Row, compiled: &[&str], limit: Duration) -> io::Result<Scratch> {
    let folder = Scratch::new("directed")?;
    let model = row.file.canonicalize()?;
    let mut spin = Command::new("spin");
    spin.current_dir(folder.path())
        .args(["-a", "-o1", "-o2", "-o3"])
        .args(define_flags(row))
        .arg(model);
    process::run(&mut spin, folder.path(), limit)?;
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder.path()).args(["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=8000"]);
    process::run(gcc.args(compiled).args(["-o", "pan", "pan.c"]), folder.path(), limit)?;
    Ok(folder)
}

fn run_pan(folder: &Scratch, called: &[&str], limit: Duration) -> io::Result<MeasuredSearch> {
    let mut pan = Command::new(folder.path().join("pan"));
    let output = process::run(pan.current_dir(folder.path()).args(called), folder.path(), limit)?;
    let is_over = output.ending == Ending::Exit(0);
    let number_before = |word: &str| {
        let line = output.stdout.lines().find(|line| line.contains(word))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let depths = output.stdout.split("(at depth ").skip(1);
    let steps = depths.filter_map(|rest| rest.split(')').next()?.parse().ok()).last();
    let states = number_before("states, stored").filter(|_| is_over && steps.is_some());
    Ok(MeasuredSearch {
        states,
        steps: steps.filter(|_| is_over),
        seconds: output.usage.cpu.as_secs_f64(),
    })
}

impl std::fmt::Display for MeasuredSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.states, self.steps) {
            (Some(states), Some(steps)) => write!(f, "{states} / {steps} / {:.2} s", self.seconds),
            _ => write!(f, "– ({:.0} s)", self.seconds),
        }
    }
}
