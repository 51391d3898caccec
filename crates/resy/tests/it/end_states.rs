//! End states in components: the verdicts are those of the search, and a violation is a run to an invalid end.

use crate::common::{Setting, subject, verdict};
use resy::{CheckReport, Control, Fairness, Question, Subject, Truth, check, engine};
use resy_testkit::generate::{generate, print};
use resy_testkit::systems::seeds;
use std::sync::Arc;
use std::time::Duration;

/// What components say, by a method or by the first that decides.
fn by_components(subject: &Arc<Subject>, method: Option<&'static str>) -> CheckReport {
    let question = Question {
        property: Some("end-states".to_owned()),
        engine: engine::by_name("network").expect("it is there"),
        method,
        ..Question::default()
    };
    let control = Control::unlimited().with_timeout(Some(Duration::from_secs(2)));
    check(subject.clone(), &question, &control).expect("it is a call")
}

/// Compares both methods with the search; how often they decide.
fn compare(about: &str, text: &str) -> usize {
    let subject = subject(text);
    let searched = verdict(&subject, "end-states", Fairness::None, Setting::Plain).total;
    let mut n_decided = 0;
    for method in ["folding", "product"] {
        let found = by_components(&subject, Some(method));
        if found.total == Truth::Unknown {
            assert_eq!(
                found.not_checked.len() + found.answers.len(),
                1,
                "{about}: {:?}",
                found.notes
            );
            continue;
        }
        assert_eq!(found.total, searched, "{about}, {method}\n{text}");
        n_decided += 1;
        if let Some(run) = found.answers[0].counterexample() {
            assert!(run.program_steps().is_some(), "{about}");
            assert!(
                run.what().is_some_and(|what| what.contains("end state")),
                "{about}: {:?}",
                run.what()
            );
        }
    }
    n_decided
}

#[test]
fn components_agree_with_the_search() {
    let seeds = seeds("RESY_END_SEEDS", 0..12);
    let n_seeds = seeds.clone().count();
    let (mut n_programs, mut n_decided) = (0, 0);
    for seed in seeds {
        let text = print(&generate(seed));
        if Subject::promela("random.pml", &text).subject.is_some() {
            n_programs += 1;
            n_decided += compare(&format!("seed {seed}"), &text);
        }
    }
    eprintln!("{n_decided} verdicts on {n_programs} programs");
    assert!(n_decided >= n_seeds / 4, "{n_decided} of {n_seeds}");
}

/// Programs whose last states are easily misjudged, with the truth.
const PROGRAMS: &[(&str, Truth, &str)] = &[
    ("nobody moves", Truth::Fails, "bool b; active proctype P() { b }"),
    ("it has ended", Truth::Holds, "active proctype P() { skip }"),
    ("an end label", Truth::Holds, "chan c = [0] of { bit }; active proctype P() { end: do :: c?_ od }"),
    ("one of two may end", Truth::Fails, "chan c = [0] of { bit };
        active proctype P() { end: do :: c?_ od } active proctype Q() { bit x; x == 1 }"),
    ("internal steps for ever", Truth::Holds, "bool b; active proctype P() { do :: skip od } active proctype Q() { b }"),
    ("internal steps for a while", Truth::Fails,
        "bool b; active proctype P() { byte i; do :: i < 3 -> i++ :: else -> break od } active proctype Q() { b }"),
    ("internal steps, perhaps for ever", Truth::Fails,
        "bool b; active proctype P() { do :: skip :: break od } active proctype Q() { b }"),
    ("the end within an atomic", Truth::Fails, "bool b; active proctype P() { atomic { skip; b; skip } }"),
    ("two locks", Truth::Fails, "bool a, b; active proctype P() { atomic { !a -> a = 1 } atomic { !b -> b = 1 } a = 0; b = 0 }
        active proctype Q() { atomic { !b -> b = 1 } atomic { !a -> a = 1 } b = 0; a = 0 }"),
    ("a full channel", Truth::Fails, "chan c = [1] of { byte }; active proctype P() { c!1; c!2 }"),
    ("timeout saves it", Truth::Holds, "bool b; active proctype P() { if :: b :: timeout fi }"),
    ("a child waits", Truth::Fails, "bool b; proctype C() { b } active proctype P() { bit x; x = 1; if :: x -> run C() fi }"),
    ("the elder waits for a death", Truth::Holds,
        "proctype C() { skip } active proctype P() { run C(); _nr_pr == 1 }"),
    ("end labels of a location that is left", Truth::Fails,
        "bool b; active proctype P() { end: if :: skip -> b fi }"),
];

#[test]
fn the_last_states_of_small_programs() {
    let mut n_open = 0;
    for (about, truth, text) in PROGRAMS {
        let text = format!("{text}\n");
        let searched = verdict(&subject(&text), "end-states", Fairness::None, Setting::Plain).total;
        assert_eq!(searched, *truth, "{about}");
        n_open += usize::from(compare(about, &text) < 2);
        let any = by_components(&subject(&text), None);
        assert!([*truth, Truth::Unknown].contains(&any.total), "{about}");
    }
    assert_eq!(n_open, 0);
}

/// A ring of philosophers, too many for a search: all of them may hold one fork each.
fn philosophers(n: usize, last: &str) -> Arc<Subject> {
    subject(&format!(
        "bool taken[{n}];
         proctype P(byte left; byte right) {{
           end: do
           :: atomic {{ !taken[left] -> taken[left] = true }}
              atomic {{ !taken[right] -> taken[right] = true }}
              taken[right] = false;
              taken[left] = false
           od
         }}
         init {{ byte i; atomic {{ for (i : 0 .. {n} - 2) {{ run P(i, i + 1) }} run P({last}) }} }}\n"
    ))
}

#[test]
fn a_deadlock_of_forty_has_a_run() {
    let found = by_components(&philosophers(40, "39, 0"), Some("folding"));
    assert_eq!(found.total, Truth::Fails, "{:?}", found.not_checked);
    let run = found.answers[0].counterexample().expect("it fails");
    assert!(run.n_steps() >= 40);
    let found = by_components(&philosophers(40, "0, 39"), Some("folding"));
    assert_eq!(found.total, Truth::Holds, "{:?}", found.not_checked);
}

/// What is not decided is said to be so, with the reason.
#[test]
fn reasons_are_named() {
    let reason = |text: &str| {
        let found = by_components(&subject(text), None);
        assert_eq!(found.total, Truth::Unknown, "{text}");
        found.not_checked.first().map(|n| n.reason.clone()).unwrap_or_default()
    };
    let fails =
        "byte x; active proctype P() { do :: x < 3 -> x++; assert(x < 3) :: else -> x = 0 od }\n";
    assert!(reason(fails).contains("wrong"), "{}", reason(fails));
    let trace =
        "chan c = [1] of { bit }; active proctype P() { c!1; c?_ } trace { do :: c!1 od }\n";
    assert!(reason(trace).contains("trace"), "{}", reason(trace));
}
