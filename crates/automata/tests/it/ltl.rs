//! Linear temporal logic against the definitions, and against what spin makes of it.

mod classes;
mod common;
mod random;
mod spin;
