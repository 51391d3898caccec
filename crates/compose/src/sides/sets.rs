//! Sets of contexts, each stored once: `Sim(Q,Σ,w)` as a function of the set before and the letter.
//!
//! Whether a word is good, and all that follows it, depends on its set alone. So the sets are the
//! states of a deterministic automaton of the good words, found when they are needed.

use super::environment::{ContextNumber, ERROR, EnvironmentSide};
use super::search::Fallible;
use resy_automata::lts::{ActionId, Alphabet};
use resy_index::{Id, define_id};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

define_id!(
    /// A set of contexts.
    pub(crate) struct SetId,
    "x"
);

/// The sets for one alphabet.
pub(crate) struct SetTable {
    alphabet: Alphabet,
    sets: Vec<Rc<[ContextNumber]>>,
    ids: FxHashMap<Rc<[ContextNumber]>, SetId>,
    next: FxHashMap<(SetId, ActionId), SetId>,
    enabled: FxHashMap<SetId, Rc<[ActionId]>>,
    start: Option<SetId>,
}

impl SetTable {
    /// No set yet but the empty one and that of the error.
    pub(crate) fn new(alphabet: Alphabet) -> Self {
        let (sets, ids, next, enabled) = Default::default();
        let mut table = Self { alphabet, sets, ids, next, enabled, start: None };
        table.intern(Vec::new());
        table.intern(vec![ERROR]);
        table
    }

    /// The alphabet.
    pub(crate) fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of sets met so far, the empty one and that of the error included.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The empty set: the environment cannot follow, so whatever comes is good.
    pub(crate) fn empty() -> SetId {
        Id::from_index(0)
    }

    /// The set of the error: whatever comes is bad.
    pub(crate) fn error() -> SetId {
        Id::from_index(1)
    }

    /// The set after the empty word.
    pub(crate) fn start(&mut self, environment: &mut EnvironmentSide<'_>) -> Fallible<SetId> {
        if let Some(start) = self.start {
            return Ok(start);
        }
        let initial = environment.initial();
        let start = self.closed(vec![initial], environment)?;
        self.start = Some(start);
        Ok(start)
    }

    /// The set after the empty word, which must have been computed.
    pub(crate) fn known_start(&self) -> SetId {
        self.start.expect("the sets begin with the first one")
    }

    /// The set after one more letter.
    pub(crate) fn after(
        &mut self,
        set: SetId,
        action: ActionId,
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<SetId> {
        if set == Self::empty() || set == Self::error() {
            return Ok(set);
        }
        if let Some(&known) = self.next.get(&(set, action)) {
            return Ok(known);
        }
        let mut targets = Vec::new();
        for &context in &*self.sets[set.index()].clone() {
            let steps = environment.steps(context)?.iter();
            targets.extend(steps.filter(|s| s.letter == Some(action)).map(|s| s.target));
        }
        let next = self.closed(targets, environment)?;
        self.next.insert((set, action), next);
        Ok(next)
    }

    /// The set after a word.
    pub(crate) fn after_word(
        &mut self,
        word: &[ActionId],
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<SetId> {
        let mut set = self.start(environment)?;
        for &action in word {
            set = self.after(set, action, environment)?;
        }
        Ok(set)
    }

    /// The letters that some context of the set has a step by.
    pub(crate) fn enabled(
        &mut self,
        set: SetId,
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<Rc<[ActionId]>> {
        if let Some(known) = self.enabled.get(&set) {
            return Ok(known.clone());
        }
        let mut letters = FxHashSet::default();
        for &context in &*self.sets[set.index()].clone() {
            let steps = environment.steps(context)?.iter();
            letters.extend(steps.filter_map(|step| step.letter));
        }
        let letters: Alphabet = letters.into_iter().collect();
        let letters: Rc<[ActionId]> =
            letters.iter().filter(|&action| self.alphabet.contains(action)).collect();
        self.enabled.insert(set, letters.clone());
        Ok(letters)
    }

    /// The set of these contexts and all that follow by silent steps.
    fn closed(
        &mut self,
        mut contexts: Vec<ContextNumber>,
        environment: &mut EnvironmentSide<'_>,
    ) -> Fallible<SetId> {
        let mut found: FxHashSet<ContextNumber> = FxHashSet::default();
        contexts.retain(|&context| found.insert(context));
        let mut next = 0;
        while let Some(&context) = contexts.get(next) {
            if context == ERROR {
                return Ok(Self::error());
            }
            environment.cancellation().poll()?;
            for step in environment.steps(context)? {
                let is_silent = step.letter.is_none_or(|action| !self.alphabet.contains(action));
                if is_silent && found.insert(step.target) {
                    contexts.push(step.target);
                }
            }
            next += 1;
        }
        Ok(self.intern(contexts))
    }

    fn intern(&mut self, mut contexts: Vec<ContextNumber>) -> SetId {
        contexts.sort_unstable();
        if let Some(&id) = self.ids.get(&contexts[..]) {
            return id;
        }
        let id = Id::from_index(self.sets.len());
        let set: Rc<[ContextNumber]> = contexts.into();
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }
}
