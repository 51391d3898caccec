//! Automata that reject bad words and accept the module, found from words alone.
//!
//! To split the module's classes takes a pass over its states for each class, and to find out whether the environment
//! must be split takes one over all pairs of a state and a context. Words take less of the module: one that an automaton
//! rejects is found early in a pass, and only the last automaton takes a whole one. But each word says something about
//! one letter in one state: there are about as many as transitions of the automaton, and each is tried against all others.
//! So automata come first if that many pairs of words are less than the transitions of the module, within a budget of a
//! few passes. What was learned of the environment and of words stays if it is spent, or if there is no such
//! automaton, because the property is violated.
//!
//! The words that were met are the samples of a search for separating automata (`learn`), first over the letters that
//! the monitor knows, then over the whole interface. A letter that no sample needs changes nothing, so that no alphabet
//! has to be chosen.

use super::Compaction;
use super::contexts::Contexts;
use super::moves::Moves;
use super::smaller::{LEAST_BRANCHES, LEAST_VISITS, Refusal};
use super::world::MODULE;
use crate::learn::Samples;
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
        let n_words = FEW_STATES * self.interface().len();
        let n_transitions = self.world.pieces[MODULE].lts().n_transitions();
        if n_transitions < n_words * n_words {
            return Ok(None);
        }
        let mut contexts = self.contexts()?;
        self.automaton(&mut contexts, MANY_STATES, PASSES * n_transitions + LEAST_VISITS)
    }

    /// The actions that the module shares.
    fn interface(&self) -> Alphabet {
        let is_shared = |action: &ActionId| !self.world.is_private(Label::Visible(*action));
        self.world.pieces[MODULE].lts().alphabet().iter().filter(is_shared).collect()
    }

    /// An automaton with fewer states than `end` that is an assumption: few letters, often enough, are tried first; the
    /// answer for the whole interface counts.
    pub(super) fn automaton(
        &mut self,
        contexts: &mut Contexts,
        end: usize,
        visits: usize,
    ) -> Fallible<Option<WordAutomaton>> {
        let interface = self.interface();
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
        self.real_words.iter().for_each(|word| samples.add(word, false));
        self.good_words.iter().for_each(|word| samples.add(word, true));
        while !samples.is_contradictory()
            && let Some(automaton) = samples.smallest(self.polled)?
        {
            let moves = self.moves_of(&automaton);
            // What is smaller is asked first: the other is searched as a whole only if that one has no objection.
            let is_module_first = self.world.pieces[MODULE].lts().n_states() < contexts.len();
            if is_module_first && self.refuses(&moves, &mut samples)? {
                continue;
            }
            match self.refusal(contexts, &moves, automaton.initial(), until)? {
                Refusal::None => {}
                Refusal::Unknown => return Ok((None, false)),
                Refusal::Word(word) => {
                    samples.add(&word, false);
                    self.real_words.push(word);
                    continue;
                }
            }
            if is_module_first || !self.refuses(&moves, &mut samples)? {
                return Ok((Some(automaton), true));
            }
        }
        Ok((None, !samples.is_spent()))
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
    fn moves_of(&self, automaton: &WordAutomaton) -> Moves {
        let n_letters = self.world.pieces[MODULE].internal() + 1;
        let mut moves = Moves::new(n_letters, automaton.n_accepting());
        let number = |state| automaton.number_in_lts(state).map(Id::index);
        let letters: Vec<ActionId> = self.world.pieces[MODULE].lts().alphabet().iter().collect();
        for state in 0..automaton.states().len() {
            let Some(from) = number(state) else { continue };
            for (letter, &action) in letters.iter().enumerate() {
                if self.world.is_private(Label::Visible(action)) {
                    continue;
                }
                if let Some(to) = number(automaton.after(state, action)) {
                    moves.insert(letter, from, to);
                }
            }
        }
        moves
    }
}
