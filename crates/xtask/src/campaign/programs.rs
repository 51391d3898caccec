//! Generated programs against spin, in every mode.
//!
//! The plain search is compared with pan: counts and kinds of errors. All other modes are then
//! compared with the plain search: a mode may answer `unknown`, never something else. A plain search that a limit
//! cut short is no oracle, and takes nearly all of the time. Certificates are checked again, and every violation is
//! replayed by `spin -t` up to the same end state.

mod end_state;
mod mode;
mod spin_end;

use super::case::{Campaign, CaseReport};
use crate::args::{TaskArgs, TaskFailure};
use crate::fuzz::{self, FuzzTools, ShrunkFinding, Trial};
use mode::{MODES, Mode, NOT_ENDED};
use resy_testkit::compare::Comparison;
use resy_testkit::generate::{Program, generate, print, shrink};
use resy_testkit::resy::{Resy, ResyOutcome, ResyReport};
use resy_testkit::scratch::Scratch;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The tries to make a program with a difference smaller.
const SHRINK_TRIES: usize = 300;

/// The time for these tries.
const SHRINK_LIMIT: Duration = Duration::from_secs(60);

/// The name of the program in its folder.
const MODEL: &str = "model.pml";

/// The campaign `programs`.
pub struct Programs {
    tools: FuzzTools,
    resy: Resy,
}

/// What one mode, or the replay of trails, said about a program.
enum ModeFinding {
    /// It agrees; kinds of answers.
    Agrees(Vec<String>),
    /// It does not, with a sentence.
    Differs(String),
}

impl Programs {
    /// With spin and the binary of the options.
    pub fn new(args: &TaskArgs) -> Result<Programs, TaskFailure> {
        let tools = fuzz::tools(args, args.path("cache"))?;
        let resy = Resy::new(&args.resy(), fuzz::RESY_LIMIT)?;
        Ok(Programs { tools, resy })
    }

    fn ask(&self, text: &str, plain: &ResyReport, mode: &Mode) -> io::Result<ModeFinding> {
        let scratch = folder(text)?;
        mode.ask(&self.resy, scratch.path(), plain)
    }

    /// Makes the program smaller while a mode differs in the same way.
    fn shrunk(&self, seed: u64, program: &Program, mode: &Mode, what: &str) -> String {
        let (started, kind) = (Instant::now(), kind_of(what));
        let still_differs = |candidate: &Program| {
            if started.elapsed() > SHRINK_LIMIT {
                return false;
            }
            let trial = self.tools.try_program(seed, candidate.clone());
            let plain = trial.ok().as_ref().and_then(agreed).filter(|plain| plain.is_whole);
            let Some(plain) = plain else { return false };
            let found = self.ask(&print(candidate), &plain, mode);
            matches!(found, Ok(ModeFinding::Differs(what)) if kind_of(&what) == kind)
        };
        print(&shrink(program, SHRINK_TRIES, still_differs).program)
    }
}

impl Campaign for Programs {
    fn unit(&self) -> &'static str {
        "programs"
    }

    fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure> {
        let mut report = CaseReport::default();
        let program = generate(seed);
        let trial = self.tools.try_program(seed, program.clone())?;
        report.one(format!("plain: {}", plain_word(&trial)));
        if trial.difference().is_some() {
            let finding = ShrunkFinding::of(&trial, &self.tools, SHRINK_TRIES)?;
            report.differs(seed, finding.headline(), "pml", finding.text());
        }
        let Some(plain) = agreed(&trial) else { return Ok(report) };
        if !plain.is_whole {
            report.one("modes not asked: the plain search was cut short".to_owned());
            return Ok(report);
        }
        for mode in MODES {
            match self.ask(&print(&program), &plain, mode)? {
                ModeFinding::Agrees(answers) => {
                    answers.into_iter().for_each(|a| report.one(format!("{}: {a}", mode.name)));
                }
                // To make such a program smaller would take hours.
                ModeFinding::Differs(what) if what == NOT_ENDED => {
                    report.differs(seed, format!("{}: {what}", mode.name), "pml", print(&program));
                }
                ModeFinding::Differs(what) => {
                    println!("seed {seed}: {}: {what} (it is made smaller)", mode.name);
                    let text = self.shrunk(seed, &program, mode, &what);
                    report.differs(seed, format!("{}: {what}", mode.name), "pml", text);
                }
            }
        }
        Ok(report)
    }
}

/// The plain report of a program about which spin and resy agree.
fn agreed(trial: &Trial) -> Option<ResyReport> {
    match (&trial.comparison, &trial.resy) {
        (Some(Comparison::Same | Comparison::SameVerdict), Some(ResyOutcome::Decided(report))) => {
            Some(report.clone())
        }
        _ => None,
    }
}

fn plain_word(trial: &Trial) -> String {
    match &trial.comparison {
        Some(Comparison::Same) => "same counts and errors".to_owned(),
        Some(Comparison::SameVerdict) => "same verdict (spin stops early)".to_owned(),
        Some(Comparison::BothReject) => "both reject".to_owned(),
        Some(Comparison::Discarded(why)) => {
            format!("not compared: {}", first_words(&why.to_string()))
        }
        Some(Comparison::Difference(difference)) => format!("DIFFERS: {difference}"),
        None => "not run".to_owned(),
    }
}

/// The first words of a difference, which stay the same while the program becomes smaller.
fn kind_of(difference: &str) -> &str {
    difference.match_indices(' ').nth(3).map_or(difference, |(at, _)| &difference[..at])
}

fn first_words(text: &str) -> &str {
    text.split([':', ';']).next().unwrap_or_default()
}

/// A folder with the program in it.
fn folder(text: &str) -> io::Result<Scratch> {
    let scratch = Scratch::new("programs")?;
    std::fs::write(scratch.path().join(MODEL), text)?;
    Ok(scratch)
}

/// Whether a file was written.
fn is_written(folder: &Path, name: &str) -> bool {
    folder.join(name).metadata().is_ok_and(|file| file.len() > 0)
}
