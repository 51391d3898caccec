//! Each problem is found, and constructors leave none.

use super::*;
use crate::lts::{Label, LtsBuilder};
use resy_index::Id;

fn lts(n: usize, transitions: &[(usize, usize, usize)], alphabet: &[usize]) -> Lts {
    let mut builder = LtsBuilder::with_states(n);
    for &(source, action, target) in transitions {
        let label = Label::Visible(Id::from_index(action));
        builder.add_transition(Id::from_index(source), label, Id::from_index(target));
    }
    let alphabet = alphabet.iter().map(|&a| Id::from_index(a)).collect();
    builder.finish(Id::from_index(0), alphabet)
}

fn component(name: &str, lts: Lts) -> Component {
    Component { name: name.to_owned(), lts, state_names: IndexVec::new() }
}

/// Actions a, b, c; a component with a, b; a monitor: never two a in a row.
fn example() -> Network {
    let actions = ["a", "b", "c"].map(|name| Action { name: name.to_owned() });
    let good = lts(2, &[(0, 0, 1), (1, 1, 0), (0, 1, 0), (1, 2, 1)], &[]);
    let monitor = Monitor::of_good_words(&good, IndexVec::new()).unwrap();
    let components = [component("A", lts(1, &[(0, 0, 0), (0, 1, 0)], &[]))];
    Network::new(
        actions.into_iter().collect(),
        components.into_iter().collect(),
        Some(monitor),
        vec![],
    )
}

#[test]
fn completion_leads_to_the_error_and_lone_actions_go() {
    let network = example();
    assert_eq!(network.validate(), []);
    let monitor = network.monitor.unwrap();
    assert_eq!(monitor.error, Id::from_index(2));
    // `c` belongs to no component.
    assert_eq!(monitor.lts, lts(3, &[(0, 0, 1), (1, 1, 0), (0, 1, 0), (1, 0, 2)], &[]));
}

#[test]
fn completion_needs_determinism() {
    let monitor = Monitor {
        lts: lts(3, &[(0, 0, 1), (0, 0, 2)], &[]),
        error: Id::from_index(2),
        state_names: IndexVec::new(),
    };
    let expected =
        NotDeterministic { state: Id::from_index(0), label: Label::Visible(Id::from_index(0)) };
    assert_eq!(monitor.complete(), Err(expected));
    // The sink is state 3; the error state, 2, stays without transitions.
    let sink = lts(4, &[(0, 0, 1), (0, 0, 2), (1, 0, 3), (3, 0, 3)], &[]);
    assert_eq!(monitor.with_sink().lts, sink);
}

#[test]
fn every_problem_is_found() {
    type Damage = fn(&mut Network);
    let first = || Id::from_index(0);
    let cases: [(Damage, NetworkProblem); 9] = [
        (
            |n| {
                n.actions.push(Action { name: "a".to_owned() });
            },
            NetworkProblem::ActionTwice("a".to_owned()),
        ),
        (
            |n| {
                n.components.push(component("A", lts(1, &[], &[])));
            },
            NetworkProblem::ComponentTwice("A".to_owned()),
        ),
        (
            |n| n.components[Id::from_index(0)].lts = lts(1, &[], &[0, 1, 7]),
            NetworkProblem::NoSuchAction(Some(first()), Id::from_index(7)),
        ),
        (
            |n| n.monitor.as_mut().unwrap().state_names = ["x".to_owned()].into_iter().collect(),
            NetworkProblem::StateNames(None),
        ),
        (
            |n| n.module = vec![Id::from_index(4)],
            NetworkProblem::NoSuchComponent(Id::from_index(4)),
        ),
        (|n| n.module = vec![Id::from_index(0); 2], NetworkProblem::ModuleOrder(Id::from_index(0))),
        (
            |n| n.monitor.as_mut().unwrap().error = Id::from_index(9),
            NetworkProblem::NoSuchErrorState(Id::from_index(9)),
        ),
        (
            |n| n.components[Id::from_index(0)].lts = lts(1, &[], &[0]),
            NetworkProblem::MonitorAlone(Id::from_index(1)),
        ),
        (
            |n| {
                let transitions = [(0, 0, 1), (0, 1, 0), (1, 0, 1)];
                n.monitor.as_mut().unwrap().lts = lts(3, &transitions, &[]);
            },
            NetworkProblem::MonitorBlocks(Id::from_index(1), Label::Visible(Id::from_index(1))),
        ),
    ];
    for (damage, problem) in cases {
        let mut network = example();
        damage(&mut network);
        assert_eq!(network.validate(), [problem]);
    }
}

#[test]
fn the_error_state_is_final_and_monitors_have_no_internal_steps() {
    let mut network = example();
    let monitor = network.monitor.as_mut().unwrap();
    let mut builder = LtsBuilder::with_states(3);
    for (source, label, target) in monitor.lts.transitions() {
        builder.add_transition(source, label, target);
    }
    let (start, a) = (Id::from_index(0), Label::Visible(Id::from_index(0)));
    builder.add_transition(monitor.error, a, start);
    builder.add_transition(start, Label::Tau, start);
    monitor.lts = builder.finish(start, monitor.lts.alphabet().clone());
    assert_eq!(
        network.validate(),
        [NetworkProblem::ErrorLeft(a), NetworkProblem::MonitorTau(start)]
    );
}
