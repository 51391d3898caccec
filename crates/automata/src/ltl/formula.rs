//! Linear temporal logic over numbered propositions.

/// A formula about an infinite word: about its first letter and, through the temporal operators,
/// about the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TemporalFormula {
    /// True or false.
    Bool(bool),
    /// The proposition is true in the first letter.
    Prop(u32),
    /// `! a`.
    Not(Box<TemporalFormula>),
    /// `a && b`.
    And(Box<TemporalFormula>, Box<TemporalFormula>),
    /// `a || b`.
    Or(Box<TemporalFormula>, Box<TemporalFormula>),
    /// `a -> b`.
    Implies(Box<TemporalFormula>, Box<TemporalFormula>),
    /// `a <-> b`.
    Equiv(Box<TemporalFormula>, Box<TemporalFormula>),
    /// `X a`: `a` holds of the word without its first letter.
    Next(Box<TemporalFormula>),
    /// `[] a`: now and always.
    Always(Box<TemporalFormula>),
    /// `<> a`: now or later.
    Eventually(Box<TemporalFormula>),
    /// `a U b`: `b` holds now or later, and `a` until then.
    Until(Box<TemporalFormula>, Box<TemporalFormula>),
    /// `a W b`: `a U b`, or `a` for ever.
    WeakUntil(Box<TemporalFormula>, Box<TemporalFormula>),
    /// `a V b`: `b` holds up to and including the moment when `a` does, or for ever.
    Release(Box<TemporalFormula>, Box<TemporalFormula>),
}
