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

use super::branches::Branches;
use crate::sides::{Fallible, Polled, WordAutomaton, WordState};
use resy_automata::lts::{ActionId, Alphabet};

/// The words so far. All are over one alphabet.
pub(crate) struct Samples {
    alphabet: Alphabet,
    letters: Vec<ActionId>,
    /// The shortest first.
    words: Vec<Sample>,
    /// The states that accept of the last automaton: no smaller one will do.
    n_states: usize,
    /// The branches that may still be tried.
    budget: usize,
    /// Automata with fewer states than this are looked for.
    end: usize,
}

/// A word with what is to be done with it.
pub(super) struct Sample {
    /// The places of its letters in the alphabet.
    pub letters: Vec<usize>,
    pub is_accepted: bool,
}

impl Samples {
    /// No words yet, and a budget of branches.
    pub(crate) fn new(alphabet: Alphabet, budget: usize) -> Self {
        let letters = alphabet.iter().collect();
        Self { alphabet, letters, words: Vec::new(), n_states: 1, budget, end: usize::MAX }
    }

    /// Looks for automata with fewer states only.
    #[must_use]
    pub(crate) fn below(self, end: usize) -> Self {
        Self { end, ..self }
    }

    /// Whether the budget is spent.
    pub(crate) fn is_spent(&self) -> bool {
        self.budget == 0
    }

    /// Adds a word; its actions that are no letters do not count. No word is added as both.
    pub(crate) fn add(&mut self, word: &[ActionId], is_accepted: bool) {
        let places = word.iter().map(|action| self.letters.binary_search(action));
        let letters: Vec<usize> = places.filter_map(Result::ok).collect();
        let at = self.words.partition_point(|known| known.letters.len() <= letters.len());
        self.words.insert(at, Sample { letters, is_accepted });
    }

    /// Whether no automaton agrees with all words and the empty one: a word that is to be accepted begins with one that
    /// is not.
    pub(crate) fn is_contradictory(&self) -> bool {
        let mut rejected = self.words.iter().filter(|word| !word.is_accepted);
        rejected.any(|bad| {
            let mut accepted = self.words.iter().filter(|word| word.is_accepted);
            bad.letters.is_empty() || accepted.any(|word| word.letters.starts_with(&bad.letters))
        })
    }

    /// A smallest automaton that agrees with all words; none if the budget is spent, or if it has too many states.
    pub(crate) fn smallest(&mut self, polled: &dyn Polled) -> Fallible<Option<WordAutomaton>> {
        if self.words.first().is_some_and(|word| word.letters.is_empty() && !word.is_accepted) {
            let nothing = WordState { others: Some(0), ..WordState::default() };
            return Ok(Some(WordAutomaton::new(self.alphabet.clone(), vec![nothing], Some(0))));
        }
        while self.n_states < self.end {
            let mut search = Branches::new(&self.words, self.letters.len(), self.n_states);
            match search.complete(&mut self.budget, polled)? {
                Some(true) => return Ok(Some(self.automaton(&search))),
                Some(false) => self.n_states += 1,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The automaton that was found.
    fn automaton(&self, search: &Branches<'_>) -> WordAutomaton {
        let rejecting = self.n_states;
        let row = |state: usize| {
            let targets = search.row(state).map(|target| target.unwrap_or(rejecting));
            WordState { next: self.letters.iter().copied().zip(targets).collect(), others: None }
        };
        let mut states: Vec<WordState> = (0..self.n_states).map(row).collect();
        states.push(WordState { others: Some(rejecting), ..WordState::default() });
        WordAutomaton::new(self.alphabet.clone(), states, Some(rejecting))
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
        assert_eq!(found.map(|automaton| automaton.n_accepting()), Some(1));
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
            assert_eq!(found.map(|found| found.n_accepting()), least, "{words:?}");
        }
    }
}
