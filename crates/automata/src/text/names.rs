//! From names to actions.

use crate::lts::ActionId;
use crate::network::Action;
use resy_index::IndexVec;
use rustc_hash::FxHashMap;

/// Actions by name: one action per name, over all automata that are read.
#[derive(Clone, Debug, Default)]
pub struct ActionNames {
    actions: IndexVec<ActionId, Action>,
    ids: FxHashMap<String, ActionId>,
}

impl ActionNames {
    /// No actions yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The action with this name; a new one if there is none yet.
    pub fn id(&mut self, name: &str) -> ActionId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.actions.push(Action { name: name.to_owned() });
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The name of an action.
    pub fn name(&self, id: ActionId) -> &str {
        &self.actions[id].name
    }

    /// All actions.
    pub fn into_actions(self) -> IndexVec<ActionId, Action> {
        self.actions
    }
}
