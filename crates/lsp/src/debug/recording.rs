//! A place in a run, and the ways from it to other places.

use resy_export::run::{Act, Event, Run};
use std::collections::BTreeSet;

/// A run with the places where a debugger stops.
pub struct Recording<'a> {
    pub run: &'a Run<'a>,
    /// Whether more steps can follow the last one.
    pub is_open: bool,
    /// The number of steps that are done.
    pub at: usize,
    /// Lines before which to stop: a file of the system, and a line.
    pub lines: BTreeSet<(u32, u32)>,
    /// Variables after whose change to stop.
    pub watched: BTreeSet<String>,
}

/// Why a debugger stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// At the start of the run.
    Entry,
    Step,
    /// The process that was asked to move cannot.
    Blocked,
    Line,
    /// A variable has changed.
    Changed(String),
    /// The steps from here on are repeated for ever.
    LoopStart,
    /// Back at the start of the loop.
    LoopEnd,
    /// At the end of the run.
    End,
}

impl Recording<'_> {
    pub fn n_steps(&self) -> usize {
        self.run.events.len()
    }

    /// Whether the last steps are repeated for ever.
    fn goes_round(&self) -> Option<usize> {
        self.run.loop_start.filter(|start| *start < self.n_steps())
    }

    /// The step that is taken next.
    pub fn next_event(&self) -> Option<&Event> {
        self.run.events.get(self.at)
    }

    /// The process that is looked at: the one that moves next, or has moved last.
    pub fn focus(&self) -> Option<usize> {
        let event = self.next_event().or(self.run.events.last())?;
        Some(event.actor.life)
    }

    /// How the present place would be told if a step had led to it.
    fn here(&self, otherwise: Halt) -> Halt {
        match self.goes_round() {
            Some(_) if self.at == self.n_steps() => Halt::LoopEnd,
            None if self.at == self.n_steps() && !self.is_open => Halt::End,
            _ => otherwise,
        }
    }

    /// Whether a change of a variable stops the run.
    pub fn watches(&self, name: &str) -> bool {
        let whole = name.split('[').next().unwrap_or(name);
        self.watched.contains(name) || self.watched.contains(whole)
    }

    /// One step of anybody.
    pub fn step(&mut self) -> Halt {
        self.at = (self.at + 1).min(self.n_steps());
        self.here(Halt::Step)
    }

    /// To behind the next step of a process; to the end, if it has none.
    pub fn step_of(&mut self, life: usize) -> Halt {
        let next = (self.at..self.n_steps()).find(|&i| moves(&self.run.events[i], life));
        self.at = next.map_or(self.n_steps(), |i| i + 1);
        self.here(Halt::Step)
    }

    /// To before the last step of a process; one step back, if it has none.
    pub fn back_of(&mut self, life: usize) -> Halt {
        let last = (0..self.at).rev().find(|&i| moves(&self.run.events[i], life));
        self.at = last.unwrap_or(self.at.saturating_sub(1));
        if self.at == 0 { Halt::Entry } else { Halt::Step }
    }

    /// Forwards to where something stops it; from the end of a loop back to its start.
    pub fn forwards(&mut self) -> Halt {
        if self.at == self.n_steps()
            && let Some(start) = self.goes_round()
        {
            self.at = start;
            return Halt::LoopStart;
        }
        while self.at < self.n_steps() {
            self.at += 1;
            if let Some(halt) = self.stops() {
                return self.here(halt);
            }
        }
        self.here(Halt::Step)
    }

    /// Back to where something stops it.
    pub fn backwards(&mut self) -> Halt {
        while self.at > 0 {
            self.at -= 1;
            if let Some(halt) = self.stops() {
                return halt;
            }
        }
        Halt::Entry
    }

    /// Why to stop at the present place.
    fn stops(&self) -> Option<Halt> {
        if self.goes_round() == Some(self.at) {
            return Some(Halt::LoopStart);
        }
        let is_marked = |act: &Act| self.lines.contains(&(act.place.file, act.place.line));
        let marked = |event: &Event| {
            is_marked(&event.actor) || event.partner.as_ref().is_some_and(is_marked)
        };
        if self.next_event().is_some_and(marked) {
            return Some(Halt::Line);
        }
        self.changed().map(Halt::Changed)
    }

    /// The watched variable that the last step has changed.
    fn changed(&self) -> Option<String> {
        let last = self.at.checked_sub(1).filter(|_| !self.watched.is_empty())?;
        let changes = self.run.changes(last);
        changes.into_iter().map(|(name, _)| name).find(|name| self.watches(name))
    }

    /// The places before a statement of a line.
    pub fn places_of(&self, file: u32, line: u32) -> Vec<usize> {
        let is_it = |act: &Act| act.place.file == file && act.place.line == line;
        let events = self.run.events.iter().enumerate();
        events
            .filter(|(_, e)| is_it(&e.actor) || e.partner.as_ref().is_some_and(is_it))
            .map(|(i, _)| i)
            .collect()
    }
}

/// Whether a process takes part in a step.
pub fn moves(event: &Event, life: usize) -> bool {
    event.actor.life == life || event.partner.as_ref().is_some_and(|p| p.life == life)
}
