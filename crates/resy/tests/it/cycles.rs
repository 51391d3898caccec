//! Random programs that go round: verdicts on cycles are those of the real spin.
//!
//! Spin is asked without fairness about everything, and with `-f` where it is right: without `provided`, and if no run
//! ends (`docs/liveness.md` says why). All configurations must agree in any case, and every violation is replayed.

use crate::common::{Setting, subject, verdict};
use resy::{CheckReport, Fairness, Subject, Truth};
use resy_system::{Control, Interpreter, Options};
use resy_testkit::cyclic::{CyclicProgram, RENDEZVOUS};
use resy_testkit::naive;
use resy_testkit::process;
use resy_testkit::scratch::Scratch;
use resy_testkit::spin::SpinOptions;
use resy_testkit::systems::seeds;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Programs with more states are skipped.
const MAX_STATES: usize = 20_000;

#[test]
fn random_programs_have_the_cycles_that_spin_finds() {
    let mut n = Counts::default();
    for seed in seeds("RESY_CYCLE_SEEDS", 0..10) {
        compare(seed, &mut n);
    }
    for seed in seeds("RESY_RENDEZVOUS_SEEDS", 0..4) {
        compare(RENDEZVOUS + seed, &mut n);
    }
    let Counts { violated, held, fair, .. } = n;
    eprintln!("{violated} violations, {held} that hold, {fair} of them with -f");
    assert!(violated >= 15 && held >= 10 && fair >= 10, "{violated} {held} {fair}");
}

/// A conjunction fails iff one of its parts does, under each fairness; and the product has the same states under each.
#[test]
fn laws_of_random_programs() {
    let (mut n_failing, mut n_equal) = (0, 0);
    for seed in seeds("RESY_LAW_SEEDS", 0..30) {
        let program = CyclicProgram::new(seed);
        let [a, b, ..] = &program.formulas[..] else { continue };
        let text = program.with_formulas() + &format!("ltl both {{ ({a}) && ({b}) }}\n");
        let subject = subject(&text);
        let reports = |property: &str| {
            let report = |fairness| verdict(&subject, property, fairness, Setting::Usual);
            Fairness::ALL.map(report)
        };
        let [both, first, second] = ["both", "f0", "f1"].map(reports);
        for (i, fairness) in Fairness::ALL.into_iter().enumerate() {
            let fails = |reports: &[CheckReport; 3]| reports[i].total == Truth::Fails;
            let one_fails = fails(&first) || fails(&second);
            assert_eq!(fails(&both), one_fails, "seed {seed}, {fairness}\n{text}");
            n_failing += usize::from(one_fails);
        }
        let plain = Fairness::ALL.map(|f| verdict(&subject, "progress", f, Setting::Plain));
        if plain.iter().all(|report| report.total == Truth::Holds) {
            let states = plain.map(|report| report.stats.states);
            assert_eq!(states, [states[0]; 3], "seed {seed}\n{text}");
            n_equal += 1;
        }
    }
    eprintln!("{n_failing} conjunctions fail, {n_equal} products have equal states");
    assert!(n_failing >= 10, "{n_failing}");
}

#[derive(Default)]
struct Counts {
    violated: usize,
    held: usize,
    /// Comparisons under fairness.
    fair: usize,
}

fn compare(seed: u64, n: &mut Counts) {
    let program = CyclicProgram::new(seed);
    let text = program.with_formulas();
    let subject = subject(&text);
    let Some(ends) = ends(&subject) else { return };
    let is_fair = !ends && !program.has_provided;
    let scratch = Scratch::new("cycles").expect("a folder");
    let folder = scratch.path();
    std::fs::write(folder.join("model.pml"), &text).expect("a file");
    run(Command::new("spin").args(["-a", "-o1", "-o2", "-o3", "model.pml"]), folder);
    let mut asked = Vec::new();
    let names: Vec<String> = (0..program.formulas.len()).map(|i| format!("f{i}")).collect();
    if program.has_accept_labels {
        build(folder, "labels", &["-DNOCLAIM"]);
        asked.push(("acceptance".to_owned(), "labels", vec!["-a".to_owned()]));
    } else {
        build(folder, "claims", &[]);
        for name in names {
            asked.push((name.clone(), "claims", ["-a", "-N", &name].map(str::to_owned).to_vec()));
        }
    }
    build(folder, "np", &["-DNP", "-DNOCLAIM"]);
    asked.push(("progress".to_owned(), "np", vec!["-l".to_owned()]));
    for (property, pan, flags) in &asked {
        for fairness in Fairness::ALL {
            let ours = agreed(&subject, property, fairness, &text, seed);
            let theirs = match fairness {
                Fairness::None => violates(folder, pan, flags),
                Fairness::Weak if is_fair => {
                    n.fair += 1;
                    violates(folder, pan, &[flags.clone(), vec!["-f".to_owned()]].concat())
                }
                _ => None,
            };
            if let Some(theirs) = theirs {
                assert_eq!(ours, theirs, "seed {seed}, {property}, {fairness}: we, spin\n{text}");
                if ours { n.violated += 1 } else { n.held += 1 }
            }
        }
    }
}

/// Whether a property is violated, by all configurations; and a violation under more fairness is one under less.
fn agreed(
    subject: &Arc<Subject>,
    property: &str,
    fairness: Fairness,
    text: &str,
    seed: u64,
) -> bool {
    let truth = |fairness, setting| verdict(subject, property, fairness, setting).total;
    let plain = truth(fairness, Setting::Plain);
    for setting in [Setting::Usual, Setting::Reordered, Setting::Interpreted] {
        let other = truth(fairness, setting);
        assert_eq!(other, plain, "seed {seed}, {property}, {fairness}, {setting:?}\n{text}");
    }
    let weaker = match fairness {
        Fairness::None => Fairness::None,
        Fairness::Weak => Fairness::None,
        Fairness::Strong => Fairness::Weak,
    };
    if plain == Truth::Fails {
        assert_eq!(truth(weaker, Setting::Plain), Truth::Fails, "seed {seed}, {property}\n{text}");
    }
    plain == Truth::Fails
}

/// Whether some run ends; `None` if there are too many states.
fn ends(subject: &Subject) -> Option<bool> {
    let interpreter = Interpreter::new(subject.system()?, Options::default());
    let seen = naive::explore(&interpreter, MAX_STATES)?;
    let mut states = seen.states.iter();
    Some(states.any(|state| interpreter.steps(state, Control::Free).steps.is_empty()))
}

fn build(folder: &Path, name: &str, defines: &[&str]) {
    let compiler = SpinOptions::for_small_programs().compiler;
    let mut cc = Command::new(&compiler[0]);
    cc.args(&compiler[1..]).args(["-DNOREDUCE", "-DMEMLIM=200"]).args(defines);
    run(cc.args(["-o", name, "pan.c"]), folder);
}

fn run(command: &mut Command, folder: &Path) {
    let output = process::run(command.current_dir(folder), folder, Duration::from_secs(60));
    let output = output.expect("spin and a compiler are installed");
    assert!(output.succeeded(), "{}", output.all_text());
}

/// Whether spin finds a violation; unknown if it comes to its depth limit, or refuses.
fn violates(folder: &Path, pan: &str, flags: &[String]) -> Option<bool> {
    let mut command = Command::new(folder.join(pan));
    command.current_dir(folder).args(flags).args(["-n", "-E", "-c1", "-m100000", "-w16"]);
    let output = process::run(&mut command, folder, Duration::from_secs(20)).expect("pan runs");
    let text = output.all_text();
    let errors = text.lines().find_map(|line| line.split_once("errors: "))?;
    let violates = errors.1.trim() != "0";
    (violates || !text.contains("depth too small")).then_some(violates)
}
