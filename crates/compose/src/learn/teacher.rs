//! The teacher: answers membership queries from the environment, and checks the premises.

use super::Lesson;
use crate::sides::{
    EnvironmentSide, Fallible, ModuleSide, Polled, SetTable, Trace, Word, WordAutomaton,
};
use resy_automata::lts::{ActionId, Alphabet};
use rustc_hash::FxHashMap;

/// What a learner may ask.
pub(crate) trait MembershipOracle {
    /// Whether a word is good.
    fn member(&mut self, word: &[ActionId]) -> Fallible<bool>;

    /// The letters to be told apart after a word.
    fn letters(&mut self, word: &[ActionId]) -> Fallible<Letters>;
}

/// The letters of an alphabet after a word, of which many may lead to the same.
pub(crate) struct Letters {
    /// Each stands for itself.
    pub own: Vec<ActionId>,
    /// It stands for all others.
    pub others: Option<ActionId>,
}

/// What learning took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnCounts {
    /// Words whose membership was asked, each counted once; with T2 only those that had to be asked.
    pub membership: usize,
    /// Hypotheses whose premises were checked.
    pub candidates: usize,
    /// Sets of contexts that the answers were found in.
    pub sets: usize,
    /// Contexts that were met.
    pub contexts: usize,
    /// The largest hypothesis: states that accept.
    pub largest: usize,
    /// Whether no deterministic assumption over the last alphabet has fewer states.
    pub is_smallest: bool,
}

impl LearnCounts {
    /// Adds what learning over a further alphabet took. Contexts are kept from one to the next.
    pub(crate) fn and(&mut self, next: &Self) {
        self.membership += next.membership;
        self.candidates += next.candidates;
        self.sets += next.sets;
        self.contexts = next.contexts;
        self.largest = self.largest.max(next.largest);
        self.is_smallest = next.is_smallest;
    }
}

/// A teacher for one alphabet.
pub(crate) struct Teacher<'s, 'e> {
    environment: &'s mut EnvironmentSide<'e>,
    module: &'s mut dyn ModuleSide,
    sets: SetTable,
    is_selective: bool,
    answers: FxHashMap<Word, bool>,
    counts: LearnCounts,
    lessons: Vec<Lesson>,
}

impl<'s, 'e> Teacher<'s, 'e> {
    /// A teacher for an alphabet, a part of the interface, that begins with known answers.
    pub(crate) fn new(
        environment: &'s mut EnvironmentSide<'e>,
        module: &'s mut dyn ModuleSide,
        alphabet: Alphabet,
        is_selective: bool,
        known: Vec<(Word, bool)>,
    ) -> Self {
        let answers = known.into_iter().collect();
        let (counts, lessons) = Default::default();
        let sets = SetTable::new(alphabet);
        Self { environment, module, sets, is_selective, answers, counts, lessons }
    }

    /// The alphabet.
    pub(crate) fn alphabet(&self) -> &Alphabet {
        self.sets.alphabet()
    }

    /// What the loops of a learner ask.
    pub(crate) fn cancellation(&self) -> &'e dyn Polled {
        self.environment.cancellation()
    }

    /// Premise 1: a shortest error trace of the environment along words that the hypothesis accepts.
    pub(crate) fn premise_1(&mut self, hypothesis: &WordAutomaton) -> Fallible<Option<Trace>> {
        self.counts.candidates += 1;
        self.counts.largest = self.counts.largest.max(hypothesis.n_accepting());
        self.environment.against(hypothesis)
    }

    /// Premise 2: a shortest trace of the module that the hypothesis rejects.
    pub(crate) fn premise_2(&mut self, hypothesis: &WordAutomaton) -> Fallible<Option<Trace>> {
        self.module.against(hypothesis)
    }

    /// A trace of the module along a word, if it is to be looked for at all.
    pub(crate) fn module_along(
        &mut self,
        word: &[ActionId],
        is_wanted: bool,
    ) -> Fallible<Option<Trace>> {
        match is_wanted {
            true => self.module.along(word, self.sets.alphabet()),
            false => Ok(None),
        }
    }

    /// An error trace of the environment along a word, if the word is bad.
    pub(crate) fn error_along(&mut self, word: &[ActionId]) -> Fallible<Option<Trace>> {
        match self.member(word)? {
            true => Ok(None),
            false => self.environment.along(word, self.sets.alphabet()),
        }
    }

    /// The last hypothesis is a smallest one.
    pub(crate) fn found_smallest(&mut self) {
        self.counts.is_smallest = true;
    }

    /// Takes note of a counterexample.
    pub(crate) fn note(&mut self, lesson: Lesson) {
        self.lessons.push(lesson);
    }

    /// What it took, the counterexamples, and the answers that are right for every larger alphabet:
    /// good words stay good when the alphabet grows; bad words need not stay bad.
    pub(crate) fn finish(self) -> (LearnCounts, Vec<Lesson>, Vec<(Word, bool)>) {
        let contexts = self.environment.n_contexts();
        let counts = LearnCounts { sets: self.sets.len() - 2, contexts, ..self.counts };
        let lasting = self.answers.into_iter().filter(|(_, is_good)| *is_good);
        (counts, self.lessons, lasting.collect())
    }

    /// The answer for a word that is settled before its end: its prefix is bad, or cannot be followed
    /// by the environment.
    fn settled(&mut self, word: &[ActionId]) -> Fallible<Option<bool>> {
        let prefix = &word[..word.len().saturating_sub(1)];
        let set = self.sets.after_word(prefix, self.environment)?;
        if set == SetTable::error() {
            return Ok(Some(false));
        }
        let set = self.sets.after_word(word, self.environment)?;
        Ok((set == SetTable::empty()).then_some(true))
    }
}

impl MembershipOracle for Teacher<'_, '_> {
    fn member(&mut self, word: &[ActionId]) -> Fallible<bool> {
        if let Some(&known) = self.answers.get(word) {
            return Ok(known);
        }
        if self.is_selective
            && !word.is_empty()
            && let Some(answer) = self.settled(word)?
        {
            return Ok(answer);
        }
        self.counts.membership += 1;
        let is_good = self.sets.after_word(word, self.environment)? != SetTable::error();
        self.answers.insert(word.to_vec(), is_good);
        Ok(is_good)
    }

    /// With T2, letters that the environment cannot follow are all alike. After a bad word all letters
    /// are alike too, but for the opposite reason: that case must not be mistaken for the other.
    fn letters(&mut self, word: &[ActionId]) -> Fallible<Letters> {
        if !self.is_selective {
            return Ok(Letters { own: self.sets.alphabet().iter().collect(), others: None });
        }
        let set = self.sets.after_word(word, self.environment)?;
        let own = match set == SetTable::error() {
            true => Vec::new(),
            false => self.sets.enabled(set, self.environment)?.to_vec(),
        };
        let others = self.sets.alphabet().iter().find(|action| !own.contains(action));
        Ok(Letters { own, others })
    }
}
