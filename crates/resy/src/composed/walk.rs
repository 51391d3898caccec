//! A walk through processes in FSP, or the automata of a network: which actions are possible, who takes part, one step at a time and back.

use super::Whole;
use crate::subject::FspModel;
use resy_automata::lts::{ActionId, Alphabet, StateId};
use resy_automata::network::{Action, Network};
use resy_automata::product::{Explorer, ProductStep};
use resy_fsp::networks::is_visible;
use resy_index::{Id, IndexVec};
use std::collections::BTreeSet;

/// What the monitor of a network is called.
const MONITOR: &str = "monitor";

/// The automata that walk together, the processes first.
struct Scene<'a> {
    actions: &'a IndexVec<ActionId, Action>,
    /// The name of each automaton, the names of its states, and its state of error.
    automata: Vec<(&'a str, &'a IndexVec<StateId, String>, Option<StateId>)>,
    /// The actions of each process.
    alphabets: Vec<&'a Alphabet>,
    explorer: Explorer<'a>,
    /// The composition, which tells where a run may end; nothing for a network, in which every run may.
    whole: Option<Whole<'a>>,
}

/// A run in progress of processes and properties.
pub struct Walk<'a> {
    scene: Scene<'a>,
    /// The steps so far, each with the state that it leads to.
    taken: Vec<(WalkStep, Vec<StateId>)>,
    initial: Vec<StateId>,
}

/// A step that is possible.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WalkStep {
    /// The action; `tau (…)` if it cannot be seen.
    pub name: String,
    /// The processes that take part.
    pub participants: Vec<String>,
    target: Vec<StateId>,
}

/// Why a walk cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// A process is in `ERROR`, or a property is violated: its name.
    Error(String),
    /// No step is possible, and not all processes have ended.
    Deadlock,
    /// All processes have ended.
    Ended,
    /// No step of a network is possible, which says nothing about ends.
    Stopped,
}

impl<'a> Walk<'a> {
    /// A walk at its beginning.
    pub fn new(model: &'a FspModel) -> Self {
        let composition = &model.composition;
        let whole = Whole::of(composition);
        let components = composition.components.iter().map(|c| (&*c.name, &c.state_names));
        let properties = composition.properties.iter();
        let all = components.chain(properties.map(|p| (&*p.name, &p.monitor.state_names)));
        let automata = all.zip(&whole.errors).map(|((name, states), error)| (name, states, *error));
        Self::through(Scene {
            actions: &composition.actions,
            automata: automata.collect(),
            alphabets: composition.components.iter().map(|c| c.lts.alphabet()).collect(),
            explorer: whole.explorer.clone(),
            whole: Some(whole),
        })
    }

    /// A walk through a network at its beginning. It ends where its monitor is violated.
    pub fn of_network(network: &'a Network) -> Self {
        let components = network.components.iter().map(|c| (&*c.name, &c.state_names, None));
        let monitor = network.monitor.iter().map(|m| (MONITOR, &m.state_names, Some(m.error)));
        Self::through(Scene {
            actions: &network.actions,
            automata: components.chain(monitor).collect(),
            alphabets: network.components.iter().map(|c| c.lts.alphabet()).collect(),
            explorer: Explorer::new(network.systems()),
            whole: None,
        })
    }

    fn through(scene: Scene<'a>) -> Self {
        let initial = scene.explorer.initial();
        Self { scene, taken: Vec::new(), initial }
    }

    /// The steps so far.
    pub fn taken(&self) -> impl ExactSizeIterator<Item = &WalkStep> {
        self.taken.iter().map(|(step, _)| step)
    }

    fn state(&self) -> &[StateId] {
        self.taken.last().map_or(&self.initial, |(_, state)| state)
    }

    /// The steps that are possible now, by name; none after an error.
    pub fn choices(&self) -> Vec<WalkStep> {
        let mut steps = self.steps_from(self.state());
        steps.sort_unstable();
        steps
    }

    fn steps_from(&self, state: &[StateId]) -> Vec<WalkStep> {
        let mut steps = Vec::new();
        if self.scene.error(state).is_none() {
            self.scene.explorer.successors(state, |step, target| {
                steps.push(self.named(step, target.to_vec()));
            });
        }
        steps
    }

    fn named(&self, step: ProductStep, target: Vec<StateId>) -> WalkStep {
        let Scene { actions, automata, alphabets, .. } = &self.scene;
        let (name, participants) = match step {
            ProductStep::Tau(id) => {
                let process = automata.get(id.index()).map_or("", |automaton| automaton.0);
                (format!("tau ({process})"), vec![process.to_owned()])
            }
            ProductStep::Action(action) => {
                let name = &actions[action].name;
                let taking = automata.iter().zip(alphabets).filter(|(_, a)| a.contains(action));
                let shown = match is_visible(name) {
                    true => name.clone(),
                    false => format!("tau ({})", name.trim_start_matches('\\')),
                };
                (shown, taking.map(|(automaton, _)| automaton.0.to_owned()).collect())
            }
        };
        WalkStep { name, participants, target }
    }

    /// Takes a step that was possible.
    pub fn take(&mut self, step: WalkStep) {
        let target = step.target.clone();
        self.taken.push((step, target));
    }

    /// Takes the last step back; whether there was one.
    pub fn undo(&mut self) -> bool {
        self.taken.pop().is_some()
    }

    /// Follows actions by their names, as far as possible. Where a name has several steps, those are taken by which
    /// the others can follow.
    pub fn follow(&mut self, names: &[&str]) {
        self.follow_while(names, &mut || true);
    }

    /// Like [`follow`](Self::follow); false, and nothing is taken, if `go_on`, which is called for each action, says no.
    pub fn follow_while(&mut self, names: &[&str], go_on: &mut dyn FnMut() -> bool) -> bool {
        // For each number of steps the states that are reached, each with its predecessor and the step.
        let mut layers: Vec<Vec<(usize, Option<WalkStep>)>> = vec![vec![(0, None)]];
        let start = self.state().to_vec();
        for &name in names {
            let Some(layer) = layers.last() else { break };
            if !go_on() {
                return false;
            }
            let (mut next, mut seen) = (Vec::new(), BTreeSet::new());
            for (i, (_, step)) in layer.iter().enumerate() {
                let state = step.as_ref().map_or(&start, |step| &step.target);
                let same = self.steps_from(state).into_iter().filter(|step| step.name == name);
                let new = same.filter(|step| seen.insert(step.target.clone()));
                next.extend(new.map(|step| (i, Some(step))));
            }
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        let (mut path, mut at) = (Vec::new(), 0);
        for layer in layers.into_iter().rev() {
            let (before, step) = layer[at].clone();
            path.extend(step);
            at = before;
        }
        path.into_iter().rev().for_each(|step| self.take(step));
        true
    }

    /// Why the walk cannot go on, if it cannot.
    pub fn end(&self) -> Option<WalkEnd> {
        let state = self.state();
        if let Some(automaton) = self.scene.error(state) {
            return Some(WalkEnd::Error(self.scene.automata[automaton].0.to_owned()));
        }
        let is_end = self.scene.whole.as_ref().map(|whole| whole.is_end(state));
        match (self.scene.explorer.n_steps(state), is_end) {
            (0, None) => Some(WalkEnd::Stopped),
            (0, Some(true)) => Some(WalkEnd::Ended),
            (0, Some(false)) => Some(WalkEnd::Deadlock),
            _ => None,
        }
    }

    /// The name of each process and property, and of its present state.
    pub fn states(&self) -> Vec<(&str, String)> {
        let all = self.scene.automata.iter().zip(self.state());
        all.map(|(&(name, names, _), &state)| (name, state_name(names, state))).collect()
    }

    /// The processes that a step changes, with their next states: what tells steps by one action apart.
    pub fn changes(&self, step: &WalkStep) -> Vec<(&str, String)> {
        let processes = self.scene.automata.iter().take(self.scene.alphabets.len());
        let pairs = self.state().iter().zip(&step.target);
        let changed = processes.zip(pairs).filter(|(_, (from, to))| from != to);
        changed.map(|(&(name, names, _), (_, &to))| (name, state_name(names, to))).collect()
    }
}

impl Scene<'_> {
    /// The first automaton that is in its state of error.
    fn error(&self, state: &[StateId]) -> Option<usize> {
        let is_error =
            |(automaton, at): (&(_, _, Option<StateId>), &StateId)| automaton.2 == Some(*at);
        self.automata.iter().zip(state).position(is_error)
    }
}

fn state_name(names: &IndexVec<StateId, String>, state: StateId) -> String {
    names.get(state).cloned().unwrap_or_else(|| state.index().to_string())
}
