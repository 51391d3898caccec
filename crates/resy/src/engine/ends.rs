//! Invalid end states in components: is there a state of the product without steps in which a process is not at its end?
//!
//! The product of the components is the state graph of the program, so a run of the program ends where no component
//! can take a step. Where every process may end, all of them together get a step that changes nothing; what is left
//! without steps is an invalid end. Whether there is one is decided by composing and reducing two components at a time
//! ([`deadlock_while`]), which keeps refusals and divergence. There is no certificate: the evidence is this computation.
//!
//! It is exact where nothing goes wrong, because a step that fails leads nowhere in a component; that is proved as well.
//! A step without an end (an `atomic` that loops) leads nowhere either, so that the network may have more ends than the
//! program, never fewer: a run to an invalid end is replayed in any case.

use super::method::{Method, decide};
use crate::control::Control;
use crate::counterexample::Counterexample;
use crate::model::Model;
use crate::problem::{NoProblem, Problem, Source};
use crate::question::MAX_LOCAL_STATES;
use resy_automata::lts::{ActionId, Label, Lts, LtsBuilder};
use resy_automata::network::ComponentId;
use resy_automata::product::deadlock_while;
use resy_compose::Conclusion;
use resy_index::Id;
use resy_network::DEAD;
use resy_network::Doubt;
use resy_system::Property;

/// No two parts may have more states together, and all products that are built. Products are kept until the end, with
/// all their transitions, of which a state may have hundreds: with sixteen times as many states a part, `gossip` took
/// 84 s and 9.5 GB. What is not composed is searched.
const MAX_PART: usize = 1 << 13;
const MAX_BUILT: usize = 1 << 22;

/// Asking the control takes longer than a step.
const ASK_EVERY: usize = 256;

/// What is known of the end states.
pub(super) enum Ends {
    /// No run ends where it should not. This many states were built, by this method.
    Valid(usize, Method),
    /// A run does, and it was replayed.
    Invalid(Counterexample),
    /// It is not decided, for this reason.
    Open(String),
}

/// Decides the end states of a model by these methods; `Err` if the call is wrong.
pub(super) fn ends(
    model: &Model,
    methods: &[Method],
    n_threads: usize,
    control: &Control,
) -> Result<Ends, NoProblem> {
    let open = |why: &str| Ok(Ends::Open(why.to_owned()));
    let Some(system) = model.subject().system() else { return open("it is no program") };
    if system.trace.is_some() {
        return open("an event trace must end as well, which components do not show");
    }
    if model.options.empty_channels {
        return open("channels must be empty at the end, which components do not show");
    }
    // A component that folding composes is reduced at once; without folding, the product is searched.
    let (method, largest) = match methods.contains(&Method::Folding) {
        true => (Method::Folding, MAX_PART),
        false => (Method::Product, 0),
    };
    let watched = [Property::Assertions, Property::Runtime];
    let mut problem = Problem::without_module(model, &watched, MAX_LOCAL_STATES, control)?;
    let Some(source) = &problem.source else { return open("it is no program") };
    let is_exact = |doubt: &Doubt| matches!(doubt, Doubt::ClaimAtEnd(_));
    if !source.components.doubts.iter().all(is_exact) {
        return open("the network has more runs than the program");
    }
    let systems = with_steps_at_ends(source);
    let mut n_asked = 0_usize;
    let found = deadlock_while(&systems, largest, &mut |n_states| {
        n_asked += 1;
        let is_late = n_asked.is_multiple_of(ASK_EVERY) && !control.product(n_states);
        n_states <= MAX_BUILT && !is_late
    });
    let Some(found) = found else {
        let stop = control.exceeded().map(|stop| stop.to_string());
        return Ok(Ends::Open(
            stop.unwrap_or_else(|| "the parts of the network are too large".to_owned()),
        ));
    };
    let Some(run) = found.deadlock else {
        let decision = decide(&problem, methods, n_threads, false, control);
        return match decision.verdict {
            Conclusion::Holds => Ok(Ends::Valid(found.n_states, method)),
            Conclusion::Fails(_) => open("a step may go wrong, and a run may go on behind it"),
            Conclusion::Interrupted => open("that no step goes wrong was not proved"),
        };
    };
    problem.properties = vec![Property::EndStates];
    if let Some(source) = &mut problem.source {
        source.components.network.monitor = None;
    }
    match problem.replay(&run) {
        Some(run) => Ok(Ends::Invalid(run)),
        None => open(
            "the network has a run to an invalid end, the program has not: a step goes wrong or has no end",
        ),
    }
}

/// The components; where all processes may end they can take a step together that leads nowhere else.
fn with_steps_at_ends(source: &Source<'_>) -> Vec<Lts> {
    let Source { cut, components } = source;
    let together = Label::Visible(ActionId::from_index(components.network.actions.len()));
    let extended = |id: ComponentId| {
        let lts = &components.network.components[id].lts;
        let Some(pid) = cut.parts[components.parts[id]].process else { return lts.clone() };
        let mut builder = LtsBuilder::with_states(lts.n_states());
        for (from, label, to) in lts.transitions() {
            builder.add_transition(from, label, to);
        }
        for (state, local) in components.locals[id].iter_enumerated() {
            let (proctype, location) = cut.at(pid, local[0]);
            if local[0] == DEAD || cut.system().proctypes[proctype].end_locations[location] {
                builder.add_transition(state, together, state);
            }
        }
        // A process that may end nowhere has a part in the step and refuses it.
        let alphabet = lts.alphabet().iter().chain(together.action());
        builder.finish(lts.initial(), alphabet.collect())
    };
    components.network.components.ids().map(extended).collect()
}
