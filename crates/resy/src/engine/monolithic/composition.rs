//! The search of all states of processes in FSP: the product that LTSA composes.
//!
//! Deadlock, errors and properties are decided in one search if all of them are asked for; it
//! stops at the first error, as LTSA does. What is left is decided one property after the other.

use super::{NAME, Rivals};
use crate::composed::{self, FairAnswer, Whole};
use crate::control::Control;
use crate::engine::{Account, Case, Stats};
use crate::subject::FspModel;
use crate::verdict::{Answer, Evidence, Reason, Truth, Verdict};
use resy_automata::lts::StateId;
use resy_automata::product::{
    Compressed, Entered, Explored, Explorer, ProductRun, ProductSearch, deadlock_while,
    search_deadlock_while, search_while,
};
use resy_fsp::progress::ProgressProperty;
use resy_fsp::{Composition, FspProperty};
use resy_system::{CompositionProperty, Property};
use std::sync::atomic::Ordering;

/// Larger products are left to the other engines: states of automata that are stored.
const MAX_STORED: usize = 1 << 28;

/// A product with more states is not searched for everything at once, but for each property alone; fewer if there are
/// more than 16 automata.
const MAX_TOGETHER: usize = 1 << 20;

/// A product with more states is searched for deadlocks in other ways; fewer if there are more than 16 automata.
const MAX_INTERLEAVED: usize = 1 << 18;

/// Composed one after the other, no two processes may have more states together, and all of these products.
const MAX_PART: usize = 1 << 17;
const MAX_BUILT: usize = 1 << 22;

/// The control is asked after this many states.
const ASK_EVERY: usize = 1024;

/// Decides the properties of a case.
pub(super) fn explore(
    case: &Case,
    model: &FspModel,
    control: &Control,
    rivals: Option<&dyn Rivals>,
) -> Account {
    let mut search = Exploration {
        case,
        model,
        control,
        rivals,
        answers: Vec::new(),
        stats: Stats::default(),
        seen: Explored::default(),
    };
    let properties = &case.model.selection.properties;
    search.decide_together(properties);
    for property in properties {
        search.decide(property);
    }
    search.account(properties)
}

struct Exploration<'a> {
    case: &'a Case,
    model: &'a FspModel,
    control: &'a Control,
    rivals: Option<&'a dyn Rivals>,
    answers: Vec<Answer>,
    stats: Stats,
    /// How far the last search has come.
    seen: Explored,
}

/// What a search for deadlocks and errors has met.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Met {
    Deadlock,
    /// The automaton with this number is in its state `ERROR`.
    Error(usize),
}

/// Which interleavings a search for deadlocks follows.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Interleavings {
    All,
    /// As many as lead to every deadlock.
    Enough,
}

/// A number of states, fewer where a state has many parts.
fn scaled(n_states: usize, width: usize) -> usize {
    n_states / width.div_ceil(16).max(1)
}

impl<'a> Exploration<'a> {
    fn composition(&self) -> &'a Composition {
        &self.model.composition
    }

    /// Decides what LTSA's safety check is about in one search, if all of it is asked for.
    fn decide_together(&mut self, properties: &[Property]) {
        let composition = self.composition();
        let asked = composed::named(composition, properties);
        let check = composition.all_properties();
        let check: Vec<FspProperty> =
            check.into_iter().filter(|property| property.is_of_ltsas_check()).collect();
        if !check.iter().all(|property| asked.contains(property)) {
            return;
        }
        let whole = Whole::of(composition);
        let enter = |state: &[_]| match whole.error(state) {
            Some(automaton) => Entered::Found(Met::Error(automaton)),
            None => Entered::Follow,
        };
        let leave =
            |state: &[_], n_steps| (n_steps == 0 && !whole.is_end(state)).then_some(Met::Deadlock);
        let most = scaled(MAX_TOGETHER, whole.width());
        let found = {
            let mut go_on = self.go_on(whole.width(), None);
            let go_on = |seen: Explored| go_on(seen) && seen.n_states <= most;
            search_while(&whole.explorer, enter, leave, go_on)
        };
        match found {
            None if self.seen.n_states <= most => {
                let reason = self.stopped();
                for &property in &check {
                    let property = self.property(properties, property);
                    self.answer(property, Verdict::Unknown(reason.clone()));
                }
            }
            // It is too large.
            None => {}
            Some(ProductSearch::Complete(explored)) => {
                for &property in &check {
                    let property = self.property(properties, property);
                    self.holds(&property, explored);
                }
            }
            Some(ProductSearch::Found(met, run)) => {
                let n_components = composition.components.len();
                let property = match met {
                    Met::Deadlock => FspProperty::Deadlock,
                    Met::Error(i) if i < n_components => FspProperty::Errors,
                    Met::Error(i) => FspProperty::Safety(i - n_components),
                };
                let property = self.property(properties, property);
                self.fails(property, met, &run);
            }
        }
    }

    fn property(&self, properties: &[Property], wanted: FspProperty) -> Property {
        let name = self.composition().property_name(wanted);
        let found = properties.iter().find(|property| property.name() == name);
        found.expect("only properties that are asked for are decided").clone()
    }

    fn fails(&mut self, property: Property, met: Met, run: &ProductRun) {
        self.stats.depth = self.stats.depth.max(run.steps.len() as u64);
        let composition = self.composition();
        let counterexample = match met {
            Met::Deadlock => composed::deadlock(composition, &property, run),
            Met::Error(_) if composition.preference.is_some() => {
                composed::first_violation(composition, &property, run)
            }
            Met::Error(_) => composed::run_to_error(self.model, &property, &run.steps),
        };
        let counterexample =
            counterexample.expect("the product takes only steps that its processes can take");
        self.answer(property, Verdict::Fails(counterexample));
    }

    /// Decides one property, unless it is decided.
    fn decide(&mut self, property: &Property) {
        let is_decided = |answer: &Answer| answer.property == *property;
        if self.answers.iter().any(is_decided) {
            return;
        }
        let is_violated = |answer: &Answer| answer.verdict.truth() == Truth::Fails;
        if self.answers.iter().any(is_violated) && !self.case.question.exhaustive {
            self.answer(property.clone(), Verdict::Unknown(Reason::OtherViolation));
            return;
        }
        let Property::Composition { about, .. } = property else { return };
        match about {
            CompositionProperty::Deadlock => self.deadlock(property),
            CompositionProperty::Safety | CompositionProperty::SafetyFormula => {
                self.safety(property);
            }
            CompositionProperty::Progress | CompositionProperty::Formula => self.fair(property),
        }
    }

    /// The product is searched up to a limit, so that the run is a shortest one and the numbers are LTSA's. If it is
    /// larger, processes are composed one after the other and reduced, or it is searched without all interleavings.
    fn deadlock(&mut self, property: &Property) {
        let whole = Whole::of(self.composition());
        let found = self.dead_state(property, &whole, Interleavings::All);
        if found.is_some() || self.seen.n_states <= scaled(MAX_INTERLEAVED, whole.width()) {
            return self.dead(property, found);
        }
        if self.composition().preference.is_some() {
            let found = self.dead_state(property, &whole, Interleavings::Enough);
            return self.dead(property, found);
        }
        // Properties never block, but an error of theirs ends a run.
        let processes = Whole::with(self.composition(), &[]);
        if let Some(Compressed { deadlock, n_states }) = self.compressed(property) {
            let Some(steps) = deadlock else {
                return self.holds(property, Explored { n_states, ..Explored::default() });
            };
            let run = processes.dead_run(&steps).and_then(|run| whole.along(&run));
            if let Some(run) = run {
                return self.fails(property.clone(), Met::Deadlock, &run);
            }
        }
        let found = match self.dead_state(property, &processes, Interleavings::Enough) {
            Some(ProductSearch::Found((), run)) => match whole.along(&run) {
                Some(run) => Some(ProductSearch::Found((), run)),
                None => self.dead_state(property, &whole, Interleavings::Enough),
            },
            found => found,
        };
        self.dead(property, found);
    }

    /// Whether the processes have a deadlock before an error of theirs, if the parts stay small when they are composed one
    /// after the other: a run into it, and the number of states that were built.
    fn compressed(&mut self, property: &Property) -> Option<Compressed> {
        let systems = composed::with_steps_at_ends(self.composition());
        let mut go_on = self.go_on(1, Some(property));
        let built = |n_states| Explored { n_states, ..Explored::default() };
        let mut go_on = |n_states| n_states <= MAX_BUILT && go_on(built(n_states));
        deadlock_while(&systems, MAX_PART, &mut go_on)
    }

    /// A deadlock of a product, before any error.
    fn dead_state(
        &mut self,
        property: &Property,
        whole: &Whole<'_>,
        interleavings: Interleavings,
    ) -> Option<ProductSearch<()>> {
        let enter = |state: &[_]| match whole.error(state) {
            Some(_) => Entered::Leave,
            None => Entered::Follow,
        };
        let leave = |state: &[_], n_steps| (n_steps == 0 && !whole.is_end(state)).then_some(());
        let mut go_on = self.go_on(whole.width(), Some(property));
        let most = scaled(MAX_INTERLEAVED, whole.width());
        match interleavings {
            Interleavings::All => search_while(&whole.explorer, enter, leave, |seen| {
                go_on(seen) && seen.n_states <= most
            }),
            Interleavings::Enough => {
                search_deadlock_while(&whole.explorer, enter, leave, &mut go_on)
            }
        }
    }

    fn dead(&mut self, property: &Property, found: Option<ProductSearch<()>>) {
        match found {
            None => self.undecided(property),
            Some(ProductSearch::Complete(explored)) => self.holds(property, explored),
            Some(ProductSearch::Found((), run)) => {
                self.fails(property.clone(), Met::Deadlock, &run);
            }
        }
    }

    fn safety(&mut self, property: &Property) {
        let composition = self.composition();
        let wanted = composition.property_by_name(property.name());
        let is_own = matches!(wanted, Some(FspProperty::Errors | FspProperty::Safety(_)));
        if let (Some(wanted), true, true) = (wanted, is_own, composition.preference.is_some()) {
            return self.first_error(property, wanted);
        }
        let network = match composed::network(self.model, std::slice::from_ref(property)) {
            Ok(network) => network,
            Err(why) => {
                self.answer(property.clone(), Verdict::Unknown(Reason::OutOfReach(why)));
                return;
            }
        };
        let error = network.monitor.as_ref().map(|monitor| monitor.error);
        let enter = |state: &[StateId]| match error.is_some() && state.last().copied() == error {
            true => Entered::Found(()),
            false => Entered::Follow,
        };
        let found = {
            let mut go_on = self.go_on(network.components.len() + 1, Some(property));
            search_while(&Explorer::new(network.systems()), enter, |_, _| None, &mut go_on)
        };
        match found {
            None => self.undecided(property),
            Some(ProductSearch::Complete(explored)) => self.holds(property, explored),
            Some(ProductSearch::Found((), run)) => {
                self.stats.depth = self.stats.depth.max(run.steps.len() as u64);
                let asked = std::slice::from_ref(property);
                let run = composed::error(self.model, asked, &network, &run.steps)
                    .expect("the product takes only steps that its processes can take");
                self.answer(property.clone(), Verdict::Fails(run));
            }
        }
    }

    /// A property, where a priority needs all processes and properties at once. The first error ends a run, as in LTSA.
    fn first_error(&mut self, property: &Property, wanted: FspProperty) {
        let composition = self.composition();
        let whole = Whole::of(composition);
        let n_components = composition.components.len();
        let is_wanted = |automaton: usize| match wanted {
            FspProperty::Safety(i) => automaton == n_components + i,
            _ => automaton < n_components,
        };
        let enter = |state: &[StateId]| match whole.error(state) {
            Some(automaton) if is_wanted(automaton) => Entered::Found(Met::Error(automaton)),
            Some(_) => Entered::Leave,
            None => Entered::Follow,
        };
        let found = {
            let mut go_on = self.go_on(whole.width(), Some(property));
            search_while(&whole.explorer, enter, |_, _| None, &mut go_on)
        };
        match found {
            None => self.undecided(property),
            Some(ProductSearch::Complete(explored)) => self.holds(property, explored),
            Some(ProductSearch::Found(met, run)) => self.fails(property.clone(), met, &run),
        }
    }

    /// Progress on the product; if that is large, first on processes that are composed one after the other and reduced.
    fn progress(&mut self, property: &Property, progress: &ProgressProperty) -> FairAnswer {
        let composition = self.composition();
        let width = composition.components.len() + composition.properties.len();
        let most = match composition.preference {
            None => scaled(MAX_INTERLEAVED, width),
            Some(_) => usize::MAX,
        };
        let built = |n_states| Explored { n_states, ..Explored::default() };
        let mut n_seen = 0;
        let mut go_on = self.go_on(width, Some(property));
        let answer = composed::fair_progress(composition, property, progress, &mut |n_states| {
            n_seen = n_states;
            n_states <= most && go_on(built(n_states))
        });
        if n_seen <= most || !matches!(answer, FairAnswer::Cancelled) {
            return answer;
        }
        let mut in_parts = |n_states| n_states <= MAX_BUILT && go_on(built(n_states));
        match composed::progress_by_parts(composition, progress, MAX_PART, &mut in_parts) {
            Some(n_states) => FairAnswer::Holds(built(n_states)),
            None => {
                let mut go_on = |n_states| go_on(built(n_states));
                composed::fair_progress(composition, property, progress, &mut go_on)
            }
        }
    }

    fn fair(&mut self, property: &Property) {
        let composition = self.composition();
        let width = composition.components.len() + composition.properties.len() + 1;
        let answer = match composition.property_by_name(property.name()) {
            Some(FspProperty::Progress(i)) => self.progress(property, &composition.progress[i]),
            Some(FspProperty::Assertion(i)) => {
                let assertion = &composition.assertions[i];
                let mut go_on = self.go_on(width, Some(property));
                let mut go_on = |n_states| go_on(Explored { n_states, ..Explored::default() });
                composed::fair_formula(composition, property, assertion, &mut go_on)
            }
            _ => return,
        };
        match answer {
            FairAnswer::Holds(explored) => self.holds(property, explored),
            FairAnswer::Fails(run) => {
                self.stats.depth = self.stats.depth.max(run.n_steps() as u64);
                self.answer(property.clone(), Verdict::Fails(run));
            }
            FairAnswer::OutOfReach(why) => {
                self.answer(property.clone(), Verdict::Unknown(Reason::OutOfReach(why)));
            }
            FairAnswer::Cancelled => self.undecided(property),
        }
    }

    fn holds(&mut self, property: &Property, explored: Explored) {
        self.count(explored);
        let evidence = Evidence::Coverage { states: explored.n_states as u64 };
        self.answer(property.clone(), Verdict::Holds(evidence));
    }

    fn undecided(&mut self, property: &Property) {
        let reason = self.stopped();
        self.answer(property.clone(), Verdict::Unknown(reason));
    }

    fn answer(&mut self, property: Property, verdict: Verdict) {
        self.answers.push(Answer { property, verdict, engine: NAME });
    }

    /// The largest product counts.
    fn count(&mut self, explored: Explored) {
        let Explored { n_states, n_transitions, depth } = explored;
        if n_states as u64 >= self.stats.states {
            self.stats.states = n_states as u64;
            self.stats.transitions = n_transitions as u64;
        }
        self.stats.depth = self.stats.depth.max(depth as u64);
    }

    /// Whether a product of so many automata may have more states. A search for one property ends when a rival has
    /// decided it: the race takes the rival's answer.
    fn go_on(&mut self, width: usize, property: Option<&Property>) -> impl FnMut(Explored) -> bool {
        let (control, rivals, seen) = (self.control, self.rivals, &mut self.seen);
        let most = MAX_STORED / width.max(1);
        // With many automata, a state takes as long as many states of few.
        let ask_every = (ASK_EVERY * 4 / width.max(4)).max(1);
        let mut n_asked = 0_usize;
        move |explored| {
            *seen = explored;
            n_asked += 1;
            if !n_asked.is_multiple_of(ask_every) {
                return explored.n_states <= most;
            }
            rivals.iter().for_each(|rivals| rivals.offer());
            let mut decided = rivals.iter().zip(property);
            if decided.any(|(rivals, property)| rivals.has_decided(property)) {
                return false;
            }
            let is_stopped = control.stop_flag().load(Ordering::Relaxed);
            explored.n_states <= most && !is_stopped && control.exploration(&explored)
        }
    }

    /// Why a search was cancelled.
    fn stopped(&self) -> Reason {
        let too_large = || "the product of all processes is too large to be searched".to_owned();
        match self.control.exceeded() {
            Some(stop) => Reason::Stopped(stop),
            None => Reason::OutOfReach(too_large()),
        }
    }

    /// The answers in the order of the properties.
    fn account(mut self, properties: &[Property]) -> Account {
        let position = |answer: &Answer| properties.iter().position(|p| *p == answer.property);
        self.answers.sort_by_key(position);
        let truths = self.answers.iter().map(|answer| answer.verdict.truth());
        let seen = match Truth::of_all(truths) {
            Truth::Holds => "All reachable states of the product were visited.",
            _ => "Not all reachable states of the product were visited.",
        };
        if self.stats.states == 0 {
            self.count(self.seen);
        }
        let mut stats = self.stats;
        stats.elapsed = self.control.elapsed();
        let how = format!("all {} states of the product", stats.states);
        let safety: Vec<Property> =
            properties.iter().filter(|property| property.has_monitor()).cloned().collect();
        let network = composed::network(self.model, &safety).ok();
        Account { answers: self.answers, stats, seen, how, network, ..Account::default() }
    }
}
