//! The monitor of a network errs in the product iff the property is violated, on every model.

use crate::common::load;
use resy_automata::network::Reduction;
use resy_automata::product::{Safety, reaches_error};
use resy_network::{Budget, Doubt, Manner, NetworkSpec, WatchedProperty, components};
use resy_system::{ClaimMonitor, Interpreter, Options, System};
use resy_testkit::fixtures::{Fixture, fixtures};

const MOST: usize = 300_000;

/// The verdict of the product on a property.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Holds,
    Fails,
    Unknown(String),
}

fn answer(
    system: &System,
    monitors: Vec<ClaimMonitor>,
    properties: Vec<WatchedProperty>,
) -> Answer {
    let asked = NetworkSpec {
        manner: Manner::default(),
        monitors,
        properties,
        budget: Budget { states: 20_000, labels: 50_000, attempts: 1_000_000 },
    };
    let interpreter = Interpreter::new(system, Options::default());
    let components = match components(&interpreter, &asked, &mut |_| true) {
        Ok((_, components)) => components,
        Err(failure) => return Answer::Unknown(failure.to_string()),
    };
    assert_eq!(components.network.validate(), []);
    let doubt = |of: fn(&&Doubt) -> bool| components.doubts.iter().find(of).map(Doubt::to_string);
    // The reduced network has the same verdict.
    let network = components.network.reduced(Reduction::Branching);
    match reaches_error(&network, MOST) {
        Safety::Safe { .. } => {
            doubt(|d| matches!(d, Doubt::ClaimAtEnd(_))).map_or(Answer::Holds, Answer::Unknown)
        }
        Safety::Trace(_) => {
            doubt(|d| matches!(d, Doubt::Timeout(_))).map_or(Answer::Fails, Answer::Unknown)
        }
        Safety::TooLarge(_) => Answer::Unknown("the product is large".to_owned()),
    }
}

/// The properties that a verdict is about, with the monitors they need. For spin, any runtime error
/// in a step is a failed assertion.
fn property(system: &System, name: &str) -> Option<(Vec<WatchedProperty>, Vec<ClaimMonitor>)> {
    match name {
        "assertions" => {
            Some((vec![WatchedProperty::Assertions, WatchedProperty::Runtime], Vec::new()))
        }
        "trace" => Some((vec![WatchedProperty::Trace], Vec::new())),
        name => {
            let claim = system.claims.iter().find(|claim| claim.name == name)?;
            Some((vec![WatchedProperty::Claim(0)], vec![ClaimMonitor::of(claim).ok()?]))
        }
    }
}

/// Compares the verdicts of a model; returns how many agree.
fn compare(fixture: &Fixture, wrong: &mut Vec<String>, unknown: &mut Vec<String>) -> usize {
    let Some(system) = load(&fixture.path, &fixture.defines) else {
        return 0;
    };
    let mut agree = 0;
    for (name, truth) in &fixture.verdicts {
        let Some((properties, monitors)) = property(&system, name) else {
            continue;
        };
        match (answer(&system, monitors, properties), truth.as_str()) {
            (Answer::Holds, "holds") | (Answer::Fails, "fails") => agree += 1,
            (Answer::Unknown(why), _) => unknown.push(format!("{} {name}: {why}", fixture.name)),
            (answer, truth) => {
                wrong.push(format!("{} {name}: {answer:?}, should be {truth}", fixture.name));
            }
        }
    }
    agree
}

#[test]
fn the_product_with_the_monitor_has_the_verdicts_of_every_model() {
    let (mut agree, mut wrong, mut unknown) = (0, Vec::new(), Vec::new());
    for fixture in fixtures() {
        agree += compare(&fixture, &mut wrong, &mut unknown);
    }
    eprintln!("{agree} agree, {} unknown:\n{}", unknown.len(), unknown.join("\n"));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(agree >= 250, "only {agree} verdicts could be compared");
}
