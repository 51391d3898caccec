//! Which texts can be read, and the messages for the others.

use super::*;
use crate::contract::{Clause, Contract, Premise, PremisePart};
use crate::proof::About;
use resy_automata::lts::{Alphabet, Label, LtsBuilder};
use resy_automata::network::Monitor;
use resy_index::{Id, IndexVec};

const SMALL: &str = "resy contract 1
property p
setting model m.pml

# Comments say nothing.
process P
  sealed 00000000000000ff
  state 0  # line 3
    (internal) -> 1
    P: a -> b -> 1
  state 1
    P: a\\\\b -> 0
  never
    P: c
object x
  state 0
    P: c -> 0
monitor
  state 0
    P: c -> error
proof
  by P
  about P: c
actions
  P: a -> b
    1
  P: a\\\\b
    2
  P: c
    3
end
";

fn small() -> Contract {
    let names = ["P: a -> b", "P: a\\b", "P: c"].map(str::to_owned);
    let visible = |i: usize| Label::Visible(Id::from_index(i));
    let c: Alphabet = [Id::from_index(2)].into_iter().collect();
    let mut p = LtsBuilder::with_states(2);
    p.add_transition(Id::from_index(0), Label::Tau, Id::from_index(1));
    p.add_transition(Id::from_index(0), visible(0), Id::from_index(1));
    p.add_transition(Id::from_index(1), visible(1), Id::from_index(0));
    let mut x = LtsBuilder::with_states(1);
    x.add_transition(Id::from_index(0), visible(2), Id::from_index(0));
    let mut monitor = LtsBuilder::with_states(2);
    monitor.add_transition(Id::from_index(0), visible(2), Id::from_index(1));
    let hints = vec!["line 3".to_owned(), String::new()];
    let p = p.finish(Id::from_index(0), c.clone());
    let x = x.finish(Id::from_index(0), c.clone());
    Contract {
        property: "p".to_owned(),
        settings: vec![("model".to_owned(), "m.pml".to_owned())],
        actions: names.to_vec(),
        signatures: ["1", "2", "3"].map(str::to_owned).to_vec(),
        clauses: vec![
            Clause { name: "P".to_owned(), seal: Some(255), requirement: p, hints },
            Clause { name: "x".to_owned(), seal: None, requirement: x, hints: Vec::new() },
        ],
        monitor: Monitor {
            lts: monitor.finish(Id::from_index(0), c.clone()),
            error: Id::from_index(1),
            state_names: IndexVec::new(),
        },
        premises: vec![Premise::of(About::Only(c), [0])],
    }
}

#[test]
fn a_text_is_read_as_it_is_meant() {
    assert_eq!(read(SMALL), Ok(small()));
    assert_eq!(read(&write(&small())), Ok(small()));
}

#[test]
fn joins_are_read_as_they_are_meant() {
    let joined = SMALL.replace("by P", "by x\n  by P\n  join");
    let contract = read(&joined).expect("it is well-formed");
    assert_eq!(
        contract.premises[0].parts,
        [PremisePart::Clause(1), PremisePart::Clause(0), PremisePart::Joined]
    );
    assert_eq!(read(&write(&contract)), Ok(contract));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (from, to, line, message) in [
        ("contract 1", "contract 9", 1, "expected `resy contract 1`"),
        ("property p", "prop", 2, "expected `property`, indented by 0"),
        ("setting model m.pml", "setting model", 3, "expected a word and what it is set to"),
        ("00000000000000ff", "ff", 7, "a seal has 16 hexadecimal digits"),
        ("  state 1\n", "  state 2\n", 11, "expected state 1"),
        ("P: a -> b -> 1", "P: a", 10, "expected an action, `->` and a state"),
        ("P: a\\\\b -> 0", "P: a\\b -> 0", 12, "a backslash before neither a backslash nor `n`"),
        ("object x", "object P", 17, "there are two components `P`"),
        ("by P", "by Q", 22, "there is no component `Q`"),
        ("by P", "by P\n  by P", 23, "`P` is named twice"),
        ("by P", "by P\n  join", 23, "there are not two requirements to join"),
        ("\nend\n", "\n", 31, "expected `end`, indented by 0"),
        ("\nend\n", "\nend\nend\n", 32, "there is something after the end"),
        ("  P: c\n    3\n", "", 29, "`P: c` is not in the list of actions"),
        ("    3\n", "    2\n", 31, "`P: c` is listed twice"),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let error = read(&SMALL.replacen(from, to, 1)).expect_err(to);
        assert_eq!((error.line, error.message.as_str()), (line, message), "{to}");
    }
    assert!(read("").is_err());
}
