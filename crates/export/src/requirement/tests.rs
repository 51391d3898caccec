//! What is shown of a small requirement.

use super::*;
use resy_automata::lts::LtsBuilder;

fn described() -> Described {
    let mut builder = LtsBuilder::with_states(2);
    let state = |index| StateId::from_index(index);
    let label = |index| Label::Visible(ActionId::from_index(index));
    builder.add_transition(state(0), label(0), state(1));
    builder.add_transition(state(0), label(1), state(1));
    builder.add_transition(state(1), Label::Tau, state(1));
    let lts = builder.finish(state(0), [0, 1].map(ActionId::from_index).into_iter().collect());
    let actions = ["P: x:=1", "P>Q: c!2"].map(|name| Action { name: name.to_owned() });
    let states = [(1, Mark::Plain), (6, Mark::Unreachable)].map(|(n, mark)| DescribedState {
        members: (1..=n).map(|line| format!("line {line}")).collect(),
        mark,
    });
    Described::new("P", &lts, &actions.into_iter().collect(), states.into())
}

#[test]
fn the_text_names_states_members_and_labels() {
    let expected = "\
0 (initial): line 1
    x:=1  →  1
    to Q: c!2  →  1
1 (unreachable): line 1 | line 2 | line 3 | … 3 more
    τ  →  1
";
    assert_eq!(described().to_text(), expected);
}

#[test]
fn programs_get_everything() {
    let json = described().to_json();
    assert_eq!(json["states"][1]["members"].as_array().map(Vec::len), Some(6));
    assert_eq!(json["states"][1]["mark"], "unreachable");
    assert_eq!(json["arrows"][0]["labels"][1], "P>Q: c!2");
}
