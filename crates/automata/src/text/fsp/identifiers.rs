//! Legal FSP identifiers for names.
//!
//! An FSP identifier consists of letters, digits and underscores; actions begin with a small
//! letter, processes with a capital one. The operators of channels and variables become words
//! (`q!3` is `q_send_3`, `x:=2` is `x_set_2`), and every other character becomes an underscore. If
//! the result is a reserved word or already taken, a number is appended. A name that is a label of FSP
//! already stays: `red.1.enter` is written `red[1].enter`.

use crate::lts::ActionId;
use crate::network::Action;
use resy_index::IndexVec;
use std::collections::BTreeSet;

/// Operators and their words; where one begins with another, the longer is first.
const OPERATORS: [(&str, &str); 14] = [
    ("!!", "insert"),
    ("!=", "differs"),
    ("!", "send"),
    ("??", "search"),
    ("?", "receive"),
    (":=", "set"),
    ("==", "is"),
    ("=", "is"),
    ("<=", "at_most"),
    (">=", "at_least"),
    ("<", "below"),
    (">", "above"),
    ("-", "minus"),
    ("+", "plus"),
];

/// Words of FSP and its extensions that cannot be names.
const RESERVED: [&str; 33] = [
    "assert",
    "abstract",
    "closure",
    "compose",
    "component",
    "const",
    "constraint",
    "controller",
    "def",
    "deterministic",
    "else",
    "exists",
    "fluent",
    "foreach",
    "forall",
    "goal",
    "if",
    "import",
    "init",
    "initially",
    "ltl_property",
    "menu",
    "minimal",
    "optimistic",
    "pessimistic",
    "progress",
    "property",
    "range",
    "rigid",
    "set",
    "target",
    "then",
    "when",
];

/// An identifier for each action, and one for the internal action.
pub fn action_identifiers(
    actions: &IndexVec<ActionId, Action>,
) -> (IndexVec<ActionId, String>, String) {
    let mut taken: BTreeSet<String> = RESERVED.map(str::to_owned).into();
    let labels: BTreeSet<String> = actions.iter().filter_map(|a| label(&a.name)).collect();
    // Hiding a word hides all labels that begin with it.
    let first = |label: &String| label.split(['.', '[']).next().map(str::to_owned);
    taken.extend(labels.iter().filter_map(first));
    taken.extend(labels.clone());
    // A label is the identifier of the first action with this name.
    let mut unused = labels;
    let mut legal = |name: &str| {
        if let Some(label) = label(name).filter(|label| unused.remove(label)) {
            return label;
        }
        let mut name = spelled(name);
        match name.chars().next() {
            Some(first) if first.is_ascii_lowercase() => {}
            Some(first) if first.is_ascii_uppercase() => {
                name.replace_range(..1, &first.to_ascii_lowercase().to_string());
            }
            _ => name.insert_str(0, "a_"),
        }
        free(name, &mut taken)
    };
    let identifiers = actions.iter().map(|action| legal(&action.name)).collect();
    (identifiers, legal("internal"))
}

/// A name that is a label of FSP, as it is written there: numbers in brackets.
fn label(name: &str) -> Option<String> {
    let is_word = |part: &str| {
        let rest = |c: char| c.is_ascii_alphanumeric() || c == '_';
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.chars().all(rest)
            && !RESERVED.contains(&part)
            && part != "tau"
    };
    let is_number = |part: &str| {
        let digits = part.strip_prefix('-').unwrap_or(part);
        part.parse::<i32>().is_ok_and(|n| n.to_string() == part) && !digits.is_empty()
    };
    let mut written = String::new();
    for (i, part) in name.split('.').enumerate() {
        match i {
            _ if is_number(part) && i > 0 => written.push_str(&format!("[{part}]")),
            0 if is_word(part) => written.push_str(part),
            _ if is_word(part) => written.push_str(&format!(".{part}")),
            _ => return None,
        }
    }
    Some(written)
}

/// A label as LTSA prints it: numbers after dots.
pub(super) fn dotted(label: &str) -> String {
    label.replace('[', ".").replace(']', "")
}

/// An identifier for each process.
pub fn process_identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken: BTreeSet<String> =
        ["ERROR", "STOP", "END", "NETWORK", "PARTS"].map(str::to_owned).into();
    let legal = |name: &str| {
        let mut name = spelled(name);
        match name.chars().next() {
            Some(first) if first.is_ascii_alphabetic() => {
                name.replace_range(..1, &first.to_ascii_uppercase().to_string());
            }
            _ => name.insert_str(0, "P_"),
        }
        // `Q0`, `Q1`, … are the names of states.
        if name.strip_prefix('Q').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) {
            taken.insert(name.clone());
        }
        free(name, &mut taken)
    };
    names.into_iter().map(legal).collect()
}

/// The name in letters, digits and single underscores between them.
fn spelled(name: &str) -> String {
    let mut parts: Vec<String> = vec![String::new()];
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        if let Some((operator, word)) = OPERATORS.iter().find(|o| rest.starts_with(o.0)) {
            parts.push((*word).to_owned());
            parts.push(String::new());
            rest = &rest[operator.len()..];
            continue;
        }
        match parts.last_mut() {
            Some(part) if c.is_ascii_alphanumeric() => part.push(c),
            _ => parts.push(String::new()),
        }
        rest = &rest[c.len_utf8()..];
    }
    parts.retain(|part| !part.is_empty());
    parts.join("_")
}

/// The name, with the first number from 2 that makes it new.
fn free(name: String, taken: &mut BTreeSet<String>) -> String {
    let candidates = (2..).map(|n| format!("{name}_{n}"));
    let mut candidates = std::iter::once(name.clone()).chain(candidates);
    let found = candidates.find(|c| !taken.contains(c)).unwrap_or(name);
    taken.insert(found.clone());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn operators_become_words() {
        for (name, expected) in [
            ("q!3", "q_send_3"),
            ("q?1,-2", "q_receive_1_minus_2"),
            ("a[1]:=x", "a_1_set_x"),
            ("__x", "x"),
            ("", ""),
            ("é", ""),
        ] {
            assert_eq!(spelled(name), expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn identifiers_are_legal_and_differ(
            names in prop::collection::vec("[a-zA-Z0-9_!?é -]{0,4}|range|internal|Q[0-9]", 0..12),
        ) {
            let legal = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let actions = names.iter().map(|name| Action { name: name.clone() }).collect();
            let (actions, internal) = action_identifiers(&actions);
            let all: BTreeSet<&String> = actions.iter().chain([&internal]).collect();
            prop_assert_eq!(all.len(), names.len() + 1);
            for name in all {
                prop_assert!(legal(name) && name.starts_with(|c: char| c.is_ascii_lowercase()));
                prop_assert!(!RESERVED.contains(&&**name));
            }
            let processes = process_identifiers(names.iter().map(|name| &**name));
            let all: BTreeSet<&String> = processes.iter().collect();
            prop_assert_eq!(all.len(), names.len());
            for name in all {
                prop_assert!(legal(name) && name.starts_with(|c: char| c.is_ascii_uppercase()));
                prop_assert!(!name[1..].bytes().all(|b| b.is_ascii_digit()) || !name.starts_with('Q'));
            }
        }
    }
}
