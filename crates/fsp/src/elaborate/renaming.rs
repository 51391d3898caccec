//! What prefixes, sharing, relabelling and hiding do to the parts of a composite.

use super::compiler::Compiler;
use super::fault::{Fault, fault};
use super::machine::{Machine, prefixed};
use super::relation::Relation;
use crate::diagnostic::Code;
use crate::source::Span;
use resy_automata::{ActionId, Alphabet};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A part may have so many times more steps by new names than a process may have states.
const MOST_IMAGES: usize = 4;

impl Compiler<'_> {
    /// The parts, those of a composite as one where the relabelling gives several of its actions
    /// one name: in its product these are steps of their own, but parts with one name for them
    /// would synchronise. LTSA builds the product of such a composite as well.
    pub fn joined(
        &mut self,
        parts: Vec<Machine>,
        relation: &mut Relation,
        span: Span,
    ) -> Result<Vec<Machine>, Fault> {
        let mut joined: Vec<Machine> = Vec::new();
        let same = |a: &Machine, b: &Machine| {
            a.origin.is_some() && a.origin.map(|c| c.id) == b.origin.map(|c| c.id)
        };
        for group in parts.chunk_by(same) {
            if group.len() < 2 || !self.joins_actions(group, relation) {
                joined.extend_from_slice(group);
                continue;
            }
            let name =
                group[0].origin.map(|c| group[0].groups[c.group].clone()).unwrap_or_default();
            let limit = self.limits.product;
            let whole = self.product(&name, group, None).ok_or_else(|| {
                let message = format!(
                    "a relabelling that gives actions of `{name}` one name needs the product of \
                     its parts, which has more than {limit} states"
                );
                fault(Code::Refused, span, message)
            });
            joined.push(whole?);
        }
        Ok(joined)
    }

    fn joins_actions(&mut self, group: &[Machine], relation: &mut Relation) -> bool {
        let go_on = || self.diagnostics.go_on();
        relation.joins_actions(group, &mut self.names, &go_on)
    }

    /// The part with all images of its labels.
    pub fn renamed(
        &self,
        part: &Machine,
        images: impl FnMut(ActionId) -> Vec<ActionId>,
        span: Span,
    ) -> Result<Machine, Fault> {
        let renamed = part.renamed(images, self.most_images(), &|| self.diagnostics.go_on());
        renamed.ok_or_else(|| self.too_many_images(part, span))
    }

    fn most_images(&self) -> usize {
        self.limits.states.saturating_mul(MOST_IMAGES)
    }

    fn too_many_images(&self, part: &Machine, span: Span) -> Fault {
        let (name, most) = (&part.name, self.most_images());
        let message = format!("`{name}` would have more than {most} steps by new names");
        fault(Code::TooLarge, span, message)
    }

    /// The parts with `prefix` before all labels; hidden actions of the copy are its own.
    pub fn prefixed(
        &mut self,
        parts: &[Machine],
        prefix: &str,
        span: Span,
    ) -> Result<Vec<Machine>, Fault> {
        let mut names = std::mem::take(&mut self.names);
        let mut own: FxHashMap<ActionId, ActionId> = FxHashMap::default();
        let mut rename = |action: ActionId| {
            let text = names.text(action).clone();
            if !names.is_hidden(action) {
                return vec![names.id(&format!("{prefix}.{text}"))];
            }
            let base = format!("{prefix}.{}", text.trim_start_matches('\\'));
            vec![*own.entry(action).or_insert_with(|| names.hidden(&base))]
        };
        let renamed = parts.iter().map(|part| {
            let mut part = self.renamed(part, &mut rename, span)?;
            part.name = prefixed(prefix, &part.name);
            for group in &mut part.groups {
                *group = prefixed(prefix, group);
            }
            Ok(part)
        });
        let renamed: Result<Vec<Machine>, Fault> = renamed.collect();
        self.names = names;
        renamed
    }

    /// The part with each step by `n` as a step by `a.n` for every label `a`.
    pub fn shared(
        &mut self,
        part: &Machine,
        labels: &[Rc<str>],
        span: Span,
    ) -> Result<Machine, Fault> {
        let n_actions = part.lts.alphabet().iter().count();
        if labels.len().saturating_mul(n_actions) > self.most_images() {
            return Err(self.too_many_images(part, span));
        }
        let mut names = std::mem::take(&mut self.names);
        let images = |action| {
            if names.is_hidden(action) {
                return vec![action];
            }
            let text = names.text(action).clone();
            let labels = labels.iter().take_while(|_| self.diagnostics.go_on());
            labels.map(|label| names.id(&format!("{label}.{text}"))).collect()
        };
        let shared = self.renamed(part, images, span);
        self.names = names;
        let mut shared = shared?;
        let by = format!("{{{}}}::", labels.join(","));
        shared.name.insert_str(0, &by);
        for group in &mut shared.groups {
            group.insert_str(0, &by);
        }
        Ok(shared)
    }

    /// The part after a relabelling. Hidden actions stay.
    pub fn relabelled_by(
        &mut self,
        part: &Machine,
        relation: &mut Relation,
        span: Span,
    ) -> Result<Machine, Fault> {
        let mut names = std::mem::take(&mut self.names);
        let relabelled = self.renamed(part, |action| relation.images(action, &mut names), span);
        self.names = names;
        relabelled
    }

    /// Hides actions: internal where one part has them, else a name of their own.
    pub fn hide(
        &mut self,
        parts: &mut [Machine],
        hidden: &Alphabet,
        span: Span,
    ) -> Result<(), Fault> {
        let mut owners: FxHashMap<ActionId, (usize, bool)> = FxHashMap::default();
        for part in parts.iter() {
            for action in part.lts.alphabet().iter().filter(|&a| hidden.contains(a)) {
                let entry = owners.entry(action).or_insert((0, false));
                *entry = (entry.0 + 1, entry.1 || part.is_property);
            }
        }
        let is_internal = |action: &ActionId| owners.get(action) == Some(&(1, false));
        let internal: Alphabet = hidden.iter().filter(is_internal).collect();
        let mut own: FxHashMap<ActionId, ActionId> = FxHashMap::default();
        for action in hidden.iter().filter(|&a| !internal.contains(a)) {
            let text = self.names.text(action).clone();
            own.insert(action, self.names.hidden(&text));
        }
        for part in parts {
            let rename = |action| vec![own.get(&action).copied().unwrap_or(action)];
            *part = self.renamed(&part.hiding(&internal), rename, span)?;
        }
        Ok(())
    }
}
