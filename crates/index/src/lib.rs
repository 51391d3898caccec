//! Typed ids and the vectors that they index; numbers at random; whether work is still wanted.
//!
//! Each kind of thing has its own id type, so that a location of a process cannot be used where a
//! variable is meant. Ids do not dereference to numbers; only a vector turns a position into an id.

mod interest;
pub mod random;
mod vec;

pub use interest::Interest;
pub use vec::IndexVec;

/// An index of an [`IndexVec`]: a small number with a type of its own.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The id with this position.
    fn from_index(index: usize) -> Self;
    /// The position of this id.
    fn index(self) -> usize;
}

/// Declares an id type: `define_id!(pub struct VarId, "v");`.
///
/// The string is the prefix that `Debug` prints before the number.
#[macro_export]
macro_rules! define_id {
    ($(#[$attr:meta])* $vis:vis struct $name:ident, $prefix:literal) => {
        $(#[$attr])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        impl $crate::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than u32::MAX ids"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}
