//! A subject with what is asked of it: what engines work on.

use crate::composed;
use crate::control::{Control, Stop};
use crate::counterexample::Counterexample;
use crate::question::{CallError, Question};
use crate::searched::SearchedStates;
use crate::split::unknown;
use crate::subject::{FspModel, NetworkFile, Program, Subject};
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_certificate::program::{reduce, watched};
use resy_network::{Budget, Components, Cut, Manner, NetworkSpec, NoNetwork, components_with};
use resy_system::{
    Interpreter, Options, Property, Selection, System, UnknownProperty, select,
    select_without_claims,
};
use std::sync::{Arc, OnceLock};

/// A subject and the properties that are asked of it.
pub struct Model {
    subject: Arc<Subject>,
    /// The properties.
    pub selection: Selection,
    /// The choices about the semantics.
    pub options: Options,
    /// The system that a program is cut from: without what no property can observe.
    /// It is computed when it is first needed.
    reduced: OnceLock<System>,
}

impl Model {
    /// The model of a question.
    pub fn new(subject: Arc<Subject>, question: &Question) -> Result<Self, CallError> {
        let selection = match &*subject {
            Subject::Network(NetworkFile { network, .. }) => match network.monitor {
                Some(_) => Selection::of_monitor(),
                None => return Err(CallError::NoMonitor),
            },
            Subject::Fsp(model) => composed::selection(model, question)?,
            Subject::Program(program) => match question.no_claims {
                true => select_without_claims(&program.system),
                false => select(&program.system, question.property.as_deref()),
            }
            .and_then(|selection| selection.without(&question.without))
            .map_err(no_property)?,
        };
        Ok(Self::with_selection(subject, selection, question.semantics))
    }

    fn with_selection(subject: Arc<Subject>, selection: Selection, options: Options) -> Self {
        Self { subject, selection, options, reduced: OnceLock::new() }
    }

    /// The subject.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The same model, of which only these properties are asked.
    pub fn asked_for(&self, properties: &[Property]) -> Self {
        let selection = self.selection.only(properties);
        Self::with_selection(self.subject.clone(), selection, self.options)
    }

    /// The same model with a monitor that follows one property, which is about infinite runs; or why there is none.
    pub fn tracking(&self, property: &Property) -> Result<Self, &'static str> {
        let Some(system) = self.subject.system() else { return Err("it is no program") };
        let selection = self.selection.only(std::slice::from_ref(property)).tracking(system)?;
        Ok(Self::with_selection(self.subject.clone(), selection, self.options))
    }

    /// The processes, if the subject is in FSP.
    pub fn fsp(&self) -> Option<&FspModel> {
        match &*self.subject {
            Subject::Fsp(model) => Some(model),
            Subject::Program(_) | Subject::Network(_) => None,
        }
    }

    /// The network that shows a run, and its steps there; `None` for a program.
    pub fn network_of_run(&self, run: &Counterexample) -> Option<(Network, Vec<ProductStep>)> {
        match &*self.subject {
            Subject::Program(_) => None,
            Subject::Network(file) => Some((file.network.clone(), run.network_steps()?.0.to_vec())),
            Subject::Fsp(model) => composed::in_network(model, run),
        }
    }

    /// The same model without what components do not preserve, such as end states.
    #[must_use]
    pub fn without_end_states(self) -> Self {
        Self { selection: self.selection.without_end_states(), ..self }
    }

    /// The same model without end states and what else has no monitor; properties of infinite runs stay.
    #[must_use]
    pub fn with_infinite_runs(self) -> Self {
        Self { selection: self.selection.with_infinite_runs(), ..self }
    }

    /// The model without any reduction.
    #[must_use]
    pub fn strict(self) -> Self {
        let reduced = self.subject.system().cloned().unwrap_or_default();
        Self { reduced: OnceLock::from(reduced), ..self }
    }

    /// The program, if the subject is one.
    pub fn program(&self) -> Option<&Program> {
        match &*self.subject {
            Subject::Program(program) => Some(program),
            Subject::Network(_) | Subject::Fsp(_) => None,
        }
    }

    /// The reference semantics of the program as it stands in the file, if the subject is one.
    pub fn interpreter(&self) -> Option<Interpreter<'_>> {
        self.program().map(|program| Interpreter::new(&program.system, self.options))
    }

    /// The system without what no property can observe.
    pub fn reduced(&self) -> &System {
        self.reduced_within(&Control::unlimited()).expect("there is no limit")
    }

    /// Like [`reduced`](Self::reduced), within the limits of a control.
    pub fn reduced_within(&self, control: &Control) -> Result<&System, Stop> {
        if let Some(reduced) = self.reduced.get() {
            return Ok(reduced);
        }
        let go_on = &mut control.preparation();
        let reduced = match &*self.subject {
            Subject::Program(program) => reduce(&program.system, &self.selection, go_on),
            Subject::Network(_) | Subject::Fsp(_) => Some(System::default()),
        };
        match reduced {
            Some(reduced) => Ok(self.reduced.get_or_init(|| reduced)),
            None => Err(control.exceeded().unwrap_or(Stop::Cancelled)),
        }
    }

    /// Cuts a program into components, with a monitor for these properties; a message if that
    /// is out of reach.
    pub fn cut(
        &self,
        properties: &[Property],
        manner: Manner,
        budget: usize,
        control: &Control,
    ) -> Result<(Cut<'_>, Components), String> {
        let reduced = self.reduced_within(control).map_err(|stop| stop.to_string())?;
        let interpreter = Interpreter::new(reduced, self.options);
        let asked = NetworkSpec {
            manner,
            properties: properties.iter().filter_map(watched).collect(),
            monitors: self.selection.monitors.as_slice().to_vec(),
            budget: Budget { states: budget, ..Budget::default() },
        };
        let mut go_on = |n_states| control.components(n_states);
        let mut source = SearchedStates::new(reduced, self.options, control);
        let found = components_with(&interpreter, &asked, &mut source, &mut go_on);
        found.map_err(|failure| match &failure {
            NoNetwork::Refused(refusal) if refusal.source.line > 0 => {
                format!("{}: {failure}", self.reduced().location(refusal.source))
            }
            _ => failure.to_string(),
        })
    }

    /// Where the network of components is not exact, in words.
    pub fn doubts(&self, components: &Components) -> Vec<String> {
        let doubts = components.doubts.iter();
        let place = |at| format!("{}: ", self.reduced().location(at));
        doubts.map(|d| format!("{}{d}", d.source().map(place).unwrap_or_default())).collect()
    }
}

fn no_property(UnknownProperty { name, known }: UnknownProperty) -> CallError {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    CallError::Other(unknown("property", &name, &known))
}
