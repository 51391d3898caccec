//! Pitfalls of fairness and of time in predicate abstraction.

use crate::unbounded::read;
use resy::{AbstractOptions, Control, Fairness, Question, Truth};

fn verdict(text: &str, property: &str) -> Truth {
    let property = Some(property.to_owned());
    let question = Question { property, fairness: Fairness::None, ..Question::default() };
    let options = AbstractOptions::default();
    let report = resy::abstracted(read(text), &question, &options, &Control::unlimited());
    report.expect("a verdict").total
}

/// Another process changes `x`, so that each branch of the statement `L` is possible now and then, and one of them always.
fn split(fairness: &str, yes: &str, no: &str) -> String {
    format!(
        "int x; bit done;\n/*@ unbounded x; {fairness} L */\n\
         active proctype P() {{\n\
         L: atomic {{ if :: x > 0 -> {yes} :: x <= 0 -> {no} fi }}; goto L\n}}\n\
         active proctype Q() {{ do :: x = 1 - x od }}\n\
         ltl served {{ <> (done == 1) }}\n"
    )
}

/// Justice of a statement that becomes several commands is justice of all together: one of them is always possible, and no
/// single one is.
#[test]
fn justice_of_a_statement_with_branches_is_of_their_union() {
    assert_eq!(verdict(&split("just", "done = 1", "done = 1"), "served"), Truth::Holds);
}

/// Compassion does not choose a branch: `L` may be taken only when `x` is 0.
#[test]
fn compassion_for_a_statement_does_not_choose_a_branch() {
    assert_ne!(verdict(&split("compassionate", "done = 1", "skip"), "served"), Truth::Holds);
    assert_eq!(verdict(&split("compassionate", "done = 1", "done = 1"), "served"), Truth::Holds);
}

/// A process waits in vain, and another one fails when it is late.
fn late(progress: &str) -> String {
    format!(
        "int upper, x; int c;\n/*@ parameter upper >= 1; clock c; progress {progress} */\n\
         active proctype Waits() {{\nw: x == 1 -> x = 2\n}}\n\
         active proctype Late() {{ c > upper -> assert(false) }}\n"
    )
}

/// A condition of progress for all locations stops time where a process waits in vain: errors after that are not seen. One
/// for the statements that are enabled does not.
#[test]
fn a_condition_of_progress_stops_time_only_where_it_says() {
    assert_eq!(verdict(&late("c <= upper"), "assertions"), Truth::Holds);
    assert_eq!(verdict(&late("c <= upper || (Waits@w && x != 1)"), "assertions"), Truth::Fails);
    assert_eq!(verdict(&late("c <= upper || (Waits@w && x == 1)"), "assertions"), Truth::Holds);
}
