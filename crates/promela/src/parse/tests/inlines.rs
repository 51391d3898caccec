//! Expansion of inlines.

use super::{body, codes, lexer, parsed, program};
use crate::ast::{BlockItem, Stmt, StmtKind};
use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;

/// Two texts with the same tree up to the calls.
#[track_caller]
fn same(inline: &str, plain: &str) {
    let tree = |text: &str| {
        let program = program(text);
        body(&program).steps.iter().map(flat).collect::<Vec<_>>()
    };
    assert_eq!(tree(inline), tree(plain));
}

/// A step as text, with a call replaced by its body.
fn flat(step: &BlockItem) -> String {
    match step {
        BlockItem::Stmt(Stmt { kind: StmtKind::InlineCall { body, .. }, .. }) => match &body.kind {
            StmtKind::Block(block) => {
                format!("{{{}}}", block.steps.iter().map(flat).collect::<Vec<_>>().join(";"))
            }
            other => panic!("{other:?}"),
        },
        BlockItem::Stmt(Stmt { kind: StmtKind::Block(block), .. }) => {
            format!("{{{}}}", block.steps.iter().map(flat).collect::<Vec<_>>().join(";"))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn arguments_replace_parameters() {
    same(
        "byte x, y; inline f(a, b) { a = b + 1\n b = a } init { f(x, y) f(y, x) }",
        "byte x, y; init { { x = y + 1; y = x } { y = x + 1; x = y } }",
    );
}

#[test]
fn tokens_are_replaced_not_values() {
    same(
        "byte x; inline f(a) { x = a * 2 } init { f(x + 1) }",
        "byte x; init { { x = x + 1 * 2 } }",
    );
}

#[test]
fn arguments_pass_through_calls() {
    same(
        "byte x; inline f(a) { g(a + 1) } inline g(a) { x = a } init { f(x) }",
        "byte x; init { { { x = x + 1 } } }",
    );
}

#[test]
fn an_argument_may_carry_the_name_of_a_parameter() {
    same("byte a; inline f(a) { a = 1 } init { f(a) }", "byte a; init { { a = 1 } }");
    let (_, diags) = parsed("byte a, b; inline f(a, b) { a = b } init { f(b, a) }");
    assert!(diags.iter().all(|d| d.code.as_str() == "W0601") && !diags.is_empty());
}

#[test]
fn labels_and_fields_are_replaced_too() {
    same(
        "byte x; inline f(l, n) { l: x = n; goto l } init { f(again, 3) }",
        "byte x; init { { again: x = 3; goto again } }",
    );
}

#[test]
fn results() {
    same(
        "byte x; inline f(a) { if :: true fi; return a } init { x = f(3) }",
        "byte x; init { { if :: true fi; x = 3 } }",
    );
}

#[test]
fn wrong_calls() {
    assert_eq!(codes("inline f(a) { skip } init { f(); f(1, 2); skip }"), ["E0205", "E0205"]);
    assert_eq!(codes("inline f() { g() } inline g() { f() } init { f() }"), ["E0205"]);
    assert_eq!(codes("inline f() { return 1 } init { f() }"), ["E0205"]);
    assert_eq!(codes("inline f() { skip } inline f() { skip } init { f() }"), ["E0302"]);
}

#[test]
fn mistakes_of_an_inline_are_told_once() {
    assert_eq!(codes("byte x; inline f() { x = = 1 } init { f(); f(); f() }"), ["E0203"]);
}

#[test]
fn spans_lead_to_the_call() {
    let text = "byte x;\ninline f(a) {\n x = a +\n}\ninit {\n f(1)\n}";
    let mut map = SourceMap::new();
    map.add_file("m", text.to_string(), None).expect("small");
    let mut diags = Diagnostics::new();
    super::parse(lexer::lex(text), &mut map, &mut diags);
    let d = diags.iter().next().expect("a diagnostic");
    assert_eq!(map.line_column(d.span).line, 4);
    assert_eq!(map.location(d.span), "m:6");
}

#[test]
fn deep_calls() {
    let chain = |n: usize| {
        let mut text = String::from("inline f0() { skip }\n");
        for i in 1..n {
            text += &format!("inline f{i}() {{ f{}() }}\n", i - 1);
        }
        text + &format!("init {{ f{}() }}", n - 1)
    };
    assert!(codes(&chain(16)).is_empty());
    assert_eq!(codes(&chain(17)), ["W0601"]);
    assert_eq!(codes(&chain(200)), ["W0601"]);
    assert_eq!(codes(&chain(201)), ["W0601", "E0205"]);
}
