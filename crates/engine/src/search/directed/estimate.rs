//! How far it is to a violation: the length of a plan in which nothing is ever lost.
//!
//! The *monotonicity abstraction* of directed model checking (Kupferschmid, Hoffmann, Dierks and Behrmann 2006), after
//! planning by ignored delete lists: every variable keeps all values that it ever had. Steps are taken in layers, all
//! that are possible at once, until one violates; the steps that the violation rests on, followed backwards, are
//! a plan. Its length is no bound: it guides a search, and decides nothing.
//!
//! Steps are those of the reference semantics, over a [memory](super::relaxed) whose reads are choices.

use super::facts::{FactId, Facts, SubjectId, words};
use super::relaxed::{Choices, Relaxed, Written};
use resy_system::{
    Attempt, Command, Edge, Interpreter, LocationId, Monitors, Move, Outcome, Property, State,
    Step, Violation,
};
use std::cell::{Cell, RefCell};

/// With more layers a violation is out of sight.
const MOST_LAYERS: usize = 64;

/// With more facts too.
const MOST_FACTS: usize = 4_000;

/// After so many evaluations of steps too.
const MOST_TRIES: usize = 20_000;

/// After so many estimates in a row that saw no violation, there are no more: what is never lost would show it.
const PATIENCE: usize = 20;

/// Estimates distances to violations.
pub(super) struct Estimator<'a> {
    interpreter: Interpreter<'a>,
    monitors: Monitors,
    /// The properties whose violation is sought.
    goals: Vec<Property>,
    choices: RefCell<Choices>,
    /// How many of the last estimates saw no violation.
    n_in_vain: Cell<usize>,
    /// The number of evaluations of steps.
    work: Cell<usize>,
}

/// A place where a step may be possible: an edge of a process at a location, or a monitor with a set.
struct Site {
    place: Place,
    /// The fact that it rests on.
    fact: (SubjectId, FactId),
    /// What its last attempt read, and how many values that had; none before the first.
    read: Option<Vec<(SubjectId, usize)>>,
}

#[derive(Copy, Clone)]
enum Place {
    Edge(Move, LocationId),
    Monitor(usize),
}

/// A plan in the making.
struct Plan<'p, 'a> {
    estimator: &'p Estimator<'a>,
    state: &'p State,
    facts: Facts,
    sites: Vec<Site>,
    /// For each step that made a fact, the facts that it read.
    steps: Vec<Vec<FactId>>,
    /// What the present layer adds, and by which step.
    news: Vec<(Written, u32)>,
    /// What a violation rests on.
    goal: Option<Vec<FactId>>,
    n_tries: usize,
}

impl<'a> Estimator<'a> {
    /// Estimates distances to violations of `asked`, or of assertions and claims.
    pub fn new(
        interpreter: Interpreter<'a>,
        monitors: Monitors,
        asked: Option<&[Property]>,
    ) -> Self {
        // A read of a value that is long gone may violate what the real step would not.
        let is_goal = |property: &&Property| **property != Property::Runtime;
        let asked = asked.unwrap_or(&[Property::Assertions]);
        let goals = asked.iter().filter(is_goal).cloned().collect();
        let choices = RefCell::default();
        let (n_in_vain, work) = (Cell::new(0), Cell::new(0));
        Self { interpreter, monitors, goals, choices, n_in_vain, work }
    }

    /// The number of monitors.
    pub fn n_monitors(&self) -> usize {
        self.monitors.as_slice().len()
    }

    /// The number of processes that can move: few are near to an invalid end.
    pub fn n_movers(&self, state: &State) -> usize {
        let can_move =
            |&pid: &usize| !self.interpreter.steps_of(state, pid, false).steps.is_empty();
        (0..state.processes().len()).filter(can_move).count()
    }

    /// The estimated number of steps to a violation; `None` if none is in sight.
    pub fn distance(&self, state: &State, sets: &[u64]) -> Option<usize> {
        let n_in_vain = self.n_in_vain.get();
        if n_in_vain >= PATIENCE {
            return None;
        }
        let (distance, n_tries) = self.plan(state, sets);
        self.work.set(self.work.get() + n_tries);
        self.n_in_vain.set(if distance.is_none() { n_in_vain + 1 } else { 0 });
        distance
    }

    /// The number of evaluations of steps since the last call.
    pub fn take_work(&self) -> usize {
        self.work.take()
    }

    /// The length of a plan that leads to a violation, and the number of evaluations of steps.
    fn plan(&self, state: &State, sets: &[u64]) -> (Option<usize>, usize) {
        let facts = Facts::of(self.interpreter.system(), state, sets);
        let (sites, steps, news) = (Vec::new(), Vec::new(), Vec::new());
        let goal = None;
        let mut plan = Plan { estimator: self, state, facts, sites, steps, news, goal, n_tries: 0 };
        for pid in 0..plan.facts.n_processes() {
            let location = plan.facts.location(pid);
            plan.open_sites(pid, plan.facts.about(location)[0]);
        }
        for monitor in 0..sets.len() {
            let subject = plan.facts.monitor(monitor);
            let fact = (subject, plan.facts.about(subject)[0]);
            plan.sites.push(Site { place: Place::Monitor(monitor), fact, read: None });
        }
        for _ in 0..MOST_LAYERS {
            plan.take_all_steps();
            if let Some(goal) = plan.goal.take() {
                return (Some(plan.length(goal)), plan.n_tries);
            }
            let is_spent = plan.facts.len() > MOST_FACTS || plan.n_tries > MOST_TRIES;
            if !plan.adopt_news() || is_spent {
                break;
            }
        }
        (None, plan.n_tries)
    }
}

impl Plan<'_, '_> {
    /// The edges of a process at a location that it has reached.
    fn open_sites(&mut self, pid: usize, fact: FactId) {
        let Some(proctype) = self.facts.proctype(pid) else { return };
        let at = self.facts[fact].location();
        let n_edges = self.estimator.interpreter.system().proctypes[proctype].edges[at].len();
        let subject = self.facts.location(pid);
        self.sites.extend((0..n_edges).map(|edge| Site {
            place: Place::Edge(Move { pid, edge }, at),
            fact: (subject, fact),
            read: None,
        }));
    }

    /// One layer: every step that may have become possible.
    fn take_all_steps(&mut self) {
        let mut sites = std::mem::take(&mut self.sites);
        for site in &mut sites {
            let has_grown =
                |&(subject, n): &(SubjectId, usize)| self.facts.about(subject).len() > n;
            if site.read.as_ref().is_none_or(|read| read.iter().any(has_grown)) {
                self.take_step(site);
            }
            if self.goal.is_some() || self.n_tries > MOST_TRIES {
                break;
            }
        }
        self.sites = sites;
    }

    /// The steps of a site, by every sequence of choices.
    fn take_step(&mut self, site: &mut Site) {
        let choices = &self.estimator.choices;
        choices.borrow_mut().restart();
        let read = site.read.get_or_insert_default();
        read.clear();
        loop {
            self.n_tries += 1;
            choices.borrow_mut().begin(site.fact.0, site.fact.1);
            match site.place {
                Place::Edge(actor, at) => self.try_edge(actor, at),
                Place::Monitor(monitor) => self.try_monitor(monitor, site.fact.1),
            }
            for &(subject, _) in choices.borrow().read() {
                if read.iter().all(|known| known.0 != subject) {
                    read.push((subject, self.facts.about(subject).len()));
                }
            }
            if self.goal.is_some() || !choices.borrow_mut().turn() {
                return;
            }
        }
    }

    /// One evaluation of an edge.
    fn try_edge(&mut self, actor: Move, at: LocationId) {
        let interpreter = &self.estimator.interpreter;
        let Some(proctype) = self.facts.proctype(actor.pid) else { return };
        let edges = &interpreter.system().proctypes[proctype].edges[at];
        let memory = Relaxed {
            facts: &self.facts,
            state: self.state,
            choices: &self.estimator.choices,
            written: Vec::new(),
        };
        let mut notes = Vec::new();
        if !interpreter.may_move(&memory, actor.pid, &mut notes) {
            return;
        }
        let edge = &edges[actor.edge];
        let before = &edges[..actor.edge];
        let could = |e: &Edge| interpreter.could_take(&memory, actor.pid, e, false, false);
        let moved =
            matches!(edge.command, Command::Else) && before.iter().any(|e| could(e) == Ok(true));
        let taken = interpreter.attempt(&memory, actor, edge, moved, true, &mut notes);
        let (steps, violations) = match taken {
            Attempt::Impossible => (Vec::new(), notes),
            Attempt::Done(step) => (vec![step], notes),
            Attempt::Offers { offer, sender, violations } => {
                let accepted =
                    self.partner(actor.pid).map(|pid| interpreter.accept(&sender, pid, &offer));
                (accepted.map(|accepted| accepted.steps).unwrap_or_default(), violations)
            }
        };
        let effects: Vec<(Vec<Violation>, Vec<Written>)> = steps.into_iter().map(effect).collect();
        self.look_for_goal(&violations);
        for (violations, written) in effects {
            self.look_for_goal(&violations);
            self.take_note(written);
        }
    }

    /// Another process, at one of its locations, that may accept an offer.
    fn partner(&self, sender: usize) -> Option<usize> {
        let others = (0..self.facts.n_processes()).filter(|&pid| pid != sender);
        let places: Vec<(usize, FactId)> = others
            .flat_map(|pid| {
                let facts = self.facts.about(self.facts.location(pid)).iter();
                facts.filter(move |&&fact| self.receives(pid, fact)).map(move |&fact| (pid, fact))
            })
            .collect();
        let mut choices = self.estimator.choices.borrow_mut();
        let &(pid, fact) = places.get(choices.choose(places.len()))?;
        choices.note(self.facts.location(pid), fact);
        Some(pid)
    }

    fn receives(&self, pid: usize, fact: FactId) -> bool {
        let system = self.estimator.interpreter.system();
        let edges = self
            .facts
            .proctype(pid)
            .map(|p| &system.proctypes[p].edges[self.facts[fact].location()]);
        let is_receive =
            |edge: &Edge| matches!(edge.command, Command::Receive { .. } | Command::DStep(_));
        edges.is_some_and(|edges| edges.iter().any(is_receive))
    }

    /// One evaluation of a monitor's step.
    fn try_monitor(&mut self, number: usize, fact: FactId) {
        let monitor = &self.estimator.monitors.as_slice()[number];
        let set = self.facts[fact].set();
        let memory = Relaxed {
            facts: &self.facts,
            state: self.state,
            choices: &self.estimator.choices,
            written: Vec::new(),
        };
        let (looks_at, mut valuation) = (monitor.looks_at(set), 0);
        for (bit, condition) in monitor.propositions.iter().enumerate() {
            if looks_at >> bit & 1 == 1 {
                let Ok(holds) = self.estimator.interpreter.holds(&memory, condition) else {
                    return;
                };
                valuation |= u64::from(holds) << bit;
            }
        }
        let next = monitor.step(set, valuation);
        if monitor.is_bad(next) {
            self.goal = Some(self.facts_read());
        }
        let subject = self.facts.monitor(number);
        self.take_note(vec![Written { subject, value: 0, words: words(next) }]);
    }

    fn look_for_goal(&mut self, violations: &[Violation]) {
        let goals = &self.estimator.goals;
        let is_goal = |violation: &Violation| {
            let outcome = Outcome::Violation(violation.clone());
            goals.iter().any(|goal| goal.is_violated_by(&outcome))
        };
        if self.goal.is_none() && violations.iter().any(is_goal) {
            self.goal = Some(self.facts_read());
        }
    }

    fn facts_read(&self) -> Vec<FactId> {
        self.estimator.choices.borrow().read().iter().map(|read| read.1).collect()
    }

    /// Keeps what a step has written and nobody has had yet.
    fn take_note(&mut self, written: Vec<Written>) {
        let is_new = |w: &Written| !self.facts.has(w.subject, w.value, &w.words);
        let fresh: Vec<Written> = written.into_iter().filter(is_new).collect();
        if fresh.is_empty() {
            return;
        }
        let step = self.steps.len() as u32;
        self.steps.push(self.facts_read());
        self.news.extend(fresh.into_iter().map(|written| (written, step)));
    }

    /// Ends a layer; returns whether there is anything new.
    fn adopt_news(&mut self) -> bool {
        let mut is_new = false;
        for (Written { subject, value, words }, step) in std::mem::take(&mut self.news) {
            let Some(fact) = self.facts.add(subject, value, words, Some(step)) else { continue };
            is_new = true;
            if let Some(pid) = self.process_at(subject) {
                self.open_sites(pid, fact);
            } else if let Some(monitor) = self.monitor_at(subject) {
                let fact = (subject, fact);
                self.sites.push(Site { place: Place::Monitor(monitor), fact, read: None });
            }
        }
        is_new
    }

    /// The process whose location a subject is.
    fn process_at(&self, subject: SubjectId) -> Option<usize> {
        (0..self.facts.n_processes()).find(|&pid| self.facts.location(pid) == subject)
    }

    fn monitor_at(&self, subject: SubjectId) -> Option<usize> {
        let n_monitors = self.estimator.monitors.as_slice().len();
        (0..n_monitors).find(|&monitor| self.facts.monitor(monitor) == subject)
    }

    /// The number of steps that a violation rests on, with the one that violates.
    fn length(&self, goal: Vec<FactId>) -> usize {
        let (mut todo, mut is_used) = (goal, vec![false; self.steps.len()]);
        while let Some(fact) = todo.pop() {
            let Some(step) = self.facts[fact].by.map(|step| step as usize) else { continue };
            if !std::mem::replace(&mut is_used[step], true) {
                todo.extend_from_slice(&self.steps[step]);
            }
        }
        1 + is_used.into_iter().filter(|&used| used).count()
    }
}

/// What a step violates and writes.
fn effect(step: Step<Relaxed<'_>>) -> (Vec<Violation>, Vec<Written>) {
    let written = step.next.map(|(memory, _)| memory.written).unwrap_or_default();
    (step.violations, written)
}
