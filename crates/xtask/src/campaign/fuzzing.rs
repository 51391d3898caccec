//! The fuzz targets with a mutation loop of our own: no other compiler is needed.
//!
//! A case takes one target and makes a batch of executions. An input that reaches something new joins
//! the batch's pool, and is changed further. A finding is a panic or an execution that takes too long.
//! Built without `--release` (optimised as well), debug assertions and overflow checks are on.

mod mutate;

use super::case::{Campaign, CaseReport};
use super::drive::panic_sentence;
use super::processor;
use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use mutate::mutated;
use resy_index::random::SplitMix;
use resy_testkit::targets::{Features, FuzzTarget, TARGETS};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// The executions of a case.
const BATCH: u64 = 1_000;

/// An execution that takes longer is a finding, as for libFuzzer.
const SLOW: Duration = Duration::from_secs(10);

/// One of so many texts that take long is changed.
const HEAVY: usize = 16;

/// A batch ends after so many findings.
const MAX_FINDINGS: usize = 3;

/// Larger files of the corpus are left out.
const MAX_FILE: u64 = 20_000;

/// The campaign `fuzz`.
pub struct Fuzzing {
    batch: u64,
    targets: Vec<Corpus>,
    words: Vec<Vec<u8>>,
}

/// A target and the inputs to begin with.
struct Corpus {
    target: FuzzTarget,
    inputs: Vec<Vec<u8>>,
}

impl Fuzzing {
    /// With the corpora of the repository; `--runs N` executions a case, `--only TARGETS`.
    pub fn new(args: &TaskArgs) -> Result<Fuzzing, TaskFailure> {
        let only = args.list("only");
        let root = workspace_root();
        let chosen =
            TARGETS.into_iter().filter(|t| only.is_empty() || only.iter().any(|o| o == t.name));
        let mut targets = Vec::new();
        for target in chosen {
            let inputs = inputs(&root, target.name)?;
            targets.push(Corpus { target, inputs });
        }
        if targets.is_empty() {
            return Err(TaskFailure::new("--only names no target"));
        }
        let words = dictionary(&std::fs::read_to_string(root.join("fuzz/promela.dict"))?);
        Ok(Fuzzing { batch: args.number("runs", BATCH)?, targets, words })
    }
}

impl Campaign for Fuzzing {
    fn unit(&self) -> &'static str {
        "batches"
    }

    fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure> {
        let Corpus { target, inputs } = &self.targets[(seed % self.targets.len() as u64) as usize];
        let mut random = SplitMix(seed ^ 0xf022);
        random.next_u64();
        let mut report = CaseReport::default();
        let (mut pool, mut reached) = (inputs.clone(), Features::default());
        let n_inputs = pool.len();
        for _ in 0..self.batch {
            let mut parent = choose(&pool, n_inputs, &mut random);
            if is_heavy(parent) && random.below(HEAVY) > 0 {
                parent = choose(&pool, n_inputs, &mut random);
            }
            let input = parent;
            let input = mutated(input, &pool, &self.words, &mut random);
            report.one(format!("executions: {}", target.name));
            match execute(target, &input) {
                Ok(features) if !features.is_within(&reached) => {
                    reached.0.extend(features.0);
                    pool.push(input);
                }
                Ok(_) => {}
                Err(what) => {
                    let text = String::from_utf8_lossy(&input).into_owned();
                    report.differs(seed, format!("{}: {what}", target.name), "txt", text);
                    // The rest of the batch would show the same again.
                    if report.differences.len() >= MAX_FINDINGS {
                        break;
                    }
                }
            }
        }
        report.count(
            format!("inputs with something new: {}", target.name),
            (pool.len() - n_inputs) as u64,
        );
        Ok(report)
    }
}

/// An input to change: every other one is of those that have reached something new.
fn choose<'p>(pool: &'p [Vec<u8>], n_inputs: usize, random: &mut SplitMix) -> &'p [u8] {
    let chosen = match pool.len() > n_inputs && random.below(2) == 0 {
        true => n_inputs + random.below(pool.len() - n_inputs),
        false => random.below(pool.len().max(1)),
    };
    pool.get(chosen).map_or(&[], Vec::as_slice)
}

/// Whether a text includes others more than once, perhaps itself: it takes as long as a hundred others.
fn is_heavy(input: &[u8]) -> bool {
    let word = b"#include";
    input.windows(word.len()).filter(|&at| at == word).nth(1).is_some()
}

/// Runs a target on an input; what is wrong with it, if something is.
fn execute(target: &FuzzTarget, input: &[u8]) -> Result<Features, String> {
    let started = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    match result {
        Err(panic) => Err(panic_sentence(&*panic)),
        // Other programs may have had the processor: what counts is the time that it takes once more.
        Ok(features) if started.elapsed() > SLOW => {
            let before = processor::used_by_thread();
            drop((target.run)(input));
            let took = processor::used_by_thread().saturating_sub(before);
            match took > SLOW {
                true => Err(format!("takes {:.1} s", took.as_secs_f64())),
                false => Ok(features),
            }
        }
        Ok(features) => Ok(features),
    }
}

/// The corpus of a target, and the files of the repository that it is about.
fn inputs(root: &Path, target: &str) -> Result<Vec<Vec<u8>>, TaskFailure> {
    let mut inputs = Vec::new();
    let (folder, extension) = match target {
        "fsp" => ("models/fsp", "lts"),
        "network" => ("docs/examples", "net"),
        _ => ("models/regressions", "pml"),
    };
    let corpus = root.join("fuzz/corpus").join(target);
    for (folder, extension) in [(corpus, None), (root.join(folder), Some(extension))] {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            let is_wanted = extension.is_none_or(|e| file.extension().is_some_and(|x| x == e));
            let is_small = file.metadata().is_ok_and(|m| m.is_file() && m.len() < MAX_FILE);
            if is_wanted && is_small {
                inputs.push(std::fs::read(file)?);
            }
        }
    }
    match inputs.is_empty() {
        true => Err(TaskFailure::new(format!("there is no input for `{target}`"))),
        false => Ok(inputs),
    }
}

/// The words of a libFuzzer dictionary.
fn dictionary(text: &str) -> Vec<Vec<u8>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let quoted = lines.filter_map(|line| {
        let (from, to) = (line.find('"')?, line.rfind('"')?);
        line.get(from + 1..to)
    });
    quoted
        .map(|word| {
            word.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\").into_bytes()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_finding() {
        fn wrong(bytes: &[u8]) -> Features {
            assert!(!bytes.contains(&b'x'), "an x");
            Features::default()
        }
        let target = FuzzTarget { name: "wrong", run: wrong };
        assert!(execute(&target, b"abc").is_ok());
        assert_eq!(execute(&target, b"axc"), Err("a panic: an x".to_owned()));
    }

    #[test]
    fn targets_survive_changed_inputs() -> Result<(), TaskFailure> {
        let words = ["--runs", "60"].map(str::to_owned).to_vec();
        let fuzzing = Fuzzing::new(&TaskArgs::parse(words)?)?;
        let mut all = CaseReport::default();
        for seed in 0..TARGETS.len() as u64 {
            all.add(fuzzing.case(seed)?);
        }
        assert!(all.differences.is_empty(), "{:?}", all.differences);
        for target in TARGETS {
            assert_eq!(all.n(&format!("executions: {}", target.name)), 60);
            assert!(all.n(&format!("inputs with something new: {}", target.name)) > 0);
        }
        Ok(())
    }

    #[test]
    fn a_dictionary_is_read() {
        let words = dictionary("# words\nkw=\"proctype\"\n\"a\\\"b\"\n\nnothing\n");
        assert_eq!(words, [b"proctype".to_vec(), b"a\"b".to_vec()]);
    }
}
