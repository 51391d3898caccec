//! Labels, sets and indices expanded to all that they stand for.

use super::fault::{Fault, fault, undefined};
use super::scope::{LabelSet, Scope};
use super::value::{Env, Value};
use crate::ast::{Domain, LabelExpr, LabelIndex, LabelPart, Name, SetExpr, SetKind, ValueExprKind};
use crate::diagnostic::Code;
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// More labels than this in one place are refused.
const MAX_LABELS: usize = 1 << 18;

/// A label, and what its indices bind.
#[derive(Clone, Debug)]
pub(crate) struct Expanded {
    pub text: Rc<str>,
    pub bindings: Vec<(Rc<str>, Value)>,
}

/// A label under construction.
#[derive(Clone, Default)]
struct Partial {
    text: String,
    bindings: Vec<(Rc<str>, Value)>,
}

impl Scope<'_> {
    /// All labels that an expression stands for. A variable that is bound here is known only
    /// after the whole label.
    pub fn expand(&self, labels: &LabelExpr, env: &Env) -> Result<Vec<Expanded>, Fault> {
        let mut partials = vec![Partial::default()];
        for part in &labels.parts {
            let (variable, texts) = self.part(part, env)?;
            if let Some(name) = variable
                && env.get(&name.text).is_some()
            {
                let message = format!("variable `{}` is bound twice", name.text);
                return Err(fault(Code::Redefined, name.span, message));
            }
            if partials.len().saturating_mul(texts.len()) > MAX_LABELS {
                return Err(too_many(labels.span));
            }
            let extend = |partial: &Partial| -> Vec<Partial> {
                texts.iter().map(|value| partial.and(value, variable)).collect()
            };
            partials = partials.iter().flat_map(extend).collect();
        }
        if let Some(without) = &labels.without {
            let without: FxHashSet<Rc<str>> = self.set(without, env)?.iter().cloned().collect();
            partials.retain(|partial| !without.contains(&*partial.text));
        }
        let finish = |p: Partial| Expanded { text: p.text.into(), bindings: p.bindings };
        Ok(partials.into_iter().map(finish).collect())
    }

    /// All texts of a part of a label, and the variable that takes their values.
    fn part<'p>(
        &self,
        part: &'p LabelPart,
        env: &Env,
    ) -> Result<(Option<&'p Name>, Vec<Value>), Fault> {
        match part {
            LabelPart::Word(name) => Ok((None, vec![Value::Label(name.text.clone())])),
            LabelPart::Set(set) => {
                Ok((None, self.set(set, env)?.iter().cloned().map(Value::Label).collect()))
            }
            LabelPart::Index(index) => self.index(index, env),
        }
    }

    /// All values of an index, and the variable that takes them.
    pub fn index<'p>(
        &self,
        index: &'p LabelIndex,
        env: &Env,
    ) -> Result<(Option<&'p Name>, Vec<Value>), Fault> {
        match index {
            LabelIndex::Binder(variable, domain) => {
                Ok((variable.as_ref(), self.domain(domain, env)?))
            }
            LabelIndex::Value(expr) => {
                if let ValueExprKind::Constant(name) = &expr.kind
                    && env.get(&name.text).is_none()
                    && !self.constants.contains_key(&*name.text)
                {
                    return Ok((None, self.named_domain(name)?));
                }
                Ok((None, vec![self.value(expr, env)?]))
            }
        }
    }

    fn domain(&self, domain: &Domain, env: &Env) -> Result<Vec<Value>, Fault> {
        match domain {
            Domain::Named(name) => self.named_domain(name),
            Domain::Range(low, high) => {
                let bounds = (self.int(low, env)?, self.int(high, env)?);
                numbers(bounds, low.span.to(high.span))
            }
            Domain::Set(set) => Ok(self.set(set, env)?.iter().map(Value::of_label).collect()),
        }
    }

    fn named_domain(&self, name: &Name) -> Result<Vec<Value>, Fault> {
        if let Some(&bounds) = self.ranges.get(&*name.text) {
            return numbers(bounds, name.span);
        }
        match self.sets.get(&*name.text) {
            Some(set) => Ok(set.iter().map(Value::of_label).collect()),
            None => {
                let known = self.ranges.keys().chain(self.sets.keys()).copied();
                Err(undefined("range, set or constant", &name.text, name.span, known))
            }
        }
    }

    /// The members of a set.
    pub fn set(&self, set: &SetExpr, env: &Env) -> Result<LabelSet, Fault> {
        match &set.kind {
            SetKind::Named(name) => match self.sets.get(&*name.text) {
                Some(members) => Ok(members.clone()),
                None => Err(self.no_set(name)),
            },
            SetKind::Members(members) => {
                let mut labels = Vec::new();
                let mut known = FxHashSet::default();
                for member in members {
                    let expanded = self.expand(member, env)?.into_iter().map(|e| e.text);
                    labels.extend(expanded.filter(|label| known.insert(label.clone())));
                    if labels.len() > MAX_LABELS {
                        return Err(too_many(set.span));
                    }
                }
                Ok(labels.into())
            }
        }
    }

    fn no_set(&self, name: &Name) -> Fault {
        let known = self.sets.keys().copied();
        let mut fault = undefined("set", &name.text, name.span, known);
        let hint = match self.ranges.contains_key(&*name.text) {
            true => format!("`{0}` is a range: write `[{0}]`", name.text),
            false => format!(
                "names of actions begin with a small letter: `{}`",
                name.text.to_ascii_lowercase()
            ),
        };
        fault.hint.get_or_insert(hint);
        fault
    }

    /// All combinations of the values of indices: the texts in order, and the bindings.
    pub fn combinations(
        &self,
        indices: &[LabelIndex],
        env: &Env,
        span: Span,
    ) -> Result<Vec<(Vec<Value>, Env)>, Fault> {
        let mut all = vec![(Vec::new(), env.clone())];
        for index in indices {
            let mut next = Vec::new();
            for (values, env) in &all {
                let (variable, domain) = self.index(index, env)?;
                if next.len().saturating_add(domain.len()) > MAX_LABELS {
                    return Err(too_many(span));
                }
                for value in domain {
                    let mut env = env.clone();
                    if let Some(name) = variable {
                        env.push(name.text.clone(), value.clone());
                    }
                    let mut values: Vec<Value> = values.clone();
                    values.push(value);
                    next.push((values, env));
                }
            }
            all = next;
        }
        Ok(all)
    }
}

impl Partial {
    fn and(&self, value: &Value, variable: Option<&Name>) -> Self {
        let dot = if self.text.is_empty() { "" } else { "." };
        let mut bindings = self.bindings.clone();
        bindings.extend(variable.map(|name| (name.text.clone(), value.clone())));
        Self { text: format!("{}{dot}{value}", self.text), bindings }
    }
}

fn numbers((low, high): (i32, i32), span: Span) -> Result<Vec<Value>, Fault> {
    let size = i64::from(high) - i64::from(low) + 1;
    if size > MAX_LABELS as i64 {
        return Err(too_many(span));
    }
    Ok((low..=high).map(Value::Int).collect())
}

fn too_many(span: Span) -> Fault {
    fault(Code::TooLarge, span, format!("more than {MAX_LABELS} values or labels"))
}
