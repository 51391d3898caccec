//! Generated networks that are hard enough: most uniformly random ones are violated at once,
//! or hold for a reason so simple that one state is requirement enough.
//!
//! Components are random graphs in which each state is reached from an earlier one, with
//! chords that lead back, over actions shared with others, a local action and internal
//! steps. The monitor is random as well, with many transitions into the error state. Then it is
//! *repaired*: as long as the network is not safe, the transition by which it enters the
//! error is led elsewhere. What remains is a property that holds. If the environment alone cannot
//! violate it, the network is thrown away, except one in ten. One network in four keeps its
//! last violation, which usually is a deep one.

mod truth;
mod variants;

pub use truth::{detour, is_safe, is_safe_with, replays};
pub use variants::{with_copies, with_spectators};

use resy_automata::lts::{Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::product::{ProductStep, Safety, reaches_error};
use resy_index::random::SplitMix;
use resy_index::{Id, IndexVec};
use std::collections::BTreeSet;

/// The largest product of a generated network.
pub const LIMIT: usize = 30_000;

/// The decisions of a generated network.
pub struct NetworkRandom(SplitMix);

impl NetworkRandom {
    /// Those of a seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix(seed))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The network of a seed; its components have at most `size` states.
pub fn network(seed: u64, size: usize) -> Network {
    network_with(seed, size, 7)
}

/// The same with a monitor that remembers nothing: it has one state besides the error state.
pub fn flat_network(seed: u64, size: usize) -> Network {
    network_with(seed, size, 1)
}

fn network_with(seed: u64, size: usize, memory: usize) -> Network {
    let mut random = NetworkRandom::new(seed);
    loop {
        let network = candidate(&mut random, size, memory);
        let network = repaired(&network, &mut random);
        let hard =
            |network: &Network| random.chance(10) || !is_safe_with(network, &anything(network));
        if let Some(network) = network.filter(hard) {
            return network;
        }
    }
}

/// One state that permits all actions of the module.
fn anything(network: &Network) -> Lts {
    let mut builder = LtsBuilder::with_states(1);
    for &id in &network.module {
        for action in network.components[id].lts.alphabet().iter() {
            builder.add_transition(state(0), Label::Visible(action), state(0));
        }
    }
    builder.finish(state(0), Alphabet::default())
}

fn candidate(random: &mut NetworkRandom, size: usize, memory: usize) -> Network {
    let n_components = random.between(2, 4);
    let n_module = random.between(1, (n_components - 1).min(2));
    let n_shared = random.between(2, 6);
    let mut shared = vec![Vec::new(); n_components];
    for action in 0..n_shared {
        // Two components at least have it.
        let first = random.below(n_components);
        let second = (first + 1 + random.below(n_components - 1)) % n_components;
        for (i, own) in shared.iter_mut().enumerate() {
            if i == first || i == second || random.chance(20) {
                own.push(action);
            }
        }
    }
    let systems: Vec<Lts> =
        shared.iter().enumerate().map(|(i, own)| system(random, size, own, n_shared + i)).collect();
    let n_actions = n_shared + n_components;
    let monitor = monitor(random, n_actions, memory);
    let actions = (0..n_actions).map(|i| Action { name: format!("action{i}") }).collect();
    let components = systems.into_iter().enumerate().map(|(i, lts)| Component {
        name: format!("component{i}"),
        lts,
        state_names: IndexVec::new(),
    });
    let module = (0..n_module).map(Id::from_index).collect();
    Network::new(actions, components.collect(), Some(monitor), module)
}

fn system(random: &mut NetworkRandom, size: usize, shared: &[usize], local: usize) -> Lts {
    let n = random.between(1, size);
    let mut builder = LtsBuilder::with_states(n);
    let label = |random: &mut NetworkRandom| match random.below(10) {
        0 => Label::Tau,
        1 => visible(local),
        _ if shared.is_empty() => visible(local),
        _ => visible(random.pick(shared)),
    };
    for target in 1..n {
        // Mostly from the state before: long ways, so that it takes time to get anywhere.
        let source = if random.chance(70) { target - 1 } else { random.below(target) };
        builder.add_transition(state(source), label(random), state(target));
    }
    for _ in 0..random.between(n / 2, n * 3 / 2 + 1) {
        let source = random.below(n);
        let target = if random.chance(70) { random.below(source + 1) } else { random.below(n) };
        builder.add_transition(state(source), label(random), state(target));
    }
    builder.finish(state(0), shared.iter().map(|&a| Id::from_index(a)).collect())
}

/// Deterministic, or with one more transition here and there; at most `memory` states but the
/// error state.
fn monitor(random: &mut NetworkRandom, n_actions: usize, memory: usize) -> Monitor {
    let n = random.between(1, memory);
    // Without a memory, most errors are soon found and repaired.
    let (most, errors) = if memory == 1 { (12, 80) } else { (6, 40) };
    let watched: Alphabet =
        (0..random.between(2, most)).map(|_| Id::from_index(random.below(n_actions))).collect();
    let wild = random.chance(20);
    let mut builder = LtsBuilder::with_states(n + 1);
    for source in 0..n {
        for action in watched.iter() {
            let target = if random.chance(errors) { n } else { random.below(n) };
            builder.add_transition(state(source), Label::Visible(action), state(target));
            if wild && random.chance(30) {
                builder.add_transition(
                    state(source),
                    Label::Visible(action),
                    state(random.below(n)),
                );
            }
        }
    }
    let lts = builder.finish(state(0), watched);
    Monitor { lts, error: state(n), state_names: IndexVec::new() }
}

/// The network with a monitor that does not err, or perhaps once; `None` if its product is too large.
pub fn repaired(network: &Network, random: &mut NetworkRandom) -> Option<Network> {
    let keep_last = random.chance(25);
    let mut network = network.clone();
    let mut before = None;
    loop {
        let trace = match reaches_error(&network, LIMIT) {
            Safety::TooLarge(_) => return None,
            Safety::Safe { .. } => break,
            Safety::Trace(trace) => trace,
        };
        let monitor = network.monitor.take()?;
        let lts = led_elsewhere(&monitor, &trace, random);
        before = Some(Network { monitor: Some(monitor.clone()), ..network.clone() });
        network.monitor = Some(Monitor { lts, ..monitor });
    }
    Some(if keep_last { before.unwrap_or(network) } else { network })
}

/// The monitor in which the last step of the trace leads to another state.
fn led_elsewhere(monitor: &Monitor, trace: &[ProductStep], random: &mut NetworkRandom) -> Lts {
    let lts = &monitor.lts;
    let mut now = BTreeSet::from([lts.initial()]);
    let watched = trace.iter().filter_map(|step| step.label().action());
    let watched: Vec<Label> =
        watched.filter(|&a| lts.alphabet().contains(a)).map(Label::Visible).collect();
    let (last, first) = watched.split_last().expect("the error is entered by an action");
    for &label in first {
        now = now.iter().flat_map(|&s| lts.transitions_by(s, label)).map(|t| t.1).collect();
    }
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions() {
        let bad = target == monitor.error && label == *last && now.contains(&source);
        // The error state is the last one.
        let target = if bad { state(random.below(lts.n_states() - 1)) } else { target };
        builder.add_transition(source, label, target);
    }
    builder.finish(lts.initial(), lts.alphabet().clone())
}

/// The state with this number.
pub fn state(index: usize) -> StateId {
    Id::from_index(index)
}

/// The label of the action with this number.
pub fn visible(action: usize) -> Label {
    Label::Visible(Id::from_index(action))
}
