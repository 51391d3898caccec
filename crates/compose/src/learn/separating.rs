//! The smallest deterministic assumption over an alphabet: a minimal automaton that separates the module's words
//! from the bad ones.
//!
//! ```text
//! loop
//!   A = a smallest automaton that accepts the module's words so far and rejects the bad words so far
//!   premise 1 fails by a word: it is bad                  premise 2 fails by a word: the module has it
//!   neither fails: no assumption over this alphabet has fewer states, as A is smallest for some of the words
//! ```
//!
//! Words that are neither are free, which a learner of the weakest assumption cannot use. To find `A` is NP-hard
//! (Gupta, McMillan, Fu 2007 use SAT): here by branching on the transitions that the words need, with new
//! states numbered in order, and within a budget.

use crate::sides::{Word, WordAutomaton, WordState};
use resy_automata::lts::{ActionId, Alphabet};
use rustc_hash::FxHashMap;

/// The words so far. All are over one alphabet.
pub(super) struct Samples {
    alphabet: Alphabet,
    /// Words with whether they are to be accepted, the shortest first.
    words: Vec<(Word, bool)>,
    /// The states that accept of the last automaton: no smaller one will do.
    n_states: usize,
    /// The branches that may still be tried.
    budget: usize,
}

/// The number of the state that rejects.
const REJECTING: usize = usize::MAX;

type Transitions = FxHashMap<(usize, ActionId), usize>;

impl Samples {
    /// No words yet, and a budget of branches.
    pub(super) fn new(alphabet: Alphabet, budget: usize) -> Self {
        Self { alphabet, words: Vec::new(), n_states: 1, budget }
    }

    /// Adds a word. No word is added as both.
    pub(super) fn add(&mut self, word: Word, is_accepted: bool) {
        let at = self.words.partition_point(|(known, _)| known.len() <= word.len());
        self.words.insert(at, (word, is_accepted));
    }

    /// A smallest automaton that agrees with all words; none if the budget is spent.
    pub(super) fn smallest(&mut self) -> Option<WordAutomaton> {
        if self.words.first().is_some_and(|(word, is_accepted)| word.is_empty() && !is_accepted) {
            let nothing = WordState { others: Some(0), ..WordState::default() };
            return Some(WordAutomaton::new(self.alphabet.clone(), vec![nothing], Some(0)));
        }
        loop {
            let mut transitions = Transitions::default();
            match self.complete(&mut transitions, 1) {
                Some(true) => return Some(self.automaton(&transitions)),
                Some(false) => self.n_states += 1,
                None => return None,
            }
        }
    }

    /// Whether transitions can be completed, with so many states used; none if the budget is spent.
    fn complete(&mut self, transitions: &mut Transitions, n_used: usize) -> Option<bool> {
        let open = match self.first_open(transitions) {
            Next::Contradiction => return Some(false),
            Next::Nothing => return Some(true),
            Next::Transition(open) => open,
        };
        let targets = (0..(n_used + 1).min(self.n_states)).chain([REJECTING]);
        for target in targets {
            self.budget = self.budget.checked_sub(1)?;
            transitions.insert(open, target);
            let n_used = if target == n_used { n_used + 1 } else { n_used };
            if self.complete(transitions, n_used)? {
                return Some(true);
            }
            transitions.remove(&open);
        }
        Some(false)
    }

    /// The first transition that a word needs and that is open, unless a word is treated wrongly.
    fn first_open(&self, transitions: &Transitions) -> Next {
        let mut open = Next::Nothing;
        for (word, is_accepted) in &self.words {
            match follow(word, transitions) {
                Ok(accepts) if accepts != *is_accepted => return Next::Contradiction,
                Err(needed) if matches!(open, Next::Nothing) => open = Next::Transition(needed),
                _ => {}
            }
        }
        open
    }

    /// The automaton; letters that no word needs change nothing.
    fn automaton(&self, transitions: &Transitions) -> WordAutomaton {
        let rejecting = self.n_states;
        let row = |state: usize| {
            let target = |action: ActionId| match transitions.get(&(state, action)) {
                Some(&REJECTING) => rejecting,
                Some(&target) => target,
                None => state,
            };
            let next = self.alphabet.iter().map(|action| (action, target(action))).collect();
            WordState { next, others: None }
        };
        let mut states: Vec<WordState> = (0..self.n_states).map(row).collect();
        states.push(WordState { others: Some(rejecting), ..WordState::default() });
        WordAutomaton::new(self.alphabet.clone(), states, Some(rejecting))
    }
}

/// What is to be decided next.
enum Next {
    Contradiction,
    Nothing,
    Transition((usize, ActionId)),
}

/// Whether a word is accepted, or the first transition that is missing.
fn follow(word: &[ActionId], transitions: &Transitions) -> Result<bool, (usize, ActionId)> {
    let mut state = 0;
    for &action in word {
        state = *transitions.get(&(state, action)).ok_or((state, action))?;
        if state == REJECTING {
            return Ok(false);
        }
    }
    Ok(true)
}
