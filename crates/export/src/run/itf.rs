//! A run in the Informal Trace Format of Apalache, which other tools and viewers read.
//!
//! The format requires every variable in every state, with the same type in all states. So an `mtype` is
//! a string even before its first assignment, and the variables of a process that does not exist are zero
//! or empty.

use super::values::{Typed, typed};
use super::{Act, Run};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

impl Run<'_> {
    /// The run as an ITF object. `file` is the model, `version` the version of resy.
    pub fn to_itf(&self, file: &str, version: &str) -> Value {
        let states = (0..).map_while(|i| self.state(i));
        let states: Vec<Vec<Typed>> = states.map(|state| typed(self.system, state)).collect();
        let (mut seen, mut variables) = (BTreeSet::new(), Vec::new());
        for variable in states.iter().flatten() {
            if seen.insert(&variable.name) {
                variables.push(variable);
            }
        }
        let state = |(number, values): (usize, &Vec<Typed>)| {
            let mut object = Map::new();
            object.insert("#meta".to_owned(), self.meta(number));
            for variable in &variables {
                object.insert(variable.name.clone(), variable.blank.clone());
            }
            for variable in values {
                object.insert(variable.name.clone(), variable.value.clone());
            }
            Value::Object(object)
        };
        let mut trace = json!({
            "#meta": {
                "format": "ITF",
                "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
                "source": file,
                "description": format!("resy {version}: {}: {}", self.why.property, self.why.reason),
                "status": "violation",
            },
            "vars": variables.iter().map(|variable| &variable.name).collect::<Vec<_>>(),
            "states": states.iter().enumerate().map(state).collect::<Vec<_>>(),
        });
        // The state after the last one is the one with this index.
        if let Some(start) = self.loop_start {
            trace["loop"] = start.into();
        }
        trace
    }

    /// The number of a state, and the step that leads to it.
    fn meta(&self, number: usize) -> Value {
        let mut meta = json!({ "index": number });
        let Some(event) = number.checked_sub(1).and_then(|i| self.events.get(i)) else {
            return meta;
        };
        let told = |act: &Act| {
            let name = &self.life(act).name;
            format!("{name} {}: {}", self.system.location(act.place), act.statement)
        };
        meta["step"] = told(&event.actor).into();
        if let Some(partner) = &event.partner {
            meta["partner"] = told(partner).into();
        }
        meta
    }
}
