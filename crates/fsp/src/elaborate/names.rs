//! The actions of a composition: names as numbers.
//!
//! A hidden action on which several parts still synchronise keeps a name of its own, which no
//! text can write: `\a`, or `\a~2` if that is taken.

use resy_automata::ActionId;
use resy_index::IndexVec;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// All actions so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    ids: FxHashMap<Rc<str>, ActionId>,
    texts: IndexVec<ActionId, Rc<str>>,
}

impl Names {
    /// The action of this name.
    pub fn id(&mut self, text: &str) -> ActionId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let text: Rc<str> = text.into();
        let id = self.texts.push(text.clone());
        self.ids.insert(text, id);
        id
    }

    /// The name of an action.
    pub fn text(&self, id: ActionId) -> &Rc<str> {
        &self.texts[id]
    }

    /// Whether an action is hidden.
    pub fn is_hidden(&self, id: ActionId) -> bool {
        self.texts[id].starts_with('\\')
    }

    /// A new hidden action; `text` may be the name of a hidden one.
    pub fn hidden(&mut self, text: &str) -> ActionId {
        let base = text.trim_start_matches('\\');
        let base = base.split('~').next().unwrap_or(base);
        let candidates = (2..).map(|n| format!("\\{base}~{n}"));
        let mut candidates = std::iter::once(format!("\\{base}")).chain(candidates);
        let fresh = candidates.find(|name| !self.ids.contains_key(&**name)).unwrap_or_default();
        self.id(&fresh)
    }
}
