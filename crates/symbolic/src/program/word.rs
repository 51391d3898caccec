//! Words of a symbolic memory: small numbers stand for themselves, very negative ones name terms.
//!
//! The semantics of a step handles values as `i32`. A symbolic memory has terms, too. Words below
//! [`LEAST_NUMBER`] are names of terms; a program that contains or computes such a number with its
//! finite variables is refused by name, so that no number is ever taken for a term.

use crate::TermId;
use resy_index::Id;

/// Words below it name terms.
pub(crate) const LEAST_NUMBER: i32 = -(1 << 30);

/// The term that a word names, if it is not a number.
pub(crate) fn term_of(word: i32) -> Option<TermId> {
    (word < LEAST_NUMBER).then(|| TermId::from_index((word as i64 - i64::from(i32::MIN)) as usize))
}

/// The word that names a term; `None` if there are too many terms.
pub(crate) fn word_of(term: TermId) -> Option<i32> {
    let word = i64::from(i32::MIN) + term.index() as i64;
    (word < i64::from(LEAST_NUMBER)).then_some(word as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_a_number_or_a_term() {
        for index in [0, 1, 4711, (1 << 30) - 1] {
            let term = TermId::from_index(index);
            assert_eq!(word_of(term).and_then(term_of), Some(term));
        }
        assert_eq!(word_of(TermId::from_index(1 << 30)), None);
        assert!([0, -1, i32::MAX, LEAST_NUMBER].into_iter().all(|n| term_of(n).is_none()));
    }
}
