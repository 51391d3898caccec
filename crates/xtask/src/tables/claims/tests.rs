//! Claims computed from constructed numbers, confirmed and not.

use super::super::results::tests::{answer, results};
use super::super::run::CaseAnswer;
use super::super::trace::{TracePoint, Way};
use super::forte::*;
use super::tacas::*;
use super::*;

/// Three rows on which spin takes 1 s, and other modes the given times.
fn measured(times: [(Mode, f64); 3]) -> Results {
    let names = ["Elevator 2", "Elevator 3", "Prodcell 2"];
    let mut results = results(&names);
    for name in names {
        results.add(name, Mode::Spin, 0, answer("holds", 1.0));
        times.iter().for_each(|(mode, time)| results.add(name, *mode, 0, answer("holds", *time)));
    }
    results
}

#[test]
fn speed_is_judged() {
    let fast = measured([(Mode::Requirement, 0.05), (Mode::Check, 0.01), (Mode::Assume, 0.06)]);
    let claim = order_of_magnitude(&fast);
    assert_eq!(claim.ours, "3 of 3 rows, median 20.0×");
    assert_eq!(claim.theirs, "2 of 3 rows, median 10.4×");
    assert_eq!(claim.confirmed, Some(true));
    assert_eq!(fifty_times(&fast).ours, "3 of 3 rows, least 100× (Elevator 2)");
    assert_eq!(cost_of_minimality(&fast).confirmed, Some(true));
    let slow = measured([(Mode::Requirement, 0.2), (Mode::Check, 0.03), (Mode::Assume, 0.6)]);
    assert_eq!(order_of_magnitude(&slow).confirmed, Some(false));
    assert_eq!(fifty_times(&slow).confirmed, Some(false));
    let minimal = cost_of_minimality(&slow);
    assert_eq!(
        (minimal.confirmed, minimal.ours.as_str()),
        (Some(false), "median 3.00×, most 3.00× (Prodcell 2)")
    );
}

#[test]
fn sizes_are_judged() {
    let mut results = results(&["SW 3/2/B", "SW 2/1/A"]);
    let sized = |requirement| CaseAnswer { requirement: Some(requirement), ..answer("holds", 0.1) };
    results.add("SW 3/2/B", Mode::Assume, 0, sized(30));
    results.add("SW 2/1/A", Mode::Assume, 0, sized(4));
    let claim = much_smaller(&results);
    assert_eq!(claim.ours, "2 of 2 rows, median 17.0 %, most 30.0 % (SW 3/2/B)");
    assert_eq!(claim.theirs, "1 of 2 rows, median 43.9 %, most 81.6 % (SW 3/2/B)");
    assert_eq!(claim.confirmed, Some(true));
    assert_eq!(fits_on_a_page(&results).ours, "1 of 2 rows, most 30 (SW 3/2/B)");
    results.runs[0].answer.requirement = Some(100);
    assert_eq!(much_smaller(&results).confirmed, Some(false));
    assert_eq!(never_larger(&results).confirmed, Some(false));
    assert_eq!(never_larger(&results).ours, "1 of 2 splits, most 100 % (SW 3/2/B)");
}

#[test]
fn an_early_drop_is_seen() {
    let mut results = results(&["SW 2/1/A"]);
    results.add("SW 2/1/A", Mode::Assume, 0, answer("holds", 0.1));
    let point = |step, requirement| TracePoint { step, classes: step + 1.0, requirement };
    let early = vec![point(0.0, 98.0), point(4.0, 20.0), point(40.0, 4.0)];
    let key = ("SW 2/1/A".to_owned(), Way::Alternating);
    results.traces.insert(key.clone(), early);
    let claim = early_drop(&results);
    assert_eq!(claim.ours, "1 of 1 rows, median 10.0 %; forward first: 0 of 0 rows, median –");
    assert_eq!(claim.confirmed, Some(true));
    let late = vec![point(0.0, 98.0), point(39.0, 97.0), point(40.0, 4.0)];
    results.traces.insert(key, late);
    assert_eq!(early_drop(&results).confirmed, Some(false));
}

#[test]
fn spin_with_a_requirement_is_judged() {
    let mut results = results(&["Elevator 2", "Elevator 3"]);
    let with = CaseAnswer {
        states: Some(10),
        spin: Some([0.0, 1.0, 0.0]),
        alone_states: Some(1000),
        alone: Some([0.0, 1.0, 1.0]),
        ..answer("holds", 3.0)
    };
    results.add("Elevator 2", Mode::Reduced, 0, with.clone());
    results.add("Elevator 3", Mode::Reduced, 0, CaseAnswer { kept: "no".to_owned(), ..with });
    let claim = spin_is_faster(&results);
    assert_eq!(claim.ours, "1 of 1 rows, median 2.00×; states: fewer in 1 of 1 rows, median 100×");
    assert_eq!((claim.confirmed, same_verdict(&results).confirmed), (Some(true), Some(true)));
    results.runs[0].answer.outcome = "fails".to_owned();
    assert_eq!(same_verdict(&results).confirmed, Some(false));
    assert_eq!(same_verdict(&results).ours, "1 of 2 runs");
}

#[test]
fn the_algorithm_papers_instance_is_judged() {
    let mut results =
        results(&["SW algorithm/A", "SW algorithm/B", "SW algorithm/C", "SW algorithm/D"]);
    for (row, size, steps) in [("A", 2, 60), ("B", 1, 5), ("C", 3, 50), ("D", 1, 4)] {
        let (requirement, refinements) = (Some(size), Some(steps));
        let answer = CaseAnswer { requirement, refinements, ..answer("holds", 0.1) };
        results.add(&format!("SW algorithm/{row}"), Mode::Assume, 0, answer);
    }
    let claim = local_properties(&results);
    assert_eq!(
        (claim.ours.as_str(), claim.confirmed),
        ("2 (60), 1 (5), 3 (50), 1 (4)", Some(true))
    );
    assert_eq!(
        (steps(&results).confirmed, steps(&results).ours.as_str()),
        (Some(false), "3 of 4 rows, most 120 % (SW algorithm/A)")
    );
    results.runs[3].answer.refinements = Some(55);
    assert_eq!(local_properties(&results).confirmed, Some(false));
}

#[test]
fn without_numbers_nothing_is_confirmed() {
    let results = results(&["Elevator 2"]);
    let claims = all(&results);
    assert!(claims.iter().all(|claim| claim.confirmed.is_none()), "{claims:?}");
    assert_eq!(super::claims(&results).matches("**").count(), 0);
}
