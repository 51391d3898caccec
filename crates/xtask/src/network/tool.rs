//! The tools that are compared, and the call of `resy check`.

use super::measurement::{GrowthAnswer, Measurement};
use resy_testkit::families::{Family, Variant, define_flags};
use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::spin;

/// A tool: one way to get a verdict.
pub struct GrowthTool {
    /// The name in the tables.
    pub name: &'static str,
    /// Whether its largest size is determined exactly, because ours is compared with it.
    pub to_the_last: bool,
    way: Way,
}

enum Way {
    /// `resy check` with these options.
    Resy(&'static [&'static str]),
    /// `spin -a`, a compiler, `pan`.
    Spin,
}

/// All of them.
pub const TOOLS: [GrowthTool; 6] = [
    engine("network", &["--engine", "network"]),
    engine("folding", &["--engine", "network", "--method", "folding"]),
    engine("refinement", &["--engine", "network", "--method", "refinement"]),
    engine("requirement", &["--engine", "requirement"]),
    engine("monolithic", &["--engine", "monolithic"]),
    GrowthTool { name: "spin", to_the_last: true, way: Way::Spin },
];

const fn engine(name: &'static str, options: &'static [&'static str]) -> GrowthTool {
    GrowthTool { name, to_the_last: false, way: Way::Resy(options) }
}

/// An instance of a family: variant and size.
#[derive(Clone, Copy)]
pub struct FamilyInstance<'a> {
    /// The family.
    pub family: &'a Family,
    /// The variant.
    pub variant: Variant,
    /// The size.
    pub n: u32,
}

impl FamilyInstance<'_> {
    /// The macros, as command-line arguments.
    pub fn define_flags(&self) -> Vec<String> {
        define_flags(self.variant, self.n)
    }
}

/// The settings that all runs share.
pub struct GrowthBench {
    /// The resy binary, with an absolute path.
    pub resy: PathBuf,
    /// The time limit of spin, from the model to the verdict.
    pub limit: Duration,
    /// The time limit of resy.
    pub own_limit: Duration,
    /// The memory limit of a search.
    pub megabytes: u64,
}

impl GrowthBench {
    /// Runs a tool on an instance.
    pub fn ask(&self, tool: &GrowthTool, instance: &FamilyInstance<'_>) -> io::Result<Measurement> {
        let answer = match tool.way {
            Way::Resy(options) => self.check(options, instance)?,
            Way::Spin => self.spin(instance)?,
        };
        let FamilyInstance { family, variant, n } = *instance;
        Ok(Measurement { family: family.name.clone(), variant, tool: tool.name, n, answer })
    }

    fn check(&self, options: &[&str], instance: &FamilyInstance<'_>) -> io::Result<GrowthAnswer> {
        let folder = Scratch::new("network")?;
        let mut command = Command::new(&self.resy);
        command.arg("check").args(options).args(["--property", &instance.family.property]);
        command.args(["--json", "-q", "--memory", &format!("{}M", self.megabytes)]);
        command.args(instance.define_flags()).arg(&instance.family.path);
        Ok(read(&process::run(&mut command, folder.path(), self.own_limit)?))
    }

    fn spin(&self, instance: &FamilyInstance<'_>) -> io::Result<GrowthAnswer> {
        let answer = spin::verify(&spin::SpinQuestion {
            path: &instance.family.path,
            defines: instance.define_flags(),
            claim: None,
            limit: self.limit,
            megabytes: self.megabytes,
        })?;
        Ok(GrowthAnswer {
            outcome: answer.outcome.to_owned(),
            seconds: answer.seconds(),
            bytes: answer.bytes,
            states: answer.states,
            ..GrowthAnswer::default()
        })
    }
}

/// Reads the verdict from the exit code and the numbers from the JSON object.
fn read(output: &Output) -> GrowthAnswer {
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let reason = json["properties"][0]["reason"].as_str().unwrap_or_default();
    let outcome = match output.ending {
        Ending::Exit(0) => "holds",
        Ending::Exit(1) => "fails",
        Ending::Exit(2) => "not available",
        Ending::Exit(3) if reason.contains("memory limit") => "memory limit",
        Ending::Exit(3) => "unknown",
        Ending::TimedOut => "timed out",
        Ending::Exit(_) | Ending::Signal(_) => "crashed",
    };
    let stats = &json["stats"];
    GrowthAnswer {
        outcome: outcome.to_owned(),
        seconds: output.usage.wall.as_secs_f64(),
        bytes: output.usage.max_rss,
        states: stats["states"].as_u64(),
        refinements: stats["refinements"].as_u64(),
        method: stats["method"].as_str().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_testkit::process::Usage;

    fn exit(code: i32, stdout: &str) -> GrowthAnswer {
        let (stdout, stderr) = (stdout.to_owned(), String::new());
        read(&Output { ending: Ending::Exit(code), usage: Usage::default(), stdout, stderr })
    }

    #[test]
    fn the_object_is_read_and_may_lack_fields() {
        let stats = r#"{"stats": {"states": 7, "refinements": 2, "method": "folding"}}"#;
        let answer = exit(1, stats);
        assert_eq!((answer.states, answer.refinements), (Some(7), Some(2)));
        assert_eq!((answer.outcome.as_str(), answer.method.as_deref()), ("fails", Some("folding")));
        assert_eq!(exit(0, "{}").method, None);
        let full = r#"{"properties": [{"reason": "the memory limit was reached"}]}"#;
        assert_eq!(exit(3, full).outcome, "memory limit");
        assert_eq!(exit(3, "{}").outcome, "unknown");
        assert_eq!(exit(2, "").outcome, "not available");
    }

    #[test]
    fn tools_have_different_names() {
        let names: std::collections::BTreeSet<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
    }
}
