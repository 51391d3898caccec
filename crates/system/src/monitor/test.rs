//! The guards of a claim, as functions of a valuation.

use crate::Formula;

/// The guard of an edge.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Else,
    Holds(Formula),
    Assert(Formula),
    DStep { guard: Start, code: Vec<Code> },
}

/// When a `d_step` can start.
#[derive(Clone, Debug)]
pub(super) enum Start {
    Always,
    Else,
    AnyOf(Vec<Test>),
}

/// An instruction of a `d_step`.
#[derive(Clone, Debug)]
pub(super) enum Code {
    Run(Test, usize),
    Choose(Vec<(Option<Test>, usize)>),
    Jump(usize),
    End,
}

/// The result of a guard.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Blocked,
    Passed,
    Wrong,
}

impl Test {
    pub fn answer(&self, valuation: u64, moved: bool) -> Answer {
        let passed = |yes: bool| if yes { Answer::Passed } else { Answer::Blocked };
        match self {
            Self::Else => passed(!moved),
            Self::Holds(condition) => passed(truth(condition, valuation)),
            Self::Assert(condition) if truth(condition, valuation) => Answer::Passed,
            Self::Assert(_) => Answer::Wrong,
            Self::DStep { guard, code } => {
                let starts = match guard {
                    Start::Always => true,
                    Start::Else => !moved,
                    Start::AnyOf(tests) => {
                        tests.iter().any(|t| t.answer(valuation, false) != Answer::Blocked)
                    }
                };
                if starts { run(code, valuation) } else { Answer::Blocked }
            }
        }
    }
}

/// Runs a `d_step` to its end. Blocking inside is an error, as in a process.
fn run(code: &[Code], valuation: u64) -> Answer {
    let mut at = 0;
    // In one state every instruction is deterministic: more steps than instructions are a cycle.
    for _ in 0..=code.len() {
        at = match &code[at] {
            Code::End => return Answer::Passed,
            Code::Jump(next) => *next,
            Code::Run(test, next) => match test.answer(valuation, false) {
                Answer::Passed => *next,
                Answer::Blocked | Answer::Wrong => return Answer::Wrong,
            },
            Code::Choose(options) => {
                let mut moved = false;
                let mut possible = |test: &Option<Test>| {
                    let answer = test.as_ref().map(|t| t.answer(valuation, moved));
                    let yes = answer != Some(Answer::Blocked);
                    moved |= yes;
                    yes
                };
                match options.iter().find(|(test, _)| possible(test)) {
                    Some((_, next)) => *next,
                    None => return Answer::Wrong,
                }
            }
        };
    }
    Answer::Blocked
}

/// The value of a formula without temporal operators.
fn truth(formula: &Formula, valuation: u64) -> bool {
    match formula {
        Formula::Bool(b) => *b,
        Formula::Prop(p) => valuation >> p & 1 == 1,
        Formula::Not(a) => !truth(a, valuation),
        Formula::And(a, b) => truth(a, valuation) && truth(b, valuation),
        Formula::Or(a, b) => truth(a, valuation) || truth(b, valuation),
        _ => unreachable!("conditions of claims are made by `Formula::of_expr`"),
    }
}

/// The propositions of a condition; those above 63 lead to a refusal later.
pub(super) fn mentions(formula: &Formula) -> u64 {
    match formula {
        Formula::Prop(p) => 1u64.checked_shl(*p).unwrap_or(0),
        Formula::Not(a) => mentions(a),
        Formula::And(a, b) | Formula::Or(a, b) => mentions(a) | mentions(b),
        _ => 0,
    }
}
