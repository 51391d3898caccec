//! What is done between two steps of the search: limits, the form of the store, and saving.
//!
//! Limits are asked in the midst of a step. What changes the store waits until the step is complete, because states that
//! wait to be inserted belong to the store as it was.

use super::super::limits::{Progress, Stopped};
use super::states::StateKey;
use super::{CandidateRoot, Couvreur, DONE, PathState, WaitingEdge};

impl Couvreur<'_> {
    /// Checks the limits now and then, and whether something is to be done after this step.
    pub(super) fn look(&mut self) -> Result<(), Stopped> {
        if self.task.limits.transitions.is_some_and(|most| self.transitions > most) {
            return Err(Stopped::Transitions);
        }
        if !self.clock.due() {
            return Ok(());
        }
        let is_tight = self.states.is_too_large();
        if !is_tight && !self.states.has_room() || self.n_entered > DONE - (1 << 20) {
            return Err(Stopped::Numbers);
        }
        self.has_chores = is_tight || self.should_learn() || self.is_save_due();
        let memory = self.memory();
        let (states, waiting, depth) = (self.states.len(), self.waiting.len(), self.path.len());
        let transitions = self.transitions;
        let progress = |elapsed| {
            let depth = depth as u64;
            Progress { states, waiting, transitions, depth, memory, elapsed }
        };
        self.clock.look(&self.task.limits, memory, progress).map_or(Ok(()), Err)
    }

    /// Whether there are enough states to learn a better tree from.
    fn should_learn(&self) -> bool {
        self.moments.last().is_some_and(|&moment| self.states.len() >= moment)
    }

    /// Does what a look has found to be done. What waits to be inserted is inserted before.
    pub(super) fn do_chores(&mut self) -> Result<(), Stopped> {
        self.has_chores = false;
        self.store_targets()?;
        if self.states.is_too_large() {
            self.convert()?;
        }
        if self.should_learn() && self.states.relearn(&mut self.product.expander) {
            self.moments.pop();
            self.renew_save();
        }
        if self.is_save_due() {
            self.save();
        }
        Ok(())
    }

    /// Converts the store to a smaller one. The keys of all states change.
    pub(super) fn convert(&mut self) -> Result<(), Stopped> {
        // If a limit ends the conversion, what was saved is all there is.
        if self.states.n_staged() == 0 {
            self.save();
        }
        let (states, waiting, depth) = (self.states.len(), self.waiting.len(), self.path.len());
        let (clock, limits, transitions) = (&mut self.clock, &self.task.limits, self.transitions);
        let mut stopped = None;
        let old = self.states.convert(&mut self.product.expander, |memory| {
            let progress = |elapsed| {
                let depth = depth as u64;
                Progress { states, waiting, transitions, depth, memory, elapsed }
            };
            stopped = clock.look(limits, memory, progress);
            stopped.is_none()
        });
        let Some(old) = old else {
            self.is_torn = true;
            return Err(stopped.unwrap_or(Stopped::Memory));
        };
        let change = |key: &mut StateKey| {
            // Keys grow with the order of insertion.
            *key = old.binary_search(key).unwrap_or_default() as StateKey;
        };
        [&mut self.live, &mut self.again].into_iter().flatten().for_each(change);
        self.next = self.passed as StateKey;
        self.path.iter_mut().for_each(|state| change(&mut state.id));
        self.waiting.iter_mut().for_each(|edge| change(&mut edge.target));
        self.moments.retain(|&moment| moment > old.len());
        self.renew_save();
        Ok(())
    }

    pub(super) fn memory(&self) -> usize {
        self.states.memory()
            + self.explorers.as_ref().map_or(0, |threads| threads.extent().memory)
            + self.among.as_ref().map_or(0, |hosts| hosts.extent().memory)
            + (self.live.capacity() + self.again.capacity()) * size_of::<StateKey>()
            + self.waiting.capacity() * size_of::<WaitingEdge>()
            + self.path.capacity() * size_of::<PathState>()
            + self.roots.capacity() * size_of::<CandidateRoot>()
    }
}
