//! Certificates of programs with unbounded data: what is proved is accepted, and what is damaged is rejected where it is damaged.

use resy::{
    AbstractOptions, Control, DataCertificate, DataOptions, NoFiles, NotAcceptedData, Question,
    Reading, Subject, Truth,
};
use resy_certificate::Obligation;
use resy_certificate::unbounded::{CycleReason, write_data};
use resy_symbolic::Term;
use std::sync::Arc;

fn model(name: &str) -> Arc<Subject> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/unbounded");
    let text = std::fs::read_to_string(format!("{root}/{name}.pml")).expect("a model");
    subject(&text)
}

fn subject(text: &str) -> Arc<Subject> {
    let reading = Reading { data: Some(DataOptions::default()), ..Reading::default() };
    let read = Subject::read("model.pml", text, &reading, &mut NoFiles);
    let messages = read.messages(true, false);
    Arc::new(read.subject.unwrap_or_else(|| panic!("{messages}\n{text}")))
}

/// The certificate of a property that holds, read from its text.
fn certificate(subject: &Arc<Subject>, property: &str) -> DataCertificate {
    let question = Question { property: Some(property.to_owned()), ..Question::default() };
    let options = AbstractOptions { certificate: true, ..AbstractOptions::default() };
    let report = resy::abstracted(subject.clone(), &question, &options, &Control::unlimited());
    let report = report.expect("a verdict");
    assert_eq!(report.total, Truth::Holds, "{property}");
    let text = report.certificate().expect("it was asked for").expect("a certificate");
    let read =
        resy::read_data_certificates(&text, &Control::unlimited()).expect("of an abstraction");
    let mut read = read.expect("it can be read");
    let certificate = read.pop().expect("one");
    assert_eq!(write_data(&certificate), text);
    certificate
}

fn judged(
    certificate: &DataCertificate,
    solver: Option<&str>,
) -> Result<usize, Option<Obligation>> {
    match resy::recheck_data(certificate, solver, &Control::unlimited()) {
        Ok(accepted) => Ok(accepted.checked.n_obligations),
        Err(NotAcceptedData::Rejected(rejection)) => Err(Some(rejection.obligation)),
        Err(_) => Err(None),
    }
}

#[track_caller]
fn is_rejected_at(certificate: &DataCertificate, expected: &[Obligation]) {
    match judged(certificate, None) {
        Err(Some(found)) => assert!(expected.contains(&found), "rejected at {found:?}"),
        other => panic!("not rejected: {other:?}"),
    }
}

#[test]
fn what_is_proved_is_accepted_by_derivations_and_by_a_second_solver() {
    for (name, property) in [
        ("bakery", "mutex"),
        ("bakery", "access1"),
        ("countdown", "assertions"),
        ("countdown", "stops"),
        ("abp", "progress"),
        ("further/ticket", "assertions"),
    ] {
        let certificate = certificate(&model(name), property);
        assert!(certificate.derivations.iter().all(Option::is_some), "{name}, {property}");
        let n_obligations = judged(&certificate, None);
        assert!(n_obligations.is_ok(), "{name}, {property}: {n_obligations:?}");
        assert_eq!(judged(&certificate, Some("z3")), n_obligations, "{name}, {property}");
    }
}

const DATA: [Obligation; 3] = [Obligation::DataStart, Obligation::DataStep, Obligation::DataSafe];

#[test]
fn a_valuation_or_a_predicate_that_is_changed_is_noticed() {
    for (name, property) in [("bakery", "mutex"), ("countdown", "assertions")] {
        let sound = certificate(&model(name), property);
        for control in 0..sound.evidence.controls.len() {
            for valuation in 0..sound.evidence.controls[control].len() {
                let mut damaged = sound.clone();
                damaged.evidence.controls[control].remove(valuation);
                is_rejected_at(
                    &damaged,
                    &[&DATA[..], &[Obligation::Names, Obligation::Valuations]].concat(),
                );
                let mut doubled = sound.clone();
                let again = doubled.evidence.controls[control][valuation].clone();
                doubled.evidence.controls[control].push(again);
                is_rejected_at(&doubled, &[Obligation::Valuations]);
            }
        }
        for number in 0..sound.evidence.predicates.len() {
            let mut flipped = sound.clone();
            let root = term(flipped.evidence.predicates[number]);
            flipped.evidence.predicates[number] = flipped.evidence.terms.terms.len();
            flipped.evidence.terms.terms.push(Term::Not(root));
            is_rejected_at(&flipped, &DATA);
        }
    }
}

fn term(position: usize) -> resy_symbolic::TermId {
    resy_index::Id::from_index(position)
}

#[test]
fn a_derivation_that_is_damaged_is_rejected_at_its_obligation() {
    let sound = certificate(&model("bakery"), "mutex");
    for number in 0..sound.derivations.len() {
        let mut dropped = sound.clone();
        dropped.derivations.remove(number);
        is_rejected_at(&dropped, &DATA);
        let mut open = sound.clone();
        open.derivations[number] = None;
        assert_eq!(judged(&open, None), Err(None), "an obligation without a derivation is open");
        let n_steps = sound.derivations[number].as_ref().map_or(0, |d| d.derivation.steps.len());
        for step in 0..n_steps {
            let mut shorter = sound.clone();
            let written = shorter.derivations[number].as_mut().expect("a derivation");
            written.derivation.steps.remove(step);
            // A step that nothing rests on may be missing, and its derivation still shows what it showed.
            if let Err(found) = judged(&shorter, None) {
                assert!(found.is_some_and(|found| DATA.contains(&found)), "{found:?}");
            } else {
                assert!(step + 1 < n_steps, "the last step is missing");
            }
        }
    }
    let mut open = sound.clone();
    open.derivations.iter_mut().for_each(|derivation| *derivation = None);
    assert!(judged(&open, Some("z3")).is_ok(), "the solver does not need derivations");
    let mut longer = sound.clone();
    longer.derivations.push(None);
    is_rejected_at(&longer, &[Obligation::Text]);
}

#[test]
fn another_program_or_property_is_rejected() {
    let sound = certificate(&model("bakery"), "mutex");
    let mut text = sound.clone();
    text.origin.text = text.origin.text.replace("y1 <= y2", "y1 <= y2 + 1");
    is_rejected_at(&text, &[Obligation::Text]);
    text.origin.hash = resy_certificate::hash(&text.origin.text);
    is_rejected_at(&text, &DATA);
    let mut property = sound.clone();
    property.origin.property = "access1".to_owned();
    is_rejected_at(&property, &[Obligation::Cycles, Obligation::Names]);
    let mut symbols = sound;
    symbols.evidence.symbols.swap(0, 1);
    is_rejected_at(&symbols, &[Obligation::Names]);
}

#[test]
fn cycles_are_excluded_for_the_reasons_that_are_given() {
    let sound = certificate(&model("bakery"), "access1");
    let cycles = sound.evidence.cycles.as_ref().expect("it is about infinite runs");
    let with = |change: &dyn Fn(&mut resy_certificate::unbounded::CycleEvidence)| {
        let mut damaged = sound.clone();
        change(damaged.evidence.cycles.as_mut().expect("cycles"));
        damaged
    };
    for state in 0..cycles.steps.len() {
        for step in 0..cycles.steps[state].len() {
            is_rejected_at(
                &with(&|c| _ = c.steps[state].remove(step)),
                &[Obligation::DataStep, Obligation::Cycles],
            );
        }
    }
    for number in 0..cycles.enabled.len() {
        is_rejected_at(&with(&|c| _ = c.enabled.remove(number)), &[Obligation::Cycles]);
    }
    for number in 0..cycles.known.len() {
        let flipped = with(&|c| c.known[number].2 = !c.known[number].2);
        is_rejected_at(&flipped, &[Obligation::Proposition, Obligation::Cycles]);
    }
    for number in 0..cycles.components.len() {
        is_rejected_at(&with(&|c| _ = c.components.remove(number)), &[Obligation::Cycles]);
        let other = with(&|c| c.components[number].reason = CycleReason::NoMark(63));
        is_rejected_at(&other, &[Obligation::Cycles]);
    }
    is_rejected_at(&with(&|c| c.initial.clear()), &[Obligation::DataStart, Obligation::Cycles]);
    // Without the assumption that the statements are treated justly, the same evidence shows nothing.
    let mut unfair = sound.clone();
    unfair.origin.text = unfair.origin.text.replace("/*@ just", "/* just");
    unfair.origin.hash = resy_certificate::hash(&unfair.origin.text);
    is_rejected_at(&unfair, &[Obligation::Cycles]);
}

#[test]
fn rankings_must_fall_and_must_not_rise() {
    let sound = certificate(&model("countdown"), "stops");
    let cycles = sound.evidence.cycles.as_ref().expect("it is about infinite runs");
    assert!(!cycles.falling.is_empty(), "it rests on a ranking");
    for number in 0..cycles.falling.len() {
        let mut damaged = sound.clone();
        damaged.evidence.cycles.as_mut().expect("cycles").falling.remove(number);
        is_rejected_at(&damaged, &[Obligation::Cycles]);
    }
    let mut risen = sound.clone();
    let cycles = risen.evidence.cycles.as_mut().expect("cycles");
    cycles.not_rising.clear();
    is_rejected_at(&risen, &[Obligation::Cycles]);
    // A ranking that does not fall: its opposite.
    let mut other = sound;
    let terms = &mut other.evidence.terms.terms;
    let minus = resy_symbolic::Rational::integer(-1);
    let sum = resy_symbolic::LinearSum {
        summands: vec![(term(other.evidence.ranks[0]), minus)],
        constant: resy_symbolic::Rational::ZERO,
    };
    terms.push(Term::Sum(sum));
    other.evidence.ranks[0] = terms.len() - 1;
    is_rejected_at(&other, &[Obligation::Falls, Obligation::Rises]);
}

/// A never claim that ends is violated by whatever follows.
#[test]
fn a_claim_that_reaches_its_end_is_violated() {
    let text = "int x; /*@ unbounded x */\nbit b;\n\
        active proctype P() { do :: x = x + 1 :: b = 1 - b od }\n\
        never {\nS: do :: x == 2 -> break :: b == 7 -> goto accept_A :: else od; goto end_all;\n\
        accept_A: do :: b == 7 od;\nend_all: skip }\n";
    let question = Question { property: Some("never".to_owned()), ..Question::default() };
    let options = AbstractOptions::default();
    let report = resy::abstracted(subject(text), &question, &options, &Control::unlimited());
    let report = report.expect("a verdict");
    assert_ne!(report.total, Truth::Holds, "x becomes 2");
}
