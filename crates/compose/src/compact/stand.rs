//! What stands for the module: classes with their steps, and whether the environment is safe with them.
//!
//! There are at most 64 classes, so that the classes that a context was reached with are one word. Steps that the
//! module takes alone are closed over at once.

use super::contexts::{ContextId, Contexts, ERROR};
use super::moves::{Moves, members};
use super::world::World;
use crate::sides::{Fallible, Polled};

/// At most so many classes can stand for the module.
pub(super) const MAX_CLASSES: usize = 64;

/// Classes that stand for the module.
pub(super) struct Stand<'m> {
    pub moves: &'m Moves,
    initial: usize,
    /// For each class, those that follow by one step of the module alone, and by any number of them.
    alone: Vec<u64>,
    closed: Vec<u64>,
    /// Whether no such step changes the class.
    pub is_never_alone: bool,
}

/// A step of a path of classes: from a class, by a letter or alone, to a class.
pub(super) type ClassStep = (usize, Option<usize>, usize);

impl<'m> Stand<'m> {
    /// Classes with these steps, in the present contexts.
    pub(super) fn new(contexts: &Contexts, moves: &'m Moves, initial: usize) -> Self {
        let n = moves.n_classes();
        let mut alone = vec![0; n];
        for &letter in &contexts.alone {
            alone.iter_mut().zip(moves.rows(letter)).for_each(|(own, more)| *own |= more);
        }
        let mut closed: Vec<u64> = (0..n).map(|class| alone[class] | 1 << class).collect();
        let mut has_grown = (0..n).any(|class| alone[class] & !(1 << class) != 0);
        let is_never_alone = !has_grown;
        while std::mem::take(&mut has_grown) {
            for class in 0..n {
                let more = union(&closed, closed[class]);
                has_grown |= more != closed[class];
                closed[class] = more;
            }
        }
        Self { moves, initial, alone, closed, is_never_alone }
    }

    /// The classes after one more letter.
    fn after(&self, classes: u64, letter: usize) -> u64 {
        let next = union(self.moves.rows(letter), classes);
        if self.is_never_alone { next } else { union(&self.closed, next) }
    }

    /// Whether a word can be followed.
    pub(super) fn has(&self, word: &[usize]) -> bool {
        let mut now = self.closed[self.initial];
        word.iter().all(|&letter| {
            now = self.after(now, letter);
            now != 0
        })
    }

    /// The moves of paths of contexts into the error, so many at most, all of the shortest length; none if the environment is
    /// safe. No two end with the same letter and the same classes.
    pub(super) fn errors(
        &self,
        world: &World<'_>,
        contexts: &mut Contexts,
        polled: &dyn Polled,
        work: &mut usize,
        most: usize,
    ) -> Fallible<Vec<Vec<usize>>> {
        let (mut paths, mut ends) = (Vec::new(), Vec::new());
        let mut seen: Vec<u64> = vec![0; contexts.len()];
        seen[0] = self.closed[self.initial];
        let mut found: Vec<(ContextId, u64)> = Vec::with_capacity(contexts.len());
        found.push((0, seen[0]));
        // Where each level of the search begins.
        let mut levels = vec![0];
        let mut next = 0;
        while next < found.len() && paths.is_empty() {
            levels.push(found.len());
            while next < levels[levels.len() - 1] {
                polled.poll()?;
                *work += 1;
                let (context, classes) = found[next];
                for number in contexts.leave(world, context) {
                    let step = contexts.at(number);
                    let after = step.letter.map_or(classes, |letter| self.after(classes, letter));
                    if after == 0 {
                        continue;
                    }
                    if step.target == ERROR {
                        if !ends.contains(&(step.letter, after)) {
                            ends.push((step.letter, after));
                            let before = &levels[..levels.len() - 1];
                            paths.push(self.path(contexts, &found, before, (next, number)));
                        }
                        if paths.len() == most {
                            return Ok(paths);
                        }
                        continue;
                    }
                    let place = step.target as usize;
                    if seen.len() <= place {
                        seen.resize(contexts.len(), 0);
                    }
                    let new = after & !seen[place];
                    if new != 0 {
                        seen[place] |= new;
                        found.push((step.target, new));
                    }
                }
                next += 1;
            }
        }
        Ok(paths)
    }

    /// The moves to a place and one more, found backward: a place of the level before that leads there with a class
    /// that is needed.
    fn path(
        &self,
        contexts: &Contexts,
        found: &[(ContextId, u64)],
        levels: &[usize],
        (mut at, last): (usize, usize),
    ) -> Vec<usize> {
        let mut path = vec![last];
        let able = |number: usize, class: usize| {
            contexts.at(number).letter.is_none_or(|letter| self.after(1 << class, letter) != 0)
        };
        let mut class = members(&[found[at].1]).find(|&class| able(last, class)).unwrap_or(0);
        for pair in levels.windows(2).rev() {
            let context = found[at].0;
            let before = (pair[0]..pair[1]).find_map(|place| {
                let (from, classes) = found[place];
                contexts.known(from).find_map(|number| {
                    let step = contexts.at(number);
                    let leads = |c: &usize| match step.letter {
                        None => *c == class,
                        Some(letter) => self.after(1 << c, letter) >> class & 1 == 1,
                    };
                    let is_there = step.target == context;
                    let class = is_there.then(|| members(&[classes]).find(leads)).flatten()?;
                    Some((place, number, class))
                })
            });
            let Some((place, number, needed)) = before else { break };
            path.push(number);
            (at, class) = (place, needed);
        }
        path.reverse();
        path
    }

    /// A path of classes along a word that can be followed.
    pub(super) fn classes_along(&self, word: &[usize]) -> Vec<ClassStep> {
        let n = self.moves.n_classes();
        let mut before: Vec<Option<(usize, Option<usize>)>> = vec![None; (word.len() + 1) * n];
        let mut open = vec![self.initial];
        let mut next = 0;
        let mut end = None;
        while let Some(&at) = open.get(next).filter(|_| end.is_none()) {
            let (position, class) = (at / n, at % n);
            let alone = members(&[self.alone[class]]).map(|to| (position * n + to, None)).collect();
            let mut steps: Vec<(usize, Option<usize>)> = alone;
            if let Some(&letter) = word.get(position) {
                let row = [self.moves.mask(letter, class)];
                steps.extend(members(&row).map(|to| ((position + 1) * n + to, Some(letter))));
            }
            for (to, letter) in steps {
                if to != self.initial && before[to].is_none() {
                    before[to] = Some((at, letter));
                    open.push(to);
                    if to / n == word.len() {
                        end.get_or_insert(to);
                    }
                }
            }
            next += 1;
        }
        let mut path = Vec::new();
        let mut at = end.unwrap_or(self.initial);
        while let Some((from, letter)) = before[at] {
            path.push((from % n, letter, at % n));
            at = from;
        }
        path.reverse();
        path
    }
}

/// The union of the sets of some classes.
fn union(sets: &[u64], classes: u64) -> u64 {
    let (mut union, mut left) = (0, classes);
    while left != 0 {
        union |= sets[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    union
}
