//! The steps of a run as JSON.

use super::{Act, Event, Run};
use serde_json::{Map, Value, json};

impl Run<'_> {
    /// The steps of the run, in the format of `check --json`.
    pub fn to_json(&self) -> Value {
        self.events.iter().enumerate().map(|(i, event)| self.event_to_json(i, event)).collect()
    }

    fn event_to_json(&self, number: usize, event: &Event) -> Value {
        let mut step = self.act_to_json(&event.actor);
        if let Some(partner) = &event.partner {
            step["partner"] = self.act_to_json(partner);
        }
        step["changes"] = self.changes(number).into_iter().collect::<Map<_, _>>().into();
        step
    }

    fn act_to_json(&self, act: &Act) -> Value {
        let life = self.life(act);
        json!({
            "pid": life.pid,
            "process": life.proctype,
            "statement": act.statement,
            "location": self.system.location(act.place),
        })
    }
}
