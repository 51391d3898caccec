//! A network and its split, from a model or from a network file.

use crate::Exit;
use crate::args::Properties;
use crate::certified::{self, Made};
use crate::confirm::{Violation, confirm};
use crate::limits::Limits;
use crate::model::Model;
use crate::properties::Property;
use crate::split;
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_certificate::model::certify as certify_model;
use resy_certificate::network::certify as certify_network;
use resy_certificate::{ProofEvidence, text};
use resy_compose::Split;
use resy_index::Id;
use resy_network::{Components, Cut, Doubt, Manner};

/// The largest product of the components of one side.
const MAX_PRODUCT: usize = 20_000_000;

/// What a synthesis works on.
pub struct Problem<'a> {
    /// The network; it names its module.
    pub network: Network,
    /// The split.
    pub split: Split,
    /// Where it comes from, unless from a network file.
    pub source: Option<Source<'a>>,
}

/// The model that a network was cut from.
pub struct Source<'a> {
    /// The model.
    pub model: &'a Model,
    /// The properties that the monitor watches.
    pub properties: Vec<Property>,
    /// The cut.
    pub cut: Cut<'a>,
    /// What the states and actions of the network stand for.
    pub components: Components,
}

/// Why there is no problem to work on.
pub enum Trouble {
    /// The call is wrong.
    BadCall(String),
    /// The model is out of reach.
    OutOfReach(String),
}

impl Trouble {
    /// Says what is wrong, and gives the exit code.
    pub fn report(self) -> Exit {
        let (message, exit) = match self {
            Self::BadCall(message) => (message, Exit::BadInput),
            Self::OutOfReach(message) => (message, Exit::Unknown),
        };
        eprintln!("resy: {message}");
        exit
    }
}

impl<'a> Problem<'a> {
    /// The problem of a model: these properties, and the module with these names, or, if
    /// there are none, the process with the smallest interface.
    pub fn of_model(
        model: &'a Model,
        properties: &[Property],
        module: &[String],
        budget: usize,
        limits: &Limits,
    ) -> Result<Self, Trouble> {
        Self::in_manner(model, properties, module, Manner::default(), budget, limits)
    }

    /// The same, cut in a manner. What is kept apart is not the module's, also if nobody else uses it.
    pub fn in_manner(
        model: &'a Model,
        properties: &[Property],
        module: &[String],
        manner: Manner,
        budget: usize,
        limits: &Limits,
    ) -> Result<Self, Trouble> {
        let apart = manner.apart.clone();
        let (cut, components) =
            model.cut(properties, manner, budget, limits).map_err(Trouble::OutOfReach)?;
        let chosen = module.is_empty();
        let mut module = match module {
            [] => split::smallest_interface(&cut, &components),
            names => split::of_model(&cut, &components, names).map_err(Trouble::BadCall)?,
        };
        module.retain(|&id| {
            let part = &cut.parts[components.parts[id]];
            part.process.is_some() || !part.cells.iter().any(|cell| apart.contains(cell))
        });
        let network = Network { module, ..components.network.clone() };
        let split = split_of(&network).map_err(|trouble| match trouble {
            // Nobody has asked for this module.
            Trouble::BadCall(why) if chosen => Trouble::OutOfReach(why),
            other => other,
        })?;
        let properties = properties.to_vec();
        Ok(Self { network, split, source: Some(Source { model, properties, cut, components }) })
    }

    /// The problem of a model in which no component is the module.
    pub fn without_module(
        model: &'a Model,
        properties: &[Property],
        budget: usize,
        limits: &Limits,
    ) -> Result<Self, Trouble> {
        let cut = model.cut(properties, Manner::default(), budget, limits);
        let (cut, components) = cut.map_err(Trouble::OutOfReach)?;
        let network = components.network.clone();
        let split = Split::without_module(&network);
        let split = split.map_err(|error| Trouble::BadCall(error.to_string()))?;
        let properties = properties.to_vec();
        Ok(Self { network, split, source: Some(Source { model, properties, cut, components }) })
    }

    /// The problem of a network file; the names may be missing if the file has them.
    pub fn of_network(mut network: Network, module: &[String]) -> Result<Self, Trouble> {
        if !module.is_empty() {
            network.module = split::of_network(&network, module).map_err(Trouble::BadCall)?;
        }
        let split = split_of(&network)?;
        Ok(Self { network, split, source: None })
    }

    /// The problem of a network in which no component is the module.
    pub fn of_whole_network(mut network: Network) -> Result<Self, Trouble> {
        network.module.clear();
        let split = Split::without_module(&network);
        let split = split.map_err(|error| Trouble::BadCall(error.to_string()))?;
        Ok(Self { network, split, source: None })
    }

    /// The names of the components on the module's side, or on the other.
    pub fn names(&self, of_module: bool) -> Vec<&str> {
        let components = self.network.components.iter_enumerated();
        let side = components.filter(|(id, _)| self.network.module.contains(id) == of_module);
        side.map(|(_, component)| component.name.as_str()).collect()
    }

    /// The number of states of the environment, if it is one component.
    pub fn environment_states(&self) -> Option<usize> {
        match &self.split.environment[..] {
            [part] => Some(part.lts.n_states()),
            _ => None,
        }
    }

    /// The certificate of some evidence, as text. `only` is the one property that was asked for,
    /// if it was one.
    pub fn certificate(
        &self,
        evidence: ProofEvidence,
        only: Option<&str>,
    ) -> Result<String, String> {
        let certificate = match &self.source {
            None => certify_network(&self.network, evidence).map_err(|clash| clash.to_string())?,
            Some(Source { model, cut, components, .. }) => {
                let loss = model.options.loss;
                let made = Made { program: &model.program, only, loss, reduced: true };
                let module = self.names(true).into_iter().map(str::to_owned).collect();
                let origin = certified::origin(&made, &model.selection, &cut.manner, module);
                certify_model(origin, cut, components, evidence)
            }
        };
        Ok(text::write(&certificate))
    }

    /// Whether the program may have violations that the network has not.
    pub fn misses_violations(&self) -> bool {
        self.unseen_at_end().next().is_some()
    }

    /// The same, of one property.
    pub fn misses_violations_of(&self, property: &str) -> bool {
        self.unseen_at_end().any(|claim| claim == property)
    }

    /// The claims that may be violated where a run ends.
    fn unseen_at_end(&self) -> impl Iterator<Item = &str> {
        let doubts = self.source.iter().flat_map(|source| &source.components.doubts);
        doubts.filter_map(|doubt| match doubt {
            Doubt::ClaimAtEnd(claim) => Some(claim.as_str()),
            Doubt::Timeout(_) => None,
        })
    }

    /// What a state of the module stands for, in words.
    pub fn state_name(&self, state: resy_automata::lts::StateId) -> String {
        let part = &self.split.module;
        let members = part.members(state).into_iter().zip(&part.components);
        let alone = part.components.len() == 1;
        let names = members.map(|(state, &id)| {
            let component = &self.network.components[id];
            let name = match component.state_names.get(state) {
                Some(name) => name.clone(),
                None => state.index().to_string(),
            };
            if alone { name } else { format!("{}: {name}", component.name) }
        });
        names.collect::<Vec<_>>().join("; ")
    }
}

impl Source<'_> {
    /// The run of the program that these steps are, if they are one.
    pub fn confirm(&self, steps: &[ProductStep]) -> Option<Violation> {
        confirm(self.model, &self.cut, &self.components, &self.properties, steps)
    }
}

fn split_of(network: &Network) -> Result<Split, Trouble> {
    use resy_compose::SplitError::{NoEnvironment, NoModule, NoMonitor, TooLarge};
    Split::of(network, MAX_PRODUCT).map_err(|error| match error {
        NoMonitor | NoModule | NoEnvironment => Trouble::BadCall(error.to_string()),
        TooLarge(_) => Trouble::OutOfReach(error.to_string()),
    })
}

/// What is said of the properties as one.
pub fn property_name(properties: &[Property], asked: &Properties) -> String {
    match &asked.property {
        Some(name) => name.clone(),
        None => properties.iter().map(Property::name).collect::<Vec<_>>().join(", "),
    }
}
