//! A shortened run is a run and has the same violation.

use resy_engine::search::{Replay, shorten};
use resy_system::{Control, Interpreter, Options, Step, System, Violation};
use resy_testkit::each::PerModel;
use resy_testkit::fixtures::Fixture;
use resy_testkit::systems::{random, system_of};

/// A walk is abandoned after this many steps.
const STEPS: usize = 400;

/// The position of the first violation in a run.
fn first_violation(run: &[Replay]) -> Option<(usize, &Violation)> {
    let at = run.iter().position(|replay| !replay.step.violations.is_empty())?;
    Some((at + 1, &run[at].step.violations[0]))
}

/// A random walk up to the first violation.
fn walk(interpreter: &Interpreter<'_>, seed: u64) -> Option<Vec<Replay>> {
    let mut state = interpreter.initial().ok()?;
    let (mut control, mut run, mut number) = (Control::Free, Vec::new(), seed);
    while run.len() < STEPS {
        let mut steps = interpreter.steps(&state, control).steps;
        if steps.is_empty() {
            steps = interpreter.steps(&state, Control::Free).steps;
        }
        if steps.is_empty() {
            return None;
        }
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let step = steps.swap_remove((number >> 33) as usize % steps.len());
        let (next, is_violated) = (step.next.clone(), !step.violations.is_empty());
        run.push(Replay { before: state, step });
        if is_violated {
            return Some(run);
        }
        (state, control) = next?;
    }
    None
}

/// Whether every step is possible where it is taken. `execute` does not check it: it assumes that the mover
/// may move, even inside an `atomic` of another process.
fn is_run(interpreter: &Interpreter<'_>, run: &[Replay]) -> bool {
    let Ok(mut state) = interpreter.initial() else { return false };
    let mut control = Control::Free;
    run.iter().all(|replay| {
        let mut steps = interpreter.steps(&state, control).steps;
        if steps.is_empty() {
            steps = interpreter.steps(&state, Control::Free).steps;
        }
        let Replay { before, step } = replay;
        let is_it = |s: &&Step| s.actor == step.actor && s.partner == step.partner;
        let is_possible = *before == state && steps.iter().any(|s| is_it(&s));
        if let Some((after, next)) = &step.next {
            (state, control) = (after.clone(), *next);
        }
        is_possible
    })
}

fn lengths(system: &System, seed: u64) -> Option<(usize, usize)> {
    let interpreter = Interpreter::new(system, Options::default());
    let run = walk(&interpreter, seed)?;
    let n_before = run.len();
    let wanted = first_violation(&run)?.1.clone();
    let violates = |run: &[Replay]| {
        let (at, violation) = first_violation(run)?;
        let kind = |v: &Violation| std::mem::discriminant(&v.kind);
        (violation.source == wanted.source && kind(violation) == kind(&wanted)).then_some(at)
    };
    let short = shorten(&interpreter, run, &violates, &mut |_| true);
    assert_eq!(violates(&short), Some(short.len()), "it violates the same, in its last step");
    assert!(short.len() <= n_before);
    assert!(is_run(&interpreter, &short), "it is a run");
    let n_short = short.len();
    let twice = shorten(&interpreter, short, &violates, &mut |_| true);
    assert_eq!(twice.len(), n_short, "nothing more can be left out");
    Some((n_before, n_short))
}

static OUTCOMES: PerModel<Vec<(usize, usize)>> = PerModel::new(|fixture| {
    let system = system_of(fixture);
    (0..20).filter_map(|seed| lengths(&system, seed)).collect()
});
resy_testkit::each_model!(violates_the_same_and_no_step_can_be_left_out, crate::shorten::case);

/// Examining a model asserts the laws.
fn case(fixture: &Fixture) {
    OUTCOMES.of(fixture);
}

#[test]
fn enough_runs_become_shorter() {
    let models = OUTCOMES.all().flat_map(|(_, runs)| runs.clone());
    let programs = random(0..300).filter_map(|(_, system)| lengths(&system, 1));
    let runs: Vec<(usize, usize)> = models.chain(programs).collect();
    let (before, after): (usize, usize) =
        runs.iter().fold((0, 0), |(b, a), (before, after)| (b + before, a + after));
    assert!(runs.len() > 50, "only {} runs", runs.len());
    assert!(after * 3 < before * 2, "{before} steps became {after}");
}
