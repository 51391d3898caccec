//! Automata with a given number of states that agree with words, by branching on the transitions that words need.
//!
//! Each word stands at the first transition on its way that is open. A decision moves only the words that wait for it,
//! and is taken back by their former places. What most words wait for is decided first. A word that is to be rejected
//! and has one letter left decides by itself.
//!
//! An alternative fails by a word, because of the decisions on its way. When all alternatives of a transition have
//! failed, none of the decisions that had no part in that is tried again (conflict-directed backjumping, Prosser 1993):
//! with many letters most have none. New states are numbered in order, which is no obstacle: a state that is not used
//! fails for the same reasons as the next one.

use super::separating::Sample;
use crate::sides::{Fallible, Polled};

/// The target of a transition that nothing was decided about.
const OPEN: u32 = u32::MAX;
/// The state that rejects.
pub(super) const REJECTING: u32 = u32::MAX - 1;
/// What a word waits for that is treated as it should be.
const SETTLED: usize = usize::MAX;

/// The search for one number of states.
pub(super) struct Branches<'w> {
    words: &'w [Sample],
    n_states: usize,
    n_letters: usize,
    /// For each state and letter, the target.
    targets: Vec<u32>,
    waits: Vec<Wait>,
    /// For each transition, how many words wait for it.
    counts: Vec<u32>,
    /// For each transition, one more than the alternatives of it that failed at once.
    weights: Vec<u32>,
    /// Places of words before decisions, with the numbers of the words.
    former: Vec<(usize, Wait)>,
}

/// Where a word stands: how many letters were read, and the transition that it waits for.
#[derive(Copy, Clone)]
struct Wait {
    read: usize,
    transition: usize,
}

/// A decision that has alternatives.
#[derive(Copy, Clone)]
struct Choice {
    transition: usize,
    /// The states used before it; a new state has the next number.
    n_used: usize,
    /// The alternative that is tried next.
    next: usize,
    /// The former places before it.
    n_former: usize,
}

/// For each choice, the transitions whose decisions have made alternatives fail.
struct Reasons {
    width: usize,
    bits: Vec<u64>,
}

impl Reasons {
    fn new(n_transitions: usize) -> Self {
        Self { width: n_transitions.div_ceil(64), bits: Vec::new() }
    }

    /// One more choice, without reasons.
    fn push(&mut self) {
        self.bits.resize(self.bits.len() + self.width, 0);
    }

    /// One more reason of the last choice.
    fn add(&mut self, transition: usize) {
        let last = self.bits.len() - self.width;
        self.bits[last + transition / 64] |= 1 << (transition % 64);
    }

    /// Drops the last choice; whether that of a transition, which is now the last, is among its reasons. If it is, the
    /// others are reasons of that; otherwise they are those of the last choice, which is dropped in its place.
    fn pop_onto(&mut self, transition: usize) -> bool {
        let last = self.bits.len() - self.width;
        let (before, own) = (last - self.width, last);
        let (word, bit) = (transition / 64, 1_u64 << (transition % 64));
        let is_reason = self.bits[own + word] & bit != 0;
        for i in 0..self.width {
            let others = self.bits[own + i];
            match is_reason {
                true => self.bits[before + i] |= others,
                false => self.bits[before + i] = others,
            }
        }
        if is_reason {
            self.bits[before + word] &= !bit;
        }
        self.bits.truncate(last);
        is_reason
    }
}

impl<'w> Branches<'w> {
    /// No decision yet.
    pub(super) fn new(words: &'w [Sample], n_letters: usize, n_states: usize) -> Self {
        let targets = vec![OPEN; n_states * n_letters];
        let (waits, former) = (Vec::with_capacity(words.len()), Vec::with_capacity(64));
        let (counts, weights) = (vec![0; targets.len()], vec![1; targets.len()]);
        let mut search =
            Self { words, n_states, n_letters, targets, waits, counts, weights, former };
        for word in words {
            let transition = word.letters.first().map_or(SETTLED, |&letter| letter);
            search.waits.push(Wait { read: 0, transition });
            search.count(transition, 1);
        }
        search
    }

    /// Whether the words can be treated as they should be; none if the budget is spent.
    pub(super) fn complete(
        &mut self,
        budget: &mut usize,
        polled: &dyn Polled,
    ) -> Fallible<Option<bool>> {
        let mut choices: Vec<Choice> = Vec::with_capacity(32);
        let mut reasons = Reasons::new(self.targets.len());
        let (mut n_used, mut agrees) = (1, true);
        loop {
            polled.poll()?;
            if agrees {
                let Some((transition, forced)) = self.open() else { return Ok(Some(true)) };
                let next = forced.map_or(0, |_| self.n_targets(n_used));
                choices.push(Choice { transition, n_used, next, n_former: self.former.len() });
                reasons.push();
                forced.into_iter().for_each(|word| self.blame(word, transition, &mut reasons));
            }
            let Some(choice) = choices.last_mut() else { return Ok(Some(false)) };
            let Choice { transition, n_used: before, next, n_former } = *choice;
            choice.next += 1;
            self.take_back(transition, n_former);
            // The last alternative rejects.
            let last = self.n_targets(before);
            agrees = false;
            if next > last {
                self.jump_back(&mut choices, &mut reasons);
                continue;
            }
            let Some(left) = budget.checked_sub(1) else { return Ok(None) };
            *budget = left;
            let target = (next < last).then(|| self.alternative(transition, next, last));
            n_used = before.max(target.map_or(0, |state| state + 1));
            let failed = self.decide(transition, target);
            if let Some(word) = failed {
                self.blame(word, transition, &mut reasons);
                self.weights[transition] += 1;
            }
            agrees = failed.is_none();
        }
    }

    /// Drops the last choice, all of whose alternatives have failed, and those before it that had no part in that.
    fn jump_back(&mut self, choices: &mut Vec<Choice>, reasons: &mut Reasons) {
        choices.pop();
        while let Some(&Choice { transition, n_former, .. }) = choices.last() {
            if reasons.pop_onto(transition) {
                break;
            }
            self.take_back(transition, n_former);
            choices.pop();
        }
    }

    /// Makes the decisions on the way of a word reasons of the last choice, which is about a transition.
    fn blame(&self, word: usize, transition: usize, reasons: &mut Reasons) {
        let mut state = 0;
        for &letter in &self.words[word].letters {
            let passed = state * self.n_letters + letter;
            if passed != transition {
                reasons.add(passed);
            }
            match self.targets[passed] {
                OPEN | REJECTING => return,
                target => state = target as usize,
            }
        }
    }

    /// The states that a transition may lead to when so many are used: those, and a new one.
    fn n_targets(&self, n_used: usize) -> usize {
        (n_used + 1).min(self.n_states)
    }

    /// The state that is tried in a place: first the one that the transition leaves, as most letters change nothing.
    fn alternative(&self, transition: usize, place: usize, n_targets: usize) -> usize {
        let own = transition / self.n_letters;
        match place {
            _ if own >= n_targets => place,
            0 => own,
            _ if place <= own => place - 1,
            _ => place,
        }
    }

    /// The transition that is decided next, and the word by which it must reject, if there is one; none if all words are
    /// settled. What most words wait for is most likely to be refuted soon, and more so what was refuted often
    /// (Boussemart et al. 2004).
    fn open(&self) -> Option<(usize, Option<usize>)> {
        let mut most: Option<(u32, usize)> = None;
        for (number, (wait, word)) in self.waits.iter().zip(self.words).enumerate() {
            let Some(&count) = self.counts.get(wait.transition) else { continue };
            if !word.is_accepted && wait.read + 1 == word.letters.len() {
                return Some((wait.transition, Some(number)));
            }
            let rank = count.saturating_mul(self.weights[wait.transition]);
            if most.is_none_or(|(known, _)| known < rank) {
                most = Some((rank, wait.transition));
            }
        }
        most.map(|(_, transition)| (transition, None))
    }

    /// One word more or less waits for a transition.
    fn count(&mut self, transition: usize, change: i32) {
        if let Some(count) = self.counts.get_mut(transition) {
            *count = count.wrapping_add_signed(change);
        }
    }

    /// Lets a transition lead to a state, or reject; a word that does not agree, if there is one.
    fn decide(&mut self, transition: usize, target: Option<usize>) -> Option<usize> {
        let number = |target: usize| u32::try_from(target).unwrap_or(OPEN);
        self.targets[transition] = target.map_or(REJECTING, number);
        for (word, sample) in self.words.iter().enumerate() {
            let before = self.waits[word];
            if before.transition != transition {
                continue;
            }
            let Some(after) = self.follow(sample, before) else { return Some(word) };
            self.former.push((word, before));
            self.waits[word] = after;
            self.count(before.transition, -1);
            self.count(after.transition, 1);
        }
        None
    }

    /// Where a word stands that goes on; none if it is treated wrongly.
    fn follow(&self, word: &Sample, Wait { mut read, mut transition }: Wait) -> Option<Wait> {
        loop {
            let state = match self.targets[transition] {
                OPEN => return Some(Wait { read, transition }),
                REJECTING => {
                    let settled = Wait { read, transition: SETTLED };
                    return (!word.is_accepted).then_some(settled);
                }
                state => state as usize,
            };
            read += 1;
            let Some(&letter) = word.letters.get(read) else {
                return word.is_accepted.then_some(Wait { read, transition: SETTLED });
            };
            transition = state * self.n_letters + letter;
        }
    }

    /// Takes a decision back, with all that followed.
    fn take_back(&mut self, transition: usize, n_former: usize) {
        self.targets[transition] = OPEN;
        while self.former.len() > n_former {
            let Some((word, before)) = self.former.pop() else { break };
            self.count(self.waits[word].transition, -1);
            self.count(before.transition, 1);
            self.waits[word] = before;
        }
    }

    /// The target of each letter of a state; a letter that no word needs changes nothing.
    pub(super) fn row(&self, state: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        let row = &self.targets[state * self.n_letters..][..self.n_letters];
        row.iter().map(move |&target| match target {
            OPEN => Some(state),
            REJECTING => None,
            target => Some(target as usize),
        })
    }
}
