//! The significant lines of a contract.

use crate::text::Malformed;

/// A significant line.
#[derive(Copy, Clone)]
pub struct Line<'t> {
    /// Its number, from 1.
    pub number: usize,
    /// Its indentation.
    pub depth: usize,
    /// Its text.
    pub words: &'t str,
}

/// The lines that have not been read yet.
pub struct ContractLines<'t> {
    lines: std::iter::Peekable<std::vec::IntoIter<Line<'t>>>,
    /// The number of the last line that was read.
    number: usize,
}

impl<'t> ContractLines<'t> {
    pub fn new(text: &'t str) -> Self {
        let line = |(i, line): (usize, &'t str)| {
            let words = line.trim_start_matches(' ');
            let depth = line.len() - words.len();
            Line { number: i + 1, depth, words: words.trim_end() }
        };
        let lines = text.lines().enumerate().map(line);
        let lines: Vec<Line<'t>> =
            lines.filter(|line| !line.words.is_empty() && !line.words.starts_with('#')).collect();
        Self { lines: lines.into_iter().peekable(), number: 0 }
    }

    /// An error about the line that was read last.
    pub fn fails<T>(&self, message: impl Into<String>) -> Result<T, Malformed> {
        Err(Malformed { line: self.number, message: message.into() })
    }

    /// The next line, if it has this indentation.
    pub fn at(&mut self, depth: usize) -> Option<&'t str> {
        let line = self.lines.next_if(|line| line.depth == depth)?;
        self.number = line.number;
        Some(line.words)
    }

    /// If the next line has this indentation and begins with a word, what follows the word.
    pub fn after(&mut self, depth: usize, word: &str) -> Option<&'t str> {
        let rest = |words: &'t str| match words.strip_prefix(word)? {
            "" => Some(""),
            rest => rest.strip_prefix(' '),
        };
        let line = self.lines.next_if(|l| l.depth == depth && rest(l.words).is_some())?;
        self.number = line.number;
        rest(line.words)
    }

    /// The next line, which must have this indentation and begin with a word.
    pub fn expect(&mut self, depth: usize, word: &str) -> Result<&'t str, Malformed> {
        match self.after(depth, word) {
            Some(rest) => Ok(rest),
            None => {
                self.skip();
                self.fails(format!("expected `{word}`, indented by {depth}"))
            }
        }
    }

    /// Checks that no line is left.
    pub fn end(&mut self) -> Result<(), Malformed> {
        match self.lines.peek() {
            None => Ok(()),
            Some(_) => {
                self.skip();
                self.fails("there is something after the end")
            }
        }
    }

    /// Makes the next line, or else the last one, the subject of messages.
    fn skip(&mut self) {
        self.number = self.lines.next().map_or(self.number + 1, |line| line.number);
    }
}

/// The name that was written in one line; `None` if a backslash escapes nothing.
pub fn unescaped(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        name.push(match c {
            '\\' => match rest.next()? {
                '\\' => '\\',
                'n' => '\n',
                _ => return None,
            },
            c => c,
        });
    }
    Some(name)
}
