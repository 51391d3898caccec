//! Contexts on the fly: states of the environment's systems and the monitor, found when needed.
//!
//! The module decides which of its actions are taken, so the steps of a context by an action of the
//! module are computed only when a state of the module takes it. A byte in the environment that could
//! be set to 256 values then costs as many steps as there are values that occur.

use fixedbitset::FixedBitSet;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_automata::product::{Explorer, ProductStep, Tuples};
use resy_index::Id;
use rustc_hash::FxHashMap;

/// The number of a context; [`ERROR`] is the error.
pub(super) type ContextNumber = u32;

/// The context of all errors.
pub(super) const ERROR: ContextNumber = u32::MAX;

/// The systems of which contexts are states, the monitor last.
pub(super) struct ContextSystems {
    /// All systems.
    systems: Vec<Lts>,
    /// The same without the module's actions.
    without_module: Vec<Lts>,
    error: StateId,
    shared: Alphabet,
    /// For each action of the module, a system in which it may be blocked, and where it is not.
    gates: Vec<Option<Gate>>,
}

/// A system that may block an action.
struct Gate {
    system: usize,
    /// The states in which the action is possible.
    open: FixedBitSet,
}

impl ContextSystems {
    /// The systems of the environment, and the monitor.
    pub(super) fn new<'a>(
        environment: impl Iterator<Item = &'a Lts>,
        monitor: &'a Monitor,
        module: &Alphabet,
    ) -> Self {
        let systems: Vec<Lts> = environment.chain([&monitor.lts]).cloned().collect();
        let without_module = systems.iter().map(|lts| without(lts, module)).collect();
        let shared = systems.iter().flat_map(|lts| lts.alphabet().iter()).collect();
        let gates = gates(&systems, module);
        Self { systems, without_module, error: monitor.error, shared, gates }
    }

    /// Whether an action of the module is known to be blocked in a context: this is asked far more often than it is not.
    fn is_blocked(&self, action: ActionId, context: &[StateId]) -> bool {
        let gate = self.gates.get(action.index()).and_then(Option::as_ref);
        gate.is_some_and(|gate| !gate.open.contains(context[gate.system].index()))
    }

    /// The actions of the systems. The module moves alone by its other actions.
    pub(super) fn shared(&self) -> &Alphabet {
        &self.shared
    }

    /// Enumerates all steps, as if the module permitted everything.
    pub(super) fn explorer(&self) -> Explorer<'_> {
        Explorer::new(self.systems.iter().collect())
    }

    /// Whether the initial context is an error.
    pub(super) fn fails_at_once(&self) -> bool {
        self.systems.last().is_some_and(|monitor| monitor.initial() == self.error)
    }

    /// Whether a tuple is an error.
    pub(super) fn is_error(&self, tuple: &[StateId]) -> bool {
        tuple.last() == Some(&self.error)
    }
}

/// For each action of a module, the smallest system that has it. The monitor, the last one, blocks nothing.
fn gates(systems: &[Lts], module: &Alphabet) -> Vec<Option<Gate>> {
    let n_actions = module.last().map_or(0, |action| action.index() + 1);
    let mut gates: Vec<Option<Gate>> = (0..n_actions).map(|_| None).collect();
    let mut by_size: Vec<usize> = (0..systems.len().saturating_sub(1)).collect();
    by_size.sort_by_key(|&system| systems[system].n_states());
    for system in by_size {
        let lts = &systems[system];
        for action in lts.alphabet().iter().filter(|&action| module.contains(action)) {
            gates[action.index()].get_or_insert_with(|| {
                let open = FixedBitSet::with_capacity(lts.n_states());
                Gate { system, open }
            });
        }
        for (source, label, _) in lts.transitions() {
            let gate = label.action().and_then(|action| gates.get_mut(action.index())?.as_mut());
            if let Some(gate) = gate.filter(|gate| gate.system == system) {
                gate.open.insert(source.index());
            }
        }
    }
    gates
}

/// A system without some of its actions.
fn without(lts: &Lts, actions: &Alphabet) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    let stays = |label: Label| !label.action().is_some_and(|action| actions.contains(action));
    for (source, label, target) in lts.transitions().filter(|t| stays(t.1)) {
        builder.add_transition(source, label, target);
    }
    builder.finish(lts.initial(), lts.alphabet().without(actions))
}

/// The contexts found so far, with their steps.
pub(super) struct OpenContexts<'a> {
    systems: &'a ContextSystems,
    together: Explorer<'a>,
    alone: Explorer<'a>,
    pub tuples: Tuples,
    /// The successors of each context by steps without the module.
    own: FxHashMap<ContextNumber, Box<[ContextNumber]>>,
    /// The successors by actions of the module.
    joint: FxHashMap<(ContextNumber, ActionId), Box<[ContextNumber]>>,
    /// The work so far.
    pub work: usize,
}

impl<'a> OpenContexts<'a> {
    /// The initial context, which must not be an error.
    pub(super) fn new(systems: &'a ContextSystems) -> Self {
        let together = systems.explorer();
        let alone = Explorer::new(systems.without_module.iter().collect());
        let initial = together.initial();
        let mut tuples = Tuples::new(initial.len());
        tuples.insert(&initial);
        let (own, joint) = Default::default();
        Self { systems, together, alone, tuples, own, joint, work: 0 }
    }

    /// The systems of which they are states.
    pub(super) fn systems(&self) -> &'a ContextSystems {
        self.systems
    }

    /// Whether the module moves alone by a label.
    pub(super) fn is_private(&self, label: Label) -> bool {
        label.action().is_none_or(|action| !self.systems.shared.contains(action))
    }

    /// The successors by steps without the module.
    pub(super) fn own(&mut self, context: ContextNumber) -> &[ContextNumber] {
        let Self { systems, alone, tuples, own, work, .. } = self;
        own.entry(context).or_insert_with(|| {
            let here = tuples[Id::from_index(context as usize)].to_vec();
            let mut found = Vec::new();
            alone.successors(&here, |_, to| found.push(number(systems, tuples, to)));
            *work += (found.len() + 1) * here.len();
            dense(found)
        })
    }

    /// The successors by an action of the module.
    pub(super) fn joint(&mut self, context: ContextNumber, action: ActionId) -> &[ContextNumber] {
        let Self { systems, together, tuples, joint, work, .. } = self;
        if systems.is_blocked(action, &tuples[Id::from_index(context as usize)]) {
            return &[];
        }
        joint.entry((context, action)).or_insert_with(|| {
            let here = tuples[Id::from_index(context as usize)].to_vec();
            let mut found = Vec::new();
            together.successors_by(ProductStep::Action(action), &here, |to| {
                found.push(number(systems, tuples, to));
            });
            *work += found.len() * here.len() + 1;
            dense(found)
        })
    }
}

/// The number of a context, which may be new.
fn number(systems: &ContextSystems, tuples: &mut Tuples, tuple: &[StateId]) -> ContextNumber {
    if systems.is_error(tuple) {
        return ERROR;
    }
    u32::try_from(tuples.insert(tuple).0.index()).expect("more than u32::MAX contexts")
}

fn dense(mut found: Vec<ContextNumber>) -> Box<[ContextNumber]> {
    found.sort_unstable();
    found.dedup();
    found.into()
}
