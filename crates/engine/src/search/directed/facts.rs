//! What has been reached, if nothing is ever lost: the values of every variable, the locations of every process, the
//! messages and lengths of every channel, the sets of every monitor.

use resy_index::Id;
use resy_system::{Cell, LocationId, ProctypeId, State, System};
use std::rc::Rc;

/// The most facts about one subject: of a counter, the first values are enough to see where it leads.
const MOST_VALUES: usize = 32;

/// What facts are about.
pub(super) type SubjectId = u32;

/// The number of a fact.
pub(super) type FactId = u32;

/// A value that a subject has had. A message or the set of a monitor is in `words`.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub value: i32,
    pub words: Rc<[i32]>,
    /// The step that made it so; none in the state from which the distance is measured.
    pub by: Option<u32>,
}

/// The facts, by subject. Subjects are numbered: the global cells; the location and the cells of each process; the length
/// and the messages of each channel; the monitors.
pub(super) struct Facts {
    facts: Vec<Fact>,
    of: Vec<Vec<FactId>>,
    /// The proctype of each process, and its first subject.
    processes: Vec<(ProctypeId, SubjectId)>,
    first_channel: SubjectId,
    first_monitor: SubjectId,
}

impl Facts {
    /// What is so in a state of which the monitors have these sets.
    pub fn of(system: &System, state: &State, sets: &[u64]) -> Self {
        let mut facts = Self {
            facts: Vec::new(),
            of: Vec::new(),
            processes: Vec::new(),
            first_channel: 0,
            first_monitor: 0,
        };
        state.globals(system).iter().for_each(|&value| facts.begin([value]));
        for (pid, process) in state.processes().iter().enumerate() {
            facts.processes.push((process.proctype, facts.of.len() as SubjectId));
            facts.begin([process.location.index() as i32]);
            state.locals(system, pid).iter().for_each(|&value| facts.begin([value]));
        }
        facts.first_channel = facts.of.len() as SubjectId;
        for chan in 0..state.channels().len() {
            let messages = state.messages(system, chan);
            facts.begin([messages.len() as i32]);
            facts.begin([]);
            let subject = facts.messages(chan);
            for message in messages {
                facts.add(subject, 0, message.into(), None);
            }
        }
        facts.first_monitor = facts.of.len() as SubjectId;
        for (monitor, &set) in sets.iter().enumerate() {
            facts.begin([]);
            let subject = facts.monitor(monitor);
            facts.add(subject, 0, words(set), None);
        }
        facts
    }

    /// A new subject, with the value that it has now.
    fn begin<const N: usize>(&mut self, now: [i32; N]) {
        self.of.push(Vec::new());
        let subject = (self.of.len() - 1) as SubjectId;
        for value in now {
            self.add(subject, value, Rc::default(), None);
        }
    }

    /// Adds a fact, if it is new; the number of values of a subject is bounded.
    pub fn add(
        &mut self,
        subject: SubjectId,
        value: i32,
        words: Rc<[i32]>,
        by: Option<u32>,
    ) -> Option<FactId> {
        if self.of[subject as usize].len() >= MOST_VALUES || self.has(subject, value, &words) {
            return None;
        }
        let id = self.facts.len() as FactId;
        self.facts.push(Fact { value, words, by });
        self.of[subject as usize].push(id);
        Some(id)
    }

    /// Whether a subject has had this value.
    pub fn has(&self, subject: SubjectId, value: i32, words: &[i32]) -> bool {
        let is_it = |&id: &FactId| {
            let fact = &self.facts[id as usize];
            fact.value == value && *fact.words == *words
        };
        self.of[subject as usize].iter().any(is_it)
    }

    /// The facts about a subject.
    pub fn about(&self, subject: SubjectId) -> &[FactId] {
        &self.of[subject as usize]
    }

    pub fn n_processes(&self) -> usize {
        self.processes.len()
    }

    pub fn proctype(&self, pid: usize) -> Option<ProctypeId> {
        self.processes.get(pid).map(|process| process.0)
    }

    /// The subject of a cell.
    pub fn cell(&self, cell: Cell) -> Option<SubjectId> {
        match cell {
            Cell::Global(at) => Some(at),
            Cell::Local(pid, at) => self.processes.get(pid as usize).map(|p| p.1 + 1 + at),
        }
    }

    /// The subject of a process's location.
    pub fn location(&self, pid: usize) -> SubjectId {
        self.processes[pid].1
    }

    /// The subject of a channel's length.
    pub fn length(&self, chan: usize) -> SubjectId {
        self.first_channel + 2 * chan as SubjectId
    }

    /// The subject of a channel's messages.
    pub fn messages(&self, chan: usize) -> SubjectId {
        self.length(chan) + 1
    }

    /// The subject of a monitor's set.
    pub fn monitor(&self, monitor: usize) -> SubjectId {
        self.first_monitor + monitor as SubjectId
    }

    pub fn len(&self) -> usize {
        self.facts.len()
    }
}

impl std::ops::Index<FactId> for Facts {
    type Output = Fact;

    fn index(&self, id: FactId) -> &Fact {
        &self.facts[id as usize]
    }
}

impl Fact {
    /// The location that it names.
    pub fn location(&self) -> LocationId {
        LocationId::from_index(self.value as usize)
    }

    /// The set that it names.
    pub fn set(&self) -> u64 {
        let half = |at: usize| u64::from(self.words.get(at).copied().unwrap_or(0) as u32);
        half(0) | half(1) << 32
    }
}

/// The set of a monitor, as the words of a fact.
pub(super) fn words(set: u64) -> Rc<[i32]> {
    [set as u32 as i32, (set >> 32) as u32 as i32].into()
}
