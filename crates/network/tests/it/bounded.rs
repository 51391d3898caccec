//! Components that are bounded by the states of the program, and who enumerates these.

use resy_network::{
    Budget, Manner, NetworkSpec, StateSource, WatchedProperty, components_with, occurring,
};
use resy_system::{Interpreter, Options, State};
use resy_testkit::systems::system;

/// A level that two processes change and a third one keeps within limits, which the level does not know; and another
/// process, so that there are more states than labels.
const TANK: &str = "
    int level = 3; bool filling, moved;
    active proctype Inlet() { do :: atomic { filling && !moved -> level++; moved = true } od }
    active proctype Outlet() { do :: atomic { !filling && !moved -> level--; moved = true } od }
    active proctype Sensor() {
        do
        :: atomic { level == 2 -> filling = true; moved = false }
        :: atomic { level == 4 -> filling = false; moved = false }
        :: atomic { level == 3 -> moved = false }
        od
    }
    active proctype Watch() { do :: assert(level >= 2 && level <= 4) od }
    active proctype Clock() { byte time; do :: time = (time + 1) % 32 od }";

/// The interpreter, asked for by the network, with the number of times that it was.
struct Counted<'a>(&'a Interpreter<'a>, usize);

impl StateSource for Counted<'_> {
    fn visit(
        &mut self,
        initial: &State,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(State),
    ) -> bool {
        self.1 += 1;
        let states = occurring(self.0, initial.clone(), 1_000, go_on);
        states.is_some_and(|states| {
            states.into_iter().for_each(visit);
            true
        })
    }
}

/// The numbers of local states of the components, and how often the source was asked. The interpreter may list `few`
/// states.
fn sizes(text: &str, few: usize) -> (Option<Vec<usize>>, usize) {
    let system = system(text);
    let interpreter = Interpreter::new(&system, Options::default());
    let asked = NetworkSpec {
        manner: Manner::default(),
        monitors: Vec::new(),
        properties: vec![WatchedProperty::Assertions],
        budget: Budget { states: 500, labels: few, ..Budget::default() },
    };
    let mut source = Counted(&interpreter, 0);
    let found = components_with(&interpreter, &asked, &mut source, &mut |_| true).ok();
    let sizes = found.map(|(_, found)| {
        assert!(found.doubts.is_empty());
        found.network.components.iter().map(|c| c.lts.n_states()).collect()
    });
    (sizes, source.1)
}

#[test]
fn a_level_has_the_values_that_occur() {
    let (sizes, n_asked) = sizes(TANK, 1_000);
    // The last one is the clock.
    assert!(sizes.is_some_and(|sizes| sizes.iter().all(|&n| n <= 5 || n == 32)));
    assert_eq!(n_asked, 0, "the interpreter has listed them");
}

#[test]
fn the_source_is_asked_for_many_states() {
    let by_source = sizes(TANK, 100);
    assert_eq!(by_source.0, sizes(TANK, 1_000).0);
    // Whether there are all of them, and then for the bounds.
    assert_eq!(by_source.1, 2);
}

#[test]
fn too_many_states_are_no_bounds() {
    let endless = "int level;
        active proctype Up() { do :: level < 90 -> level++ :: level = 0 od }
        active proctype Down() { do :: level > 0 -> level-- od }
        active proctype Clock() { byte time; do :: time = (time + 1) % 32 od }";
    assert_eq!(sizes(endless, 100), (None, 1));
}
