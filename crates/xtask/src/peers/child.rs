//! Each run of an engine in a process of its own: its memory is its own, and one that ignores its limit is ended.
//!
//! What a run has given is one line, which a file may keep (`--cache`): a comparison that was stopped goes on there.

use super::case::PeerRow;
use super::clock;
use super::engine::{ENGINES, Measured, PeerEngine, measure};
use crate::args::{TaskArgs, TaskFailure};
use resy_compose::Conclusion;
use resy_testkit::process;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Starts the runs, or finds what they have given before.
pub(super) struct Children {
    limit: Duration,
    cache: Option<PathBuf>,
    known: HashMap<String, String>,
}

/// A run that is not over by its limit is ended so much later, as short ones are repeated.
const REPETITION: Duration = Duration::from_millis(500);

/// A process is ended when it has taken so much longer than its limit, for its model and on a busy machine.
const GRACE: u32 = 5;
const START: Duration = Duration::from_secs(30);

impl Children {
    /// With what the file of `--cache` has.
    pub(super) fn new(limit: Duration, args: &TaskArgs) -> Self {
        let cache = args.path("cache");
        let text = cache.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        let lines = text.as_deref().unwrap_or_default().lines();
        let known = lines.filter_map(|line| line.rsplit_once('\t'));
        let known = known.map(|(key, result)| (key.to_owned(), result.to_owned())).collect();
        Self { limit, cache, known }
    }

    /// What all engines give on a row.
    pub(super) fn all(&mut self, row: &PeerRow) -> Result<Vec<Measured>, TaskFailure> {
        ENGINES.iter().map(|&engine| self.run(row, engine)).collect()
    }

    /// What an engine gives on a row.
    pub(super) fn run(
        &mut self,
        row: &PeerRow,
        engine: PeerEngine,
    ) -> Result<Measured, TaskFailure> {
        let words = [&row.file, &row.size, &row.composite, &row.property, &row.module];
        let mut words: Vec<String> = words.into_iter().cloned().collect();
        words.extend([engine.name(), self.limit.as_millis().to_string()]);
        let key = words.join("\t");
        if !self.known.contains_key(&key) {
            let result = self.started(&words)?;
            if let Some(file) = &self.cache {
                let mut file = std::fs::File::options().create(true).append(true).open(file)?;
                writeln!(file, "{key}\t{result}")?;
            }
            self.known.insert(key.clone(), result);
        }
        Ok(parsed(engine, &self.known[&key], self.limit))
    }

    /// The line of a process for one run; empty if it was ended.
    fn started(&self, words: &[String]) -> Result<String, TaskFailure> {
        let folder = std::env::temp_dir().join(format!("resy-peers-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["peers", "one"]).args(words);
        let output = process::run(&mut command, &folder, self.limit * GRACE + START)?;
        std::fs::remove_dir_all(&folder)?;
        Ok(output.stdout.lines().last().unwrap_or_default().trim().to_owned())
    }
}

/// The task of such a process: `one FILE SIZE COMPOSITE PROPERTY MODULE ENGINE MILLISECONDS`.
pub(super) fn one(words: &[String]) -> Result<bool, TaskFailure> {
    let [file, size, composite, property, module, engine, limit] = words else {
        return Err(TaskFailure::new("peers one: seven words"));
    };
    let (file, size, composite) = (file.clone(), size.clone(), composite.clone());
    let (property, module) = (property.clone(), module.clone());
    let row = PeerRow { file, size, composite, property, module };
    let engine = ENGINES.iter().find(|known| known.name() == *engine);
    let engine = *engine.ok_or_else(|| TaskFailure::new("peers one: no such engine"))?;
    let limit = limit.parse().map(Duration::from_millis);
    let limit = limit.map_err(|_| TaskFailure::new("peers one: no such limit"))?;
    let case = row.load()?;
    clock::end_after(limit + REPETITION);
    println!("{}", line(&measure(engine, &case, limit)));
    Ok(true)
}

/// A result as one line.
fn line(found: &Measured) -> String {
    let verdict = match found.verdict {
        Conclusion::Holds => "holds",
        Conclusion::Fails(_) => "fails",
        Conclusion::Interrupted => "open",
    };
    let (words, hypotheses) = found.queries.map_or((-1, -1), |(words, hypotheses)| {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        (number(words), number(hypotheses))
    });
    let Measured { states, image, letters, elapsed, memory, .. } = found;
    let memory = memory.map_or(-1, |kb| i64::try_from(kb).unwrap_or(i64::MAX));
    let nanoseconds = elapsed.as_nanos();
    format!("{verdict} {states} {image} {letters} {words} {hypotheses} {nanoseconds} {memory}")
}

/// A result from its line; an empty one is that of a process that was ended.
fn parsed(engine: PeerEngine, line: &str, limit: Duration) -> Measured {
    let mut cells = line.split(' ');
    let verdict = match cells.next() {
        Some("holds") => Conclusion::Holds,
        Some("fails") => Conclusion::Fails(Vec::new()),
        _ => Conclusion::Interrupted,
    };
    let numbers: Vec<i64> = cells.filter_map(|cell| cell.parse().ok()).collect();
    let at = |i: usize| numbers.get(i).copied().and_then(|n| u64::try_from(n).ok());
    let size = |i: usize| at(i).and_then(|n| usize::try_from(n).ok());
    Measured {
        engine,
        verdict,
        states: size(0).unwrap_or(0),
        image: size(1).unwrap_or(0),
        letters: size(2).unwrap_or(0),
        queries: size(3).zip(size(4)),
        elapsed: at(5).map_or(limit, Duration::from_nanos),
        memory: at(6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_back() {
        let engine = ENGINES[0];
        let second = Duration::from_secs(1);
        let text = "holds 3 2 4 17 -1 1500 96";
        let found = parsed(engine, text, second);
        assert_eq!((found.states, found.image, found.letters), (3, 2, 4));
        assert_eq!((found.queries, found.memory), (None, Some(96)));
        let text = "fails 0 1 0 17 5 1500 -1";
        assert_eq!(line(&parsed(engine, text, second)), text);
        let ended = parsed(engine, "", second);
        assert_eq!((ended.verdict, ended.elapsed), (Conclusion::Interrupted, second));
    }
}
