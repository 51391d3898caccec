//! Progress and formulas about infinite runs, on the product of all processes and properties.

use super::replay;
use crate::counterexample::Counterexample;
use resy_automata::fair::{FairLasso, FairOutcome, Valued, lasso_into, terminal_sets, unfair_to};
use resy_automata::ltl::{LassoWord, TemporalFormula, translate};
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Action;
use resy_automata::product::{
    Explored, Explorer, Preference, Product, parts_while, product_of_while, product_while,
};
use resy_fsp::Composition;
use resy_fsp::formula::Assertion;
use resy_fsp::networks::is_visible;
use resy_fsp::progress::ProgressProperty;
use resy_index::{Id as _, IndexVec};
use resy_system::Property;
use std::collections::BTreeSet;

/// Actions of a terminal set are listed up to this many.
const MAX_LISTED: usize = 12;

/// What a check under fair choice has found.
pub(crate) enum FairAnswer {
    /// It holds; the size of the product.
    Holds(Explored),
    /// A run violates it.
    Fails(Counterexample),
    /// It is out of reach, for this reason.
    OutOfReach(String),
    /// The search was cancelled.
    Cancelled,
}

/// The automata of all processes and properties.
fn systems(composition: &Composition) -> Vec<&Lts> {
    let components = composition.components.iter().map(|component| &component.lts);
    components.chain(composition.properties.iter().map(|p| &p.monitor.lts)).collect()
}

/// The size of a product, whose states are numbered by their distance from the first.
fn explored(lts: &Lts) -> Explored {
    let mut distances = vec![usize::MAX; lts.n_states()];
    distances[lts.initial().index()] = 0;
    for (from, _, to) in lts.transitions() {
        let distance = distances[from.index()] + 1;
        distances[to.index()] = distances[to.index()].min(distance);
    }
    let depth = distances.into_iter().max().unwrap_or(0);
    Explored { n_states: lts.n_states(), n_transitions: lts.n_transitions(), depth }
}

/// Whether a progress property holds under fair choice.
pub(crate) fn fair_progress(
    composition: &Composition,
    property: &Property,
    progress: &ProgressProperty,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> FairAnswer {
    let explorer = explorer(composition, systems(composition), Alphabet::default());
    let Some(product) = product_of_while(&explorer, &mut *go_on) else {
        return FairAnswer::Cancelled;
    };
    let lts = &product.lts;
    let name = |action: ActionId| &*composition.actions[action].name;
    let sets = terminal_sets(lts);
    let Some(set) = sets.iter().find(|set| progress.fails_in(lts, set, name)) else {
        return FairAnswer::Holds(explored(lts));
    };
    let through = |label: Label| {
        let named = |action: ActionId| {
            progress.condition.as_ref().is_some_and(|set| set.contains(name(action)))
        };
        label.action().is_some_and(named)
    };
    let found = lasso_into(lts, set, through);
    let what = occurring(lts, set, &name);
    // All that can happen in the set is told: the set is closed, and the property fails in it.
    match replay::lasso(composition, property, &explorer, &product, &found, what) {
        Some(run) => FairAnswer::Fails(run),
        None => FairAnswer::OutOfReach("the run cannot be carried out".to_owned()),
    }
}

/// Whether a progress property is seen to hold when the processes are composed one after the other and reduced: the number
/// of states that were built. The actions of the property stay visible; whether one of them can always be reached is a
/// property of the branching time. `None` if it does not hold or `go_on` says no.
pub(crate) fn progress_by_parts(
    composition: &Composition,
    progress: &ProgressProperty,
    largest: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Option<usize> {
    let actions = composition.actions.iter_enumerated();
    let in_condition = |name: &str| progress.condition.iter().any(|set| set.contains(name));
    let is_kept = |name: &str| progress.actions.contains(name) || in_condition(name);
    let kept = actions.filter(|(_, action)| is_kept(&action.name)).map(|(id, _)| id).collect();
    let systems: Vec<Lts> = systems(composition).into_iter().cloned().collect();
    let (parts, built) = parts_while(&systems, &kept, largest, go_on)?;
    let parts: Vec<&Lts> = parts.iter().collect();
    let product = product_while(&parts, |n_states| go_on(built + n_states))?;
    let name = |action: ActionId| &*composition.actions[action].name;
    let sets = terminal_sets(&product.lts);
    let fails = sets.iter().any(|set| progress.fails_in(&product.lts, set, name));
    (!fails).then(|| built + product.lts.n_states())
}

/// The steps of these automata, under the priority of the composition. Exempt actions are not part of it.
fn explorer<'a>(
    composition: &Composition,
    systems: Vec<&'a Lts>,
    exempt: Alphabet,
) -> Explorer<'a> {
    let preference = composition.preference.clone();
    let preference = preference.map(|preference| Preference { exempt, ..preference });
    Explorer::new(systems).preferring(preference)
}

/// What occurs in a terminal set, in words.
fn occurring<'n>(lts: &Lts, set: &[StateId], name: &impl Fn(ActionId) -> &'n str) -> String {
    let steps = set.iter().flat_map(|&state| lts.transitions_from(state));
    let actions: BTreeSet<&str> = steps
        .map(|(label, _)| label.action().map_or("tau", name))
        .map(|name| if is_visible(name) { name } else { "tau" })
        .collect();
    let n = actions.len();
    let listed: Vec<&str> = actions.into_iter().take(MAX_LISTED).collect();
    let more = if n > MAX_LISTED { ", …" } else { "" };
    match n {
        0 => "the run ends in a state without steps".to_owned(),
        _ => format!(
            "from then on {} states are left, in which only these actions occur: {{{}{more}}}",
            set.len(),
            listed.join(", ")
        ),
    }
}

/// Whether all fair runs satisfy a formula.
pub(crate) fn fair_formula(
    composition: &Composition,
    property: &Property,
    assertion: &Assertion,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> FairAnswer {
    let negation = TemporalFormula::Not(Box::new(assertion.formula.clone()));
    let automaton = match translate(&negation) {
        Ok(automaton) => automaton,
        Err(why) => return FairAnswer::OutOfReach(why.to_string()),
    };
    let (free, actions) = with_free_actions(composition, assertion);
    let mut systems = systems(composition);
    systems.push(&free);
    let known = ActionId::from_index(composition.actions.len());
    let exempt: Alphabet = free.alphabet().iter().filter(|&action| action >= known).collect();
    if composition.preference.is_some() && !exempt.is_empty() {
        // They go on behind the error that ends all other steps, which the search of a priority does not know.
        let why =
            "the formula has actions that no process has, and the priority is left to the search";
        return FairAnswer::OutOfReach(why.to_owned());
    }
    let explorer = explorer(composition, systems, exempt);
    let Some(product) = product_of_while(&explorer, &mut *go_on) else {
        return FairAnswer::Cancelled;
    };
    let after = |label: Label, valuation: u64| {
        let name = label.action().map(|action| actions[action].name.as_str());
        assertion.change(name.filter(|name| is_visible(name))).apply(valuation)
    };
    let Some(valued) = Valued::of(&product.lts, assertion.initial(), after, go_on) else {
        return FairAnswer::Cancelled;
    };
    let shown = |found: &FairLasso, is_whole: bool| {
        let model = (composition, assertion);
        let run = violating(model, property, &explorer, &product, &valued, found, is_whole);
        let no_run = || FairAnswer::OutOfReach("the run cannot be carried out".to_owned());
        run.map_or_else(no_run, FairAnswer::Fails)
    };
    match unfair_to(&valued, &automaton, go_on) {
        FairOutcome::Holds => FairAnswer::Holds(explored(&product.lts)),
        FairOutcome::Cancelled => FairAnswer::Cancelled,
        FairOutcome::LongLoop(found) => shown(&found, false),
        FairOutcome::Violated(found) => shown(&found, true),
    }
}

/// The run, if it is one and the formula, by its definition, does not hold of it. The whole run is fair.
fn violating(
    (composition, assertion): (&Composition, &Assertion),
    property: &Property,
    explorer: &Explorer<'_>,
    product: &Product,
    valued: &Valued,
    found: &FairLasso,
    is_whole: bool,
) -> Option<Counterexample> {
    let letters: Vec<u64> =
        found.steps.iter().map(|(_, state)| valued.valuations[state.index()]).collect();
    let is_endless = found.loop_start < letters.len();
    let word = is_endless.then(|| LassoWord::new(letters, found.loop_start))?;
    if word.satisfies(&assertion.formula) || is_whole && !is_fair(valued, found) {
        return None;
    }
    let state = |&(label, state): &(Label, StateId)| (label, valued.states[state.index()]);
    let steps = found.steps.iter().map(state).collect();
    let plain = FairLasso { steps, loop_start: found.loop_start };
    let what = match is_whole {
        true => "the run violates the formula, and its loop takes every choice",
        false => {
            "the run violates the formula; a loop in the same states that takes every choice is too long to be shown"
        }
    };
    let what = what.to_owned();
    replay::lasso(composition, property, explorer, product, &plain, what)
}

/// Whether the loop takes every step of its states.
fn is_fair(valued: &Valued, found: &FairLasso) -> bool {
    let states = found.states(&valued.lts);
    let taken: BTreeSet<(StateId, Label, StateId)> = found.steps[found.loop_start..]
        .iter()
        .zip(&states[found.loop_start..])
        .map(|(&(label, to), &from)| (from, label, to))
        .collect();
    let sources: BTreeSet<StateId> = taken.iter().map(|step| step.0).collect();
    let mut steps = sources.iter().flat_map(|&from| {
        valued.lts.transitions_from(from).iter().map(move |&(label, to)| (from, label, to))
    });
    steps.all(|step| taken.contains(&step))
}

/// An automaton of one state with the actions that only the formula has, and the names of all
/// actions.
fn with_free_actions(
    composition: &Composition,
    assertion: &Assertion,
) -> (Lts, IndexVec<ActionId, Action>) {
    let mut actions = composition.actions.clone();
    let mut builder = LtsBuilder::new();
    let state = builder.add_state();
    for action in composition.free_actions(assertion) {
        let id = actions.push(action);
        builder.add_transition(state, Label::Visible(id), state);
    }
    (builder.finish(state, Alphabet::default()), actions)
}
