//! Answers in SMT-LIB 2: expressions in brackets, and the values of variables.

use crate::rational::Rational;
use crate::terms::{ArrayValue, DataValue, Sort};

/// A word, or a list in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SExpr {
    Word(String),
    List(Vec<SExpr>),
}

/// Deeper answers are not read: the values of arrays are nested as deeply as they have exceptions.
const DEEPEST: usize = 2000;

impl SExpr {
    /// The first expression of a text; `None` if it is not complete.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut open: Vec<Vec<Self>> = Vec::new();
        let mut rest = text.trim_start();
        loop {
            let (token, after) = next_token(rest)?;
            rest = after.trim_start();
            let done = match token {
                "(" => {
                    open.push(Vec::new());
                    if open.len() > DEEPEST {
                        return None;
                    }
                    continue;
                }
                ")" => Self::List(open.pop()?),
                word => Self::Word(word.to_owned()),
            };
            match open.last_mut() {
                Some(list) => list.push(done),
                None => return Some(done),
            }
        }
    }

    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::List(_) => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            Self::Word(_) => None,
        }
    }

    /// The value of the sort; `None` if it is written in a way we do not know, such as an irrational.
    pub(super) fn value(&self, sort: Sort) -> Option<DataValue> {
        match sort {
            Sort::Boolean => match self.word()? {
                "true" => Some(DataValue::Boolean(true)),
                "false" => Some(DataValue::Boolean(false)),
                _ => None,
            },
            Sort::Integer | Sort::Rational => self.number().map(DataValue::Number),
            Sort::IntegerArray | Sort::RationalArray => self.array().map(DataValue::Array),
        }
    }

    fn number(&self) -> Option<Rational> {
        match self {
            Self::Word(word) => decimal(word),
            Self::List(list) => match &list[..] {
                [Self::Word(minus), inner] if minus == "-" => inner.number()?.negate(),
                [Self::Word(over), a, b] if over == "/" => a.number()?.over(b.number()?),
                [Self::Word(cast), inner] if cast == "to_real" => inner.number(),
                _ => None,
            },
        }
    }

    /// `(store (store ((as const …) v) i v) i v)`, from the outside in. z3 names inner arrays by `let`.
    fn array(&self) -> Option<ArrayValue> {
        let mut changes = Vec::new();
        let mut named: Vec<&[Self]> = Vec::new();
        let mut inner = self;
        for _ in 0..DEEPEST {
            let list = match inner {
                Self::List(list) => list,
                Self::Word(name) => {
                    let is_named = |pair: &&&[Self]| pair[0].word() == Some(name);
                    inner = &named.iter().rev().find(is_named)?[1];
                    continue;
                }
            };
            match &list[..] {
                [Self::Word(word), Self::List(pairs), body] if word == "let" => {
                    for pair in pairs {
                        named.push(pair.list().filter(|pair| pair.len() == 2)?);
                    }
                    inner = body;
                }
                [Self::Word(store), array, index, value] if store == "store" => {
                    changes.push((index.number()?.to_integer()?, value.number()?));
                    inner = array;
                }
                [Self::List(constant), value] if is_constant(constant) => {
                    let mut array = ArrayValue::constant(value.number()?);
                    changes.iter().rev().for_each(|&(index, value)| array.set(index, value));
                    return Some(array);
                }
                _ => return None,
            }
        }
        None
    }
}

fn is_constant(list: &[SExpr]) -> bool {
    matches!(list, [SExpr::Word(first), SExpr::Word(second), _] if first == "as" && second == "const")
}

/// The next token and what follows it; `None` if the text ends before.
fn next_token(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    let end = match first {
        '(' | ')' => 1,
        '"' | '|' => text[1..].find(first)? + 2,
        _ => text.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(text.len()),
    };
    Some(text.split_at(end))
}

fn decimal(word: &str) -> Option<Rational> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let fraction = fraction.trim_end_matches('0');
    let denominator = 10i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    Rational::new(format!("{whole}{fraction}").parse().ok()?, denominator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<Rational> {
        SExpr::parse(text)?.number()
    }

    #[test]
    fn numbers_of_all_kinds() {
        assert_eq!(number("7"), Some(Rational::integer(7)));
        assert_eq!(number("(- (/ 3.0 2.0))"), Rational::new(-3, 2));
        assert_eq!(number("2.50"), Rational::new(5, 2));
        assert_eq!(number("(root-obj (+ (^ x 2) (- 2)) 1)"), None);
        assert_eq!(number("((("), None);
    }

    #[test]
    fn arrays_are_stores_over_a_constant() {
        let text = "(store (store ((as const (Array Int Int)) 4) 1 (- 2)) 1 3)";
        let array = SExpr::parse(text).and_then(|read| read.array()).unwrap();
        assert_eq!((array.get(1), array.get(0)), (Rational::integer(3), Rational::integer(4)));
        assert_eq!(SExpr::parse("(_ as-array k!0)").unwrap().array(), None);
        let text = "(let ((a!1 (store ((as const (Array Int Int)) 4) 1 2))) (store a!1 7 5))";
        let array = SExpr::parse(text).and_then(|read| read.array()).unwrap();
        assert_eq!((array.get(1), array.get(7)), (Rational::integer(2), Rational::integer(5)));
    }
}
