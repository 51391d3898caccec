//! Arrays: reads, writes and equality, simplified where indices are certainly equal or different.

use super::{Sort, Term, TermId, Terms};

impl Terms {
    /// `array[index]`.
    ///
    /// # Panics
    /// If `array` is no array.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let sort = self.sort(array).element().expect("a read of what is no array");
        debug_assert_eq!(self.sort(index), Sort::Integer);
        let mut array = array;
        while let Term::Store(inner, written, value) = *self.term(array) {
            if written == index {
                return value;
            }
            if !self.differ(written, index) {
                break;
            }
            array = inner;
        }
        self.intern(Term::Select(array, index), sort)
    }

    /// The array with `value` at `index`.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        debug_assert_eq!(self.sort(index), Sort::Integer);
        if *self.term(value) == Term::Select(array, index) {
            return array;
        }
        let base = match *self.term(array) {
            Term::Store(inner, written, _) if written == index => inner,
            _ => array,
        };
        let sort = self.sort(array);
        self.intern(Term::Store(base, index, value), sort)
    }

    /// Whether two arrays are equal at all indices.
    pub fn same_array(&mut self, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.truth(true);
        }
        self.intern(Term::SameArray(left.min(right), left.max(right)), Sort::Boolean)
    }

    /// An index at which two arrays differ if they do.
    pub fn difference(&mut self, left: TermId, right: TermId) -> TermId {
        self.intern(Term::Difference(left.min(right), left.max(right)), Sort::Integer)
    }

    /// Whether two numeric terms differ by a constant other than zero.
    fn differ(&mut self, left: TermId, right: TermId) -> bool {
        let difference = self.subtract(left, right);
        self.as_number(difference).is_some_and(|number| !number.is_zero())
    }
}
