//! Contexts on the fly: states of the environment's systems and the monitor, found when needed.
//!
//! The module decides which of its actions are taken, so the steps of a context by an action of the
//! module are computed only when a state of the module takes it. A byte in the environment that could
//! be set to 256 values then costs as many steps as there are values that occur.

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
        Self { systems, without_module, error: monitor.error, shared }
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
