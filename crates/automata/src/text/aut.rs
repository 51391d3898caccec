//! Aldebaran's format (`.aut`), which CADP, mCRL2 and others read and write.
//!
//! The format is a header `des (initial, transitions, states)`, then a line `(source, label,
//! target)` for each transition; states are numbers from 0. Labels may be quoted. The internal
//! action is `i`, in some tools `tau`. The format has no alphabet: an action without transitions is
//! not written.

use super::quote::{quoted, unquoted};
use super::{ActionNames, INTERNAL, LineError, NameClash};
use crate::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder};
use crate::network::Action;
use resy_index::{Id, IndexVec};
use std::fmt::Write;

/// A header may declare this many states more than its text has bytes. Reachable states are always
/// fewer.
const FREE_STATES: usize = 64;

/// Asking takes as long as reading a few lines.
pub(super) const ASK_EVERY: usize = 64;

/// The automaton as text; `internal` is the name of the internal action.
pub fn write(
    lts: &Lts,
    actions: &IndexVec<ActionId, Action>,
    internal: &str,
) -> Result<String, NameClash> {
    let clash = |name: &str| name == internal || INTERNAL.contains(&name);
    if let Some(action) = lts.alphabet().iter().find(|&a| clash(&actions[a].name)) {
        return Err(NameClash { name: actions[action].name.clone() });
    }
    let (initial, n_transitions) = (lts.initial().index(), lts.n_transitions());
    let mut text = format!("des ({initial}, {n_transitions}, {})\n", lts.n_states());
    for (source, label, target) in lts.transitions() {
        let label = match label {
            Label::Tau => internal.to_owned(),
            Label::Visible(action) => quoted(&actions[action].name),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "({}, {label}, {})", source.index(), target.index());
    }
    Ok(text)
}

/// The automaton that a text describes. Its actions are looked up in `names`, or added.
/// `i`, `tau` and the names in `internal` are the internal action.
pub fn read(text: &str, names: &mut ActionNames, internal: &[&str]) -> Result<Lts, LineError> {
    read_while(text, names, internal, &mut || true)
}

/// Like [`read`]; an error if `go_on` cancels.
pub fn read_while(
    text: &str,
    names: &mut ActionNames,
    internal: &[&str],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Lts, LineError> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let Some((head_line, head)) = lines.next() else {
        return Err(LineError::new(
            1,
            "expected `des (initial, transitions, states)`, not nothing",
        ));
    };
    let header = Header::read(head, head_line, text.len())?;
    let mut builder = LtsBuilder::with_states(header.n_states);
    let mut n_transitions = 0;
    let mut last_line = head_line;
    for (line, transition) in lines {
        let error = |message: String| LineError::new(line, message);
        if line.is_multiple_of(ASK_EVERY) && !go_on() {
            return Err(LineError::cancelled(line));
        }
        let (source, label, target) = split_transition(transition).ok_or_else(|| {
            error(format!("expected `(source, label, target)`, not `{}`", shortened(transition)))
        })?;
        let source = header.state(source).map_err(error)?;
        let target = header.state(target).map_err(error)?;
        let name = label_name(label).map_err(error)?;
        let hidden = INTERNAL.contains(&&*name) || internal.contains(&&*name);
        let label = if hidden { Label::Tau } else { Label::Visible(names.id(&name)) };
        builder.add_transition(Id::from_index(source), label, Id::from_index(target));
        n_transitions += 1;
        last_line = line;
    }
    if n_transitions != header.n_transitions {
        let promised = header.n_transitions;
        return Err(LineError::new(
            last_line,
            format!("the header promises {promised} transitions, but there are {n_transitions}"),
        ));
    }
    Ok(builder.finish(Id::from_index(header.initial), Alphabet::default()))
}

struct Header {
    initial: usize,
    n_transitions: usize,
    n_states: usize,
}

impl Header {
    fn read(text: &str, line: usize, text_len: usize) -> Result<Self, LineError> {
        let error = |message: String| LineError::new(line, message);
        let form = || {
            let found = shortened(text);
            error(format!("expected `des (initial, transitions, states)`, not `{found}`"))
        };
        let inner = text.strip_prefix("des").map(str::trim).and_then(in_parentheses);
        let parts: Vec<&str> = inner.ok_or_else(form)?.split(',').map(str::trim).collect();
        let &[initial, n_transitions, n_states] = &parts[..] else { return Err(form()) };
        let header = Self {
            initial: number(initial).map_err(error)?,
            n_transitions: number(n_transitions).map_err(error)?,
            n_states: number(n_states).map_err(error)?,
        };
        if header.n_states > text_len.saturating_add(FREE_STATES) {
            return Err(error(format!("{n_states} states are more than so short a text can have")));
        }
        header.state(initial).map_err(error)?;
        Ok(header)
    }

    fn state(&self, text: &str) -> Result<usize, String> {
        let state = number(text)?;
        if state < self.n_states {
            return Ok(state);
        }
        Err(match self.n_states {
            0 => "an automaton has at least one state".to_owned(),
            n => format!("state {state} is too large: the {n} states are numbered from 0"),
        })
    }
}

/// Source, label and target. The label may have commas, whether quoted or not.
fn split_transition(text: &str) -> Option<(&str, &str, &str)> {
    let (source, rest) = in_parentheses(text)?.split_once(',')?;
    let (label, target) = rest.rsplit_once(',')?;
    Some((source.trim(), label.trim(), target.trim()))
}

fn label_name(label: &str) -> Result<String, String> {
    let Some(start) = label.strip_prefix('"') else {
        let none = || "a transition has no label".to_owned();
        return if label.is_empty() { Err(none()) } else { Ok(label.to_owned()) };
    };
    let inner = start.strip_suffix('"');
    inner.map(unquoted).ok_or_else(|| format!("the label {} has no end", shortened(label)))
}

fn in_parentheses(text: &str) -> Option<&str> {
    text.strip_prefix('(')?.strip_suffix(')').map(str::trim)
}

fn number(text: &str) -> Result<usize, String> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("expected a number, not `{}`", shortened(text)));
    }
    let small = text.parse::<u32>().ok().filter(|&n| n < u32::MAX);
    small.map(|n| n as usize).ok_or_else(|| format!("the number {} is too large", shortened(text)))
}

/// At most forty characters of a text, for messages.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::any_lts;
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        read(text, &mut ActionNames::new(), &[]).unwrap_err().to_string()
    }

    #[test]
    fn labels_in_every_style() {
        let text = "des (1, 6, 2)\r\n\n(0,a,1)\n(0, \"b, \\\"c\\\"\", 1)\n(0, SEND !1, 0)\n\
                    (1, i, 0)\n(1,\"tau\",1)\n (1 , hidden , 0) \n";
        let mut names = ActionNames::new();
        let lts = read(text, &mut names, &["hidden"]).unwrap();
        assert_eq!((lts.n_states(), lts.n_transitions(), lts.initial().index()), (2, 5, 1));
        let found: Vec<&str> = lts.alphabet().iter().map(|a| names.name(a)).collect();
        assert_eq!(found, ["a", "b, \"c\"", "SEND !1"]);
        assert_eq!(lts.transitions_by(Id::from_index(1), Label::Tau).len(), 2);
    }

    #[test]
    fn bad_texts_give_the_line() {
        for (text, expected) in [
            ("", "line 1: expected `des (initial, transitions, states)`, not nothing"),
            ("\ndes 0, 1", "line 2: expected `des (initial, transitions, states)`, not `des 0, 1`"),
            (
                "des (0, 0)",
                "line 1: expected `des (initial, transitions, states)`, not `des (0, 0)`",
            ),
            ("des (x, 0, 1)", "line 1: expected a number, not `x`"),
            ("des (0, 0, 99999999999)", "line 1: the number 99999999999 is too large"),
            (
                "des (0, 0, 4294967290)",
                "line 1: 4294967290 states are more than so short a text can have",
            ),
            ("des (0, 0, 0)", "line 1: an automaton has at least one state"),
            (
                "des (0, 1, 2)\n(0, a, 2)",
                "line 2: state 2 is too large: the 2 states are numbered from 0",
            ),
            ("des (0, 1, 2)\n(0, a)", "line 2: expected `(source, label, target)`, not `(0, a)`"),
            ("des (0, 1, 2)\n(0, , 1)", "line 2: a transition has no label"),
            ("des (0, 1, 2)\n(0, \"a, 1)", "line 2: the label \"a has no end"),
            (
                "des (0, 2, 2)\n\n(0, a, 1)\n\n",
                "line 3: the header promises 2 transitions, but there are 1",
            ),
        ] {
            assert_eq!(error(text), expected, "{text}");
        }
    }

    #[test]
    fn an_action_must_not_look_internal() {
        let mut names = ActionNames::new();
        let text = "des (0, 2, 1)\n(0, i, 0)\n(0, hidden, 0)\n";
        let lts = read(text, &mut names, &[]).unwrap();
        let actions = names.into_actions();
        assert_eq!(write(&lts, &actions, "i").unwrap(), text.replace("hidden", "\"hidden\""));
        assert_eq!(write(&lts, &actions, "hidden").unwrap_err().name, "hidden");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            lts in any_lts(6, 0..4, 3),
            names in prop::collection::btree_set("[a-z\"\\\\, \n\r!é-]{0,5}", 3),
        ) {
            prop_assume!(!names.contains("i"));
            let actions: IndexVec<ActionId, Action> =
                names.iter().map(|name| Action { name: name.clone() }).collect();
            let text = write(&lts, &actions, "i").unwrap();
            let mut table = ActionNames::new();
            names.iter().for_each(|name| { table.id(name); });
            let again = read(&text, &mut table, &[]).unwrap();
            prop_assert!(again.transitions().eq(lts.transitions()));
            prop_assert_eq!(again.n_states(), lts.n_states());
            prop_assert_eq!(table.into_actions(), actions);
        }

        #[test]
        fn no_text_panics(text in "(des ?)?[(]?[0-9, a\"\\\\)\n(]{0,40}") {
            let _ = read(&text, &mut ActionNames::new(), &[]);
        }
    }
}
