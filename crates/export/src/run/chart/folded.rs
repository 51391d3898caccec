//! Loops of a chart: rows that repeat are drawn once and keep all their steps.
//!
//! Two rows are equal if they have the same symbol between the same processes and the same label, and if
//! a received message was sent the same number of rows above. Notes of one statement are equal if their
//! labels are up to numbers: a loop that counts is a loop. Folding loses nothing: a row keeps all its steps
//! and their labels, and a receive the iteration of its send.

use super::{Chart, ChartMark, ChartRow, EndlessRows};
use crate::run::fold::{FoldSegment, fold, unfold};
use std::ops::Range;

impl Chart {
    /// Folds the loops of a chart whose rows have one step each.
    #[must_use]
    pub(super) fn folded(mut self) -> Self {
        let looks = self.rows.iter().enumerate();
        let looks: Vec<_> =
            looks.map(|(i, row)| (at_a_distance(row.mark, i), row.statement, shape(row))).collect();
        // What is repeated for ever is a loop already.
        let n_foldable = self.endless.as_ref().map_or(looks.len(), |e| e.rows.start);
        let mut parts = fold(&looks[..n_foldable]);
        if n_foldable < looks.len() {
            parts.push(FoldSegment::Items(n_foldable..looks.len()));
        }
        let mut rows: Vec<ChartRow> = Vec::new();
        // For each original row the folded row that represents it, and the iteration.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (mut row, like) in std::mem::take(&mut self.rows).into_iter().zip(unfold(&parts)) {
            let place = match places.get(like) {
                Some(&(shown, _)) => {
                    rows[shown].steps.append(&mut row.steps);
                    rows[shown].each.push(row.label);
                    (shown, rows[shown].steps.len() - 1)
                }
                None => {
                    if let ChartMark::Receive { sent, round, .. } = &mut row.mark {
                        (*sent, *round) = places[*sent];
                    }
                    row.each = vec![row.label.clone()];
                    rows.push(row);
                    (rows.len() - 1, 0)
                }
            };
            places.push(place);
        }
        rows.iter_mut().for_each(ChartRow::sum_up);
        let repeated = |part: &FoldSegment| match part {
            FoldSegment::Items(_) => None,
            FoldSegment::Again { block, .. } => {
                Some(places[block.start].0..places[block.end - 1].0 + 1)
            }
        };
        self.loops = parts.iter().filter_map(repeated).collect();
        if let Some(EndlessRows { rows, .. }) = &mut self.endless {
            *rows = places[rows.start].0..places[rows.end - 1].0 + 1;
            self.loops.push(rows.clone());
        }
        Self { rows, ..self }
    }

    /// The chart restricted to some of its steps, and with the rows that end it.
    #[must_use]
    pub fn only(mut self, is_shown: impl Fn(usize) -> bool) -> Self {
        let stays =
            |row: &ChartRow| row.steps.is_empty() || row.steps.iter().any(|&step| is_shown(step));
        let stays: Vec<bool> = self.rows.iter().map(stays).collect();
        let mut n_before = vec![0];
        n_before.extend(stays.iter().scan(0, |n, stays| {
            *n += usize::from(*stays);
            Some(*n)
        }));
        let steps: Vec<Vec<usize>> = self.rows.iter().map(|row| row.steps.clone()).collect();
        for row in &mut self.rows {
            match &mut row.mark {
                ChartMark::Receive { sent, .. } if stays[*sent] => *sent = n_before[*sent],
                ChartMark::Receive { to, sent, round, .. } => {
                    row.label = format!("{}, sent in step {}", row.label, steps[*sent][*round]);
                    row.mark = ChartMark::Note(*to);
                }
                _ => {}
            }
        }
        let mut stays = stays.into_iter();
        self.rows.retain(|_| stays.next().unwrap_or(true));
        let moved = |rows: &Range<usize>| n_before[rows.start]..n_before[rows.end];
        self.loops = self.loops.iter().map(moved).filter(|rows| !rows.is_empty()).collect();
        if let Some(endless) = &mut self.endless {
            endless.rows = moved(&endless.rows);
        }
        self
    }

    /// The step of a send, given its row and iteration.
    pub(crate) fn sent_in(&self, row: usize, round: usize) -> usize {
        self.rows[row].steps[round]
    }

    /// The loop that begins at a row.
    pub(crate) fn loop_from(&self, row: usize) -> Option<&Range<usize>> {
        self.loops.iter().find(|rows| rows.start == row)
    }

    /// The number of iterations of a loop, and the range of its steps, as text.
    pub(crate) fn rounds(&self, rows: &Range<usize>) -> (String, String) {
        let steps = |row: usize| self.rows[row].steps.iter();
        let (first, last) = (steps(rows.start).next(), steps(rows.end - 1).last());
        let (first, last) = (first.copied().unwrap_or(0), last.copied().unwrap_or(0));
        let endless = self.endless.as_ref().filter(|endless| endless.rows == *rows);
        match endless.map(|endless| endless.steps) {
            Some((first, last)) => ("for ever".to_owned(), format!("steps {first} to {last}")),
            None => {
                (format!("{} times", steps(rows.start).len()), format!("steps {first} to {last}"))
            }
        }
    }
}

impl ChartRow {
    /// The label of a row of a loop, from the labels of all iterations.
    fn sum_up(&mut self) {
        let mut rest = self.each.iter().skip(1);
        match self.each.last() {
            Some(last) if rest.any(|label| *label != self.label) => {
                self.label = first_to_last(&self.label, last);
            }
            _ => self.each.clear(),
        }
    }
}

/// Labels of the first and of the last iteration, `x = 1 .. 8`.
fn first_to_last(first: &str, last: &str) -> String {
    let pairs = first.split(", ").zip(last.split(", "));
    let pairs = pairs.map(|(first, last)| match last.rsplit_once(" = ") {
        Some((_, value)) if first != last => format!("{first} .. {value}"),
        _ => first.to_owned(),
    });
    pairs.collect::<Vec<_>>().join(", ")
}

/// The label of a row, without its numbers if it is a note.
fn shape(row: &ChartRow) -> String {
    let is_number = |value: &str| value.parse::<i64>().is_ok();
    let word = |word: &str| match word.rsplit_once(" = ") {
        Some((name, value)) if is_number(value) => format!("{name} ="),
        _ => word.to_owned(),
    };
    match row.statement {
        Some(_) => row.label.split(", ").map(word).collect::<Vec<_>>().join(", "),
        None => row.label.clone(),
    }
}

/// The symbol of a row, in which a send is identified by its distance instead of its row.
fn at_a_distance(mark: ChartMark, row: usize) -> ChartMark {
    match mark {
        ChartMark::Receive { from, to, sent, round } => {
            ChartMark::Receive { from, to, sent: row.saturating_sub(sent), round }
        }
        other => other,
    }
}
