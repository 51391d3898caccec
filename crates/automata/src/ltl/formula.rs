//! Linear temporal logic over numbered propositions.

/// A formula about an infinite word; it speaks about the word's first letter,
/// and through the temporal operators about the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// True or false.
    Bool(bool),
    /// The proposition is true in the first letter.
    Prop(u32),
    /// `! a`.
    Not(Box<Formula>),
    /// `a && b`.
    And(Box<Formula>, Box<Formula>),
    /// `a || b`.
    Or(Box<Formula>, Box<Formula>),
    /// `a -> b`.
    Implies(Box<Formula>, Box<Formula>),
    /// `a <-> b`.
    Equiv(Box<Formula>, Box<Formula>),
    /// `X a`: `a` holds of the word without its first letter.
    Next(Box<Formula>),
    /// `[] a`: now and always.
    Always(Box<Formula>),
    /// `<> a`: now or later.
    Eventually(Box<Formula>),
    /// `a U b`: `b` holds now or later, and `a` until then.
    Until(Box<Formula>, Box<Formula>),
    /// `a W b`: `a U b`, or `a` for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `a V b`: `b` holds up to and including the moment when `a` does, or for ever.
    Release(Box<Formula>, Box<Formula>),
}
