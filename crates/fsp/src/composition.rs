//! A composite as a network: components, properties, and when it has ended.

use crate::ast::{AssertKind, Call, File, Name};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::elaborate::{
    Compiler, ElaborationLimits, Env, Fault, Machine, Scope, Termination, undefined,
};
use crate::formula::Assertion;
use crate::progress::ProgressProperty;
use crate::source::Span;
use resy_automata::network::{Action, Component, Monitor};
use resy_automata::product::Preference;
use resy_automata::{ActionId, Alphabet, ComponentId, Label, Lts, StateId};
use resy_index::{Id, IndexVec};
use rustc_hash::FxHashMap;

/// What to make of a file.
#[derive(Clone, Debug, Default)]
pub struct ComposeOptions {
    /// The composite, or a process; without it, the last composite of the file, or all
    /// processes if it has none.
    pub composite: Option<String>,
    /// How large things may become.
    pub limits: ElaborationLimits,
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
    /// The state `END` of each process.
    pub end_states: IndexVec<ComponentId, Option<StateId>>,
    /// The properties, each with its error state.
    pub properties: Vec<SafetyProperty>,
    /// Composites inside this one, by their names, with their components.
    pub groups: Vec<PartGroup>,
    /// The assertions of the file, with the default values of their parameters.
    pub assertions: Vec<Assertion>,
    /// The progress properties of the file.
    pub progress: Vec<ProgressProperty>,
    /// The priority of the whole composite, if its product was too large to be built: only a search of all processes and
    /// properties at once, in this order, may apply it, and there is no network.
    pub preference: Option<Preference>,
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
pub struct PartGroup {
    /// Its name.
    pub name: String,
    /// Its components.
    pub members: Vec<ComponentId>,
}

/// Reads a text and composes what `options` name. `None` if there are errors.
pub fn read(text: &str, options: &ComposeOptions) -> (Option<Composition>, Diagnostics) {
    read_within(text, options, Diagnostics::new())
}

/// Like [`read`], with the list that tells when to end early
/// ([`Diagnostics::new_while`]); `None` also if it does.
pub fn read_within(
    text: &str,
    options: &ComposeOptions,
    diagnostics: Diagnostics,
) -> (Option<Composition>, Diagnostics) {
    let (file, diagnostics) = crate::parse::parse_within(text, diagnostics);
    if diagnostics.has_errors() || diagnostics.is_stopped() {
        return (None, diagnostics);
    }
    compose(&file, options, diagnostics)
}

/// Composes what `options` name.
pub fn compose(
    file: &File,
    options: &ComposeOptions,
    mut diagnostics: Diagnostics,
) -> (Option<Composition>, Diagnostics) {
    let scope = Scope::of(file, &mut diagnostics);
    let mut compiler = Compiler::new(scope, options.limits, diagnostics);
    match compose_with(&mut compiler, options.composite.as_deref()) {
        Ok(composition) => {
            let found = &compiler.diagnostics;
            let is_usable = !found.has_errors() && !found.is_stopped();
            (is_usable.then_some(composition), compiler.diagnostics)
        }
        Err(fault) => {
            // What was not finished is no fault of the text.
            if !compiler.diagnostics.is_stopped() {
                compiler.diagnostics.push(*fault);
            }
            (None, compiler.diagnostics)
        }
    }
}

fn compose_with(compiler: &mut Compiler<'_>, name: Option<&str>) -> Result<Composition, Fault> {
    let (name, parts) = parts(compiler, name)?;
    let mut composition = Composition::new(name, &parts, compiler);
    composition.progress = compiler.scope.progress()?;
    let asserts = compiler.scope.asserts.clone();
    for def in asserts.into_iter().filter(|def| def.kind == AssertKind::Assert) {
        match compiler.scope.assertion(def, &[]) {
            Ok(assertion) => composition.assertions.push(assertion),
            // The rest of the model can be used.
            Err(fault) if fault.code == Code::TooLarge => {
                let message = format!("`{}` is left out: {}", def.name.text, fault.message);
                compiler.warn_once(Diagnostic::new(Code::LeftOut, fault.span, message));
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(composition)
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
        let parts = compiler.parts(&call(&def.name), &env, 0)?;
        // Most files end with the composite that contains the others: then there is no doubt.
        let mut others = compiler.scope.composites.iter();
        if !others.all(|other| compiler.composed.contains(&other.name.text)) {
            let message =
                format!("of several composites, `{}` is taken: the last one", def.name.text);
            compiler.diagnostics.push(Diagnostic::new(Code::Suspicious, def.name.span, message));
        }
        return Ok((def.name.text.to_string(), parts));
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
            end_states: IndexVec::new(),
            properties: Vec::new(),
            groups: Vec::new(),
            assertions: Vec::new(),
            progress: Vec::new(),
            preference: None,
            termination: Termination::of(parts),
            order: Vec::new(),
        };
        let mut taken: FxHashMap<String, usize> = FxHashMap::default();
        for part in parts {
            compiler.diagnostics.go_on();
            let n = taken.entry(part.name.clone()).or_insert(0);
            *n += 1;
            let name = if *n == 1 { part.name.clone() } else { format!("{}#{n}", part.name) };
            let lts = numbering.renumbered(&part.lts);
            composition.add(name, lts, part);
        }
        composition.preference = compiler.priority.as_ref().map(|(is_high, listed)| {
            let listed = listed.iter().filter_map(|old| numbering.new.get(&old).copied()).collect();
            let errors = composition.errors.iter().copied();
            let violated = composition.properties.iter().map(|p| Some(p.monitor.error));
            let last = errors.chain(violated).collect();
            Preference { is_high: *is_high, listed, exempt: Alphabet::default(), last }
        });
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
        self.end_states.push(part.end);
        self.order.push(Role::Component(id));
        for group in &part.groups {
            match self.groups.iter_mut().find(|known| known.name == *group) {
                Some(known) => known.members.push(id),
                None => self.groups.push(PartGroup { name: group.clone(), members: vec![id] }),
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

    /// The state `END` of each process in which a run may end without a deadlock, `None` for a
    /// process that may be anywhere; nothing if no run ends.
    pub fn ends(&self) -> Option<IndexVec<ComponentId, Option<StateId>>> {
        let ends = self.termination.ends()?;
        let is_component = |role: &&(Role, Option<StateId>)| matches!(role.0, Role::Component(_));
        let parts: Vec<(Role, Option<StateId>)> =
            self.order.iter().copied().zip(ends.iter().copied()).collect();
        Some(parts.iter().filter(is_component).map(|(_, end)| *end).collect())
    }

    /// Whether a state of all [`systems`](Self::systems) without steps is an end and no
    /// deadlock.
    pub fn is_end(&self, state: &[StateId]) -> bool {
        self.termination.is_end(state)
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
