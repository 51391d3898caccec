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
pub mod changes;

use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::product::{ProductStep, Safety, reaches_error};
use resy_certificate::About;
use resy_index::random::SplitMix;
use resy_index::{Id, IndexVec};
use std::collections::{BTreeMap, BTreeSet};

/// The largest product of a generated network.
pub const LIMIT: usize = 30_000;

/// How many networks to try: `RESY_CASES`, if it is set.
pub fn cases(usual: u32) -> u32 {
    let cases = std::env::var("RESY_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// The decisions of a generated network.
pub struct Random(SplitMix);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix(seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    fn chance(&mut self, percent: usize) -> bool {
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
    let mut random = Random::new(seed);
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

fn candidate(random: &mut Random, size: usize, memory: usize) -> Network {
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

fn system(random: &mut Random, size: usize, shared: &[usize], local: usize) -> Lts {
    let n = random.between(1, size);
    let mut builder = LtsBuilder::with_states(n);
    let label = |random: &mut Random| match random.below(10) {
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
fn monitor(random: &mut Random, n_actions: usize, memory: usize) -> Monitor {
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

/// A component that watches some actions, in every state, and also has the last action.
fn spectator(random: &mut Random, watched: &[ActionId], last: ActionId) -> Lts {
    let n_states = 1 + random.below(3);
    let mut builder = LtsBuilder::with_states(n_states);
    let any = |random: &mut Random| -> StateId { Id::from_index(random.below(n_states)) };
    for state in (0..n_states).map(Id::from_index) {
        for &action in watched {
            let to = any(random);
            builder.add_transition(state, Label::Visible(action), to);
        }
    }
    // Not in every state, perhaps.
    let (from, to) = (any(random), any(random));
    builder.add_transition(from, Label::Visible(last), to);
    let alphabet: Alphabet = watched.iter().copied().chain([last]).collect();
    builder.finish(Id::from_index(0), alphabet)
}

/// The network with two spectators, which have an action of their own; a component may be asked, but does
/// not change by it.
pub fn with_spectators(network: &Network, random: &mut Random) -> Network {
    let mut wider = network.clone();
    let own = wider.actions.push(Action { name: "between spectators".to_owned() });
    let asked = Id::from_index(random.below(network.components.len()));
    if random.chance(50) {
        let lts = &network.components[asked].lts;
        wider.components[asked].lts = with_loops(lts, own, || random.chance(50));
    }
    for name in ["first", "second"] {
        let watched: Vec<ActionId> =
            network.actions.ids().filter(|_| random.below(2) == 0).collect();
        let lts = spectator(random, &watched, own);
        let state_names = Default::default();
        wider.components.push(Component { name: name.to_owned(), lts, state_names });
    }
    wider
}

/// The system that in some states takes part in an action without changing.
fn with_loops(lts: &Lts, action: ActionId, mut is_chosen: impl FnMut() -> bool) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    lts.transitions().for_each(|(source, label, to)| builder.add_transition(source, label, to));
    for state in lts.states().filter(|_| is_chosen()) {
        builder.add_transition(state, Label::Visible(action), state);
    }
    builder.finish(lts.initial(), lts.alphabet().iter().chain([action]).collect())
}

/// The network with copies of a component. Each copy has its own actions in the place of the
/// component's, and all others have the same transitions for both. Now and then, another component
/// lacks one transition for a copy.
pub fn with_copies(network: &Network, random: &mut Random) -> Network {
    let mut wider = network.clone();
    let id = Id::from_index(random.below(network.components.len()));
    let original = network.components[id].clone();
    for copy in 0..random.between(1, 3) {
        let own = original.lts.alphabet().iter().map(|action| {
            let name = format!("{} of copy {copy}", network.actions[action].name);
            (action, wider.actions.push(Action { name }))
        });
        let own: BTreeMap<ActionId, ActionId> = own.collect();
        let odd = random.chance(30);
        let mut is_left_out = || odd && random.chance(10);
        for other in wider.components.ids().take(network.components.len()).filter(|&c| c != id) {
            let lts = &wider.components[other].lts;
            wider.components[other].lts = taking(lts, &own, &mut is_left_out);
        }
        // A monitor has transitions for everything.
        if let Some(monitor) = &mut wider.monitor {
            monitor.lts = taking(&monitor.lts, &own, &mut || false);
        }
        let renamed = |label: Label| label.action().map_or(label, |a| Label::Visible(own[&a]));
        let lts = original.lts.relabelled(own.values().copied().collect(), renamed);
        let name = format!("{}, copy {copy}", original.name);
        wider.components.push(Component { name, lts, state_names: IndexVec::new() });
    }
    wider
}

/// A system that does by new actions what it does by others, except where it is left out.
fn taking(
    lts: &Lts,
    new: &BTreeMap<ActionId, ActionId>,
    is_left_out: &mut impl FnMut() -> bool,
) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions() {
        builder.add_transition(source, label, target);
        if let Some(&new) = label.action().and_then(|action| new.get(&action))
            && !is_left_out()
        {
            builder.add_transition(source, Label::Visible(new), target);
        }
    }
    let shared = lts.alphabet().iter().filter_map(|action| new.get(&action).copied());
    builder.finish(lts.initial(), lts.alphabet().iter().chain(shared).collect())
}

pub fn repaired(network: &Network, random: &mut Random) -> Option<Network> {
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
fn led_elsewhere(monitor: &Monitor, trace: &[ProductStep], random: &mut Random) -> Lts {
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

/// The actions by which a monitor can err, in groups; some are in two.
pub fn groups(monitor: &Monitor, random: &mut Random) -> Vec<About> {
    let errors = monitor.lts.transitions().filter(|t| t.2 == monitor.error);
    let mut groups: Vec<Vec<ActionId>> = vec![Vec::new(); random.between(1, 3)];
    for action in errors.filter_map(|(_, label, _)| label.action()) {
        for _ in 0..=random.below(4) / 3 {
            let i = random.below(groups.len());
            groups[i].push(action);
        }
    }
    groups.into_iter().map(|group| About::Only(group.into_iter().collect())).collect()
}

pub fn state(index: usize) -> StateId {
    Id::from_index(index)
}

pub fn visible(action: usize) -> Label {
    Label::Visible(Id::from_index(action))
}

/// Whether the steps can be taken one after the other, and lead to the error state.
pub fn replays(network: &Network, trace: &[ProductStep]) -> bool {
    let systems = network.systems();
    let explorer = resy_automata::product::Explorer::new(systems);
    let mut now = BTreeSet::from([explorer.initial()]);
    for &step in trace {
        let mut next = BTreeSet::new();
        for state in &now {
            explorer.successors(state, |s, to| {
                if s == step {
                    next.insert(to.to_vec());
                }
            });
        }
        now = next;
    }
    let error = network.monitor.as_ref().map(|m| m.error);
    now.iter().any(|state| state.last().copied() == error)
}

/// A way into the error state that in each of its states does all that changes nothing.
pub fn detour(network: &Network) -> Option<Vec<ProductStep>> {
    let error = network.monitor.as_ref()?.error;
    let explorer = resy_automata::product::Explorer::new(network.systems());
    let mut found = BTreeSet::from([explorer.initial()]);
    // With each state the number of the one before, and the steps from there.
    let mut open = vec![(explorer.initial(), 0, Vec::new())];
    let mut next = 0;
    while let Some((state, ..)) = open.get(next).cloned() {
        if state.last() == Some(&error) {
            let before = |&i: &usize| (i > 0).then(|| open[i].1);
            let way: Vec<usize> = std::iter::successors(Some(next), before).collect();
            return Some(way.iter().rev().flat_map(|&i| open[i].2.clone()).collect());
        }
        let (mut loops, mut others) = (Vec::new(), Vec::new());
        explorer.successors(&state, |step, to| match to == state {
            true => loops.push(step),
            false => others.push((step, to.to_vec())),
        });
        for (step, to) in others {
            if found.insert(to.clone()) {
                open.push((to, next, loops.iter().copied().chain([step]).collect()));
            }
        }
        next += 1;
    }
    None
}

/// The network in which `lts` stands for the module, and whether it is safe.
pub fn is_safe_with(network: &Network, module: &Lts) -> bool {
    let mut systems: IndexVec<_, Component> = IndexVec::new();
    let component = |name: &str, lts: &Lts| Component {
        name: name.to_owned(),
        lts: lts.clone(),
        state_names: IndexVec::new(),
    };
    systems.push(component("module", module));
    for (id, other) in network.components.iter_enumerated() {
        if !network.module.contains(&id) {
            systems.push(other.clone());
        }
    }
    let network = Network::new(network.actions.clone(), systems, network.monitor.clone(), vec![]);
    match reaches_error(&network, usize::MAX) {
        Safety::Safe { .. } => true,
        Safety::Trace(_) => false,
        Safety::TooLarge(_) => unreachable!("there is no limit"),
    }
}

pub fn is_safe(network: &Network) -> bool {
    matches!(reaches_error(network, usize::MAX), Safety::Safe { .. })
}
