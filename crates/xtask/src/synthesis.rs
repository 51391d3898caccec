//! The time to synthesise a requirement, as modules and environments grow.
//!
//! There are two kinds of networks. In *phases*, the module leads its environment through a few phases in
//! order, and the monitor observes the order. Each phase has many internal states on both sides that do
//! not matter to the other, so the abstraction stays small. In *random*, all states matter: the automata
//! are unstructured graphs over six actions.

mod networks;

use crate::args::{TaskArgs, TaskFailure};
use networks::{in_phases, random};
use resy_automata::network::Network;
use resy_compose::refine::{Strategy, alternating, assume, backward_first, check, forward_first};
use resy_compose::{Conclusion, Split, exact};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The sizes of module and environment in table 1 of the paper on RESY (TACAS 2008).
const PAPER: [(usize, usize); 14] = [
    (12, 12),
    (24, 24),
    (40, 24),
    (40, 40),
    (40, 48),
    (48, 18),
    (48, 26),
    (64, 11),
    (72, 48),
    (192, 30),
    (256, 120),
    (512, 16),
    (768, 42),
    (4096, 25),
];

const PHASES: usize = 8;

const INTRODUCTION: &str = "\
# Requirements of growing modules

*M*, *E*, *P*: states of module, environment and monitor. *classes* is the size of the final
abstraction of `E`, *A* that of the requirement. Times in milliseconds, medians; *assume* refines
forward first, *check* alternates; *exact* is the method without abstraction. *ns* is the time of `assume` for each M × classes × P. *MB* is the
peak of the process so far; the lower labels need M / 4 bytes a context (two bits a state).

";

const HEADING: &str =
    "kind,M,E,P,verdict,refinements,classes,contexts,A,assume_ms,check_ms,exact_ms,ns,peak_MB";

/// The task `synthesis`; true if it completed.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/synthesis"));
    std::fs::create_dir_all(&out)?;
    let most: usize = args.number("count", 1_000_000)?;
    let mut csv = format!("{HEADING}\n");
    let mut text = INTRODUCTION.to_owned();
    let _ = writeln!(text, "|{}|\n|{}", HEADING.replace(',', "|"), "---|".repeat(14));
    let mut add = |row: Row| {
        let cells = row.cells();
        println!("{}", cells.join("  "));
        csv += &format!("{}\n", cells.join(","));
        text += &format!("|{}|\n", cells.join("|"));
    };
    if let [m, e] = args.positional() {
        // A single size, for profiling.
        let number = |word: &String| word.parse().map_err(|_| TaskFailure::new(format!("{word}?")));
        add(measure("phases", &in_phases(number(m)?, number(e)?, PHASES), 1)?);
        return Ok(true);
    }
    for (m, e) in PAPER {
        add(measure("random", &random(m, e, 1), 5)?);
        add(measure("phases", &in_phases(m, e, PHASES.min(m).min(e)), 5)?);
    }
    let decades = |most: usize| (2..).map(|n| 10usize.pow(n)).take_while(move |&n| n <= most);
    for e in decades(10_000) {
        for m in decades(most) {
            let runs = if m * e >= 10_000_000 { 1 } else { 3 };
            add(measure("phases", &in_phases(m, e, PHASES), runs)?);
        }
    }
    let strategies = compare_strategies()?;
    print!("{strategies}");
    text += &strategies;
    std::fs::write(out.join("synthesis.csv"), csv)?;
    std::fs::write(out.join("synthesis.md"), text)?;
    Ok(true)
}

/// The cost of each strategy at the sizes of the paper, with ten random networks each.
fn compare_strategies() -> Result<String, TaskFailure> {
    let strategies: [(&str, Strategy); 3] = [
        ("alternating", alternating),
        ("forward first", forward_first),
        ("backward first", backward_first),
    ];
    let mut text = String::from(
        "\n## Strategies\n\nTen random networks for each size of the paper; sums.\n\n\
         |strategy|assume: refinements|seconds|check: refinements|seconds|\n|---|---|---|---|---|\n",
    );
    for (name, strategy) in strategies {
        let (mut refinements, mut seconds) = ([0, 0], [0.0, 0.0]);
        for (m, e) in PAPER {
            for seed in 0..10 {
                let split = Split::of(&random(m, e, seed), usize::MAX);
                let split = split.map_err(|error| TaskFailure::new(error.to_string()))?;
                let mut steps = 0;
                let start = Instant::now();
                assume(&split, strategy, |draft| {
                    steps = draft.progress().steps;
                    true
                });
                seconds[0] += start.elapsed().as_secs_f64();
                refinements[0] += std::mem::take(&mut steps);
                let start = Instant::now();
                check(&split, strategy, |progress| {
                    steps = progress.steps;
                    true
                });
                seconds[1] += start.elapsed().as_secs_f64();
                refinements[1] += steps;
            }
        }
        let [assumed, checked] = refinements;
        let [assuming, checking] = seconds;
        let _ = writeln!(text, "|{name}|{assumed}|{assuming:.3}|{checked}|{checking:.3}|");
    }
    Ok(text)
}

struct Row {
    kind: &'static str,
    sizes: [usize; 3],
    verdict: &'static str,
    refinements: usize,
    classes: usize,
    contexts: usize,
    requirement: usize,
    assume: Duration,
    check: Duration,
    exact: Option<Duration>,
}

fn measure(kind: &'static str, network: &Network, runs: usize) -> Result<Row, TaskFailure> {
    let split = Split::of(network, usize::MAX).map_err(|e| TaskFailure::new(e.to_string()))?;
    let (module, environment) = (split.module.lts.n_states(), split.environment[0].lts.n_states());
    let sizes = [module, environment, split.monitor.lts.n_states()];
    let mut progress = Default::default();
    let (requirement, assume) = median(runs, || {
        assume(&split, forward_first, |draft| {
            progress = draft.progress();
            true
        })
    });
    let (checked, check) = median(runs, || check(&split, alternating, |_| true));
    // With all contexts there are as many labels as pairs of states of the environment and the monitor.
    let is_small = module * environment * sizes[2] <= 100_000_000;
    let exact = is_small.then(|| median(1, || exact::synthesize(&split, usize::MAX)));
    if let Some((Ok(exact), _)) = &exact
        && exact.quotient.partition() != requirement.quotient.partition()
    {
        return Err(TaskFailure::new(format!("{kind} {sizes:?}: the methods differ")));
    }
    let verdict = match (&requirement.verdict, &checked.verdict) {
        (Conclusion::Holds, Conclusion::Holds) => "holds",
        (Conclusion::Fails(_), Conclusion::Fails(_)) => "fails",
        _ => return Err(TaskFailure::new(format!("{kind} {sizes:?}: the verdicts differ"))),
    };
    Ok(Row {
        kind,
        sizes,
        verdict,
        refinements: progress.steps,
        classes: progress.n_classes,
        contexts: progress.n_contexts,
        requirement: requirement.lts().n_states(),
        assume,
        check,
        exact: exact.map(|(_, time)| time),
    })
}

/// The result, and the median time.
fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        let result = work();
        times.push(start.elapsed());
        if times.len() >= runs {
            times.sort_unstable();
            return (result, times[times.len() / 2]);
        }
    }
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let ms = |time: Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
        let [m, e, p] = self.sizes;
        let work = (m * self.classes.max(1) * p) as f64;
        let mut cells = vec![self.kind.to_owned(), m.to_string(), e.to_string(), p.to_string()];
        cells.push(self.verdict.to_owned());
        let numbers = [self.refinements, self.classes, self.contexts, self.requirement];
        cells.extend(numbers.map(|n| n.to_string()));
        cells.extend([ms(self.assume), ms(self.check)]);
        cells.push(self.exact.map(ms).unwrap_or_default());
        cells.push(format!("{:.2}", self.assume.as_secs_f64() * 1e9 / work));
        cells.push(peak_megabytes().to_string());
        cells
    }
}

/// The largest resident set of this process so far.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
