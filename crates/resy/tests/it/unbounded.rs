//! Laws of predicate abstraction on random programs whose data stays small: the search of all states knows the truth.
//!
//! The programs guard every change, so that no value leaves a small range: for them, unbounded data and spin's are the
//! same. `holds` and `fails` of the abstraction must be what the search says; it may be silent.

use resy::{
    AbstractOptions, Control, DataOptions, Fairness, NoFiles, Question, Reading, SplitMix, Subject,
    Truth,
};
use resy_predicate::{Abstraction, Basis, PredicateSource};
use resy_symbolic::{SmtProcess, Solver, SolverAnswer, SymbolicProgram};
use std::fmt::Write as _;
use std::sync::Arc;

/// The decision procedure of the naive successors, a second opinion: the engine asks the embedded one.
const SOLVER: &str = "z3";

fn pick<'a>(random: &mut SplitMix, list: &[&'a str]) -> &'a str {
    list[random.below(list.len())]
}

fn comparison(random: &mut SplitMix) -> String {
    let op = pick(random, &["<", "<=", "==", "!=", ">", ">="]);
    let left = pick(random, &["x", "y", "x - y", "x + y"]);
    let right = pick(random, &["0", "1", "2", "y", "3"]);
    format!("{left} {op} {right}")
}

/// A random option of a loop: its guard keeps all values in -1..=4.
fn option(random: &mut SplitMix) -> String {
    let (guard, effect) = match random.below(6) {
        0 => ("x < 4", "x++"),
        1 => ("x > -1", "x--"),
        2 => ("y < 4", "y = y + 1"),
        3 => ("y < 4", "x = y + 1"),
        4 => ("true", "y = x"),
        _ => ("true", pick(random, &["x = 0", "y = 2", "x = y"])),
    };
    match random.below(3) {
        0 => format!(":: atomic {{ {guard} && {}; {effect} }}", comparison(random)),
        1 => format!(":: {guard} -> {}", if random.below(2) == 0 { "skip" } else { "b = 1 - b" }),
        _ => format!(":: atomic {{ {guard}; {effect} }}"),
    }
}

pub fn program(random: &mut SplitMix) -> String {
    let mut text = "int x, y; bit b;\n/*@ unbounded x, y */\n".to_owned();
    for name in ["P", "Q"] {
        let _ = writeln!(text, "active proctype {name}() {{\n  do");
        for _ in 0..1 + random.below(3) {
            let _ = writeln!(text, "  {}", option(random));
        }
        match random.below(4) {
            0 => text += "  :: else -> b = 0\n",
            1 => text += "  :: x == 3 -> break\n",
            _ => {}
        }
        text += "  od\n}\n";
    }
    let _ = writeln!(text, "ltl safe {{ [] ({} || {}) }}", comparison(random), comparison(random));
    let goal = if random.below(2) == 0 { comparison(random) } else { "b == 1".to_owned() };
    let _ = writeln!(text, "ltl again {{ [] <> ({goal}) }}");
    for _ in 0..random.below(4) {
        let _ = writeln!(text, "/*@ predicate {} */", comparison(random));
    }
    text
}

pub fn read(text: &str) -> Arc<Subject> {
    let reading = Reading { data: Some(DataOptions::default()), ..Reading::default() };
    let read = Subject::read("random.pml", text, &reading, &mut NoFiles);
    let messages = read.messages(true, false);
    Arc::new(read.subject.unwrap_or_else(|| panic!("{messages}\n{text}")))
}

fn truth(subject: &Arc<Subject>, property: &str, fairness: Fairness) -> Truth {
    let engine = resy::engine::by_name("monolithic").expect("the search of all states");
    let property = Some(property.to_owned());
    let question = Question { property, fairness, engine, threads: Some(1), ..Question::default() };
    resy::check(subject.clone(), &question, &Control::unlimited()).expect("a verdict").total
}

fn abstract_truth(subject: &Arc<Subject>, property: &str, fairness: Fairness) -> Truth {
    let question =
        Question { property: Some(property.to_owned()), fairness, ..Question::default() };
    let most_refinements = Some(4);
    let options =
        AbstractOptions { most_refinements, certificate: true, ..AbstractOptions::default() };
    let report = resy::abstracted(subject.clone(), &question, &options, &Control::unlimited());
    let report = report.expect("a verdict");
    if report.total == Truth::Holds {
        is_accepted(&report.certificate().expect("asked for").expect("a certificate"));
    }
    report.total
}

/// What is proved has a certificate that is accepted.
fn is_accepted(text: &str) {
    let control = Control::unlimited();
    let read = resy::read_data_certificates(text, &control).expect("of an abstraction");
    for certificate in read.expect("it can be read") {
        match resy::recheck_data(&certificate, None, &control) {
            Ok(_) => {}
            Err(resy::NotAcceptedData::Rejected(rejection)) => panic!("{rejection}\n{text}"),
            Err(_) => panic!("an obligation is open\n{text}"),
        }
    }
}

/// The number of random programs of a law; `RESY_CASES` asks for more.
pub fn n_cases(default: u64) -> u64 {
    std::env::var("RESY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn safety_is_what_the_search_of_all_states_says() {
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for seed in 0..n_cases(30) {
        let text = program(&mut SplitMix(seed));
        let subject = read(&text);
        let real = truth(&subject, "safe", Fairness::None);
        let found = abstract_truth(&subject, "safe", Fairness::None);
        match found {
            Truth::Unknown => open += 1,
            _ => assert_eq!(found, real, "seed {seed}\n{text}"),
        }
        proved += u64::from(found == Truth::Holds);
        refuted += u64::from(found == Truth::Fails);
    }
    assert!(proved > 2 && refuted > 2, "{proved} proved, {refuted} refuted, {open} open");
}

#[test]
fn liveness_is_what_the_search_of_all_states_says_under_the_same_fairness() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..n_cases(12) {
        let text = program(&mut SplitMix(1_000 + seed));
        let subject = read(&text);
        for fairness in Fairness::ALL {
            let found = abstract_truth(&subject, "again", fairness);
            if found != Truth::Unknown {
                proved += u64::from(found == Truth::Holds);
                refuted += u64::from(found == Truth::Fails);
                let real = truth(&subject, "again", fairness);
                assert_eq!(real, found, "seed {seed} under {fairness}\n{text}");
            }
        }
    }
    assert!(proved > 0 && refuted > 0, "{proved} proved, {refuted} refuted");
}

/// Every valuation after every command of every abstract state, by one query each.
#[test]
fn successors_are_all_and_only_the_satisfiable_valuations() {
    for seed in 0..n_cases(3) {
        let text = program(&mut SplitMix(2_000 + seed));
        let subject = read(&text);
        let Subject::Program(promela) = &*subject else { panic!("a program") };
        let data = promela.data.clone().expect("annotations");
        let interpreter = resy::Interpreter::new(&promela.system, resy::Options::default());
        let mut program =
            SymbolicProgram::new(interpreter, Default::default(), data.declarations.clone())
                .expect("it is in reach");
        let start = program.start().expect("it starts")[0].target.expect("a control state");
        let mut basis = Basis::default();
        for (_, predicate) in &data.predicates {
            let formula = program.formula(start, predicate).expect("a formula");
            basis.add(&program.terms().borrow(), formula, PredicateSource::Given);
        }
        let mut solver = SmtProcess::start(SOLVER).expect("the solver starts");
        let mut abstraction = Abstraction::new(&mut program, &mut solver);
        abstraction.basis = basis.clone();
        let graph = abstraction.reachable(10_000, &mut |_| true).expect("in reach").expect("small");
        let (states, edges) = (graph.states.clone(), graph.edges.clone());
        for (id, state) in states.iter_enumerated() {
            let commands = program.commands(state.control).expect("commands");
            for (number, command) in commands.iter().enumerate() {
                let Some(target) = command.target else { continue };
                for n in 0..1u32 << basis.len() {
                    let after: Vec<bool> = (0..basis.len()).map(|i| n >> i & 1 == 1).collect();
                    let mut terms = program.terms().borrow_mut();
                    let mut query = command.guard.clone();
                    for (i, predicate) in basis.as_slice().iter().enumerate() {
                        let formula = predicate.formula;
                        let sign = |terms: &mut resy_symbolic::Terms, f, value: bool| {
                            if value { f } else { terms.not(f) }
                        };
                        query.push(sign(&mut terms, formula, state.values[i]));
                        let later = terms.substitute(formula, &command.updates);
                        query.push(sign(&mut terms, later, after[i]));
                    }
                    let answer = solver.check(&mut terms, &query);
                    let is_possible = matches!(answer, SolverAnswer::Satisfiable(_));
                    let is_there = edges[id].iter().any(|edge| {
                        let there = &states[edge.target];
                        edge.command == number && there.control == target && *there.values == *after
                    });
                    assert_eq!(is_there, is_possible, "seed {seed}, {}\n{text}", command.text);
                }
            }
        }
    }
}
