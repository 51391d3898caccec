//! Contracts about infinite runs: made by counting, and judged with the monitor that the bounds give.

use crate::common::subject;
use resy::contract::{ContractDraft, NoContract, NotKept, draft, read, verify};
use resy::{Control, Model, Question, Subject};
use std::sync::Arc;

/// A model of `bench/live` with so many processes.
fn model_text(name: &str, n: usize) -> String {
    let path = format!("{}/../../bench/live/{name}.pml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is there");
    format!("#define N {n}\n{text}")
}

fn contract_of(subject: &Arc<Subject>, property: &str) -> Result<ContractDraft, NoContract> {
    let question = Question { property: Some(property.to_owned()), ..Question::default() };
    let model = Model::new(subject.clone(), &question).expect("a property").with_infinite_runs();
    draft(&model, &question, "test.pml", &Control::unlimited())
}

/// The contract of a text, judged for another one; or why it is not kept.
fn judged(written: &str, program: &str) -> Result<bool, String> {
    let contract = read(written)?;
    match verify(&subject(program), &contract, &Control::unlimited()) {
        Ok(judgement) => Ok(judgement.is_kept()),
        Err(NotKept::Refused(why) | NotKept::Unknown(why) | NotKept::NotProved(_, why)) => Err(why),
    }
}

#[test]
fn three_families_have_contracts_about_infinite_runs() {
    for (name, n, property) in [
        ("token_ring", 3, "progress"),
        ("philosophers", 3, "progress"),
        ("buffers", 2, "comes_out"),
    ] {
        let text = model_text(name, n);
        let drafted = contract_of(&subject(&text), property);
        let drafted = drafted.unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert_eq!(drafted.covers, [property]);
        assert_eq!(judged(&drafted.text, &text), Ok(true), "{name}");

        // Each process that moves has a bound, and other bounds are another property.
        let bounds: Vec<&str> =
            drafted.text.lines().filter(|line| line.starts_with("setting bound ")).collect();
        assert!(!bounds.is_empty(), "{name}: {}", drafted.text);
        for bound in bounds {
            let without = drafted.text.replacen(&format!("{bound}\n"), "", 1);
            let why = judged(&without, &text).expect_err("a bound is missing");
            assert!(why.contains("has one bound"), "{name}: {why}");
            let words: Vec<&str> = bound.split(' ').collect();
            if words[3] != "0" {
                let smaller = format!("setting bound {} 0 {}", words[2], words[4]);
                let changed = drafted.text.replacen(bound, &smaller, 1);
                let why = judged(&changed, &text).expect_err("another bound");
                assert!(why.contains("the property is not that of the contract"), "{name}: {why}");
            }
        }
    }
}

/// What a process does anew is not counted, and it might do it for ever.
#[test]
fn a_new_step_is_refused() {
    let text = model_text("token_ring", 3);
    let drafted = contract_of(&subject(&text), "progress").unwrap_or_else(|why| panic!("{why:?}"));
    let changed = |to: &str| {
        let changed = text.replacen("  do\n", &format!("  do\n  {to}\n"), 1);
        assert_ne!(changed, text);
        judged(&drafted.text, &changed)
    };
    let why = changed(":: me == 1 && link[2]?[1] -> link[2]?1").expect_err("a new step");
    assert!(why.contains("is a new step"), "{why}");
    // A step that looks like a known one is one, and breaks the contract.
    assert_eq!(changed(":: me == 1 -> skip"), Ok(false));
}

/// A process that stays among steps of its own.
#[test]
fn a_process_that_goes_round_for_ever_does_not_keep_its_contract() {
    let program = |end: &str| {
        format!(
            "chan c = [1] of {{ bit }};
            active proctype A() {{
                byte i;
                again: do :: i < 3 -> i++ :: i == 3 -> {end} od;
                c!1; i = 0; goto again
            }}
            active proctype B() {{ do :: c?1; progress: skip od }}\n"
        )
    };
    let text = program("break");
    let drafted = contract_of(&subject(&text), "progress");
    let drafted = drafted.unwrap_or_else(|why| panic!("{why:?}"));
    assert_eq!(judged(&drafted.text, &text), Ok(true));
    let changed = judged(&drafted.text, &program("i = 0"));
    assert!(!matches!(changed, Ok(true)), "{changed:?}");
}

#[test]
fn what_needs_fairness_has_no_contract() {
    let program = "byte x, y;
        active proctype A() { do :: x = 1 - x od }
        active proctype B() { do :: y = 1 - y; progress: skip od }\n";
    match contract_of(&subject(program), "progress") {
        Err(NoContract::Unknown(why)) => assert!(why.contains("not proved by counting"), "{why}"),
        other => panic!("{:?}", other.map(|drafted| drafted.text)),
    }
}
