//! Classes of the module: split where they can follow a bad word and the module cannot, then merged.
//!
//! The contexts stay as they are, and the module is safe with them. So every path into the error has a word that the
//! module has not: a *bad word*. Merged classes can only do more; a bad word that was met once refuses every merging
//! that can follow it, and only one that follows none is worth a search.

use super::Compaction;
use super::contexts::{Contexts, Mover};
use super::moves::Moves;
use super::replay::PathMove;
use super::stand::{ClassStep, MAX_CLASSES, Stand};
use super::world::{MODULE, World};
use crate::sides::{Fallible, Word};
use resy_automata::lts::{Label, StateId};
use resy_index::Id;

/// A word that leads the contexts into the error.
pub(super) struct BadWord {
    /// The letters of the module that it does not take alone.
    pub letters: Vec<usize>,
    /// All steps, those of the module alone included.
    pub path: Vec<PathMove>,
}

impl Compaction<'_> {
    /// Splits classes of the module until the contexts are safe with them. Whether they are few enough.
    pub(super) fn split_module(&mut self, contexts: &mut Contexts) -> Fallible<bool> {
        let n_states = self.world.pieces[MODULE].lts().n_states();
        self.world.pieces[MODULE].classify(vec![0; n_states]);
        let mut before = None;
        loop {
            let moves = self.world.pieces[MODULE].moves.clone();
            let Some((word, classes)) = self.bad_word(contexts, &moves, self.initial_class())?
            else {
                return Ok(true);
            };
            let stuck = first_stuck(&self.world, contexts, &classes);
            let (class, letter, target) = stuck.expect("the module is safe with the contexts");
            let action = letter.map(|letter| self.action(letter));
            let is_silent = |label| contexts.is_silent(&self.world, label);
            let is_step = |label: Label| match action {
                Some(action) => label == Label::Visible(action),
                None => is_silent(label),
            };
            let module = &self.world.pieces[MODULE];
            let before = before.get_or_insert_with(|| module.before(is_silent));
            let able = module.able(class, is_step, target, before);
            self.bad_words.push(word);
            self.n_splits += 1;
            self.world.work += n_states;
            let is_proper = self.world.pieces[MODULE].split(class, &able);
            debug_assert!(is_proper, "the module cannot follow from this class");
            if self.world.pieces[MODULE].n_classes() > MAX_CLASSES {
                return Ok(false);
            }
        }
    }

    /// A bad word that classes can follow, and the classes along it; none if the contexts are safe with them.
    pub(super) fn bad_word(
        &mut self,
        contexts: &mut Contexts,
        moves: &Moves,
        initial: usize,
    ) -> Fallible<Option<(BadWord, Vec<ClassStep>)>> {
        let stand = Stand::new(contexts, moves, initial);
        let paths = self.errors(contexts, &stand, 1)?;
        Ok(paths.first().map(|path| self.word_of(contexts, &stand, path)))
    }

    /// Bad words that classes can follow, the shortest first, with different ends; none if the contexts are safe with them.
    pub(super) fn bad_words_of(
        &mut self,
        contexts: &mut Contexts,
        moves: &Moves,
        initial: usize,
        most: usize,
    ) -> Fallible<Vec<BadWord>> {
        let stand = Stand::new(contexts, moves, initial);
        let paths = self.errors(contexts, &stand, most)?;
        let word = |path: &Vec<usize>| match stand.is_never_alone {
            true => self.word_of_moves(contexts, path),
            false => self.word_of(contexts, &stand, path).0,
        };
        Ok(paths.iter().map(word).collect())
    }

    /// The moves of paths into the error.
    fn errors(
        &mut self,
        contexts: &mut Contexts,
        stand: &Stand<'_>,
        most: usize,
    ) -> Fallible<Vec<Vec<usize>>> {
        let mut work = 0;
        let paths = stand.errors(&self.world, contexts, self.polled, &mut work, most)?;
        self.world.work += work;
        Ok(paths)
    }

    /// The word of a path on which the module takes no step alone.
    fn word_of_moves(&self, contexts: &Contexts, path: &[usize]) -> BadWord {
        let moves = path.iter().map(|&number| contexts.at(number));
        let letters = moves.clone().filter_map(|step| step.letter).collect();
        let path = moves.map(|step| PathMove { by: step.by, context: step.target, module: None });
        BadWord { letters, path: path.collect() }
    }

    /// The word of a path, with the classes along it.
    fn word_of(
        &self,
        contexts: &Contexts,
        stand: &Stand<'_>,
        path: &[usize],
    ) -> (BadWord, Vec<ClassStep>) {
        let letters: Vec<usize> = path.iter().filter_map(|&n| contexts.at(n).letter).collect();
        let classes = stand.classes_along(&letters);
        let path = self.whole_path(contexts, stand.moves, path, &classes);
        (BadWord { letters, path }, classes)
    }

    /// The moves of contexts with the steps that the module takes alone between them.
    fn whole_path(
        &self,
        contexts: &Contexts,
        moves: &Moves,
        path: &[usize],
        classes: &[ClassStep],
    ) -> Vec<PathMove> {
        let mut whole = Vec::new();
        let (mut context, mut along) = (0, classes.iter());
        for &number in path {
            let step = contexts.at(number);
            if step.letter.is_some() {
                let alone = along.by_ref().take_while(|(_, letter, _)| letter.is_none());
                for &(from, _, to) in alone {
                    let by = self.alone_by(contexts, moves, from, to);
                    whole.push(PathMove { by, context, module: None });
                }
            }
            context = step.target;
            whole.push(PathMove { by: step.by, context, module: None });
        }
        whole
    }

    /// A step that the module takes alone from a class to another.
    fn alone_by(&self, contexts: &Contexts, moves: &Moves, from: usize, to: usize) -> Mover {
        let own = (0..contexts.is_alone.len()).filter(|&letter| contexts.is_alone[letter]);
        let mut leading = own.filter(|&letter| moves.mask(letter, from) >> to & 1 == 1);
        leading.next().map_or(Mover::Internal(MODULE), |letter| Mover::Action(self.action(letter)))
    }

    /// The class that the module begins in.
    pub(super) fn initial_class(&self) -> usize {
        let module = &self.world.pieces[MODULE];
        module.class_of(module.lts().initial())
    }

    /// Merges classes of the module until no two of them can be merged.
    pub(super) fn merge(&mut self, contexts: &mut Contexts) -> Fallible<()> {
        let n_classes = self.world.pieces[MODULE].n_classes();
        // One class was refused by the first bad word.
        if n_classes <= 2 {
            return Ok(());
        }
        let mut best: Option<(Vec<usize>, usize)> = None;
        let mut refused = Vec::new();
        let orders: [Vec<usize>; 2] = [(0..n_classes).collect(), (0..n_classes).rev().collect()];
        for order in orders {
            if best.as_ref().is_some_and(|(_, n_groups)| *n_groups <= 2) {
                break;
            }
            let found = self.greedy(contexts, &order, &mut refused)?;
            if best.as_ref().is_none_or(|(_, least)| found.1 < *least) {
                best = Some(found);
            }
        }
        if let Some((group_of, n_groups)) = best.filter(|(_, n_groups)| *n_groups < n_classes) {
            self.world.pieces[MODULE].merge(&group_of, n_groups);
        }
        Ok(())
    }

    /// Puts each class into the first group that accepts it. A group that has refused a class need not be asked
    /// again when it has grown, and what was refused in one order is refused in the other.
    fn greedy(
        &mut self,
        contexts: &mut Contexts,
        order: &[usize],
        refused: &mut Vec<Vec<usize>>,
    ) -> Fallible<(Vec<usize>, usize)> {
        let mut group_of: Vec<usize> = (0..order.len()).collect();
        let mut groups: Vec<usize> = Vec::new();
        'classes: for &class in order {
            for &group in &groups {
                group_of[class] = group;
                if refused.iter().any(|finer| is_coarser(&group_of, finer)) {
                    continue;
                }
                if self.is_proved(contexts, &group_of)? {
                    continue 'classes;
                }
                refused.push(group_of.clone());
            }
            group_of[class] = class;
            groups.push(class);
        }
        Ok(numbered(&group_of))
    }

    /// Whether the contexts are safe with merged classes of the module.
    fn is_proved(&mut self, contexts: &mut Contexts, group_of: &[usize]) -> Fallible<bool> {
        let (group_of, n_groups) = numbered(group_of);
        let merged = self.world.pieces[MODULE].moves.merged(&group_of, n_groups);
        let initial = group_of[self.initial_class()];
        let stand = Stand::new(contexts, &merged, initial);
        if self.bad_words.iter().any(|word| stand.has(&word.letters)) {
            return Ok(false);
        }
        let found = self.bad_word(contexts, &merged, initial)?;
        let is_proved = found.is_none();
        self.bad_words.extend(found.map(|(word, _)| word));
        Ok(is_proved)
    }
}

/// The first step of a path of classes that the module cannot take.
fn first_stuck(world: &World<'_>, contexts: &Contexts, path: &[ClassStep]) -> Option<ClassStep> {
    let module = &world.pieces[MODULE];
    let lts = module.lts();
    let mut reached = vec![0; lts.n_states()];
    let close = |states: &mut Vec<StateId>, class: usize, reached: &mut [u32], now: u32| {
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            for &(label, to) in lts.transitions_from(state) {
                if module.class_of(to) == class
                    && contexts.is_silent(world, label)
                    && std::mem::replace(&mut reached[to.index()], now) != now
                {
                    states.push(to);
                }
            }
            next += 1;
        }
    };
    let mut states = vec![lts.initial()];
    reached[lts.initial().index()] = 1;
    close(&mut states, module.class_of(lts.initial()), &mut reached, 1);
    let alphabet: Vec<_> = lts.alphabet().iter().collect();
    for (now, &(class, letter, target)) in (2..).zip(path) {
        let label = letter.map(|letter| Label::Visible(alphabet[letter]));
        let mut after = Vec::new();
        for &state in &states {
            for &(own, to) in lts.transitions_from(state) {
                let is_it = label.map_or_else(|| contexts.is_silent(world, own), |l| l == own);
                if is_it
                    && module.class_of(to) == target
                    && std::mem::replace(&mut reached[to.index()], now) != now
                {
                    after.push(to);
                }
            }
        }
        if after.is_empty() {
            return Some((class, letter, target));
        }
        close(&mut after, target, &mut reached, now);
        states = after;
    }
    None
}

/// The actions of a path that the module shares.
pub(super) fn shared_word(world: &World<'_>, path: &[PathMove]) -> Word {
    let actions = path.iter().filter_map(|step| match step.by {
        Mover::Action(action) => Some(action),
        Mover::Internal(_) => None,
    });
    let shared =
        |&action: &_| world.letter(action).is_some() && !world.is_private(Label::Visible(action));
    actions.filter(shared).collect()
}

/// Whether classes with the same group by one grouping have the same by another; groups are named by their members.
fn is_coarser(group_of: &[usize], finer: &[usize]) -> bool {
    let mut classes = group_of.iter().zip(finer);
    classes.all(|(&group, &other)| group_of[other] == group)
}

/// Groups numbered from 0 in the order of their first classes, and how many there are.
fn numbered(group_of: &[usize]) -> (Vec<usize>, usize) {
    let mut number = vec![usize::MAX; group_of.len()];
    let mut n_groups = 0;
    let numbers = group_of.iter().map(|&group| {
        if number[group] == usize::MAX {
            number[group] = n_groups;
            n_groups += 1;
        }
        number[group]
    });
    (numbers.collect(), n_groups)
}
