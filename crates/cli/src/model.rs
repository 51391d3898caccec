//! A model for the commands that look at its components.

use crate::Exit;
use crate::args::{Common, Properties, Semantics};
use crate::limits::Limits;
use crate::load::{Extra, load_whole};
use crate::program::Program;
use crate::properties::{Property, Selection, select};
use resy_network::{Budget, Components, Cut, Manner, NetworkSpec, NoNetwork, components};
use resy_passes::{Visible, merge, reset_dead};
use resy_system::{Interpreter, Options, System};
use std::path::Path;

/// With more local states of a component a synthesis is given up.
pub const BUDGET: usize = 2_000_000;

/// A model, what is asked of it, and what it is cut from.
pub struct Model {
    /// All texts that were read.
    pub program: Program,
    /// The model as it stands in the file.
    pub system: System,
    /// The properties.
    pub selection: Selection,
    /// The choices about the semantics.
    pub options: Options,
    /// The same system without what nobody can see.
    pub reduced: System,
}

impl Model {
    /// Reads a model and selects properties.
    pub fn load(
        file: &Path,
        common: &Common,
        semantics: &Semantics,
        properties: &Properties,
    ) -> Result<Self, Exit> {
        let extra = Extra { ltl: properties.ltl.as_deref(), claim: properties.claim.as_deref() };
        let (system, program) = load_whole(file, common, &extra)?;
        let selection = select(&system, properties.property.as_deref()).map_err(|message| {
            eprintln!("resy: {message}");
            Exit::BadInput
        })?;
        let options = Options { loss: semantics.loss, empty_channels: semantics.empty_channels };
        Ok(Self::new(program, system, selection, options))
    }

    /// A model that has been read.
    pub fn new(program: Program, system: System, selection: Selection, options: Options) -> Self {
        let reduced = reduce(&system, &selection);
        Self { program, system, selection, options, reduced }
    }

    /// The same model, of which these properties are asked only.
    pub fn asked_for(&self, properties: &[Property]) -> Self {
        let selection = self.selection.only(properties);
        let reduced = reduce(&self.system, &selection);
        let (program, system) = (self.program.clone(), self.system.clone());
        Self { program, system, selection, options: self.options, reduced }
    }

    /// The model in which nothing is left out.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { reduced: self.system.clone(), ..self }
    }

    /// The reference semantics of the model as it stands in the file.
    pub fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(&self.system, self.options)
    }

    /// The components, with a monitor for these properties; a message if there are none.
    pub fn cut(
        &self,
        properties: &[Property],
        manner: Manner,
        budget: usize,
        limits: &Limits,
    ) -> Result<(Cut<'_>, Components), String> {
        let interpreter = Interpreter::new(&self.reduced, self.options);
        let asked = NetworkSpec {
            manner,
            properties: properties.iter().filter_map(watched).collect(),
            monitors: self.selection.monitors.as_slice().to_vec(),
            budget: Budget { states: budget, ..Budget::default() },
        };
        let mut go_on = |closure: &resy_network::Closure<'_>| {
            limits.meter().inspect(|meter| meter.components(closure.n_states()));
            limits.exceeded().is_none()
        };
        components(&interpreter, &asked, &mut go_on).map_err(|failure| match &failure {
            NoNetwork::Refused(refusal) if refusal.source.line > 0 => {
                format!("{}: {failure}", self.system.location(refusal.source))
            }
            _ => failure.to_string(),
        })
    }

    /// Where the network is not exact, in words.
    pub fn doubts(&self, components: &Components) -> Vec<String> {
        let doubts = components.doubts.iter();
        let place = |at| format!("{}: ", self.system.location(at));
        doubts.map(|d| format!("{}{d}", d.source().map(place).unwrap_or_default())).collect()
    }
}

/// The property as a monitor watches it.
pub fn watched(property: &Property) -> Option<resy_network::WatchedProperty> {
    match property {
        Property::Assertions => Some(resy_network::WatchedProperty::Assertions),
        Property::Runtime => Some(resy_network::WatchedProperty::Runtime),
        Property::Trace => Some(resy_network::WatchedProperty::Trace),
        Property::Claim { monitor, .. } => Some(resy_network::WatchedProperty::Claim(*monitor)),
        Property::EndStates => None,
    }
}

/// The system without what nobody can see: variables that nobody reads any more are reset, and
/// statements that touch nothing shared are part of the step before them.
pub fn reduce(system: &System, selection: &Selection) -> System {
    let visible = Visible { expressions: selection.monitors.conditions().to_vec() };
    let merged = if selection.counts_steps { system.clone() } else { merge(system, &visible) };
    reset_dead(&merged, &visible)
}
