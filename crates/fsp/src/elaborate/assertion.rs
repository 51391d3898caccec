//! Formulas, fluents and progress properties with their values.

use super::compiler::Compiler;
use super::fault::{Fault, fault, undefined};
use super::machine::Machine;
use super::process::called;
use super::scope::Scope;
use super::value::{Env, Value};
use crate::ast::{
    AssertDef, AssertKind, Call, FluentDef, FormulaExpr, FormulaKind, LabelExpr, LabelIndex, Name,
    TemporalBinary, TemporalUnary,
};
use crate::diagnostic::Code;
use crate::formula::{Assertion, Proposition, WatchedFormula};
use crate::progress::ProgressProperty;
use crate::source::Span;
use resy_automata::ltl::TemporalFormula;
use resy_automata::{ActionId, LtsBuilder};
use std::collections::BTreeSet;

/// A deeper formula, with the assertions that it refers to, is refused.
const MAX_DEPTH: usize = 700;
/// A larger formula is refused.
const MAX_SIZE: usize = 4096;
/// What valuations have room for.
const MAX_PROPOSITIONS: usize = 64;

/// A formula being instantiated.
struct Instantiation<'s, 'a> {
    scope: &'s Scope<'a>,
    propositions: Vec<Proposition>,
    size: usize,
    /// The assertions that are being instantiated.
    open: Vec<&'a str>,
}

impl<'a> Scope<'a> {
    /// An assertion with these arguments.
    pub fn assertion(&self, def: &'a AssertDef, args: &[Value]) -> Result<Assertion, Fault> {
        let env = self.arguments(&def.name, &def.params, args)?;
        let mut instantiation = Instantiation {
            scope: self,
            propositions: Vec::new(),
            size: 0,
            open: vec![&def.name.text],
        };
        let formula = instantiation.formula(&def.formula, &env, 0)?;
        let name = called(&def.name.text, args);
        Ok(Assertion { name, formula, propositions: instantiation.propositions })
    }

    /// All progress properties, one for each value of their indices.
    pub fn progress(&self) -> Result<Vec<ProgressProperty>, Fault> {
        let mut all = Vec::new();
        for def in &self.progress {
            for (values, env) in self.combinations(&def.indices, &Env::default(), def.name.span)? {
                let labels = |labels: &LabelExpr| self.label_set(labels, &env);
                let condition = def.condition.as_ref().map(labels).transpose()?;
                let name = dotted(&def.name.text, &values);
                all.push(ProgressProperty { name, condition, actions: labels(&def.actions)? });
            }
        }
        Ok(all)
    }

    fn label_set(&self, labels: &LabelExpr, env: &Env) -> Result<BTreeSet<String>, Fault> {
        Ok(self.expand(labels, env)?.into_iter().map(|label| label.text.to_string()).collect())
    }
}

fn dotted(name: &str, values: &[Value]) -> String {
    values.iter().fold(name.to_owned(), |name, value| format!("{name}.{value}"))
}

impl<'a> Instantiation<'_, 'a> {
    fn formula(
        &mut self,
        expr: &'a FormulaExpr,
        env: &Env,
        depth: usize,
    ) -> Result<TemporalFormula, Fault> {
        self.size += 1;
        if self.size > MAX_SIZE || depth > MAX_DEPTH {
            let message = format!(
                "the formula has more than {MAX_SIZE} operators, or {MAX_DEPTH} inside each other"
            );
            return Err(fault(Code::TooLarge, expr.span, message));
        }
        Ok(match &expr.kind {
            FormulaKind::Named(name, indices, args) => {
                return self.named(name, indices, args, env, depth);
            }
            FormulaKind::Action(labels) => {
                let initiating = self.scope.label_set(labels, env)?;
                let names: Vec<&str> = initiating.iter().map(|label| &**label).collect();
                let name = format!("{{{}}}", names.join(", "));
                let terminating = None;
                let p = Proposition { name, initiating, terminating, initially: false };
                self.proposition(p, expr.span)?
            }
            FormulaKind::Rigid(value) => TemporalFormula::Bool(self.scope.holds(value, env)?),
            FormulaKind::Unary(op, operand) => {
                let operand = Box::new(self.formula(operand, env, depth + 1)?);
                match op {
                    TemporalUnary::Not => TemporalFormula::Not(operand),
                    TemporalUnary::Next => TemporalFormula::Next(operand),
                    TemporalUnary::Always => TemporalFormula::Always(operand),
                    TemporalUnary::Eventually => TemporalFormula::Eventually(operand),
                }
            }
            FormulaKind::Binary(op, left, right) => {
                let left = Box::new(self.formula(left, env, depth + 1)?);
                let right = Box::new(self.formula(right, env, depth + 1)?);
                match op {
                    TemporalBinary::Or => TemporalFormula::Or(left, right),
                    TemporalBinary::And => TemporalFormula::And(left, right),
                    TemporalBinary::Implies => TemporalFormula::Implies(left, right),
                    TemporalBinary::Equiv => TemporalFormula::Equiv(left, right),
                    TemporalBinary::Until => TemporalFormula::Until(left, right),
                    TemporalBinary::WeakUntil => TemporalFormula::WeakUntil(left, right),
                }
            }
            FormulaKind::Quantifier(all, indices, body) => {
                let mut instances = Vec::new();
                for (_, env) in self.scope.combinations(indices, env, expr.span)? {
                    instances.push(self.formula(body, &env, depth + 1)?);
                }
                joined(instances, *all)
            }
        })
    }

    /// A fluent, or another assertion.
    fn named(
        &mut self,
        name: &'a Name,
        indices: &'a [LabelIndex],
        args: &'a [crate::ast::ValueExpr],
        env: &Env,
        depth: usize,
    ) -> Result<TemporalFormula, Fault> {
        let scope = self.scope;
        if let Some(fluent) = scope.fluents.get(&*name.text) {
            // A range in an index stands for all its values: one of them is true.
            let mut instances = Vec::new();
            for (values, _) in scope.combinations(indices, env, name.span)? {
                instances.push(self.fluent(fluent, &values, name)?);
            }
            return Ok(joined(instances, false));
        }
        let Some(def) = scope.assertions.get(&*name.text).copied() else {
            let known = scope.fluents.keys().chain(scope.assertions.keys()).copied();
            return Err(undefined("fluent or assertion", &name.text, name.span, known));
        };
        if self.open.contains(&&*name.text) {
            let message = format!("`{}` refers to itself", name.text);
            return Err(fault(Code::Kind, name.span, message));
        }
        let values = scope.values(args, env)?;
        let env = scope.arguments(name, &def.params, &values)?;
        self.open.push(&def.name.text);
        let formula = self.formula(&def.formula, &env, depth + 1);
        self.open.pop();
        formula
    }

    fn fluent(
        &mut self,
        def: &FluentDef,
        values: &[Value],
        name: &Name,
    ) -> Result<TemporalFormula, Fault> {
        if values.len() != def.indices.len() {
            let message = format!("fluent `{}` has {} indices", name.text, def.indices.len());
            return Err(fault(Code::Arity, name.span, message));
        }
        let declared = self.scope.combinations(&def.indices, &Env::default(), def.name.span)?;
        let Some((_, env)) = declared.into_iter().find(|(known, _)| known == values) else {
            let message = format!("`{}` is not declared", dotted(&name.text, values));
            return Err(fault(Code::Value, name.span, message));
        };
        let initiating = self.scope.label_set(&def.initiating, &env)?;
        let terminating = self.scope.label_set(&def.terminating, &env)?;
        if let Some(both) = initiating.intersection(&terminating).next() {
            let message = format!("action `{both}` both begins and ends fluent `{}`", name.text);
            return Err(fault(Code::Fluent, def.name.span, message));
        }
        let initially = match &def.initially {
            Some(value) => self.scope.holds(value, &env)?,
            None => false,
        };
        let name_ = dotted(&name.text, values);
        let terminating = Some(terminating);
        self.proposition(Proposition { name: name_, initiating, terminating, initially }, name.span)
    }

    fn proposition(
        &mut self,
        proposition: Proposition,
        span: Span,
    ) -> Result<TemporalFormula, Fault> {
        let known = self.propositions.iter().position(|known| *known == proposition);
        let at = known.unwrap_or(self.propositions.len());
        if known.is_none() {
            self.propositions.push(proposition);
        }
        if at >= MAX_PROPOSITIONS {
            let message = format!("the formula has more than {MAX_PROPOSITIONS} propositions");
            return Err(fault(Code::TooLarge, span, message));
        }
        Ok(TemporalFormula::Prop(at as u32))
    }
}

/// The conjunction or the disjunction.
fn joined(formulas: Vec<TemporalFormula>, all: bool) -> TemporalFormula {
    let join = |a, b| match all {
        true => TemporalFormula::And(Box::new(a), Box::new(b)),
        false => TemporalFormula::Or(Box::new(a), Box::new(b)),
    };
    formulas.into_iter().reduce(join).unwrap_or(TemporalFormula::Bool(all))
}

impl<'a> Compiler<'a> {
    /// An `ltl_property` or `constraint` as a part of a composite.
    pub fn formula_part(
        &mut self,
        def: &'a AssertDef,
        call: &Call,
        args: &[Value],
    ) -> Result<Vec<Machine>, Fault> {
        let assertion = self.scope.assertion(def, args)?;
        let env = self.scope.arguments(&call.name, &def.params, args)?;
        let mut labels = assertion.actions();
        if let Some(extension) = &def.extension {
            labels.extend(self.scope.set(extension, &env)?.iter().map(|label| label.to_string()));
        }
        let steps: Vec<(ActionId, _)> = labels
            .iter()
            .map(|label| (self.names.id(label), assertion.change(Some(label))))
            .collect();
        let watch = match assertion.watch(&steps, false) {
            WatchedFormula::Safety(watch) => watch,
            WatchedFormula::Liveness => {
                let message = format!("`{}` is not a safety formula", assertion.name);
                return Err(fault(Code::Refused, def.name.span, message));
            }
            WatchedFormula::TooLarge(why) => {
                let message = format!("`{}` is too large: {why}", assertion.name);
                return Err(fault(Code::TooLarge, def.name.span, message));
            }
        };
        let is_property = def.kind == AssertKind::Property;
        let lts = match is_property {
            true => watch.lts,
            false => {
                let mut builder = LtsBuilder::with_states(watch.lts.n_states());
                for (source, label, target) in watch.lts.transitions() {
                    if target != watch.error {
                        builder.add_transition(source, label, target);
                    }
                }
                builder.finish(watch.lts.initial(), watch.lts.alphabet().clone())
            }
        };
        let state_names = lts.states().map(|state| format!("{state:?}")).collect();
        let machine = Machine {
            name: assertion.name,
            groups: Vec::new(),
            origin: None,
            lts,
            state_names,
            end: None,
            error: is_property.then_some(watch.error),
            is_property,
        };
        let machine = machine.reachable();
        // A formula that nothing violates has no way into `ERROR`.
        Ok(vec![if is_property { machine.into_property() } else { machine }])
    }
}
