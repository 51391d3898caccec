//! The algorithm paper's open question: replace one process after another by its requirement. In which
//! order, and is it worth to go round again?
//!
//! A component is replaced in a network file, by the automaton of its requirement; the next requirement is
//! computed against what is there then. (Requirements that are all computed against the original do
//! not go together.)

mod network_file;

use super::ask::Bench;
use super::markdown::{NOTHING, number, text_table};
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

/// Families with more than two processes, at sizes whose product can be searched in a second.
const FAMILIES: [(&str, u32); 7] = [
    ("philosophers", 4),
    ("token_ring", 4),
    ("lock_server", 4),
    ("readers_writers", 4),
    ("leader_election", 4),
    ("two_phase_commit", 3),
    ("cache_coherence", 2),
];

/// Rows of the papers with two processes, or more.
const ROWS: [&str; 5] = ["SW 2/1/A", "SW 3/1/C", "Elevator 3", "Prodcell 7", "Workflow 3"];

/// Seconds to be expected of a model, for the estimate.
pub const WEIGHT: f64 = 3.0;

/// Rounds that are made: the second shows whether the first could be improved.
const ROUNDS: usize = 2;

/// A model that is replaced piece by piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// With its size.
    pub name: String,
    path: PathBuf,
    defines: Vec<String>,
    property: String,
    truth: String,
}

/// The families at their sizes and some rows; the first few of them are enough for a quick look.
pub fn subjects(families: &[Family], rows: &[CaseStudy], quick: bool) -> Vec<Subject> {
    let family = |&(name, n): &(&str, u32)| {
        let family = families.iter().find(|family| family.name == name)?;
        Some(Subject {
            name: format!("{name} {n}"),
            path: family.path.clone(),
            defines: define_flags(Variant::Plain, n),
            property: family.property.clone(),
            truth: family.truth(Variant::Plain).to_owned(),
        })
    };
    let row = |name: &&str| {
        let row = rows.iter().find(|row| row.name == *name)?;
        Some(Subject {
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

/// Who is next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// As in the model.
    Given,
    /// The last first.
    Reverse,
    /// Who had the fewest states at the start first.
    Smallest,
}

impl Order {
    const ALL: [Order; 3] = [Order::Given, Order::Reverse, Order::Smallest];

    fn name(self) -> &'static str {
        match self {
            Order::Given => "given",
            Order::Reverse => "reverse",
            Order::Smallest => "smallest first",
        }
    }

    /// Numbers of components, the first to be replaced first.
    fn of(self, sizes: &[u64]) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..sizes.len()).collect();
        match self {
            Order::Given => {}
            Order::Reverse => numbers.reverse(),
            Order::Smallest => numbers.sort_by_key(|&number| sizes[number]),
        }
        numbers
    }
}

/// What came of one order.
#[derive(Debug, Clone, PartialEq)]
pub struct Replaced {
    /// The model.
    pub subject: Subject,
    /// The order.
    pub order: Order,
    /// The network as it was, and after each round; fewer if somebody gave no answer.
    pub stages: Vec<Stage>,
    /// All requirements together.
    pub seconds: f64,
    /// Why it ended early.
    pub trouble: Option<String>,
}

/// A network, measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// States of each component that moves.
    pub sizes: Vec<u64>,
    /// States of their product.
    pub product: Option<u64>,
    /// What a search of the product says.
    pub verdict: String,
}

/// Replaces all components of a model, in each order.
pub fn replace(bench: &Bench, subject: &Subject) -> io::Result<Vec<Replaced>> {
    Order::ALL.into_iter().map(|order| replace_in(bench, subject, order)).collect()
}

fn replace_in(bench: &Bench, subject: &Subject, order: Order) -> io::Result<Replaced> {
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
            // Nothing is smaller than one state.
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
fn cut(bench: &Bench, subject: &Subject, folder: &Path) -> io::Result<Option<NetworkFile>> {
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

fn measure(bench: &Bench, network: &NetworkFile, sizes: &[u64]) -> io::Result<Stage> {
    let mut command = Command::new(&bench.resy);
    command.args(["check", "--json", "-q", "--engine", "monolithic", "--plain", "--exhaustive"]);
    let output =
        bench.run(command.arg(network.write()?), Duration::max(bench.limit, bench.spin_limit))?;
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let verdict = json["verdict"].as_str().unwrap_or("unknown").to_owned();
    let product = json["stats"]["states"].as_u64().filter(|_| verdict != "unknown");
    let moving = sizes.iter().copied().filter(|&states| states > 1 || sizes.len() < 3);
    Ok(Stage { sizes: moving.collect(), product, verdict })
}

/// Verdicts that are not true any more.
pub fn differences(all: &[Replaced]) -> Vec<String> {
    let wrong = |done: &&Replaced| {
        let said = done.stages.iter().map(|stage| &stage.verdict);
        said.into_iter().any(|verdict| *verdict != "unknown" && *verdict != done.subject.truth)
    };
    let describe = |done: &Replaced| {
        format!(
            "{}, replaced in the order {}: the verdict changes",
            done.subject.name,
            done.order.name()
        )
    };
    all.iter().filter(wrong).map(describe).collect()
}

const HEAD: &str = "\
# One process after another

The algorithm paper asks in which order processes should be replaced by their requirements, and whether it is worth to alternate. Here every component that moves, process or variable, is
replaced by its requirement with respect to all others as they are by then, in three orders: as given in the model, in reverse, and those with the fewest states first. *Round two* goes
through all of them again. *States* are those of the components, with the states of their product behind the equals sign; components with one state are left out. *Seconds* are those of
all requirements of both rounds, each a process of its own. The verdict of a search of the product is the same at all times, or this task fails.

";

/// The table, and what it says.
pub fn in_turn(all: &[Replaced]) -> String {
    let headings = ["model", "order", "states", "round one", "round two", "seconds", "verdict"];
    let row = |done: &Replaced| {
        let mut cells = vec![done.subject.name.clone(), done.order.name().to_owned()];
        let stage = |number: usize| done.stages.get(number).map_or(NOTHING.to_owned(), stage_cell);
        cells.extend([0, 1, 2].map(stage));
        cells.push(number(done.seconds));
        let verdict = done.stages.last().map_or(NOTHING, |stage| &stage.verdict);
        cells.push(done.trouble.clone().unwrap_or_else(|| verdict.to_owned()));
        cells
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    format!("{HEAD}{}\n{}", text_table(&headings, &rows), findings(all))
}

/// Sizes from the largest down, equal ones together: `9×3 7 = 425`.
fn stage_cell(stage: &Stage) -> String {
    let mut sizes = stage.sizes.clone();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let groups = sizes.chunk_by(|a, b| a == b).map(|group| match group.len() {
        1 => group[0].to_string(),
        n => format!("{}×{n}", group[0]),
    });
    let groups = groups.collect::<Vec<_>>().join(" ");
    let groups = if groups.is_empty() { "1".to_owned() } else { groups };
    format!("{groups} = {}", stage.product.map_or(NOTHING.to_owned(), |n| n.to_string()))
}

fn findings(all: &[Replaced]) -> String {
    let whole: Vec<&Replaced> = all.iter().filter(|done| done.stages.len() > ROUNDS).collect();
    let by_model: Vec<&[&Replaced]> =
        whole.chunk_by(|a, b| a.subject.name == b.subject.name).collect();
    let sum = |done: &Replaced, stage: usize| done.stages[stage].sizes.iter().sum::<u64>();
    let differ = by_model.iter().filter(|orders| {
        orders.iter().any(|done| done.stages[1].product != orders[0].stages[1].product)
    });
    let again = whole.iter().filter(|done| sum(done, 2) < sum(done, 1)).count();
    let mut text = format!(
        "- {} models, {} orders tried to the end, {} not.\n\
         - The order matters for the product after round one in {} models.\n\
         - Round two makes a component smaller in {again} of {} cases.\n",
        by_model.len(),
        whole.len(),
        all.len() - whole.len(),
        differ.count(),
        whole.len(),
    );
    for order in Order::ALL {
        let of_order = || whole.iter().filter(|done| done.order == order);
        let is_best = |done: &&&Replaced| {
            let rivals = whole.iter().filter(|rival| rival.subject.name == done.subject.name);
            let least = rivals.filter_map(|rival| rival.stages[1].product).min();
            done.stages[1].product == least
        };
        let best = of_order().filter(is_best).count();
        let seconds: f64 = of_order().map(|done| done.seconds).sum();
        let (name, n) = (order.name(), of_order().count());
        let seconds = number(seconds);
        text += &format!(
            "- *{name}*: the smallest product, or as small as any, in {best} of {n} models; {seconds} s in all.\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(name: &str) -> Subject {
        Subject {
            name: name.to_owned(),
            path: PathBuf::new(),
            defines: Vec::new(),
            property: String::new(),
            truth: "holds".to_owned(),
        }
    }

    fn replaced(name: &str, order: Order, products: [u64; 3]) -> Replaced {
        let stage = |product: u64| Stage {
            sizes: vec![9, 7, product, 9],
            product: Some(product),
            verdict: "holds".to_owned(),
        };
        let stages = products.map(stage).to_vec();
        Replaced { subject: subject(name), order, stages, seconds: 0.5, trouble: None }
    }

    #[test]
    fn orders() {
        assert_eq!(Order::Given.of(&[3, 1, 2]), [0, 1, 2]);
        assert_eq!(Order::Reverse.of(&[3, 1, 2]), [2, 1, 0]);
        assert_eq!(Order::Smallest.of(&[3, 1, 2]), [1, 2, 0]);
    }

    #[test]
    fn what_is_found_is_computed() {
        let all = [
            replaced("ring", Order::Given, [400, 40, 40]),
            replaced("ring", Order::Smallest, [400, 30, 20]),
            replaced("lock", Order::Given, [60, 6, 6]),
            replaced("lock", Order::Smallest, [60, 6, 6]),
        ];
        let text = in_turn(&all);
        assert!(text.contains("| ring | given | 400 9×2 7 = 400 | 40 9×2 7 = 40 |"), "{text}");
        assert!(text.contains("matters for the product after round one in 1 models"), "{text}");
        assert!(text.contains("smaller in 1 of 4 cases"), "{text}");
        assert!(
            text.contains("*given*: the smallest product, or as small as any, in 1 of 2"),
            "{text}"
        );
        assert!(
            text.contains("*smallest first*: the smallest product, or as small as any, in 2 of 2")
        );
        assert!(differences(&all).is_empty());
    }

    #[test]
    fn a_changed_verdict_is_a_difference_and_trouble_is_shown() {
        let mut bad = replaced("ring", Order::Given, [400, 40, 40]);
        bad.stages[2].verdict = "fails".to_owned();
        assert_eq!(differences(&[bad.clone()]).len(), 1);
        bad.stages.truncate(1);
        bad.trouble = Some("no requirement of P".to_owned());
        let text = in_turn(&[bad]);
        assert!(text.contains("| – | – | 0.50 | no requirement of P |"), "{text}");
        assert!(text.contains("0 orders tried to the end, 1 not"), "{text}");
    }
}
