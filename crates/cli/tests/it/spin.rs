//! The real spin on every model: its tables, its counts, what it did not reach.
//!
//! `pan -d` prints the transition table of every proctype, with the numbers that
//! trails use and the kinds of labels of each location: the best oracle there is for
//! our process automata.

use crate::unreached;
use resy_index::Id;
use resy_system::{Proctype, System};
use resy_testkit::each::PerModel;
use resy_testkit::fixtures::{Fixture, liveness_models};
use resy_testkit::process;
use resy_testkit::scratch::{Scratch, copy_files};
use resy_testkit::spin::{SpinOptions, parse_pan_output, run_pan, spin_version};
use resy_testkit::systems::{system, system_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

/// An edge as both tools see it: source, target (0 for none), statement number,
/// whether control is kept, the start of the escape it belongs to, and the kinds of labels of the
/// source: accept, end, progress.
type Row = (usize, usize, u32, bool, usize, [bool; 3]);
/// The installed spin.
static VERSION: LazyLock<String> = LazyLock::new(|| spin_version().expect("spin is installed"));

type Tables = BTreeMap<String, BTreeSet<Row>>;

static OUTCOMES: PerModel<Result<bool, String>> = PerModel::new(compare);
resy_testkit::each_model!(
    tables_counts_and_unreached_statements_are_those_of_pan,
    crate::spin::case
);

fn case(fixture: &Fixture) {
    if let Err(difference) = OUTCOMES.of(fixture) {
        panic!("{difference}");
    }
}

#[test]
fn enough_models_have_unreached_statements() {
    let n_equal = OUTCOMES.all().filter(|(_, outcome)| **outcome == Ok(true)).count();
    assert!(n_equal >= 70, "only {n_equal} models have pan's list of unreached statements");
}

/// Compares all there is; says whether both list the same unreached statements, and some.
fn compare(fixture: &Fixture) -> Result<bool, String> {
    let Some(truth) = &fixture.spin else { return Ok(false) };
    let scratch = Scratch::new("suite").map_err(|e| e.to_string())?;
    let folder = fixture.path.parent().ok_or("no folder")?;
    copy_files(folder, scratch.path()).map_err(|e| e.to_string())?;
    build_pan(&fixture.path, &fixture.defines, scratch.path())?;
    let pan = |flags: &[&str]| {
        let limit = Duration::from_secs(60);
        run_pan("pan", scratch.path(), flags, limit).map_err(|e| e.to_string())
    };
    let counted = pan(&["-c0", "-m3000000"])?;
    let report = parse_pan_output(&counted.stdout).ok_or("pan did not report")?;
    if *VERSION == truth.version
        && (report.states, report.transitions) != (truth.states, truth.transitions)
    {
        return Err(format!("this spin counts {} and {}", report.states, report.transitions));
    }
    compare_tables(&pan(&["-d"])?.stdout, &system_of(fixture))?;
    if !report.counts_are_complete() {
        return Ok(false);
    }
    unreached::compare(fixture, scratch.path(), &counted.stdout)
}

/// Compares the output of `pan -d` with our tables.
fn compare_tables(printed: &str, system: &System) -> Result<(), String> {
    let ours = tables(system);
    for (name, rows) in &parse_tables(printed) {
        let (all, own) = ours.get(name).ok_or_else(|| format!("no proctype `{name}`"))?;
        let missing: Vec<_> = rows.difference(all).collect();
        let extra: Vec<_> = own.difference(rows).collect();
        if !missing.is_empty() || !extra.is_empty() {
            return Err(format!("`{name}`: pan alone has {missing:?}, we alone {extra:?}"));
        }
    }
    Ok(())
}

#[test]
fn labels_of_the_models_about_liveness_are_those_of_pan() {
    for path in liveness_models() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        // Debian's spin does not know `X`.
        if text.contains("X (") {
            continue;
        }
        let scratch = Scratch::new("labels").expect("a folder");
        std::fs::copy(&path, scratch.path().join(path.file_name().unwrap_or_default()))
            .expect("it can be copied");
        build_pan(&path, &[], scratch.path()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let printed = run_pan("pan", scratch.path(), &["-d"], Duration::from_secs(60));
        let printed = printed.expect("pan runs").stdout;
        compare_tables(&printed, &system(&text))
            .unwrap_or_else(|difference| panic!("{}: {difference}", path.display()));
    }
}

/// Makes `pan` in a folder, without statement merging.
fn build_pan(model: &Path, defines: &[String], folder: &Path) -> Result<(), String> {
    let run = |program: &str, args: &[String]| {
        let mut command = Command::new(program);
        command.current_dir(folder).args(args);
        let output = process::run(&mut command, folder, Duration::from_secs(60));
        match output {
            Ok(output) if output.succeeded() => Ok(()),
            Ok(output) => Err(format!("{program}: {}", output.all_text())),
            Err(error) => Err(format!("{program}: {error}")),
        }
    };
    let name = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut spin: Vec<String> = ["-a", "-o1", "-o2", "-o3"].map(String::from).to_vec();
    spin.extend(defines.iter().map(|d| format!("-D{d}")));
    spin.push(name);
    run("spin", &spin)?;
    let compiler = SpinOptions::for_small_programs().compiler;
    let mut cc: Vec<String> = compiler[1..].to_vec();
    let flags = ["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"];
    cc.extend(flags.map(String::from));
    run(&compiler[0], &cc)
}

/// Reads the output of `pan -d`.
fn parse_tables(text: &str) -> Tables {
    let mut tables = Tables::new();
    let mut current = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["proctype", name] => current = Some(name.to_string()),
            ["init"] => current = Some(":init:".to_string()),
            ["claim", ..] | ["trace", ..] | ["notrace", ..] => current = None,
            ["state", ..] => {
                if let (Some(name), Some(row)) = (&current, parse_row(line)) {
                    tables.entry(name.clone()).or_default().insert(row);
                }
            }
            _ => {}
        }
    }
    tables
}

/// `state 6 -(tr 4)-> state 13 [id 4 tp 2 org 5] [A---L] file:1 => x`.
fn parse_row(line: &str) -> Option<Row> {
    let number = |key: &str, from: usize| {
        let at = line[from..].find(key)? + from + key.len();
        let digits: String =
            line[at..].trim_start().chars().take_while(char::is_ascii_digit).collect();
        Some((digits.parse::<usize>().ok()?, at))
    };
    let (source, at) = number("state", 0)?;
    let (target, at) = number("state", at)?;
    let (id, at) = number("[id", at)?;
    let bracket = line[at..].find(']')? + at;
    let escape = number(" org", at).filter(|(_, p)| *p < bracket).map_or(0, |(n, _)| n);
    let letters = line[bracket..].find('[').map(|open| &line[bracket + open + 1..])?;
    let labels = ['a', 'e', 'p'].map(|kind| letters.chars().take(4).any(|c| c == kind));
    let atomic = letters.starts_with('A');
    Some((source, target, u32::try_from(id).ok()?, atomic, escape, labels))
}

/// Our tables, as far as they can be reached from the start: with the places
/// where escapes start, of which pan prints some, and without them.
fn tables(system: &System) -> BTreeMap<String, (BTreeSet<Row>, BTreeSet<Row>)> {
    let both = |p: &Proctype| (p.name.clone(), (reachable(p, true), reachable(p, false)));
    system.proctypes.iter().map(both).collect()
}

fn reachable(proctype: &Proctype, escapes: bool) -> BTreeSet<Row> {
    let mut rows = BTreeSet::new();
    let mut todo = vec![proctype.start];
    let mut seen = BTreeSet::new();
    while let Some(at) = todo.pop() {
        if !seen.insert(at) {
            continue;
        }
        for edge in &proctype.edges[at] {
            let target = edge.target.map_or(0, Id::index);
            let escape = edge.escape.map_or(0, Id::index);
            let p = proctype;
            let labels = [&p.accept_locations, &p.end_locations, &p.progress_locations];
            let labels = labels.map(|kind| kind[at]);
            rows.insert((at.index(), target, edge.id, edge.atomic, escape, labels));
            todo.extend(edge.target);
            todo.extend(edge.escape.filter(|_| escapes));
        }
    }
    rows
}
