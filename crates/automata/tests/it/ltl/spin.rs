//! The real spin as an oracle: `spin -f` and we accept the same words.

use super::common::{for_spin, formula};
use resy_automata::ltl::{
    BuchiAutomaton, BuchiEdge, BuchiStateId, LiteralSet, TemporalFormula, translate,
};
use resy_index::{Id, IndexVec};
use std::process::Command;

#[test]
fn spin_accepts_the_same_words() {
    let texts = [
        "Ga",
        "Fa",
        "Uab",
        "Vab",
        "Wab",
        "GFa",
        "FGa",
        "G>aFb",
        "G>ab",
        "&GFaGFb",
        "|GaFb",
        "UaUbc",
        "UUabc",
        "VaVbc",
        "G>aUbc",
        "G>aWbc",
        "=ab",
        "=GaFb",
        ">GFaGFb",
        "&FaF!a",
        "|G!aFUab",
        "G|aGb",
        "F&aFb",
        "&UabGc",
        "W!aVbc",
        "G>&aFbVcd",
        "1",
        "a",
        "&a!b",
        "UFaGb",
        "VGaFb",
    ];
    for text in texts {
        let f = formula(text);
        let not = TemporalFormula::Not(Box::new(f.clone()));
        assert_eq!(common_word(&of_spin(&f), &not), None, "spin alone accepts a word of {text}");
        assert_eq!(common_word(&of_spin(&not), &f), None, "we alone accept a word of {text}");
    }
}

/// A sign of life of a word that the automaton accepts and that satisfies the formula.
fn common_word(automaton: &BuchiAutomaton, formula: &TemporalFormula) -> Option<usize> {
    let ours = translate(formula).expect("a small formula");
    let both = automaton.product(&ours).expect("a small product");
    (!both.is_empty()).then_some(both.edges.len())
}

/// The claim that spin makes of a formula.
fn of_spin(formula: &TemporalFormula) -> BuchiAutomaton {
    let output = Command::new("spin").args(["-f", &for_spin(formula)]).output();
    let output = output.expect("spin is installed");
    assert!(output.status.success(), "{output:?}");
    read_claim(&String::from_utf8_lossy(&output.stdout))
}

/// Reads a claim of the form that `spin -f` prints: labels, and options
/// `:: (guard) -> goto label` or `:: atomic { (guard) -> assert(…) }`, the latter
/// meaning that all continuations are accepted.
fn read_claim(text: &str) -> BuchiAutomaton {
    const ALL: &str = "accept_all";
    let mut states: Vec<Vec<String>> = vec![vec![ALL.into()]];
    let mut options: Vec<(usize, String, String)> = vec![(0, "(1)".into(), ALL.into())];
    let mut fresh = true;
    for line in text.lines().skip(1).map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            if label == ALL {
                break;
            }
            if fresh {
                states.push(Vec::new());
            }
            states.last_mut().expect("a state").push(label.into());
            fresh = false;
        } else if let Some(option) = line.strip_prefix("::") {
            let (guard, action) = option.split_once(" -> ").expect("an option");
            let guard = guard.trim().trim_start_matches("atomic {").into();
            let target = action.strip_prefix("goto ").unwrap_or(ALL).into();
            options.push((states.len() - 1, guard, target));
            fresh = true;
        } else {
            fresh |= line.starts_with("od") || line.starts_with("fi");
        }
    }
    let state = |label: &String| {
        let at = states.iter().position(|labels| labels.contains(label));
        BuchiStateId::from_index(at.expect("a declared label"))
    };
    let mut edges: IndexVec<BuchiStateId, Vec<BuchiEdge>> =
        states.iter().map(|_| Vec::new()).collect();
    for (from, guard, target) in options {
        let marks = u64::from(states[from].iter().any(|label| label.starts_with("accept")));
        for letter in (0..1 << 4).filter(|&letter| holds(&guard, letter)) {
            let label = LiteralSet { yes: letter, no: !letter & 0xf };
            edges[Id::from_index(from)].push(BuchiEdge { label, target: state(&target), marks });
        }
    }
    BuchiAutomaton { initial: vec![Id::from_index(1)], edges, marks: 1 }
}

/// The value of a guard: `!`, `&&`, `||`, parentheses, `a` to `d`, `1`, `true`, `false`.
fn holds(guard: &str, letter: u64) -> bool {
    let words =
        guard.replace("true", "1").replace("false", "0").replace("&&", "&").replace("||", "|");
    let tokens: Vec<char> = words.chars().filter(|c| !c.is_whitespace()).collect();
    let mut at = 0;
    let value = any(&tokens, &mut at, letter);
    assert_eq!(at, tokens.len(), "{guard}");
    value
}

fn any(tokens: &[char], at: &mut usize, letter: u64) -> bool {
    let mut value = all(tokens, at, letter);
    while tokens.get(*at) == Some(&'|') {
        *at += 1;
        value |= all(tokens, at, letter);
    }
    value
}

fn all(tokens: &[char], at: &mut usize, letter: u64) -> bool {
    let mut value = one(tokens, at, letter);
    while tokens.get(*at) == Some(&'&') {
        *at += 1;
        value &= one(tokens, at, letter);
    }
    value
}

fn one(tokens: &[char], at: &mut usize, letter: u64) -> bool {
    *at += 1;
    match tokens[*at - 1] {
        '!' => !one(tokens, at, letter),
        '(' => {
            let value = any(tokens, at, letter);
            *at += 1;
            value
        }
        '1' => true,
        '0' => false,
        name => letter >> (name as u32 - 'a' as u32) & 1 == 1,
    }
}
