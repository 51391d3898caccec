//! Networks survive being written, and texts that are wrong give the line.

use super::*;
use crate::lts::{ActionId, Label};
use crate::product::{Safety, reaches_error};
use crate::testing::any_network;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn nothing<'a>(_: &str) -> Result<Cow<'a, str>, String> {
    Err("no such file".to_owned())
}

fn read_alone(text: &str) -> Result<(Network, Vec<FileMessage>), FileMessage> {
    read("n.network", text, &[], &mut nothing)
}

/// What a network says, whatever the numbers of its actions.
fn by_name(network: &Network) -> impl PartialEq + std::fmt::Debug + use<> {
    let name = |a: ActionId| network.actions[a].name.clone();
    let systems = network.systems();
    let describe = |lts: &&crate::lts::Lts| {
        let label = |l: Label| l.action().map(name);
        let transitions: BTreeSet<_> =
            lts.transitions().map(|(s, l, t)| (s, label(l), t)).collect();
        let alphabet: BTreeSet<String> = lts.alphabet().iter().map(name).collect();
        (lts.initial(), lts.n_states(), transitions, alphabet)
    };
    let systems: Vec<_> = systems.iter().map(describe).collect();
    let names: Vec<_> =
        network.components.iter().map(|c| (c.name.clone(), c.state_names.clone())).collect();
    let monitor = network.monitor.as_ref().map(|m| (m.error, m.state_names.clone()));
    (systems, names, monitor, network.module.clone())
}

/// A network with names of every kind.
fn any_named_network() -> impl Strategy<Value = Network> {
    let name = || "[a-zA-Z]{1,3}|[a-z\"\\\\,\n \\-(é]{0,4}|hide|network|des";
    let names = prop::collection::btree_set(name(), 7);
    (any_network(), names, any::<[bool; 4]>()).prop_map(|(mut network, names, in_module)| {
        let mut names = names.into_iter().map(|name| format!("{name}_").replace("i_", "0_"));
        for action in network.actions.iter_mut() {
            action.name = names.next().unwrap_or_default();
        }
        for component in network.components.iter_mut() {
            component.name = names.next().unwrap_or_default();
            component.state_names =
                component.lts.states().map(|s| format!("{} at {s:?}", component.name)).collect();
        }
        let ids = network.components.ids().zip(in_module);
        network.module = ids.filter(|pair| pair.1).map(|pair| pair.0).collect();
        network
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_is_read(network in any_named_network()) {
        let text = write(&network).unwrap();
        let (again, notes) = read_alone(&text).unwrap();
        prop_assert_eq!(by_name(&again), by_name(&network), "{}", text);
        prop_assert_eq!(notes, []);

        let files = write_files(&network).unwrap();
        let mut load = |path: &str| {
            let found = files.automata.iter().find(|file| file.0 == path);
            found.map(|file| Cow::Borrowed(&*file.1)).ok_or_else(|| "no such file".to_owned())
        };
        let (again, _) = read("n.network", &files.network, &[], &mut load).unwrap();
        prop_assert_eq!(by_name(&again), by_name(&network), "{}", files.network);
    }

    #[test]
    fn no_text_panics(
        words in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    "network", "component", "monitor", "module", "hide", "rename", "->", "alphabet",
                    "states", "error", ",", "\n", "a", "\"b\"", "\"a.aut\"", "0", "1", "--", "\"",
                    "\ndes (0, 1, 2)\n(0, a, 1)\n", "\ndes (0, 0, 1)\n", "\n(0, b, 1)\n",
                ]).prop_map(str::to_owned),
                "[a-z\"\\\\(),\n é-]{0,6}",
            ],
            0..20,
        ),
    ) {
        let mut load = |_: &str| Ok("des (0, 2, 2)\n(0, a, 1)\n(0, i, 1)".into());
        let text = words.join(" ");
        let _ = read("n", &text, &[], &mut load);
        let _ = read("n", &format!("network component A {text}"), &[], &mut load);
    }
}

#[test]
fn clauses_change_actions_in_order() {
    let text = "network -- a comment\n component A\n des (0, 3, 2)\n\n (0, \"x--\", 1) -- so\n (1, b, 0)\n\
                (0, c, 0)\n rename \"x--\" -> b,\n b -> \"x--\" hide b alphabet d, \"e f\" states p, q\n";
    let (network, _) = read_alone(text).unwrap();
    let component = &network.components.iter().next().unwrap();
    let written = write(&network).unwrap();
    let expected = "network\n\ncomponent A\ndes (0, 3, 2)\n(0, i, 1)\n(0, \"c\", 0)\n(1, \"x--\", 0)\n  \
                    alphabet d, \"e f\"\n  states \"p\",\n    \"q\"\n";
    assert_eq!(component.lts.n_states(), 2);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(lines(&written), lines(expected));
}

#[test]
fn a_misspelt_action_of_the_monitor_is_noted() {
    let text =
        "network\ncomponent A\ndes (0, 1, 1)\n(0, a, 0)\nmonitor\ndes (0, 1, 1)\n(0, A, 0)\n";
    let (network, notes) = read_alone(text).unwrap();
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["n.network:6: no component has the monitor's action \"A\""]);
    assert!(network.monitor.unwrap().lts.alphabet().is_empty());
}

#[test]
fn bad_files_give_the_line() {
    let component = "network component A\ndes (0, 2, 2)\n(0, a, 1)\n(0, a, 0)\n";
    for (text, expected) in [
        ("", "n.network:1: a network begins with the word `network`"),
        ("\nactive", "n.network:2: a network begins with the word `network`"),
        ("network\nA", "n.network:2: expected `component`, `monitor` or `module`, not `A`"),
        ("network\ncomponent", "n.network:2: expected the name of the component, not the end"),
        ("network component hide", "n.network:1: expected the name of the component, not `hide`"),
        (
            "network component A\nB",
            "n.network:2: expected a path in quotes, or an automaton `des (…)`, not `B`",
        ),
        ("network component A \"B", "n.network:1: a name begins with a quote and has no end"),
        ("network component A \"B\"", "n.network:1: cannot read \"B\": no such file"),
        (
            "network component A\n\ndes (0, 1, 1)\n\n(0, a, 1)\n",
            "n.network:5: state 1 is too large: the 1 states are numbered from 0",
        ),
        ("network module A,\nB", "n.network:1: there is no component \"A\""),
        (&format!("{component} module A,\nA"), "n.network:6: \"A\" is in the module twice"),
        (
            &format!("{component} component A\ndes (0, 0, 1)"),
            "n.network:5: there are two components \"A\"",
        ),
        (&format!("{component} hide b"), "n.network:5: the automaton has no action \"b\""),
        (
            &format!("{component} hide i"),
            "n.network:5: \"i\" is the internal action, which has no other name",
        ),
        (&format!("{component} rename a b"), "n.network:5: expected `->`, not `b`"),
        (&format!("{component} rename a -> b, a -> c"), "n.network:5: \"a\" is renamed twice"),
        (&format!("{component} states b"), "n.network:5: there are 2 states, but 1 names for them"),
        (&format!("{component} error 1"), "n.network:5: only a monitor has an error state"),
        (
            &component.replace("component A", "monitor"),
            "n.network:2: the monitor is not deterministic: state 0 has two transitions for \"a\"; \
             such a monitor needs an error state, `error N`",
        ),
        (
            "network monitor\ndes (0, 1, 1)\n(0, i, 0)\n error 0",
            "n.network:4: the monitor has an internal step in state 0",
        ),
        (
            "network monitor\ndes (0, 1, 2)\n(0, a, 1)\n error 0",
            "n.network:4: a transition leads out of the error state",
        ),
        (
            "network monitor\ndes (0, 0, 2)\nerror 2",
            "n.network:3: \"2\" is none of the states, which are numbered 0 to 1",
        ),
        ("network monitor\ndes (0, 0, 1)\nmonitor", "n.network:3: there are two monitors"),
    ] {
        let error = read_alone(text).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, expected, "{text}");
    }
    let mut load = |_: &str| Ok("des (0, 1, 1)\n(0, b, 4)".into());
    let error = read("n", "network\n\ncomponent A \"a.aut\"", &[], &mut load).unwrap_err();
    assert_eq!((&*error.file, error.line), ("a.aut", 2));
}

#[test]
fn a_monitor_is_not_completed_beyond_all_bounds() {
    let n = 7000;
    let transitions: String = (0..n).map(|i| format!("({i}, a{i}, 0)\n")).collect();
    let error =
        read_alone(&format!("network monitor\ndes (0, {n}, {n})\n{transitions}")).unwrap_err();
    let expected =
        "the monitor is too large: 7000 states, each with a transition for each of 7000 actions";
    assert_eq!((error.line, &*error.text), (2, expected));
}

/// The blocks of a page between a line with these words and the next line of three
/// backquotes.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let opening = format!("```{kind}\n");
    page.split(&*opening).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_examples_of_the_page_are_right() {
    let page = include_str!("../../../../../docs/network-file.md");
    let networks = blocks(page, "network");
    let mut load = |path: &str| {
        let found = blocks(page, &format!("aut {path}"));
        found
            .first()
            .map(|text| Cow::Owned((*text).to_owned()))
            .ok_or_else(|| "no such file".to_owned())
    };
    assert_eq!(networks.len(), 2);
    for text in networks {
        let (network, notes) = read("page", text, &[], &mut load).unwrap();
        assert_eq!(notes, []);
        assert_eq!(network.module.len(), 1);
        let expected = Safety::Safe { n_states: 4, n_transitions: 5 };
        assert_eq!(reaches_error(&network, 100), expected);
    }
}
