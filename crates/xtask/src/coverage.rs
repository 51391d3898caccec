//! Which public models become a network, and why the others do not.
//!
//! The list has a repository, a commit and a path in each line, then the result of the last time. The texts are not part of
//! this repository: they are read below a folder, in which the repository `OWNER/NAME` is the folder `OWNER+NAME`.

use crate::args::{TaskArgs, TaskFailure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// One model of the list.
struct Entry {
    repository: String,
    commit: String,
    path: String,
    result: String,
}

/// The task `coverage`; true if every model has a result.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let [list, folder] = args.positional() else {
        return Err(TaskFailure::new("coverage needs a list and a folder"));
    };
    let (resy, limit) = (args.resy(), args.number("limit", 20)?);
    let mut entries = Vec::new();
    for line in std::fs::read_to_string(list)?.lines().skip(1) {
        let words: Vec<&str> = line.splitn(4, ';').collect();
        let [repository, commit, path, ..] = words[..] else { continue };
        let model = Path::new(folder).join(repository.replace('/', "+")).join(path);
        let result = match model.is_file() {
            true => result(&resy, &model, limit)?,
            false => "the text is not there".to_owned(),
        };
        eprintln!("{path}: {result}");
        let [repository, commit, path] = [repository, commit, path].map(str::to_owned);
        entries.push(Entry { repository, commit, path, result });
    }
    let table = table(&entries);
    print!("{table}");
    if let Some(out) = args.path("out") {
        let mut csv = "repository;commit;path;result\n".to_owned();
        for Entry { repository, commit, path, result } in &entries {
            let _ = writeln!(csv, "{repository};{commit};{path};{result}");
        }
        std::fs::write(out, csv)?;
    }
    Ok(entries.iter().all(|entry| kind(&entry.result) != "no answer"))
}

/// What `lts` says of a model, in one line.
fn result(resy: &Path, model: &Path, limit: u64) -> Result<String, TaskFailure> {
    let limit = limit.to_string();
    let (folder, name) = (model.parent().unwrap_or(model), model.file_name().unwrap_or_default());
    let output = Command::new(resy.canonicalize()?)
        .args(["lts", "--json", "--memory", "1G", "--budget", "1000000", "--timeout", &limit])
        .arg(name)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()?;
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    if found["components"].as_array().is_none_or(Vec::is_empty) {
        return Ok(found["reason"].as_str().unwrap_or("no answer").to_owned());
    }
    let notes = found["diagnostics"].as_array().into_iter().flatten();
    let texts: Vec<&str> = notes.filter_map(|note| note["message"].as_str()).collect();
    let says = |words: &str| texts.iter().any(|text| text.contains(words));
    Ok(match (says("taken to hold at any time"), says("more processes may be created")) {
        (true, _) => "may: timeout",
        (false, true) => "may: more processes",
        (false, false) => "network",
    }
    .to_owned())
}

/// The kinds of results, each with a text that is part of it; the first one counts.
const KINDS: [(&str, &str); 8] = [
    ("may: timeout", "`timeout` is taken to hold at any time (*may*)"),
    ("may: more", "more processes than were seen are an error (*may*)"),
    ("network", "a network, exact"),
    ("component `", "a component is too large"),
    ("while the program was cut", "a component is too large"),
    ("created after the start", "processes are created without a bound that was found"),
    ("priorities", "priorities that change"),
    ("the start of the program", "the start of the program goes wrong"),
];

fn kind(result: &str) -> &str {
    let known = KINDS.iter().find(|(part, _)| result.contains(part));
    known.map_or("no answer", |(_, kind)| kind)
}

/// The number of models of each kind.
fn table(entries: &[Entry]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    entries.iter().for_each(|entry| *counts.entry(kind(&entry.result)).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let mut text = "| result | models | share |\n|---|---:|---:|\n".to_owned();
    for (kind, n) in counts {
        let _ = writeln!(
            text,
            "| {kind} | {n} | {} % |",
            (100 * n + entries.len() / 2) / entries.len()
        );
    }
    let _ = writeln!(text, "| all | {} | |", entries.len());
    text
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn results_have_kinds() {
        assert_eq!(
            kind("component `i` has too many local states: 1000001 states"),
            "a component is too large"
        );
        assert_eq!(kind("a.pml:3: with priorities that change, …"), "priorities that change");
        assert_eq!(kind("network"), "a network, exact");
        assert_eq!(kind("resy fell over"), "no answer");
    }
}
