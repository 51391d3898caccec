//! A requirement as text for the terminal, state by state.

use super::Described;
use std::fmt::Write;

impl Described {
    /// The requirement as text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let summaries = self.summaries();
        for (number, state) in self.states.iter().enumerate() {
            let initial = (number == self.initial).then_some("initial");
            let marks: Vec<&str> = initial.into_iter().chain(state.mark.word()).collect();
            let marks =
                if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{number}{marks}: {}", summaries[number].join(" | "));
            for arrow in self.arrows.iter().filter(|arrow| arrow.from == number) {
                for caption in &arrow.caption {
                    // Captions are wrapped for pictures; a terminal line needs no wrapping.
                    let _ = writeln!(text, "    {}  →  {}", caption.replace('\n', " "), arrow.to);
                }
            }
        }
        text
    }
}
