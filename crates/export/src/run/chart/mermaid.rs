//! A chart as a Mermaid sequence diagram, which GitHub and many editors display.

use super::{Chart, ChartMark, ChartRow};

impl Chart {
    /// The chart as a `sequenceDiagram`.
    pub fn to_mermaid(&self) -> String {
        let mut text = String::from("sequenceDiagram\n");
        for (i, lifeline) in self.lifelines.iter().enumerate() {
            text.push_str(&format!("    participant L{i} as {}\n", escaped(&lifeline.name)));
        }
        let mut indent = "    ";
        for (number, row) in self.rows.iter().enumerate() {
            if let Some(rows) = self.loop_from(number) {
                let (times, steps) = self.rounds(rows);
                text.push_str(&format!("    loop {times} ({steps})\n"));
                indent = "        ";
            }
            text.push_str(&format!("{indent}{}\n", self.statement(row)));
            if self.loops.iter().any(|rows| rows.end == number + 1) {
                indent = "    ";
                text.push_str("    end\n");
            }
        }
        text
    }

    fn statement(&self, row: &ChartRow) -> String {
        let step = row.steps.first().map(|step| format!("{step}. ")).unwrap_or_default();
        let label = escaped(&row.label);
        match row.mark {
            ChartMark::Rendezvous { from, to } => format!("L{from}->>L{to}: {step}{label}"),
            ChartMark::Receive { from, to, sent, round } => {
                let sent = self.sent_in(sent, round);
                format!("L{from}--)L{to}: {step}{label} (sent in step {sent})")
            }
            ChartMark::Send { from, to: None } => {
                format!("Note over L{from}: {step}{label} (received by nobody)")
            }
            ChartMark::Send { from: at, .. }
            | ChartMark::Note(at)
            | ChartMark::Read(at)
            | ChartMark::End(Some(at)) => {
                format!("Note over L{at}: {step}{label}")
            }
            ChartMark::End(None) => match self.lifelines.len() {
                0 => format!("%% {step}{label}"),
                1 => format!("Note over L0: {step}{label}"),
                n => format!("Note over L0,L{}: {step}{label}", n - 1),
            },
        }
    }
}

/// Escapes characters that end a line in Mermaid or are markup there.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | ';' | '<' | '>' | '&' | '"' | '%' | ',' | ':' | '{' | '}' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_line_too_early() {
        assert_eq!(escaped("a;b#c\n-> {d}"), "a#59;b#35;c -#62; #123;d#125;");
    }
}
