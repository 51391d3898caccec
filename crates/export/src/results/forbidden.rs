//! What a changed process must not do, for people.

use resy_automata::lts::Label;
use resy_certificate::changed::{Called, Forbidden, ModuleMove};
use resy_index::Id;
use resy_system::System;

/// What a step is called.
pub fn name(label: Label, actions: &[Called]) -> &str {
    called(label, actions).map_or("(internal step)", |called| &called.name)
}

/// The run of the process alone up to what is forbidden, a line for each step.
pub fn steps(forbidden: &Forbidden, actions: &[Called], system: &System) -> Vec<String> {
    let place = |label| {
        let places = called(label, actions).into_iter().flat_map(|called| &called.places);
        let place = places.copied().find(|place| place.line > 0);
        place.map_or_else(String::new, |place| format!("  {}", system.location(place)))
    };
    let line = |step: &ModuleMove| {
        let idles = if step.idles { " (of the environment alone)" } else { "" };
        format!("{}{idles}{}", name(step.label, actions), place(step.label))
    };
    forbidden.run.iter().chain([&forbidden.last]).map(line).collect()
}

fn called(label: Label, actions: &[Called]) -> Option<&Called> {
    label.action().and_then(|action| actions.get(action.index()))
}
