//! The size of a requirement after each refinement step, in two orders of the steps.
//!
//! `resy assume --trace-csv` uses the faster order. The papers' prototype used the other one, which is
//! computed by the library, on the network that `resy lts` writes.

use super::ask::CaseBench;
use crate::args::TaskFailure;
use resy_automata::network::Network;
use resy_automata::text::network_file;
use resy_compose::Split;
use resy_compose::refine::{alternating, assume};
use resy_testkit::case_studies::CaseStudy;
use resy_testkit::families::Variant;
use resy_testkit::scratch::Scratch;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// The order of refinement steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Ten forward steps and ten backward steps in turn.
    Alternating,
    /// Forward steps as long as there are any.
    ForwardFirst,
}

impl Way {
    /// Both orders.
    pub const ALL: [Way; 2] = [Way::Alternating, Way::ForwardFirst];

    /// The name in titles and files.
    pub fn name(self) -> &'static str {
        match self {
            Way::Alternating => "ten steps forward, ten back",
            Way::ForwardFirst => "forward first",
        }
    }
}

/// The requirement after some refinement steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracePoint {
    /// The number of refinement steps so far.
    pub step: f64,
    /// The number of classes of the environment.
    pub classes: f64,
    /// The number of states of the requirement.
    pub requirement: f64,
}

/// Traces by the name of the row.
pub type Traces = BTreeMap<(String, Way), Vec<TracePoint>>;

/// The trace of a row, with the papers' split.
pub fn trace(bench: &CaseBench, row: &CaseStudy, way: Way) -> Result<Vec<TracePoint>, TaskFailure> {
    let folder = Scratch::new("tables")?;
    match way {
        Way::ForwardFirst => {
            let file = folder.path().join("trace.csv");
            let mut command =
                bench.command(&["assume", "--method", "refine", "--json"], row, Variant::Plain);
            command.args(["--module", &row.modules[0]]).arg("--trace-csv").arg(&file);
            bench.run(&mut command, bench.limit)?;
            Ok(read(&std::fs::read_to_string(file).unwrap_or_default()))
        }
        Way::Alternating => {
            let words = ["lts", "--format", "aut"];
            let mut command = bench.command(&words, row, Variant::Plain);
            bench.run(command.arg("-o").arg(folder.path()), bench.limit)?;
            Ok(refined(bench, &network(folder.path(), &row.modules[0])?))
        }
    }
}

/// Reads the network that `resy lts` wrote to a folder.
fn network(folder: &Path, module: &str) -> Result<Network, TaskFailure> {
    let text = std::fs::read_to_string(folder.join("model.net"))? + &format!("\nmodule {module}\n");
    let mut beside = |path: &str| {
        std::fs::read_to_string(folder.join(path)).map(Cow::Owned).map_err(|e| e.to_string())
    };
    let read = network_file::read("model.net", &text, &[], &mut beside);
    read.map(|(network, _)| network).map_err(|error| TaskFailure::new(error.to_string()))
}

fn refined(bench: &CaseBench, network: &Network) -> Vec<TracePoint> {
    let mut points = Vec::new();
    let Ok(split) = Split::of(network, usize::MAX) else { return points };
    let start = Instant::now();
    let size = |n: usize| n as f64;
    assume(&split, alternating, |draft| {
        let (progress, requirement) = (draft.progress(), draft.requirement().lts().n_states());
        let (step, classes) = (size(progress.steps), size(progress.n_classes));
        points.push(TracePoint { step, classes, requirement: size(requirement) });
        start.elapsed() < bench.limit
    });
    points
}

impl TracePoint {
    /// Parses a line of the file; `None` for its heading.
    pub fn read(line: &str) -> Option<TracePoint> {
        let mut numbers = line.split(',').map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok();
        Some(TracePoint { step: next()?, classes: next()?, requirement: next()? })
    }
}

fn read(text: &str) -> Vec<TracePoint> {
    text.lines().filter_map(TracePoint::read).collect()
}

/// All traces as the text of a file.
pub fn to_csv(traces: &Traces) -> String {
    let mut text = "row,way,step,classes,requirement\n".to_owned();
    for ((row, way), points) in traces {
        let way = way.name().replace(',', ";");
        for TracePoint { step, classes, requirement } in points {
            text += &format!("{row},{way},{step},{classes},{requirement}\n");
        }
    }
    text
}

/// Parses such a file.
pub fn from_csv(text: &str) -> Traces {
    let mut traces = Traces::new();
    for line in text.lines() {
        let mut cells = line.splitn(3, ',');
        let (Some(row), Some(name), Some(point)) = (cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        let way = Way::ALL.into_iter().find(|way| way.name().replace(',', ";") == name);
        if let Some((way, point)) = way.zip(TracePoint::read(point)) {
            traces.entry((row.to_owned(), way)).or_default().push(point);
        }
    }
    traces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_read() {
        let points = read("step,classes,requirement,elapsed\n0,1,98,0.004\n1,2,90,0.005\n");
        assert_eq!(points.len(), 2);
        assert_eq!(points[1], TracePoint { step: 1.0, classes: 2.0, requirement: 90.0 });
        assert!(read("").is_empty());
    }

    #[test]
    fn what_is_written_is_read() {
        let point = TracePoint { step: 3.0, classes: 4.0, requirement: 9.0 };
        let key = |way| ("SW 2/1/A".to_owned(), way);
        let traces: Traces =
            [(key(Way::Alternating), vec![point]), (key(Way::ForwardFirst), vec![point; 2])].into();
        assert_eq!(from_csv(&to_csv(&traces)), traces);
    }
}
