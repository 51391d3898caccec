//! Runs of processes in FSP, carried out on the text's own automata.
//!
//! The networks of different properties have different numbers and a few actions of their own:
//! `error(P)`, and names of internal steps. A run is therefore first told in terms of the processes.

use super::{Whole, network};
use crate::control::Control;
use crate::counted::counted;
use crate::counterexample::Counterexample;
use crate::subject::FspModel;
use resy_automata::fair::FairLasso;
use resy_automata::lts::{ActionId, Label, StateId};
use resy_automata::network::{ComponentId, Network};
use resy_automata::product::{
    Explorer, Product, ProductRun, ProductStep, Safety, oldest_first, reaches_error_while,
};
use resy_fsp::networks::{internal_name, is_error_action, is_visible};
use resy_fsp::{Composition, FspProperty};
use resy_index::Id;
use resy_system::Property;
use std::collections::BTreeMap;

/// The largest number of states of automata that are stored to make a run shorter.
const SHORTENING: usize = 4_000_000;

/// The control is asked after this many states.
const ASK_EVERY: usize = 256;

/// A step in terms of the processes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OwnStep {
    /// An internal step of a process.
    Tau(ComponentId),
    /// An action, perhaps a hidden one.
    Action(String),
}

/// The steps of a network in terms of the processes, without those that tell an error.
fn own_steps(network: &Network, steps: &[ProductStep]) -> Vec<OwnStep> {
    let internal = internal_names(network);
    let own = |step: &ProductStep| match *step {
        ProductStep::Tau(component) => Some(OwnStep::Tau(component)),
        ProductStep::Action(action) => {
            let name = &network.actions[action].name;
            match internal.get(name.as_str()) {
                Some(&component) => Some(OwnStep::Tau(component)),
                None => (!is_error_action(name)).then(|| OwnStep::Action(name.clone())),
            }
        }
    };
    steps.iter().filter_map(own).collect()
}

/// The components by the names of their internal steps.
fn internal_names(network: &Network) -> BTreeMap<String, ComponentId> {
    let components = network.components.iter_enumerated();
    components.map(|(id, component)| (internal_name(&component.name), id)).collect()
}

/// Steps in terms of the processes as steps of a network.
fn in_terms_of(network: &Network, own: &[OwnStep]) -> Option<Vec<ProductStep>> {
    let actions = network.actions.iter_enumerated();
    let ids: BTreeMap<&str, ActionId> =
        actions.map(|(id, action)| (action.name.as_str(), id)).collect();
    let step = |own: &OwnStep| match own {
        OwnStep::Action(name) => ids.get(name.as_str()).map(|&id| ProductStep::Action(id)),
        OwnStep::Tau(component) => {
            let name = internal_name(&network.components.get(*component)?.name);
            let named = ids.get(name.as_str()).map(|&id| ProductStep::Action(id));
            Some(named.unwrap_or(ProductStep::Tau(*component)))
        }
    };
    own.iter().map(step).collect()
}

/// Steps as LTSA's users know them: actions, and `tau` for what cannot be seen.
fn names(composition: &Composition, own: &[OwnStep]) -> Vec<String> {
    let name = |step: &OwnStep| match step {
        OwnStep::Tau(component) => format!("tau ({})", composition.components[*component].name),
        OwnStep::Action(name) if is_visible(name) => name.clone(),
        OwnStep::Action(name) => format!("tau ({})", name.trim_start_matches('\\')),
    };
    own.iter().map(name).collect()
}

/// The steps of a counterexample as steps of the network of its property, so that it can be
/// shown who takes part.
pub(crate) fn in_network(
    model: &FspModel,
    run: &Counterexample,
) -> Option<(Network, Vec<ProductStep>)> {
    let (steps, _) = run.network_steps()?;
    let plain = plain(&model.composition, run.property());
    let own = own_steps(&plain, steps);
    let shown = network(model, std::slice::from_ref(run.property())).unwrap_or(plain);
    let steps = in_terms_of(&shown, &own)?;
    Some((shown, steps))
}

/// The processes without a monitor. The actions that only the formula of a property has are
/// actions of the network; they have the last numbers.
fn plain(composition: &Composition, property: &Property) -> Network {
    let mut actions = composition.actions.clone();
    if let Some(FspProperty::Assertion(i)) = composition.property_by_name(property.name()) {
        for action in composition.free_actions(&composition.assertions[i]) {
            actions.push(action);
        }
    }
    let components = composition.components.clone();
    Network { actions, components, monitor: None, module: Vec::new() }
}

/// A run into a deadlock.
pub(crate) fn deadlock(
    composition: &Composition,
    property: &Property,
    run: &ProductRun,
) -> Option<Counterexample> {
    let whole = Whole::of(composition);
    let last = run.states.last()?;
    let is_dead = run.is_of(&whole.explorer)
        && run.states.iter().all(|state| whole.error(state).is_none())
        && whole.explorer.n_steps(last) == 0
        && !whole.is_end(last);
    let names = names(composition, &own_steps(&plain(composition, property), &run.steps));
    let what = format!("deadlock after {}", counted(run.steps.len(), "step"));
    is_dead.then(|| Counterexample::composed(property, run.steps.clone(), names, what, None))
}

/// A run of all processes and properties into the first error.
pub(crate) fn first_violation(
    composition: &Composition,
    property: &Property,
    run: &ProductRun,
) -> Option<Counterexample> {
    let whole = Whole::of(composition);
    let automaton = whole.error(run.states.last()?)?;
    let components = &composition.components;
    let n = run.steps.len();
    let names = names(composition, &own_steps(&plain(composition, property), &run.steps));
    let by = names.last().map(|last| format!(", by `{last}`")).unwrap_or_default();
    let (violated, what) = match automaton.checked_sub(components.len()) {
        Some(i) => {
            (FspProperty::Safety(i), format!("it is violated after {}{by}", counted(n, "step")))
        }
        None => {
            let process = &components[Id::from_index(automaton)].name;
            (
                FspProperty::Errors,
                format!("process {process} is in ERROR after {}", counted(n, "step")),
            )
        }
    };
    let is_it = composition.property_by_name(property.name()) == Some(violated);
    let is_run = is_it && run.is_of(&whole.explorer);
    is_run.then(|| Counterexample::composed(property, run.steps.clone(), names, what, None))
}

/// The run of a network into an error, carried out for each property that is asked for; the
/// property that it violates first.
pub(crate) fn error(
    model: &FspModel,
    properties: &[Property],
    network: &Network,
    steps: &[ProductStep],
) -> Option<Counterexample> {
    let own = own_steps(network, steps);
    let violations = properties.iter().filter_map(|property| violates(model, property, &own));
    violations.min_by_key(Counterexample::n_steps)
}

/// Steps of the processes that violate a property.
pub(crate) fn run_to_error(
    model: &FspModel,
    property: &Property,
    steps: &[ProductStep],
) -> Option<Counterexample> {
    violates(model, property, &own_steps(&plain(&model.composition, property), steps))
}

/// The counterexample that these steps are for a property.
fn violates(model: &FspModel, property: &Property, own: &[OwnStep]) -> Option<Counterexample> {
    let composition = &model.composition;
    let network = network(model, std::slice::from_ref(property)).ok()?;
    let steps = in_terms_of(&network, own)?;
    let names = names(composition, own);
    let is_errors = composition.property_by_name(property.name()) == Some(FspProperty::Errors);
    let (n, what) = match is_errors {
        true => {
            let (n, process) = first_error(composition, &network, &steps)?;
            (n, format!("process {process} is in ERROR after {}", counted(n, "step")))
        }
        false => {
            let n = crate::counterexample::first_error(&network, &steps)?;
            let by = n.checked_sub(1).map(|last| format!(", by `{}`", names[last]));
            (n, format!("it is violated after {}{}", counted(n, "step"), by.unwrap_or_default()))
        }
    };
    let plain_steps = in_terms_of(&plain(composition, property), &own[..n])?;
    let names = names[..n].to_vec();
    Some(Counterexample::composed(property, plain_steps, names, what, None))
}

/// After how many steps a process may be in its state `ERROR`, and which one.
fn first_error(
    composition: &Composition,
    network: &Network,
    steps: &[ProductStep],
) -> Option<(usize, String)> {
    let mut states: Vec<Vec<StateId>> =
        composition.components.iter().map(|c| vec![c.lts.initial()]).collect();
    for n in 0..=steps.len() {
        let components = composition.components.iter().zip(&composition.errors).zip(&states);
        for ((component, error), states) in components {
            if error.is_some_and(|error| states.contains(&error)) {
                return Some((n, component.name.clone()));
            }
        }
        let step = *steps.get(n)?;
        for ((id, component), states) in network.components.iter_enumerated().zip(&mut states) {
            let label = match step {
                ProductStep::Tau(other) if other == id => Label::Tau,
                ProductStep::Action(action) if component.lts.alphabet().contains(action) => {
                    Label::Visible(action)
                }
                _ => continue,
            };
            let targets = states.iter().flat_map(|&from| component.lts.transitions_by(from, label));
            let mut targets: Vec<StateId> = targets.map(|step| step.1).collect();
            targets.sort_unstable();
            targets.dedup();
            if targets.is_empty() {
                return None;
            }
            *states = targets;
        }
    }
    None
}

/// A run that ends in a loop of the product, as steps of the processes; `what` says what is wrong.
pub(crate) fn lasso(
    composition: &Composition,
    property: &Property,
    explorer: &Explorer<'_>,
    product: &Product,
    lasso: &FairLasso,
    what: String,
) -> Option<Counterexample> {
    if !lasso.is_of(&product.lts) {
        return None;
    }
    let states = lasso.states(&product.lts);
    let mut steps = Vec::new();
    for (pair, (label, _)) in states.windows(2).zip(&lasso.steps) {
        let (from, to) = (&product.tuples[pair[0]], &product.tuples[pair[1]]);
        steps.push(match label {
            Label::Visible(action) => ProductStep::Action(*action),
            Label::Tau => internal_step(explorer, from, to)?,
        });
    }
    let tuples = states.iter().map(|&state| product.tuples[state].to_vec()).collect();
    let run = ProductRun { steps, states: tuples };
    if !run.is_of(explorer) {
        return None;
    }
    let names = names(composition, &own_steps(&plain(composition, property), &run.steps));
    let loop_start = Some(lasso.loop_start).filter(|&start| start < run.steps.len());
    Some(Counterexample::composed(property, run.steps, names, what, loop_start))
}

fn internal_step(explorer: &Explorer<'_>, from: &[StateId], to: &[StateId]) -> Option<ProductStep> {
    let mut found = None;
    explorer.successors(from, |step, successor| {
        if successor == to && matches!(step, ProductStep::Tau(_)) {
            found.get_or_insert(step);
        }
    });
    found
}

/// The shortest run that violates a property, if it has a monitor and the product is small enough to be
/// searched by distance: the same one whichever engine has found the violation.
pub(crate) fn shortest(
    model: &FspModel,
    property: &Property,
    control: &Control,
) -> Option<Counterexample> {
    let asked = std::slice::from_ref(property);
    let network = network(model, asked).ok().filter(|_| property.has_monitor())?;
    let most = SHORTENING / (network.components.len() + 1);
    let mut n_asked = 0_usize;
    let found = reaches_error_while(&network, oldest_first, |n_states| {
        n_asked += 1;
        let is_late = n_asked.is_multiple_of(ASK_EVERY) && !control.may_go_on();
        n_states <= most && !is_late
    });
    match found {
        Some(Safety::Trace(steps)) => error(model, asked, &network, &steps),
        _ => None,
    }
}
