//! Splits: a network as a module, its environment and the monitor.

use crate::run::SplitRun;
use crate::settled::until_settled;
use resy_automata::lts::{Alphabet, Label, Lts, StateId};
use resy_automata::network::{ComponentId, Monitor, Network};
use resy_automata::product::{ProductStep, ProductTooLarge, Tuples, product_while};

/// Some components of a network as one transition system.
#[derive(Clone, Debug)]
pub struct SplitPart {
    /// Its behaviour.
    pub lts: Lts,
    /// The components, in order.
    pub components: Vec<ComponentId>,
    /// The component states of each state; `None` for a single component.
    tuples: Option<Tuples>,
}

/// A module, its environment, and the property. All alphabets are those of the network.
#[derive(Clone, Debug)]
pub struct Split {
    /// The module; several components are composed.
    pub module: SplitPart,
    /// The environment: one part per component, or one part for all.
    pub environment: Vec<SplitPart>,
    /// The property.
    pub monitor: Monitor,
    /// The actions of the environment and the monitor.
    shared: Alphabet,
}

/// Why a network cannot be split.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SplitError {
    /// It has no monitor.
    NoMonitor,
    /// It names no module.
    NoModule,
    /// The module is the whole network.
    NoEnvironment,
    /// The product of the module's or of the environment's components exceeds the limit.
    TooLarge(ProductTooLarge),
    /// The caller cancelled.
    Cancelled,
}

/// Asking takes as long as a few states of a product.
const ASK_EVERY: usize = 64;

impl Split {
    /// The split of a network. The components of the module are composed, with at most
    /// `limit` states; those of the environment are parts of their own.
    pub fn of(network: &Network, limit: usize) -> Result<Self, SplitError> {
        Self::of_while(network, limit, &mut |_| true)
    }

    /// Like [`Split::of`]; `go_on`, which is told the number of states, may cancel.
    pub fn of_while(
        network: &Network,
        limit: usize,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, SplitError> {
        let split = Self::around_module(network, limit, go_on)?;
        match split.environment.is_empty() {
            true => Err(SplitError::NoEnvironment),
            false => Ok(split),
        }
    }

    /// Like [`Split::of_while`]; the module may be the whole network.
    pub(crate) fn around_module(
        network: &Network,
        limit: usize,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, SplitError> {
        let monitor = network.monitor.clone().ok_or(SplitError::NoMonitor)?;
        if network.module.is_empty() {
            return Err(SplitError::NoModule);
        }
        let module = SplitPart::of(network, network.module.clone(), limit, go_on)?;
        let others = network.components.ids().filter(|id| !network.module.contains(id));
        let environment: Vec<SplitPart> = others
            .map(|id| SplitPart::of(network, vec![id], limit, go_on))
            .collect::<Result<_, _>>()?;
        Ok(Self::new(module, environment, monitor))
    }

    /// Like [`Split::of`], with the environment as one part: its product, with at most `limit`
    /// states.
    pub fn with_one_environment(network: &Network, limit: usize) -> Result<Self, SplitError> {
        let split = Self::of(network, limit)?;
        let components = split.environment.iter().flat_map(|part| part.components.clone());
        let environment = SplitPart::of(network, components.collect(), limit, &mut |_| true)?;
        Ok(Self::new(split.module, vec![environment], split.monitor))
    }

    /// All components as the environment of a module that does nothing.
    pub fn without_module(network: &Network) -> Result<Self, SplitError> {
        let monitor = network.monitor.clone().ok_or(SplitError::NoMonitor)?;
        let lts = Lts::idle(Alphabet::default());
        let module = SplitPart { lts, components: Vec::new(), tuples: None };
        let part = |id: ComponentId| SplitPart {
            lts: network.components[id].lts.clone(),
            components: vec![id],
            tuples: None,
        };
        Ok(Self::new(module, network.components.ids().map(part).collect(), monitor))
    }

    fn new(module: SplitPart, environment: Vec<SplitPart>, monitor: Monitor) -> Self {
        let environments = environment.iter().flat_map(|part| part.lts.alphabet().iter());
        let shared = environments.chain(monitor.lts.alphabet().iter()).collect();
        Self { module, environment, monitor, shared }
    }

    /// The split with `lts` as the behaviour of the module, for example a requirement. It must have
    /// the module's alphabet.
    #[must_use]
    pub fn with_module(&self, lts: Lts) -> Self {
        let components = self.module.components.clone();
        let module = SplitPart { lts, components, tuples: None };
        Self { module, ..self.clone() }
    }

    /// The split with another monitor.
    #[must_use]
    pub fn watched_by(&self, monitor: Monitor) -> Self {
        Self::new(self.module.clone(), self.environment.clone(), monitor)
    }

    /// The split in which each pair of parts of the environment is one part, in the place of the
    /// first; `None` if a product has more than `limit` states.
    pub(crate) fn with_joined(&self, pairs: &[(usize, usize)], limit: usize) -> Option<Self> {
        let mut environment: Vec<Option<SplitPart>> =
            self.environment.iter().cloned().map(Some).collect();
        for &(first, second) in pairs {
            let second = environment[second].take()?;
            let joined = environment[first].take()?.with(&second, limit)?;
            environment[first] = Some(joined);
        }
        let environment = environment.into_iter().flatten().collect();
        Some(Self::new(self.module.clone(), environment, self.monitor.clone()))
    }

    /// The split in which runs end where the property is settled.
    #[must_use]
    pub(crate) fn until_settled(&self) -> Self {
        Self { monitor: until_settled(&self.monitor), ..self.clone() }
    }

    /// The actions of the environment and the monitor. The module moves alone by its other actions
    /// and by internal steps.
    pub fn shared(&self) -> &Alphabet {
        &self.shared
    }

    /// The environment's transition systems, then the monitor's; their product is the set of
    /// contexts of the module.
    pub fn context_systems(&self) -> Vec<&Lts> {
        let environment = self.environment.iter().map(|part| &part.lts);
        environment.chain([&self.monitor.lts]).collect()
    }

    /// Whether the property is violated before the first step.
    pub fn fails_at_once(&self) -> bool {
        self.monitor.lts.initial() == self.monitor.error
    }

    /// The run as steps of the network, without internal steps that change no component.
    pub fn steps(&self, run: &SplitRun) -> Vec<ProductStep> {
        let mut steps = Vec::new();
        for (label, pair) in run.labels.iter().zip(run.states.windows(2)) {
            match *label {
                Label::Visible(action) => steps.push(ProductStep::Action(action)),
                Label::Tau => {
                    steps.extend(self.who_moved(&pair[0], &pair[1]).map(ProductStep::Tau))
                }
            }
        }
        steps
    }

    /// The component whose state differs, in tuples of module, environment, monitor.
    fn who_moved(&self, before: &[StateId], after: &[StateId]) -> Option<ComponentId> {
        let parts = [&self.module].into_iter().chain(&self.environment);
        parts.zip(before.iter().zip(after)).find_map(|(part, (&b, &a))| part.who_moved(b, a))
    }
}

impl SplitPart {
    fn of(
        network: &Network,
        components: Vec<ComponentId>,
        limit: usize,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, SplitError> {
        if let [component] = components[..] {
            let lts = network.components[component].lts.clone();
            return Ok(Self { lts, components, tuples: None });
        }
        let systems: Vec<&Lts> = components.iter().map(|&id| &network.components[id].lts).collect();
        let (mut is_cancelled, mut n_asked) = (false, 0_usize);
        let product = product_while(&systems, |n_states| {
            n_asked += 1;
            is_cancelled = n_asked.is_multiple_of(ASK_EVERY) && !go_on(n_states);
            n_states <= limit && !is_cancelled
        });
        let product = product.ok_or(match is_cancelled {
            true => SplitError::Cancelled,
            false => SplitError::TooLarge(ProductTooLarge { limit }),
        })?;
        Ok(Self { lts: product.lts, components, tuples: Some(product.tuples) })
    }

    /// The product with another part, if it has at most `limit` states.
    fn with(&self, other: &Self, limit: usize) -> Option<Self> {
        let product = product_while(&[&self.lts, &other.lts], |n_states| n_states <= limit)?;
        let components = [&self.components[..], &other.components].concat();
        let mut tuples = Tuples::new(components.len());
        for state in product.lts.states() {
            let pair = &product.tuples[state];
            tuples.insert(&[self.members(pair[0]), other.members(pair[1])].concat());
        }
        Some(Self { lts: product.lts, components, tuples: Some(tuples) })
    }

    /// The state of each component in a state of this part.
    pub fn members(&self, state: StateId) -> Vec<StateId> {
        self.tuples.as_ref().map_or_else(|| vec![state], |tuples| tuples[state].to_vec())
    }

    /// The component whose state differs.
    pub(crate) fn who_moved(&self, before: StateId, after: StateId) -> Option<ComponentId> {
        let (before, after) = (self.members(before), self.members(after));
        let place = before.iter().zip(&after).position(|(b, a)| b != a)?;
        self.components.get(place).copied()
    }
}

impl From<ProductTooLarge> for SplitError {
    fn from(limit: ProductTooLarge) -> Self {
        Self::TooLarge(limit)
    }
}

impl std::fmt::Display for SplitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoMonitor => f.write_str("the network has no property"),
            Self::NoModule => f.write_str("the network names no module"),
            Self::NoEnvironment => f.write_str("the module is the whole network"),
            Self::Cancelled => f.write_str("it was cancelled"),
            Self::TooLarge(ProductTooLarge { limit }) => {
                write!(f, "a product exceeds {limit} states")
            }
        }
    }
}

impl std::error::Error for SplitError {}
