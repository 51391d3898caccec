//! Random formulas and claims on small models: our verdict is the real spin's.
//!
//! Many claims stand in one file, so that one verifier decides them all.

use resy_engine::search::{Task, search_cycles};
use resy_system::{
    Claim, ClaimMonitor, Fairness, Interpreter, LivenessClaim, Monitors, Options, System,
};
use resy_testkit::generate::rng::Rng;
use resy_testkit::naive;
use resy_testkit::process;
use resy_testkit::scratch::Scratch;
use resy_testkit::spin::SpinOptions;
use resy_testkit::systems::system;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How often all models are tried with new claims.
const ROUNDS: u64 = 2;

/// Two processes that change `x` and `y` in various ways, and may get stuck.
const MODELS: [&str; 3] = [
    "byte x, y;
     active proctype P() { do :: x < 2 -> x++ :: atomic { x == 2 -> x = 0; y = 1 - y } od }",
    "byte x, y; bool go;
     active proctype P() { x = 1; atomic { y = 1; go; x = 2 }; if :: y = 0 :: x = 0; false fi }
     active proctype Q() { d_step { x > 0 -> x = 2; y = 2 }; go = true; here: x = 1 }",
    "byte x, y; chan c = [0] of { byte };
     active proctype P() { c!1; do :: y < 2 -> y++ :: c!2; break od }
     active proctype Q() { do :: c?x :: timeout -> y = 0; break od }",
];

const CONDITIONS: [&str; 7] = ["x == 0", "x == 1", "x < 2", "y == 0", "y != 1", "x == y", "x >= y"];

fn condition(rng: &mut Rng) -> String {
    let one = |rng: &mut Rng| format!("({})", rng.one_of(CONDITIONS));
    match rng.below(6) {
        0 => format!("({} && {})", one(rng), one(rng)),
        1 => format!("({} || {})", one(rng), one(rng)),
        2 => format!("(! {})", one(rng)),
        _ => one(rng),
    }
}

fn formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.chance(15) {
        return condition(rng);
    }
    if rng.chance(25) {
        return format!("([] ({} -> {}))", condition(rng), formula(rng, depth - 1));
    }
    let a = formula(rng, depth - 1);
    match rng.below(9) {
        0 | 1 => format!("([] {a})"),
        2 => format!("(<> {a})"),
        3 => format!("(! {a})"),
        n => {
            let op =
                ["&&", "||", "->", "W", "V", "U"][if n == 8 { 5 } else { n - 4 + rng.below(2) }];
            format!("({a} {op} {})", formula(rng, depth - 1))
        }
    }
}

/// A claim of a few locations whose options jump about.
fn never(rng: &mut Rng) -> String {
    let n = 2 + rng.below(3);
    let mut text = String::new();
    for location in 0..n {
        let accepts = if rng.chance(10) { format!("accept_{location}: ") } else { String::new() };
        text += &format!("  {accepts}L{location}: if\n");
        for _ in 0..1 + rng.below(3) {
            let target = match rng.below(n + 1) {
                t if t < n => format!("goto L{t}"),
                _ => "goto over".into(),
            };
            let (a, b) = (condition(rng), condition(rng));
            text += &match rng.below(8) {
                0 => format!("  :: atomic {{ {a} -> {b} -> {target} }}\n"),
                1 => format!("  :: atomic {{ {a} -> assert({b}) -> {target} }}\n"),
                2 => format!("  :: d_step {{ {a} -> assert({a} || {b}) }} -> {target}\n"),
                3 => format!("  :: true -> {target}\n"),
                _ => format!("  :: {a} -> {target}\n"),
            };
        }
        if rng.chance(40) {
            text += &format!("  :: else -> goto L{}\n", rng.below(n));
        }
        text += "  fi;\n";
    }
    text + "  over: skip\n"
}

/// Makes one verifier for a model with claims.
fn build_pan(model: &str, folder: &Path) {
    std::fs::write(folder.join("model.pml"), model).expect("a file");
    let compiler = SpinOptions::for_small_programs().compiler;
    let mut spin = Command::new("spin");
    spin.args(["-a", "-o1", "-o2", "-o3", "model.pml"]);
    let mut cc = Command::new(&compiler[0]);
    cc.args(&compiler[1..]).args(["-DNOREDUCE", "-DMEMLIM=100", "-o", "pan", "pan.c"]);
    for command in [&mut spin, &mut cc] {
        let output = process::run(command.current_dir(folder), folder, Duration::from_secs(60));
        let output = output.expect("spin and a compiler are installed");
        assert!(output.succeeded(), "{}\n{model}", output.all_text());
    }
}

/// Whether spin finds a violation of a claim; unknown if the claim goes round in an
/// `atomic` of its own until the depth limit.
fn spin_violates(folder: &Path, claim: &str) -> Option<bool> {
    let mut pan = Command::new(folder.join("pan"));
    pan.current_dir(folder).args(["-a", "-n", "-E", "-c1", "-m100000", "-w16", "-N", claim]);
    let output = process::run(&mut pan, folder, Duration::from_secs(20)).expect("pan runs");
    let text = output.all_text();
    assert!(text.contains(&format!("({claim})")), "{text}");
    let errors = text.lines().find_map(|line| line.split_once("errors: "));
    let violates = errors.unwrap_or_else(|| panic!("{text}")).1.trim() != "0";
    (violates || !text.contains("depth too small")).then_some(violates)
}

/// Whether a claim is violated, by its monitor if it has one, and by a search for cycles.
fn we_violate(system: &System, claim: &Claim) -> (bool, bool) {
    let interpreter = Interpreter::new(system, Options::default());
    let automaton = LivenessClaim::of(claim).expect("every claim here has an automaton");
    let task = Task::new(system).compiled(false);
    let found = search_cycles(&task, &automaton, Fairness::None).expect("there is a first state");
    let by_cycles = found.found.is_some();
    let Ok(monitor) = ClaimMonitor::of(claim) else { return (by_cycles, false) };
    let found = naive::violated(&interpreter, &Monitors::new(vec![monitor]));
    let by_monitor = !found.expect("conditions have values").is_empty();
    assert_eq!(by_monitor, by_cycles, "`{}`: monitor, cycles", claim.name);
    (by_monitor, true)
}

/// Compares all claims of a model; the numbers of those that fail, hold and have no monitor.
fn compare(model: &str, count: usize) -> (usize, usize, usize) {
    let system = system(model);
    let scratch = Scratch::new("claims").expect("a folder");
    build_pan(model, scratch.path());
    assert_eq!(system.claims.len(), count);
    let (mut fail, mut hold, mut infinite) = (0, 0, 0);
    for claim in &system.claims {
        let (ours, has_monitor) = we_violate(&system, claim);
        infinite += usize::from(!has_monitor);
        let Some(theirs) = spin_violates(scratch.path(), &claim.name) else { continue };
        assert_eq!(ours, theirs, "`{}` fails, we and spin\n{model}", claim.name);
        if ours { fail += 1 } else { hold += 1 }
    }
    (fail, hold, infinite)
}

/// Compares `ROUNDS` times 40 random claims on every model.
fn compare_all(claim: impl Fn(&mut Rng, usize) -> String) -> [usize; 3] {
    let mut totals = [0; 3];
    for seed in 0..ROUNDS {
        for (number, model) in MODELS.iter().enumerate() {
            let mut rng = Rng::new(seed * 10 + number as u64);
            let claims: String = (0..40).map(|n| claim(&mut rng, n)).collect();
            let (fail, hold, infinite) = compare(&format!("{model}\n{claims}"), 40);
            totals = [totals[0] + fail, totals[1] + hold, totals[2] + infinite];
        }
    }
    totals
}

#[test]
fn random_formulas() {
    let claim = |rng: &mut Rng, n| format!("ltl f{n} {{ {} }}\n", formula(rng, 2));
    let totals @ [fail, hold, infinite] = compare_all(claim);
    assert!(fail >= 50 && hold >= 50 && infinite >= 20, "{totals:?}");
}

#[test]
fn random_claims() {
    let claim = |rng: &mut Rng, n| format!("never c{n} {{\n{}}}\n", never(rng));
    let totals @ [fail, hold, infinite] = compare_all(claim);
    assert!(fail >= 50 && hold >= 50 && infinite >= 10, "{totals:?}");
}
