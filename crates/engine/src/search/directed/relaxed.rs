//! A memory in which every subject has all the values that it ever had: a read is a choice.
//!
//! One evaluation of a step makes one sequence of choices; [`Choices`] goes through the sequences in order and, if there
//! are too many, continues with some at random. Within an evaluation a subject keeps the value that was chosen for it.
//! The facts that were read are what the step needs.

use super::facts::{FactId, Facts, SubjectId};
use resy_index::Id;
use resy_system::{
    Cell, ChannelTypeId, FieldQuery, FoundMessage, Interpreter, LocationId, Memory, MessageQuery,
    Offer, ProctypeId, State, System, Value, ViolationKind,
};
use std::cell::RefCell;
use std::rc::Rc;

/// So many sequences of choices are tried in order, and as many at random.
const MOST_IN_ORDER: usize = 16;

/// The choices of one evaluation, and what was read.
#[derive(Default)]
pub(super) struct Choices {
    /// What was chosen, of how many.
    trail: Vec<(usize, usize)>,
    at: usize,
    read: Vec<(SubjectId, FactId)>,
    n_tried: usize,
    /// The state of the random numbers, which are the same in every run of the program.
    random: u64,
}

impl Choices {
    /// Begins an evaluation that reads this first.
    pub fn begin(&mut self, subject: SubjectId, fact: FactId) {
        self.at = 0;
        self.read.clear();
        self.read.push((subject, fact));
    }

    /// Begins the evaluations of another step.
    pub fn restart(&mut self) {
        self.trail.clear();
        (self.n_tried, self.random) = (0, 0x9E37_79B9_7F4A_7C15);
    }

    /// One of `n` possibilities.
    pub fn choose(&mut self, n: usize) -> usize {
        if self.n_tried >= MOST_IN_ORDER {
            self.at += 1;
            self.random = self.random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            return (self.random >> 33) as usize % n.max(1);
        }
        if self.at == self.trail.len() {
            self.trail.push((0, n));
        }
        self.at += 1;
        self.trail[self.at - 1].0.min(n.saturating_sub(1))
    }

    /// Turns to the next sequence of choices; `false` if that was the last.
    pub fn turn(&mut self) -> bool {
        self.n_tried += 1;
        if self.n_tried >= MOST_IN_ORDER {
            return self.n_tried < 2 * MOST_IN_ORDER;
        }
        self.trail.truncate(self.at);
        while let Some((chosen, n)) = self.trail.pop() {
            if chosen + 1 < n {
                self.trail.push((chosen + 1, n));
                return true;
            }
        }
        false
    }

    /// Notes that a fact was read.
    pub fn note(&mut self, subject: SubjectId, fact: FactId) {
        self.read.push((subject, fact));
    }

    /// What was read.
    pub fn read(&self) -> &[(SubjectId, FactId)] {
        &self.read
    }
}

/// A value that an evaluation has written.
#[derive(Clone)]
pub(super) struct Written {
    pub subject: SubjectId,
    pub value: i32,
    pub words: Rc<[i32]>,
}

/// The memory of one evaluation.
#[derive(Clone)]
pub(super) struct Relaxed<'f> {
    pub facts: &'f Facts,
    /// The state from which the distance is measured.
    pub state: &'f State,
    pub choices: &'f RefCell<Choices>,
    pub written: Vec<Written>,
}

impl Relaxed<'_> {
    /// The value of a subject: what the evaluation has written, or else one that the subject has had.
    fn value(&self, subject: SubjectId) -> Value {
        let written = self.written.iter().rev().find(|written| written.subject == subject);
        if let Some(written) = written {
            return Ok(written.value);
        }
        let mut choices = self.choices.borrow_mut();
        if let Some(&(_, fact)) = choices.read.iter().find(|read| read.0 == subject) {
            return Ok(self.facts[fact].value);
        }
        let known = self.facts.about(subject);
        let fact = *known.get(choices.choose(known.len())).ok_or(ViolationKind::Unanswered)?;
        choices.note(subject, fact);
        Ok(self.facts[fact].value)
    }

    fn write(&mut self, subject: SubjectId, value: i32, words: Rc<[i32]>) {
        self.written.push(Written { subject, value, words });
    }

    /// A message that was ever sent and satisfies a condition; the last possibility is that there is none.
    fn any_message(&self, chan: usize, fits: impl Fn(&[i32]) -> bool) -> Option<Vec<i32>> {
        let subject = self.facts.messages(chan);
        let known = self.facts.about(subject).iter().copied();
        let fitting: Vec<FactId> = known.filter(|&fact| fits(&self.facts[fact].words)).collect();
        let mut choices = self.choices.borrow_mut();
        let fact = *fitting.get(choices.choose(fitting.len() + 1))?;
        choices.note(subject, fact);
        Some(self.facts[fact].words.to_vec())
    }
}

impl Memory for Relaxed<'_> {
    fn n_processes(&self) -> Value<usize> {
        Ok(self.facts.n_processes())
    }

    fn is_youngest(&self, _pid: usize) -> Value<bool> {
        Ok(true)
    }

    fn proctype(&self, pid: usize) -> Value<Option<ProctypeId>> {
        Ok(self.facts.proctype(pid))
    }

    fn location(&self, pid: usize) -> Value<LocationId> {
        Ok(LocationId::from_index(self.value(self.facts.location(pid))? as usize))
    }

    fn priority(&self, pid: usize) -> Value<u8> {
        self.state.priority(pid)
    }

    fn last(&self) -> Value {
        Memory::last(self.state)
    }

    fn load(&self, cell: Cell) -> Value {
        self.value(self.facts.cell(cell).ok_or(ViolationKind::Unanswered)?)
    }

    fn channel_type(&self, chan: usize) -> Value<Option<ChannelTypeId>> {
        self.state.channel_type(chan)
    }

    fn channel_len(&self, chan: usize) -> Value<usize> {
        Ok(self.value(self.facts.length(chan))? as usize)
    }

    fn message(&self, chan: usize, slot: usize) -> Value<Option<Vec<i32>>> {
        Ok(if slot == 0 { self.any_message(chan, |_| true) } else { None })
    }

    fn find(&self, chan: usize, query: &MessageQuery) -> Value<Option<FoundMessage>> {
        let fits = |message: &[i32]| {
            let mut fields = query.fields.iter().zip(message);
            fields.all(|(field, value)| !matches!(field, FieldQuery::Is(is) if is != value))
        };
        Ok(self.any_message(chan, fits).map(|message| FoundMessage { slot: 0, message }))
    }

    fn is_welcome(&self, _: &Interpreter<'_>, _: usize, _: &Offer) -> Value<bool> {
        Ok(false)
    }

    fn store(&mut self, cell: Cell, value: i32) -> Value<()> {
        let subject = self.facts.cell(cell).ok_or(ViolationKind::Unanswered)?;
        self.write(subject, value, Rc::default());
        Ok(())
    }

    fn insert(&mut self, chan: usize, message: &[i32], _: Option<&[i32]>) -> Value<()> {
        let len = self.channel_len(chan)? as i32;
        self.write(self.facts.length(chan), len + 1, Rc::default());
        self.write(self.facts.messages(chan), 0, message.into());
        Ok(())
    }

    fn remove(&mut self, chan: usize, _: Option<&MessageQuery>, _: &FoundMessage) -> Value<()> {
        let len = self.channel_len(chan)? as i32;
        self.write(self.facts.length(chan), (len - 1).max(0), Rc::default());
        Ok(())
    }

    fn move_to(&mut self, pid: usize, location: LocationId) -> Value<()> {
        self.write(self.facts.location(pid), location.index() as i32, Rc::default());
        Ok(())
    }

    fn set_priority(&mut self, _: usize, _: u8) -> Value<()> {
        Ok(())
    }

    fn set_last(&mut self, _: usize) -> Value<()> {
        Ok(())
    }

    /// Distances are measured among the processes that there are.
    fn add_process(&mut self, _: &System, _: ProctypeId, _: u8) -> Value<usize> {
        Err(ViolationKind::Unanswered)
    }

    fn add_channel(&mut self, _: &System, _: ChannelTypeId) -> Value {
        Err(ViolationKind::Unanswered)
    }

    fn remove_youngest(&mut self) -> Value<()> {
        Ok(())
    }

    fn event(&self) -> Value<LocationId> {
        Memory::event(self.state)
    }

    fn set_event(&mut self, _: LocationId) -> Value<()> {
        Ok(())
    }
}
