//! Composites flattened: parts, prefixes, sharing, relabelling, hiding, without the product.
//!
//! A hidden action on which several parts synchronise gets a name that nothing else has; if a
//! single part has it, it becomes internal. Only priority, `deterministic` and
//! `property ||P` need the product: such a composite becomes one part, within the limits. The priority of the
//! composite that is asked for may be left to the search beyond them.

use super::compiler::Compiler;
use super::fault::{Fault, fault};
use super::machine::{Machine, Origin};
use super::process::called;
use super::product::{Rule, compose};
use super::reduce;
use super::relation::{Relation, hidden, matching};
use super::scope::Unit;
use super::value::{Env, Value};
use crate::ast::{AssertKind, Body, BodyKind, Call, CompositeDef, Modifier};
use crate::diagnostic::Code;
use crate::source::Span;
use resy_automata::Alphabet;
use std::rc::Rc;

/// Deeper nesting of composites is refused.
const MAX_DEPTH: usize = 200;
/// Deeper nesting of parts is refused; the stack of a thread with 2 MB has room for it.
const MAX_NESTING: usize = 600;

impl<'a> Compiler<'a> {
    /// The parts of a process, composite or formula by its name.
    pub fn parts(&mut self, call: &Call, env: &Env, depth: usize) -> Result<Vec<Machine>, Fault> {
        let args = self.scope.values(&call.args, env)?;
        match self.scope.units.get(&*call.name.text).copied() {
            Some(Unit::Process(def)) => Ok(vec![(*self.machine(def, call, &args)?).clone()]),
            Some(Unit::Composite(def)) => self.composite(def, call, &args, depth + 1),
            None => match self.scope.assertions.get(&*call.name.text).copied() {
                Some(def) if def.kind != AssertKind::Assert => self.formula_part(def, call, &args),
                _ => Err(self.no_such_process(call)),
            },
        }
    }

    /// The product of a composite that runs inside a process.
    pub fn whole(
        &mut self,
        def: &'a CompositeDef,
        call: &Call,
        args: &Rc<[Value]>,
    ) -> Result<Machine, Fault> {
        let parts = self.composite(def, call, args, 2)?;
        let name = called(&def.name.text, args);
        self.product(&name, &parts, None).ok_or_else(|| self.refused(def, "use in a sequence"))
    }

    fn composite(
        &mut self,
        def: &'a CompositeDef,
        call: &Call,
        args: &Rc<[Value]>,
        depth: usize,
    ) -> Result<Vec<Machine>, Fault> {
        if depth > MAX_DEPTH {
            let message = format!("composites nested more than {MAX_DEPTH} levels deep");
            let mut fault = fault(Code::TooLarge, call.name.span, message);
            fault.hint = Some("a composite that contains itself needs a condition".to_owned());
            return Err(fault);
        }
        self.composed.insert(def.name.text.clone());
        let env = self.scope.arguments(&call.name, &def.params, args)?;
        let name = called(&def.name.text, args);
        let mut parts = self.body(&def.body, &env, depth)?;
        if let Some(priority) = &def.priority {
            let alphabet = alphabet(&parts);
            let set = matching(&self.scope, &priority.set, &env, &alphabet, &self.names)?;
            let rule = Some((priority.high, &set));
            parts = match self.product(&name, &parts, rule) {
                Some(whole) => vec![whole],
                // Nothing is composed with the composite that is asked for: a search can apply its priority.
                None if depth == 1 => {
                    self.priority = Some((priority.high, set));
                    parts
                }
                None => return Err(self.refused(def, "priority")),
            };
        }
        if let Some(hide) = &def.hide {
            let hidden = hidden(&self.scope, hide, &env, &alphabet(&parts), &self.names)?;
            // LTSA analyses the composite that is asked for without its own hiding.
            if depth > 1 {
                self.hide(&mut parts, &hidden, def.name.span)?;
            }
        }
        // The same is true of modifiers.
        let mut parts = if depth == 1 { parts } else { self.modified(def, &name, parts)? };
        self.n_origins += 1;
        for part in parts.iter_mut().filter(|part| part.name != name) {
            part.groups.push(name.clone());
            part.origin = Some(Origin { id: self.n_origins, group: part.groups.len() - 1 });
        }
        Ok(parts)
    }

    /// `deterministic` and `property`; `minimal` if it is asked for.
    fn modified(
        &mut self,
        def: &CompositeDef,
        name: &str,
        parts: Vec<Machine>,
    ) -> Result<Vec<Machine>, Fault> {
        let modifier = if def.property { Some(Modifier::Deterministic) } else { def.modifier };
        let limit = self.limits.product;
        let what = if def.property { "`property`" } else { "`deterministic`" };
        let whole = match modifier {
            Some(Modifier::Deterministic) => self
                .product(name, &parts, None)
                .and_then(|whole| {
                    reduce::deterministic(&whole, &mut |n| self.may_have_states(n, limit))
                })
                .ok_or_else(|| self.refused(def, what))?,
            Some(Modifier::Minimal) if self.limits.minimise => {
                let whole = self.product(name, &parts, None);
                reduce::minimal(&whole.ok_or_else(|| self.refused(def, "`minimal`"))?)
            }
            _ => return Ok(parts),
        };
        Ok(vec![if def.property { whole.into_property() } else { whole }])
    }

    /// The product of parts, within the limits.
    pub fn product(&self, name: &str, parts: &[Machine], rule: Rule<'_>) -> Option<Machine> {
        let limit = self.limits.product;
        compose(name, parts, rule, &self.names, &mut |n| self.may_have_states(n, limit))
    }

    /// Whether something may have so many states and more.
    pub fn may_have_states(&self, n_states: usize, limit: usize) -> bool {
        n_states <= limit && self.diagnostics.go_on()
    }

    fn refused(&self, def: &CompositeDef, what: &str) -> Fault {
        let message = format!(
            "{what} of `{}` needs the product of its parts, which has more than {} states",
            def.name.text, self.limits.product
        );
        fault(Code::Refused, def.name.span, message)
    }

    /// The parts of a body; bodies inside each other have a limit, whatever they belong to.
    fn body(&mut self, body: &'a Body, env: &Env, depth: usize) -> Result<Vec<Machine>, Fault> {
        if self.nesting >= MAX_NESTING {
            let message = format!("parts nested more than {MAX_NESTING} levels deep");
            return Err(fault(Code::TooLarge, body.span, message));
        }
        self.ask(body.span)?;
        self.nesting += 1;
        let parts = self.part(body, env, depth);
        self.nesting -= 1;
        let parts = parts?;
        self.limit_parts(parts.len(), body.span)?;
        Ok(parts)
    }

    fn limit_parts(&self, n_parts: usize, span: Span) -> Result<(), Fault> {
        if n_parts <= self.limits.parts {
            return Ok(());
        }
        let message = format!("more than {} parts", self.limits.parts);
        Err(fault(Code::TooLarge, span, message))
    }

    fn part(&mut self, body: &'a Body, env: &Env, depth: usize) -> Result<Vec<Machine>, Fault> {
        let mut parts = match &body.prefix {
            None => self.kind(&body.kind, env, depth)?,
            Some(prefix) => {
                let mut parts = Vec::new();
                for label in self.scope.expand(prefix, env)? {
                    self.ask(prefix.span)?;
                    let copy = self.kind(&body.kind, &env.with(&label.bindings), depth)?;
                    parts.extend(self.prefixed(&copy, &label.text, prefix.span)?);
                    self.limit_parts(parts.len(), prefix.span)?;
                }
                parts
            }
        };
        if let Some(share) = &body.share {
            let labels: Vec<Rc<str>> =
                self.scope.expand(share, env)?.into_iter().map(|label| label.text).collect();
            let shared = parts.iter().map(|part| self.shared(part, &labels, share.span));
            parts = shared.collect::<Result<_, _>>()?;
        }
        if !body.relabel.is_empty() {
            let mut relation = Relation::of(&self.scope, &body.relabel, env)?;
            parts = self.joined(parts, &mut relation, body.span)?;
            let relabelled =
                parts.iter().map(|part| self.relabelled_by(part, &mut relation, body.span));
            parts = relabelled.collect::<Result<_, _>>()?;
            for warning in relation.without_effect() {
                self.warn_once(warning);
            }
        }
        Ok(parts)
    }

    fn kind(&mut self, kind: &'a BodyKind, env: &Env, depth: usize) -> Result<Vec<Machine>, Fault> {
        match kind {
            BodyKind::Call(call) => self.parts(call, env, depth),
            BodyKind::Group(bodies) => {
                let mut parts = Vec::new();
                for body in bodies {
                    parts.extend(self.body(body, env, depth)?);
                    self.limit_parts(parts.len(), body.span)?;
                }
                Ok(parts)
            }
            BodyKind::Forall(indices, body) => {
                let mut parts = Vec::new();
                for (_, env) in self.scope.combinations(indices, env, body.span)? {
                    parts.extend(self.body(body, &env, depth)?);
                    self.limit_parts(parts.len(), body.span)?;
                }
                Ok(parts)
            }
            BodyKind::If(condition, then, otherwise) => {
                match (self.scope.holds(condition, env)?, otherwise) {
                    (true, _) => self.body(then, env, depth),
                    (false, Some(otherwise)) => self.body(otherwise, env, depth),
                    (false, None) => Ok(Vec::new()),
                }
            }
        }
    }
}

/// The actions of all parts.
pub(super) fn alphabet(parts: &[Machine]) -> Alphabet {
    parts.iter().flat_map(|part| part.lts.alphabet().iter()).collect()
}
