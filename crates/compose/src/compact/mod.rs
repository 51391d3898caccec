//! Small assumptions, computed: the environment is abstracted first, then the module, and the result is made small.
//!
//! ```text
//! the environment as it is, with one class of the module: if it is safe, nothing is needed
//! one class for each part of the environment
//! loop    a path of the module with the contexts into the error;  none: the property holds
//!         the environment can follow it: violated;  otherwise split a class of a part that cannot
//! loop    a path of the module's classes with the contexts into the error;  none: an assumption
//!         a bad word, which the module has not: split a class of the module that can follow it
//! merge the module's classes while they can follow no bad word, and the contexts are safe with them
//! look for a deterministic automaton with fewer states; split the environment further if that is what refuses it
//! ```
//!
//! Refinement of the module alone (`agar`) explores the whole environment with the property, which is often larger
//! than the product of the network. Here contexts consist of the parts of the environment on which the property
//! depends, and are explored once for all that stands for the module, with sets of its classes as bits. What has been
//! found stays: bad words refuse most trials to merge, without a search. No alphabet is guessed: an action that
//! concerns no context is one that the module takes alone.
//!
//! The result is certified by the classes of all parts. An automaton that is smaller than every image found is no
//! image itself; its certificate is the image that it gives (`sides`), with the same classes of the environment.

mod against;
mod classes;
mod contexts;
mod moves;
mod one_class;
mod pairs;
mod piece;
mod replay;
mod smaller;
mod stand;
mod trail;
mod words;
mod world;

use crate::agar::{AgarOptions, merged_module};
use crate::cancellation::Cancellation;
use crate::requirement::{Conclusion, Requirement};
use crate::sides::{Cancelled, Fallible, Polled, Word, WordAutomaton, image};
use crate::split::Split;
use classes::BadWord;
use contexts::Contexts;
use one_class::{OneClass, one_class};
use pairs::Pairs;
use piece::Piece;
use replay::{Stuck, follow};
use resy_automata::lts::{ActionId, Alphabet, Label, Lts};
use resy_automata::partition::Partition;
use rustc_hash::FxHashMap;
use world::{MODULE, World};

/// A small assumption about the module of a split, or why there is none.
#[derive(Clone, Debug)]
pub struct CompactAssumption {
    /// The conclusion about the property.
    pub verdict: Conclusion,
    /// The partition of the module that proves the property, if it holds.
    pub partition: Option<Partition>,
    /// The partitions of the environment's parts that go with it.
    pub environment: Vec<Partition>,
    /// A deterministic assumption with fewer states than the partition has classes, if one was found.
    pub automaton: Option<WordAutomaton>,
    /// The states of the smallest assumption.
    pub n_states: usize,
    /// Whether no deterministic assumption has fewer states: the search for one ended within its budget.
    pub is_smallest: bool,
    /// Words of the interface that the environment can follow into an error: why the assumption is not smaller.
    pub bad_words: Vec<Word>,
    /// The classes that were split, in all parts.
    pub n_splits: usize,
}

/// A part of the environment with so few states is not abstracted once it matters: to split it class by class takes a
/// search for each.
const FEW_STATES: usize = 32;

/// An environment with so few states is not abstracted at all once a part of it matters.
const FEW_JOINT_STATES: usize = 64;

/// With more classes of all parts together, a part is kept whole only if that is little beside the module.
const MANY_CLASSES: usize = 512;

/// Finds a small assumption about the module of a split; `Interrupted` if `go_on` cancels.
pub fn compact_assumption(split: &Split, mut go_on: impl FnMut() -> bool) -> CompactAssumption {
    if split.fails_at_once() {
        return CompactAssumption::with(Conclusion::Fails(Vec::new()));
    }
    let cancellation = Cancellation::new(&mut go_on);
    let mut compaction = Compaction {
        world: World::new(split),
        polled: &cancellation,
        bad_words: Vec::new(),
        real_words: Vec::new(),
        good_words: Vec::new(),
        n_splits: 0,
        is_smallest: false,
        is_too_large: false,
    };
    let found = compaction.compute();
    let is_too_large = compaction.is_too_large;
    drop(cancellation);
    match found {
        Ok(found) => found,
        Err(Cancelled) if is_too_large => by_refinement(split, go_on),
        Err(Cancelled) => CompactAssumption::with(Conclusion::Interrupted),
    }
}

/// The same from refinement of the module alone, where the classes are too many for bits.
fn by_refinement(split: &Split, go_on: impl FnMut() -> bool) -> CompactAssumption {
    let found = merged_module(split, &AgarOptions::default(), go_on);
    CompactAssumption {
        n_states: found.n_classes,
        n_splits: found.n_splits,
        partition: found.partition,
        ..CompactAssumption::with(found.verdict)
    }
}

impl CompactAssumption {
    fn with(verdict: Conclusion) -> Self {
        let (partition, automaton) = (None, None);
        let (environment, bad_words) = Default::default();
        let (n_states, n_splits, is_smallest) = (1, 0, false);
        Self {
            verdict,
            partition,
            environment,
            automaton,
            n_states,
            is_smallest,
            bad_words,
            n_splits,
        }
    }

    /// The image of the module that is certified: that of the automaton if there is one, otherwise the partition's;
    /// the whole module without a proof.
    pub fn requirement(&self, split: &Split) -> Requirement {
        let module = &split.module.lts;
        let partition = match (&self.automaton, &self.partition, &self.verdict) {
            (Some(automaton), ..) => image(module, automaton),
            (None, Some(partition), _) => partition.clone(),
            (None, None, Conclusion::Fails(_)) => Partition::single(module.n_states()),
            (None, None, _) => Partition::discrete(module.n_states()),
        };
        Requirement::new(module, partition, self.verdict.clone())
            .with_environment(self.environment.clone())
    }
}

/// The actions of an interface that an image of the module does not simply permit in every state without moving.
pub fn needed_letters(image: &Lts, interface: &Alphabet) -> Alphabet {
    let is_idle = |&action: &ActionId| {
        let by = |state| image.transitions_by(state, Label::Visible(action));
        image.states().all(|state| matches!(by(state), [(_, to)] if *to == state))
    };
    interface.iter().filter(|action| !is_idle(action)).collect()
}

/// The computation.
struct Compaction<'a> {
    world: World<'a>,
    polled: &'a dyn Polled,
    /// Words that lead the contexts into the error.
    bad_words: Vec<BadWord>,
    /// Words that lead the environment itself there, and words that the module has.
    real_words: Vec<Word>,
    good_words: Vec<Word>,
    n_splits: usize,
    /// Whether the search for a smaller assumption ended within its budget.
    is_smallest: bool,
    /// Whether it was given up because there are too many classes.
    is_too_large: bool,
}

impl Compaction<'_> {
    fn compute(&mut self) -> Fallible<CompactAssumption> {
        match one_class(&self.world, 1..self.world.pieces.len(), self.polled)? {
            OneClass::Safe => return Ok(self.nothing_needed()),
            OneClass::Error(word) => self.real_words.push(word),
            OneClass::Unknown => {}
        }
        if let Some(automaton) = self.first_automaton()? {
            return Ok(self.of_words(automaton));
        }
        if self.has_small_environment()
            && let OneClass::Error(_) = one_class(&self.world, MODULE..MODULE + 1, self.polled)?
        {
            self.keep_environment();
        }
        let (mut contexts, pairs) = loop {
            let mut contexts = self.contexts()?;
            let mut pairs = Pairs::default();
            let path = pairs.search(&self.world, &mut contexts, self.polled)?;
            self.world.work += pairs.len();
            let Some(path) = path else { break (contexts, pairs) };
            match follow(&self.world, &contexts, &path) {
                Ok(followed) => {
                    let run = followed.run(&self.world, &path);
                    let violated = CompactAssumption::with(Conclusion::Fails(run));
                    return Ok(CompactAssumption { n_splits: self.n_splits, ..violated });
                }
                Err(stuck) => self.split_environment(&stuck),
            }
        };
        let automaton = match self.split_module(&mut contexts)? {
            true => {
                self.merge(&mut contexts)?;
                match self.smaller(&mut contexts) {
                    // What was found before is an assumption; finer classes of the environment do no harm.
                    Err(Cancelled) if !self.is_too_large => None,
                    found => found?,
                }
            }
            false => {
                self.classify_by(&contexts, &pairs);
                None
            }
        };
        let module = &self.world.pieces[MODULE];
        let n_classes = module.n_classes();
        Ok(CompactAssumption {
            verdict: Conclusion::Holds,
            partition: Some(module.partition()),
            environment: self.world.pieces[1..].iter().map(|piece| piece.partition()).collect(),
            n_states: automaton.as_ref().map_or(n_classes, WordAutomaton::n_accepting),
            automaton,
            is_smallest: self.is_smallest,
            bad_words: std::mem::take(&mut self.real_words),
            n_splits: self.n_splits,
        })
    }

    /// Whether all parts of the environment together have few states, and none was split.
    fn has_small_environment(&self) -> bool {
        let parts = &self.world.pieces[1..];
        let sizes = parts.iter().map(|piece| piece.lts().n_states());
        let n_joint = sizes.fold(1, usize::saturating_mul);
        (2..=FEW_JOINT_STATES).contains(&n_joint) && !parts.iter().any(Piece::is_split)
    }

    /// Makes each state of the environment a class.
    fn keep_environment(&mut self) {
        for piece in &mut self.world.pieces[1..] {
            self.n_splits += piece.lts().n_states() - 1;
            piece.keep_whole();
        }
    }

    /// The assumption that permits everything the module ever does.
    fn nothing_needed(&self) -> CompactAssumption {
        let parts = self.world.pieces[1..].iter().map(|piece| piece.lts().n_states());
        CompactAssumption {
            partition: Some(Partition::single(self.world.pieces[MODULE].lts().n_states())),
            environment: parts.map(Partition::discrete).collect(),
            is_smallest: true,
            ..CompactAssumption::with(Conclusion::Holds)
        }
    }

    /// An assumption that was found without classes of the module.
    fn of_words(&mut self, automaton: WordAutomaton) -> CompactAssumption {
        CompactAssumption {
            environment: self.world.pieces[1..].iter().map(|piece| piece.partition()).collect(),
            n_states: automaton.n_accepting(),
            automaton: Some(automaton),
            is_smallest: self.is_smallest,
            bad_words: std::mem::take(&mut self.real_words),
            n_splits: self.n_splits,
            ..CompactAssumption::with(Conclusion::Holds)
        }
    }

    /// Gives states of the module the same class if they were found with the same contexts: the contexts are safe with
    /// that, however many classes it takes.
    fn classify_by(&mut self, contexts: &Contexts, pairs: &Pairs) {
        debug_assert!(contexts.len() > 0);
        let rows = pairs.rows(self.world.pieces[MODULE].lts().n_states());
        let mut numbers = FxHashMap::default();
        let mut class_of = Vec::with_capacity(rows.len());
        for row in rows {
            let next = u32::try_from(numbers.len()).expect("no more classes than states");
            class_of.push(*numbers.entry(row).or_insert(next));
        }
        self.world.pieces[MODULE].classify(class_of);
    }

    /// Splits a class of the environment where its part cannot follow.
    fn split_environment(&mut self, stuck: &Stuck) {
        let Stuck { piece, class, label, target } = *stuck;
        if self.has_small_environment() {
            return self.keep_environment();
        }
        let world = &mut self.world;
        let n_states = world.pieces[piece].lts().n_states();
        world.work += world.pieces[piece].lts().n_transitions();
        let n_module = world.pieces[MODULE].lts().n_states();
        let classes = world.pieces[1..].iter().map(Piece::n_classes);
        let n_joint = classes.fold(n_states, usize::saturating_mul);
        let is_small = n_states <= FEW_STATES && n_joint <= MANY_CLASSES
            || n_joint.saturating_mul(n_joint) <= n_module;
        if !world.pieces[piece].is_split() && n_states >= 2 && is_small {
            world.pieces[piece].keep_whole();
            self.n_splits += n_states - 1;
            return;
        }
        let before = world.pieces[piece].before(|label| world.is_private(label));
        let able = world.pieces[piece].able(class, |own| own == label, target, &before);
        self.n_splits += 1;
        if !world.pieces[piece].split(class, &able)
            && let Some(action) = label.action()
        {
            // A part of one class takes part in everything, also in what it never does.
            world.is_impossible[resy_index::Id::index(action)] = true;
        }
    }

    /// The action of a letter of the module.
    fn action(&self, letter: usize) -> ActionId {
        let mut actions = self.world.pieces[MODULE].lts().alphabet().iter();
        actions.nth(letter).expect("a letter of the module")
    }
}
