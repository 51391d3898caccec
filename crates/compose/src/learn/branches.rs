//! Automata with a given number of states that agree with words, by branching on the transitions that words need.
//!
//! A state has the prefixes (`prefixes`) that lead to it so far, and those that are one letter longer wait at its
//! transitions. A target is refused as soon as a prefix that waits is apart from one that is there: the words that tell
//! them apart need not be followed to their ends. The transition with the fewest targets left is decided next, and
//! what was refuted often is preferred (Boussemart et al. 2004).
//!
//! A target is refused because of the decisions on the way of two prefixes. When all alternatives of a transition have
//! failed, none of the decisions that had no part in that is tried again (conflict-directed backjumping, Prosser 1993).
//! New states are numbered in order, which is no obstacle: a state that is not used fails for the same reasons as the next
//! one.
//!
//! A search that takes long begins again, with what it knows of transitions that fail often, and each time it may take
//! longer. Then the targets of the last automaton come first, as one more word changes little. (Where the search is easy, what
//! changes nothing makes better guesses about letters that no word needs yet.)
//!
//! Before, words were followed to their ends and the transition for which most of them waited came first. Of 68 words over
//! three letters that took more than ten million branches for five states; it takes 200.

use super::prefixes::{Fate, NONE, Prefixes};
use super::reasons::Reasons;
use super::separating::Separator;
use crate::sides::{Fallible, Polled};

/// The target of a transition that nothing was decided about.
const OPEN: u32 = u32::MAX;
/// The state that rejects.
const REJECTING: u32 = u32::MAX - 1;

/// The branches after which a search begins again for the first time.
const FIRST_LIMIT: usize = 1_000;

/// The search for one number of states.
pub(super) struct Branches<'p> {
    words: &'p Prefixes,
    /// The last automaton, and whether its targets come first.
    last: &'p Separator,
    follows_last: bool,
    n_states: usize,
    n_letters: usize,
    /// For each transition, the target.
    targets: Vec<u32>,
    /// For each transition, one more than the alternatives of it that failed at once.
    weights: Vec<u32>,
    /// For each transition, the prefixes that wait there, or did when it was decided, as bits, and their number.
    waiting: Vec<u64>,
    counts: Vec<u32>,
    /// For each state, the prefixes that lead there, as bits.
    members: Vec<u64>,
    /// For each prefix, its state.
    state_of: Vec<u32>,
    /// The prefixes that have a state, in the order in which they got it.
    led: Vec<u32>,
    /// Prefixes that will have a state, and prefixes that are apart from those that wait: room for both.
    next: Vec<(usize, usize)>,
    others: Vec<u64>,
}

/// A decision that has alternatives.
#[derive(Copy, Clone)]
struct Choice {
    transition: usize,
    /// The states used before it; a new state has the next number.
    n_used: usize,
    /// The alternative that is tried next.
    next: usize,
    /// The prefixes that had a state before it.
    n_led: usize,
}

/// Why an alternative fails: two prefixes that are apart would have one state, or one would have the wrong fate.
type Clash = (usize, Option<usize>);

impl<'p> Branches<'p> {
    /// No decision yet: the empty word leads to the first state.
    pub(super) fn new(
        words: &'p Prefixes,
        last: &'p Separator,
        n_letters: usize,
        n_states: usize,
    ) -> Self {
        let (n_transitions, width) = (n_states * n_letters, words.width());
        let mut search = Self {
            words,
            last,
            follows_last: false,
            n_states,
            n_letters,
            targets: vec![OPEN; n_transitions],
            weights: vec![1; n_transitions],
            waiting: vec![0; n_transitions * width],
            counts: vec![0; n_transitions],
            members: vec![0; n_states * width],
            state_of: vec![NONE; words.len()],
            led: Vec::with_capacity(words.len()),
            next: Vec::new(),
            others: vec![0; width],
        };
        let clash = search.lead(0, 0);
        debug_assert!(clash.is_none(), "nothing is apart from the empty word yet");
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
        let (mut limit, mut until) = (FIRST_LIMIT, budget.saturating_sub(FIRST_LIMIT));
        loop {
            polled.poll()?;
            if *budget < until {
                limit += limit / 2;
                until = budget.saturating_sub(limit);
                self.begin_again(&mut choices, &mut reasons);
                (n_used, agrees) = (1, true);
            }
            if agrees {
                let Some(transition) = self.open(n_used) else { return Ok(Some(true)) };
                choices.push(Choice { transition, n_used, next: 0, n_led: self.led.len() });
                reasons.push();
            }
            let Some(choice) = choices.last_mut() else { return Ok(Some(false)) };
            let Choice { transition, n_used: before, next, n_led } = *choice;
            choice.next += 1;
            self.take_back(transition, n_led);
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
            let clash = self.decide(transition, target);
            if let Some((one, other)) = clash {
                self.blame(one, transition, &mut reasons);
                other.into_iter().for_each(|other| self.blame(other, transition, &mut reasons));
                self.weights[transition] += 1;
            }
            agrees = clash.is_none();
        }
    }

    /// Drops all choices.
    fn begin_again(&mut self, choices: &mut Vec<Choice>, reasons: &mut Reasons) {
        while let Some(Choice { transition, n_led, .. }) = choices.pop() {
            self.take_back(transition, n_led);
        }
        *reasons = Reasons::new(self.targets.len());
        self.follows_last = true;
    }

    /// Drops the last choice, all of whose alternatives have failed, and those before it that had no part in that.
    fn jump_back(&mut self, choices: &mut Vec<Choice>, reasons: &mut Reasons) {
        choices.pop();
        while let Some(&Choice { transition, n_led, .. }) = choices.last() {
            if reasons.pop_onto(transition) {
                break;
            }
            self.take_back(transition, n_led);
            choices.pop();
        }
    }

    /// Makes the decisions on the way of a prefix reasons of the last choice, which is about a transition.
    fn blame(&self, prefix: usize, transition: usize, reasons: &mut Reasons) {
        let mut at = self.words.at(prefix);
        while at.parent != NONE {
            let state = self.state_of[at.parent as usize] as usize;
            let passed = state * self.n_letters + at.letter as usize;
            if passed != transition {
                reasons.add(passed);
            }
            at = self.words.at(at.parent as usize);
        }
    }

    /// The states that a transition may lead to when so many are used: those, and a new one.
    fn n_targets(&self, n_used: usize) -> usize {
        (n_used + 1).min(self.n_states)
    }

    /// The state that is tried in a place: first the one that the transition leaves, as most letters change nothing, or that
    /// of the last automaton.
    fn alternative(&self, transition: usize, place: usize, n_targets: usize) -> usize {
        let (state, letter) = (transition / self.n_letters, transition % self.n_letters);
        let is_known = self.follows_last && state < self.last.n_states;
        let last = is_known.then(|| self.last.after(self.n_letters, state, letter)).flatten();
        let first = last.map_or(state, |target| target.min(n_targets - 1));
        match place {
            _ if first >= n_targets => place,
            0 => first,
            _ if place <= first => place - 1,
            _ => place,
        }
    }

    /// The transition that is decided next: the fewer targets it has and the more often they failed, the better; none if
    /// no prefix waits.
    fn open(&mut self, n_used: usize) -> Option<usize> {
        let mut best: Option<(usize, u32, u32, usize)> = None;
        for transition in 0..n_used * self.n_letters {
            let count = self.counts[transition];
            if count == 0 || self.targets[transition] != OPEN {
                continue;
            }
            let n_left = self.n_left(transition, n_used);
            if n_left <= 1 {
                return Some(transition);
            }
            let weight = self.weights[transition];
            let is_better = best.is_none_or(|(least, heaviest, most, _)| {
                let (own, other) = (n_left * heaviest as usize, least * weight as usize);
                own < other || own == other && count > most
            });
            if is_better {
                best = Some((n_left, weight, count, transition));
            }
        }
        best.map(|best| best.3)
    }

    /// The number of targets of a transition that are not refused at once.
    fn n_left(&mut self, transition: usize, n_used: usize) -> usize {
        let width = self.others.len();
        self.others.fill(0);
        let (mut may_go_on, mut may_reject) = (true, true);
        for i in 0..width {
            let mut left = self.waiting[transition * width + i];
            while left != 0 {
                let prefix = 64 * i + left.trailing_zeros() as usize;
                left &= left - 1;
                may_reject &= self.words.at(prefix).fate != Fate::Accepted;
                may_go_on &= self.words.at(prefix).fate != Fate::Rejected;
                let apart = self.words.apart(prefix).iter();
                self.others.iter_mut().zip(apart).for_each(|(others, more)| *others |= more);
            }
        }
        let fits = |members: &&[u64]| members.iter().zip(&self.others).all(|(a, b)| a & b == 0);
        let n_states = match may_go_on {
            true => self.members[..n_used * width].chunks(width).filter(fits).count(),
            false => 0,
        };
        let is_new = may_go_on && n_used < self.n_states;
        n_states + usize::from(is_new) + usize::from(may_reject)
    }

    /// Lets a transition lead to a state, or reject; why that does not agree with the words, if it does not.
    fn decide(&mut self, transition: usize, target: Option<usize>) -> Option<Clash> {
        let number = |target: usize| u32::try_from(target).unwrap_or(OPEN);
        self.targets[transition] = target.map_or(REJECTING, number);
        let width = self.others.len();
        for i in 0..width {
            let mut left = self.waiting[transition * width + i];
            while left != 0 {
                let prefix = 64 * i + left.trailing_zeros() as usize;
                left &= left - 1;
                let clash = match target {
                    Some(state) => self.lead(prefix, state),
                    None => self.reject(prefix),
                };
                if clash.is_some() {
                    return clash;
                }
            }
        }
        None
    }

    /// Why a prefix cannot be rejected.
    fn reject(&self, prefix: usize) -> Option<Clash> {
        (self.words.at(prefix).fate == Fate::Accepted).then_some((prefix, None))
    }

    /// Lets a prefix lead to a state, and those that follow by decided transitions where these lead.
    fn lead(&mut self, prefix: usize, state: usize) -> Option<Clash> {
        let (words, width) = (self.words, self.others.len());
        self.next.clear();
        self.next.push((prefix, state));
        while let Some((prefix, state)) = self.next.pop() {
            if words.at(prefix).fate == Fate::Rejected {
                return Some((prefix, None));
            }
            let members = &mut self.members[state * width..][..width];
            for (i, (here, apart)) in members.iter().zip(words.apart(prefix)).enumerate() {
                if here & apart != 0 {
                    let other = 64 * i + (here & apart).trailing_zeros() as usize;
                    return Some((prefix, Some(other)));
                }
            }
            members[prefix / 64] |= 1 << (prefix % 64);
            self.state_of[prefix] = u32::try_from(state).unwrap_or(NONE);
            self.led.push(u32::try_from(prefix).unwrap_or(NONE));
            let mut clash = None;
            for child in words.children(prefix) {
                let transition = state * self.n_letters + words.at(child).letter as usize;
                match self.targets[transition] {
                    OPEN => {
                        self.waiting[transition * width + child / 64] |= 1 << (child % 64);
                        self.counts[transition] += 1;
                    }
                    REJECTING => clash = clash.or_else(|| self.reject(child)),
                    target => self.next.push((child, target as usize)),
                }
            }
            if clash.is_some() {
                return clash;
            }
        }
        None
    }

    /// Takes a decision back, with all that followed.
    fn take_back(&mut self, transition: usize, n_led: usize) {
        self.targets[transition] = OPEN;
        let width = self.others.len();
        while self.led.len() > n_led {
            let Some(prefix) = self.led.pop().map(|prefix| prefix as usize) else { break };
            let state = self.state_of[prefix] as usize;
            self.members[state * width + prefix / 64] &= !(1 << (prefix % 64));
            for child in self.words.children(prefix) {
                let transition = state * self.n_letters + self.words.at(child).letter as usize;
                let waiting = &mut self.waiting[transition * width + child / 64];
                let bit = 1 << (child % 64);
                if *waiting & bit != 0 {
                    *waiting &= !bit;
                    self.counts[transition] -= 1;
                }
            }
        }
    }

    /// The automaton that was found, without states that are not used; a letter that no word needs changes nothing.
    pub(super) fn separator(&self) -> Separator {
        let n_states = (0..self.n_states).take_while(|&state| self.is_used(state)).count();
        let mut targets = Vec::with_capacity(n_states * self.n_letters);
        for state in 0..n_states {
            let own = u32::try_from(state).unwrap_or(OPEN);
            let row = &self.targets[state * self.n_letters..][..self.n_letters];
            targets.extend(row.iter().map(|&target| match target {
                OPEN => own,
                REJECTING => u32::MAX,
                target => target,
            }));
        }
        Separator { n_states, targets }
    }

    /// Whether a prefix leads to a state.
    fn is_used(&self, state: usize) -> bool {
        let width = self.others.len();
        self.members[state * width..][..width].iter().any(|&members| members != 0)
    }
}
