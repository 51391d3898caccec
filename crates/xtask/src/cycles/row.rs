//! One row: a model with a formula, and its searches.

use super::pan::{self, PanCost};
use crate::args::TaskFailure;
use resy_testkit::process;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A model with a formula.
#[derive(Debug)]
pub struct CycleRow {
    pub model: String,
    pub defines: Vec<String>,
    pub formula: String,
    /// Whether the formula holds under fairness only.
    pub is_fair: bool,
    folder: PathBuf,
}

/// The cost of a search by resy.
#[derive(Debug)]
pub struct Cost {
    pub verdict: String,
    pub states: u64,
    pub transitions: u64,
    pub seconds: f64,
    wall: f64,
    bytes: u64,
}

/// What was measured of a row. What reached its limit is `None`.
#[derive(Debug, Default)]
pub struct Measured {
    pub safety: Option<Cost>,
    pub one: Option<Cost>,
    pub weak: Option<Cost>,
    pub strong: Option<Cost>,
    pub two: Option<Cost>,
    pub pan: Option<PanCost>,
    pub pan_fair: Option<PanCost>,
    /// Why there is no answer of the verifier without fairness, and with it.
    pan_why: [String; 2],
}

/// The rows of a table; models are in `models` beside it.
pub fn read(table: &Path) -> Result<Vec<CycleRow>, TaskFailure> {
    let text = std::fs::read_to_string(table)?;
    let parsed: toml::Table = text.parse().map_err(|e| TaskFailure::new(format!("{e}")))?;
    let folder = table.parent().unwrap_or(Path::new("")).join("models");
    let rows = parsed.get("row").and_then(toml::Value::as_array).into_iter().flatten();
    let row = |row: &toml::Value| {
        let word = |key| row.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let defines = row.get("defines").and_then(toml::Value::as_array).into_iter().flatten();
        let defines = defines.filter_map(toml::Value::as_str).map(|d| format!("-D{d}")).collect();
        let is_fair = row.get("fair").and_then(toml::Value::as_bool).unwrap_or(false);
        let (model, formula) = (word("model")?, word("formula")?);
        Some(CycleRow { model, defines, formula, is_fair, folder: folder.clone() })
    };
    let bad = || TaskFailure::new(format!("{}: a row has no model or formula", table.display()));
    rows.map(|value| row(value).ok_or_else(bad)).collect()
}

impl CycleRow {
    /// The model with the formula in it.
    pub fn text(&self, model: &str) -> String {
        format!("{model}\nltl formula {{ {} }}\n", self.formula)
    }

    /// Measures all searches, one after the other.
    pub fn measure(&self, resy: &Path, limit: Duration) -> Result<Measured, TaskFailure> {
        let model = std::fs::read_to_string(self.folder.join(format!("{}.pml", self.model)))?;
        let folder = Scratch::new("cycles")?;
        let file = folder.path().join("model.pml");
        std::fs::write(&file, self.text(&model))?;
        let ask = |more: &[&str]| self.ask(resy, &file, more, limit);
        let search = ["--property", "formula"];
        let with = |more: &[&str]| ask(&[&search, more].concat());
        let one = with(&["--threads", "1"])?;
        let two = with(&["--threads", "2"])?;
        let mut measured = Measured {
            safety: ask(&["--threads", "1", "--no-claims"])?,
            one,
            weak: with(&["--threads", "1", "--fair", "weak"])?,
            strong: with(&["--threads", "1", "--fair", "strong"])?,
            two,
            ..Measured::default()
        };
        for is_fair in [false, true] {
            let answer = pan::verify(&file, &self.defines, is_fair, limit)?;
            let (to, why) = match is_fair {
                false => (&mut measured.pan, &mut measured.pan_why[0]),
                true => (&mut measured.pan_fair, &mut measured.pan_why[1]),
            };
            match answer {
                Ok(cost) => *to = Some(cost),
                Err(words) => *why = words,
            }
        }
        Ok(measured)
    }

    fn ask(
        &self,
        resy: &Path,
        file: &Path,
        more: &[&str],
        limit: Duration,
    ) -> io::Result<Option<Cost>> {
        let folder = Scratch::new("cycles")?;
        let mut command = Command::new(resy);
        command.args(["check", "--engine", "monolithic", "--plain", "--as-found", "--json"]);
        command.args(more).args(&self.defines).arg(file);
        let output = process::run(&mut command, folder.path(), limit)?;
        let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
        let verdict = json["verdict"].as_str().unwrap_or_default().to_owned();
        let count = |name: &str| json["stats"][name].as_u64().unwrap_or(0);
        Ok(["holds", "fails"].contains(&verdict.as_str()).then(|| Cost {
            states: count("states"),
            transitions: count("transitions"),
            verdict,
            seconds: output.usage.cpu.as_secs_f64(),
            wall: output.usage.wall.as_secs_f64(),
            bytes: output.usage.max_rss,
        }))
    }
}

impl Measured {
    /// One thread against the safety search, if the formula holds without fairness.
    pub fn to_safety(&self) -> Option<f64> {
        let one = self.one.as_ref().filter(|one| one.verdict == "holds")?;
        Some(one.seconds / self.safety.as_ref()?.seconds)
    }

    /// A search under fairness against that without, if both visit everything.
    pub fn to_none(&self, fair: &Cost) -> Option<f64> {
        let one = self.one.as_ref().filter(|one| one.verdict == fair.verdict)?;
        Some(fair.seconds / one.seconds)
    }

    /// How much faster two threads are than one.
    pub fn speedup(&self) -> Option<f64> {
        Some(self.one.as_ref()?.wall / self.two.as_ref()?.wall)
    }

    /// Whether searches for the same have the same verdict, and the same counts if nothing is violated.
    pub fn is_consistent(&self) -> bool {
        let is_same = |a: &Option<Cost>, b: &Option<Cost>| {
            let [Some(a), Some(b)] = [a, b] else { return true };
            let counts = |cost: &Cost| (cost.states, cost.transitions);
            a.verdict == b.verdict && (a.verdict == "fails" || counts(a) == counts(b))
        };
        let agrees = |ours: &Option<Cost>, pan: &Option<PanCost>| {
            let [Some(verdict), Some(pan)] =
                [ours.as_ref().map(|c| c.verdict.as_str()), pan.as_ref().map(|p| p.verdict)]
            else {
                return true;
            };
            verdict == pan
        };
        is_same(&self.one, &self.two)
            && agrees(&self.one, &self.pan)
            && agrees(&self.weak, &self.pan_fair)
    }

    /// The line of the table.
    pub fn line(&self, row: &CycleRow) -> String {
        let verdict =
            |cost: &Option<Cost>| cost.as_ref().map_or("–".to_owned(), |c| c.verdict.clone());
        let verdicts = match row.is_fair {
            true => format!("{}, weak {}", verdict(&self.one), verdict(&self.weak)),
            false => verdict(&self.one),
        };
        let seconds = |cost: &Option<Cost>| {
            cost.as_ref().map_or("–".to_owned(), |c| format!("{:.2}", c.seconds))
        };
        let times =
            |ratio: Option<f64>| ratio.map_or(String::new(), |ratio| format!(" ({ratio:.2})"));
        let walls = match (&self.one, &self.two) {
            (Some(one), Some(two)) => format!("{:.2}, {:.2}", one.wall, two.wall),
            _ => "–".to_owned(),
        };
        let pan = |pan: &Option<PanCost>, ours: &Option<Cost>, why: &str| match (pan, ours) {
            (Some(pan), Some(ours)) => {
                format!("{:.2} ({:.1})", pan.seconds, pan.seconds / ours.seconds)
            }
            (Some(pan), None) => format!("{:.2}", pan.seconds),
            (None, _) => why.to_owned(),
        };
        let states =
            |pan: &Option<PanCost>| pan.as_ref().map_or("–".to_owned(), |p| p.states.to_string());
        let product = self.weak.as_ref().or(self.one.as_ref()).map_or(0, |cost| cost.states);
        let of = |fair: &Option<Cost>| fair.as_ref().and_then(|cost| self.to_none(cost));
        format!(
            "| {} {} | `{}` | {verdicts} | {product} | {} | {}{} | {}{} | {}{} | {} | {walls}{} | {} | {} | {}, {} | {}, {} |",
            row.model,
            row.defines.join(" "),
            row.formula,
            seconds(&self.safety),
            seconds(&self.one),
            times(self.to_safety()),
            seconds(&self.weak),
            times(of(&self.weak)),
            seconds(&self.strong),
            times(of(&self.strong)),
            seconds(&self.two),
            times(self.speedup()),
            pan(&self.pan, &self.one, &self.pan_why[0]),
            pan(&self.pan_fair, &self.weak, &self.pan_why[1]),
            states(&self.pan),
            states(&self.pan_fair),
            self.above(&self.one),
            self.above(&self.two),
        )
    }

    /// The memory of a search above that of the safety search, in bytes for each state.
    fn above(&self, cost: &Option<Cost>) -> String {
        let (Some(cost), Some(safety)) = (cost, &self.safety) else { return "–".to_owned() };
        let more = cost.bytes as f64 - safety.bytes as f64;
        format!("{:+.0}", more / cost.states.max(1) as f64)
    }
}
