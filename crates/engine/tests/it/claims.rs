//! Every claim of the models against its truth: the verdict, or the refusal.

use crate::common::monitored;
use resy_engine::search::{Outcome, Task, search};
use resy_system::{Claim, ClaimMonitor, Interpreter, Monitors, Options, System};
use resy_testkit::fixtures::{Fixture, fixtures};

/// The claim that a key of a truth means: by its name, or the only never claim.
fn claim<'a>(system: &'a System, key: &str) -> Option<&'a Claim> {
    let only = if key == "never" { "never_0" } else { key };
    system.claims.iter().find(|c| c.name == only)
}

/// What differs from the truth, and how many claims were decided and refused.
fn differences(fixture: &Fixture) -> (Vec<String>, usize, usize) {
    let mut out = Vec::new();
    let system = monitored::load(&fixture.path, &fixture.defines);
    let interpreter = Interpreter::new(&system, Options::default());
    let (mut monitors, mut truths, mut n_refused) = (Vec::new(), Vec::new(), 0);
    for (key, truth) in &fixture.verdicts {
        let Some(claim) = claim(&system, key) else { continue };
        let listed = fixture.refused.iter().any(|(name, _)| name == key);
        match ClaimMonitor::of(claim) {
            Ok(_) if listed => out.push(format!("`{key}` is not refused")),
            Ok(monitor) => {
                monitors.push(monitor);
                truths.push((key, truth == "fails"));
            }
            Err(refusal) if !listed => out.push(refusal.to_string()),
            Err(refusal) => {
                n_refused += 1;
                if !refusal.to_string().contains("is a liveness property") {
                    out.push(refusal.to_string());
                }
            }
        }
    }
    let together = monitored::violated(&interpreter, &Monitors::new(monitors.clone()));
    let together = together.expect("conditions have values");
    for (number, (key, fails)) in truths.iter().enumerate() {
        let alone = Monitors::new(vec![monitors[number].clone()]);
        let alone = monitored::violated(&interpreter, &alone).expect("conditions have values");
        if alone.is_empty() == *fails || together.contains(&number) != *fails {
            out.push(format!("`{key}` should fail: {fails}"));
        }
    }
    (out, truths.len(), n_refused)
}

/// A search that leaves out what comes after a settled claim has the same verdict on each.
#[test]
fn what_is_settled_need_not_be_searched() {
    let (mut n_fewer, mut n_bad) = (0, 0);
    for fixture in fixtures().iter().filter(|f| !f.verdicts.is_empty()) {
        let system = monitored::load(&fixture.path, &fixture.defines);
        for monitor in system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok()) {
            let name = monitor.name.clone();
            let search = |claims_only| {
                let task = Task::new(&system)
                    .monitors(Monitors::new(vec![monitor.clone()]))
                    .end_states(false)
                    .claims_only(claims_only)
                    .compiled(false);
                let found = search(&task).expect("there is a first state");
                assert!(found.stopped.is_none(), "{}: {:?}", fixture.name, found.stopped);
                let is_bad = found.findings.iter().any(|f| matches!(f.outcome, Outcome::Claim(_)));
                (is_bad, found.states)
            };
            let ((all, n_all), (some, n_some)) = (search(false), search(true));
            assert_eq!(all, some, "{}: `{name}`", fixture.name);
            assert!(n_some <= n_all, "{}: `{name}`: {n_some} of {n_all}", fixture.name);
            n_fewer += usize::from(n_some < n_all);
            n_bad += usize::from(all);
        }
    }
    assert!(n_fewer > 10 && n_bad > 10, "{n_fewer} with fewer states, {n_bad} violated");
}

/// To stutter is to see the same state again and again.
#[test]
fn stuttering_is_stepping_for_ever() {
    for fixture in
        fixtures().iter().filter(|f| f.name.contains("never/") || f.name.contains("ltl/"))
    {
        let system = monitored::load(&fixture.path, &fixture.defines);
        for monitor in system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok()) {
            let n = monitor.propositions.len().min(6);
            for (first, then) in (0..1 << n).flat_map(|a| (0..1 << n).map(move |b| (a, b))) {
                let set = monitor.step(monitor.initial(), first);
                let mut sets = std::iter::successors(Some(set), |&s| Some(monitor.step(s, then)));
                let goes_bad = sets.by_ref().take(500).any(|s| monitor.is_bad(s));
                let stuttered = monitor.stutter(set, then);
                assert_eq!(
                    monitor.is_bad(stuttered),
                    goes_bad,
                    "{}: `{}`",
                    fixture.name,
                    monitor.name
                );
            }
        }
    }
}

#[test]
fn every_claim_has_the_verdict_of_its_truth() {
    let (mut wrong, mut n_decided, mut n_refused) = (Vec::new(), 0, 0);
    for fixture in fixtures() {
        let (differences, decided, refused) = differences(&fixture);
        wrong.extend(differences.into_iter().map(|d| format!("{}: {d}", fixture.name)));
        n_decided += decided;
        n_refused += refused;
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_decided >= 140 && n_refused >= 20, "{n_decided} decided, {n_refused} refused");
}
