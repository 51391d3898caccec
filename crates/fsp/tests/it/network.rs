//! Compositions as networks: names of parts, groups, properties and errors as monitors.

use crate::composed::{composed, model};
use resy_automata::product::{ProductStep, Safety, reaches_error};
use resy_fsp::Composition;

#[test]
fn parts_have_the_names_of_the_composite() {
    let bridge = composed(&model("bridge"), "SAFE");
    let names: Vec<&str> = bridge.components.iter().map(|c| &*c.name).collect();
    assert_eq!(
        names,
        [
            "red.1:CAR",
            "red.2:CAR",
            "red:QUEUE(enter)",
            "red:QUEUE(exit)",
            "blue.1:CAR",
            "blue.2:CAR",
            "blue:QUEUE(enter)",
            "blue:QUEUE(exit)",
            "BRIDGE"
        ]
    );
    let groups: Vec<(&str, usize)> =
        bridge.groups.iter().map(|g| (&*g.name, g.members.len())).collect();
    assert_eq!(groups, [("red:CONVOY", 4), ("CARS", 8), ("SAFE", 9), ("blue:CONVOY", 4)]);
    assert_eq!(bridge.properties[0].name, "ONEWAY");
    let table = composed(&model("philosophers"), "DINERS");
    assert_eq!(table.components.iter().next().map(|c| &*c.name), Some("phil.0:PHILOSOPHER(1)"));
    let twice = composed(&model("alphabet"), "TOGETHER");
    let names: Vec<&str> = twice.components.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["LONG", "LONG#2"]);
}

#[test]
fn states_have_names() {
    let text = "SERVER = (request[i:1..2] -> BUSY[i]), BUSY[i:1..2] = (cancel[i] -> SERVER).";
    let server = composed(text, "SERVER");
    let names = server.components.iter().next().map(|c| c.state_names.iter().cloned().collect());
    let expected: Vec<String> = ["SERVER", "BUSY.1", "BUSY.2"].map(str::to_owned).into();
    assert_eq!(names, Some(expected));
}

/// The names of the actions of the way into the error; `None` if there is none.
fn violation(
    composition: &Composition,
    network: Option<resy_automata::Network>,
) -> Option<Vec<String>> {
    let network = network.expect("a network");
    assert_eq!(network.validate(), []);
    match reaches_error(&network, 1 << 20) {
        Safety::Trace(steps) => Some(
            steps
                .iter()
                .map(|step| match step {
                    ProductStep::Tau(_) => "tau".to_owned(),
                    ProductStep::Action(action) => network.actions[*action].name.clone(),
                })
                .collect(),
        ),
        Safety::Safe { .. } => None,
        Safety::TooLarge(_) => panic!("{} is small", composition.name),
    }
}

#[test]
fn properties_are_monitors() {
    let safe = composed(&model("bridge"), "SAFE");
    assert_eq!(violation(&safe, safe.network_of_property(0)), None);
    let unsafe_ = composed(&model("bridge"), "UNSAFE");
    let trace = violation(&unsafe_, unsafe_.network_of_property(0)).expect("a violation");
    assert_eq!(trace.len(), 2, "{trace:?}");
    let alone = composed(&model("properties"), "LONELY");
    let trace = violation(&alone, alone.network_of_property(0));
    assert_eq!(trace, Some(vec!["exit".to_owned()]));
}

#[test]
fn errors_of_processes_are_found_below_hiding() {
    let quiet = composed(&model("properties"), "OUTSIDE");
    let trace = violation(&quiet, Some(quiet.network_of_errors())).expect("an error");
    assert!(trace.last().is_some_and(|last| last.starts_with("error(BROKEN")), "{trace:?}");
    let cars = composed(&model("bridge"), "CARS");
    assert_eq!(violation(&cars, Some(cars.network_of_errors())), None);
}

#[test]
fn hidden_actions_are_private() {
    let twice = composed(&model("buffer"), "TWICE");
    let hidden: Vec<&str> =
        twice.actions.iter().map(|a| &*a.name).filter(|n| n.starts_with('\\')).collect();
    assert_eq!(hidden, ["\\a.mid.0", "\\a.mid.1", "\\b.mid.0", "\\b.mid.1"]);
}
