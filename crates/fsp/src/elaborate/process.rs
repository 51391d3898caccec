//! Primitive processes: local states explored one by one.
//!
//! Each instance of a local process is a state with a dotted name (`BUSY.1`), and so is each
//! place between two actions; as in LTSA, every label of a choice has its own copy of what
//! follows. Instances that are never reached count as well: their actions belong to the
//! alphabet.

use super::compiler::Compiler;
use super::fault::{Fault, fault};
use super::instances::{Followed, Instances};
use super::value::{Env, Value};
use crate::ast::{Branch, Call, LabelExpr, Local, LocalKind, Name, ProcessDef};
use crate::diagnostic::{Code, Diagnostic};
use resy_automata::{ActionId, Label};
use resy_index::Id;
use std::collections::VecDeque;
use std::rc::Rc;

/// What a state still has to do.
enum Work<'a> {
    Choice(&'a [Branch]),
    Rest(&'a [LabelExpr], &'a Local),
}

/// What has been passed on the way to a state: a name that stands for it, or processes that
/// run before it.
enum Passed<'a> {
    Instance(usize),
    Calls(&'a [Call], Env),
}

pub(super) struct Builder<'c, 'a> {
    pub compiler: &'c mut Compiler<'a>,
    pub def: &'a ProcessDef,
    pub instances: Instances<'a>,
    pub transitions: Vec<(usize, Label, usize)>,
    pub alphabet: Vec<ActionId>,
    /// The names of the states, and the state that a state turned out to be.
    pub states: Vec<(String, Option<usize>)>,
    work: VecDeque<(usize, Work<'a>, Env)>,
    pub stop: Option<usize>,
    pub end: Option<usize>,
    pub error: Option<usize>,
}

impl<'c, 'a> Builder<'c, 'a> {
    pub fn new(
        compiler: &'c mut Compiler<'a>,
        def: &'a ProcessDef,
        env: &Env,
    ) -> Result<Self, Fault> {
        let instances = Instances::of(&compiler.scope, def, env)?;
        Ok(Self {
            compiler,
            def,
            instances,
            transitions: Vec::new(),
            alphabet: Vec::new(),
            states: Vec::new(),
            work: VecDeque::new(),
            stop: None,
            end: None,
            error: None,
        })
    }

    /// Explores all instances; the first state is the process itself.
    pub fn explore(&mut self) -> Result<usize, Fault> {
        let mut initial = 0;
        for i in 0..self.instances.len() {
            let state = self.resolve_instance(i)?;
            if i == 0 {
                initial = state;
            }
            while let Some((state, work, env)) = self.work.pop_front() {
                self.step(state, &work, &env)?;
            }
        }
        Ok(initial)
    }

    fn step(&mut self, state: usize, work: &Work<'a>, env: &Env) -> Result<(), Fault> {
        match work {
            Work::Choice(branches) => {
                for branch in *branches {
                    let open = match &branch.guard {
                        Some(guard) => self.compiler.scope.holds(guard, env)?,
                        None => true,
                    };
                    if open {
                        self.actions(state, &branch.labels, &branch.next, env)?;
                    }
                }
            }
            Work::Rest(labels, next) => self.actions(state, labels, next, env)?,
        }
        Ok(())
    }

    /// The transitions by the first of the labels; the others follow.
    fn actions(
        &mut self,
        state: usize,
        labels: &'a [LabelExpr],
        next: &'a Local,
        env: &Env,
    ) -> Result<(), Fault> {
        let Some((first, rest)) = labels.split_first() else { return Ok(()) };
        for label in self.compiler.scope.expand(first, env)? {
            self.compiler.ask(self.def.name.span)?;
            let action = self.compiler.names.id(&label.text);
            self.alphabet.push(action);
            let inner = env.with(&label.bindings);
            let target = match rest.is_empty() {
                true => self.resolve(next, &inner)?,
                false => {
                    let name = self.between(state);
                    let target = self.add_state(name)?;
                    self.work.push_back((target, Work::Rest(rest, next), inner));
                    target
                }
            };
            self.transitions.push((state, Label::Visible(action), target));
        }
        let limit = self.compiler.limits.states.saturating_mul(8);
        if self.transitions.len() > limit {
            let message = format!("`{}` has more than {limit} transitions", self.def.name.text);
            return Err(fault(Code::TooLarge, self.def.name.span, message));
        }
        Ok(())
    }

    fn resolve_instance(&mut self, instance: usize) -> Result<usize, Fault> {
        if let Followed::Done(state) = self.instances[instance].progress {
            return Ok(state);
        }
        self.instances[instance].progress = Followed::Open(0);
        let (body, env) = (self.instances[instance].body, self.instances[instance].env.clone());
        self.follow(vec![Passed::Instance(instance)], body, env)
    }

    /// The state of a behaviour.
    fn resolve(&mut self, local: &'a Local, env: &Env) -> Result<usize, Fault> {
        self.follow(Vec::new(), local, env.clone())
    }

    /// Follows names until a state is found; `passed` is what led there.
    fn follow(
        &mut self,
        mut passed: Vec<Passed<'a>>,
        mut local: &'a Local,
        mut env: Env,
    ) -> Result<usize, Fault> {
        let mut state = loop {
            self.compiler.ask(local.span)?;
            match &local.kind {
                LocalKind::Stop => break self.stop()?,
                LocalKind::End => break self.end()?,
                LocalKind::Error => break self.error()?,
                LocalKind::If(condition, then, otherwise) => {
                    match (self.compiler.scope.holds(condition, &env)?, otherwise) {
                        (true, _) => local = then,
                        (false, Some(otherwise)) => local = otherwise,
                        (false, None) => break self.stop()?,
                    }
                }
                LocalKind::Choice(branches) => {
                    let name = match passed.iter().rev().find_map(|p| match p {
                        Passed::Instance(i) => Some(self.instances[*i].key.to_string()),
                        Passed::Calls(..) => None,
                    }) {
                        Some(name) => name,
                        None => self.between(self.states.len()),
                    };
                    let state = self.add_state(name)?;
                    self.work.push_back((state, Work::Choice(branches), env));
                    break state;
                }
                LocalKind::Sequence(calls, last) => {
                    passed.push(Passed::Calls(calls, env.clone()));
                    local = last;
                }
                LocalKind::Jump(name, indices) => {
                    let values = self.compiler.scope.values(indices, &env)?;
                    let Some(instance) = self.instances.find(&name.text, &values) else {
                        self.out_of_range(name, &values, local)?;
                        break self.error()?;
                    };
                    match self.instances[instance].progress {
                        Followed::Done(state) => break state,
                        Followed::Open(at) => break self.again(instance, at, &passed, local)?,
                        Followed::New => {}
                    }
                    self.instances[instance].progress = Followed::Open(passed.len());
                    passed.push(Passed::Instance(instance));
                    (local, env) =
                        (self.instances[instance].body, self.instances[instance].env.clone());
                }
            }
        };
        for step in passed.into_iter().rev() {
            match step {
                Passed::Calls(calls, env) => state = self.before(calls, &env, state)?,
                Passed::Instance(i) => {
                    if let Some(placeholder) = self.instances[i].placeholder {
                        self.states[placeholder].1 = Some(state);
                    }
                    self.instances[i].progress = Followed::Done(state);
                }
            }
        }
        Ok(state)
    }

    /// A name that is being followed is met again: fine if processes run in between.
    fn again(
        &mut self,
        instance: usize,
        at: usize,
        passed: &[Passed<'a>],
        local: &Local,
    ) -> Result<usize, Fault> {
        let guarded =
            passed.get(at..).is_some_and(|p| p.iter().any(|p| matches!(p, Passed::Calls(..))));
        if !guarded {
            return Err(self.unguarded(local));
        }
        if let Some(placeholder) = self.instances[instance].placeholder {
            return Ok(placeholder);
        }
        let name = self.instances[instance].key.to_string();
        let placeholder = self.add_state(name)?;
        self.instances[instance].placeholder = Some(placeholder);
        Ok(placeholder)
    }

    pub fn unguarded(&self, local: &Local) -> Fault {
        let message = format!("`{}` has no first action: it leads to itself", self.def.name.text);
        let mut fault = fault(Code::Unguarded, local.span, message);
        fault.hint = Some("put an action before it, as in `P = (a -> P).`".to_owned());
        fault
    }

    /// The calls, one after the other, and then `state`.
    fn before(&mut self, calls: &'a [Call], env: &Env, state: usize) -> Result<usize, Fault> {
        let mut next = state;
        for call in calls.iter().rev() {
            let args = self.compiler.scope.values(&call.args, env)?;
            let machine = self.compiler.sequential(call, &args)?;
            self.alphabet.extend(machine.lts.alphabet().iter());
            let mut copies = Vec::with_capacity(machine.lts.n_states());
            for old in machine.lts.states() {
                self.compiler.ask(call.name.span)?;
                copies.push(if machine.end == Some(old) {
                    next
                } else if machine.error == Some(old) {
                    self.error()?
                } else {
                    let name = format!("{}.{}", machine.name, machine.state_names[old]);
                    self.add_state(name)?
                });
            }
            for (source, label, target) in machine.lts.transitions() {
                self.transitions.push((copies[source.index()], label, copies[target.index()]));
            }
            next = copies[machine.lts.initial().index()];
        }
        Ok(next)
    }

    fn out_of_range(&mut self, name: &Name, values: &[Value], local: &Local) -> Result<(), Fault> {
        if !self.instances.has(&name.text) {
            return Err(self.instances.no_such_local(&self.compiler.scope, name));
        }
        let values: String = values.iter().map(|value| format!("[{value}]")).collect();
        let message = format!("`{}{values}` is not declared: the step leads to `ERROR`", name.text);
        let diagnostic = Diagnostic::new(Code::OutOfRange, local.span, message);
        let hint = "a guard keeps the index in its range: `when (…) a -> …`";
        self.compiler.warn_once(diagnostic.hint(hint));
        Ok(())
    }
}

/// The name of a process with arguments: `CLIENT(1)`.
pub(super) fn called(name: &str, args: &[Value]) -> String {
    if args.is_empty() {
        return name.to_owned();
    }
    let args: Vec<Rc<str>> = args.iter().map(|arg| arg.to_string().into()).collect();
    format!("{name}({})", args.join(","))
}
