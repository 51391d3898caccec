//! The naive twin: formulas evaluated on a lasso, and formulas from text.

use TemporalFormula::{
    Always, And, Bool, Equiv, Eventually, Implies, Next, Not, Or, Prop, Release, Until, WeakUntil,
};
use resy_automata::ltl::{BuchiAutomaton, BuchiEdge, LiteralSet, TemporalFormula};
use resy_index::{Id, IndexVec};

/// The word `stem cycle cycle …`; the cycle is not empty.
#[derive(Clone, Debug)]
pub struct Lasso {
    pub stem: Vec<u64>,
    pub cycle: Vec<u64>,
}

impl Lasso {
    fn letters(&self) -> Vec<u64> {
        [&self.stem[..], &self.cycle[..]].concat()
    }

    /// The automaton of this word alone.
    pub fn automaton(&self) -> BuchiAutomaton {
        let letters = self.letters();
        let successor = |i: usize| if i + 1 < letters.len() { i + 1 } else { self.stem.len() };
        let edge = |(i, &letter): (usize, &u64)| {
            let label = LiteralSet { yes: letter, no: !letter };
            vec![BuchiEdge { label, target: Id::from_index(successor(i)), marks: 0 }]
        };
        let edges: IndexVec<_, _> = letters.iter().enumerate().map(edge).collect();
        BuchiAutomaton { initial: vec![Id::from_index(0)], edges, marks: 0 }
    }

    /// Whether the formula holds, straight from the definitions.
    pub fn satisfies(&self, formula: &TemporalFormula) -> bool {
        self.values(formula)[0]
    }

    /// The truth of a formula at every position.
    fn values(&self, formula: &TemporalFormula) -> Vec<bool> {
        let letters = self.letters();
        let n = letters.len();
        let next = |i: usize| if i + 1 < n { i + 1 } else { self.stem.len() };
        // All that can be seen from a position, in order: twice around is enough.
        let from = |i: usize| std::iter::successors(Some(i), move |&i| Some(next(i))).take(2 * n);
        let all = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
        match formula {
            Bool(b) => vec![*b; n],
            Prop(p) => all(&|i| letters[i] >> p & 1 == 1),
            Not(a) => self.values(a).into_iter().map(|v| !v).collect(),
            And(a, b) => self.zip(a, b, |a, b| a && b),
            Or(a, b) => self.zip(a, b, |a, b| a || b),
            Implies(a, b) => self.zip(a, b, |a, b| !a || b),
            Equiv(a, b) => self.zip(a, b, |a, b| a == b),
            Next(a) => {
                let a = self.values(a);
                all(&|i| a[next(i)])
            }
            Always(a) => {
                let a = self.values(a);
                all(&|i| from(i).all(|j| a[j]))
            }
            Eventually(a) => {
                let a = self.values(a);
                all(&|i| from(i).any(|j| a[j]))
            }
            Until(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                all(&|i| from(i).find(|&j| b[j] || !a[j]).is_some_and(|j| b[j]))
            }
            WeakUntil(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                all(&|i| from(i).find(|&j| b[j] || !a[j]).is_none_or(|j| b[j]))
            }
            Release(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                all(&|i| from(i).find(|&j| a[j] || !b[j]).is_none_or(|j| b[j]))
            }
        }
    }

    fn zip(
        &self,
        a: &TemporalFormula,
        b: &TemporalFormula,
        f: impl Fn(bool, bool) -> bool,
    ) -> Vec<bool> {
        self.values(a).into_iter().zip(self.values(b)).map(|(a, b)| f(a, b)).collect()
    }
}

/// Reads a formula in prefix notation: `G`, `F`, `X`, `U`, `W`, `V`, `!`, `&`, `|`, `>` (implies),
/// `=` (equivalent), `1`, `0`, and `a` to `d`.
pub fn formula(text: &str) -> TemporalFormula {
    let mut letters = text.chars().filter(|c| !c.is_whitespace());
    let read = prefix(&mut letters);
    assert_eq!(letters.next(), None, "too long: {text}");
    read
}

fn prefix(letters: &mut dyn Iterator<Item = char>) -> TemporalFormula {
    let letter = letters.next().expect("a formula that goes on");
    let mut next = || Box::new(prefix(letters));
    match letter {
        '0' | '1' => Bool(letter == '1'),
        'a'..='d' => Prop(letter as u32 - 'a' as u32),
        '!' => Not(next()),
        'G' => Always(next()),
        'F' => Eventually(next()),
        'X' => Next(next()),
        '&' => And(next(), next()),
        '|' => Or(next(), next()),
        '>' => Implies(next(), next()),
        '=' => Equiv(next(), next()),
        'U' => Until(next(), next()),
        'W' => WeakUntil(next(), next()),
        'V' => Release(next(), next()),
        other => panic!("no operator {other}"),
    }
}

/// The formula as text for spin, with the propositions `a` to `d`.
pub fn for_spin(formula: &TemporalFormula) -> String {
    let one = |op: &str, a: &TemporalFormula| format!("{op} ({})", for_spin(a));
    let two = |op: &str, a: &TemporalFormula, b: &TemporalFormula| {
        format!("(({}) {op} ({}))", for_spin(a), for_spin(b))
    };
    match formula {
        Bool(b) => b.to_string(),
        Prop(p) => char::from(b'a' + *p as u8).to_string(),
        Not(a) => one("!", a),
        Next(a) => one("X", a),
        Always(a) => one("[]", a),
        Eventually(a) => one("<>", a),
        And(a, b) => two("&&", a, b),
        Or(a, b) => two("||", a, b),
        Implies(a, b) => two("->", a, b),
        Equiv(a, b) => two("<->", a, b),
        Until(a, b) => two("U", a, b),
        Release(a, b) => two("V", a, b),
        WeakUntil(a, b) => format!("([] ({}) || {})", for_spin(a), two("U", a, b)),
    }
}
