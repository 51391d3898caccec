//! A run as a table with one row per step, which lists the changes only.

use super::values::text;
use super::{Act, Event, FoldSegment, Run, fold};
use serde_json::Value;
use std::ops::Range;

/// The numbers of rows shown at the beginning and at the end of a long table.
const BEGINNING: usize = 20;
const ENDING: usize = 60;
/// The smallest page width that is assumed.
const MIN_COLUMNS: usize = 60;
/// The shares of these columns of what the three wide columns have together, in percent, if the page is too narrow.
const PROCESS: usize = 30;
const STATEMENT: usize = 42;

/// A row of the table.
pub(crate) struct TableRow {
    /// The step, or the range of steps.
    number: String,
    /// Process, location and statement; or one sentence instead of them.
    pub cells: Result<[String; 3], String>,
    /// The changes.
    pub changes: String,
    /// The output of the step.
    pub output: String,
}

impl Run<'_> {
    /// The table for a page with this many columns. Repeated steps are folded, long cells are truncated,
    /// and the middle of a very long run is omitted. The last line says which of these happened.
    pub fn table(&self, columns: usize) -> String {
        let steps: Vec<_> = self.events.iter().map(|e| (&e.actor, &e.partner)).collect();
        // A fold does not go across the start of the loop, and the loop is told in full.
        let stem = self.loop_start.unwrap_or(steps.len());
        let parts = fold(&steps[..stem]);
        let mut rows = self.folded_rows(&parts);
        rows.extend(self.loop_title());
        rows.extend((stem..steps.len()).map(|i| self.row(i)));
        leave_out_the_middle(&mut rows);
        let (mut table, is_cut) = self.page(&rows, columns.max(MIN_COLUMNS));
        let is_folded = parts.iter().any(|part| matches!(part, FoldSegment::Again { .. }));
        let mut hints = Vec::new();
        if is_folded {
            hints.push("repeated steps may have other values");
        }
        if is_cut {
            hints.push("`...` is cut off");
        }
        if !hints.is_empty() {
            table.push_str(&format!("  ({}; -v shows all)\n", hints.join("; ")));
        }
        table
    }

    /// The complete table: every step, nothing truncated.
    pub fn whole_table(&self) -> String {
        let mut rows: Vec<TableRow> = (0..self.events.len()).map(|i| self.row(i)).collect();
        if let (Some(start), Some(title)) = (self.loop_start, self.loop_title()) {
            rows.insert(start, title);
        }
        self.page(&rows, usize::MAX).0
    }

    /// The row above the steps of the loop.
    fn loop_title(&self) -> Option<TableRow> {
        let sentence = format!("--- {}:", self.repetition()?);
        let sentence = if self.goes_round() { sentence } else { sentence.replace(':', "") };
        Some(TableRow {
            number: String::new(),
            cells: Err(sentence),
            changes: String::new(),
            output: String::new(),
        })
    }

    fn folded_rows(&self, parts: &[FoldSegment]) -> Vec<TableRow> {
        let (mut rows, mut at) = (Vec::new(), 0);
        for part in parts {
            match part {
                FoldSegment::Items(range) => {
                    rows.extend(range.clone().map(|i| self.row(i)));
                    at = range.end;
                }
                FoldSegment::Again { block, times } => {
                    let end = at + block.len() * times;
                    rows.push(self.row_of_fold(at..end, block, *times));
                    at = end;
                }
            }
        }
        rows
    }

    /// The row of a step.
    pub(crate) fn row(&self, number: usize) -> TableRow {
        let event = &self.events[number];
        let both = |of: &dyn Fn(&Act) -> String, sign: &str| match &event.partner {
            None => of(&event.actor),
            Some(partner) => format!("{}{sign}{}", of(&event.actor), of(partner)),
        };
        TableRow {
            number: (number + 1).to_string(),
            cells: Ok([
                both(&|act| self.life(act).name.clone(), " -> "),
                both(&|act| self.place(act), ", "),
                both(&|act| one_line(&act.statement), " -> "),
            ]),
            changes: self.told(std::slice::from_ref(event), self.changes(number)),
            output: event.output.clone(),
        }
    }

    fn row_of_fold(&self, all: Range<usize>, block: &Range<usize>, times: usize) -> TableRow {
        let what = match block.len() {
            1 => format!("step {}", block.end),
            _ => format!("steps {}-{}", block.start + 1, block.end),
        };
        let how_often = match times {
            1 => "once more".to_owned(),
            n => format!("{n} more times"),
        };
        TableRow {
            number: format!("{}-{}", all.start + 1, all.end),
            cells: Err(format!("... {what} {how_often} ...")),
            changes: self.told(&self.events[block.clone()], self.changes_over(all)),
            output: String::new(),
        }
    }

    /// Changes as text. The process is omitted from the names of its variables if it takes all the steps.
    fn told(&self, events: &[Event], changes: Vec<(String, Value)>) -> String {
        let life = events.first().map(|event| event.actor.life);
        let is_one = events.iter().all(|event| Some(event.actor.life) == life);
        let own = life.filter(|_| is_one).map(|life| {
            let life = &self.lives[life];
            format!("{}({}):", life.proctype.trim_matches(':'), life.pid)
        });
        let one = |(name, value): (String, Value)| {
            let short = own.as_ref().and_then(|own| name.strip_prefix(own));
            format!("{} = {}", short.unwrap_or(&name), text(&value))
        };
        changes.into_iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The line of an act, with the file if there are several.
    fn place(&self, act: &Act) -> String {
        match self.only_file {
            Some(_) => act.place.line.to_string(),
            None => self.system.location(act.place),
        }
    }

    /// Formats the rows in columns, and tells whether a cell was truncated.
    fn page(&self, rows: &[TableRow], columns: usize) -> (String, bool) {
        if rows.is_empty() {
            return ("  (no step: it is so at the start)\n".to_owned(), false);
        }
        let place = if self.only_file.is_some() { "line" } else { "place" };
        let titles = ["process", place, "statement"].map(str::to_owned);
        let titles = TableRow {
            number: "step".into(),
            cells: Ok(titles),
            changes: "changes".into(),
            output: String::new(),
        };
        let rows = || std::iter::once(&titles).chain(rows);
        let widest = |of: &dyn Fn(&TableRow) -> usize| rows().map(of).max().unwrap_or(0);
        let number = widest(&|row| width(&row.number));
        let cell = |i: usize| widest(&|row| row.cells.as_ref().map_or(0, |cells| width(&cells[i])));
        let (process, place, statement) = (cell(0), cell(1), cell(2));
        let changes = widest(&|row| width(&row.changes));
        let room = columns.saturating_sub(number + place + 10);
        let [process, statement] = share(room, process, statement, changes);
        let sentence = widest(&|row| row.cells.as_ref().err().map_or(0, |text| width(text)));
        let statement = statement.max(sentence.saturating_sub(process + place + 4));
        let left = process + place + statement + 4;
        let changes = columns.saturating_sub(number + left + 6).max(12);
        let (mut page, mut is_cut) = (String::new(), false);
        let mut fit = |text: &str, room: usize| {
            let (text, was_cut) = cut(text, room);
            is_cut |= was_cut;
            text
        };
        for row in rows() {
            let middle = match &row.cells {
                Ok([p, l, s]) => format!(
                    "{:<process$}  {l:>place$}  {:<statement$}",
                    fit(p, process),
                    fit(s, statement)
                ),
                Err(sentence) => format!("{sentence:<left$}"),
            };
            let line =
                format!("  {:>number$}  {middle}  {}", row.number, fit(&row.changes, changes));
            page.push_str(line.trim_end());
            page.push('\n');
            for printed in row.output.lines() {
                page.push_str(&format!("  {:>number$}  > {}\n", "", one_line(printed)));
            }
        }
        (page, is_cut)
    }
}

/// The widths of process and statement, if these and the changes share `room`. What one does not need, another gets.
fn share(room: usize, process: usize, statement: usize, changes: usize) -> [usize; 2] {
    if process + statement <= room.saturating_sub(changes) {
        return [process, statement];
    }
    let part = |percent: usize| room.saturating_mul(percent) / 100;
    let (process_now, statement_now) = (process.min(part(PROCESS)), statement.min(part(STATEMENT)));
    let unused = (room - process_now - statement_now).saturating_sub(changes);
    let more = unused.min(statement - statement_now);
    let rest = unused - more;
    [process_now + rest.min(process - process_now), statement_now + more]
}

fn leave_out_the_middle(rows: &mut Vec<TableRow>) {
    let Some(hidden) = rows.len().checked_sub(BEGINNING + ENDING).filter(|n| *n > 1) else {
        return;
    };
    let sentence = format!("... {hidden} rows are left out; -v shows them ...");
    let row = TableRow {
        number: String::new(),
        cells: Err(sentence),
        changes: String::new(),
        output: String::new(),
    };
    rows.splice(BEGINNING..BEGINNING + hidden, [row]);
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The text truncated to this width, and whether it was truncated.
fn cut(text: &str, room: usize) -> (String, bool) {
    if width(text) <= room {
        return (text.to_owned(), false);
    }
    let start: String = text.chars().take(room.saturating_sub(3)).collect();
    (format!("{}...", start.trim_end()), true)
}

/// The text with control characters replaced by spaces.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn wide_columns_share_the_page() {
        assert_eq!(share(80, 20, 30, 30), [20, 30]);
        // All are cut.
        assert_eq!(share(100, 90, 90, 90), [30, 42]);
        assert_eq!(share(40, 90, 90, 90), [12, 16]);
        // What the changes do not need goes to the statement first.
        assert_eq!(share(100, 40, 50, 20), [30, 50]);
        assert_eq!(share(100, 40, 50, 11), [39, 50]);
        assert_eq!(share(usize::MAX, 40, 50, 11), [40, 50]);
        assert_eq!(share(0, 4, 5, 0), [0, 0]);
    }
}
