//! Mistakes that only elaboration sees, each with its message, place and hint.

use resy_fsp::{ComposeOptions, read};

/// The first error: where, what, and the hint.
fn first_error(text: &str) -> (String, String) {
    let (composition, diagnostics) = read(text, &ComposeOptions::default());
    assert!(composition.is_none(), "no error: {text}");
    let first = diagnostics.iter().find(|d| d.code.as_str().starts_with('E')).expect("an error");
    (first.short(text), first.hint.clone().unwrap_or_default())
}

#[test]
fn every_mistake_has_its_message() {
    for (text, message, hint) in [
        (
            "CLIENT = (a -> CLIENT).\n||S = (CLEINT).",
            "2:8: error[E0301]: process `CLEINT` is not defined",
            "did you mean `CLIENT`?",
        ),
        (
            "P = (a -> Q).\nQ = (b -> Q).",
            "1:11: error[E0301]: local process `Q` is not defined",
            "a process continues in its own local processes only; `Q; END` runs another process to its end",
        ),
        (
            "P = (a -> Start -> P).",
            "1:11: error[E0301]: set `Start` is not defined",
            "names of actions begin with a small letter: `start`",
        ),
        (
            "range R = 0..3\nP = (a.R -> P).",
            "2:8: error[E0301]: set `R` is not defined",
            "`R` is a range: write `[R]`",
        ),
        (
            "P = (a -> b[i] -> P).",
            "1:13: error[E0301]: variable `i` is not defined",
            "a variable is bound in an action before, as in `a[i:0..3] -> …`",
        ),
        (
            "P = (a[i:0..2][j:i..2] -> P).",
            "1:18: error[E0301]: variable `i` is not defined",
            "a variable is bound in an action before, as in `a[i:0..3] -> …`",
        ),
        (
            "P = (a[i:0..2] -> b[i:0..1] -> P).",
            "1:21: error[E0302]: variable `i` is bound twice",
            "",
        ),
        (
            "P(N=1) = (a -> P).\n||S = (P(1, 2)).",
            "2:8: error[E0304]: `P` has 1 parameter, but 2 arguments are given",
            "",
        ),
        (
            "P = Q, Q = P.",
            "1:12: error[E0401]: `P` has no first action: it leads to itself",
            "put an action before it, as in `P = (a -> P).`",
        ),
        (
            "property P = (a -> P | a -> STOP).",
            "1:10: error[E0402]: property `P` is not deterministic: action `a` in state `P`",
            "a property has one next state for every action, and hides none",
        ),
        (
            "P = (a -> P).\nQ = (b -> P; Q).",
            "2:11: error[E0403]: `P` never ends, so that nothing can follow it",
            "a process that others follow ends in `END`",
        ),
        (
            "P = (a -> Q; END).\nQ = (b -> P; END).",
            "2:11: error[E0403]: `P` runs itself before it ends",
            "",
        ),
        ("const N = 0\nP = (a[1/N] -> P).", "2:10: error[E0305]: division by zero", ""),
        (
            "P = (a['b + 1] -> P).",
            "1:8: error[E0303]: a number is needed here, not the action `b`",
            "",
        ),
        ("P = (a -> P).\nP = (b -> P).", "2:1: error[E0302]: `P` is defined twice", ""),
        (
            "P = (a -> P).\n||S(N=1) = (P || S(N+1)).",
            "2:18: error[E0601]: composites nested more than 200 levels deep",
            "a composite that contains itself needs a condition",
        ),
        ("P = (a[0..1000000] -> P).", "1:8: error[E0601]: more than 262144 values or labels", ""),
        (
            "P = C[0], C[i:0..1000][j:0..2000] = (a -> C[i][j]).",
            "1:11: error[E0601]: more than 262144 values or labels",
            "",
        ),
    ] {
        let (found, found_hint) = first_error(text);
        assert_eq!((found.as_str(), found_hint.as_str()), (message, hint), "{text}");
    }
}

#[test]
fn warnings_name_what_ltsa_does_silently() {
    for (text, message) in [
        (
            "COUNT = C[0], C[i:0..1] = (up -> C[i+1]).",
            "1:34: warning[W0401]: `C[2]` is not declared: the step leads to `ERROR`",
        ),
        (
            "P = (a -> P).\n||S = (P)/{a/b}.",
            "2:14: warning[W0402]: no part has an action `b`: the relabelling has no effect",
        ),
        (
            "P = (a -> P), Q = (b -> P).",
            "1:15: warning[W0403]: `Q` is never reached, but its actions belong to the alphabet (`b`)",
        ),
        (
            "P = (a -> P).\n||S = P.\n||T = P.",
            "3:3: warning[W0404]: of several composites, `T` is taken: the last one",
        ),
    ] {
        let (composition, diagnostics) = read(text, &ComposeOptions::default());
        assert!(composition.is_some(), "{text}");
        let found: Vec<String> = diagnostics.iter().map(|d| d.short(text)).collect();
        assert_eq!(found, [message], "{text}");
    }
}

#[test]
fn a_last_composite_that_contains_the_others_is_meant() {
    for (text, n_warnings) in [
        ("P = (a -> P).\n||S = P.\n||T = (x:S || P).", 0),
        ("P = (a -> P).\n||S = P.\n||U = S.\n||T = (x:U || P).", 0),
        ("P = (a -> P).\n||S = P.\n||U = S.\n||T = (x:S || P).", 1),
    ] {
        let (composition, diagnostics) = read(text, &ComposeOptions::default());
        assert!(composition.is_some(), "{text}");
        assert_eq!(diagnostics.iter().count(), n_warnings, "{text}");
    }
}
