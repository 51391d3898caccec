//! A run as a message sequence chart: messages between processes, and changes of shared variables.
//!
//! This module builds the chart and `folded` folds its loops; `terminal`, `mermaid` and `drawing::chart`
//! render it. Steps that neither affect other processes nor read what these change are omitted.

mod folded;
mod mermaid;
mod terminal;

pub use terminal::Glyphs;

use super::values::text;
use super::{Event, Passage, Passing, Run};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A message sequence chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The processes that take part, in the order of their creation.
    pub lifelines: Vec<Lifeline>,
    /// The rows, from top to bottom.
    pub rows: Vec<ChartRow>,
    /// The rows of each loop. All rows of a loop have the same number of steps, one per iteration.
    pub loops: Vec<Range<usize>>,
    /// The rows that are repeated for ever, if the run is infinite; they are one of the loops.
    pub endless: Option<EndlessRows>,
    /// The title.
    pub title: String,
}

/// The part of a chart that is repeated for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessRows {
    /// Its rows.
    pub rows: Range<usize>,
    /// The first and the last of its steps, from 1; not all of them have a row.
    pub steps: (usize, usize),
}

/// The column of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// The name of the process.
    pub name: String,
    /// The number of steps before its creation.
    pub born: usize,
}

/// A row: a message, a change, or the end of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartRow {
    /// The steps of the row, numbered from 1: several in a loop, none if the row is not a step.
    pub steps: Vec<usize>,
    /// The symbol that is drawn. Its numbers are indices of lifelines.
    pub mark: ChartMark,
    /// The text of the row: the message of an arrow, the changes of a note.
    pub label: String,
    /// The texts of the iterations of a loop, if they differ.
    pub each: Vec<String>,
    /// Spin's number of the statement of a note.
    pub statement: Option<u32>,
}

/// The symbol of a row.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ChartMark {
    /// A rendezvous.
    Rendezvous {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
    },
    /// A message goes into a channel.
    Send {
        /// The sender.
        from: usize,
        /// The receiver, if the message is received later.
        to: Option<usize>,
    },
    /// A message leaves a channel.
    Receive {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The row of the send.
        sent: usize,
        /// The index of the sending step in that row.
        round: usize,
    },
    /// A process changes something that other processes can observe.
    Note(usize),
    /// A process reads what another one changes in this run.
    Read(usize),
    /// The end of the run, with the violation.
    End(Option<usize>),
}

impl Run<'_> {
    /// The chart of the run with folded loops.
    pub fn chart(&self) -> Chart {
        self.whole_chart().folded()
    }

    /// The chart of the run without folding.
    pub fn whole_chart(&self) -> Chart {
        let mut rows = Vec::new();
        let writers = self.writers();
        for (number, event) in self.events.iter().enumerate() {
            let row = |mark, label| ChartRow::new(vec![number + 1], mark, label);
            for passing in &event.passings {
                let mark = self.mark(event, passing, &rows);
                rows.push(row(mark, label(passing)));
            }
            if event.passings.is_empty() {
                let life = event.actor.life;
                let written =
                    self.shared_changes(number).map(|label| (ChartMark::Note(life), label));
                let read = || Some((ChartMark::Read(life), self.shared_reads(number, &writers)?));
                let found = written.or_else(read).map(|(mark, label)| row(mark, label));
                let statement = Some(event.actor.id);
                rows.extend(found.map(|row| ChartRow { statement, ..row }));
            }
        }
        let is_repeated = |row: &ChartRow| Some(row.steps[0]) > self.loop_start;
        let first = rows.iter().position(is_repeated).filter(|_| self.loop_start.is_some());
        let endless = first.map(|first| EndlessRows {
            rows: first..rows.len(),
            steps: (self.loop_start.unwrap_or(0) + 1, self.events.len()),
        });
        rows.extend(self.ends());
        self.only_who_takes_part(rows, endless)
    }

    /// The symbol of a message. At this stage its numbers are indices of [`Run::lives`].
    fn mark(&self, event: &Event, passing: &Passing, rows: &[ChartRow]) -> ChartMark {
        let own = event.actor.life;
        let life = |event: usize| self.events[event].actor.life;
        match passing.passage {
            Passage::Rendezvous => {
                let to = event.partner.as_ref().map_or(own, |partner| partner.life);
                ChartMark::Rendezvous { from: own, to }
            }
            Passage::Sent(received) => ChartMark::Send { from: own, to: received.map(life) },
            Passage::Lost => ChartMark::Send { from: own, to: None },
            Passage::Received(sent) => {
                let label = label(passing);
                let is_origin = |row: &ChartRow| {
                    row.steps == [sent + 1]
                        && matches!(row.mark, ChartMark::Send { .. })
                        && row.label == label
                };
                let sent_in = rows.iter().rposition(is_origin).unwrap_or(0);
                ChartMark::Receive { from: life(sent), to: own, sent: sent_in, round: 0 }
            }
        }
    }

    /// The changes of a step that other processes can observe, and the processes it creates; `None` if
    /// there are none.
    fn shared_changes(&self, number: usize) -> Option<String> {
        let is_shared = |name: &str| !name.contains("):");
        let changes = self.changes(number);
        let shared = changes.iter().filter(|(name, _)| is_shared(name));
        let mut words: Vec<String> =
            shared.map(|(name, value)| format!("{name} = {}", text(value))).collect();
        let born = self.lives.iter().filter(|life| life.born == number + 1);
        words.extend(born.map(|life| format!("run {}", life.name)));
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// For each shared variable the processes that change it.
    fn writers(&self) -> FxHashMap<String, Vec<usize>> {
        let mut writers: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (number, event) in self.events.iter().enumerate() {
            for (name, _) in self.changes(number) {
                writers.entry(name).or_default().push(event.actor.life);
            }
        }
        writers
    }

    /// What a step reads of the variables that other processes change; `None` if it is nothing.
    fn shared_reads(
        &self,
        number: usize,
        writers: &FxHashMap<String, Vec<usize>>,
    ) -> Option<String> {
        let Event { actor, reads, violations, .. } = &self.events[number];
        let changes = |name: &String| writers.get(name).map_or(&[][..], Vec::as_slice);
        let of_others = |name: &String| changes(name).iter().any(|life| *life != actor.life);
        let words = reads.iter().filter(|(name, _)| of_others(name));
        let words: Vec<String> =
            words.map(|(name, value)| format!("{name} = {}", text(value))).collect();
        let is_told = !words.is_empty() && violations.is_empty();
        is_told.then(|| format!("reads {}", words.join(", ")))
    }

    fn ends(&self) -> Vec<ChartRow> {
        let (why, n_steps) = (&self.why, self.events.len());
        let last = self.events.last().map(|event| event.actor.life);
        if why.kind != "end-state" {
            // The title already has the location.
            let violated = self.events.last().and_then(|event| event.violations.last());
            let reason = violated.map_or(&why.reason, |(what, _)| what);
            let steps = if n_steps == 0 { vec![] } else { vec![n_steps] };
            let repetition = self.repetition().map(|words| format!("; {words}"));
            let label = format!("{reason}{}", repetition.unwrap_or_default());
            return vec![ChartRow::new(steps, ChartMark::End(last), label)];
        }
        let stuck = self.stuck().into_iter().map(|standing| {
            let life = self.lives.iter().rposition(|life| life.pid == standing.pid);
            let label = format!("stuck at {}", standing.statements.join(" | "));
            ChartRow::new(vec![], ChartMark::End(life), label)
        });
        let reason = ChartRow::new(vec![], ChartMark::End(None), why.reason.clone());
        std::iter::once(reason).chain(stuck).collect()
    }

    fn only_who_takes_part(&self, mut rows: Vec<ChartRow>, endless: Option<EndlessRows>) -> Chart {
        let mut takes_part = vec![false; self.lives.len()];
        rows.iter_mut().for_each(|row| row.mark.each(|life| takes_part[*life] = true));
        let lives = || self.lives.iter().zip(&takes_part).filter(|(_, takes_part)| **takes_part);
        let numbers: Vec<usize> = takes_part
            .iter()
            .scan(0, |n, takes_part| Some(std::mem::replace(n, *n + usize::from(*takes_part))))
            .collect();
        rows.iter_mut().for_each(|row| row.mark.each(|life| *life = numbers[*life]));
        let lifeline = |life: &super::Life| Lifeline { name: life.name.clone(), born: life.born };
        Chart {
            lifelines: lives().map(|(life, _)| lifeline(life)).collect(),
            rows,
            loops: endless.iter().map(|endless| endless.rows.clone()).collect(),
            endless,
            title: format!("{}: {}", self.why.property, self.why.reason),
        }
    }
}

impl ChartRow {
    fn new(steps: Vec<usize>, mark: ChartMark, label: String) -> Self {
        Self { steps, mark, label, each: Vec::new(), statement: None }
    }
}

impl ChartMark {
    /// Calls `visit` with every index of a lifeline.
    fn each(&mut self, mut visit: impl FnMut(&mut usize)) {
        match self {
            Self::Rendezvous { from, to } | Self::Receive { from, to, .. } => {
                visit(from);
                visit(to);
            }
            Self::Send { from, to } => {
                visit(from);
                to.iter_mut().for_each(visit);
            }
            Self::Note(at) | Self::Read(at) => visit(at),
            Self::End(at) => at.iter_mut().for_each(visit),
        }
    }
}

/// `channel!value,value`, for sends and receives alike, so that both ends of a message have the same
/// label.
fn label(passing: &Passing) -> String {
    let values: Vec<String> = passing.values.iter().map(text).collect();
    format!("{}!{}", passing.channel, values.join(","))
}
