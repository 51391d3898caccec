//! The models about liveness against their truth, in every configuration of the search for cycles.

use crate::common::{Setting, subject, verdict};
use resy::{CheckReport, Control, Fairness, Question, Subject, Truth, check};
use resy_engine::search::{CycleSearch, StorePolicy, Task, Threads, search_cycles};
use resy_system::{Claim, LivenessClaim, System};
use resy_testkit::cyclic::{CyclicProgram, RENDEZVOUS};
use resy_testkit::fixtures::{Fixture, models_dir};
use resy_testkit::systems::system_of;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row of the truth: the property, and whether it is violated under each fairness.
struct Row {
    property: String,
    violated: [bool; 3],
}

/// The rows of every model.
fn truth() -> BTreeMap<String, Vec<Row>> {
    let folder = models_dir().join("liveness");
    let text = std::fs::read_to_string(folder.join("truth.tsv")).expect("the truth is there");
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in text.lines().skip(2) {
        let fields: Vec<&str> = line.split('\t').collect();
        let property = match fields[1] {
            "(np)" => "progress",
            "(labels)" => "acceptance",
            "(never)" => "never",
            name => name,
        };
        // Where there is no accept label, spin checks end states instead.
        if fields[7] == "-" {
            continue;
        }
        let violated = [7, 8, 9].map(|column: usize| fields[column] == "violated");
        let row = Row { property: property.to_owned(), violated };
        rows.entry(fields[0].to_owned()).or_default().push(row);
    }
    rows
}

fn model(name: &str) -> Arc<Subject> {
    let path = models_dir().join("liveness").join(name).with_extension("pml");
    subject(&std::fs::read_to_string(path).expect("the model is there"))
}

#[test]
fn every_row_of_the_truth_in_every_configuration() {
    let (mut n_rows, mut n_failing) = (0, 0);
    for (name, rows) in truth() {
        let subject = model(&name);
        for row in rows {
            for (fairness, violated) in Fairness::ALL.into_iter().zip(row.violated) {
                for setting in Setting::ALL {
                    let found = verdict(&subject, &row.property, fairness, setting);
                    let wanted = if violated { Truth::Fails } else { Truth::Holds };
                    let what = format!("{name} {} {fairness} {setting:?}", row.property);
                    assert_eq!(found.total, wanted, "{what}");
                    assert_is_confirmed(&found, fairness, &what);
                    n_failing += usize::from(violated);
                }
                n_rows += 1;
            }
        }
    }
    assert_eq!(n_rows, 444);
    assert!(n_failing > 1000, "{n_failing}");
}

/// A violation has a loop that leads back, and says why it is fair.
fn assert_is_confirmed(found: &CheckReport, fairness: Fairness, what: &str) {
    let Some(run) = found.answers[0].counterexample() else { return };
    let steps = run.program_steps().expect("a program's run");
    let Some(lasso) = run.lasso() else { return };
    let state = |n: usize| match n.checked_sub(1) {
        Some(last) => steps[last].step.next.as_ref().map(|(state, _)| state.clone()),
        None => steps.first().map(|replay| replay.before.clone()),
    };
    assert_eq!(state(lasso.start), state(steps.len()), "{what}");
    let n_processes = state(steps.len()).map_or(0, |state| state.processes().len());
    let n_reasons = if fairness == Fairness::None { 0 } else { n_processes };
    assert!(lasso.fair.len() == n_reasons || steps.is_empty(), "{what}: {lasso:?}");
}

#[test]
fn fairness_needs_no_copies_of_states() {
    for (name, rows) in truth() {
        let subject = model(&name);
        for row in rows.iter().filter(|row| row.violated == [false; 3]) {
            let states = Fairness::ALL.map(|fairness| {
                verdict(&subject, &row.property, fairness, Setting::Plain).stats.states
            });
            assert_eq!(states, [states[0]; 3], "{name} {}", row.property);
        }
    }
}

/// What a search finds with a store.
fn with_store(
    system: &System,
    claim: &LivenessClaim,
    fairness: Fairness,
    store: StorePolicy,
) -> (CycleSearch, String) {
    let task = Task::new(system).compiled(false).store(store);
    let found = search_cycles(&task, claim, fairness).expect("a first state");
    let run = format!("{:?}", found.found);
    (found, run)
}

/// The order of the search is the same with every store, also if it changes on the way.
#[test]
fn the_store_of_the_states_does_not_matter() {
    let mut n_changed = 0;
    for seed in 0..12 {
        let program = CyclicProgram::new(seed);
        let subject = subject(&program.with_formulas());
        let system = subject.system().expect("a program");
        for claim in claims(system) {
            for fairness in Fairness::ALL {
                let with = |store| with_store(system, &claim, fairness, store);
                let (tree, run) = with(StorePolicy::FlatUpTo(0));
                for most in [1, 33_000, 33_500, 34_500, usize::MAX] {
                    let (other, other_run) = with(StorePolicy::FlatUpTo(most));
                    let counts = |s: &CycleSearch| (s.states, s.transitions, s.depth, s.stopped);
                    assert_eq!(counts(&other), counts(&tree), "{seed} {fairness} {most}");
                    assert_eq!(other_run, run, "{seed} {fairness} {most}");
                    n_changed +=
                        usize::from(most > 1 && most < usize::MAX && other.store == "tree");
                }
            }
        }
    }
    eprintln!("{n_changed} stores changed on the way");
    assert!(n_changed > 10, "{n_changed}");
}

/// The claims of a random program: its formulas, progress and acceptance.
pub(crate) fn claims(system: &System) -> Vec<LivenessClaim> {
    let formulas = system.claims.iter().filter_map(|claim| LivenessClaim::of(claim).ok());
    formulas.chain([LivenessClaim::progress(), LivenessClaim::acceptance()]).collect()
}

/// The graph of the system, by one or several threads, has the verdicts, states and transitions of the depth-first search
/// of the product, and its runs. They take turns from the first state on.
#[test]
fn the_graph_finds_what_the_product_has() {
    let (mut n_by_graph, mut n_failing) = (0, 0);
    for seed in (0..30).chain(RENDEZVOUS..RENDEZVOUS + 10) {
        let subject = subject(&CyclicProgram::new(seed).with_formulas());
        let system = subject.system().expect("a program");
        for claim in claims(system) {
            for fairness in Fairness::ALL {
                let with = |n, alone| {
                    let threads = Threads::new(n).alone(alone);
                    let task = Task::new(system).compiled(false).threads(threads);
                    search_cycles(&task, &claim, fairness).expect("a first state")
                };
                let (one, several) = (with(1, usize::MAX), with(1 + seed as usize % 3, 0));
                assert!(!one.by_others);
                let what = format!("{seed} {} {fairness}", claim.name);
                let run = |search: &CycleSearch| format!("{:?}", search.found);
                assert_eq!(run(&several), run(&one), "{what}");
                if several.found.is_none() {
                    let counts = |s: &CycleSearch| (s.states, s.transitions, s.stopped);
                    assert_eq!(counts(&several), counts(&one), "{what}");
                }
                n_by_graph += usize::from(several.by_others);
                n_failing += usize::from(several.found.is_some());
            }
        }
    }
    eprintln!("{n_by_graph} decided by the graph, {n_failing} violations");
    assert!(n_by_graph > 40 && n_failing > 100, "{n_by_graph} {n_failing}");
}

/// A claim whose violations are finite has the same verdict by the search for cycles as by its monitor.
fn agree(fixture: &Fixture) {
    let system: System = system_of(fixture);
    let decided = |name: &str| fixture.verdicts.iter().find(|(key, _)| key == name);
    for claim in &system.claims {
        let key = if decided(&claim.name).is_some() { claim.name.as_str() } else { "never" };
        let (Some((_, truth)), Ok(automaton)) = (decided(key), LivenessClaim::of(claim)) else {
            continue;
        };
        let task = Task::new(&system).compiled(false);
        let found = search_cycles(&task, &automaton, Fairness::None).expect("a first state");
        let Claim { name, .. } = claim;
        assert_eq!(found.found.is_some(), truth == "fails", "{} {name}", fixture.name);
    }
}

resy_testkit::each_model!(cycles_and_monitors_agree, crate::liveness::agree);

#[test]
fn a_conjunction_fails_iff_one_part_does() {
    let program = "byte x, y;
        active proctype A() { do :: x = (x + 1) % 3 :: x == 1 -> y = 1 - y od }
        active proctype B() { do :: y == 1 -> y = 0 :: x == 2 -> x = 0 od }\n";
    let parts =
        ["[]<> (x == 0)", "<> (y == 1)", "[] (x < 3)", "<>[] (y == 0)", "(x < 2) U (x == 2)"];
    for fairness in Fairness::ALL {
        let truth = |formula: &str| {
            let subject = subject(&format!("{program}ltl f {{ {formula} }}"));
            let question =
                Question { property: Some("f".to_owned()), fairness, ..Question::default() };
            let report = check(subject, &question, &Control::unlimited()).expect("it is decided");
            report.total
        };
        for a in parts {
            for b in parts {
                // All three are shown: an `unknown` is another fault than a wrong verdict.
                let truths = [truth(&format!("({a}) && ({b})")), truth(a), truth(b)];
                let [both, first, second] = truths.map(|truth| truth == Truth::Fails);
                assert_eq!(both, first || second, "{a}, {b}, {fairness}: {truths:?}");
            }
        }
    }
}

/// A program whose states become shorter than the first one, whose automaton meets its marks late, and whose states are reached
/// with more states of the automaton after they were expanded.
#[test]
fn the_graph_follows_states_that_change_their_length() {
    let program = "byte x;
        proctype W(byte n) { do :: n > 0 -> n--; x = (x + 1) % 5 :: else -> break od }
        active proctype A() { short big; run W(2); run W(1); big = 1; run W(1) }
        active proctype B() { byte i; do :: i < 2 -> i++ :: else -> break od }
        active proctype C() { do :: x == 4 -> x = 0 :: x == 3 -> x = 4 od }\n";
    let formulas = [
        "[]<> (x == 3) -> <>[] (x == 4)",
        "[] (x == 1 -> <> (x != 1))",
        "<>[] (x != 2)",
        "[]<> (x == 0)",
        "[] (x == 2 -> <> (x == 0 || x == 3))",
    ];
    let mut n_by_graph = 0;
    for formula in formulas {
        let subject = subject(&format!("{program}ltl f {{ {formula} }}\n"));
        let system = subject.system().expect("a program");
        for claim in claims(system) {
            for fairness in Fairness::ALL {
                let with = |n, alone| {
                    let task = Task::new(system).threads(Threads::new(n).alone(alone));
                    search_cycles(&task, &claim, fairness).expect("a first state")
                };
                let one = with(1, usize::MAX);
                for n in 1..4 {
                    let several = with(n, 0);
                    let what = format!("{formula} {} {fairness} {n}", claim.name);
                    assert_eq!(several.found.is_some(), one.found.is_some(), "{what}");
                    if one.found.is_none() {
                        let counts = |s: &CycleSearch| (s.states, s.transitions);
                        assert_eq!(counts(&several), counts(&one), "{what}");
                    }
                    n_by_graph += usize::from(several.by_others);
                }
            }
        }
    }
    assert!(n_by_graph > 20, "{n_by_graph}");
}
