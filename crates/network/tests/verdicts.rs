//! The monitor of a network errs in the product iff the property is violated, on every model.

mod common;

use common::load;
use resy_automata::product::{Safety, reaches_error};
use resy_network::{Asked, Budget, Failure, Manner, Property, components};
use resy_system::{Expr, Interpreter, Monitor, Options, System};
use resy_testkit::fixtures::{Fixture, fixtures};

const MOST: usize = 300_000;

/// What the product says about a property.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Holds,
    Fails,
    Unknown(String),
}

fn answer(system: &System, monitors: Vec<Monitor>, property: Property) -> Answer {
    let asked = Asked {
        manner: Manner::default(),
        monitors,
        properties: vec![property],
        budget: Budget { states: 20_000, labels: 50_000, attempts: 1_000_000 },
    };
    let interpreter = Interpreter::new(system, Options::default());
    let network = match components(&interpreter, &asked, &mut |_| true) {
        Ok((_, components)) => components.network,
        Err(failure @ Failure::Refused(_)) => return Answer::Unknown(failure.to_string()),
        Err(failure) => return Answer::Unknown(failure.to_string()),
    };
    assert_eq!(network.validate(), []);
    match reaches_error(&network, MOST) {
        Safety::Safe { .. } => Answer::Holds,
        Safety::Trace(_) => Answer::Fails,
        Safety::TooLarge(_) => Answer::Unknown("the product is large".to_owned()),
    }
}

/// The property that a verdict is about, with the monitors it needs.
fn property(system: &System, name: &str) -> Option<(Property, Vec<Monitor>)> {
    match name {
        "assertions" => Some((Property::Assertions, Vec::new())),
        "runtime" => Some((Property::Runtime, Vec::new())),
        "trace" => Some((Property::Trace, Vec::new())),
        name => {
            let claim = system.claims.iter().find(|claim| claim.name == name)?;
            Some((Property::Claim(0), vec![Monitor::of(claim).ok()?]))
        }
    }
}

fn asks_timeout(system: &System) -> bool {
    let mut found = false;
    for edge in system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()) {
        edge.command.walk(&mut |e| found |= matches!(e, Expr::Timeout));
    }
    found
}

/// Compares the verdicts of a model; returns how many agree.
fn compare(fixture: &Fixture, wrong: &mut Vec<String>, unknown: &mut Vec<String>) -> usize {
    let Some(system) = load(&fixture.path, &fixture.defines) else {
        return 0;
    };
    let mut agree = 0;
    for (name, truth) in &fixture.verdicts {
        let Some((property, monitors)) = property(&system, name) else {
            continue;
        };
        match (answer(&system, monitors, property), truth.as_str()) {
            (Answer::Holds, "holds") | (Answer::Fails, "fails") => agree += 1,
            // Whether the system is stuck is not known to a component: both may be.
            (Answer::Fails, "holds") if asks_timeout(&system) => {
                unknown.push(format!("{} {name}: timeout", fixture.name));
            }
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
