//! Relabellings and sets of actions: both match whole dotted prefixes.

use super::fault::Fault;
use super::machine::Machine;
use super::names::Names;
use super::scope::Scope;
use super::value::Env;
use crate::ast::{Hide, Relabel, SetExpr};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use resy_automata::{ActionId, Alphabet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A relabelling: old labels, or prefixes of labels, with their new ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relation {
    new: FxHashMap<Rc<str>, Vec<Rc<str>>>,
    /// The old labels in order, where they stand, and whether they occurred.
    old: Vec<(Rc<str>, Span)>,
    used: FxHashSet<Rc<str>>,
    /// New labels with their old ones.
    pairs: FxHashSet<(Rc<str>, Rc<str>)>,
}

impl Relation {
    /// The relation that the elements of a relabelling describe.
    pub fn of(scope: &Scope<'_>, elements: &[Relabel], env: &Env) -> Result<Self, Fault> {
        let mut relation = Self::default();
        relation.add(scope, elements, env)?;
        Ok(relation)
    }

    fn add(&mut self, scope: &Scope<'_>, elements: &[Relabel], env: &Env) -> Result<(), Fault> {
        for element in elements {
            match element {
                Relabel::Pair(new, old) => {
                    // Variables of the new label are known in the old one.
                    for new in scope.expand(new, env)? {
                        let inner = env.with(&new.bindings);
                        for label in scope.expand(old, &inner)? {
                            self.pair(new.text.clone(), label.text, old.span);
                        }
                    }
                }
                Relabel::Forall(indices, elements) => {
                    let span = indices_span(elements);
                    for (_, env) in scope.combinations(indices, env, span)? {
                        self.add(scope, elements, &env)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn pair(&mut self, new: Rc<str>, old: Rc<str>, span: Span) {
        let known = self.new.entry(old.clone()).or_default();
        if known.is_empty() {
            self.old.push((old.clone(), span));
        }
        if self.pairs.insert((new.clone(), old)) {
            known.push(new);
        }
    }

    /// What an action becomes; the longest matching prefix counts.
    pub fn images(&mut self, action: ActionId, names: &mut Names) -> Vec<ActionId> {
        let text = names.text(action).clone();
        let Some(prefix) = prefixes(&text).find(|prefix| self.new.contains_key(*prefix)) else {
            return vec![action];
        };
        self.used.insert(prefix.into());
        let rest = &text[prefix.len()..];
        self.new[prefix].iter().map(|new| names.id(&format!("{new}{rest}"))).collect()
    }

    /// Whether two actions get one name, and not one part alone has both; as far as `go_on`, which is called for each
    /// action, does not say no.
    pub fn joins_actions(
        &mut self,
        parts: &[Machine],
        names: &mut Names,
        go_on: &dyn Fn() -> bool,
    ) -> bool {
        let mut seen: FxHashMap<ActionId, (FxHashSet<ActionId>, FxHashSet<usize>)> =
            FxHashMap::default();
        for (i, part) in parts.iter().enumerate() {
            for action in part.lts.alphabet().iter().take_while(|_| go_on()) {
                for image in self.images(action, names) {
                    let (actions, owners) = seen.entry(image).or_default();
                    actions.insert(action);
                    owners.insert(i);
                }
            }
        }
        seen.values().any(|(actions, owners)| actions.len() > 1 && owners.len() > 1)
    }

    /// A warning for every element of which no old label occurred.
    pub fn without_effect(&self) -> impl Iterator<Item = Diagnostic> {
        let mut spans: FxHashMap<Span, (bool, &Rc<str>)> = FxHashMap::default();
        for (old, span) in &self.old {
            let entry = spans.entry(*span).or_insert((false, old));
            entry.0 |= self.used.contains(old);
        }
        let mut unused: Vec<(Span, &Rc<str>)> = spans
            .into_iter()
            .filter(|(_, (used, _))| !used)
            .map(|(s, (_, old))| (s, old))
            .collect();
        unused.sort();
        unused.into_iter().map(|(span, old)| {
            let message = format!("no part has an action `{old}`: the relabelling has no effect");
            let diagnostic = Diagnostic::new(Code::NoEffect, span, message);
            diagnostic.hint("a relabelling is `/{new/old}`")
        })
    }
}

fn indices_span(elements: &[Relabel]) -> Span {
    match elements.first() {
        Some(Relabel::Pair(new, _)) => new.span,
        Some(Relabel::Forall(_, inner)) => indices_span(inner),
        None => Span::default(),
    }
}

/// The label itself, and then its shorter dotted prefixes. A hidden action has none.
fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    let start = if text.starts_with('\\') { None } else { Some(text) };
    std::iter::successors(start, |prefix| prefix.rfind('.').map(|dot| &prefix[..dot]))
}

/// The actions of `alphabet` that a set names, by themselves or by a prefix.
pub(crate) fn matching(
    scope: &Scope<'_>,
    set: &SetExpr,
    env: &Env,
    alphabet: &Alphabet,
    names: &Names,
) -> Result<Alphabet, Fault> {
    let members: FxHashSet<Rc<str>> = scope.set(set, env)?.iter().cloned().collect();
    let named = |action: &ActionId| prefixes(names.text(*action)).any(|p| members.contains(p));
    Ok(alphabet.iter().filter(named).collect())
}

/// The actions of `alphabet` that are hidden.
pub(crate) fn hidden(
    scope: &Scope<'_>,
    hide: &Hide,
    env: &Env,
    alphabet: &Alphabet,
    names: &Names,
) -> Result<Alphabet, Fault> {
    let named = matching(scope, &hide.set, env, alphabet, names)?;
    if !hide.expose {
        return Ok(named);
    }
    let others = alphabet.without(&named);
    Ok(others.iter().filter(|&action| !names.is_hidden(action)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_end_at_dots() {
        assert_eq!(prefixes("a.bc.1").collect::<Vec<_>>(), ["a.bc.1", "a.bc", "a"]);
        assert_eq!(prefixes("\\a.b").count(), 0);
    }
}
