//! Whether a changed module still meets the requirement that a certificate gives it.
//!
//! The requirement `A` stands for the module in a proof that nothing else of the module goes
//! into. So another module may take its place if `A` can follow it, in a relation with
//! three rules: (i) by an action of both, `A` moves along; (ii) by an action that the new module
//! alone has, `A` stays; (iii) when the environment takes an action of `A` that the new
//! module no longer has, the module idles and `A` moves. Without the third rule, which plain
//! simulation lacks, unsafe modules would be accepted: dropping an action lets the environment take
//! it at any time. An action that others have, or that the network had, and `A` has not, is
//! rejected: nothing is known of what happens then.

use crate::steps::Joint;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_index::Id;
use resy_system::SourcePlace;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What a module must do without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// How the changed module gets there.
    pub run: Vec<ModuleMove>,
    /// What it does there.
    pub last: ModuleMove,
    /// Breach it must not.
    pub why: Breach,
}

/// Something that happens to a module.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ModuleMove {
    /// Its state before.
    pub from: StateId,
    /// What happens.
    pub label: Label,
    /// Its state afterwards.
    pub to: StateId,
    /// Whether the environment does it, and the module no longer takes part.
    pub idles: bool,
}

/// Breach a module must not do something.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The requirement does not allow it.
    NotAllowed,
    /// Others take part in it, and the old module did not.
    NotKnown,
}

/// Breach a changed module is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeRefused {
    /// Something else than the module has changed.
    Different(String),
    /// The module does what its requirement forbids. The actions are those of the
    /// certificate, and then new ones.
    Forbidden(Forbidden, Vec<Called>),
}

/// What an action is called, and where it stands in the changed program, if that is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Called {
    /// Its name.
    pub name: String,
    /// The statements.
    pub places: Vec<SourcePlace>,
}

/// What the rest of a network is to a module.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// How many actions the certificate names; those beyond are new.
    pub n_actions: usize,
    /// The actions of the environment.
    pub environment: Alphabet,
    /// Those of the monitor.
    pub monitor: Alphabet,
}

impl Surroundings {
    /// Whether an action is not the module's alone.
    fn sees(&self, action: ActionId) -> bool {
        self.environment.contains(action) || self.monitor.contains(action)
    }
}

/// Whether a module may take the place of the one with this requirement. Finds a shortest
/// run to what is forbidden, given that the requirement follows as long as it can.
pub fn meets(requirement: &Lts, rest: &Surroundings, module: &Lts) -> Result<(), Forbidden> {
    let mut game = Game::new(requirement, rest, module);
    game.explore();
    game.lose_all();
    match game.positions[0].lost_by {
        None => Ok(()),
        Some(_) => Err(game.forbidden()),
    }
}

/// The same with several requirements, one from each proof: a proof shows something of the new
/// module only if its own requirement is met.
pub fn meets_all(
    requirements: &[&Lts],
    rest: &Surroundings,
    module: &Lts,
) -> Result<(), Forbidden> {
    requirements.iter().try_for_each(|requirement| meets(requirement, rest, module))
}

/// Some components as one module: their reachable product.
pub fn composed(components: &[&Lts]) -> Lts {
    let joint = Joint::new(components.to_vec());
    let mut builder = LtsBuilder::new();
    let mut numbers: FxHashMap<Vec<StateId>, StateId> = FxHashMap::default();
    let mut order = vec![joint.initial()];
    numbers.insert(joint.initial(), builder.add_state());
    let mut next = 0;
    while let Some(state) = order.get(next).cloned() {
        let _ = joint.steps(&state, |label, to| {
            let target = *numbers.entry(to.to_vec()).or_insert_with(|| {
                order.push(to.to_vec());
                builder.add_state()
            });
            builder.add_transition(Id::from_index(next), label, target);
            Ok::<(), std::convert::Infallible>(())
        });
        next += 1;
    }
    let alphabet = components.iter().flat_map(|lts| lts.alphabet().iter()).collect();
    builder.finish(Id::from_index(0), alphabet)
}

/// The game of a module that moves and a requirement that follows.
struct Game<'a> {
    requirement: &'a Lts,
    rest: &'a Surroundings,
    module: &'a Lts,
    /// The actions that the environment can take without the new module, but not without
    /// the old one.
    dropped: Alphabet,
    positions: Vec<Position>,
    numbers: FxHashMap<(StateId, StateId), usize>,
    challenges: Vec<Challenge>,
}

/// The module in a state, and the requirement in one.
struct Position {
    pair: (StateId, StateId),
    /// The challenges in which going here is a response.
    asked_by: Vec<usize>,
    /// The challenge that cannot be met, and when this was known.
    lost_by: Option<(usize, usize)>,
}

/// A move that the requirement must follow.
struct Challenge {
    at: usize,
    what: ModuleMove,
    why: Breach,
    responses: Vec<usize>,
    /// How many of them are not lost.
    open: usize,
}

impl<'a> Game<'a> {
    fn new(requirement: &'a Lts, rest: &'a Surroundings, module: &'a Lts) -> Self {
        let dropped = requirement.alphabet().without(module.alphabet());
        let dropped = dropped.iter().filter(|&action| rest.environment.contains(action)).collect();
        Self {
            requirement,
            rest,
            module,
            dropped,
            positions: Vec::new(),
            numbers: FxHashMap::default(),
            challenges: Vec::new(),
        }
    }

    /// Finds all positions and challenges.
    fn explore(&mut self) {
        self.position((self.module.initial(), self.requirement.initial()));
        let mut at = 0;
        while at < self.positions.len() {
            let (state, _) = self.positions[at].pair;
            for &(label, to) in self.module.transitions_from(state) {
                self.challenge(at, ModuleMove { from: state, label, to, idles: false });
            }
            for action in self.dropped.iter().collect::<Vec<_>>() {
                let label = Label::Visible(action);
                self.challenge(at, ModuleMove { from: state, label, to: state, idles: true });
            }
            at += 1;
        }
    }

    /// The module makes a move: what can the requirement do?
    fn challenge(&mut self, at: usize, what: ModuleMove) {
        let stands = self.positions[at].pair.1;
        let moves = self.requirement.transitions_by(stands, what.label);
        let mut ends: Vec<StateId> = moves.iter().map(|t| t.1).collect();
        let action = what.label.action();
        let is_own = action.is_none_or(|a| !self.rest.sees(a));
        let is_old = action.is_none_or(|a| self.requirement.alphabet().contains(a));
        let is_new = action.is_some_and(|a| a.index() >= self.rest.n_actions);
        // What nobody else sees may be followed by staying.
        if is_own && (is_old || is_new) {
            ends.push(stands);
        }
        let why = if is_old { Breach::NotAllowed } else { Breach::NotKnown };
        let number = self.challenges.len();
        let responses: Vec<usize> =
            ends.into_iter().map(|end| self.position((what.to, end))).collect();
        for &response in &responses {
            self.positions[response].asked_by.push(number);
        }
        self.challenges.push(Challenge { at, what, why, open: responses.len(), responses });
    }

    fn position(&mut self, pair: (StateId, StateId)) -> usize {
        *self.numbers.entry(pair).or_insert_with(|| {
            self.positions.push(Position { pair, asked_by: Vec::new(), lost_by: None });
            self.positions.len() - 1
        })
    }

    /// A position is lost if it has a challenge without a response that is not lost. Those that are
    /// lost soonest come first.
    fn lose_all(&mut self) {
        let unmet = |(i, challenge): (usize, &Challenge)| (challenge.open == 0).then_some(i);
        let mut queue: VecDeque<usize> =
            self.challenges.iter().enumerate().filter_map(unmet).collect();
        let mut time = 0;
        while let Some(challenge) = queue.pop_front() {
            let position = &mut self.positions[self.challenges[challenge].at];
            if position.lost_by.is_some() {
                continue;
            }
            position.lost_by = Some((challenge, time));
            time += 1;
            for &asking in &position.asked_by {
                self.challenges[asking].open -= 1;
                if self.challenges[asking].open == 0 {
                    queue.push_back(asking);
                }
            }
        }
    }

    /// The way from the start to a challenge without responses, along those that last longest.
    fn forbidden(&self) -> Forbidden {
        let mut run = Vec::new();
        let mut at = 0;
        loop {
            let lost = |position: &Position| position.lost_by.unwrap_or_default();
            let challenge = &self.challenges[lost(&self.positions[at]).0];
            let last = |&&response: &&usize| lost(&self.positions[response]).1;
            match challenge.responses.iter().max_by_key(last) {
                Some(&response) => {
                    run.push(challenge.what);
                    at = response;
                }
                None => return Forbidden { run, last: challenge.what, why: challenge.why },
            }
        }
    }
}
