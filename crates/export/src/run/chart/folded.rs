//! Loops of a chart: rows that repeat are drawn once and keep all their steps.
//!
//! Two rows are equal if they have the same symbol between the same processes and the same label, and if
//! a received message was sent the same number of rows above. Folding loses nothing: a row keeps all its
//! steps, and a receive the iteration of its send.

use super::{Chart, ChartMark, ChartRow, EndlessRows};
use crate::run::fold::{FoldSegment, fold, unfold};
use std::ops::Range;

impl Chart {
    /// Folds the loops of a chart whose rows have one step each.
    #[must_use]
    pub(super) fn folded(mut self) -> Self {
        let looks = self.rows.iter().enumerate();
        let looks: Vec<_> =
            looks.map(|(i, row)| (at_a_distance(row.mark, i), &row.label)).collect();
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
                    (shown, rows[shown].steps.len() - 1)
                }
                None => {
                    if let ChartMark::Receive { sent, round, .. } = &mut row.mark {
                        (*sent, *round) = places[*sent];
                    }
                    rows.push(row);
                    (rows.len() - 1, 0)
                }
            };
            places.push(place);
        }
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

/// The symbol of a row, in which a send is identified by its distance instead of its row.
fn at_a_distance(mark: ChartMark, row: usize) -> ChartMark {
    match mark {
        ChartMark::Receive { from, to, sent, round } => {
            ChartMark::Receive { from, to, sent: row.saturating_sub(sent), round }
        }
        other => other,
    }
}
