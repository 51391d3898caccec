//! The instances of the local processes of a process, by their dotted names.
//!
//! Names decide, as in LTSA: with `set S = {[0..9], [0..9][0..9]}` the jump `PORT[x][s]` for
//! `s = 3.4` leads to `PORT.x.3.4`, whichever definition has that instance.

use super::fault::{Fault, fault, undefined};
use super::scope::Scope;
use super::value::{Env, Value};
use crate::ast::{Local, Name, ProcessDef};
use crate::diagnostic::Code;
use rustc_hash::FxHashMap;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

/// How far an instance is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Followed {
    /// Not looked at.
    New,
    /// Being followed; where it stands on the way.
    Open(usize),
    /// Its state.
    Done(usize),
}

/// An instance of a local process.
pub(super) struct Instance<'a> {
    pub key: Rc<str>,
    pub body: &'a Local,
    pub env: Env,
    pub progress: Followed,
    /// A state that stands for it while it is being followed.
    pub placeholder: Option<usize>,
}

/// All instances; the first is the process itself.
pub(super) struct Instances<'a> {
    items: Vec<Instance<'a>>,
    by_key: FxHashMap<Rc<str>, usize>,
    def: &'a ProcessDef,
}

impl<'a> Instances<'a> {
    pub fn of(scope: &Scope<'_>, def: &'a ProcessDef, env: &Env) -> Result<Self, Fault> {
        let mut instances = Self { items: Vec::new(), by_key: FxHashMap::default(), def };
        for local in &def.locals {
            for (values, env) in scope.combinations(&local.indices, env, local.name.span)? {
                let key = key(&local.name.text, &values);
                let n = instances.items.len();
                if instances.by_key.insert(key.clone(), n).is_some() {
                    let message = format!("`{key}` is defined twice");
                    return Err(fault(Code::Redefined, local.name.span, message));
                }
                let (progress, placeholder) = (Followed::New, None);
                let body = &local.body;
                instances.items.push(Instance { key, body, env, progress, placeholder });
            }
        }
        Ok(instances)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn find(&self, name: &str, values: &[Value]) -> Option<usize> {
        self.by_key.get(&key(name, values)).copied()
    }

    /// Whether there is a local process of this name, with whatever indices.
    pub fn has(&self, name: &str) -> bool {
        self.def.locals.iter().any(|local| &*local.name.text == name)
    }

    pub fn no_such_local(&self, scope: &Scope<'_>, name: &Name) -> Fault {
        let known = self.def.locals.iter().map(|local| &*local.name.text);
        let mut fault = undefined("local process", &name.text, name.span, known);
        if scope.units.contains_key(&*name.text) {
            fault.hint = Some(format!(
                "a process continues in its own local processes only; `{}; END` runs another \
                 process to its end",
                name.text
            ));
        }
        fault
    }
}

impl<'a> Index<usize> for Instances<'a> {
    type Output = Instance<'a>;
    fn index(&self, i: usize) -> &Instance<'a> {
        &self.items[i]
    }
}

impl<'a> IndexMut<usize> for Instances<'a> {
    fn index_mut(&mut self, i: usize) -> &mut Instance<'a> {
        &mut self.items[i]
    }
}

fn key(name: &str, values: &[Value]) -> Rc<str> {
    let mut key = name.to_owned();
    for value in values {
        key.push('.');
        key.push_str(&value.to_string());
    }
    key.into()
}
