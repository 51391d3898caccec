//! One mistake, one message, and a useful one.

use super::{codes, only_diagnostic};

#[track_caller]
fn hint(text: &str, part: &str) {
    let d = only_diagnostic(text);
    assert!(d.hint.as_deref().is_some_and(|h| h.contains(part)), "{text}\n{d:?}");
}

#[test]
fn hints() {
    hint("byte x; init { if :: (x = 1) -> skip fi; x = 2 }", "`==`");
    hint("byte x; init { if (x == 1) { x = 2 } else { x = 3 }; x = 4 }", "if ::");
    hint("byte x; init { while (x < 3) { x++ } x = 1 }", "do ::");
    hint("byte x; init { for (x = 0; x < 3; x++) { skip } x = 3 }", "first .. last");
    hint("byte x; init { x == 1 and x == 2; x = 3 }", "`&&`");
    hint("chan q = [1] of { byte }; init { !full(q) }", "nfull");
    hint("chan q = [1] of { byte }; init { len(q) == full(q) }", "`&&`");
    hint("proctype P(byte a, byte b) { skip }", "`;`");
    hint("init { Foo x; skip }", "not a type");
    hint("init { f(1); skip }", "no inline");
    hint("init { L: byte x; skip }", "skip");
    hint("init { { }; skip }", "skip");
    hint("proctype P() { skip } init { goto P }", "proctype");
}

#[test]
fn unclosed_constructs_show_where_they_begin() {
    for text in [
        "byte x; proctype A() { atomic { x = 1; x = 2 }\nproctype B() { x = 3 } init { x = 1 }",
        "byte x; init { do :: x == 1 -> if :: x == 2 :: else :: x == 3 od }",
        "byte x; init { do :: x == 1 fi; x = 2 } proctype A() { x = 1 }",
    ] {
        let d = only_diagnostic(text);
        assert_eq!(d.related.len(), 1, "{d:?}");
    }
    assert_eq!(only_diagnostic("byte x; init { x = 1").message, "this `{` is not closed");
}

#[test]
fn each_mistake_is_found() {
    let text = "byte x;\nproctype A(byte) { x = = 1; x = ; x = 1 }\nbyte y[0/0]\n\
        init {\n x = (x + 1\n x = 2\n x + ;\n x = 3 x = 4\n}\nbyte;\ninit { skip }";
    assert_eq!(codes(text).len(), 8);
}

#[test]
fn embedded_c_is_refused_and_skipped() {
    let text = "c_decl { int a; { } }\nc_state \"int x\" \"Global\"\nc_track \"&x\" \"4\" \"Matched\"\n\
        byte x; init { c_code [x > 1] { x = 3; }\n x = 1; c_expr { x } -> x = c_expr { y } + 1 }";
    assert_eq!(codes(text), ["E0501"; 6]);
}

#[test]
fn constants() {
    assert_eq!(codes("byte x[1 / 0]; init { skip }"), ["E0305"]);
    assert_eq!(codes("byte x[2000000000 + 2000000000]; init { skip }"), ["E0305"]);
    assert_eq!(codes("byte x; init { select (x : 4 .. 2) }"), ["E0305"]);
}
