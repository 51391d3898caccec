//! Marks: states of a requirement that are special together with the environment.

use crate::cancellation::Cancellation;
use crate::requirement::Requirement;
use crate::split::Split;
use resy_automata::lts::Lts;
use resy_automata::product::{Explorer, Tuples};
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// The mark of a state of a requirement.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RequirementMark {
    /// Nothing special.
    Plain,
    /// The module never reaches it.
    Unreachable,
    /// A step from there violates the property.
    Error,
}

/// A mark for each state of a requirement. The environment may be the abstraction used in
/// synthesis, so that some unreachable states may lack their mark. `None` if requirement and
/// environment have more than `limit` states together.
pub fn marks(
    split: &Split,
    requirement: &Requirement,
    limit: usize,
) -> Option<Vec<RequirementMark>> {
    marks_while(split, requirement, limit, || true)
}

/// Like [`marks`]; `None` also if `go_on` cancels.
pub fn marks_while(
    split: &Split,
    requirement: &Requirement,
    limit: usize,
    go_on: impl FnMut() -> bool,
) -> Option<Vec<RequirementMark>> {
    let cancellation = Cancellation::new(go_on);
    if !cancellation.goes_on_now() {
        return None;
    }
    let mut marks = vec![RequirementMark::Unreachable; requirement.lts().n_states()];
    let parts = split.environment.iter().enumerate();
    let environment: Vec<Lts> = parts
        .map(|(i, part)| match requirement.environment.get(i) {
            Some(partition) => Quotient::of(&part.lts, partition.clone()).into_lts(),
            None => part.lts.clone(),
        })
        .collect();
    let systems = [requirement.lts()].into_iter().chain(&environment);
    let explorer = Explorer::new(systems.chain([&split.monitor.lts]).collect());
    let mut found = Tuples::new(environment.len() + 2);
    found.insert(&explorer.initial());
    let mut next = 0;
    while next < found.len() {
        if found.len() > limit || !cancellation.goes_on() {
            return None;
        }
        let tuple = found[Id::from_index(next)].to_vec();
        let mark = &mut marks[tuple[0].index()];
        if *mark == RequirementMark::Unreachable {
            *mark = RequirementMark::Plain;
        }
        explorer.successors(&tuple, |_, to| {
            cancellation.goes_on();
            if to.last() == Some(&split.monitor.error) {
                *mark = RequirementMark::Error;
            } else {
                found.insert(to);
            }
        });
        next += 1;
    }
    Some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Conclusion;
    use resy_automata::lts::{Alphabet, Label, LtsBuilder};
    use resy_automata::network::{Action, Component, Monitor, Network};
    use resy_automata::partition::Partition;
    use resy_index::IndexVec;

    /// A chain of two actions; the environment takes the first `n` only, and the monitor forbids
    /// the action `bad`.
    fn split(n: usize, bad: usize) -> Split {
        let chain = |n: usize| {
            let mut builder = LtsBuilder::with_states(3);
            for i in 0..n {
                let label = Label::Visible(Id::from_index(i));
                builder.add_transition(Id::from_index(i), label, Id::from_index(i + 1));
            }
            builder.finish(Id::from_index(0), [0, 1].map(Id::from_index).into_iter().collect())
        };
        let mut monitor = LtsBuilder::with_states(2);
        let label = Label::Visible(Id::from_index(bad));
        monitor.add_transition(Id::from_index(0), label, Id::from_index(1));
        let lts = monitor.finish(Id::from_index(0), Alphabet::default());
        let monitor = Monitor { lts, error: Id::from_index(1), state_names: IndexVec::new() };
        let component = |name: &str, lts| Component {
            name: name.to_owned(),
            lts,
            state_names: IndexVec::new(),
        };
        let components = [component("M", chain(2)), component("E", chain(n))];
        let actions = ["a", "b"].map(|name| Action { name: name.to_owned() });
        let network = Network::new(
            actions.into_iter().collect(),
            components.into_iter().collect(),
            Some(monitor),
            vec![Id::from_index(0)],
        );
        Split::of(&network, 100).unwrap()
    }

    #[test]
    fn what_is_never_reached_and_where_it_goes_wrong() {
        let whole = |split: &Split| {
            let all = Partition::discrete(3);
            Requirement::new(&split.module.lts, all, Conclusion::Interrupted)
        };
        let safe = split(1, 1);
        let expected =
            [RequirementMark::Plain, RequirementMark::Plain, RequirementMark::Unreachable];
        assert_eq!(marks(&safe, &whole(&safe), 100).unwrap(), expected);

        let unsafe_ = split(2, 1);
        let requirement = whole(&unsafe_);
        let expected =
            [RequirementMark::Plain, RequirementMark::Error, RequirementMark::Unreachable];
        assert_eq!(marks(&unsafe_, &requirement, 100).unwrap(), expected);
        assert_eq!(marks(&unsafe_, &requirement, 1), None);
    }
}
