//! The states of a process under construction.

use super::fault::{Fault, fault};
use super::process::Builder;
use crate::diagnostic::Code;
use resy_automata::LtsBuilder;
use resy_index::Id;

impl Builder<'_, '_> {
    pub fn add_state(&mut self, name: String) -> Result<usize, Fault> {
        let limit = self.compiler.limits.states;
        if self.states.len() >= limit {
            let message = format!("`{}` has more than {limit} states", self.def.name.text);
            return Err(fault(Code::TooLarge, self.def.name.span, message));
        }
        self.states.push((name, None));
        Ok(self.states.len() - 1)
    }

    /// The name of a state between two actions.
    pub fn between(&self, after: usize) -> String {
        let before = self.states.get(after).map_or(&*self.def.name.text, |s| &*s.0);
        let base = before.split('/').next().unwrap_or(before);
        format!("{base}/{}", self.states.len())
    }

    pub fn stop(&mut self) -> Result<usize, Fault> {
        let state = match self.stop {
            Some(state) => state,
            None => self.add_state("STOP".to_owned())?,
        };
        self.stop = Some(state);
        Ok(state)
    }

    pub fn end(&mut self) -> Result<usize, Fault> {
        let state = match self.end {
            Some(state) => state,
            None => self.add_state("END".to_owned())?,
        };
        self.end = Some(state);
        Ok(state)
    }

    pub fn error(&mut self) -> Result<usize, Fault> {
        let state = match self.error {
            Some(state) => state,
            None => self.add_state("ERROR".to_owned())?,
        };
        self.error = Some(state);
        Ok(state)
    }

    /// The state that a state turned out to be.
    fn actual(&self, mut state: usize) -> Option<usize> {
        for _ in 0..=self.states.len() {
            match self.states[state].1 {
                Some(next) => state = next,
                None => return Some(state),
            }
        }
        None
    }

    /// The automaton; the fault of a process that leads to itself.
    pub fn finish(&self, initial: usize) -> Result<(LtsBuilder, usize), Fault> {
        let mut builder = LtsBuilder::with_states(self.states.len());
        let actual =
            |state| self.actual(state).ok_or_else(|| self.unguarded(&self.def.locals[0].body));
        for &(source, label, target) in &self.transitions {
            let (source, target) = (actual(source)?, actual(target)?);
            builder.add_transition(Id::from_index(source), label, Id::from_index(target));
        }
        Ok((builder, actual(initial)?))
    }
}
