//! Properties of infinite runs that components prove: what they prove is what the search for cycles finds, and the
//! certificates are accepted, but not damaged ones.

use crate::common::{Setting, subject, verdict};
use resy::{
    CheckReport, Control, Evidence, Fairness, Question, Subject, Truth, Verdict, check, engine,
    read_certificate, read_certificates_within, recheck,
};
use resy_testkit::cyclic::CyclicProgram;
use resy_testkit::systems::seeds;
use std::sync::Arc;
use std::time::Duration;

/// The verdict of components, with a certificate if they prove the property.
fn by_components(subject: &Arc<Subject>, property: &str, method: &'static str) -> CheckReport {
    let question = Question {
        property: Some(property.to_owned()),
        engine: engine::by_name("network").expect("it is there"),
        method: Some(method),
        certificate: true,
        ..Question::default()
    };
    let control = Control::unlimited().with_timeout(Some(Duration::from_secs(2)));
    check(subject.clone(), &question, &control).expect("it is a call")
}

fn certificate(report: &CheckReport) -> Option<&str> {
    match &report.answers.first()?.verdict {
        Verdict::Holds(Evidence::Certificate(text)) => Some(text),
        _ => None,
    }
}

fn is_accepted(written: &str) -> bool {
    let Ok(certificate) = read_certificate(written) else { return false };
    recheck(&certificate, None, &Control::unlimited()).is_ok()
}

/// The formulas of a program, and the same under the premise that `p` changes again and again, so that no run that ends
/// violates them.
fn with_premises(program: &CyclicProgram) -> String {
    let formulas = program.formulas.iter().enumerate();
    let premise = "([]<> p && []<> !p)";
    let more = formulas.map(|(i, formula)| format!("ltl g{i} {{ {premise} -> ({formula}) }}\n"));
    program.with_formulas() + &more.collect::<String>()
}

#[test]
fn what_components_prove_has_no_cycle() {
    let (mut n_proved, mut n_violated) = (0, 0);
    for seed in seeds("RESY_COUNT_SEEDS", 0..36) {
        let program = CyclicProgram::new(seed);
        let text = with_premises(&program);
        let subject = subject(&text);
        let method = ["refinement", "folding", "product"][seed as usize % 3];
        let formulas = (0..program.formulas.len()).flat_map(|i| [format!("f{i}"), format!("g{i}")]);
        for property in formulas.chain(["progress".to_owned()]) {
            let proved = by_components(&subject, &property, method);
            let searched = verdict(&subject, &property, Fairness::None, Setting::Plain).total;
            n_violated += usize::from(searched == Truth::Fails);
            if proved.total == Truth::Fails {
                // Of a safety formula.
                assert_eq!(searched, Truth::Fails, "seed {seed}, {property}, {method}\n{text}");
            }
            if proved.total == Truth::Holds {
                assert_eq!(searched, Truth::Holds, "seed {seed}, {property}, {method}\n{text}");
                let written = certificate(&proved).expect("it was asked for");
                assert!(is_accepted(written), "seed {seed}, {property}, {method}\n{text}");
                n_proved += 1;
            }
        }
    }
    eprintln!("{n_proved} proved, {n_violated} violated");
    assert!(n_proved >= 10 && n_violated >= 30, "{n_proved} {n_violated}");
}

/// The settings of a certificate.
type Settings = Vec<(String, String)>;

/// Two processes hand a token to and fro; only the first one makes progress.
const TO_AND_FRO: &str = "chan a = [1] of { bit };
chan b = [1] of { bit };
active proctype P() { b!1; do :: a?1; progress: b!1 od }
active proctype Q() { do :: b?1; a!1 od }";

#[test]
fn bounds_are_not_believed() {
    let report = by_components(&subject(TO_AND_FRO), "progress", "refinement");
    let written = certificate(&report).expect("it holds");
    assert!(is_accepted(written));
    let read = || read_certificate(written).expect("it was written here");
    let written_with = |change: &dyn Fn(&mut Settings)| {
        let mut certificate = read();
        change(&mut certificate.origin.settings);
        resy_certificate::text::write(&certificate)
    };
    let bound = |settings: &[(String, String)]| settings.iter().position(|s| s.0 == "bound");
    // A process without a bound, a smaller bound, bounds in another order, and no order at all.
    assert!(!is_accepted(&written_with(&|all| drop(all.remove(bound(all).expect("a bound"))))));
    assert!(!is_accepted(&written_with(&|all| {
        let at = bound(all).expect("a bound");
        let words: Vec<&str> = all[at].1.split(' ').collect();
        assert_ne!(words[1], "0", "{words:?}");
        all[at].1 = format!("{} 0 {}", words[0], words[2]);
    })));
    assert!(!is_accepted(&written_with(&|all| {
        let at = bound(all).expect("a bound");
        all.swap(at, at + 1);
    })));
    assert!(!is_accepted(&written_with(&|all| all.retain(|s| s.0 != "order"))));
    // A program that the bounds are not about.
    let mut other = read();
    other.origin.text = TO_AND_FRO.replace("progress: b!1", "progress: b!1 :: a?1; b!1");
    other.origin.hash = resy_certificate::hash(&other.origin.text);
    assert!(!is_accepted(&resy_certificate::text::write(&other)));
}

#[test]
fn one_file_has_the_certificates_of_all_properties() {
    let formula = "bool p; ltl again { ([]<> p && []<> !p) -> []<> (len(a) == 1) }\n";
    let processes = TO_AND_FRO.replace("a!1 od", "assert(empty(a)); a!1 od");
    let text = formula.to_owned() + &processes.replace("progress:", "progress: p = !p;");
    let whole = |text: &str| {
        let question = Question { certificate: true, ..Question::default() };
        check(subject(text), &question, &Control::unlimited()).expect("it is a call")
    };
    let report = whole(&text);
    let truths: Vec<_> =
        report.answers.iter().map(|a| (a.property.name(), a.verdict.truth())).collect();
    assert!(truths.iter().all(|(_, truth)| *truth == Truth::Holds), "{truths:?}");
    let certified = report.certificate.as_ref().expect("asked for").as_ref().expect("they hold");
    assert_eq!(certified.properties, ["assertions", "runtime", "again", "progress"]);
    assert_eq!(report.not_certified(), ["end-states"]);
    assert!(report.notes.iter().any(|note| note.ends_with("does not cover end-states")));
    let read = |text: &str| read_certificates_within(text, &Control::unlimited());
    let certificates = read(&certified.text).expect("it was written here");
    let names: Vec<&str> = certificates.iter().map(|one| &*one.origin.property).collect();
    assert_eq!(names, ["assertions, runtime", "again", "progress"]);
    for one in &certificates {
        assert!(recheck(one, None, &Control::unlimited()).is_ok(), "{}", one.origin.property);
        let changed = recheck(one, Some(&subject(&text)), &Control::unlimited());
        assert_eq!(changed.is_err_and(|why| why.is_undecided()), one.origin.property != names[0]);
    }
    // Certificates of two programs are not one.
    let other = whole(&text.replace("empty(a)", "nfull(a)"));
    let other = other.certificate.expect("asked for").expect("they hold");
    assert!(read(&[&*certified.text, &*other.text].concat()).is_err());
    // What is violated has no certificate, and nothing else has one then.
    assert!(whole(&text.replace("empty(a)", "full(a)")).certificate.is_none());
}

#[test]
fn what_cannot_be_counted_has_a_reason() {
    let reason = |text: &str, property: &str| {
        let report = by_components(&subject(text), property, "refinement");
        assert_eq!(report.total, Truth::Unknown, "{text}");
        let left_out = report.not_checked.iter().map(|left_out| left_out.reason.clone());
        let unknown = report.answers.iter().filter_map(resy::Answer::reason);
        left_out.chain(unknown).collect::<String>()
    };
    let starves = "bool x; active proctype P() { do :: x = !x; progress: skip od }
        active proctype Q() { bool y; do :: y = !y od }";
    assert!(reason(starves, "progress").contains("fairness"));
    let ends = "bool x; ltl f { []<> x } active proctype P() { do :: x = 1; x = 0 od }";
    assert!(reason(ends, "f").contains("a run that ends"));
    let accepts = "bool x; active proctype P() { accept: do :: x = !x od }";
    assert!(reason(accepts, "acceptance").contains("formulas and `progress` only"));
}
