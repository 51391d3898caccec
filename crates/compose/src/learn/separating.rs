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
//! states numbered in order, and within a budget (`branches`).

use super::branches::Branches;
use super::prefixes::Prefixes;
use crate::sides::{Fallible, Polled, WordAutomaton, WordState};
use resy_automata::lts::{ActionId, Alphabet};

/// The words so far. All are over one alphabet.
pub(crate) struct Samples {
    alphabet: Alphabet,
    letters: Vec<ActionId>,
    words: Prefixes,
    last: Separator,
    /// Whether the empty word is to be rejected.
    rejects_all: bool,
    /// The states that accept of the next automaton, and the fewest that will do.
    n_states: usize,
    least: usize,
    /// The branches that may still be tried.
    budget: usize,
    /// Automata with fewer states than this are looked for.
    end: usize,
}

/// With more prefixes, which would take 50 MB, there is no search.
const MAX_PREFIXES: usize = 20_000;

impl Samples {
    /// No words yet, and a budget of branches.
    pub(crate) fn new(alphabet: Alphabet, budget: usize) -> Self {
        let (letters, words) = (alphabet.iter().collect(), Prefixes::new());
        let (rejects_all, n_states, least, end) = (false, 1, 1, usize::MAX);
        let last = Separator::default();
        Self { alphabet, letters, words, last, rejects_all, n_states, least, budget, end }
    }

    /// Looks for automata with fewer states only.
    #[must_use]
    pub(crate) fn below(self, end: usize) -> Self {
        Self { end, ..self }
    }

    /// Automata with fewer states than this are looked for from now on; those with one state less come first.
    pub(crate) fn go_below(&mut self, end: usize) {
        self.end = end;
        self.n_states = self.least.max(end.saturating_sub(1));
    }

    /// Whether the budget is spent.
    pub(crate) fn is_spent(&self) -> bool {
        self.budget == 0
    }

    /// Adds a word; its actions that are no letters do not count. No word is added as both.
    pub(crate) fn add(&mut self, word: &[ActionId], is_accepted: bool) {
        let places = word.iter().map(|action| self.letters.binary_search(action));
        let mut letters = places.filter_map(Result::ok).peekable();
        self.rejects_all |= !is_accepted && letters.peek().is_none();
        self.words.add(letters, is_accepted);
    }

    /// Whether no automaton agrees with all words and the empty one: a word that is to be accepted begins with one that
    /// is not.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.words.is_contradictory()
    }

    /// A smallest automaton that agrees with all words; none if the budget is spent, or if it has too many states.
    pub(crate) fn smallest(&mut self, polled: &dyn Polled) -> Fallible<Option<Separator>> {
        if self.rejects_all {
            return Ok(Some(Separator::default()));
        }
        if self.words.len() > MAX_PREFIXES {
            self.budget = 0;
        }
        while self.n_states < self.end && !self.is_contradictory() && self.budget > 0 {
            let (n_letters, n_states) = (self.letters.len(), self.n_states);
            let mut search = Branches::new(&self.words, &self.last, n_letters, n_states);
            match search.complete(&mut self.budget, polled)? {
                Some(true) => {
                    self.last = search.separator();
                    return Ok(Some(self.last.clone()));
                }
                Some(false) => {
                    self.n_states += 1;
                    self.least = self.n_states;
                }
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The number of letters.
    pub(crate) fn n_letters(&self) -> usize {
        self.letters.len()
    }

    /// The place of an action among the letters.
    pub(crate) fn place(&self, action: ActionId) -> Option<usize> {
        self.letters.binary_search(&action).ok()
    }

    /// An automaton that was found.
    pub(crate) fn automaton(&self, found: &Separator) -> WordAutomaton {
        let rejecting = found.n_states;
        let row = |state: usize| {
            let next = self.letters.iter().enumerate().map(|(place, &letter)| {
                let target = found.after(self.letters.len(), state, place);
                (letter, target.unwrap_or(rejecting))
            });
            WordState { next: next.collect(), others: None }
        };
        let mut states: Vec<WordState> = (0..found.n_states).map(row).collect();
        states.push(WordState { others: Some(rejecting), ..WordState::default() });
        WordAutomaton::new(self.alphabet.clone(), states, Some(rejecting))
    }
}

/// An automaton by the places of letters; state 0 is the initial one.
#[derive(Clone, Default)]
pub(crate) struct Separator {
    /// The states that accept.
    pub n_states: usize,
    /// For each state and letter, the state after it; `u32::MAX` if the word is rejected.
    pub targets: Vec<u32>,
}

impl Separator {
    /// The state after a letter; none if the word is rejected.
    pub(crate) fn after(&self, n_letters: usize, state: usize, place: usize) -> Option<usize> {
        let target = self.targets[state * n_letters + place];
        (target != u32::MAX).then_some(target as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sides::Cancelled;
    use resy_index::Id;

    /// Goes on, or not.
    struct Polls(bool);

    impl Polled for Polls {
        fn poll(&self) -> Fallible<()> {
            if self.0 { Ok(()) } else { Err(Cancelled) }
        }
    }

    #[test]
    fn the_search_can_be_cancelled() {
        let letter = ActionId::from_index(0);
        let mut samples = Samples::new([letter].into_iter().collect(), 100);
        samples.add(&[letter], false);
        assert!(samples.smallest(&Polls(false)).is_err());
        let found = samples.smallest(&Polls(true)).expect("it goes on");
        assert_eq!(found.map(|found| found.n_states), Some(1));
    }
    /// Whether some automaton with so many states agrees with all words, by trying all.
    fn exists(words: &[(Vec<usize>, bool)], n_letters: usize, n_states: usize) -> bool {
        let n_targets = n_states + 1;
        let n_transitions = n_states * n_letters;
        (0..n_targets.pow(u32::try_from(n_transitions).unwrap())).any(|number| {
            let target = |i: usize| number / n_targets.pow(u32::try_from(i).unwrap()) % n_targets;
            words.iter().all(|(word, is_accepted)| {
                let mut states = Some(0);
                for letter in word {
                    let next = states.map(|state| target(state * n_letters + letter));
                    states = next.filter(|&next| next < n_states);
                }
                states.is_some() == *is_accepted
            })
        })
    }

    /// Backjumping passes over no automaton: the result is as small as the smallest of all.
    #[test]
    fn no_smaller_automaton_is_passed_over() {
        let mut random = resy_index::random::SplitMix(7);
        for _ in 0..400 {
            let n_letters = 1 + random.below(2);
            let n_words = 2 + random.below(7);
            let word = |random: &mut resy_index::random::SplitMix| {
                let letters = (0..=random.below(5)).map(|_| random.below(n_letters));
                (letters.collect::<Vec<_>>(), random.below(2) == 0)
            };
            let words: Vec<(Vec<usize>, bool)> = (0..n_words).map(|_| word(&mut random)).collect();
            let alphabet = (0..n_letters).map(ActionId::from_index).collect();
            let mut samples = Samples::new(alphabet, 1_000_000).below(4);
            for (word, is_accepted) in &words {
                let letters: Vec<_> = word.iter().map(|&l| ActionId::from_index(l)).collect();
                samples.add(&letters, *is_accepted);
            }
            let found = samples.smallest(&Polls(true)).expect("it goes on");
            let least = (1..4).find(|&n| exists(&words, n_letters, n));
            assert_eq!(found.map(|found| found.n_states), least, "{words:?}");
        }
    }
}
