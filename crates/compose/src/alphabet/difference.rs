//! What tells two words apart: the heuristics by which an alphabet grows.

use crate::learn::Conflict;
use crate::sides::project;
use resy_automata::lts::{ActionId, Alphabet};

/// How the alphabet of an assumption is found.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum AlphabetChoice {
    /// The whole interface.
    Whole,
    /// It grows by the letters of the last difference of two words.
    #[default]
    Backward,
    /// It grows by the letters of the first difference.
    Forward,
    /// It grows by all letters that occur in one of the words only.
    AllDiff,
    /// The smallest alphabet with which the rule can be applied (T3).
    Minimal,
}

impl AlphabetChoice {
    /// All choices, in the order in which help lists them.
    pub const ALL: &[Self] =
        &[Self::Backward, Self::Forward, Self::AllDiff, Self::Minimal, Self::Whole];

    /// The name that users give.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Backward => "backward",
            Self::Forward => "forward",
            Self::AllDiff => "alldiff",
            Self::Minimal => "minimal",
        }
    }

    /// What it does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Whole => "The whole interface",
            Self::Backward => "Grows by the last difference between the traces of both sides",
            Self::Forward => "Grows by the first difference between the traces of both sides",
            Self::AllDiff => "Grows by all actions that only one of the traces has",
            Self::Minimal => "The smallest alphabet with which the rule can be applied",
        }
    }

    /// The choice with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }

    /// The alphabet with what tells the traces of a conflict apart.
    pub(crate) fn widened(
        self,
        alphabet: &Alphabet,
        conflict: &Conflict,
        interface: &Alphabet,
    ) -> Alphabet {
        let one = project(&conflict.module, interface);
        let other = project(&conflict.error, interface);
        let wider = alphabet.union(&self.difference(&one, &other));
        // Words may differ although they have the same letters: `x a` and `a x`.
        let wider = match wider == *alphabet {
            true => alphabet.union(&first_difference(&one, &other)),
            false => wider,
        };
        debug_assert_ne!(wider, *alphabet, "the traces differ within the alphabet");
        wider
    }

    fn difference(self, one: &[ActionId], other: &[ActionId]) -> Alphabet {
        match self {
            Self::Forward => first_difference(one, other),
            Self::AllDiff => all_differences(one, other),
            Self::Whole | Self::Backward | Self::Minimal => last_difference(one, other),
        }
    }
}

/// Both letters at the first position where the words differ; one, if a word has ended.
fn first_difference(one: &[ActionId], other: &[ActionId]) -> Alphabet {
    let n = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    [one.get(n), other.get(n)].into_iter().flatten().copied().collect()
}

/// The same from the ends.
fn last_difference(one: &[ActionId], other: &[ActionId]) -> Alphabet {
    let n = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    [one.iter().rev().nth(n), other.iter().rev().nth(n)].into_iter().flatten().copied().collect()
}

/// The letters that occur in one of the words only.
fn all_differences(one: &[ActionId], other: &[ActionId]) -> Alphabet {
    let [one, other] = [one, other].map(|word| word.iter().copied().collect::<Alphabet>());
    one.without(&other).union(&other.without(&one))
}
