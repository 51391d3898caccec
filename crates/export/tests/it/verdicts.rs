//! Spin gives a program the same verdict with and without a requirement in the place of a module, for
//! random programs and for all models.
//!
//! With 2,000 random programs: 1,880 modules were replaced and had the same verdict (176 of them a
//! violation), 1,180 were refused, 1,339 had no small network, and 12 searches of spin did not finish. On
//! the models: 433 replaced (53 violations), none different.
//!
//! `RESY_STAND_INS=2000` sets the number of random programs, `RESY_STAND_INS_FROM` the first seed.

use crate::common::{Outcome, Program, Question, assertions, claims, program, replace, trace};
use resy_testkit::fixtures::fixtures;
use resy_testkit::generate::{generate, print};
use resy_testkit::spin::{SpinOptions, SpinOutcome, run_text};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Default)]
struct Tally {
    same: usize,
    fails: usize,
    smaller: usize,
    beyond: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    unknown: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// Whether spin finds an error; `Err` if it does not finish.
fn verdict(text: &str, question: &Question) -> Result<bool, String> {
    let mut options = SpinOptions::for_small_programs();
    options.spin_flags = Vec::new();
    let mut flags: Vec<String> = ["-n", "-E", "-m100000", "-w17"].map(str::to_owned).into();
    let mut defines: Vec<&str> = vec!["-DNOREDUCE", "-DMEMLIM=40"];
    if question.monitors.is_empty() {
        defines.extend(["-DSAFETY", "-DNOCLAIM"]);
    } else {
        flags.push("-a".to_owned());
    }
    options.pan_flags = flags;
    options.pan_defines = defines.into_iter().map(str::to_owned).collect();
    let mut outcome = run_text(text, &options).map_err(|e| e.to_string())?;
    if let SpinOutcome::NotCompiled(_) = outcome {
        // A variable that is never read becomes a C variable, whose name may clash with a function.
        options.spin_flags.push("-o2".to_owned());
        outcome = run_text(text, &options).map_err(|e| e.to_string())?;
    }
    match outcome {
        // With a claim, this is a different property.
        SpinOutcome::Searched(report)
            if question.name != "assertions"
                && report.messages.iter().any(|m| m.contains("array index")) =>
        {
            Err("not searched to the end".to_owned())
        }
        SpinOutcome::Searched(report) if report.errors > 0 => Ok(true),
        SpinOutcome::Searched(report) if report.counts_are_complete() => Ok(false),
        SpinOutcome::Searched(_) => Err("not searched to the end".to_owned()),
        other => Err(format!("{other:?}")),
    }
}

fn compare(tally: &mut Tally, program: &Program, question: &Question, most: usize) {
    let n_processes = program.system.instances.len();
    let mut original = None;
    for pid in 0..n_processes.min(most) {
        let name = format!("{} {} {pid}", program.name, question.name);
        let text = match replace(program, &[pid], question) {
            Outcome::Replaced(text, module, requirement) => {
                tally.smaller += usize::from(requirement < module);
                text
            }
            Outcome::Beyond(why) => {
                *tally.beyond.entry(why).or_default() += 1;
                continue;
            }
            Outcome::Refused(refusal) => {
                if std::env::var_os("RESY_SHOW").is_some() {
                    eprintln!("{name}: {refusal}");
                }
                *tally.refused.entry(refusal.why.to_string()).or_default() += 1;
                continue;
            }
        };
        let before = original.get_or_insert_with(|| verdict(&question.text(program), question));
        match (before, verdict(&text, question)) {
            (Ok(before), Ok(after)) if *before == after => {
                tally.same += 1;
                tally.fails += usize::from(after);
            }
            (Ok(before), Ok(after)) => {
                tally.wrong.push(format!(
                    "{name}: {after}, was {before}\n{}\n-----\n{text}",
                    program.text
                ));
            }
            (Ok(_), Err(why)) if !why.contains("not searched") && !why.contains("TimedOut") => {
                tally.wrong.push(format!("{name}: {why}\n{}\n-----\n{text}", program.text));
            }
            (Err(why), _) => *tally.unknown.entry(why.clone()).or_default() += 1,
            (_, Err(why)) => *tally.unknown.entry(why).or_default() += 1,
        }
    }
}

impl Tally {
    fn report(&self) {
        eprintln!("{} same, {} of them fail; {} smaller", self.same, self.fails, self.smaller);
        eprintln!("refused: {:#?}", self.refused);
        eprintln!("beyond: {}", self.beyond.values().sum::<usize>());
        eprintln!("unknown: {:#?}", self.unknown);
        let first: Vec<&String> = self.wrong.iter().take(3).collect();
        assert!(self.wrong.is_empty(), "{} differ:\n{first:#?}", self.wrong.len());
    }

    fn n_refused(&self) -> usize {
        self.refused.values().sum()
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// All questions about a program, with its first processes as modules in turn.
fn compare_all(tally: &mut Tally, program: &Program, most: usize) {
    compare(tally, program, &assertions(), most);
    for question in trace(&program.system).into_iter().chain(claims(&program.system)) {
        compare(tally, program, &question, most.min(2));
    }
}

#[test]
fn random_programs_keep_their_verdicts() {
    let (count, from) = (number("RESY_STAND_INS", 60), number("RESY_STAND_INS_FROM", 0));
    let mut tally = Tally::default();
    for seed in from..from + count {
        let text = print(&generate(seed));
        if let Some(program) = program(&format!("seed {seed}"), text, &[], Path::new(".")) {
            compare_all(&mut tally, &program, 3);
        }
    }
    tally.report();
    // Too many unknown results must not pass for success.
    assert!(tally.same as u64 * 3 > count * 2, "only {} were compared", tally.same);
    assert!(tally.n_refused() < tally.same, "{} were refused", tally.n_refused());
}

#[test]
fn models_keep_their_verdicts() {
    // The first process of each model, or the first three if a number of random programs is given.
    let most = if std::env::var_os("RESY_STAND_INS").is_some() { 3 } else { 1 };
    let mut tally = Tally::default();
    for fixture in fixtures() {
        let text = String::from_utf8_lossy(&std::fs::read(&fixture.path).expect("a file")).into();
        let folder = fixture.path.parent().expect("a folder");
        if let Some(program) = program(&fixture.name, text, &fixture.defines, folder) {
            compare_all(&mut tally, &program, most);
        }
    }
    tally.report();
    assert!(tally.same >= 200, "only {} were compared", tally.same);
    assert!(tally.n_refused() < tally.same, "{} were refused", tally.n_refused());
}
