//! `ltl` blocks, formulas and claims on their own.

use super::expressions::show;
use super::lexer::lex;
use super::{codes, program};
use crate::ast::{Expr, Program, Unit};
use crate::diagnostic::Diagnostics;
use crate::parse::{parse_claim, parse_ltl};
use crate::source::SourceMap;

fn in_file(text: &str) -> (SourceMap, Diagnostics) {
    let mut map = SourceMap::new();
    map.add_file("formula", text.to_string(), None).expect("small");
    (map, Diagnostics::new())
}

fn formula(text: &str) -> Option<Expr> {
    let (mut map, mut diags) = in_file(text);
    let expr = parse_ltl(lex(text), &Program::default(), &mut map, &mut diags);
    assert_eq!(expr.is_none(), diags.has_errors());
    expr
}

#[track_caller]
fn reads(text: &str, shown: &str) {
    assert_eq!(formula(text).map(|e| show(&e)).as_deref(), Some(shown), "{text}");
}

#[test]
fn operators() {
    reads("[]<>p", "([](<>p))");
    reads("[] p -> <> q", "(([]p) -> (<>q))");
    reads("p U q U r", "((p U q) U r)");
    reads("p U q && r", "((p U q) && r)");
    reads("p == 1 U q | r", "((p == 1) U (q | r))");
    reads("p -> q <-> r", "((p -> q) <-> r)");
    reads("p <-> q || r", "(p <-> (q || r))");
    reads("p /\\ q \\/ r", "((p && q) || r)");
    reads("always p implies eventually q weakuntil next r", "(([]p) -> ((<>q) W (X r)))");
    reads("p V q stronguntil r release s", "(((p V q) U r) V s)");
    reads("<> a == b", "((<>a) == b)");
    reads("x < - y", "(x < (-y))");
    reads("a[1] < 2", "(a < 2)");
}

#[test]
fn apart_they_are_other_operators() {
    assert!(formula("[ ] p").is_none());
    assert!(formula("< > p").is_none());
    assert!(formula("p < -> q").is_none());
    assert!(formula("p q").is_none());
    assert!(formula("").is_none());
    assert!(formula("(p -> q : r)").is_none());
}

#[test]
fn names_of_the_program_are_known() {
    let p = program("mtype = { m } proctype P() { L: skip }");
    let text = "<> P@L && [] (x == m)";
    let (mut map, mut diags) = in_file(text);
    let expr = parse_ltl(lex(text), &p, &mut map, &mut diags).expect("a formula");
    let shown = format!("{expr:?}");
    assert!(shown.contains("RemoteLabel") && shown.contains("Mtype"), "{shown}");
}

#[test]
fn blocks_come_last() {
    let p = program("ltl a { [] x; } byte x; ltl { x U x }\n mtype = { U2 } init { x = 1 }");
    let kinds: Vec<_> = p.units.iter().map(|u| matches!(u, Unit::Ltl(_))).collect();
    assert_eq!(kinds, [false, false, false, true, true]);
}

#[test]
fn temporal_words_are_names_elsewhere() {
    program("byte U, X, always, next; init { U = X; always = next }");
}

#[test]
fn unclosed_block() {
    assert_eq!(codes("byte x; init { x = 1 } ltl f { [] x"), ["E0203"]);
}

#[test]
fn claim_on_its_own() {
    let p = program("proctype P() { L: skip }");
    for (text, good) in [
        ("never { do :: P@L od }", true),
        ("never name { skip\n skip };", true),
        ("trace { q!1 }", true),
        ("notrace { q?_ }", true),
        ("never { skip } byte x", false),
        ("init { skip }", false),
        ("never {", false),
        ("", false),
    ] {
        let (mut map, mut diags) = in_file(text);
        let unit = parse_claim(lex(text), &p, &mut map, &mut diags);
        assert_eq!(unit.is_some() && !diags.has_errors(), good, "{text}");
    }
}
