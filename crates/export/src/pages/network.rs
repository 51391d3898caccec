//! The run of a network: for each step who takes part, and from which state to which.

use crate::report::PageSection;
use resy::{Counterexample, counted, step_name};
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::{Monitor, Network};
use resy_automata::product::ProductStep;
use resy_index::{Id, IndexVec};

/// A run that violates a property: for each step who takes part, and from which state to which.
pub(super) fn run(network: &Network, steps: &[ProductStep], run: &Counterexample) -> PageSection {
    let property = run.property().name();
    let errs =
        || format!("After {} the monitor is in its error state", counted(steps.len(), "step"));
    let mut sentences = vec![format!("{}.", run.what().unwrap_or_else(errs))];
    if let Some(start) = run.loop_start() {
        sentences.push(format!("The steps from {} on are repeated for ever.", start + 1));
    }
    let names = run.network_steps().map_or(&[][..], |(_, names)| names);
    let rows = moves(network, steps).into_iter().enumerate().map(|(i, moves)| {
        let name = names.get(i).cloned().unwrap_or_else(|| step_name(network, steps[i]));
        vec![(i + 1).to_string(), name, moves.join(", ")]
    });
    PageSection {
        title: format!("Counterexample: {property}"),
        sentences,
        columns: vec!["step", "action", "who takes part"],
        rows: rows.collect(),
    }
}

/// For each step who takes part, and from which state to which.
fn moves(network: &Network, steps: &[ProductStep]) -> Vec<Vec<String>> {
    let mut moves: Vec<Vec<String>> = vec![Vec::new(); steps.len()];
    let mut tell =
        |who: &str, called: &dyn Fn(StateId) -> String, path: Vec<(usize, [StateId; 2])>| {
            for (step, [from, to]) in path {
                moves[step].push(match from == to {
                    true => format!("{who} stays in {}", called(from)),
                    false => format!("{who}: {} → {}", called(from), called(to)),
                });
            }
        };
    for (id, component) in network.components.iter_enumerated() {
        let label = |step: &ProductStep| match *step {
            ProductStep::Tau(other) => (other == id).then_some(Label::Tau),
            ProductStep::Action(action) => visible(&component.lts, action),
        };
        let called = |state| state_name(&component.state_names, state);
        tell(&component.name, &called, path(&component.lts, steps, label, |_| true));
    }
    if let Some(Monitor { lts, error, state_names }) = &network.monitor {
        let label = |step: &ProductStep| match *step {
            ProductStep::Tau(_) => None,
            ProductStep::Action(action) => visible(lts, action),
        };
        let called = |state| match state == *error {
            true => "error".to_owned(),
            false => state_name(state_names, state),
        };
        tell("monitor", &called, path(lts, steps, label, |state| state == *error));
    }
    moves
}

/// An action as a label of an automaton that takes part in it.
fn visible(lts: &Lts, action: ActionId) -> Option<Label> {
    lts.alphabet().contains(action).then_some(Label::Visible(action))
}

fn state_name(names: &IndexVec<StateId, String>, state: StateId) -> String {
    names.get(state).cloned().unwrap_or_else(|| state.index().to_string())
}

/// The moves of one automaton in a run: in which steps, from which state to which. What it does depends on the
/// actions alone, not on the others, so that its path can be found alone: forwards all states where it may be, backwards
/// a way to one that ends as it should.
fn path(
    lts: &Lts,
    steps: &[ProductStep],
    label: impl Fn(&ProductStep) -> Option<Label>,
    is_end: impl Fn(StateId) -> bool,
) -> Vec<(usize, [StateId; 2])> {
    let own = steps.iter().enumerate().filter_map(|(i, step)| Some((i, label(step)?)));
    let own: Vec<(usize, Label)> = own.collect();
    let mut levels = vec![vec![lts.initial()]];
    for &(_, label) in &own {
        let before = levels[levels.len() - 1].iter();
        let mut next: Vec<StateId> =
            before.flat_map(|&from| lts.transitions_by(from, label)).map(|&(_, to)| to).collect();
        next.sort_unstable();
        next.dedup();
        levels.push(next);
    }
    let mut path = Vec::new();
    let Some(mut to) = levels.pop().into_iter().flatten().find(|&state| is_end(state)) else {
        return path;
    };
    for (level, &(step, label)) in levels.iter().zip(&own).rev() {
        let leads = |from: &&StateId| lts.transitions_by(**from, label).iter().any(|t| t.1 == to);
        let Some(&from) = level.iter().find(leads) else { break };
        path.push((step, [from, to]));
        to = from;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_automata::text::network_file::read;

    #[test]
    fn of_several_ways_one_is_told_that_ends_in_the_error() {
        // At `a` the monitor may go to 1 or to 2, and only 2 leads to the error.
        let text = "network
component P
  des (0, 3, 3)
  (0, a, 1)
  (0, a, 2)
  (2, b, 0)
monitor
  des (0, 7, 4)
  (0, a, 1)
  (0, a, 2)
  (1, b, 1)
  (2, b, 3)
  (0, b, 0)
  (1, a, 1)
  (2, a, 2)
  error 3
";
        let network = read("x.net", text, &[], &mut |_| Err(String::new())).expect("a network").0;
        let actions = network.actions.ids().map(ProductStep::Action);
        let told = moves(&network, &actions.collect::<Vec<_>>());
        let told: Vec<String> = told.iter().map(|moves| moves.join(", ")).collect();
        assert_eq!(told, ["P: 0 → 2, monitor: 0 → 2", "P: 2 → 0, monitor: 2 → error"]);
    }
}
