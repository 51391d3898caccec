//! A network and its split: what the compositional engines work on, whatever the subject was.

use crate::composed;
use crate::control::{Control, Stop};
use crate::counterexample::{Candidate, Counterexample};
use crate::model::Model;
use crate::question::CallError;
use crate::split;
use crate::subject::{FspModel, Subject};
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_certificate::fsp::{FspSource, certify as certify_fsp};
use resy_certificate::model::certify as certify_model;
use resy_certificate::network::certify as certify_network;
use resy_certificate::program::{self, Made};
use resy_certificate::{ProofEvidence, text};
use resy_compose::Split;
use resy_fsp::FspSelection;
use resy_index::Id;
use resy_network::{Components, Cut, Doubt, Manner};
use resy_system::Property;

/// The largest product of the components of one side.
const MAX_PRODUCT: usize = 20_000_000;

/// What a synthesis works on.
pub struct Problem<'a> {
    /// The model.
    pub model: &'a Model,
    /// The network; it names its module.
    pub network: Network,
    /// The split.
    pub split: Split,
    /// The properties that the monitor watches.
    pub properties: Vec<Property>,
    /// How the network was cut from a program, if it was.
    pub source: Option<Source<'a>>,
}

/// How a network was cut from a program.
pub struct Source<'a> {
    /// The cut.
    pub cut: Cut<'a>,
    /// What the states and actions of the network stand for.
    pub components: Components,
}

/// Why there is no problem to work on.
#[derive(Debug)]
pub enum NoProblem {
    /// The call is wrong.
    BadCall(CallError),
    /// The model is out of reach.
    OutOfReach(String),
}

impl NoProblem {
    fn bad_call(message: impl ToString) -> Self {
        Self::BadCall(CallError::Other(message.to_string()))
    }
}

impl<'a> Problem<'a> {
    /// The problem of a model with a module: the components with these names, or, if there are
    /// none, what a network file names, or the process with the smallest interface.
    pub fn with_module(
        model: &'a Model,
        properties: &[Property],
        module: &[String],
        budget: usize,
        control: &Control,
    ) -> Result<Self, NoProblem> {
        match model.subject() {
            Subject::Network(file) => {
                Self::of_network(model, file.network.clone(), module, control)
            }
            Subject::Fsp(fsp) => Self::of_fsp(model, fsp, properties, module, control),
            Subject::Program(_) => {
                Self::in_manner(model, properties, module, Manner::default(), budget, control)
            }
        }
    }

    /// The problem of a program that is cut in a manner. What the manner keeps apart is not the
    /// module's, even if no other process uses it.
    pub fn in_manner(
        model: &'a Model,
        properties: &[Property],
        module: &[String],
        manner: Manner,
        budget: usize,
        control: &Control,
    ) -> Result<Self, NoProblem> {
        let apart = manner.apart.clone();
        let (cut, components) =
            model.cut(properties, manner, budget, control).map_err(NoProblem::OutOfReach)?;
        let chosen = module.is_empty();
        let mut module = match module {
            [] => split::smallest_interface(&cut, &components),
            names => split::of_model(&cut, &components, names).map_err(NoProblem::bad_call)?,
        };
        module.retain(|&id| {
            let part = &cut.parts[components.parts[id]];
            part.process.is_some() || !part.cells.iter().any(|cell| apart.contains(cell))
        });
        let network = Network { module, ..components.network.clone() };
        let split = split_of(&network, control).map_err(|trouble| match trouble {
            // The module was not asked for.
            NoProblem::BadCall(why) if chosen => NoProblem::OutOfReach(why.to_string()),
            other => other,
        })?;
        let (properties, source) = (properties.to_vec(), Some(Source { cut, components }));
        Ok(Self { model, network, split, properties, source })
    }

    /// The problem of a model in which no component is the module.
    pub fn without_module(
        model: &'a Model,
        properties: &[Property],
        budget: usize,
        control: &Control,
    ) -> Result<Self, NoProblem> {
        let (network, source) = match model.subject() {
            Subject::Network(file) => {
                (Network { module: Vec::new(), ..file.network.clone() }, None)
            }
            Subject::Fsp(fsp) => {
                (composed::network(fsp, properties).map_err(NoProblem::OutOfReach)?, None)
            }
            Subject::Program(_) => {
                let cut = model.cut(properties, Manner::default(), budget, control);
                let (cut, components) = cut.map_err(NoProblem::OutOfReach)?;
                (components.network.clone(), Some(Source { cut, components }))
            }
        };
        let split = Split::without_module(&network).map_err(NoProblem::bad_call)?;
        Ok(Self { model, network, split, properties: properties.to_vec(), source })
    }

    fn of_network(
        model: &'a Model,
        mut network: Network,
        module: &[String],
        control: &Control,
    ) -> Result<Self, NoProblem> {
        if !module.is_empty() {
            network.module = split::of_network(&network, module).map_err(NoProblem::bad_call)?;
        }
        let split = split_of(&network, control)?;
        let properties = vec![Property::Monitor];
        Ok(Self { model, network, split, properties, source: None })
    }

    /// The problem of processes in FSP; without names, the module is the process with the smallest
    /// interface.
    fn of_fsp(
        model: &'a Model,
        fsp: &FspModel,
        properties: &[Property],
        module: &[String],
        control: &Control,
    ) -> Result<Self, NoProblem> {
        let mut network = composed::network(fsp, properties).map_err(NoProblem::OutOfReach)?;
        network.module = match module {
            [] => split::smallest_process(&fsp.composition).into_iter().collect(),
            names => split::of_composition(&fsp.composition, &network, names)
                .map_err(NoProblem::bad_call)?,
        };
        let split = split_of(&network, control).map_err(|trouble| match trouble {
            // The module was not asked for.
            NoProblem::BadCall(why) if module.is_empty() => NoProblem::OutOfReach(why.to_string()),
            other => other,
        })?;
        Ok(Self { model, network, split, properties: properties.to_vec(), source: None })
    }

    /// Makes the components with these names the module.
    pub fn choose(&mut self, module: &[String], control: &Control) -> Result<(), NoProblem> {
        let module = match (&self.source, self.model.subject()) {
            (Some(Source { cut, components }), _) => split::of_model(cut, components, module),
            (None, Subject::Fsp(fsp)) => {
                split::of_composition(&fsp.composition, &self.network, module)
            }
            (None, _) => split::of_network(&self.network, module),
        };
        self.network.module = module.map_err(NoProblem::bad_call)?;
        self.split = split_of(&self.network, control)?;
        Ok(())
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

    /// The certificate of some evidence, as text. `only` is the one property that was asked for, if it
    /// was one; the properties `without` were left out.
    pub fn certificate(
        &self,
        evidence: ProofEvidence,
        only: Option<&str>,
        without: &[String],
        control: &Control,
    ) -> Result<String, String> {
        self.certificate_with(evidence, only, without, Vec::new(), control)
    }

    /// Like [`certificate`](Self::certificate); that of a program has further settings.
    pub fn certificate_with(
        &self,
        evidence: ProofEvidence,
        only: Option<&str>,
        without: &[String],
        further: Vec<(String, String)>,
        control: &Control,
    ) -> Result<String, String> {
        let certificate = match (&self.source, self.model.subject()) {
            (Some(Source { cut, components }), Subject::Program(program)) => {
                let loss = self.model.options.loss;
                let sources = &program.sources;
                let made = Made { sources, only, without, loss, reduced: true };
                let module = self.names(true).into_iter().map(str::to_owned).collect();
                let selection = &self.model.selection;
                let mut origin = program::origin(&made, selection, &cut.manner, module);
                origin.settings.extend(further);
                certify_model(origin, cut, components, evidence)
            }
            (_, Subject::Fsp(fsp)) => {
                let all = self.properties.iter().any(|p| is_beside_the_check(fsp, p));
                let made = FspSource {
                    name: &fsp.name,
                    text: &fsp.text,
                    composite: fsp.composite.as_deref(),
                    asked: FspSelection { only, without, all },
                };
                let names = self.properties.iter().map(Property::name).collect::<Vec<_>>();
                certify_fsp(&made, names.join(", "), &self.network, evidence)
            }
            _ => certify_network(&self.network, evidence).map_err(|clash| clash.to_string())?,
        };
        text::write_while(&certificate, &mut || control.may_go_on())
            .ok_or_else(|| control.exceeded().unwrap_or(Stop::Cancelled).to_string())
    }

    /// The counterexample that these steps of the network are, if the subject can take them.
    pub fn replay(&self, steps: &[ProductStep]) -> Option<Counterexample> {
        Candidate::of_network(self, steps).replay().ok()
    }

    /// Whether the program may have violations that the network does not have.
    pub fn misses_violations(&self) -> bool {
        self.unseen_at_end().next().is_some()
    }

    /// Whether the program may have violations of this property that the network does not have.
    pub fn misses_violations_of(&self, property: &str) -> bool {
        self.unseen_at_end().any(|claim| claim == property)
    }

    /// The claims that may be violated where a run ends.
    fn unseen_at_end(&self) -> impl Iterator<Item = &str> {
        let doubts = self.source.iter().flat_map(|source| &source.components.doubts);
        doubts.filter_map(|doubt| match doubt {
            Doubt::ClaimAtEnd(claim) => Some(claim.as_str()),
            Doubt::Timeout(_) | Doubt::Late(_) => None,
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

/// Whether a property is one that only the option for all properties selects.
fn is_beside_the_check(fsp: &FspModel, property: &Property) -> bool {
    let found = fsp.composition.property_by_name(property.name());
    found.is_some_and(|property| !property.is_of_ltsas_check())
}

fn split_of(network: &Network, control: &Control) -> Result<Split, NoProblem> {
    use resy_compose::SplitError::{Cancelled, NoEnvironment, NoModule, NoMonitor, TooLarge};
    let split = Split::of_while(network, MAX_PRODUCT, &mut |n_states| control.product(n_states));
    split.map_err(|error| match error {
        NoMonitor | NoModule | NoEnvironment => NoProblem::bad_call(error),
        TooLarge(_) => NoProblem::OutOfReach(error.to_string()),
        Cancelled => {
            let stop = control.exceeded().unwrap_or(Stop::Cancelled);
            NoProblem::OutOfReach(stop.to_string())
        }
    })
}
