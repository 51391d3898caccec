//! Every claim of the models against its truth: the verdict, or the refusal.

use resy_engine::search::{Task, search};
use resy_system::{Claim, ClaimMonitor, Interpreter, Monitors, Options, Outcome, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::naive;
use resy_testkit::systems::system_of;

/// The claim that a key of a truth means: by its name, or the only never claim.
fn claim<'a>(system: &'a System, key: &str) -> Option<&'a Claim> {
    let only = if key == "never" { "never_0" } else { key };
    system.claims.iter().find(|c| c.name == only)
}

/// What differs from the truth, and how many claims were decided and refused.
fn verdicts(fixture: &Fixture) -> Tally {
    let mut tally = Tally::default();
    let system = system_of(fixture);
    let interpreter = Interpreter::new(&system, Options::default());
    let (mut monitors, mut truths) = (Vec::new(), Vec::new());
    for (key, truth) in &fixture.verdicts {
        let Some(claim) = claim(&system, key) else { continue };
        let listed = fixture.refused.iter().any(|(name, _)| name == key);
        match ClaimMonitor::of(claim) {
            Ok(_) if listed => tally.wrong(format!("`{key}` is not refused")),
            Ok(monitor) => {
                monitors.push(monitor);
                truths.push((key, truth == "fails"));
            }
            Err(refusal) if !listed => tally.wrong(refusal.to_string()),
            Err(refusal) => {
                tally.count("refused", 1);
                if !refusal.to_string().contains("is a liveness property") {
                    tally.wrong(refusal.to_string());
                }
            }
        }
    }
    let together = naive::violated(&interpreter, &Monitors::new(monitors.clone()));
    for (number, (key, fails)) in truths.iter().enumerate() {
        let alone = Monitors::new(vec![monitors[number].clone()]);
        // A condition without a value violates its claim, and ends the search.
        let alone = naive::violated(&interpreter, &alone).map_or(true, |found| !found.is_empty());
        let beside = match &together {
            Ok(found) => found.contains(&number),
            Err(failure) if failure.monitor == number => true,
            Err(_) => alone,
        };
        if alone != *fails || beside != *fails {
            tally.wrong(format!("`{key}` should fail: {fails}"));
        }
    }
    tally.count("decided", truths.len());
    tally
}

static VERDICTS: PerModel<Tally> = PerModel::new(verdicts);
resy_testkit::each_model!(
    every_claim_has_the_verdict_of_its_truth,
    crate::claims::has_its_verdicts
);

fn has_its_verdicts(fixture: &Fixture) {
    VERDICTS.assert_right(fixture);
}

#[test]
fn many_claims_are_decided_and_some_are_refused() {
    let total = VERDICTS.total();
    let (n_decided, n_refused) = (total.n("decided"), total.n("refused"));
    assert!(n_decided >= 140 && n_refused >= 20, "{n_decided} decided, {n_refused} refused");
}

/// A search that leaves out what comes after a settled claim has the same verdict on each.
fn settled(fixture: &Fixture) -> Tally {
    let mut tally = Tally::default();
    if fixture.verdicts.is_empty() {
        return tally;
    }
    let system = system_of(fixture);
    for monitor in system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok()) {
        let name = monitor.name.clone();
        let search = |claims_only| {
            let task = Task::new(&system)
                .monitors(Monitors::new(vec![monitor.clone()]))
                .end_states(false)
                .claims_only(claims_only)
                .compiled(false);
            let found = search(&task).expect("there is a first state");
            let is_bad = found.findings.iter().any(|f| matches!(f.outcome, Outcome::Claim(_)));
            (is_bad, found.states)
        };
        let ((all, n_all), (some, n_some)) = (search(false), search(true));
        assert_eq!(all, some, "`{name}`");
        assert!(n_some <= n_all, "`{name}`: {n_some} of {n_all}");
        tally.count("fewer", usize::from(n_some < n_all));
        tally.count("violated", usize::from(all));
    }
    tally
}

static SETTLED: PerModel<Tally> = PerModel::new(settled);
resy_testkit::each_model!(what_is_settled_need_not_be_searched, crate::claims::is_settled);

fn is_settled(fixture: &Fixture) {
    SETTLED.assert_right(fixture);
}

#[test]
fn some_claims_are_settled_early() {
    let total = SETTLED.total();
    let (n_fewer, n_bad) = (total.n("fewer"), total.n("violated"));
    assert!(n_fewer > 10 && n_bad > 10, "{n_fewer} with fewer states, {n_bad} violated");
}

resy_testkit::each_model!(stuttering_is_stepping_for_ever, crate::claims::stutters);

/// To stutter is to see the same state again and again.
fn stutters(fixture: &Fixture) {
    let system = system_of(fixture);
    for monitor in system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok()) {
        let n = monitor.propositions.len().min(6);
        for (first, then) in (0..1 << n).flat_map(|a| (0..1 << n).map(move |b| (a, b))) {
            let set = monitor.step(monitor.initial(), first);
            let mut sets = std::iter::successors(Some(set), |&s| Some(monitor.step(s, then)));
            let goes_bad = sets.by_ref().take(500).any(|s| monitor.is_bad(s));
            let stuttered = monitor.stutter(set, then);
            assert_eq!(monitor.is_bad(stuttered), goes_bad, "`{}`", monitor.name);
        }
    }
}
