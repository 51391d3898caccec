//! Formulas whose class is known, and formulas that are too large.

use super::common::formula;
use resy_automata::ltl::{FormulaTooLarge, SafetyClass, TemporalFormula, classify, translate};

fn is_safety(text: &str) -> bool {
    matches!(classify(&formula(text)), Ok(SafetyClass::Safety(_)))
}

#[test]
fn safety_formulas() {
    let safe = [
        "1",
        "0",
        "a",
        "!a",
        "Xa",
        "XXa",
        "Ga",
        "G!a",
        "G>ab",
        "G>aXb",
        "G>aXXb",
        "Wab",
        "Vab",
        "&GaGb",
        "|GaGb",
        "GWab",
        "G>aWbc",
        "G>a Vbc",
        "!Fa",
        "!Uab",
        "G>aX!b",
        "WaWbc",
        ">aGb",
        "=aXb",
        "XGa",
        "GXa",
        "G|aXa",
        // Not by their shape: each is equal to a formula without eventualities.
        "|Ga Uab",
        "&Fa Ga",
        "|Fa G!a",
        "U0a",
        "&Uab Gb",
        "U1 0",
        "U a 1",
        "|Fa1",
        "&G!a F&a!a",
        "&FaG!a",
        "G |a F0",
        "FGG0",
        "&Gb Fb",
    ];
    for text in safe {
        assert!(is_safety(text), "{text}");
    }
}

#[test]
fn liveness_formulas() {
    let live = [
        "Fa", "Uab", "GFa", "FGa", "G>aFb", "FXa", ">GaFb", "|GaFb", "&GaFb", "G>aUbc", "=GaGb",
        "!Ga", "!Wab", "!Vab", "XFa", "&aFb", "UaUbc", "|FaGb", "Wa Fb", "G|aFb", ">GFaGFb",
        "&GFaGXFa",
    ];
    for text in live {
        assert!(matches!(classify(&formula(text)), Ok(SafetyClass::Liveness)), "{text}");
    }
}

#[test]
fn a_bad_prefix_is_seen_at_once() {
    let letters = |text: &str| -> Vec<u64> {
        // Each letter is a digit: a is 1, b is 2, c is 4.
        text.bytes().map(|b| u64::from(b - b'0')).collect()
    };
    for (text, word, bad_after) in [
        ("Ga", "110", Some(3)),
        ("Wab", "112000", None),
        ("Wab", "1102", Some(3)),
        ("Vab", "2230", None),
        ("Vab", "220", Some(3)),
        ("G>aXb", "0120", None),
        ("G>aXb", "010", Some(3)),
        ("0", "", Some(0)),
        // No continuation can satisfy both, though neither has failed yet.
        ("&XXaXX!a", "", Some(0)),
        ("G>a&XbX!b", "01", Some(2)),
    ] {
        let Ok(SafetyClass::Safety(monitor)) = classify(&formula(text)) else { panic!("{text}") };
        let word = letters(word);
        let set = |n: usize| word[..n].iter().fold(monitor.initial(), |s, &l| monitor.step(s, l));
        let bad = (0..=word.len()).find(|&n| monitor.is_bad(set(n)));
        assert_eq!(bad, bad_after, "{text}");
    }
}

#[test]
fn usual_formulas_have_small_monitors() {
    for (text, n) in
        [("Ga", 1), ("G>ab", 1), ("Wab", 2), ("Vab", 2), ("G>aXb", 2), ("G>aWbc", 2), ("XXXa", 5)]
    {
        let Ok(SafetyClass::Safety(monitor)) = classify(&formula(text)) else { panic!("{text}") };
        assert_eq!(monitor.n_states(), n, "{text}");
    }
}

#[test]
fn too_large_is_an_error_and_quick() {
    let both = |f: fn(Box<TemporalFormula>, Box<TemporalFormula>) -> TemporalFormula, a, b| {
        f(Box::new(a), Box::new(b))
    };
    let prop = |p| TemporalFormula::Prop(p);
    assert_eq!(translate(&prop(64)).err(), Some(FormulaTooLarge::Propositions));
    // A counter: the automaton needs 2^20 states.
    let next = |n: usize, f| (0..n).fold(f, |f, _| TemporalFormula::Next(Box::new(f)));
    let same = both(TemporalFormula::Equiv, prop(0), next(20, prop(0)));
    let memory = TemporalFormula::Always(Box::new(same));
    assert!(classify(&memory).is_err());
    let eventually = |p| TemporalFormula::Eventually(Box::new(TemporalFormula::Prop(p)));
    let many = (0..60)
        .fold(TemporalFormula::Bool(true), |f, p| both(TemporalFormula::And, f, eventually(p)));
    assert!(classify(&many).is_err());
    let nested = (0..200).fold(prop(0), |f, p| both(TemporalFormula::Equiv, f, prop(p % 64)));
    let _ = classify(&nested);
    let untils = (0..100).fold(prop(0), |f, p| both(TemporalFormula::Until, f, prop(p % 64)));
    let _ = classify(&untils);
}
