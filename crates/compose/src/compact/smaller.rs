//! An assumption with fewer states than the smallest image found.
//!
//! The classes of the environment were made for the module as it is; a smaller assumption may need finer ones. So a
//! path that refuses it is followed in the environment, and if a part cannot follow, its classes are split. First comes
//! the module as one class. Then automata that reject the bad words and accept the module: the words that were met
//! are the samples of a search for separating automata (`learn`), first over the letters that the monitor knows, then
//! over the whole interface. A letter that no sample needs changes nothing, so that no alphabet has to be chosen. There is a budget. If the search ends before, no
//! deterministic assumption is smaller than the result.

use super::Compaction;
use super::classes::{BadWord, shared_word};
use super::contexts::Contexts;
use super::moves::Moves;
use super::replay::follow;
use super::world::MODULE;
use crate::learn::Samples;
use crate::sides::{Cancelled, Fallible, Word, WordAutomaton};
use resy_automata::lts::{ActionId, Alphabet, Label, StateId};
use resy_index::Id;

/// The least budget of visits of pairs; it may also be as large as the work that was done before.
const LEAST_VISITS: usize = 2_000;

/// The least budget of branches; a branch takes as long as a few visits.
const LEAST_BRANCHES: usize = 1_000;

impl Compaction<'_> {
    /// Looks for a smaller assumption. One class is put in the place of the module's; an automaton is the answer.
    pub(super) fn smaller(&mut self, contexts: &mut Contexts) -> Fallible<Option<WordAutomaton>> {
        let n_classes = self.world.pieces[MODULE].n_classes();
        self.is_smallest = true;
        if n_classes == 1 {
            return Ok(None);
        }
        let visits = self.world.work + LEAST_VISITS;
        let until = self.world.work + visits;
        if self.real_words.is_empty() {
            let one = self.world.pieces[MODULE].moves.merged(&vec![0; n_classes], 1);
            match self.refusal(contexts, &one, 0, until)? {
                Refusal::None => {
                    self.world.pieces[MODULE].merge(&vec![0; n_classes], 1);
                    return Ok(None);
                }
                Refusal::Word(word) => self.real_words.push(word),
                Refusal::Unknown => {
                    self.is_smallest = false;
                    return Ok(None);
                }
            }
        }
        if n_classes == 2 {
            return Ok(None);
        }
        let module = self.world.pieces[MODULE].lts();
        let is_shared = |action: &ActionId| !self.world.is_private(Label::Visible(*action));
        let interface: Alphabet = module.alphabet().iter().filter(is_shared).collect();
        let watched: Alphabet =
            interface.iter().filter(|action| self.world.changes[action.index()]).collect();
        let mut best = None;
        let mut end = n_classes;
        // Few letters, often enough, are tried first; the answer for the whole interface counts.
        if watched.len() < interface.len() {
            best = self.separating(contexts, watched, end, visits)?.0;
            end = best.as_ref().map_or(end, WordAutomaton::n_accepting);
        }
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
            if let Some(word) = self.word_against(&moves)? {
                samples.add(&word, true);
                self.good_words.push(word);
                continue;
            }
            match self.refusal(contexts, &moves, automaton.initial(), until)? {
                Refusal::None => return Ok((Some(automaton), true)),
                Refusal::Unknown => return Ok((None, false)),
                Refusal::Word(word) => {
                    samples.add(&word, false);
                    self.real_words.push(word);
                }
            }
        }
        Ok((None, !samples.is_spent()))
    }

    /// Why the environment is not safe with an assumption; its classes are split as needed.
    fn refusal(
        &mut self,
        contexts: &mut Contexts,
        moves: &Moves,
        initial: usize,
        until: usize,
    ) -> Fallible<Refusal> {
        while let Some((BadWord { path, .. }, _)) = self.bad_word(contexts, moves, initial)? {
            match follow(&self.world, contexts, &path) {
                Ok(_) => return Ok(Refusal::Word(shared_word(&self.world, &path))),
                Err(_) if self.world.work > until => return Ok(Refusal::Unknown),
                Err(stuck) => {
                    self.split_environment(&stuck);
                    *contexts = self.contexts()?;
                }
            }
        }
        Ok(Refusal::None)
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

    /// A shortest word of the module that an automaton rejects.
    fn word_against(&mut self, moves: &Moves) -> Fallible<Option<Word>> {
        let module = self.world.pieces[MODULE].lts();
        let n = moves.n_classes();
        let mut is_found = vec![false; module.n_states() * n];
        // Each pair with the place of the one before, and the letter between them.
        let mut found: Vec<(StateId, usize, usize, Option<ActionId>)> = Vec::new();
        is_found[module.initial().index() * n] = true;
        found.push((module.initial(), 0, usize::MAX, None));
        let mut next = 0;
        while let Some(&(state, q, ..)) = found.get(next) {
            self.polled.poll()?;
            for &(label, to) in module.transitions_from(state) {
                let shared = label.action().filter(|_| !self.world.is_private(label));
                let letter = shared.and_then(|action| self.world.letter(action));
                let after = match letter {
                    None => Some(q),
                    Some(letter) => moves.targets(letter, q).next(),
                };
                let Some(after) = after else {
                    self.world.work += found.len();
                    return Ok(Some(word(&found, next, shared)));
                };
                if !std::mem::replace(&mut is_found[to.index() * n + after], true) {
                    found.push((to, after, next, shared));
                }
            }
            next += 1;
        }
        self.world.work += found.len();
        Ok(None)
    }

    /// The contexts for the present classes of the environment.
    pub(super) fn contexts(&mut self) -> Fallible<Contexts> {
        let contexts = Contexts::new(&self.world);
        self.is_too_large |= contexts.is_none();
        contexts.ok_or(Cancelled)
    }
}

/// Whether the environment is safe with an assumption.
enum Refusal {
    /// It is.
    None,
    /// A word of the assumption that the environment can follow into an error.
    Word(Word),
    /// The budget is spent.
    Unknown,
}

fn word(
    found: &[(StateId, usize, usize, Option<ActionId>)],
    mut at: usize,
    last: Option<ActionId>,
) -> Word {
    let mut word: Word = last.into_iter().collect();
    while let Some(&(_, _, before, letter)) = found.get(at) {
        word.extend(letter);
        at = before;
    }
    word.reverse();
    word
}
