//! Every claim of the models against its truth: the verdict, or the refusal.

mod common;

use resy_engine::{Monitor, Monitors};
use resy_system::{Claim, Interpreter, Options, System};
use resy_testkit::fixtures::{Fixture, fixtures};

/// The claim that a key of a truth means: by its name, or the only never claim.
fn claim<'a>(system: &'a System, key: &str) -> Option<&'a Claim> {
    let only = if key == "never" { "never_0" } else { key };
    system.claims.iter().find(|c| c.name == only)
}

/// What differs from the truth, and how many claims were decided and refused.
fn differences(fixture: &Fixture) -> (Vec<String>, usize, usize) {
    let mut out = Vec::new();
    let system = common::load(&fixture.path, &fixture.defines);
    let interpreter = Interpreter::new(&system, Options::default());
    let (mut monitors, mut truths, mut n_refused) = (Vec::new(), Vec::new(), 0);
    for (key, truth) in &fixture.verdicts {
        let Some(claim) = claim(&system, key) else { continue };
        let listed = fixture.refused.iter().any(|(name, _)| name == key);
        match Monitor::of(claim) {
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
    let together = common::violated(&interpreter, &Monitors::new(monitors.clone()));
    let together = together.expect("conditions have values");
    for (number, (key, fails)) in truths.iter().enumerate() {
        let alone = Monitors::new(vec![monitors[number].clone()]);
        let alone = common::violated(&interpreter, &alone).expect("conditions have values");
        if alone.is_empty() == *fails || together.contains(&number) != *fails {
            out.push(format!("`{key}` should fail: {fails}"));
        }
    }
    (out, truths.len(), n_refused)
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
