//! The observation table of Rivest and Schapire.
//!
//! ```text
//! S  access words, with pairwise different rows      E  suffixes      T(s,e) = member(s·e)
//! close     while some s·a has a row that no s' has, s·a joins S
//! A         states S; s –a→ the s' with the row of s·a; accepting iff T(s,ε)
//! refine    the suffix after the breakpoint joins E: one row at least becomes new
//! ```
//!
//! The rows of bad words are all zero, so one state at most rejects, and it absorbs: every hypothesis
//! is a monitor.

use super::{Learner, Letters, MembershipOracle, breakpoint};
use crate::sides::{Fallible, Word, WordAutomaton, WordState};
use resy_automata::lts::{ActionId, Alphabet};
use rustc_hash::FxHashMap;

/// A row of the table; it may have fewer entries than there are suffixes.
type Row = Vec<bool>;

/// The table.
pub(crate) struct Table {
    alphabet: Alphabet,
    suffixes: Vec<Word>,
    access: Vec<Word>,
    rows: Vec<Row>,
    /// Of each access word, once they are known.
    extensions: Vec<Vec<Extension>>,
    hypothesis: Option<WordAutomaton>,
}

/// An access word and a letter.
struct Extension {
    /// The letter; none if it stands for others.
    letter: Option<ActionId>,
    word: Word,
    row: Row,
}

impl Table {
    /// The table of the empty word.
    pub(crate) fn new(alphabet: Alphabet) -> Self {
        let empty = || vec![Word::new()];
        Self {
            alphabet,
            suffixes: empty(),
            access: empty(),
            rows: vec![Row::new()],
            extensions: Vec::new(),
            hypothesis: None,
        }
    }

    /// Closes the table.
    fn close(&mut self, teacher: &mut dyn MembershipOracle) -> Fallible<Vec<WordState>> {
        for (word, row) in self.access.iter().zip(&mut self.rows) {
            fill(word, row, &self.suffixes, teacher)?;
        }
        let rows = self.rows.iter().cloned();
        let mut known: FxHashMap<Row, usize> = rows.enumerate().map(|(i, row)| (row, i)).collect();
        let mut states = Vec::new();
        while states.len() < self.access.len() {
            let state = states.len();
            if self.extensions.len() == state {
                self.extensions.push(extensions(&self.access[state], teacher)?);
            }
            let mut next = WordState::default();
            for extension in &mut self.extensions[state] {
                fill(&extension.word, &mut extension.row, &self.suffixes, teacher)?;
                let target = *known.entry(extension.row.clone()).or_insert_with(|| {
                    self.access.push(extension.word.clone());
                    self.rows.push(extension.row.clone());
                    self.access.len() - 1
                });
                match extension.letter {
                    Some(letter) => drop(next.next.insert(letter, target)),
                    None => next.others = Some(target),
                }
            }
            states.push(next);
        }
        Ok(states)
    }
}

/// Asks for the entries of a row that are missing.
fn fill(
    word: &[ActionId],
    row: &mut Row,
    suffixes: &[Word],
    teacher: &mut dyn MembershipOracle,
) -> Fallible<()> {
    for suffix in &suffixes[row.len()..] {
        row.push(teacher.member(&[word, suffix].concat())?);
    }
    Ok(())
}

fn extensions(word: &Word, teacher: &mut dyn MembershipOracle) -> Fallible<Vec<Extension>> {
    let Letters { own, others } = teacher.letters(word)?;
    let extension = |letter: Option<ActionId>, action: ActionId| Extension {
        letter,
        word: word.iter().copied().chain([action]).collect(),
        row: Row::new(),
    };
    let own = own.into_iter().map(|action| extension(Some(action), action));
    Ok(own.chain(others.map(|action| extension(None, action))).collect())
}

impl Learner for Table {
    fn hypothesis(&mut self, teacher: &mut dyn MembershipOracle) -> Fallible<WordAutomaton> {
        if let Some(known) = &self.hypothesis {
            return Ok(known.clone());
        }
        let states = self.close(teacher)?;
        let rejecting = self.rows.iter().position(|row| !row[0]);
        let hypothesis = WordAutomaton::new(self.alphabet.clone(), states, rejecting);
        self.hypothesis = Some(hypothesis.clone());
        Ok(hypothesis)
    }

    fn refine(&mut self, word: &[ActionId], teacher: &mut dyn MembershipOracle) -> Fallible<()> {
        let hypothesis = self.hypothesis(teacher)?;
        let at = breakpoint(word, &hypothesis, |state| self.access[state].clone(), teacher)?;
        self.suffixes.push(word[at + 1..].to_vec());
        self.hypothesis = None;
        Ok(())
    }
}
