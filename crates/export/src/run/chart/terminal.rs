//! A chart as text for the terminal.

use super::{Chart, ChartMark, ChartRow};

/// The characters that a chart is drawn with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Glyphs {
    life: char,
    line: char,
    dashes: char,
    right: char,
    left: char,
    out_right: char,
    out_left: char,
    note: char,
    read: char,
    end: char,
    /// The bracket to the left of a loop: first line, middle, last row.
    bracket: [char; 3],
}

impl Glyphs {
    /// Box drawing characters.
    pub const UNICODE: Self = Self {
        life: '│',
        line: '─',
        dashes: '╌',
        right: '▶',
        left: '◀',
        out_right: '├',
        out_left: '┤',
        note: '●',
        read: '○',
        end: '✗',
        bracket: ['┌', '│', '└'],
    };
    /// ASCII only.
    pub const ASCII: Self = Self {
        life: '|',
        line: '-',
        dashes: '.',
        right: '>',
        left: '<',
        out_right: '+',
        out_left: '+',
        note: '*',
        read: 'o',
        end: 'X',
        bracket: ['/', '|', '\\'],
    };
}

/// The width of the step numbers.
const MARGIN: usize = 8;
/// The minimal distance between two lifelines.
const MIN_GAP: usize = 10;
/// Longer labels are written to the right of the chart.
const MAX_LABEL: usize = 28;

impl Chart {
    /// The chart as text. Solid arrows are rendezvous; dashed arrows are messages through a channel,
    /// drawn where they are received. A bracket marks a loop.
    pub fn to_text(&self, glyphs: &Glyphs) -> String {
        let places = self.places();
        let mut text = String::new();
        let mut put = |line: &str| {
            text.push_str(line.trim_end());
            text.push('\n');
        };
        put(&header(self, &places));
        put(&self.lives(&places, glyphs, 0).into_iter().collect::<String>());
        let [begin, middle, end] = glyphs.bracket;
        for (number, row) in self.rows.iter().enumerate() {
            if let Some(rows) = self.loop_from(number) {
                let (times, steps) = self.rounds(rows);
                let lives = self.lives(&places, glyphs, row.steps.first().map_or(0, |n| n - 1));
                put(&assembled("", begin, lives, &format!("{times} ({steps})")));
            }
            let bracket = match self.loops.iter().find(|rows| rows.contains(&number)) {
                Some(rows) if rows.end == number + 1 => end,
                Some(_) => middle,
                None => ' ',
            };
            let step = row.steps.first().map(usize::to_string).unwrap_or_default();
            let (line, remark) = self.line(row, &places, glyphs);
            put(&assembled(&step, bracket, line, &remark));
        }
        text
    }

    /// The columns of the lifelines, far enough apart for names and labels.
    fn places(&self) -> Vec<usize> {
        let n = self.lifelines.len();
        let half = |i: usize| self.lifelines[i].name.chars().count() / 2 + 2;
        let mut gaps: Vec<usize> = (1..n).map(|i| (half(i - 1) + half(i)).max(MIN_GAP)).collect();
        for row in &self.rows {
            let (ChartMark::Rendezvous { from, to } | ChartMark::Receive { from, to, .. }) =
                row.mark
            else {
                continue;
            };
            let (a, b) = (from.min(to), from.max(to));
            let wanted = row.label.chars().count() + 7;
            if a < b && wanted <= MAX_LABEL + 7 {
                let missing = wanted.saturating_sub(gaps[a..b].iter().sum());
                gaps[b - 1] += missing;
            }
        }
        let first = MARGIN + if n > 0 { half(0) } else { 0 };
        let next = |at: &mut usize, gap: &usize| {
            *at += gap;
            Some(*at)
        };
        std::iter::once(first).chain(gaps.iter().scan(first, next)).collect()
    }

    /// A line with the lifelines only, with space for an arrow at its end.
    fn lives(&self, places: &[usize], glyphs: &Glyphs, step: usize) -> Vec<char> {
        let mut line = vec![' '; places.last().map_or(0, |last| last + 4)];
        for (lifeline, &x) in self.lifelines.iter().zip(places) {
            if lifeline.born <= step {
                line[x] = glyphs.life;
            }
        }
        line
    }

    /// The drawing of a row, and the text to its right.
    fn line(&self, row: &ChartRow, places: &[usize], glyphs: &Glyphs) -> (Vec<char>, String) {
        // Rows without a step come after all steps.
        let time = row.steps.first().copied().unwrap_or(usize::MAX);
        let mut line = self.lives(places, glyphs, time);
        let mut remark = String::new();
        match row.mark {
            ChartMark::Rendezvous { from, to } if from != to => {
                remark =
                    arrow(&mut line, places[from], places[to], &row.label, glyphs.line, glyphs);
            }
            ChartMark::Receive { from, to, sent, round } if from != to => {
                remark =
                    arrow(&mut line, places[from], places[to], &row.label, glyphs.dashes, glyphs);
                let since = format!("sent in step {}", self.sent_in(sent, round));
                remark = if remark.is_empty() { since } else { format!("{remark}, {since}") };
            }
            ChartMark::Receive { to, sent, round, .. } => {
                line[places[to]] = glyphs.note;
                remark = format!("{}, sent in step {}", row.label, self.sent_in(sent, round));
            }
            ChartMark::Rendezvous { from: at, .. } | ChartMark::Note(at) => {
                line[places[at]] = glyphs.note;
                remark.clone_from(&row.label);
            }
            ChartMark::Read(at) => {
                line[places[at]] = glyphs.read;
                remark.clone_from(&row.label);
            }
            ChartMark::Send { from, to } => {
                let x = places[from];
                match to.is_some_and(|to| to < from) && x >= 2 {
                    true => {
                        (line[x - 2], line[x - 1]) = (glyphs.left, glyphs.dashes);
                        line[x] = glyphs.out_left;
                    }
                    false => {
                        (line[x + 1], line[x + 2]) = (glyphs.dashes, glyphs.right);
                        line[x] = glyphs.out_right;
                    }
                }
                remark.clone_from(&row.label);
                if to.is_none() {
                    remark.push_str(" (received by nobody)");
                }
            }
            ChartMark::End(at) => {
                if let Some(at) = at {
                    line[places[at]] = glyphs.end;
                }
                remark.clone_from(&row.label);
            }
        }
        (line, remark)
    }
}

/// A line of output: step number, bracket, drawing, and text.
fn assembled(step: &str, bracket: char, line: Vec<char>, remark: &str) -> String {
    let line: String = line.into_iter().skip(MARGIN - 1).collect();
    format!("{step:>5} {bracket}{line}  {remark}")
}

/// The names, each centred above its lifeline.
fn header(chart: &Chart, places: &[usize]) -> String {
    let mut line = String::new();
    for (lifeline, &x) in chart.lifelines.iter().zip(places) {
        let start = x.saturating_sub(lifeline.name.chars().count() / 2);
        let room = start.saturating_sub(line.chars().count());
        line.extend(std::iter::repeat_n(' ', room));
        line.push_str(&lifeline.name);
    }
    line
}

/// Draws an arrow with its label in the middle. Returns the label if it does not fit.
fn arrow(
    line: &mut [char],
    from: usize,
    to: usize,
    label: &str,
    dash: char,
    glyphs: &Glyphs,
) -> String {
    let (a, b) = (from.min(to), from.max(to));
    line[a + 1..b].fill(dash);
    if from < to {
        (line[from], line[b - 1]) = (glyphs.out_right, glyphs.right);
    } else {
        (line[from], line[a + 1]) = (glyphs.out_left, glyphs.left);
    }
    let label: Vec<char> = format!(" {label} ").chars().collect();
    let room = b - a - 3;
    if label.len() > room {
        return label.into_iter().collect::<String>().trim().to_owned();
    }
    let start = a + 2 + (room - label.len()) / 2;
    line[start..start + label.len()].copy_from_slice(&label);
    String::new()
}
