//! Automata that reject bad words and accept the module, found from words alone.
//!
//! To split the module's classes takes a pass over its states for each class, and to find out whether the environment
//! must be split takes one over all pairs of a state and a context. Words take less of the module: one that an automaton
//! rejects is found early in a pass, and only the last automaton takes a whole one. But each word says something about
//! one letter in one state: there are about as many as transitions of the automaton, and each is tried against all others.
//! So automata come first if that many pairs of words are less than the transitions of the module, within a budget of a
//! few passes. (With as many letters of words in place of pairs, modules with a hundred letters took ten times as long.)
//! What was learned of the environment and of words stays if it is spent, or if there is no such automaton, because the
//! property is violated.
//!
//! The words that were met are the samples of a search for separating automata (`learn`), first over the letters that
//! the monitor knows, then over the whole interface. A letter that no sample needs changes nothing, so that no alphabet
//! has to be chosen.

use super::Compaction;
use super::contexts::Contexts;
use super::moves::Moves;
use super::smaller::{LEAST_BRANCHES, LEAST_VISITS, Refusal};
use super::world::MODULE;
use crate::learn::{Samples, Separator};
use crate::sides::{Fallible, WordAutomaton};
use resy_automata::lts::{ActionId, Alphabet, Label};
use resy_index::Id;

/// Automata with so many states are not looked for before the module is split.
const MANY_STATES: usize = 8;

/// The budget in passes over the module: to split it takes at least as many.
const PASSES: usize = 8;

/// The states that an automaton is expected to have, if it is small.
const FEW_STATES: usize = 4;

impl Compaction<'_> {
    /// An automaton that is an assumption; none if the module is small, if there is none with few states, or if the
    /// budget is spent.
    pub(super) fn first_automaton(&mut self) -> Fallible<Option<WordAutomaton>> {
        let n_words = FEW_STATES * self.interface().count();
        let n_transitions = self.world.pieces[MODULE].lts().n_transitions();
        if n_transitions < n_words * n_words {
            return Ok(None);
        }
        let mut contexts = self.contexts()?;
        self.automaton(&mut contexts, MANY_STATES, PASSES * n_transitions + LEAST_VISITS)
    }

    /// The actions that the module shares.
    fn interface(&self) -> impl Iterator<Item = ActionId> + '_ {
        let alphabet = self.world.pieces[MODULE].lts().alphabet();
        alphabet.iter().filter(|&action| !self.world.is_private(Label::Visible(action)))
    }

    /// An automaton with fewer states than `end` that is an assumption: few letters, often enough, are tried first; the
    /// answer for the whole interface counts.
    pub(super) fn automaton(
        &mut self,
        contexts: &mut Contexts,
        end: usize,
        visits: usize,
    ) -> Fallible<Option<WordAutomaton>> {
        let interface: Alphabet = self.interface().collect();
        let watched: Alphabet =
            interface.iter().filter(|action| self.world.changes[action.index()]).collect();
        let mut best = None;
        if watched.len() < interface.len() {
            best = self.separating(contexts, watched, end, visits)?.0;
        }
        let end = best.as_ref().map_or(end, WordAutomaton::n_accepting);
        let (found, has_ended) = self.separating(contexts, interface, end, visits)?;
        self.is_smallest = has_ended;
        Ok(found.or(best))
    }

    /// An automaton over an alphabet with fewer states than `end` that is an assumption, and whether the search for a
    /// smallest one ended within its budget.
    fn separating(
        &mut self,
        contexts: &mut Contexts,
        alphabet: Alphabet,
        end: usize,
        visits: usize,
    ) -> Fallible<(Option<WordAutomaton>, bool)> {
        let until = self.world.work + visits;
        let mut samples = Samples::new(alphabet, visits / 4 + LEAST_BRANCHES).below(end);
        if end < MANY_STATES {
            // What counts is whether there is one with a state less.
            samples.go_below(end);
        }
        self.real_words.iter().for_each(|word| samples.add(word, false));
        self.good_words.iter().for_each(|word| samples.add(word, true));
        let letters = self.places(&samples);
        let mut best = None;
        while !samples.is_contradictory()
            && let Some(found) = samples.smallest(self.polled)?
        {
            let moves = self.moves_of(&found, &letters, samples.n_letters());
            // What is smaller is asked first: the other is searched as a whole only if that one has no objection.
            let is_module_first = self.world.pieces[MODULE].lts().n_states() < contexts.len();
            if is_module_first && self.refuses(&moves, &mut samples)? {
                continue;
            }
            match self.refusal(contexts, &moves, 0, until)? {
                Refusal::None => {}
                Refusal::Unknown => return Ok((best, false)),
                Refusal::Words(words) => {
                    words.iter().for_each(|word| samples.add(word, false));
                    self.real_words.extend(words);
                    continue;
                }
            }
            if is_module_first || !self.refuses(&moves, &mut samples)? {
                best = Some(samples.automaton(&found));
                samples.go_below(found.n_states);
            }
        }
        Ok((best, !samples.is_spent()))
    }

    /// The letters of the module that are shared, with their places among those of samples.
    fn places(&self, samples: &Samples) -> Vec<(usize, Option<usize>)> {
        let letters = self.world.pieces[MODULE].lts().alphabet().iter().enumerate();
        let shared = letters.filter(|&(_, action)| !self.world.is_private(Label::Visible(action)));
        shared.map(|(letter, action)| (letter, samples.place(action))).collect()
    }

    /// Whether the module has words that an automaton rejects; they become samples.
    fn refuses(&mut self, moves: &Moves, samples: &mut Samples) -> Fallible<bool> {
        let against = self.words_against(moves)?;
        against.iter().for_each(|word| samples.add(word, true));
        let is_refused = !against.is_empty();
        self.good_words.extend(against);
        Ok(is_refused)
    }

    /// An automaton in terms of the module's letters. What is rejected cannot be done.
    fn moves_of(
        &self,
        found: &Separator,
        letters: &[(usize, Option<usize>)],
        n_letters: usize,
    ) -> Moves {
        let mut moves = Moves::new(self.world.pieces[MODULE].internal() + 1, found.n_states.max(1));
        for &(letter, place) in letters {
            for state in 0..found.n_states {
                let target =
                    place.map_or(Some(state), |place| found.after(n_letters, state, place));
                if let Some(target) = target {
                    moves.insert(letter, state, target);
                }
            }
        }
        moves
    }
}
