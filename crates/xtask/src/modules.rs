//! How the requirement of one process grows with the size of a family, and what it takes.
//!
//! For each family a process that the property is about and one at the edge, with growing n, until a run
//! gives no proof or no certificate that `recheck` accepts. Times are processor times of the whole
//! command with its certificate. The results are a table with exponents, and a picture.

use crate::args::{TaskArgs, TaskFailure};
use crate::campaign::processor_time;
use crate::fit::exponent;
use crate::machine;
use crate::plot::{Axis, Curve, Panel, Scale, picture};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A process of a family with n from some sizes.
struct FamilyModule {
    family: &'static str,
    property: &'static str,
    proctype: &'static str,
    /// The pid is this many halves of n and this many more; `None` if there is one process of its kind.
    pid: Option<(u32, u32)>,
    sizes: [u32; 4],
}

const FEW: [u32; 4] = [4, 8, 16, 32];
const SOME: [u32; 4] = [25, 50, 100, 200];
const MANY: [u32; 4] = [125, 250, 500, 1000];

const MODULES: [FamilyModule; 13] = [
    module("philosophers", "apart", "Philosopher", Some((1, 1)), MANY),
    module("philosophers", "apart", "Philosopher", Some((0, 1)), MANY),
    module("lock_server", "exclusive", "Server", None, MANY),
    module("lock_server", "exclusive", "Client", Some((1, 2)), MANY),
    module("lock_server", "exclusive", "Client", Some((0, 2)), MANY),
    module("token_ring", "exclusive", "Station", Some((1, 1)), SOME),
    module("token_ring", "exclusive", "Station", Some((0, 1)), SOME),
    module("buffers", "genuine", "Buffer", Some((1, 1)), MANY),
    module("buffers", "genuine", "Buffer", Some((0, 3)), MANY),
    module("readers_writers", "exclusive", "Reader", Some((1, 1)), SOME),
    module("readers_writers", "exclusive", "Reader", Some((0, 1)), SOME),
    module("alternating_bit", "assertions", "Sender", Some((2, 1)), FEW),
    module("alternating_bit", "assertions", "Sender", Some((0, 3)), FEW),
];

const fn module(
    family: &'static str,
    property: &'static str,
    proctype: &'static str,
    pid: Option<(u32, u32)>,
    sizes: [u32; 4],
) -> FamilyModule {
    FamilyModule { family, property, proctype, pid, sizes }
}

impl FamilyModule {
    /// The name of the process.
    fn name(&self, n: u32) -> String {
        match self.pid {
            None => self.proctype.to_owned(),
            Some((halves, more)) => format!("{}[{}]", self.proctype, halves * n / 2 + more),
        }
    }

    /// What the curve of the process is called.
    fn caption(&self) -> String {
        let place = match self.pid {
            None => "",
            Some((0, _)) => " at the edge",
            Some(_) => " in the middle",
        };
        format!("{}, {}{place}", self.family.replace('_', " "), self.proctype)
    }
}

/// One run.
struct Measured {
    n: u32,
    module: String,
    seconds: f64,
    bytes: u64,
    is_accepted: bool,
    /// What `assume` says.
    answer: Value,
}

impl Measured {
    fn is_proved(&self) -> bool {
        self.answer["verdict"] == "holds"
    }
}

/// The task `modules`; true if everything is proved and accepted.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let (resy, only) = (args.resy(), args.list("only"));
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/modules"));
    let limit: u64 = args.number("limit", 20)?;
    std::fs::create_dir_all(&out)?;
    let is_asked = |m: &&FamilyModule| only.is_empty() || only.iter().any(|f| f == m.family);
    let mut all: Vec<(&FamilyModule, Vec<Measured>)> = Vec::new();
    for module in MODULES.iter().filter(is_asked) {
        let mut rows = Vec::new();
        for n in module.sizes {
            let found = measure(&resy, module, n, limit, &out)?;
            eprintln!("{} {n}: {:.2} s", module.caption(), found.seconds);
            rows.push(found);
            if rows.last().is_some_and(|row| !row.is_proved()) {
                break;
            }
        }
        all.push((module, rows));
    }
    let version = machine::first_line(&resy.display().to_string(), &["--version"]);
    let text = format!("{}\n{}", machine::describe(&version)?, table(&all));
    print!("{text}");
    std::fs::write(out.join("modules.md"), &text)?;
    std::fs::write(out.join("modules.svg"), plot(&all))?;
    let mut rows = all.iter().flat_map(|(_, rows)| rows);
    Ok(rows.all(|row| row.is_proved() && row.is_accepted))
}

fn measure(
    resy: &Path,
    module: &FamilyModule,
    n: u32,
    limit: u64,
    out: &Path,
) -> Result<Measured, TaskFailure> {
    let certificate = out.join("certificate");
    let _ = std::fs::remove_file(&certificate);
    let name = module.name(n);
    let before = processor_time();
    let mut command = Command::new(resy);
    command.args(["assume", "--json", "-q", "--module", &name, "--property", module.property]);
    command.arg("--timeout").arg(limit.to_string()).arg("--certificate").arg(&certificate);
    command.arg(format!("-DN={n}")).arg(format!("bench/families/{}.pml", module.family));
    let output = command.stderr(Stdio::null()).output()?;
    let seconds = (processor_time() - before).as_secs_f64();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let bytes = std::fs::metadata(&certificate).map_or(0, |file| file.len());
    let mut recheck = Command::new(resy);
    recheck.arg("recheck").arg(&certificate).stdout(Stdio::null()).stderr(Stdio::null());
    let is_accepted = bytes > 0 && recheck.status()?.success();
    Ok(Measured { n, module: name, seconds, bytes, is_accepted, answer })
}

fn table(all: &[(&FamilyModule, Vec<Measured>)]) -> String {
    let mut text = String::from(
        "| family, module | n | states | quality | processor s | certificate, bytes | accepted | exponent |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for (module, rows) in all {
        let points: Vec<(f64, f64)> = points(rows);
        for (i, row) in rows.iter().enumerate() {
            let states = row.answer["requirement_states"].as_u64().unwrap_or(0);
            let quality = row.answer["quality"].as_str().unwrap_or("no answer");
            let grows = exponent(&points).filter(|_| i + 1 == rows.len());
            let grows = grows.map_or(String::new(), |e| format!("{e:.1}"));
            let accepted = if row.is_accepted { "yes" } else { "no" };
            let Measured { n, module: name, seconds, bytes, .. } = row;
            let family = module.family.replace('_', " ");
            let _ = writeln!(
                text,
                "| {family}, `{name}` | {n} | {states} | {quality} | {seconds:.2} | {bytes} | {accepted} | {grows} |"
            );
        }
    }
    text
}

fn points(rows: &[Measured]) -> Vec<(f64, f64)> {
    let proved = rows.iter().filter(|row| row.is_proved());
    proved.map(|row| (f64::from(row.n), row.seconds.max(0.01))).collect()
}

/// Seconds by n, both logarithmic: a straight line is a polynomial.
fn plot(all: &[(&FamilyModule, Vec<Measured>)]) -> String {
    let axis = |title: &str| Axis { title: title.to_owned(), scale: Scale::Log };
    let curve = |(style, (module, rows)): (usize, &(&FamilyModule, Vec<Measured>))| Curve {
        name: module.caption(),
        style,
        points: points(rows),
    };
    let curves = all.iter().enumerate().map(curve).collect();
    let title = "requirement of one process".to_owned();
    picture(&[Panel { title, x: axis("n"), y: axis("processor seconds"), curves }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_have_names() {
        let names: Vec<String> = MODULES.iter().map(|module| module.name(8)).collect();
        assert_eq!(names[..4], ["Philosopher[5]", "Philosopher[1]", "Server", "Client[6]"]);
        assert_eq!(names.last().map(String::as_str), Some("Sender[3]"));
    }
}
