//! The definitions of a file by name; constants, ranges and sets with their values.
//!
//! As in LTSA, constants, ranges, sets, processes and formulas have tables of their own, and
//! a constant, range or set is known from its definition on.

use super::fault::{Fault, fault};
use super::value::{Env, Value};
use crate::ast::{
    AssertDef, CompositeDef, Definition, File, FluentDef, Name, Param, ProcessDef, ProgressDef,
};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set: its members in order, each once.
pub(crate) type LabelSet = Rc<[Rc<str>]>;

/// What a name stands for in a composite.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Unit<'a> {
    /// A primitive process.
    Process(&'a ProcessDef),
    /// A composite.
    Composite(&'a CompositeDef),
}

/// All definitions of a file.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    pub constants: FxHashMap<&'a str, Value>,
    pub ranges: FxHashMap<&'a str, (i32, i32)>,
    pub sets: FxHashMap<&'a str, LabelSet>,
    pub units: FxHashMap<&'a str, Unit<'a>>,
    pub processes: Vec<&'a ProcessDef>,
    pub composites: Vec<&'a CompositeDef>,
    pub fluents: FxHashMap<&'a str, &'a FluentDef>,
    pub assertions: FxHashMap<&'a str, &'a AssertDef>,
    pub asserts: Vec<&'a AssertDef>,
    pub progress: Vec<&'a ProgressDef>,
}

impl<'a> Scope<'a> {
    /// The definitions of a file. A definition with a mistake is left out.
    pub fn of(file: &'a File, diagnostics: &mut Diagnostics) -> Self {
        let mut scope = Self::default();
        let mut known: FxHashMap<(u8, &str), Span> = FxHashMap::default();
        for definition in &file.definitions {
            let (table, name) = table_and_name(definition);
            if let Some(&first) = known.get(&(table, &*name.text)) {
                let message = format!("`{}` is defined twice", name.text);
                let diagnostic = Diagnostic::new(Code::Redefined, name.span, message);
                diagnostics.push(diagnostic.related(first, "first defined here"));
                continue;
            }
            known.insert((table, &name.text), name.span);
            if let Err(fault) = scope.define(definition) {
                diagnostics.push(*fault);
            }
            if let Definition::Range(def) = definition
                && let Some(warning) = scope.empty_range(&def.name)
            {
                diagnostics.push(warning);
            }
        }
        scope
    }

    /// A warning if this is the name of a range without numbers: LTSA takes it without a word.
    fn empty_range(&self, name: &Name) -> Option<Diagnostic> {
        let &(low, high) = self.ranges.get(&*name.text).filter(|(low, high)| low > high)?;
        let message = format!("range `{}` is empty: {low} is more than {high}", name.text);
        let warning = Diagnostic::new(Code::Suspicious, name.span, message);
        Some(warning.hint("the smaller number comes first"))
    }

    fn define(&mut self, definition: &'a Definition) -> Result<(), Fault> {
        let env = Env::default();
        match definition {
            Definition::Const(def) => {
                let value = self.value(&def.value, &env)?;
                self.constants.insert(&def.name.text, value);
            }
            Definition::Range(def) => {
                let bounds = (self.int(&def.low, &env)?, self.int(&def.high, &env)?);
                self.ranges.insert(&def.name.text, bounds);
            }
            Definition::Set(def) => {
                let members = self.set(&def.set, &env)?;
                self.sets.insert(&def.name.text, members);
            }
            Definition::Process(def) => {
                self.units.insert(&def.name.text, Unit::Process(def));
                self.processes.push(def);
            }
            Definition::Composite(def) => {
                self.units.insert(&def.name.text, Unit::Composite(def));
                self.composites.push(def);
            }
            Definition::Fluent(def) => {
                self.fluents.insert(&def.name.text, def);
            }
            Definition::Assert(def) => {
                self.assertions.insert(&def.name.text, def);
                self.asserts.push(def);
            }
            Definition::Progress(def) => self.progress.push(def),
            Definition::Menu(_) => {}
        }
        Ok(())
    }

    /// The parameters of a definition with the values of the arguments, or with their default
    /// values if there are none.
    pub fn arguments(&self, name: &Name, params: &[Param], values: &[Value]) -> Result<Env, Fault> {
        if !values.is_empty() && values.len() != params.len() {
            let message = format!(
                "`{}` has {}, but {} given",
                name.text,
                counted(params.len(), "parameter"),
                match values.len() {
                    1 => "1 argument is".to_owned(),
                    n => format!("{n} arguments are"),
                }
            );
            return Err(fault(Code::Arity, name.span, message));
        }
        let mut env = Env::default();
        for (i, param) in params.iter().enumerate() {
            let value = match values.get(i) {
                Some(value) => value.clone(),
                None => self.value(&param.default, &env)?,
            };
            env.push(param.name.text.clone(), value);
        }
        Ok(env)
    }
}

fn counted(n: usize, word: &str) -> String {
    match n {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    }
}

/// Names of one table must differ.
fn table_and_name(definition: &Definition) -> (u8, &Name) {
    match definition {
        Definition::Const(def) => (0, &def.name),
        Definition::Range(def) => (1, &def.name),
        Definition::Set(def) => (2, &def.name),
        Definition::Process(def) => (3, &def.name),
        Definition::Composite(def) => (3, &def.name),
        Definition::Progress(def) => (4, &def.name),
        Definition::Menu(def) => (5, &def.name),
        Definition::Fluent(def) => (6, &def.name),
        Definition::Assert(def) => (6, &def.name),
    }
}
