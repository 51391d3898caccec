//! The text of modules that are written out, and which modules are refused.

use crate::common;
use crate::common::{Outcome, assertions, program, replace_by};
use resy_compose::Split;
use resy_export::rewrite::RewriteObstacle;
use std::path::Path;

/// The program in which some processes are replaced by their own automata.
fn written(text: &str, module: &[usize]) -> Result<String, RewriteObstacle> {
    let program = program("test", text.to_owned(), &[], Path::new(".")).expect("a program");
    let itself = |split: &Split| Some(split.module.lts.clone());
    match replace_by(&program, module, &assertions(), itself) {
        Outcome::Replaced(text, ..) => Ok(text),
        Outcome::Refused(refusal) => Err(refusal.why),
        Outcome::Beyond(why) => panic!("no network: {why}"),
    }
}

/// The distinct statements of the options.
fn statements(text: &str) -> Vec<String> {
    let options = text.lines().filter_map(|line| line.strip_prefix(":: "));
    let mut found: Vec<String> =
        options.filter_map(|o| Some(o.split_once("; goto")?.0.to_owned())).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn a_test_after_a_step_is_about_what_will_be() {
    let text =
        "byte x; unsigned u : 3; active proctype M() { atomic { x++; x == 0; u = u - 1; u > 3 } }
                active proctype E() { x = 3; u = 2 }";
    let found = statements(&written(text, &[0]).expect("it can be written"));
    // The block may stop at either test, or complete.
    let first = "d_step { ((x + 1) & 255) != 0 -> x = (x + 1) }";
    let through =
        "d_step { ((x + 1) & 255) == 0 && ((u - 1) & 7) > 3 -> x = (x + 1); u = (u - 1) }";
    assert!(found.contains(&first.to_owned()), "{found:#?}");
    assert!(found.contains(&through.to_owned()), "{found:#?}");
    assert!(found.contains(&through.replace('>', "<=").replace("-<=", "->")), "{found:#?}");
}

#[test]
fn a_channel_has_one_message_more_after_a_send() {
    let text = "chan q = [2] of { byte }; active proctype M() { atomic { q!1; q!2 } }
                active proctype E() { q?_ }";
    let found = statements(&written(text, &[0]).expect("it can be written"));
    let both = "d_step { len(q) < 2 && len(q) != 1 -> q!1; q!2 }";
    let one = "d_step { len(q) < 2 && len(q) == 1 -> q!1 }";
    assert!(found.contains(&both.to_owned()) && found.contains(&one.to_owned()), "{found:#?}");
}

#[test]
fn sends_and_receives_alone_are_plain() {
    let text = "mtype = { red, blue } chan q = [2] of { mtype, byte };
                active proctype M() { byte v; q?red,v; q!blue,v; q?[red,7]; v = 0 }
                active proctype E() { q!red,7; q?_,_ }";
    let found = statements(&written(text, &[0]).expect("it can be written"));
    for plain in ["q?red,7", "q!blue,7", "q?[red,7]"] {
        assert!(found.contains(&plain.to_owned()), "{plain}: {found:#?}");
    }
}

#[test]
fn a_condition_of_a_receive_is_part_of_what_is_received() {
    let text = "chan rv = [0] of { byte }; byte x;
                active proctype M() { do :: atomic { rv?3; if :: x == 1 -> x = 2 :: else fi } od }
                active proctype E() { do :: rv!3 :: x = 1 od }";
    let found = statements(&written(text, &[0]).expect("it can be written"));
    let one = "atomic { rv?eval((x == 1 -> 3 : 256)) -> x = 2 }";
    assert!(found.contains(&one.to_owned()), "{found:#?}");
    assert!(found.contains(&"rv?eval((x != 1 -> 3 : 256))".to_owned()), "{found:#?}");
}

#[test]
fn a_failed_assertion_fails_again() {
    let text = "byte x; active proctype M() { assert(x < 2) } active proctype E() { x = 2; x = 0 }";
    let found = statements(&written(text, &[0]).expect("it can be written"));
    assert!(found.contains(&"d_step { x >= 2 -> assert(false) }".to_owned()), "{found:#?}");
}

#[test]
fn an_instance_finds_itself_by_its_pid() {
    let text = "byte x; active [3] proctype M() { byte own = 1; x = own }";
    let expected = "byte x; active [3] proctype M() {
byte own = 1
;
if
:: _pid == 1 ->
S0: if
:: x = 1; goto S1
fi;
S1: false;
:: else ->
 x = own
fi
}
";
    assert_eq!(written(text, &[1]).expect("it can be written"), expected);
}

#[test]
fn several_processes_become_one_and_the_others_idle() {
    let text = "byte x; active proctype A() { x = 1 } active proctype E() { x = 0 }
                active proctype B() { x == 1 }";
    let expected = "active proctype B() {
false
}
";
    let found = written(text, &[0, 2]).expect("it can be written");
    assert!(found.ends_with(expected), "{found}");
    assert!(found.contains(":: x = 1; goto") && found.contains(":: x == 1; goto"), "{found}");
}

#[test]
fn names_are_new() {
    let text = "byte S0, R; active proctype M() { S0 = 1 } active proctype E() { S0 = R }";
    let found = written(text, &[0]).expect("it can be written");
    assert!(found.contains("S_0: if\n:: S0 = 1; goto S_1\n"), "{found}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let refused = |text: &str| written(text, &[0]).err();
    let environment = "active proctype E() { byte v; do :: rv?v :: x = 1 :: x = 0 od }";
    let guarded = "chan rv = [0] of { byte }; byte x;
                   active proctype M() { atomic { x == 1 -> rv!3 } }";
    assert_eq!(
        refused(&format!("{guarded} {environment}")),
        Some(RewriteObstacle::GuardedRendezvous)
    );
    let before = "chan rv = [0] of { byte }; byte x;
                  active proctype M() { atomic { x = 1; rv!3 } }";
    assert_eq!(
        refused(&format!("{before} {environment}")),
        Some(RewriteObstacle::EffectBeforeOffer)
    );
    let looked_at = "byte x; active proctype M() { here: x = 1 }
                     active proctype E() { M@here; x = 2 }";
    assert_eq!(refused(looked_at), Some(RewriteObstacle::Asked));
    let waits = "byte x; active proctype M() { x = 1 } active proctype E() { timeout; x = 2 }";
    assert_eq!(refused(waits), Some(RewriteObstacle::Timeout));
    let twice = "chan q = [2] of { byte }; active proctype M() { byte v; atomic { q?v; q?v } }
                 active proctype E() { q!1; q!2 }";
    assert_eq!(refused(twice), Some(RewriteObstacle::InsideChannel));
}

#[test]
fn for_people_everything_can_be_written() {
    let text = "chan rv = [0] of { byte }; byte x;
                active proctype M() { atomic { x == 1 -> rv!3 }; x = 2 }
                active proctype E() { byte v; do :: rv?v :: x = 1 :: x = 0 od }";
    let program = program("test", text.to_owned(), &[], Path::new(".")).expect("a program");
    let found = common::readable(&program, &[0]);
    let expected = "\
/* The requirement of M: what the others need to know of it.
   3 states, 2 transitions. */
";
    assert!(found.starts_with(expected), "{found}");
    assert!(found.contains("proctype M_requirement()\n"), "{found}");
    assert!(found.contains("/* M>E: rv!3; x==1; goto S1: a condition"), "{found}");
    assert!(found.contains("S1: if\n    :: x = 2; goto S2\n    fi;\n"), "{found}");
}
