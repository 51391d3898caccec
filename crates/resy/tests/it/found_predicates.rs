//! What the sources of predicates offer: conditions over the program's variables, which prove again what they proved, and
//! are not decided by the assumptions.

use crate::unbounded::{n_cases, program};
use resy::{
    AbstractAnswer, AbstractOptions, Control, DataOptions, Fairness, NoFiles, Question, Reading,
    ShownPredicate, SplitMix, Subject, Truth,
};
use resy_testkit::fixtures::models_dir;
use std::collections::BTreeSet;
use std::sync::Arc;

fn read(text: &str, predicates: Option<String>) -> Arc<Subject> {
    let predicates = predicates.map(|text| ("found".to_owned(), text));
    let data = Some(DataOptions { predicates, ..DataOptions::default() });
    let reading = Reading { data, ..Reading::default() };
    let read = Subject::read("model.pml", text, &reading, &mut NoFiles);
    let messages = read.messages(true, false);
    Arc::new(read.subject.unwrap_or_else(|| panic!("{messages}\n{text}")))
}

fn answer(
    subject: &Arc<Subject>,
    property: &str,
    most_refinements: Option<usize>,
) -> (Truth, AbstractAnswer) {
    let property = Some(property.to_owned());
    let question = Question { property, fairness: Fairness::None, ..Question::default() };
    let options = AbstractOptions { most_refinements, ..AbstractOptions::default() };
    let report = resy::abstracted(subject.clone(), &question, &options, &Control::unlimited());
    let report = report.expect("a verdict");
    (report.total, report.answers.into_iter().next().expect("one answer"))
}

fn model(name: &str) -> String {
    let file = models_dir().join("unbounded").join(format!("{name}.pml"));
    std::fs::read_to_string(file).expect("the model can be read")
}

/// Gives what was found to the same question again: it must be read, and be enough.
fn are_enough(text: &str, property: &str, found: &[ShownPredicate]) {
    let lines: Vec<&str> = found.iter().map(|predicate| predicate.text.as_str()).collect();
    let lines = lines.join("\n");
    let bare = text.lines().filter(|line| !line.starts_with("/*@ predicate"));
    let bare: Vec<&str> = bare.collect();
    let again = read(&bare.join("\n"), Some(lines.clone()));
    let (truth, again) = answer(&again, property, Some(0));
    assert_eq!(truth, Truth::Holds, "{property}\n{text}\n{lines}");
    assert!(again.predicates.iter().all(|p| p.source == "given"), "{lines}");
}

#[test]
fn predicates_of_every_source_can_be_given_and_prove_the_same() {
    let mut sources = BTreeSet::new();
    for (name, property) in [
        ("bakery", "mutex"),
        ("brp", "prefix"),
        ("further/transfer", "assertions"),
        ("everyday/division", "assertions"),
        ("everyday/division", "stops"),
        ("users/elevator", "within"),
        ("users/semaphore", "limit"),
        ("users/gcd", "ends"),
    ] {
        let text = model(name);
        let (truth, found) = answer(&read(&text, None), property, None);
        assert_eq!(truth, Truth::Holds, "{name} {property}");
        sources.extend(found.predicates.iter().map(|predicate| predicate.source));
        are_enough(&text, property, &found.predicates);
    }
    for source in ["precondition", "invariant", "assertion", "ranking"] {
        assert!(sources.contains(source), "{source} is not in {sources:?}");
    }
}

#[test]
fn predicates_of_random_programs_can_be_given_and_prove_the_same() {
    let mut n_found = 0;
    for seed in 0..n_cases(20) {
        let text = program(&mut SplitMix(3_000 + seed));
        let (truth, found) = answer(&read(&text, None), "safe", Some(12));
        if truth == Truth::Holds {
            n_found += found.predicates.iter().filter(|p| p.source != "given").count();
            are_enough(&text, "safe", &found.predicates);
        }
    }
    assert!(n_found > 2, "{n_found} predicates");
}

/// The semaphore is taken first when `sem` is `K`: that `K <= 0` is impossible there is assumed, and as a predicate it would
/// say nothing.
#[test]
fn what_the_assumptions_decide_is_no_predicate() {
    let data = "int N, K, idle, waiting, inside, sem;\n/*@ parameter N >= 1 && K >= 1; ";
    let others = "idle, waiting, inside, sem */\n";
    let text = model("users/semaphore");
    assert!(text.contains(&format!("{data}unbounded {others}")), "{text}");
    let (_, found) = answer(&read(&text, None), "limit", Some(4));
    assert!(!found.predicates.is_empty());
    for ShownPredicate { text, .. } in found.predicates {
        for claim in [format!("({text})"), format!("!({text})")] {
            let process = "active proctype P() { skip }";
            let anything = format!("{data}parameter {others}{process}\nltl c {{ [] {claim} }}\n");
            let (truth, _) = answer(&read(&anything, None), "c", None);
            assert_ne!(truth, Truth::Holds, "{claim} is assumed");
        }
    }
}
