//! The algorithm paper's open question: replacing one process after another by its requirement. Which
//! order is best, and is a second round worthwhile?
//!
//! A component is replaced in a network file by the automaton of its requirement; the next requirement is
//! computed against the resulting network. (Requirements that are all computed against the original
//! network are not compatible with each other.)

mod network_file;
mod report;

pub use report::{differences, in_turn};

use super::ask::CaseBench;
use network_file::NetworkFile;
use resy_testkit::case_studies::CaseStudy;
use resy_testkit::families::{Family, Variant, define_flags};
use resy_testkit::process::Output;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Families with more than two processes, at sizes whose product can be searched within a second.
const FAMILIES: [(&str, u32); 7] = [
    ("philosophers", 4),
    ("token_ring", 4),
    ("lock_server", 4),
    ("readers_writers", 4),
    ("leader_election", 4),
    ("two_phase_commit", 3),
    ("cache_coherence", 2),
];

/// Rows of the papers with two or more processes.
const ROWS: [&str; 5] = ["SW 2/1/A", "SW 3/1/C", "Elevator 3", "Prodcell 7", "Workflow 3"];

/// The expected seconds per model, for the estimate.
pub const WEIGHT: f64 = 3.0;

/// The number of rounds: the second one shows whether the first can be improved.
const ROUNDS: usize = 2;

/// A model whose components are replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacedModel {
    /// The name, with the size.
    pub name: String,
    path: PathBuf,
    defines: Vec<String>,
    property: String,
    truth: String,
}

/// The families at their sizes, and some rows; a quick run uses the first few.
pub fn subjects(families: &[Family], rows: &[CaseStudy], quick: bool) -> Vec<ReplacedModel> {
    let family = |&(name, n): &(&str, u32)| {
        let family = families.iter().find(|family| family.name == name)?;
        Some(ReplacedModel {
            name: format!("{name} {n}"),
            path: family.path.clone(),
            defines: define_flags(Variant::Plain, n),
            property: family.property.clone(),
            truth: family.truth(Variant::Plain).to_owned(),
        })
    };
    let row = |name: &&str| {
        let row = rows.iter().find(|row| row.name == *name)?;
        Some(ReplacedModel {
            name: row.name.clone(),
            path: row.path.clone(),
            defines: row.define_flags(Variant::Plain),
            property: row.property.clone(),
            truth: row.truth(Variant::Plain).to_owned(),
        })
    };
    let all = FAMILIES.iter().filter_map(family).chain(ROWS.iter().filter_map(row));
    all.take(if quick { 3 } else { usize::MAX }).collect()
}

/// The order in which components are replaced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReplacementOrder {
    /// The order of the model.
    Given,
    /// The reverse order.
    Reverse,
    /// By the number of states at the start, the smallest first.
    Smallest,
}

impl ReplacementOrder {
    const ALL: [ReplacementOrder; 3] =
        [ReplacementOrder::Given, ReplacementOrder::Reverse, ReplacementOrder::Smallest];

    fn name(self) -> &'static str {
        match self {
            ReplacementOrder::Given => "given",
            ReplacementOrder::Reverse => "reverse",
            ReplacementOrder::Smallest => "smallest first",
        }
    }

    /// The component numbers, in the order of replacement.
    fn of(self, sizes: &[u64]) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..sizes.len()).collect();
        match self {
            ReplacementOrder::Given => {}
            ReplacementOrder::Reverse => numbers.reverse(),
            ReplacementOrder::Smallest => numbers.sort_by_key(|&number| sizes[number]),
        }
        numbers
    }
}

/// The result of one order.
#[derive(Debug, Clone, PartialEq)]
pub struct Replaced {
    /// The model.
    pub subject: ReplacedModel,
    /// The order.
    pub order: ReplacementOrder,
    /// The original network, and the network after each round; fewer if a requirement could not be
    /// computed.
    pub stages: Vec<ReplacementStage>,
    /// The total time of all requirements.
    pub seconds: f64,
    /// The reason why it ended early.
    pub trouble: Option<String>,
}

/// The measurements of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacementStage {
    /// The number of states of each component with transitions.
    pub sizes: Vec<u64>,
    /// The number of states of their product.
    pub product: Option<u64>,
    /// The verdict of a search of the product.
    pub verdict: String,
}

/// Replaces all components of a model, in each order.
pub fn replace(bench: &CaseBench, subject: &ReplacedModel) -> io::Result<Vec<Replaced>> {
    ReplacementOrder::ALL.into_iter().map(|order| replace_in(bench, subject, order)).collect()
}

fn replace_in(
    bench: &CaseBench,
    subject: &ReplacedModel,
    order: ReplacementOrder,
) -> io::Result<Replaced> {
    let folder = Scratch::new("in-turn")?;
    let mut done = Replaced {
        subject: subject.clone(),
        order,
        stages: Vec::new(),
        seconds: 0.0,
        trouble: None,
    };
    let Some(mut network) = cut(bench, subject, folder.path())? else {
        done.trouble = Some("there is no network".to_owned());
        return Ok(done);
    };
    let mut sizes = network.sizes();
    done.stages.push(measure(bench, &network, &sizes)?);
    for _ in 0..ROUNDS {
        for number in order.of(&sizes.clone()) {
            // A component with one state cannot become smaller.
            if sizes[number] <= 1 {
                continue;
            }
            let output = network.assume(bench, number)?;
            done.seconds += output.usage.wall.as_secs_f64();
            let Some(states) = requirement(&output) else {
                let name = &network.components[number].name;
                done.trouble = Some(format!("no requirement of {name}"));
                return Ok(done);
            };
            network.replace(number)?;
            sizes[number] = states;
        }
        done.stages.push(measure(bench, &network, &sizes)?);
    }
    Ok(done)
}

/// The components of a model, as files in a folder.
fn cut(
    bench: &CaseBench,
    subject: &ReplacedModel,
    folder: &Path,
) -> io::Result<Option<NetworkFile>> {
    let mut command = Command::new(&bench.resy);
    command.args(["lts", "-q", "--format", "aut", "--property", &subject.property]);
    command.args(&subject.defines).arg("-o").arg(folder).arg(subject.path.canonicalize()?);
    let output = bench.run(&mut command, bench.limit)?;
    if !output.succeeded() {
        return Ok(None);
    }
    NetworkFile::read(folder)
}

fn requirement(output: &Output) -> Option<u64> {
    let json: Value = serde_json::from_str(&output.stdout).ok()?;
    json["requirement_states"].as_u64().filter(|_| json["interrupted"] != true)
}

fn measure(
    bench: &CaseBench,
    network: &NetworkFile,
    sizes: &[u64],
) -> io::Result<ReplacementStage> {
    let mut command = Command::new(&bench.resy);
    command.args(["check", "--json", "-q", "--engine", "monolithic", "--plain", "--exhaustive"]);
    let output =
        bench.run(command.arg(network.write()?), Duration::max(bench.limit, bench.spin_limit))?;
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let verdict = json["verdict"].as_str().unwrap_or("unknown").to_owned();
    let product = json["stats"]["states"].as_u64().filter(|_| verdict != "unknown");
    let moving = sizes.iter().copied().filter(|&states| states > 1 || sizes.len() < 3);
    Ok(ReplacementStage { sizes: moving.collect(), product, verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        assert_eq!(ReplacementOrder::Given.of(&[3, 1, 2]), [0, 1, 2]);
        assert_eq!(ReplacementOrder::Reverse.of(&[3, 1, 2]), [2, 1, 0]);
        assert_eq!(ReplacementOrder::Smallest.of(&[3, 1, 2]), [1, 2, 0]);
    }
}
