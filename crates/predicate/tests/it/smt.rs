//! A solver that is another program. The tests need z3, as others need spin.

use resy_symbolic::{SmtProcess, Solver, SolverAnswer, SolverObstacle, Sort, TermId, Terms};
use std::path::PathBuf;

fn z3() -> SmtProcess {
    SmtProcess::start("z3").expect("z3 is installed (apt install z3)")
}

/// x, y and three facts about them that cannot all hold: x < y, y < x, x > 0.
fn contradiction(terms: &mut Terms) -> [TermId; 3] {
    let (x, y) = (terms.fresh("x", Sort::Integer), terms.fresh("y", Sort::Integer));
    let zero = terms.number(0);
    [terms.less(x, y), terms.less(y, x), terms.greater(x, zero)]
}

#[test]
fn scopes_cores_and_models() {
    let mut terms = Terms::new();
    let mut solver = z3();
    let [less, greater, positive] = contradiction(&mut terms);
    solver.assert(less);
    let SolverAnswer::Unsatisfiable(found) = solver.check(&mut terms, &[positive, greater]) else {
        panic!("not refuted");
    };
    assert_eq!(found.core, [greater]);
    solver.push();
    solver.assert(greater);
    assert!(matches!(solver.check(&mut terms, &[]), SolverAnswer::Unsatisfiable(_)));
    solver.pop();
    let SolverAnswer::Satisfiable(model) = solver.check(&mut terms, &[positive]) else {
        panic!("no model");
    };
    assert_eq!(terms.holds(less, &model), Some(true));
    assert_eq!(terms.holds(positive, &model), Some(true));
    assert_eq!((solver.n_queries(), solver.n_failures()), (3, 0));
}

#[test]
fn products_and_quantifiers() {
    let mut terms = Terms::new();
    let mut solver = z3();
    let x = terms.fresh("x", Sort::Integer);
    let i = terms.declare("i", Sort::Integer);
    let ti = terms.symbol(i);
    let (square, minus_one) = (terms.multiply(x, x), terms.number(-1));
    let negative = terms.at_most(square, minus_one);
    assert!(matches!(solver.check(&mut terms, &[negative]), SolverAnswer::Unsatisfiable(_)));
    let greater = terms.greater(ti, x);
    let larger = terms.exists(&[i], greater);
    let none = terms.not(larger);
    assert!(matches!(solver.check(&mut terms, &[none]), SolverAnswer::Unsatisfiable(_)));
    assert!(matches!(solver.check(&mut terms, &[larger]), SolverAnswer::Satisfiable(_)));
}

#[test]
fn a_missing_program_is_an_error_before_any_work() {
    assert!(SmtProcess::start("no-such-solver-anywhere").is_err());
    assert!(SmtProcess::start("").is_err());
    assert!(SmtProcess::start("cat").is_err(), "it repeats the question");
}

/// A program that answers the first question properly, and then `words`; and its file.
fn broken(words: &str) -> (SmtProcess, PathBuf) {
    let name = format!("resy-solver-{}-{}.sh", std::process::id(), words.len());
    let path = std::env::temp_dir().join(name);
    let first = "while read line; do case \"$line\" in *check-sat*) echo sat; break;; esac; done";
    std::fs::write(&path, format!("{first}\n{words}\n")).unwrap();
    (SmtProcess::start(&format!("sh {}", path.display())).unwrap(), path)
}

#[test]
fn a_process_that_dies_or_talks_nonsense_is_unknown() {
    let nonsense = "while read line; do echo '(error \"what?\")'; done";
    for words in ["exit 1", nonsense, "read line; echo sat; exit"] {
        let mut terms = Terms::new();
        let (mut solver, path) = broken(words);
        let [less, greater, _] = contradiction(&mut terms);
        solver.assert(less);
        for n_failures in 1..=2 {
            let answer = solver.check(&mut terms, &[greater]);
            let is_unknown = matches!(answer, SolverAnswer::Unknown(SolverObstacle::Process(_)));
            assert!(is_unknown, "{words}: {answer:?}");
            assert_eq!(solver.n_failures(), n_failures);
        }
        std::fs::remove_file(path).unwrap();
    }
}
