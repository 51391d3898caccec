//! Any sequence of tokens gives a program and diagnostics, in reasonable time.

use super::{codes, parsed};

#[test]
fn nesting_has_a_limit() {
    let n = 100_000;
    for (open, close) in
        [("{ ", "}"), ("if :: ", "fi "), ("(", ")"), ("x[", "]"), ("a: ", ""), ("(1 -> ", ": 2)")]
    {
        let text = format!("byte x; init {{ {} x {} }}", open.repeat(n), close.repeat(n));
        assert!(codes(&text).contains(&"E0204"), "{open}");
        assert!(codes(&text[..text.len() / 2]).contains(&"E0204"), "{open}");
    }
    for (open, close) in [("byte x[", "];"), ("init { q?", "}"), ("init { run P(", ") }")] {
        let text = format!("{open}{}1{}{close}", "(".repeat(n), ")".repeat(n));
        assert_eq!(codes(&text), ["E0204"], "{open}");
    }
}

#[test]
fn reasonable_nesting_is_fine() {
    let n = 120;
    let text = format!("byte x; init {{ {} skip {} }}", "if :: { ".repeat(n), "} fi ".repeat(n));
    assert!(codes(&text).is_empty());
    let text = format!("byte x; init {{ x = {}x{} }}", "(".repeat(250), ")".repeat(250));
    assert!(codes(&text).is_empty());
}

#[test]
fn expressions_have_a_limit() {
    let chain = |n: usize| format!("byte x; init {{ x = x{} }}", " + x".repeat(n));
    assert!(codes(&chain(1900)).is_empty());
    assert_eq!(codes(&chain(2100)), ["E0204"]);
    assert_eq!(codes(&format!("byte x; init {{ x = {} x }}", "! ".repeat(100_000))), ["E0204"]);
    let wide =
        format!("byte x; init {{ x = 1{} }}", format!(" + (x{})", " * x".repeat(90)).repeat(1000));
    assert!(codes(&wide).is_empty());
}

#[test]
fn expansion_has_a_limit() {
    let mut text = String::from("inline f0() { skip; skip }\n");
    for i in 1..40 {
        text += &format!("inline f{i}() {{ f{0}(); f{0}() }}\n", i - 1);
    }
    // A call deep in the chain is refused by depth or size, not by patience.
    let calls = "f14(); ".repeat(400);
    let all = codes(&format!("{text} init {{ {calls} }}"));
    assert!(all.contains(&"E0106"), "{all:?}");
}

#[test]
fn random_tokens() {
    let words: Vec<&str> =
        "byte chan mtype x y q f g P T init proctype active inline typedef never \
        ltl trace if fi do od :: -> ; { } ( ) [ ] , . .. : = == + - * ! !! ? ?? < > @ ++ -- && || \
        else goto break skip atomic d_step for in select unless timeout run len full eval return \
        printf assert xr priority provided c_code c_state hidden 0 1 99 \"s\" of true _ U X \\ / ~"
            .split_whitespace()
            .chain(["\n", "\n", "inline f ( x ) {", "init {", "ltl { [] x }", "if ::", "} }"])
            .collect();
    let mut state = 12345u64;
    for _ in 0..3000 {
        let mut text = String::from("byte x; inline g(a) { x = a } init { ");
        for _ in 0..60 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text += words[(state >> 33) as usize % words.len()];
            text.push(' ');
        }
        let _ = parsed(&text);
    }
}

#[test]
fn long_texts_take_linear_time() {
    let line = "  x = x + 1; if :: x == 1 -> skip :: else fi\n";
    let text = format!("byte x;\ninit {{\n{} }}", line.repeat(50_000));
    assert!(codes(&text).is_empty());
    let broken = "  x = = 1\n  x ) 2\n".repeat(50_000);
    assert!(!codes(&format!("byte x; init {{\n{broken} }}")).is_empty());
}
