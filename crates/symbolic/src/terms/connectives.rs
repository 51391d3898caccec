//! Connectives: conjunction, negation and conditional; the others are made of them.

use super::{Sort, SymbolId, Term, TermId, Terms};

impl Terms {
    /// A truth value.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.intern(Term::Boolean(value), Sort::Boolean)
    }

    /// The truth value, if the term is one.
    pub fn as_truth(&self, id: TermId) -> Option<bool> {
        match self.term(id) {
            Term::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// Negation. A double negation is none.
    pub fn not(&mut self, id: TermId) -> TermId {
        debug_assert_eq!(self.sort(id), Sort::Boolean);
        match *self.term(id) {
            Term::Boolean(value) => self.truth(!value),
            Term::Not(inner) => inner,
            _ => self.intern(Term::Not(id), Sort::Boolean),
        }
    }

    /// The term without its negation, and whether there was none.
    pub fn literal(&self, id: TermId) -> (TermId, bool) {
        match *self.term(id) {
            Term::Not(inner) => (inner, false),
            _ => (id, true),
        }
    }

    /// Conjunction; true if there are no terms.
    pub fn and(&mut self, terms: &[TermId]) -> TermId {
        let mut parts = Vec::new();
        for &term in terms {
            match self.term(term) {
                Term::Boolean(true) => {}
                Term::Boolean(false) => return term,
                Term::And(inner) => parts.extend_from_slice(inner),
                _ => parts.push(term),
            }
        }
        // A term beside its negation.
        parts.sort_unstable_by_key(|&part| self.literal(part));
        parts.dedup();
        if parts.windows(2).any(|pair| self.literal(pair[0]).0 == self.literal(pair[1]).0) {
            return self.truth(false);
        }
        match parts[..] {
            [] => self.truth(true),
            [part] => part,
            _ => self.intern(Term::And(parts), Sort::Boolean),
        }
    }

    /// Disjunction; false if there are no terms.
    pub fn or(&mut self, terms: &[TermId]) -> TermId {
        let negated: Vec<TermId> = terms.iter().map(|&term| self.not(term)).collect();
        let none = self.and(&negated);
        self.not(none)
    }

    /// The disjuncts of a disjunction, which is represented as a negated conjunction.
    pub fn disjuncts(&mut self, id: TermId) -> Option<Vec<TermId>> {
        let Term::Not(inner) = *self.term(id) else { return None };
        let Term::And(parts) = self.term(inner).clone() else { return None };
        Some(parts.into_iter().map(|part| self.not(part)).collect())
    }

    /// Implication.
    pub fn implies(&mut self, premise: TermId, conclusion: TermId) -> TermId {
        let premise = self.not(premise);
        self.or(&[premise, conclusion])
    }

    /// Equivalence of truth values.
    pub fn iff(&mut self, left: TermId, right: TermId) -> TermId {
        let (left, right) = (left.min(right), left.max(right));
        let neither = self.not(right);
        self.ite(left, right, neither)
    }

    /// `if condition then yes else no`, of any sort.
    pub fn ite(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        if yes == no {
            return yes;
        }
        match *self.term(condition) {
            Term::Boolean(true) => return yes,
            Term::Boolean(false) => return no,
            Term::Not(inner) => return self.ite(inner, no, yes),
            _ => {}
        }
        if self.sort(yes) == Sort::Boolean {
            return self.boolean_ite(condition, yes, no);
        }
        let sort = match (self.sort(yes), self.sort(no)) {
            (Sort::Integer, Sort::Integer) => Sort::Integer,
            (left, right) if left.is_numeric() && right.is_numeric() => Sort::Rational,
            (left, right) => {
                debug_assert_eq!(left, right, "a conditional of two sorts");
                left
            }
        };
        self.intern(Term::If(condition, yes, no), sort)
    }

    fn boolean_ite(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        match (self.as_truth(yes), self.as_truth(no)) {
            (Some(true), _) => return self.or(&[condition, no]),
            (_, Some(false)) => return self.and(&[condition, yes]),
            (Some(false), _) => {
                let other = self.not(condition);
                return self.and(&[other, no]);
            }
            (_, Some(true)) => return self.implies(condition, yes),
            (None, None) => {}
        }
        if let Term::Not(inner) = *self.term(yes) {
            let no = self.not(no);
            let negated = self.intern_boolean_if(condition, inner, no);
            return self.not(negated);
        }
        self.intern_boolean_if(condition, yes, no)
    }

    fn intern_boolean_if(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        // The condition decides itself.
        if condition == yes {
            return self.or(&[condition, no]);
        }
        if condition == no {
            return self.and(&[condition, yes]);
        }
        if self.literal(no) == (condition, false) {
            return self.implies(condition, yes);
        }
        self.intern(Term::If(condition, yes, no), Sort::Boolean)
    }

    /// Existential quantification. The embedded procedure answers *unknown* to what it contains.
    pub fn exists(&mut self, symbols: &[SymbolId], body: TermId) -> TermId {
        let mut bound = symbols.to_vec();
        bound.sort_unstable();
        bound.dedup();
        if bound.is_empty() || self.as_truth(body).is_some() {
            return body;
        }
        self.intern(Term::Exists(bound, body), Sort::Boolean)
    }
}
