//! Priority that is applied during the search, against the composite that is compiled with its priority.

use resy::control::Control;
use resy::{Question, Subject, Truth, check, engine};
use resy_fsp::{ComposeOptions, ElaborationLimits};
use resy_testkit::composites::fsp_file;
use std::collections::BTreeMap;
use std::sync::Arc;

const PROPERTIES: &str = "progress A = {a, b.y}\nprogress B = if {b} then {c}\n\
    assert ALWAYS = []<>a\nassert NEVER = (<>[]!c)\n";

/// Larger composites are left out.
const MAX_STATES: usize = 300;

/// The truth of each property of `PRIOR`; properties are errors of the composite, as they are when it is compiled.
fn truths(text: &str, product: usize) -> Option<BTreeMap<String, Truth>> {
    let subject = Subject::fsp("model.lts", text, Some("PRIOR")).subject?;
    let Subject::Fsp(mut model) = subject else { return None };
    let limits = ElaborationLimits { product, ..ElaborationLimits::default() };
    let options = ComposeOptions { composite: Some("PRIOR".to_owned()), limits };
    model.composition = resy_fsp::read(text, &options).0?;
    if model.composition.preference.is_some() != (product == 0) {
        return None;
    }
    let question = Question {
        engine: engine::by_name("monolithic").expect("it is there"),
        all_properties: true,
        exhaustive: true,
        ..Question::default()
    };
    let report = check(Arc::new(Subject::Fsp(model)), &question, &Control::unlimited());
    let report = report.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut truths: BTreeMap<String, Truth> = BTreeMap::new();
    for answer in &report.answers {
        let known = ["deadlock", "A", "B", "ALWAYS", "NEVER"];
        let name = answer.property.name();
        let name = if known.contains(&name) { name } else { "errors" };
        let truth = truths.entry(name.to_owned()).or_insert(Truth::Holds);
        if answer.verdict.truth() != Truth::Holds {
            *truth = answer.verdict.truth();
        }
    }
    Some(truths)
}

#[test]
fn a_search_applies_priority_as_the_compiled_composite_does() {
    let (mut compared, mut decided, mut violated) = (0, 0, 0);
    for seed in 0..150 {
        let rule = ["<< {a}", ">> {a, b}", "<< {c, d}", ">> {b.y}"][seed as usize % 4];
        let text = format!("{}{PROPERTIES}||PRIOR = (TOP) {rule}.\n", fsp_file(seed));
        let Some(compiled) = truths(&text, MAX_STATES) else { continue };
        let Some(searched) = truths(&text, 0) else { continue };
        for (name, truth) in &searched {
            // Formulas with actions that no process has are not decided.
            let is_open = *truth == Truth::Unknown && name.chars().all(char::is_uppercase);
            assert!(is_open || *truth == compiled[name], "seed {seed}, {name}: {truth:?}\n{text}");
            decided += usize::from(!is_open);
        }
        compared += 1;
        violated += usize::from(compiled.values().any(|truth| *truth == Truth::Fails));
    }
    let found = format!("{compared} compared, {decided} decided, {violated} violated");
    assert!(compared > 40 && decided > 160 && violated > 10, "{found}");
    println!("{found}");
}
