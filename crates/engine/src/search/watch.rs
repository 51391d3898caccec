//! Monitors on vectors: the sets of the monitors are part of the state.

use crate::steps::Stepper;
use crate::vector::ShapeId;
use resy_system::{Monitors, Outcome};

/// The monitors of a search.
pub struct Watch {
    monitors: Monitors,
    sets: Vec<u64>,
}

impl Watch {
    /// Watches with these monitors.
    pub fn new(monitors: Monitors) -> Watch {
        let sets = monitors.initial();
        Watch { monitors, sets }
    }

    /// Whether there are no monitors.
    pub fn is_idle(&self) -> bool {
        self.sets.is_empty()
    }

    /// Puts the initial sets into a vector. Calls `bad` for each monitor that no run can satisfy: it
    /// reports a violation before the first state.
    pub fn start(&self, stepper: &dyn Stepper, vector: &mut [u8], mut bad: impl FnMut(Outcome)) {
        let sets = self.monitors.initial();
        self.monitors.bad(&sets).for_each(|i| bad(Outcome::Claim(i)));
        for (i, set) in sets.into_iter().enumerate() {
            stepper.layout().set_monitor(vector, i, set);
        }
    }

    /// Advances the monitors by a state that was reached: the sets in its vector are replaced by those
    /// after the state. Calls `bad` for each monitor that reports a violation.
    pub fn arrive(
        &mut self,
        stepper: &mut dyn Stepper,
        vector: &mut [u8],
        shape: ShapeId,
        bad: impl FnMut(Outcome),
    ) {
        self.read(stepper, vector);
        self.step(stepper, vector, shape, bad);
        for (i, &set) in self.sets.iter().enumerate() {
            stepper.layout().set_monitor(vector, i, set);
        }
    }

    /// Whether no monitor can report another violation after the last state.
    pub fn is_over(&self) -> bool {
        self.monitors.are_over(&self.sets)
    }

    /// Advances the monitors by a state without steps, repeated for ever.
    pub fn stay(
        &mut self,
        stepper: &mut dyn Stepper,
        vector: &[u8],
        shape: ShapeId,
        mut bad: impl FnMut(Outcome),
    ) {
        self.read(stepper, vector);
        for _ in 0..u64::BITS {
            let before = self.sets.clone();
            self.step(stepper, vector, shape, &mut bad);
            if self.sets == before {
                break;
            }
        }
    }

    fn read(&mut self, stepper: &dyn Stepper, vector: &[u8]) {
        for (i, set) in self.sets.iter_mut().enumerate() {
            *set = stepper.layout().monitor(vector, i);
        }
    }

    fn step(
        &mut self,
        stepper: &mut dyn Stepper,
        vector: &[u8],
        shape: ShapeId,
        mut bad: impl FnMut(Outcome),
    ) {
        let were_bad: u64 = self.monitors.bad(&self.sets).fold(0, |bits, i| bits | 1 << (i & 63));
        match stepper.valuation(vector, shape) {
            Some(bits) => self.monitors.step_by(bits, &mut self.sets),
            None => {
                let state = stepper.unpack(vector, shape);
                let result = self.monitors.step(stepper.interpreter(), &state, &mut self.sets);
                if let Err(failure) = result {
                    bad(Outcome::Condition(failure.monitor, failure.kind));
                }
            }
        }
        for i in self.monitors.bad(&self.sets) {
            if were_bad >> (i & 63) & 1 == 0 {
                bad(Outcome::Claim(i));
            }
        }
    }
}
