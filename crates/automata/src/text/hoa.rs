//! The HOA format (Hanoi Omega-Automata, version 1), in which tools such as Spot write automata on infinite words.
//!
//! Read are nondeterministic automata with Büchi or generalised Büchi acceptance, on states or on transitions, with
//! explicit labels. Alternation, aliases, implicit labels and other acceptance conditions are refused by name.

use super::LineError;
use crate::ltl::{BuchiAutomaton, BuchiEdge, LiteralSet};
use resy_index::{Id, IndexVec};

/// More states are refused.
const MAX_STATES: usize = 1 << 16;
/// Deeper nesting of a label is refused.
const MAX_DEPTH: usize = 200;
/// A label that is a disjunction of more conjunctions is refused.
const MAX_TERMS: usize = 1 << 12;

/// An automaton as its file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaAutomaton {
    /// Its name.
    pub name: Option<String>,
    /// The texts of its propositions.
    pub propositions: Vec<String>,
    /// Whether it says that repeating a letter does not change whether a word is accepted.
    pub is_stutter_invariant: bool,
    initial: Vec<usize>,
    marks: u64,
    edges: Vec<Vec<HoaEdge>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct HoaEdge {
    label: Condition,
    target: usize,
    marks: u64,
}

/// A label: a condition on propositions.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Bool(bool),
    Prop(usize),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// What a proposition means: disjunctions of literals, for when it is false and for when it is true.
pub type PropositionMeaning = [Vec<LiteralSet>; 2];

impl HoaAutomaton {
    /// The automaton, given what its propositions mean; `None` if a label is too large.
    pub fn buchi(&self, meanings: &[PropositionMeaning]) -> Option<BuchiAutomaton> {
        let mut edges = IndexVec::new();
        for out in &self.edges {
            let mut list = Vec::new();
            for edge in out {
                let target = Id::from_index(edge.target);
                let terms = edge.label.terms(true, meanings)?;
                list.extend(terms.into_iter().map(|label| BuchiEdge {
                    label,
                    target,
                    marks: edge.marks,
                }));
            }
            edges.push(list);
        }
        let initial = self.initial.iter().map(|&state| Id::from_index(state)).collect();
        Some(BuchiAutomaton { initial, edges, marks: self.marks })
    }
}

impl Condition {
    /// The condition, or its negation, as a disjunction of literals.
    fn terms(&self, positive: bool, meanings: &[PropositionMeaning]) -> Option<Vec<LiteralSet>> {
        let terms = match (self, positive) {
            (Self::Bool(b), _) if *b == positive => vec![LiteralSet::ANY],
            (Self::Bool(_), _) => Vec::new(),
            (Self::Prop(p), _) => meanings.get(*p)?[usize::from(positive)].clone(),
            (Self::Not(a), _) => a.terms(!positive, meanings)?,
            (Self::And(a, b), true) | (Self::Or(a, b), false) => {
                let (a, b) = (a.terms(positive, meanings)?, b.terms(positive, meanings)?);
                let pairs = a.iter().flat_map(|x| b.iter().filter_map(|y| x.and(*y)));
                pairs.take(MAX_TERMS + 1).collect()
            }
            (Self::Or(a, b), true) | (Self::And(a, b), false) => {
                let (mut a, b) = (a.terms(positive, meanings)?, b.terms(positive, meanings)?);
                a.extend(b);
                a
            }
        };
        let mut terms = terms;
        terms.sort_unstable();
        terms.dedup();
        (terms.len() <= MAX_TERMS).then_some(terms)
    }
}

/// Reads an automaton.
pub fn read(text: &str) -> Result<HoaAutomaton, LineError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0 };
    let mut automaton = parser.header()?;
    parser.body(&mut automaton)?;
    Ok(automaton)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// `name:`.
    Header(String),
    Word(String),
    Text(String),
    Number(usize),
    Sign(char),
    Body,
    End,
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, LineError> {
    let mut out = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let (token, length) = token(rest, number)?;
            out.push((number, token));
            rest = rest[length..].trim_start();
        }
    }
    Ok(out)
}

/// The first token of a text, and its length.
fn token(text: &str, line: usize) -> Result<(Token, usize), LineError> {
    let wrong = |what: &str| LineError::new(line, what);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if text.starts_with("--BODY--") {
        return Ok((Token::Body, 8));
    }
    if text.starts_with("--END--") {
        return Ok((Token::End, 7));
    }
    if text.starts_with("--ABORT--") {
        return Err(wrong("the file is aborted"));
    }
    if let Some(inside) = text.strip_prefix('"') {
        let end = inside.find('"').ok_or_else(|| wrong("a string has no end"))?;
        return Ok((Token::Text(inside[..end].to_owned()), end + 2));
    }
    if text.starts_with("/*") {
        return Err(wrong("comments are not read"));
    }
    let length = text.find(|c| !is_word(c)).unwrap_or(text.len());
    if length == 0 {
        let sign = text.chars().next().unwrap_or(' ');
        return Ok((Token::Sign(sign), sign.len_utf8()));
    }
    let word = &text[..length];
    if text[length..].starts_with(':') && !word.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok((Token::Header(word.to_owned()), length + 1));
    }
    Ok(match word.parse() {
        Ok(number) => (Token::Number(number), length),
        Err(_) => (Token::Word(word.to_owned()), length),
    })
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn line(&self) -> usize {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).map_or(1, |(line, _)| *line)
    }

    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, LineError> {
        Err(LineError::new(self.line(), what))
    }

    fn takes(&mut self, token: &Token) -> bool {
        let is_it = self.peek() == Some(token);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, sign: char) -> Result<(), LineError> {
        match self.takes(&Token::Sign(sign)) {
            true => Ok(()),
            false => self.wrong(format!("`{sign}` is missing")),
        }
    }

    fn number(&mut self) -> Result<usize, LineError> {
        match self.peek() {
            Some(&Token::Number(number)) => {
                self.at += 1;
                Ok(number)
            }
            _ => self.wrong("a number is missing"),
        }
    }

    fn string(&mut self) -> Option<String> {
        let Some(Token::Text(text)) = self.peek() else { return None };
        let text = text.clone();
        self.at += 1;
        Some(text)
    }

    fn header(&mut self) -> Result<HoaAutomaton, LineError> {
        let mut automaton = HoaAutomaton {
            name: None,
            propositions: Vec::new(),
            is_stutter_invariant: false,
            initial: Vec::new(),
            marks: 0,
            edges: Vec::new(),
        };
        if self.peek() != Some(&Token::Header("HOA".to_owned())) {
            return self.wrong("an automaton in the HOA format begins with `HOA: v1`");
        }
        while !self.takes(&Token::Body) {
            let Some(Token::Header(name)) = self.peek().cloned() else {
                return self.wrong("a header or `--BODY--` is missing");
            };
            self.at += 1;
            self.item(&name, &mut automaton)?;
        }
        Ok(automaton)
    }

    /// One item of the header, whose name was read.
    fn item(&mut self, name: &str, automaton: &mut HoaAutomaton) -> Result<(), LineError> {
        match name {
            "name" => automaton.name = self.string(),
            "States" => {
                let n = self.number()?;
                if n > MAX_STATES {
                    return self.wrong(format!("more than {MAX_STATES} states"));
                }
                automaton.edges = vec![Vec::new(); n];
            }
            "Start" => {
                automaton.initial.push(self.number()?);
                if self.takes(&Token::Sign('&')) {
                    return self.wrong("alternating automata are not read");
                }
            }
            "AP" => {
                let n = self.number()?;
                automaton.propositions = std::iter::from_fn(|| self.string()).collect();
                if automaton.propositions.len() != n || n > u64::BITS as usize {
                    return self.wrong("not as many propositions as announced, or more than 64");
                }
            }
            "Acceptance" => automaton.marks = self.acceptance()?,
            "Alias" => return self.wrong("aliases are not read"),
            "properties" => {
                while let Some(Token::Word(word)) = self.peek() {
                    automaton.is_stutter_invariant |=
                        word == "stutter-invariant" || word == "stutter_invariant";
                    self.at += 1;
                }
            }
            _ => self.skip_item(),
        }
        Ok(())
    }

    fn skip_item(&mut self) {
        while !matches!(self.peek(), None | Some(Token::Header(_) | Token::Body | Token::End)) {
            self.at += 1;
        }
    }

    /// `n Inf(0)&Inf(1)…`, or `0 t`.
    fn acceptance(&mut self) -> Result<u64, LineError> {
        let n = self.number()?;
        if n > u64::BITS as usize {
            return self.wrong("more than 64 acceptance sets");
        }
        let all = if n == 64 { u64::MAX } else { (1 << n) - 1 };
        let mut marks = 0;
        if !self.takes(&Token::Word("t".to_owned())) {
            loop {
                let is_grouped = self.takes(&Token::Sign('('));
                if !self.takes(&Token::Word("Inf".to_owned())) {
                    return self
                        .wrong("only (generalised) Büchi acceptance is read: `Inf(0)&Inf(1)`");
                }
                self.expect('(')?;
                let set = self.number()?;
                if set >= n {
                    return self.wrong("there is no such acceptance set");
                }
                marks |= 1 << set;
                self.expect(')')?;
                if is_grouped {
                    self.expect(')')?;
                }
                if !self.takes(&Token::Sign('&')) {
                    break;
                }
            }
        }
        match (marks == all, self.peek()) {
            (true, Some(Token::Header(_) | Token::Body)) => Ok(marks),
            _ => self.wrong("only (generalised) Büchi acceptance is read: `Inf(0)&Inf(1)`"),
        }
    }

    fn body(&mut self, automaton: &mut HoaAutomaton) -> Result<(), LineError> {
        let (n, n_props) = (automaton.edges.len(), automaton.propositions.len());
        while self.takes(&Token::Header("State".to_owned())) {
            let of_state = self.label(n_props)?;
            let state = self.number()?;
            if state >= n {
                return self.wrong("there is no such state");
            }
            self.string();
            let marks = self.sets(automaton.marks)?;
            while !matches!(self.peek(), None | Some(Token::Header(_) | Token::End)) {
                let edge = self.edge(n, n_props, of_state.as_ref(), marks, automaton.marks)?;
                automaton.edges[state].push(edge);
            }
        }
        match self.takes(&Token::End) {
            true if automaton.initial.iter().all(|&state| state < n) => Ok(()),
            true => self.wrong("there is no such initial state"),
            false => self.wrong("`State:` or `--END--` is missing"),
        }
    }

    fn edge(
        &mut self,
        n_states: usize,
        n_props: usize,
        of_state: Option<&Condition>,
        marks: u64,
        all: u64,
    ) -> Result<HoaEdge, LineError> {
        let label = self.label(n_props)?.or_else(|| of_state.cloned());
        let Some(label) = label else { return self.wrong("implicit labels are not read") };
        let target = self.number()?;
        if target >= n_states {
            return self.wrong("there is no such state");
        }
        if self.takes(&Token::Sign('&')) {
            return self.wrong("alternating automata are not read");
        }
        Ok(HoaEdge { label, target, marks: marks | self.sets(all)? })
    }

    /// `{0 1}`, if it is there.
    fn sets(&mut self, all: u64) -> Result<u64, LineError> {
        let mut marks = 0;
        if self.takes(&Token::Sign('{')) {
            while !self.takes(&Token::Sign('}')) {
                let set = self.number()?;
                if set >= u64::BITS as usize || all >> set & 1 == 0 {
                    return self.wrong("there is no such acceptance set");
                }
                marks |= 1 << set;
            }
        }
        Ok(marks)
    }

    /// `[0 & !1]`, if it is there.
    fn label(&mut self, n_props: usize) -> Result<Option<Condition>, LineError> {
        if !self.takes(&Token::Sign('[')) {
            return Ok(None);
        }
        let condition = self.disjunction(n_props, 0)?;
        self.expect(']')?;
        Ok(Some(condition))
    }

    fn disjunction(&mut self, n_props: usize, depth: usize) -> Result<Condition, LineError> {
        let mut all = self.conjunction(n_props, depth)?;
        while self.takes(&Token::Sign('|')) {
            all = Condition::Or(Box::new(all), Box::new(self.conjunction(n_props, depth)?));
        }
        Ok(all)
    }

    fn conjunction(&mut self, n_props: usize, depth: usize) -> Result<Condition, LineError> {
        let mut all = self.literal(n_props, depth)?;
        while self.takes(&Token::Sign('&')) {
            all = Condition::And(Box::new(all), Box::new(self.literal(n_props, depth)?));
        }
        Ok(all)
    }

    fn literal(&mut self, n_props: usize, depth: usize) -> Result<Condition, LineError> {
        if depth > MAX_DEPTH {
            return self.wrong("the label is nested too deeply");
        }
        if self.takes(&Token::Sign('!')) {
            return Ok(Condition::Not(Box::new(self.literal(n_props, depth + 1)?)));
        }
        if self.takes(&Token::Sign('(')) {
            let inside = self.disjunction(n_props, depth + 1)?;
            self.expect(')')?;
            return Ok(inside);
        }
        if self.takes(&Token::Word("t".to_owned())) {
            return Ok(Condition::Bool(true));
        }
        if self.takes(&Token::Word("f".to_owned())) {
            return Ok(Condition::Bool(false));
        }
        match self.number() {
            Ok(p) if p < n_props => Ok(Condition::Prop(p)),
            Ok(_) => self.wrong("there is no such proposition"),
            Err(_) => {
                self.wrong("a label is made of `t`, `f`, numbers of propositions, `!`, `&` and `|`")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GF: &str = "HOA: v1\nname: \"G(p -> Fq)\"\nStates: 2\nStart: 0\nAP: 2 \"p\" \"x == 1\"\n\
        acc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels stutter-invariant\n--BODY--\n\
        State: 0 {0}\n[!0 | 1] 0\n[0&!1] 1\nState: 1 \"wait\"\n[1] 0 {0}\n[!1] 1\n--END--\n";

    fn literals(n: u32) -> Vec<PropositionMeaning> {
        let of = |p, positive| vec![LiteralSet::literal(p, positive)];
        (0..n).map(|p| [of(p, false), of(p, true)]).collect()
    }

    #[test]
    fn an_automaton_of_spot_is_read() {
        let automaton = read(GF).expect("it is right");
        assert_eq!(automaton.propositions, ["p", "x == 1"]);
        assert!(automaton.is_stutter_invariant);
        let buchi = automaton.buchi(&literals(2)).expect("it is small");
        assert_eq!((buchi.edges.len(), buchi.marks, buchi.initial.len()), (2, 1, 1));
        let first = &buchi.edges[buchi.initial[0]];
        assert_eq!(first.len(), 3, "the disjunction is two edges");
        assert!(first.iter().all(|edge| edge.marks == 1));
        assert!(!buchi.is_empty());
    }

    #[test]
    fn what_is_not_read_is_refused_by_name() {
        let refused = |from: &str, to: &str| {
            let text = GF.replace(from, to);
            assert_ne!(text, GF);
            read(&text).expect_err("it is wrong").message
        };
        assert!(refused("1 Inf(0)", "1 Fin(0)").contains("Büchi"));
        assert!(refused("Inf(0)", "Inf(1)").contains("set"));
        assert!(refused("Start: 0", "Start: 0&1").contains("alternating"));
        assert!(refused("[1] 0", "0").contains("implicit"));
        assert!(refused("[0&!1] 1", "[0&!7] 1").contains("proposition"));
        assert!(refused("[0&!1] 1", "[0&!1] 7").contains("state"));
        assert!(refused("--END--", "").contains("missing"));
        let deep = format!("[{}0{}] 1", "(".repeat(1000), ")".repeat(1000));
        assert!(refused("[0&!1] 1", &deep).contains("deeply"));
    }
}
