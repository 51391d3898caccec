//! The lines of a certificate, and the words in them.

use super::{Malformed, NOTHING};
use resy_index::Interest;
use std::str::FromStr;

/// The lines that have not been read yet.
pub struct CertificateLines<'t> {
    rest: std::str::Split<'t, char>,
    /// The number of the last line that was read.
    number: usize,
    interest: &'t Interest,
}

impl<'t> CertificateLines<'t> {
    pub fn new(text: &'t str, interest: &'t Interest) -> Self {
        Self { rest: text.split('\n'), number: 0, interest }
    }

    /// An error about the line that was read last.
    pub fn fails<T>(&self, message: impl Into<String>) -> Result<T, Malformed> {
        Err(Malformed { line: self.number, message: message.into() })
    }

    /// The next line.
    pub fn next(&mut self) -> Result<&'t str, Malformed> {
        self.number += 1;
        match self.rest.next() {
            Some(_) if !self.interest.lasts() => self.fails("it was not read to its end"),
            Some(line) => Ok(line),
            None => self.fails("the text ends too early"),
        }
    }

    /// Checks that the next line is this one.
    pub fn exactly(&mut self, expected: &str) -> Result<(), Malformed> {
        match self.next()? == expected {
            true => Ok(()),
            false => self.fails(format!("expected `{expected}`")),
        }
    }

    /// Whether another line follows.
    pub fn has_more(&self) -> bool {
        self.rest.clone().next().is_some_and(|line| !line.is_empty())
    }

    /// Checks that nothing is left but the end of the last line.
    pub fn end(&mut self) -> Result<(), Malformed> {
        self.exactly("")?;
        match self.rest.next() {
            None => Ok(()),
            Some(_) => self.fails("there is something after the end"),
        }
    }

    /// The rest of the next line, which must begin with a word.
    pub fn after(&mut self, word: &str) -> Result<&'t str, Malformed> {
        match self.next()?.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')) {
            Some(rest) => Ok(rest),
            None => self.fails(format!("expected `{word} ...`")),
        }
    }

    /// A word, and the number of lines that follow it.
    pub fn count(&mut self, word: &str) -> Result<usize, Malformed> {
        let rest = self.after(word)?;
        self.number(rest)
    }

    /// A word, the number of names, and the names, one per line.
    pub fn names(&mut self, word: &str) -> Result<Vec<String>, Malformed> {
        let count = self.count(word)?;
        self.many(count, Self::name)
    }

    /// Reads something `count` times. The count is not used to allocate memory.
    pub fn many<T>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    fn name(&mut self) -> Result<String, Malformed> {
        let line = self.next()?;
        self.unescaped(line)
    }

    /// The name that was written in one line.
    pub fn unescaped(&self, text: &str) -> Result<String, Malformed> {
        let mut name = String::new();
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            name.push(match (c, c == '\\') {
                (c, false) => c,
                (_, true) => match rest.next() {
                    Some('\\') => '\\',
                    Some('n') => '\n',
                    _ => return self.fails("a backslash before neither a backslash nor `n`"),
                },
            });
        }
        Ok(name)
    }

    /// A number in canonical form: without redundant zeros or signs.
    pub fn number<T: FromStr + ToString>(&self, word: &str) -> Result<T, Malformed> {
        match word.parse::<T>() {
            Ok(number) if number.to_string() == word => Ok(number),
            _ => self.fails(format!("expected a number, not `{word}`")),
        }
    }

    /// A number below a bound.
    pub fn below(&self, word: &str, bound: usize, what: &str) -> Result<usize, Malformed> {
        match self.number::<u32>(word)? as usize {
            number if number < bound => Ok(number),
            number => self.fails(format!("there is no {what} {number}")),
        }
    }

    /// The words of a line, separated by single spaces.
    pub fn words<'w>(&self, line: &'w str) -> Result<Vec<&'w str>, Malformed> {
        if line == NOTHING {
            return Ok(Vec::new());
        }
        let words: Vec<&str> = line.split(' ').collect();
        match words.iter().all(|word| !word.is_empty() && *word != NOTHING) {
            true => Ok(words),
            false => self.fails("expected words with one space between"),
        }
    }
}
