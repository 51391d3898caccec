//! The law of visibility: with reductions, claims about what a property sees are violated as without.
//!
//! A claim says that one condition never becomes true while another holds. Over all pairs of conditions these
//! claims observe in which order the visible values change.

use resy_engine::search::{Ample, Task, search};
use resy_index::Id;
use resy_passes::{Visible, merge, reset_dead};
use resy_system::{
    BinaryOp, CellRef, CellType, Claim, ClaimKind, ClaimMonitor, Expr, Formula, Interpreter,
    LocationId, LtlFormula, Monitors, Options, Outcome, ProctypeId, Scope, SourcePlace, System,
};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::naive::explore;
use resy_testkit::systems::{random, system_of};
use std::collections::BTreeSet;

/// Beyond this many states a program is left out.
const LIMIT: usize = 4_000;
/// The number of claims of a program that are checked in one search.
const CLAIMS: usize = 5;

/// Conditions about the first globals, the middle of a proctype, the length of a channel.
fn conditions(system: &System) -> Vec<Expr> {
    let mut values = Vec::new();
    for variable in system.globals.variables.iter().take(2) {
        let load = Expr::Load(CellRef::cell(Scope::Global, variable.offset, variable.cell));
        values.push(match variable.cell {
            CellType::Chan => Expr::Len(Box::new(load)),
            _ => load,
        });
    }
    let equal = |value: &Expr, constant| {
        Expr::Binary(BinaryOp::Eq, Box::new(value.clone()), Box::new(Expr::Const(constant)))
    };
    let mut conditions: Vec<Expr> =
        values.iter().flat_map(|value| [0, 1].map(|constant| equal(value, constant))).collect();
    let proctype = ProctypeId::from_index(0);
    if let Some(declared) = system.proctypes.get(proctype) {
        let middle = LocationId::from_index(declared.edges.len() / 2).index() as i32;
        conditions.push(equal(&Expr::RemoteLocation { proctype, pid: None }, middle));
    }
    conditions
}

/// The claim that `then` never becomes true while `first` holds.
fn claim(first: &Expr, then: &Expr) -> Claim {
    let [p, q] = [0, 1].map(|n| Box::new(Formula::Prop(n)));
    let until = Formula::Until(p.clone(), q);
    let formula =
        Formula::Always(Box::new(Formula::Implies(p, Box::new(Formula::Not(Box::new(until))))));
    let propositions = vec![first.clone(), then.clone()];
    let text = format!("{formula:?}");
    let kind = ClaimKind::Ltl(LtlFormula { text, formula, propositions });
    Claim { name: String::new(), kind, source: SourcePlace::default() }
}

/// Some of the claims about a system; which ones depends on `salt`.
fn monitors(system: &System, salt: usize) -> Monitors {
    let conditions = conditions(system);
    let pairs: Vec<(&Expr, &Expr)> = conditions
        .iter()
        .flat_map(|a| conditions.iter().map(move |b| (a, b)))
        .filter(|(a, b)| a != b)
        .collect();
    let chosen = (0..CLAIMS.min(pairs.len())).map(|i| pairs[(salt + 7 * i) % pairs.len()]);
    let made = chosen.map(|(a, b)| ClaimMonitor::of(&claim(a, b)).expect("the formula is safe"));
    Monitors::new(made.collect())
}

/// The claims that are violated, and those with a condition that has no value.
fn violated(system: &System, monitors: &Monitors, ample: Option<Ample>) -> BTreeSet<String> {
    let task = Task::new(system).monitors(monitors.clone()).ample(ample).compiled(false);
    let found = search(&task).expect("there is a first state");
    let claims = found.findings.iter().filter_map(|f| match &f.outcome {
        Outcome::Claim(number) => Some(format!("{number} fails")),
        Outcome::Condition(number, kind) => Some(format!("{number} has no value: {kind}")),
        _ => None,
    });
    claims.collect()
}

/// Compares a program with its reductions; nothing is counted if it is too large.
fn tally(plain: &System, salt: usize) -> Tally {
    let mut tally = Tally::default();
    let small = explore(&Interpreter::new(plain, Options::default()), LIMIT).is_some();
    let monitors = monitors(plain, salt);
    if !small || monitors.as_slice().is_empty() {
        return tally;
    }
    let expected = violated(plain, &monitors, None);
    tally.count("searched", 1);
    tally.count("violated", usize::from(!expected.is_empty()));
    tally.count("kept", usize::from(expected.len() < monitors.as_slice().len()));
    let visible = Visible::new(monitors.conditions().to_vec());
    let merged = merge(plain, &visible);
    let reset = reset_dead(plain, &visible);
    let both = merge(&reset, &visible);
    for (what, system, reduce) in [
        ("merge", &merged, false),
        ("dead", &reset, false),
        ("ample", plain, true),
        ("all", &both, true),
    ] {
        let ample = reduce.then(|| Ample::of(system, &visible, Options::default())).flatten();
        let ours = violated(system, &monitors, ample);
        if ours != expected {
            tally.wrong(format!("{what}: {ours:?} instead of {expected:?}"));
        }
    }
    tally
}

static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| {
    let salt = fixture.name.bytes().map(usize::from).sum();
    tally(&system_of(fixture), salt)
});
resy_testkit::each_model!(every_change_is_seen, crate::visible::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

fn assert_enough(total: &Tally, at_least: usize) {
    let [n, violated, kept] = ["searched", "violated", "kept"].map(|kind| total.n(kind));
    assert!(n >= at_least, "only {n} programs were searched");
    assert!(violated > n / 4 && kept > n / 4, "{violated} violated, {kept} kept, of {n}");
}

#[test]
fn enough_models_violate_and_keep_claims() {
    assert_enough(&OUTCOMES.total(), 200);
}

#[test]
fn every_change_is_seen_on_random_programs() {
    let programs = random(400..600).enumerate().map(|(salt, (name, s))| (name, (s, salt)));
    let total = Tally::sum(programs, |(system, salt)| tally(system, *salt));
    total.assert_right();
    assert_enough(&total, 100);
}
