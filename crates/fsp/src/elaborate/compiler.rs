//! Processes with arguments to machines, each once.

use super::ElaborationLimits;
use super::fault::{Fault, fault};
use super::machine::Machine;
use super::names::Names;
use super::process::{Builder, called};
use super::reduce;
use super::relation::{Relation, hidden};
use super::scope::{Scope, Unit};
use super::value::{Env, Value};
use crate::ast::{Call, Modifier, ProcessDef};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Span;
use resy_automata::Alphabet;
use resy_index::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Deeper chains of processes that run one another are refused.
const MAX_DEPTH: usize = 64;

/// A process and its arguments.
type Key = (Rc<str>, Rc<[Value]>);

/// Compiles processes.
pub(crate) struct Compiler<'a> {
    pub scope: Scope<'a>,
    pub names: Names,
    pub diagnostics: Diagnostics,
    pub limits: ElaborationLimits,
    /// How many instances of composites there are.
    pub n_origins: usize,
    /// The composites that were composed, by name.
    pub composed: FxHashSet<Rc<str>>,
    /// Bodies of composites that are being composed.
    pub nesting: usize,
    /// The priority of the composite that is asked for, if its product is too large: `<<` (true) or `>>` with its actions.
    pub priority: Option<(bool, Alphabet)>,
    machines: FxHashMap<Key, Rc<Machine>>,
    open: Vec<Key>,
    warned: FxHashSet<(Code, Span)>,
}

impl<'a> Compiler<'a> {
    pub fn new(scope: Scope<'a>, limits: ElaborationLimits, diagnostics: Diagnostics) -> Self {
        Self {
            scope,
            names: Names::default(),
            diagnostics,
            limits,
            n_origins: 0,
            composed: FxHashSet::default(),
            nesting: 0,
            priority: None,
            machines: FxHashMap::default(),
            open: Vec::new(),
            warned: FxHashSet::default(),
        }
    }

    /// The fault that ends the elaboration when nobody is interested any more; it is not reported.
    pub fn ask(&self, span: Span) -> Result<(), Fault> {
        match self.diagnostics.go_on() {
            true => Ok(()),
            false => Err(fault(Code::TooLarge, span, "it was ended early")),
        }
    }

    /// A warning, unless the same place has one of this kind.
    pub fn warn_once(&mut self, diagnostic: Diagnostic) {
        if self.warned.insert((diagnostic.code, diagnostic.span)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The machine of a process with these arguments.
    pub fn machine(
        &mut self,
        def: &'a ProcessDef,
        call: &Call,
        args: &Rc<[Value]>,
    ) -> Result<Rc<Machine>, Fault> {
        self.opened((def.name.text.clone(), args.clone()), call, |compiler| {
            let env = compiler.scope.arguments(&call.name, &def.params, args)?;
            compiler.compile(def, args, &env)
        })
    }

    /// The machine of a key: known, or made now; the fault of one that needs itself.
    fn opened(
        &mut self,
        key: Key,
        call: &Call,
        make: impl FnOnce(&mut Self) -> Result<Machine, Fault>,
    ) -> Result<Rc<Machine>, Fault> {
        if let Some(machine) = self.machines.get(&key) {
            return Ok(machine.clone());
        }
        if self.open.contains(&key) || self.open.len() >= MAX_DEPTH {
            let message = format!("`{}` runs itself before it ends", call.name.text);
            return Err(fault(Code::Sequence, call.name.span, message));
        }
        self.open.push(key.clone());
        let machine = make(self);
        self.open.pop();
        let machine = Rc::new(machine?);
        self.machines.insert(key, machine.clone());
        Ok(machine)
    }

    /// The machine of a process that runs inside another one.
    pub fn sequential(&mut self, call: &Call, args: &Rc<[Value]>) -> Result<Rc<Machine>, Fault> {
        let machine = match self.scope.units.get(&*call.name.text).copied() {
            Some(Unit::Process(def)) => self.machine(def, call, args)?,
            Some(Unit::Composite(def)) => {
                self.opened((def.name.text.clone(), args.clone()), call, |compiler| {
                    compiler.whole(def, call, args)
                })?
            }
            None => return Err(self.no_such_process(call)),
        };
        if machine.end.is_none() {
            let message = format!("`{}` never ends, so that nothing can follow it", call.name.text);
            let mut fault = fault(Code::Sequence, call.name.span, message);
            fault.hint = Some("a process that others follow ends in `END`".to_owned());
            return Err(fault);
        }
        Ok(machine)
    }

    /// The fault of a name that is no process.
    pub fn no_such_process(&self, call: &Call) -> Fault {
        let known = self.scope.units.keys().copied();
        super::fault::undefined("process", &call.name.text, call.name.span, known)
    }

    fn compile(
        &mut self,
        def: &'a ProcessDef,
        args: &[Value],
        env: &Env,
    ) -> Result<Machine, Fault> {
        let mut builder = Builder::new(self, def, env)?;
        let initial = builder.explore()?;
        let (automaton, initial) = builder.finish(initial)?;
        let alphabet: Alphabet = builder.alphabet.iter().copied().collect();
        let lts = automaton.finish(Id::from_index(initial), alphabet);
        let machine = Machine {
            name: called(&def.name.text, args),
            groups: Vec::new(),
            origin: None,
            lts,
            state_names: builder.states.iter().map(|(name, _)| name.clone()).collect(),
            end: builder.end.map(Id::from_index),
            error: builder.error.map(Id::from_index),
            is_property: false,
        };
        let machine = machine.reachable();
        self.warn_unreached(def, &machine);
        let machine = self.extended(def, machine, env)?;
        let machine = self.relabelled(def, &machine, env)?;
        self.finished(def, machine)
    }

    /// The machine with the actions of `+ {…}`.
    fn extended(
        &mut self,
        def: &ProcessDef,
        machine: Machine,
        env: &Env,
    ) -> Result<Machine, Fault> {
        let Some(extension) = &def.extension else { return Ok(machine) };
        let labels = self.scope.set(extension, env)?;
        let more: Alphabet = labels.iter().map(|label| self.names.id(label)).collect();
        let alphabet = machine.lts.alphabet().union(&more);
        let lts = machine.lts.relabelled(alphabet, |label| label);
        Ok(Machine { lts, ..machine })
    }

    fn relabelled(
        &mut self,
        def: &ProcessDef,
        machine: &Machine,
        env: &Env,
    ) -> Result<Machine, Fault> {
        let mut relation = Relation::of(&self.scope, &def.relabel, env)?;
        let machine = self.relabelled_by(machine, &mut relation, def.name.span)?;
        for warning in relation.without_effect() {
            self.warn_once(warning);
        }
        let Some(hide) = &def.hide else { return Ok(machine) };
        let hidden = hidden(&self.scope, hide, env, machine.lts.alphabet(), &self.names)?;
        Ok(machine.hiding(&hidden))
    }

    /// `deterministic` and `property`; `minimal` if it is asked for.
    fn finished(&mut self, def: &ProcessDef, machine: Machine) -> Result<Machine, Fault> {
        let machine = match def.modifier {
            Some(Modifier::Deterministic) => {
                let limit = self.limits.states;
                reduce::deterministic(&machine, &mut |n| self.may_have_states(n, limit))
                    .ok_or_else(|| too_large(&machine.name, def.name.span, limit))?
            }
            Some(Modifier::Minimal) if self.limits.minimise => reduce::minimal(&machine),
            _ => machine,
        };
        if !def.property {
            return Ok(machine);
        }
        if let Some((state, label)) = machine.lts.nondeterminism() {
            let label = label.action().map_or("tau", |a| self.names.text(a));
            let message = format!(
                "property `{}` is not deterministic: action `{label}` in state `{}`",
                def.name.text, machine.state_names[state]
            );
            let mut fault = fault(Code::Nondeterministic, def.name.span, message);
            fault.hint =
                Some("a property has one next state for every action, and hides none".to_owned());
            return Err(fault);
        }
        Ok(machine.into_property())
    }

    /// A local process that is not reached and has actions that nothing else has.
    fn warn_unreached(&mut self, def: &ProcessDef, machine: &Machine) {
        let used: Alphabet =
            machine.lts.transitions().filter_map(|(_, label, _)| label.action()).collect();
        let lost = machine.lts.alphabet().without(&used);
        let Some(first) = lost.iter().next() else { return };
        let reached: FxHashSet<&str> = machine
            .state_names
            .iter()
            .map(|name| name.split(['.', '/']).next().unwrap_or(""))
            .collect();
        for local in &def.locals {
            if !reached.contains(&*local.name.text) {
                let message = format!(
                    "`{}` is never reached, but its actions belong to the alphabet (`{}`)",
                    local.name.text,
                    self.names.text(first)
                );
                self.warn_once(Diagnostic::new(Code::Unreached, local.name.span, message));
            }
        }
    }
}

/// The fault of a machine above the limit.
pub(crate) fn too_large(name: &str, span: Span, limit: usize) -> Fault {
    fault(Code::TooLarge, span, format!("`{name}` has more than {limit} states"))
}
