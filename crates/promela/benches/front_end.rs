//! How long the front end takes: `cargo bench -p resy-promela`.
//!
//! A model of many proctypes with every kind of statement, 10,000 lines long, is
//! preprocessed, parsed and lowered; the best and the median of several rounds are
//! printed for each stage. A second, ten times longer model shows whether the time
//! grows with the length.

use resy_promela::preprocess::{NoIncludes, preprocess};
use resy_promela::{Diagnostics, SourceMap, lower, parse};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;

fn main() {
    for n_lines in [10_000, 100_000] {
        let text = model(n_lines);
        let mut times: [Vec<Duration>; 4] = Default::default();
        let rounds = if n_lines > 10_000 { 3 } else { ROUNDS };
        for _ in 0..rounds {
            let stages = round(text.clone());
            for (list, time) in times.iter_mut().zip(stages) {
                list.push(time);
            }
        }
        println!("{} lines, {} bytes", text.lines().count(), text.len());
        for (name, list) in ["preprocess", "parse", "lower", "all"].iter().zip(&mut times) {
            list.sort();
            let (best, median) = (list[0].as_secs_f64(), list[list.len() / 2].as_secs_f64());
            println!("  {name:<11} best {:8.2} ms   median {:8.2} ms", best * 1e3, median * 1e3);
        }
    }
}

fn round(text: String) -> [Duration; 4] {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let start = Instant::now();
    let tokens = preprocess("model.pml", text, &[], &mut NoIncludes, &mut map, &mut diags);
    let preprocessed = start.elapsed();
    let program = parse::parse(tokens, &mut map, &mut diags);
    let parsed = start.elapsed();
    let system = lower(&program, &map, &mut diags);
    let lowered = start.elapsed();
    assert!(system.is_some(), "the model of the benchmark is accepted");
    [preprocessed, parsed - preprocessed, lowered - parsed, lowered]
}

/// A model of at least this many lines.
fn model(n_lines: usize) -> String {
    let mut text = String::from(
        "#define LIMIT 4\n#define NEXT(x) ((x + 1) % LIMIT)\nmtype = { req, ack, nak };\n\
         typedef Msg { byte src; short val[2] };\n\
         inline step(v, d) {\n\tv = v + d;\n\tassert(v < 250)\n}\n\
         init { run P0(1) }\n",
    );
    let proctype = include_str!("proctype.txt");
    let lines = proctype.lines().count();
    for i in 0..n_lines.div_ceil(lines) {
        text.push_str(&proctype.replace('@', &i.to_string()));
    }
    text
}
