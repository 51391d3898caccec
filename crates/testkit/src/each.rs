//! One test per model, and counts over all of them.
//!
//! `each_model!(name, crate::path::to::case)` makes a module `name` with a test for every model,
//! called after its family and name. What a suite counts over all models is asserted by a test of
//! its own, which takes the outcomes from `PerModel`, so that no model is examined twice.

use crate::fixtures::{Fixture, fixtures};
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

include!(concat!(env!("OUT_DIR"), "/each.rs"));

/// What a suite finds out about each model, found out once.
pub struct PerModel<T> {
    examine: fn(&Fixture) -> T,
    outcomes: LazyLock<Vec<(Fixture, OnceLock<T>)>>,
}

impl<T> PerModel<T> {
    /// Outcomes that a function computes on demand.
    pub const fn new(examine: fn(&Fixture) -> T) -> Self {
        let all = || fixtures().into_iter().map(|fixture| (fixture, OnceLock::new())).collect();
        Self { examine, outcomes: LazyLock::new(all) }
    }

    /// The outcome of one model.
    ///
    /// # Panics
    /// If there is no such model, or if it cannot be examined.
    pub fn of(&self, fixture: &Fixture) -> &T {
        let is_it = |(other, _): &&(Fixture, OnceLock<T>)| other.name == fixture.name;
        let (fixture, outcome) =
            self.outcomes.iter().find(is_it).expect("the model is one of the repository's");
        outcome.get_or_init(|| (self.examine)(fixture))
    }

    /// The outcomes of all models, from the last to the first: tests of single models run in the
    /// other direction, and meet a test of the counts half way.
    pub fn all(&self) -> impl Iterator<Item = (&Fixture, &T)> {
        self.outcomes
            .iter()
            .rev()
            .map(|(fixture, outcome)| (fixture, outcome.get_or_init(|| (self.examine)(fixture))))
    }
}

impl PerModel<Tally> {
    /// Asserts that nothing is wrong with a model.
    ///
    /// # Panics
    /// If something is.
    pub fn assert_right(&self, fixture: &Fixture) {
        self.of(fixture).assert_right();
    }

    /// The sum over all models.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for (fixture, tally) in self.all() {
            total.add(&fixture.name, tally);
        }
        total
    }
}

/// What is wrong with a program, and what was counted about it.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    wrong: Vec<String>,
    counts: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// The sum over named programs.
    pub fn sum<T>(
        programs: impl IntoIterator<Item = (String, T)>,
        examine: impl Fn(&T) -> Tally,
    ) -> Self {
        let mut total = Self::default();
        for (name, program) in programs {
            total.add(&name, &examine(&program));
        }
        total
    }

    /// Notes a difference.
    pub fn wrong(&mut self, difference: impl Into<String>) {
        self.wrong.push(difference.into());
    }

    /// Counts so many more of a kind.
    pub fn count(&mut self, kind: &'static str, n: usize) {
        *self.counts.entry(kind).or_default() += n;
    }

    /// How many of a kind were counted.
    pub fn n(&self, kind: &str) -> usize {
        self.counts.get(kind).copied().unwrap_or_default()
    }

    /// Adds what was found out about a program.
    pub fn add(&mut self, name: &str, other: &Tally) {
        self.wrong.extend(other.wrong.iter().map(|difference| format!("{name}: {difference}")));
        for (kind, n) in &other.counts {
            self.count(kind, *n);
        }
    }

    /// Asserts that nothing is wrong.
    ///
    /// # Panics
    /// If something is.
    pub fn assert_right(&self) {
        let wrong = &self.wrong;
        assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static LENGTHS: PerModel<Tally> = PerModel::new(|fixture| {
        let mut tally = Tally::default();
        tally.count("models", 1);
        if fixture.path.extension().is_none_or(|e| e != "pml") {
            tally.wrong("this is no model");
        }
        tally
    });

    #[test]
    fn every_model_is_counted_once() {
        let total = LENGTHS.total();
        total.assert_right();
        assert_eq!(total.n("models"), fixtures().len());
        assert_eq!(total.n("other"), 0);
    }

    #[test]
    fn differences_name_their_program() {
        let mut one = Tally::default();
        one.wrong("one more");
        let sum = Tally::sum([("a".to_owned(), ()), ("b".to_owned(), ())], |()| one.clone());
        assert_eq!(sum.wrong, ["a: one more", "b: one more"]);
    }
}
