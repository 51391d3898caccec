//! The monitor of a network errs in the product iff the property is violated, on every model.

use resy_automata::network::Reduction;
use resy_automata::product::{Safety, reaches_error};
use resy_network::{Budget, Doubt, Manner, NetworkSpec, WatchedProperty, components};
use resy_system::{ClaimMonitor, Interpreter, Options, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::systems::system_of;

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

/// Compares the verdicts of a model.
fn compare(fixture: &Fixture) -> Tally {
    let (system, mut tally) = (system_of(fixture), Tally::default());
    for (name, truth) in &fixture.verdicts {
        let Some((properties, monitors)) = property(&system, name) else {
            continue;
        };
        match (answer(&system, monitors, properties), truth.as_str()) {
            (Answer::Holds, "holds") | (Answer::Fails, "fails") => tally.count("agree", 1),
            (Answer::Unknown(why), _) => {
                eprintln!("{name}: {why}");
                tally.count("unknown", 1);
            }
            (answer, truth) => tally.wrong(format!("{name}: {answer:?}, should be {truth}")),
        }
    }
    tally
}

static OUTCOMES: PerModel<Tally> = PerModel::new(compare);
resy_testkit::each_model!(the_product_with_the_monitor_has_the_verdicts, crate::verdicts::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

/// The budgets count states and attempts, so that the numbers are the same everywhere.
#[test]
fn so_many_verdicts_are_known() {
    let total = OUTCOMES.total();
    assert!(total.n("agree") >= 480, "only {} verdicts could be compared", total.n("agree"));
    // Six of them are of models with a claim whose condition may have no value.
    assert_eq!(total.n("unknown"), 18);
}
