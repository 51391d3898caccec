//! The summary: the largest size per tool, all measurements side by side, and pictures.

use super::measurement::Measurement;
use super::tool::{GrowthTool, TOOLS};
use crate::fit::exponent;
use crate::plot::{self, Axis, Curve, Panel, Scale};
use resy_testkit::families::{Family, Variant};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The time within which the goal must be decided.
const SECONDS: f64 = 10.0;

/// Below this time, process startup dominates.
const NOISE: f64 = 0.02;

/// The methods of the network engine, and the engine that chooses among them.
const METHODS: [&str; 2] = ["folding", "refinement"];
const NETWORK: &str = "network";
const SPIN: &str = "spin";

const HEAD: &str = "\
`network.csv` has every run: one run of each tool and size, end to end as a new process, with the largest
resident set that the kernel reports (`wait4`). Spin and our engines are run side by side on two cores. A tool is asked with n = 2, 4, 8, … and the goal, up to 1,000, until it gives no
verdict. *network* is `resy check --engine network`, *folding* and *refinement* the same with `--method`, *requirement* and *monolithic* are
the other engines, *spin* is `spin -a`, `gcc -O2 -DSAFETY` and `pan` with partial order reduction. A depth that was too small
for `pan` is not counted, and spin's largest n is looked for exactly; ours is one of the sizes above. Exponents are slopes of
lines through all points above 20 ms, by least squares on logarithmic axes; spin has none, because most of its time is the
compiler's until the search explodes.
";

/// The beginning of the text.
pub fn head(machine: &str, seconds: u64, megabytes: u64) -> String {
    format!(
        "# How far the engines come\n\n{machine}\
         - a run of spin is killed after {seconds} s, one of resy after 15 s; `pan` has -DMEMLIM={megabytes}, resy --memory {megabytes}M\n\n{HEAD}\n"
    )
}

/// The whole text.
pub fn text(head: &str, families: &[Family], all: &[Measurement]) -> String {
    let mut text = format!("{head}{}", overview(families, all));
    for family in families {
        let _ = write!(text, "\n## {0}\n\n![{0}](network-{0}.svg)\n", family.name);
        for variant in Variant::ALL {
            let rows = of(all, family, variant);
            let _ = write!(text, "\n### {}, {}\n\n{}", family.name, variant.name(), sizes(&rows));
        }
    }
    for answer in wrong(families, all) {
        let _ = writeln!(text, "\nWrong: {answer}");
    }
    text
}

/// The answers that contradict the truth.
pub fn wrong(families: &[Family], all: &[Measurement]) -> Vec<String> {
    let is_wrong = |m: &&Measurement| {
        let family = families.iter().find(|family| family.name == m.family);
        m.decided() && family.is_some_and(|f| f.truth(m.variant) != m.answer.outcome)
    };
    all.iter().filter(is_wrong).map(Measurement::to_string).collect()
}

/// A row for each variant of each family.
pub fn overview(families: &[Family], all: &[Measurement]) -> String {
    let mut text = "\
| family | variant | goal | largest n in 10 s: network | folding | refinement | met | spin's largest n | ours / spin's | won | exponent |
|---|---|---:|---|---|---|---|---|---:|---|---:|
"
    .to_owned();
    for family in families {
        for variant in Variant::ALL {
            let rows = of(all, family, variant);
            let _ = writeln!(text, "| {} |", overview_row(family, variant, &rows).join(" | "));
        }
    }
    text
}

fn overview_row(family: &Family, variant: Variant, rows: &[&Measurement]) -> Vec<String> {
    let cell = |tool: &str, seconds: f64| match farthest(rows, tool, seconds) {
        Some(row) => format!("{}: {}", row.n, row.cell()),
        None => first_of(rows, tool).map_or("–".to_owned(), Measurement::cell),
    };
    let best = winner(rows);
    let ours = best.map_or(0, |row| row.n);
    let spin = farthest(rows, SPIN, f64::INFINITY);
    let ratio = spin.map(|spin| f64::from(ours) / f64::from(spin.n));
    let growth = best.and_then(|row| slope(rows, row.tool));
    let mut cells = vec![family.name.clone(), variant.name().to_owned(), family.goal.to_string()];
    cells.extend([NETWORK, METHODS[0], METHODS[1]].map(|tool| cell(tool, SECONDS)));
    cells.push(if ours >= family.goal { "yes" } else { "no" }.to_owned());
    cells.push(cell(SPIN, f64::INFINITY));
    cells.push(ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.1}")));
    cells.push(best.map_or("–".to_owned(), method));
    cells.push(power(growth));
    cells
}

/// The tool that decides the largest size within the goal's time, and of those the fastest. A single
/// method is preferred to the engine that chooses.
fn winner<'a>(rows: &[&'a Measurement]) -> Option<&'a Measurement> {
    let methods = METHODS.iter().filter_map(|tool| farthest(rows, tool, SECONDS));
    let faster = |a: &&Measurement, b: &&Measurement| {
        a.n.cmp(&b.n).then(b.answer.seconds.total_cmp(&a.answer.seconds))
    };
    methods.max_by(faster).or_else(|| farthest(rows, NETWORK, SECONDS))
}

fn power(exponent: Option<f64>) -> String {
    exponent.map_or("–".to_owned(), |exponent| format!("{exponent:.2}"))
}

fn method(row: &Measurement) -> String {
    row.answer.method.clone().unwrap_or_else(|| row.tool.to_owned())
}

/// All measurements of a variant: a row per size, a column per tool.
fn sizes(rows: &[&Measurement]) -> String {
    let names = TOOLS.map(|tool| tool.name);
    let mut text = format!("| n | {} |\n|---:|{}\n", names.join(" | "), "---|".repeat(names.len()));
    let sizes: BTreeSet<u32> = rows.iter().map(|row| row.n).collect();
    for n in sizes {
        let row = |tool: &str| rows.iter().find(|row| row.n == n && row.tool == tool);
        let cells = names.map(|tool| row(tool).map_or(String::new(), |row| row.cell()));
        let _ = writeln!(text, "| {n} | {} |", cells.join(" | "));
    }
    let slopes = names.map(|tool| power(slope(rows, tool)));
    let _ = writeln!(text, "| exponent | {} |", slopes.join(" | "));
    text
}

/// A picture of seconds against n, for both variants.
pub fn picture(family: &Family, all: &[Measurement]) -> String {
    let axis = |title: &str| Axis { title: title.to_owned(), scale: Scale::Log };
    plot::picture(&Variant::ALL.map(|variant| {
        let rows = of(all, family, variant);
        let curve = |(style, tool): (usize, &GrowthTool)| {
            let points = points(&rows, tool.name).collect();
            Curve { name: tool.name.to_owned(), style, points }
        };
        let curves = TOOLS.iter().enumerate().map(curve);
        Panel {
            title: format!("{}, {}", family.name, variant.name()),
            x: axis("n"),
            y: axis("seconds"),
            curves: curves.filter(|curve| !curve.points.is_empty()).collect(),
        }
    }))
}

fn of<'a>(all: &'a [Measurement], family: &Family, variant: Variant) -> Vec<&'a Measurement> {
    all.iter().filter(|m| m.family == family.name && m.variant == variant).collect()
}

fn first_of<'a>(rows: &[&'a Measurement], tool: &str) -> Option<&'a Measurement> {
    rows.iter().find(|row| row.tool == tool).copied()
}

fn farthest<'a>(rows: &[&'a Measurement], tool: &str, seconds: f64) -> Option<&'a Measurement> {
    let in_time = |row: &&Measurement| row.decided() && row.answer.seconds <= seconds;
    let own = rows.iter().copied().filter(|row| row.tool == tool);
    own.filter(in_time).max_by_key(|row| row.n)
}

/// Pairs of n and seconds, where there is a verdict.
fn points(rows: &[&Measurement], tool: &str) -> impl Iterator<Item = (f64, f64)> {
    let decided = rows.iter().filter(move |row| row.tool == tool && row.decided());
    decided.map(|row| (f64::from(row.n), row.answer.seconds))
}

/// The growth of a tool's time with n.
fn slope(rows: &[&Measurement], tool: &str) -> Option<f64> {
    let points: Vec<_> = points(rows, tool).filter(|point| point.1 > NOISE).collect();
    if tool == SPIN { None } else { exponent(&points) }
}

#[cfg(test)]
mod tests {
    use super::super::measurement::tests::ring;
    use super::*;
    use resy_testkit::families::families;

    fn token_ring() -> Family {
        let all = families().expect("the table can be read");
        all.into_iter().find(|family| family.name == "token_ring").expect("it is in the table")
    }

    #[test]
    fn the_row_says_who_won_and_by_how_much() {
        let all = [
            ring("network", 16, "holds", 1.0),
            ring("folding", 128, "holds", 2.0),
            ring("folding", 200, "holds", 9.0),
            ring("folding", 256, "holds", 11.0),
            ring("folding", 512, "timed out", 60.0),
            ring("refinement", 2, "not available", 0.0),
            ring("spin", 8, "holds", 30.0),
            ring("spin", 9, "memory limit", 50.0),
        ];
        let rows: Vec<&Measurement> = all.iter().collect();
        let cells = overview_row(&token_ring(), Variant::Plain, &rows);
        assert_eq!(cells[..3], ["token_ring", "plain", "200"]);
        assert_eq!(cells[3], "16: 1.00 s, 7 states, 3 MB");
        assert_eq!(cells[4], "200: 9.00 s, 7 states, 3 MB");
        assert_eq!(cells[5..7], ["not available", "yes"]);
        assert_eq!(cells[7], "8: 30.00 s, 7 states, 3 MB");
        assert_eq!(cells[8..], ["25.0", "folding", "2.57"]);
    }

    #[test]
    fn the_faster_of_two_that_came_as_far_has_won() {
        let folding = ring("folding", 200, "holds", 2.0);
        let refinement = ring("refinement", 200, "holds", 1.0);
        let network = ring("network", 1000, "holds", 1.0);
        assert_eq!(winner(&[&network, &folding, &refinement]), Some(&refinement));
        assert_eq!(winner(&[&network]), Some(&network));
        assert_eq!(winner(&[&ring("spin", 8, "holds", 1.0)]), None);
    }

    #[test]
    fn wrong_answers_are_named_and_gaps_stay_empty() {
        let all = [ring("network", 2, "fails", 0.5), ring("spin", 4, "timed out", 60.0)];
        let families = [token_ring()];
        assert_eq!(wrong(&families, &all).len(), 1);
        assert!(wrong(&families, &all[1..]).is_empty());
        let text = text("head\n", &families, &all);
        assert!(text.contains("\n| 2 | 0.50 s, 7 states, 3 MB |  |  |  |  |  |\n"), "{text}");
        assert!(text.contains("\n| 4 |  |  |  |  |  | timed out |\n"), "{text}");
        assert!(text.contains("Wrong: token_ring"), "{text}");
    }

    #[test]
    fn a_picture_has_the_tools_that_answered() {
        let all = [ring("network", 2, "holds", 0.5), ring("spin", 4, "timed out", 60.0)];
        let picture = picture(&token_ring(), &all);
        assert!(picture.contains("network") && !picture.contains("spin"));
    }
}
