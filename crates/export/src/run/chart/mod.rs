//! A run as a message sequence chart: who tells whom what, and when something shared changes.
//!
//! What a chart says is here, and what is repeated in it in `folded`; how it looks is in `terminal`, `svg` and
//! `mermaid`. Steps that change nothing that others could see are left out.

mod folded;
mod mermaid;
mod terminal;

pub use terminal::Glyphs;

use super::values::text;
use super::{Event, Passage, Passing, Run};
use std::ops::Range;

/// A chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The processes that take part, in the order of their births.
    pub lifelines: Vec<Lifeline>,
    /// What happens, from top to bottom.
    pub rows: Vec<ChartRow>,
    /// The rows that happen several times in a row, as often as each of them has steps.
    pub loops: Vec<Range<usize>>,
    /// What it is a chart of.
    pub title: String,
}

/// The column of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// The name of the process.
    pub name: String,
    /// It begins after so many steps.
    pub born: usize,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartRow {
    /// The steps in which it happens, from 1: several in a loop, none if it is not a step.
    pub steps: Vec<usize>,
    /// What is drawn; the numbers are those of lifelines.
    pub mark: ChartMark,
    /// What is said about it: at an arrow the message, at a note what changes.
    pub label: String,
}

/// What is drawn for a thing that happens.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ChartMark {
    /// A message that is handed over at once.
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
        /// The receiver, if somebody receives it later.
        to: Option<usize>,
    },
    /// A message comes out of a channel.
    Receive {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The row where it was sent.
        sent: usize,
        /// Which of the steps of that row.
        round: usize,
    },
    /// A process changes something shared.
    Note(usize),
    /// The run ends here, and this is what is wrong.
    End(Option<usize>),
}

impl Run<'_> {
    /// The chart of the run, with what is repeated told once.
    pub fn chart(&self) -> Chart {
        self.whole_chart().folded()
    }

    /// The whole chart: every step that others could notice.
    pub fn whole_chart(&self) -> Chart {
        let mut rows = Vec::new();
        for (number, event) in self.events.iter().enumerate() {
            let row = |mark, label| ChartRow { steps: vec![number + 1], mark, label };
            for passing in &event.passings {
                let mark = self.mark(event, passing, &rows);
                rows.push(row(mark, label(passing)));
            }
            if event.passings.is_empty() {
                let shared = self.shared_changes(number);
                rows.extend(shared.map(|label| row(ChartMark::Note(event.actor.life), label)));
            }
        }
        rows.extend(self.ends());
        self.only_who_takes_part(rows)
    }

    /// So far lifelines are lives.
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

    /// What a step changes that others could see, or whom it creates; none if there is nothing.
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

    fn ends(&self) -> Vec<ChartRow> {
        let (why, n_steps) = (&self.why, self.events.len());
        let last = self.events.last().map(|event| event.actor.life);
        if why.kind != "end-state" {
            // The place is in the title.
            let violated = self.events.last().and_then(|event| event.violations.last());
            let reason = violated.map_or(&why.reason, |(what, _)| what);
            let steps = if n_steps == 0 { vec![] } else { vec![n_steps] };
            return vec![ChartRow { steps, mark: ChartMark::End(last), label: reason.clone() }];
        }
        let stuck = self.stuck().into_iter().map(|standing| {
            let life = self.lives.iter().rposition(|life| life.pid == standing.pid);
            let label = format!("stuck at {}", standing.statements.join(" | "));
            ChartRow { steps: vec![], mark: ChartMark::End(life), label }
        });
        let reason =
            ChartRow { steps: vec![], mark: ChartMark::End(None), label: why.reason.clone() };
        std::iter::once(reason).chain(stuck).collect()
    }

    fn only_who_takes_part(&self, mut rows: Vec<ChartRow>) -> Chart {
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
            loops: Vec::new(),
            title: format!("{}: {}", self.why.property, self.why.reason),
        }
    }
}

impl ChartMark {
    /// Calls `visit` on all lifelines in it.
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
            Self::Note(at) => visit(at),
            Self::End(at) => at.iter_mut().for_each(visit),
        }
    }
}

/// `channel!value,value`, also where it is received: so the two ends of a message look the same.
fn label(passing: &Passing) -> String {
    let values: Vec<String> = passing.values.iter().map(text).collect();
    format!("{}!{}", passing.channel, values.join(","))
}
