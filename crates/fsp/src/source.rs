//! Positions in a text.

use std::fmt;

/// A range of bytes of the text.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A span is silent in debug output: two syntax trees are compared by it, and they are the
/// same tree wherever they stand.
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

impl Span {
    /// The bytes from `start` to before `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text of the span; empty if the span does not lie in `text`.
    pub fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// Line and column of the first byte; both count from one, the column counts characters.
    pub fn line_column(self, text: &str) -> (usize, usize) {
        let before = text.get(..self.start as usize).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "a\né b";
        assert_eq!(Span::new(0, 1).line_column(text), (1, 1));
        assert_eq!(Span::new(5, 6).line_column(text), (2, 3));
        assert_eq!(Span::new(5, 6).text(text), "b");
        assert_eq!(Span::new(99, 100).text(text), "");
    }
}
