//! Making a failing program smaller while it still fails.
//!
//! Each candidate is one structural edit away. An edit may leave a name without
//! declaration: then spin refuses the candidate and the predicate says no, which
//! is simpler than keeping track of uses. Edits never make indices, divisors
//! or shift distances free (the tree keeps them apart), so a small program has no
//! undefined behaviour that the large one did not have.

mod edit;

use super::print::print;
use super::tree::{Program, Stmt};
use super::walk::{Visitor, walk};
use edit::Edit;

/// The result of shrinking.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// The smallest program found.
    pub program: Program,
    /// How often the predicate was asked.
    pub tries: usize,
}

/// Repeats edits as long as `still_fails` holds, asking at most `max_tries` times.
pub fn shrink(
    program: &Program,
    max_tries: usize,
    mut still_fails: impl FnMut(&Program) -> bool,
) -> Shrunk {
    let mut best = program.clone();
    let mut length = print(&best).len();
    let (mut number, mut tries, mut failures) = (0, 0, 0);
    while tries < max_tries {
        let Some(candidate) = edited(&best, number) else {
            // One round over all edits without success is the end.
            if failures >= number || number == 0 {
                break;
            }
            (number, failures) = (0, 0);
            continue;
        };
        let new_length = print(&candidate).len();
        if new_length < length && is_tame(&candidate) {
            tries += 1;
            if still_fails(&candidate) {
                (best, length, failures) = (candidate, new_length, 0);
                continue;
            }
        }
        number += 1;
        failures += 1;
    }
    Shrunk { program: best, tries }
}

/// The program after its edit of that number; `None` if it has fewer.
fn edited(program: &Program, number: usize) -> Option<Program> {
    let mut candidate = program.clone();
    let mut edit = Edit::new(number);
    walk(&mut candidate, &mut edit);
    edit.is_done().then_some(candidate)
}

/// spin's verifier is wrong about a `d_step` that starts with a statement that is
/// always executable and has no effect; and spin refuses a model that has nothing
/// to run, which is never the difference that was found.
fn is_tame(program: &Program) -> bool {
    if !program.proctypes.iter().any(|p| p.active > 0 || p.name == "init") {
        return false;
    }
    struct Check(bool);
    impl Visitor for Check {
        fn stmt(&mut self, stmt: &mut Stmt) {
            if let Stmt::DStep(body) = stmt {
                let bad = |s: &Stmt| matches!(s, Stmt::Printf(..) | Stmt::Assert(_) | Stmt::Skip);
                self.0 &= !body.first().is_none_or(bad);
            }
        }
    }
    let mut check = Check(true);
    walk(&mut program.clone(), &mut check);
    check.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;

    /// A predicate about the text alone shows that shrinking gets far.
    #[test]
    fn shrinks_to_little_more_than_the_culprit() {
        let contains = |p: &Program| print(p).contains("assert");
        let programs = (0..60).map(generate).filter(contains).take(10);
        for program in programs {
            let shrunk = shrink(&program, 5000, contains);
            let text = print(&shrunk.program);
            assert!(contains(&shrunk.program));
            assert!(text.lines().count() <= 6, "{text}");
        }
    }

    #[test]
    fn nothing_fails_nothing_changes() {
        let program = generate(3);
        assert_eq!(shrink(&program, 100, |_| false).program, program);
    }
}
