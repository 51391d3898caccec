//! Whether a changed module still meets the requirement that a certificate gives it.
//!
//! The requirement `A` stands for the module in a proof that depends on nothing else of the module.
//! So another module may take its place if `A` can simulate it, in a relation with three rules: (i)
//! by an action of both, `A` moves along; (ii) by an action that only the new module has, `A`
//! stays; (iii) when the environment takes an action of `A` that the new module no longer has, the
//! module idles and `A` moves. Without the third rule, which plain simulation lacks, unsafe modules
//! would be accepted: dropping an action lets the environment take it at any time. An action that
//! `A` lacks, but that other components have or that the old network had, is rejected: nothing is
//! known of its effect.

use crate::steps::Joint;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_index::Id;
use resy_system::SourcePlace;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Cancellation is polled once per this number of positions.
const PATIENCE: usize = 256;

/// Forbidden behaviour of a changed module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The run of the changed module before it.
    pub run: Vec<ModuleMove>,
    /// The forbidden move.
    pub last: ModuleMove,
    /// Why the move is forbidden.
    pub why: Breach,
}

/// A move of a module, or of the environment without it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ModuleMove {
    /// The state of the module before.
    pub from: StateId,
    /// The label.
    pub label: Label,
    /// The state of the module afterwards.
    pub to: StateId,
    /// Whether the environment moves alone, by an action that the module no longer has.
    pub idles: bool,
}

/// Why a move is forbidden.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The requirement does not allow it.
    NotAllowed,
    /// Other components take part in it, and the old module did not.
    NotKnown,
}

/// Why a changed module is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeRefused {
    /// Something other than the module has changed.
    Different(String),
    /// The module does what its requirement forbids. The actions are those of the certificate,
    /// followed by new ones.
    Forbidden(Forbidden, Vec<Called>),
    /// The caller cancelled.
    Stopped,
}

/// The name of an action, and its source places in the changed program, if there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Called {
    /// Its name.
    pub name: String,
    /// The statements.
    pub places: Vec<SourcePlace>,
}

/// The alphabets around a module.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The number of actions of the certificate; actions beyond are new.
    pub n_actions: usize,
    /// The actions of the environment.
    pub environment: Alphabet,
    /// The actions of the monitor.
    pub monitor: Alphabet,
}

impl Surroundings {
    /// Whether an action also belongs to the environment or the monitor.
    fn sees(&self, action: ActionId) -> bool {
        self.environment.contains(action) || self.monitor.contains(action)
    }
}

/// Whether a module may take the place of the one with this requirement. If not, the result is a
/// shortest run to a forbidden move, provided that the requirement follows as long as possible.
pub fn meets(requirement: &Lts, rest: &Surroundings, module: &Lts) -> Result<(), Forbidden> {
    let result = meets_while(requirement, rest, module, &mut || true);
    result.expect("nothing cancels it")
}

/// Like [`meets`]; `None` if `go_on`, which is asked now and then, cancels.
pub fn meets_while(
    requirement: &Lts,
    rest: &Surroundings,
    module: &Lts,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Result<(), Forbidden>> {
    let mut game = Game::new(requirement, rest, module);
    if !game.explore(go_on) {
        return None;
    }
    game.lose_all();
    Some(match game.positions[0].lost_by {
        None => Ok(()),
        Some(_) => Err(game.forbidden()),
    })
}

/// Like [`meets_while`] with several requirements, one from each proof: a proof applies to the new module
/// only if its own requirement is met.
pub fn meets_all(
    requirements: &[&Lts],
    rest: &Surroundings,
    module: &Lts,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Result<(), Forbidden>> {
    for requirement in requirements {
        if let Err(forbidden) = meets_while(requirement, rest, module, go_on)? {
            return Some(Err(forbidden));
        }
    }
    Some(Ok(()))
}

/// The reachable product of some components.
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

/// The simulation game between a module, which moves, and a requirement, which follows.
struct Game<'a> {
    requirement: &'a Lts,
    rest: &'a Surroundings,
    module: &'a Lts,
    /// The actions that the environment can take without the new module, but not without the old
    /// one.
    dropped: Alphabet,
    positions: Vec<Position>,
    numbers: FxHashMap<(StateId, StateId), usize>,
    challenges: Vec<Challenge>,
}

/// A state of the module and a state of the requirement.
struct Position {
    pair: (StateId, StateId),
    /// The challenges that have this position as a response.
    asked_by: Vec<usize>,
    /// The challenge that cannot be met, and when this became known.
    lost_by: Option<(usize, usize)>,
}

/// A move that the requirement must follow.
struct Challenge {
    at: usize,
    what: ModuleMove,
    why: Breach,
    responses: Vec<usize>,
    /// The number of responses that are not lost.
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

    /// Computes all positions and challenges; whether `go_on` has not cancelled.
    fn explore(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
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
            if at.is_multiple_of(PATIENCE) && !go_on() {
                return false;
            }
        }
        true
    }

    /// Adds a challenge by a move of the module, with all responses of the requirement.
    fn challenge(&mut self, at: usize, what: ModuleMove) {
        let stands = self.positions[at].pair.1;
        let moves = self.requirement.transitions_by(stands, what.label);
        let mut ends: Vec<StateId> = moves.iter().map(|t| t.1).collect();
        let action = what.label.action();
        let is_own = action.is_none_or(|a| !self.rest.sees(a));
        let is_old = action.is_none_or(|a| self.requirement.alphabet().contains(a));
        let is_new = action.is_some_and(|a| a.index() >= self.rest.n_actions);
        // A private move may be followed by staying.
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

    /// Computes the lost positions: those with a challenge whose responses are all lost. Positions
    /// that are lost soonest come first.
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

    /// The path from the start to a challenge without responses, along the responses that last
    /// longest.
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
