//! A requirement as JSON.

use super::Described;
use serde_json::{Value, json};

impl Described {
    /// The requirement as JSON.
    pub fn to_json(&self) -> Value {
        let states = self.states.iter().enumerate().map(|(number, state)| {
            json!({
                "state": number,
                "initial": number == self.initial,
                "mark": state.mark.word(),
                "members": state.members,
            })
        });
        let arrows = self
            .arrows
            .iter()
            .map(|arrow| json!({ "from": arrow.from, "to": arrow.to, "labels": arrow.labels }));
        json!({
            "schema": "resy/1",
            "kind": "requirement",
            "module": self.module,
            "states": states.collect::<Vec<_>>(),
            "words": self.to_words(),
            "arrows": arrows.collect::<Vec<_>>(),
        })
    }
}
