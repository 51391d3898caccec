//! Networks of arbitrary size, for measurements.

use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_index::random::SplitMix;
use resy_index::{Id, IndexVec};

/// A module with `m` states that leads an environment with `e` states through phases in order. The
/// environment alone could also skip a phase.
pub fn in_phases(m: usize, e: usize, phases: usize) -> Network {
    let mut random = SplitMix(7);
    let mut inside = |builder: &mut LtsBuilder, phase: usize, width: usize| {
        for j in 0..width {
            let here = state(phase * width + j);
            let next = state(phase * width + (j + 1) % width);
            builder.add_transition(here, Label::Tau, next);
            let other = state(phase * width + random.below(width));
            builder.add_transition(here, Label::Tau, other);
        }
    };
    let (wide_m, wide_e) = (m / phases, e / phases);
    let mut module = LtsBuilder::with_states(phases * wide_m);
    let mut environment = LtsBuilder::with_states(phases * wide_e);
    for phase in 0..phases {
        inside(&mut module, phase, wide_m);
        inside(&mut environment, phase, wide_e);
        let after = (phase + 1) % phases;
        for j in (0..wide_m).step_by(3) {
            module.add_transition(state(phase * wide_m + j), visible(phase), state(after * wide_m));
        }
        for j in 0..wide_e {
            let (here, there) = (state(phase * wide_e + j), state(after * wide_e));
            environment.add_transition(here, visible(phase), there);
            environment.add_transition(here, visible((phase + 2) % phases), there);
        }
    }
    let mut order = LtsBuilder::with_states(phases);
    for phase in 0..phases {
        order.add_transition(state(phase), visible(phase), state((phase + 1) % phases));
    }
    let order = order.finish(state(0), alphabet(phases));
    let monitor = Monitor::of_good_words(&order, IndexVec::new()).expect("it is deterministic");
    network(phases, module, environment, monitor)
}

/// Two random graphs over six actions, and a random monitor.
pub fn random(m: usize, e: usize, seed: u64) -> Network {
    const ACTIONS: usize = 6;
    const STATES: usize = 4;
    let mut random = SplitMix(seed);
    let mut graph = |n: usize| {
        let mut builder = LtsBuilder::with_states(n);
        for target in 1..n {
            let source = random.below(target);
            builder.add_transition(state(source), visible(random.below(ACTIONS)), state(target));
        }
        for _ in 0..n {
            let (source, target) = (random.below(n), random.below(n));
            let label =
                if random.below(4) == 0 { Label::Tau } else { visible(random.below(ACTIONS)) };
            builder.add_transition(state(source), label, state(target));
        }
        builder
    };
    let (module, environment) = (graph(m), graph(e));
    let mut monitor = LtsBuilder::with_states(STATES + 1);
    for source in 0..STATES {
        for action in 0..ACTIONS {
            // The error state is the last one, and only its predecessor leads to it.
            let target = random.below(if source == STATES - 1 { STATES + 1 } else { STATES });
            monitor.add_transition(state(source), visible(action), state(target));
        }
    }
    let lts = monitor.finish(state(0), alphabet(ACTIONS));
    let monitor = Monitor { lts, error: state(STATES), state_names: IndexVec::new() };
    network(ACTIONS, module, environment, monitor)
}

fn network(
    n_actions: usize,
    module: LtsBuilder,
    environment: LtsBuilder,
    monitor: Monitor,
) -> Network {
    let component = |name: &str, lts: Lts| Component {
        name: name.to_owned(),
        lts,
        state_names: IndexVec::new(),
    };
    let finish = |builder: LtsBuilder| builder.finish(state(0), alphabet(n_actions));
    let components = [component("M", finish(module)), component("E", finish(environment))];
    let actions = (0..n_actions).map(|i| Action { name: format!("a{i}") }).collect();
    Network::new(actions, components.into_iter().collect(), Some(monitor), vec![Id::from_index(0)])
}

fn alphabet(n: usize) -> Alphabet {
    (0..n).map(ActionId::from_index).collect()
}

fn state(index: usize) -> StateId {
    Id::from_index(index)
}

fn visible(action: usize) -> Label {
    Label::Visible(Id::from_index(action))
}
