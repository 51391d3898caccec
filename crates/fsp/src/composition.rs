//! A composite as a network: components, properties, and when it has ended.

use crate::ast::{Call, File, Name};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::elaborate::{Compiler, Env, Fault, Limits, Machine, Scope, Termination, undefined};
use crate::source::Span;
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::{ActionId, Alphabet, ComponentId, Label, Lts, LtsBuilder, StateId};
use resy_index::{Id, IndexVec};
use rustc_hash::FxHashMap;

/// What to make of a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The composite, or a process; without it, the last composite of the file, or all
    /// processes if it has none.
    pub composite: Option<String>,
    /// How large things may become.
    pub limits: Limits,
}

/// A composite without its product.
#[derive(Clone, Debug)]
pub struct Composition {
    /// Its name; `DEFAULT` if all processes are composed.
    pub name: String,
    /// The actions of all parts. Names that begin with `\` are hidden.
    pub actions: IndexVec<ActionId, Action>,
    /// The processes.
    pub components: IndexVec<ComponentId, Component>,
    /// The state `ERROR` of each process.
    pub errors: IndexVec<ComponentId, Option<StateId>>,
    /// The properties, each with its error state.
    pub properties: Vec<SafetyProperty>,
    /// Composites inside this one, by their names, with their components.
    pub groups: Vec<Group>,
    termination: Termination,
    /// For each part in order the component or property that it is.
    order: Vec<Role>,
}

#[derive(Copy, Clone, Debug)]
enum Role {
    Component(ComponentId),
    Property(usize),
}

/// A property and its name.
#[derive(Clone, Debug)]
pub struct SafetyProperty {
    /// Its name as in the composite.
    pub name: String,
    /// It enters the error state by the first action that it forbids.
    pub monitor: Monitor,
}

/// A composite inside a composite: `red:CONVOY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its components.
    pub members: Vec<ComponentId>,
}

/// Reads a text and composes what `options` name. `None` if there are errors.
pub fn read(text: &str, options: &Options) -> (Option<Composition>, Diagnostics) {
    let (file, diagnostics) = crate::parse(text);
    if diagnostics.has_errors() {
        return (None, diagnostics);
    }
    compose(&file, options, diagnostics)
}

/// Composes what `options` name.
pub fn compose(
    file: &File,
    options: &Options,
    mut diagnostics: Diagnostics,
) -> (Option<Composition>, Diagnostics) {
    let scope = Scope::of(file, &mut diagnostics);
    let mut compiler = Compiler::new(scope, options.limits, diagnostics);
    let parts = parts(&mut compiler, options.composite.as_deref());
    match parts {
        Ok((name, parts)) if !compiler.diagnostics.has_errors() => {
            let composition = Composition::new(name, &parts, &compiler);
            (Some(composition), compiler.diagnostics)
        }
        Ok(_) => (None, compiler.diagnostics),
        Err(fault) => {
            compiler.diagnostics.push(*fault);
            (None, compiler.diagnostics)
        }
    }
}

fn parts(compiler: &mut Compiler<'_>, name: Option<&str>) -> Result<(String, Vec<Machine>), Fault> {
    let call = |name: &Name| Call { name: name.clone(), args: Vec::new() };
    let env = Env::default();
    if let Some(name) = name.filter(|name| *name != "DEFAULT") {
        let Some((&known, _)) = compiler.scope.units.get_key_value(name) else {
            let known = compiler.scope.units.keys().copied();
            return Err(undefined("composite or process", name, Span::default(), known));
        };
        let name = Name { text: known.into(), span: Span::default() };
        return Ok((known.to_owned(), compiler.parts(&call(&name), &env, 0)?));
    }
    if let Some(def) = compiler.scope.composites.last().copied() {
        if compiler.scope.composites.len() > 1 {
            let message =
                format!("of several composites, `{}` is taken: the last one", def.name.text);
            compiler.diagnostics.push(Diagnostic::new(Code::Suspicious, def.name.span, message));
        }
        return Ok((def.name.text.to_string(), compiler.parts(&call(&def.name), &env, 0)?));
    }
    let mut all = Vec::new();
    for def in compiler.scope.processes.clone() {
        all.extend(compiler.parts(&call(&def.name), &env, 0)?);
    }
    Ok(("DEFAULT".to_owned(), all))
}

impl Composition {
    fn new(name: String, parts: &[Machine], compiler: &Compiler<'_>) -> Self {
        let mut numbering = Numbering::default();
        let mut composition = Self {
            name,
            actions: IndexVec::new(),
            components: IndexVec::new(),
            errors: IndexVec::new(),
            properties: Vec::new(),
            groups: Vec::new(),
            termination: Termination::of(parts),
            order: Vec::new(),
        };
        let mut taken: FxHashMap<String, usize> = FxHashMap::default();
        for part in parts {
            let n = taken.entry(part.name.clone()).or_insert(0);
            *n += 1;
            let name = if *n == 1 { part.name.clone() } else { format!("{}#{n}", part.name) };
            let lts = numbering.renumbered(&part.lts);
            composition.add(name, lts, part);
        }
        let action = |old: &ActionId| Action { name: compiler.names.text(*old).to_string() };
        composition.actions = numbering.old.iter().map(action).collect();
        composition
    }

    fn add(&mut self, name: String, lts: Lts, part: &Machine) {
        let state_names = part.state_names.clone();
        if let (true, Some(error)) = (part.is_property, part.error) {
            self.order.push(Role::Property(self.properties.len()));
            let monitor = Monitor { lts, error, state_names };
            self.properties.push(SafetyProperty { name, monitor });
            return;
        }
        let id = self.components.push(Component { name, lts, state_names });
        self.errors.push(part.error);
        self.order.push(Role::Component(id));
        for group in &part.groups {
            match self.groups.iter_mut().find(|known| known.name == *group) {
                Some(known) => known.members.push(id),
                None => self.groups.push(Group { name: group.clone(), members: vec![id] }),
            }
        }
    }

    /// All automata in the order of the parts, each with its state `ERROR`.
    pub fn systems(&self) -> Vec<(&Lts, Option<StateId>)> {
        let system = |role: &Role| match *role {
            Role::Component(id) => (&self.components[id].lts, self.errors[id]),
            Role::Property(i) => {
                (&self.properties[i].monitor.lts, Some(self.properties[i].monitor.error))
            }
        };
        self.order.iter().map(system).collect()
    }

    /// Whether a state of all [`systems`](Self::systems) without steps is an end and no
    /// deadlock.
    pub fn is_end(&self, state: &[StateId]) -> bool {
        self.termination.is_end(state)
    }

    /// The network of a property: its processes and the property as the monitor.
    pub fn network_of_property(&self, property: usize) -> Option<Network> {
        let property = self.properties.get(property)?;
        Some(self.network(self.components.clone(), Some(property.monitor.clone())))
    }

    /// The network in which the errors of processes are violations: from `ERROR` a process
    /// takes a last action of its own, which the monitor forbids. `None` if no process has an
    /// `ERROR`.
    pub fn network_of_errors(&self) -> Option<Network> {
        let mut actions = self.actions.clone();
        let mut components = self.components.clone();
        let mut forbidden = Vec::new();
        for (component, error) in components.iter_mut().zip(&self.errors) {
            let Some(error) = *error else { continue };
            let action = actions.push(Action { name: format!("error({})", component.name) });
            forbidden.push(action);
            let mut builder = LtsBuilder::with_states(component.lts.n_states());
            for (source, label, target) in component.lts.transitions() {
                builder.add_transition(source, label, target);
            }
            builder.add_transition(error, Label::Visible(action), error);
            component.lts =
                builder.finish(component.lts.initial(), component.lts.alphabet().clone());
        }
        let good = Lts::idle(forbidden.iter().copied().collect());
        let names = ["safe".to_owned()].into_iter().collect();
        let monitor = Monitor::of_good_words(&good, names).ok()?;
        let whole = Self { actions, ..self.clone() };
        (!forbidden.is_empty()).then(|| whole.network(components, Some(monitor)))
    }

    /// Components and a monitor. Actions that only properties have are free: a component of
    /// one state has them.
    fn network(
        &self,
        mut components: IndexVec<ComponentId, Component>,
        monitor: Option<Monitor>,
    ) -> Network {
        let used: Alphabet = components.iter().flat_map(|c| c.lts.alphabet().iter()).collect();
        let watched: Alphabet =
            monitor.iter().flat_map(|monitor| monitor.lts.alphabet().iter()).collect();
        let free = watched.without(&used);
        if !free.is_empty() {
            let mut builder = LtsBuilder::new();
            let state = builder.add_state();
            for action in free.iter() {
                builder.add_transition(state, Label::Visible(action), state);
            }
            let lts = builder.finish(state, free);
            let name = "(unconstrained)".to_owned();
            components.push(Component { name, lts, state_names: IndexVec::new() });
        }
        Network::new(self.actions.clone(), components, monitor, Vec::new())
    }
}

/// The actions that occur, numbered anew.
#[derive(Default)]
struct Numbering {
    new: FxHashMap<ActionId, ActionId>,
    old: Vec<ActionId>,
}

impl Numbering {
    fn id(&mut self, old: ActionId) -> ActionId {
        *self.new.entry(old).or_insert_with(|| {
            self.old.push(old);
            Id::from_index(self.old.len() - 1)
        })
    }

    fn renumbered(&mut self, lts: &Lts) -> Lts {
        let alphabet = lts.alphabet().iter().map(|action| self.id(action)).collect();
        lts.relabelled(alphabet, |label| match label {
            Label::Tau => label,
            Label::Visible(action) => Label::Visible(self.id(action)),
        })
    }
}
