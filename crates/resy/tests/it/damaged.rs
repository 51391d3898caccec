//! Damaged certificates and contracts: no panic, little memory, and no acceptance without reason.

use resy::control::memory;
use resy::{
    Control, Model, NoFiles, NotAccepted, Program, Question, Reading, Sources, SplitMix, Subject,
    check, contract, decode, engine, read_certificate, recheck,
};
use resy_automata::product::{Safety, reaches_error};
use resy_certificate::{Certificate, OriginKind, network, text};
use resy_system::{Interpreter, Options, System, select};
use resy_testkit::damage::damaged;
use resy_testkit::naive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");

fn example(name: &str) -> String {
    std::fs::read_to_string(Path::new(FOLDER).join(name)).expect("an example")
}

fn subject(name: &str) -> Subject {
    let read = Subject::read(name, &example(name), &Reading::default(), &mut NoFiles);
    read.subject.expect("a model")
}

/// The names of the obligations, or the message of the reader, if a certificate is not accepted.
fn verdict(written: &str) -> Result<Certificate, String> {
    let certificate = read_certificate(written)?;
    match recheck(&certificate, None, &Control::unlimited()) {
        Ok(_) => Ok(certificate),
        Err(NotAccepted::Stopped(stop)) => panic!("nothing limits it: {stop}"),
        Err(NotAccepted::Rejected(rejection)) => Err(rejection.to_string()),
        Err(NotAccepted::Changed(_) | NotAccepted::InfiniteRuns) => {
            unreachable!("nothing has changed")
        }
    }
}

/// The text with the hash of the embedded text, as a forger would write it.
fn mended(written: &str) -> Option<String> {
    let mut certificate = text::read(written).ok()?;
    certificate.origin.hash = resy_certificate::hash(&certificate.origin.text);
    Some(text::write(&certificate))
}

/// Whether a search of all states finds no violation of the properties that a system is checked for.
fn is_safe(system: &System) -> bool {
    let selection = select(system, None).expect("no property was named");
    let interpreter = Interpreter::new(system, Options::default());
    naive::is_safe(&interpreter, &selection.monitors, 100_000) == Some(true)
}

/// Runs a case; the damaged text is in the message if it panics.
fn survives<T>(seed: u64, written: &str, case: impl FnOnce() -> T) -> T {
    let result = catch_unwind(AssertUnwindSafe(case));
    result.unwrap_or_else(|_| panic!("seed {seed} panics:\n{written}"))
}

#[test]
fn a_component_is_listed_once() {
    let written = example("lock.cert");
    let start = written.find("\ncomponents 4\n").expect("four components") + 1;
    let rest = &written[start + "components 4\n".len()..];
    let n_states: usize = rest.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    let component: String = rest.split_inclusive('\n').take(n_states + 1).collect();
    let end = rest.find("monitor ").expect("a section");
    let twice = |component: &str, at: usize| {
        let before = &written[..start];
        format!("{before}components 5\n{}{component}{}", &rest[..at], &rest[at..])
    };
    // An exact duplicate, which was accepted at the end of the list, and one with fewer states, which
    // made the checker panic there.
    let lines: Vec<&str> = component.lines().collect();
    let (_, name) = lines[0].split_once(' ').expect("a name");
    let smaller = format!("1 {name}\n{}\n", lines[1]);
    for component in [component.clone(), smaller] {
        for at in [0, end] {
            let Err(why) = verdict(&twice(&component, at)) else { panic!("it is accepted") };
            assert!(why.contains("`names`") && why.contains("listed twice"), "{why}");
        }
    }
}

/// Models of many features: channels of every kind, claims, traces, atomic steps, new processes.
const MODELS: [&str; 20] = [
    "atomic/buffer_handover",
    "atomic/two_blocked",
    "channels/channel_in_message",
    "channels/exclusive_ends",
    "channels/fifo_full",
    "channels/random_receive",
    "channels/rendezvous_matching",
    "channels/sorted_send",
    "data/array_initialisers",
    "mutex/counting_semaphore",
    "mutex/monitor",
    "mutex/peterson_ltl",
    "mutex/readers_writers",
    "processes/last_mover",
    "processes/pid_reuse",
    "processes/provided_turns",
    "processes/remote_variable",
    "properties/never_safety",
    "properties/trace_order",
    "protocols/alternating_bit",
];

fn model(name: &str) -> Arc<Subject> {
    let path = Path::new(FOLDER).join("../../models").join(name).with_extension("pml");
    let text = std::fs::read_to_string(&path).expect("a model");
    let read = Subject::read(name, &text, &Reading::default(), &mut NoFiles);
    Arc::new(read.subject.expect("a model"))
}

/// Processes in FSP.
fn bridge() -> Arc<Subject> {
    let path = Path::new(FOLDER).join("../../models/fsp/bridge.lts");
    let text = std::fs::read_to_string(&path).expect("a model");
    Arc::new(Subject::fsp("bridge.lts", &text, Some("SAFE")).subject.expect("a model"))
}

/// The certificate of a model for all its properties.
fn certificate_of(subject: Arc<Subject>) -> String {
    let engine = engine::by_name("network").expect("an engine");
    let question = Question { engine, certificate: true, ..Question::default() };
    let report = check(subject, &question, &Control::unlimited());
    let certificate = report.ok().and_then(|report| report.certificate);
    certificate.expect("it holds").expect("there is a certificate").text.to_string()
}

/// How many times each text is damaged: so many, or `RESY_CASES`.
fn cases(usual: u64) -> u64 {
    std::env::var("RESY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn damaged_certificates() {
    let before = memory::peak();
    let (mut n_malformed, mut n_rejected, mut n_accepted) = (0, 0, 0);
    let examples = ["lock.cert", "buffer.cert"].map(|name| (name, example(name), cases(3_000)));
    let models = MODELS.map(|name| (name, certificate_of(model(name)), cases(400)));
    let fsp = [("bridge.lts", certificate_of(bridge()), cases(400))];
    for (name, original, n) in examples.into_iter().chain(models).chain(fsp) {
        assert!(verdict(&original).is_ok(), "{name}");
        for seed in 0..n {
            let mut written = decode(damaged(&original, &mut SplitMix(seed)));
            // Every other forger knows about hashes.
            if seed % 2 == 0 {
                written = mended(&written).unwrap_or(written);
            }
            match survives(seed, &written, || (text::read(&written).is_ok(), verdict(&written))) {
                (false, _) => n_malformed += 1,
                (true, Err(_)) => n_rejected += 1,
                (true, Ok(certificate)) => {
                    n_accepted += 1;
                    assert!(is_right(&certificate), "{name}, seed {seed}:\n{written}");
                }
            }
        }
    }
    println!("{n_malformed} malformed, {n_rejected} rejected, {n_accepted} accepted");
    assert!(n_malformed > 1_000 && n_rejected > 1_000, "{n_malformed} {n_rejected}");
    assert!(memory::peak() - before < 1 << 30, "{before} {}", memory::peak());
}

/// Whether what an accepted certificate is about is safe, from the definition.
fn is_right(certificate: &Certificate) -> bool {
    match certificate.origin.kind {
        OriginKind::Network => {
            let network = network::derive(certificate).expect("it was accepted");
            let error = reaches_error(&network, 1_000_000);
            matches!(error, Safety::Safe { .. })
        }
        OriginKind::Fsp => {
            let network = resy_certificate::fsp::derive(certificate).expect("it was accepted");
            matches!(reaches_error(&network, 1_000_000), Safety::Safe { .. })
        }
        OriginKind::Promela => {
            is_safe(&Sources::of(&certificate.origin).system().expect("it was accepted"))
        }
    }
}

#[test]
fn damaged_contracts() {
    let before = memory::peak();
    let original = example("lock.contract");
    let programs = ["lock.pml", "patient.pml", "hasty.pml"].map(|name| (name, subject(name)));
    let (mut n_malformed, mut n_refused, mut n_kept) = (0, 0, 0);
    for seed in 0..cases(5_000) {
        let written = decode(damaged(&original, &mut SplitMix(seed)));
        let Ok(read) = survives(seed, &written, || contract::read(&written)) else {
            n_malformed += 1;
            continue;
        };
        for (name, subject) in &programs {
            let control = Control::unlimited();
            let judged = survives(seed, &written, || contract::verify(subject, &read, &control));
            if !judged.is_ok_and(|judgement| judgement.is_kept()) {
                n_refused += 1;
                continue;
            }
            n_kept += 1;
            let Subject::Program(program) = subject else { unreachable!("a program") };
            let Program { system, .. } = &**program;
            assert!(is_safe(system), "{name} is accepted, seed {seed}:\n{written}");
        }
    }
    for name in MODELS {
        let subject = model(name);
        let question = Question::default();
        let made = Model::new(subject.clone(), &question).expect("a model").without_end_states();
        let control = Control::unlimited();
        let Ok(draft) = contract::draft(&made, &question, name, &control) else { continue };
        for seed in 0..cases(100) {
            let written = decode(damaged(&draft.text, &mut SplitMix(seed)));
            survives(seed, &written, || {
                let read = contract::read(&written);
                read.is_ok_and(|read| contract::verify(&subject, &read, &control).is_ok())
            });
        }
    }
    println!("{n_malformed} malformed, {n_refused} refused, {n_kept} kept");
    assert!(n_malformed > 1_000 && n_refused > 500 && n_kept > 100);
    assert!(memory::peak() - before < 1 << 30, "{before} {}", memory::peak());
}
