//! Runs the tools: a command of resy with `--json`, or spin's three commands.
//!
//! Every command has its own time limit, and is killed if it has not ended some seconds after the limit.
//! This is recorded as `hung`, because a tool should obey its limit.

use super::mode::Mode;
use super::run::CaseAnswer;
use crate::spin;
use crate::tidy::workspace_root;
use resy_testkit::case_studies::CaseStudy;
use resy_testkit::families::Variant;
use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time after its limit that a command has to end.
const GRACE: Duration = Duration::from_secs(5);

/// The settings that all runs share.
#[derive(Debug)]
pub struct CaseBench {
    /// The resy binary, with an absolute path.
    pub resy: PathBuf,
    /// The time limit of a resy command.
    pub limit: Duration,
    /// The time limit of spin, and of commands that run it.
    pub spin_limit: Duration,
    /// The memory limit of a search.
    pub megabytes: u64,
}

impl CaseBench {
    /// Runs a mode on a row; `split` selects one of its modules.
    pub fn ask(
        &self,
        row: &CaseStudy,
        variant: Variant,
        mode: Mode,
        split: usize,
    ) -> io::Result<CaseAnswer> {
        match mode {
            Mode::Spin => self.spin(row, variant),
            Mode::Recheck => self.recheck(row, split),
            Mode::Bisimulation => {
                let mut command = self.command(mode.command(), row, variant);
                command.arg("--json");
                Ok(reduced_module(&self.run(&mut command, self.limit)?, &row.modules[split]))
            }
            _ => {
                let mut command = self.command(mode.command(), row, variant);
                command.arg("--json");
                if mode.names_a_module() {
                    command.args(["--module", &row.modules[split]]);
                }
                let limit = if mode.calls_spin() { self.spin_limit } else { self.limit };
                Ok(read(&self.run(&mut command, limit)?))
            }
        }
    }

    /// Runs a command of resy with a time limit, which is also passed to it.
    pub fn run(&self, command: &mut Command, limit: Duration) -> io::Result<Output> {
        let folder = Scratch::new("tables")?;
        // Files that resy leaves there are removed with the folder. Messages name files relative to the
        // root.
        command.current_dir(workspace_root()).env("TMPDIR", folder.path());
        command.args(["--timeout", &limit.as_secs().to_string()]);
        command.args(["--memory", &format!("{}M", self.megabytes)]);
        process::run(command, folder.path(), limit + GRACE)
    }

    /// A command on a row.
    pub fn command(&self, words: &[&str], row: &CaseStudy, variant: Variant) -> Command {
        let mut command = Command::new(&self.resy);
        command.args(words).args(["-q", "--property", &row.property]);
        command.args(row.define_flags(variant)).arg(relative(&row.path));
        command
    }

    fn spin(&self, row: &CaseStudy, variant: Variant) -> io::Result<CaseAnswer> {
        let answer = spin::verify(&spin::SpinQuestion {
            path: &row.path,
            defines: row.define_flags(variant),
            claim: (row.property != "trace").then_some(&row.property),
            limit: self.spin_limit,
            megabytes: self.megabytes,
        })?;
        Ok(CaseAnswer {
            outcome: answer.outcome.to_owned(),
            seconds: answer.seconds(),
            bytes: answer.last_bytes,
            states: answer.states,
            spin: answer.steps.try_into().ok(),
            own_search: answer.own_seconds,
            ..CaseAnswer::default()
        })
    }

    /// Only the check of the certificate is timed.
    fn recheck(&self, row: &CaseStudy, split: usize) -> io::Result<CaseAnswer> {
        let folder = Scratch::new("tables")?;
        let file = folder.path().join("requirement.cert");
        let mut command =
            self.command(&["assume", "--method", "refine", "--json"], row, Variant::Plain);
        command.args(["--module", &row.modules[split]]).arg("--certificate").arg(&file);
        let made = self.run(&mut command, self.limit)?;
        if !made.succeeded() {
            return Ok(CaseAnswer { outcome: "no certificate".to_owned(), ..read(&made) });
        }
        let mut command = Command::new(&self.resy);
        command.args(["recheck", "--json"]).arg(&file).current_dir(folder.path());
        Ok(read(&process::run(&mut command, folder.path(), self.limit + GRACE)?))
    }
}

/// The path relative to the root, so that messages are the same on every machine.
fn relative(path: &Path) -> PathBuf {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = workspace_root();
    whole.strip_prefix(root.canonicalize().unwrap_or(root)).map_or(whole.clone(), Path::to_owned)
}

/// Reads the verdict from the exit code and the numbers from the JSON object.
fn read(output: &Output) -> CaseAnswer {
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    // `check` and `spin` report a list of properties, `assume` its single property.
    let (property, stats) = match json["properties"].get(0) {
        Some(property) => (property, &json["stats"]),
        None => (&json, &json),
    };
    let run_of_spin = &property["after"];
    let spin = steps(run_of_spin);
    // The original model is verified for comparison only.
    let alone = steps(&property["before"]);
    let compared: f64 = alone.into_iter().flatten().sum();
    let own_peak = stats["peak_bytes"].as_u64().unwrap_or(output.usage.max_rss);
    let states = if spin.is_some() { &run_of_spin["states"] } else { &stats["states"] };
    CaseAnswer {
        outcome: outcome(output.ending, property["reason"].as_str(), &json),
        seconds: output.usage.wall.as_secs_f64() - compared,
        bytes: if spin.is_some() { output.usage.max_rss } else { own_peak },
        states: states.as_u64(),
        module: property["module_states"].as_u64(),
        environment: environment(&json),
        requirement: property["requirement_states"].as_u64(),
        refinements: property["refinements"].as_u64().or_else(|| stats["refinements"].as_u64()),
        spin,
        alone,
        alone_states: property["before"]["states"].as_u64(),
        own_search: None,
        kept: property["kept"].as_str().unwrap_or_default().to_owned(),
    }
}

fn outcome(ending: Ending, reason: Option<&str>, json: &Value) -> String {
    let text = match (ending, reason) {
        (Ending::Exit(0), _) => "holds",
        (Ending::Exit(1), _) => "fails",
        (Ending::Exit(2), _) => "rejected",
        (Ending::Exit(3), Some(reason)) => reason,
        (Ending::Exit(3), None) if json["interrupted"] == true => "interrupted",
        (Ending::Exit(3), None) => "unknown",
        (Ending::TimedOut, _) => "hung",
        (Ending::Exit(_) | Ending::Signal(_), _) => "crashed",
    };
    text.to_owned()
}

/// The seconds of a run of spin by resy.
fn steps(run: &Value) -> Option<[f64; 3]> {
    let seconds = |key: &str| run[key].as_f64();
    Some([seconds("generate_seconds")?, seconds("compile_seconds")?, seconds("search_seconds")?])
}

/// A number if the environment is one component, otherwise the numbers of all components with
/// transitions.
fn environment(json: &Value) -> String {
    if let Some(states) = json["environment_states"].as_u64() {
        return states.to_string();
    }
    let all = json["components"].as_array().into_iter().flatten();
    let names = json["environment"].as_array().map_or(&[][..], Vec::as_slice);
    let parts = all.filter(|component| names.contains(&component["name"]));
    let sizes = parts.filter_map(|component| component["states"].as_u64()).filter(|&n| n > 1);
    sizes.map(|n| n.to_string()).collect::<Vec<_>>().join("×")
}

/// The size of a module that is one component, after minimisation by bisimulation.
fn reduced_module(output: &Output, module: &str) -> CaseAnswer {
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let all = json["components"].as_array().into_iter().flatten();
    let mut named = all.filter(|component| component["name"] == module);
    let done = if output.succeeded() { "done" } else { "unknown" };
    CaseAnswer {
        outcome: done.to_owned(),
        seconds: output.usage.wall.as_secs_f64(),
        bytes: output.usage.max_rss,
        requirement: named.next().and_then(|component| component["states"].as_u64()),
        ..CaseAnswer::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_testkit::process::Usage;

    fn ended(ending: Ending, stdout: &str) -> CaseAnswer {
        let usage = Usage { wall: Duration::from_secs(9), max_rss: 777, ..Usage::default() };
        let (stdout, stderr) = (stdout.to_owned(), String::new());
        read(&Output { ending, usage, stdout, stderr })
    }

    #[test]
    fn a_requirement_is_read() {
        let json = r#"{"components": [{"name": "P", "states": 6}, {"name": "Q", "states": 1},
            {"name": "R", "states": 5}, {"name": "M", "states": 9}], "environment": ["P", "Q", "R"],
            "environment_states": null, "module_states": 9, "requirement_states": 3,
            "refinements": 8, "peak_bytes": 100, "verdict": "holds"}"#;
        let answer = ended(Ending::Exit(0), json);
        assert_eq!((answer.module, answer.requirement), (Some(9), Some(3)));
        assert_eq!((answer.environment.as_str(), answer.refinements), ("6×5", Some(8)));
        assert_eq!((answer.bytes, answer.seconds, answer.spin), (100, 9.0, None));
        let whole = json.replace(r#""environment_states": null"#, r#""environment_states": 30"#);
        assert_eq!(ended(Ending::Exit(0), &whole).environment, "30");
    }

    #[test]
    fn the_comparing_run_of_spin_is_not_counted() {
        let run = |search: f64, states: u64| {
            format!(
                r#"{{"generate_seconds": 0.5, "compile_seconds": 2, "search_seconds": {search}, "states": {states}}}"#
            )
        };
        let json = format!(
            r#"{{"properties": [{{"after": {}, "before": {}, "requirement_states": 7}}], "stats": {{"peak_bytes": 5}}}}"#,
            run(0.25, 104),
            run(1.5, 1064)
        );
        let answer = ended(Ending::Exit(0), &json);
        assert_eq!((answer.seconds, answer.spin), (5.0, Some([0.5, 2.0, 0.25])));
        assert_eq!((answer.states, answer.requirement, answer.bytes), (Some(104), Some(7), 777));
        assert_eq!((answer.alone, answer.alone_states), (Some([0.5, 2.0, 1.5]), Some(1064)));
    }

    #[test]
    fn what_went_wrong_is_named() {
        let of = |ending, json: &str| ended(ending, json).outcome;
        assert_eq!(of(Ending::TimedOut, ""), "hung");
        assert_eq!(of(Ending::Signal(6), ""), "crashed");
        assert_eq!(of(Ending::Exit(2), ""), "rejected");
        assert_eq!(of(Ending::Exit(3), r#"{"interrupted": true}"#), "interrupted");
        let late = r#"{"properties": [{"reason": "the time limit was reached"}]}"#;
        assert_eq!(of(Ending::Exit(3), late), "the time limit was reached");
    }
}
