//! Never claims: a run violates the claim if the claim reaches its end, fails an assertion, or
//! reaches a location from which it accepts every continuation.
//!
//! The rules are those of spin's verifier. The claim takes one step per state, an
//! `atomic` or `d_step` being one step: all its statements are evaluated in the same
//! state. `else` is possible if no earlier option is. A claim that cannot move is over
//! without a violation. A location with an `end` label counts as the end.

use super::read::Reader;
use super::refusal::RefusalReason;
use super::test::{Answer, Test};
use super::universal::universal;
use crate::{Expr, LocationId, Proctype};

/// The bit of a set that says that the claim has been violated.
pub(super) const VIOLATED: u64 = 1 << 63;

/// A never claim with its locations numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Never {
    initial: u64,
    pub locations: Vec<Location>,
}

/// A location of a claim.
#[derive(Clone, Debug, Default)]
pub(crate) struct Location {
    pub moves: Vec<Move>,
    /// The propositions that a step from here depends on.
    pub looks_at: u64,
    /// The locations that an edge leads to, as a set.
    pub successors: u64,
    /// Whether some edge ends here, outside of an `atomic`.
    pub rests: bool,
}

/// An edge of a claim.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(super) test: Test,
    /// The target as a set: one location, or [`VIOLATED`].
    pub target: u64,
    /// Whether the claim continues in the same state.
    pub atomic: bool,
    /// As in [`resy_system::Edge`].
    pub escape: Option<LocationId>,
}

impl Never {
    /// The claim and its conditions, for a monitor.
    pub fn of(claim: &Proctype) -> Result<(Self, Vec<Expr>), RefusalReason> {
        if let Some((label, _)) = claim.labels.iter().find(|(l, _)| l.starts_with("progress")) {
            return Err(RefusalReason::LivenessLabel(label.clone()));
        }
        let (mut never, propositions, accepting) = Self::read(claim)?;
        never.resolve_acceptance(claim, accepting)?;
        Ok((never, propositions))
    }

    /// The claim, its conditions, and its accepting locations as a set.
    pub fn read(claim: &Proctype) -> Result<(Self, Vec<Expr>, u64), RefusalReason> {
        let mut reader = Reader::new(claim);
        let initial = reader.enter(claim.start)?;
        let mut locations = Vec::new();
        while let Some(&at) = reader.locations.get(locations.len()) {
            locations.push(reader.location(at)?);
        }
        if reader.propositions.len() > u64::BITS as usize {
            return Err(RefusalReason::Propositions);
        }
        let mut never = Self { initial, locations };
        never.mark_resting();
        never.spread_looks();
        let numbers = reader.locations.iter().enumerate();
        let accepting = numbers.filter(|(_, at)| claim.accept_locations[**at]);
        let accepting = accepting.fold(0, |set, (number, _)| set | 1u64 << number);
        Ok((never, reader.propositions, accepting))
    }

    /// Bits of a set: [`VIOLATED`] is the highest.
    pub fn width(&self) -> u32 {
        u64::BITS
    }

    pub fn initial(&self) -> u64 {
        self.initial
    }

    pub fn is_bad(&self, set: u64) -> bool {
        set & VIOLATED != 0
    }

    /// Whether the claim cannot move any more.
    pub fn is_over(&self, set: u64) -> bool {
        set == 0
    }

    pub fn looks_at(&self, set: u64) -> u64 {
        self.numbers(set).fold(0, |all, l| all | self.locations[l].looks_at)
    }

    /// Moves from every location of the set, and repeatedly inside an `atomic`.
    pub fn step(&self, set: u64, valuation: u64) -> u64 {
        let (mut todo, mut passed, mut out) = (set & !VIOLATED, 0, set & VIOLATED);
        while todo != 0 {
            let at = todo.trailing_zeros() as usize;
            todo &= todo - 1;
            let (rest, on) = self.locations[at].step(valuation);
            out |= rest;
            todo |= on & !passed;
            passed |= on;
        }
        out
    }

    fn numbers(&self, set: u64) -> impl Iterator<Item = usize> {
        (0..self.locations.len()).filter(move |l| set >> l & 1 == 1)
    }

    fn mark_resting(&mut self) {
        let moves = self.locations.iter().flat_map(|l| &l.moves);
        let rests = moves.filter(|m| !m.atomic).fold(self.initial, |set, m| set | m.target);
        for (number, location) in self.locations.iter_mut().enumerate() {
            location.rests = rests >> number & 1 == 1;
        }
    }

    /// A step through an `atomic` depends on the conditions of all its statements.
    fn spread_looks(&mut self) {
        for _ in 0..self.locations.len() {
            for at in 0..self.locations.len() {
                let atomic = self.locations[at].moves.iter().filter(|m| m.atomic);
                let on = atomic.fold(0, |set, m| set | m.target);
                let seen = self.looks_at(on & !VIOLATED);
                self.locations[at].looks_at |= seen;
            }
        }
    }

    /// Turns locations that accept every continuation into violations, and refuses other
    /// accept labels on cycles.
    fn resolve_acceptance(
        &mut self,
        claim: &Proctype,
        accepting: u64,
    ) -> Result<(), RefusalReason> {
        if accepting == 0 {
            return Ok(());
        }
        let everything = universal(self, accepting);
        for location in &mut self.locations {
            for m in location.moves.iter_mut().filter(|m| m.target & everything != 0 && !m.atomic) {
                m.target = VIOLATED;
            }
        }
        if self.initial & everything != 0 {
            self.initial = VIOLATED;
        }
        self.update_successors();
        let reached = self.closure(self.initial);
        let comes_back = |&at: &usize| self.closure(self.locations[at].successors) >> at & 1 == 1;
        if self.numbers(accepting & reached).any(|at| comes_back(&at)) {
            let label = claim.labels.iter().find(|(label, _)| label.starts_with("accept"));
            let label = label.map_or_else(|| "accept".to_owned(), |(label, _)| label.clone());
            return Err(RefusalReason::LivenessLabel(label));
        }
        Ok(())
    }

    fn update_successors(&mut self) {
        for location in &mut self.locations {
            location.successors = location.moves.iter().fold(0, |set, m| set | m.target);
        }
    }

    /// All locations that are reachable from a set, including the set.
    fn closure(&self, mut set: u64) -> u64 {
        loop {
            let next = self.numbers(set).fold(set, |s, l| s | self.locations[l].successors);
            if next == set {
                return set;
            }
            set = next;
        }
    }
}

impl Location {
    /// The targets of the edges: those outside of an `atomic`, and those inside.
    fn step(&self, valuation: u64) -> (u64, u64) {
        let (mut rest, mut on) = (0, 0);
        let (mut moved, mut escape) = (false, None);
        for m in &self.moves {
            if escape.is_some() && escape != m.escape {
                break;
            }
            match m.test.answer(valuation, moved) {
                Answer::Blocked => continue,
                Answer::Wrong => rest |= VIOLATED,
                Answer::Passed if m.atomic && m.target != VIOLATED => on |= m.target,
                Answer::Passed => rest |= m.target,
            }
            (moved, escape) = (true, m.escape);
        }
        (rest, on)
    }
}
