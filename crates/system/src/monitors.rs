//! Several monitors side by side on one run.

use crate::{ClaimMonitor, Expr, Interpreter, State, ViolationKind};

/// Monitors that watch the same run; a condition that several look at is
/// evaluated once.
#[derive(Clone, Debug, Default)]
pub struct Monitors {
    monitors: Vec<ClaimMonitor>,
    /// The conditions of all monitors, each once.
    conditions: Vec<Expr>,
    /// For each monitor, where its propositions stand among the conditions.
    places: Vec<Vec<usize>>,
}

/// A condition of a claim that has no value in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorFailure {
    /// The monitor that looks at it.
    pub monitor: usize,
    /// What is wrong.
    pub kind: ViolationKind,
}

impl Monitors {
    /// Monitors side by side, in this order.
    pub fn new(monitors: Vec<ClaimMonitor>) -> Self {
        let mut conditions: Vec<Expr> = Vec::new();
        let mut place = |e: &Expr| {
            conditions.iter().position(|c| c == e).unwrap_or_else(|| {
                conditions.push(e.clone());
                conditions.len() - 1
            })
        };
        let places = monitors.iter().map(|m| m.propositions.iter().map(&mut place).collect());
        let places = places.collect();
        Self { monitors, conditions, places }
    }

    /// The monitors.
    pub fn as_slice(&self) -> &[ClaimMonitor] {
        &self.monitors
    }

    /// The conditions of all, each once.
    pub fn conditions(&self) -> &[Expr] {
        &self.conditions
    }

    /// Shows them a state of which bit `i` says whether condition `i` holds.
    pub fn step_by(&self, bits: u64, sets: &mut [u64]) {
        for ((monitor, places), set) in self.monitors.iter().zip(&self.places).zip(sets) {
            let valuation =
                places.iter().enumerate().fold(0, |v, (bit, &p)| v | (bits >> p & 1) << bit);
            *set = monitor.step(*set, valuation);
        }
    }

    /// Their sets before the first state is seen, one for each.
    pub fn initial(&self) -> Vec<u64> {
        self.monitors.iter().map(ClaimMonitor::initial).collect()
    }

    /// Shows them a state of the run.
    pub fn step(
        &self,
        interpreter: &Interpreter<'_>,
        state: &State,
        sets: &mut [u64],
    ) -> Result<(), MonitorFailure> {
        let mut known: Vec<Option<bool>> = vec![None; self.conditions.len()];
        for (number, monitor) in self.monitors.iter().enumerate() {
            let mut valuation = 0;
            let looks_at = monitor.looks_at(sets[number]);
            for (bit, &place) in self.places[number].iter().enumerate() {
                if looks_at >> bit & 1 == 0 {
                    continue;
                }
                let value = match known[place] {
                    Some(value) => value,
                    None => interpreter
                        .holds(state, &self.conditions[place])
                        .map_err(|kind| MonitorFailure { monitor: number, kind })?,
                };
                known[place] = Some(value);
                valuation |= u64::from(value) << bit;
            }
            sets[number] = monitor.step(sets[number], valuation);
        }
        Ok(())
    }

    /// Repeats the last state of the run until no set changes.
    pub fn stutter(
        &self,
        interpreter: &Interpreter<'_>,
        state: &State,
        sets: &mut [u64],
    ) -> Result<(), MonitorFailure> {
        // Where a step leads, a monitor may look at more than before.
        for _ in 0..u64::BITS {
            let before = sets.to_vec();
            self.step(interpreter, state, sets)?;
            if sets == before {
                break;
            }
        }
        Ok(())
    }

    /// Whether none of them can find another violation, whatever follows.
    pub fn are_over(&self, sets: &[u64]) -> bool {
        self.monitors.iter().zip(sets).all(|(monitor, &set)| monitor.is_over(set))
    }

    /// The numbers of the monitors that have found a violation.
    pub fn bad<'a>(&'a self, sets: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
        let pairs = self.monitors.iter().zip(sets).enumerate();
        pairs.filter(|(_, (monitor, set))| monitor.is_bad(**set)).map(|(number, _)| number)
    }
}
