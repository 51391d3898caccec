//! Every computation asks whether to go on, and ends soon after a no: counted in questions, not in time.
//!
//! Each computation is carried out once with a control that only counts, and then with one that says no from some
//! question on. A loop that ignores the answer shows in the questions that follow.

use resy::assume::Synthesis;
use resy::{
    AssumeOptions, Control, Equivalence, Files, Model, Question, Reading, Subject, assume, check,
    components, contract, engine, recheck, reduced,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The most questions after a no. Layers of a computation may each ask once more.
const MOST_AFTER: usize = 16;

/// A computation.
type Computation = Box<dyn Fn(&Control)>;

/// The questions of a computation that is told no from this one on; and the longest pause between two.
fn questions(computation: &Computation, refused: usize) -> (usize, Duration) {
    let n_asked = Arc::new(AtomicUsize::new(0));
    let pauses = Arc::new(std::sync::Mutex::new((Instant::now(), Duration::ZERO)));
    let (counter, clock) = (n_asked.clone(), pauses.clone());
    let control = Control::unlimited().with_condition(move || {
        let mut clock = clock.lock().expect("nothing panics");
        *clock = (Instant::now(), clock.1.max(clock.0.elapsed()));
        counter.fetch_add(1, Ordering::Relaxed) + 1 < refused
    });
    computation(&control);
    let (last, longest) = *pauses.lock().expect("nothing panics");
    (n_asked.load(Ordering::Relaxed), longest.max(last.elapsed()))
}

fn family(name: &str, n: usize) -> Arc<Subject> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../bench/families/{name}.pml"));
    let text = std::fs::read_to_string(&file).expect("a model");
    let reading = Reading { defines: vec![format!("N={n}")], ..Reading::default() };
    let read = Subject::read(&file.display().to_string(), &text, &reading, &mut Files::default());
    Arc::new(read.subject.expect("it is well-formed"))
}

fn fsp(name: &str, composite: &str) -> Arc<Subject> {
    let file = resy_testkit::fixtures::models_dir().join(format!("fsp/{name}.lts"));
    let text = std::fs::read_to_string(file).expect("a model");
    let text = text.replace("const N = 3", "const N = 7");
    Arc::new(Subject::fsp("model.lts", &text, Some(composite)).subject.expect("it is well-formed"))
}

fn question(engine: &str) -> Question {
    let engine = engine::by_name(engine).expect("it is there");
    Question { engine, without: vec!["end-states".to_owned()], ..Question::default() }
}

fn checking(subject: &Arc<Subject>, question: Question) -> Computation {
    let subject = subject.clone();
    Box::new(move |control| {
        check(subject.clone(), &question, control).expect("a question that can be asked");
    })
}

fn assuming(subject: &Arc<Subject>, module: &str, method: Synthesis) -> Computation {
    let asked = match **subject {
        Subject::Fsp(_) => {
            Question { property: Some("EXCLUSION".to_owned()), ..Question::default() }
        }
        _ => question("network"),
    };
    let model = Model::new(subject.clone(), &asked).expect("a question");
    let module = vec![module.to_owned()];
    let options = AssumeOptions { module, method, ..AssumeOptions::default() };
    Box::new(move |control| drop(assume(&model, &options, control)))
}

fn computations() -> Vec<(String, Computation)> {
    let lock = family("lock_server", 4);
    let commit = family("two_phase_commit", 3);
    let table = fsp("philosophers", "FREE");
    let exclusion = fsp("semaphore", "RIGHT");
    let mut all: Vec<(String, Computation)> = Vec::new();
    for engine in ["monolithic", "network", "requirement", "learning", "agar"] {
        let asked = Question { module: vec!["Server".to_owned()], ..question(engine) };
        let asked = match engine {
            "monolithic" | "network" => question(engine),
            _ => asked,
        };
        all.push((format!("check by {engine}"), checking(&lock, asked)));
    }
    all.push(("check of a commit".to_owned(), checking(&commit, question("network"))));
    let certified = Question { certificate: true, ..question("network") };
    all.push(("check with a certificate".to_owned(), checking(&lock, certified)));
    let all_of = Question { all_properties: true, without: Vec::new(), ..question("monolithic") };
    all.push(("check of FSP".to_owned(), checking(&table, all_of)));
    for &method in Synthesis::ALL {
        all.push((format!("assume by {method:?}"), assuming(&lock, "Server", method)));
    }
    all.push(("assume of FSP".to_owned(), assuming(&exclusion, "p.1:LOOP", Synthesis::Auto)));
    all.extend(of_contracts(&lock));
    all
}

/// A contract, and what is made of it; components, and a certificate.
fn of_contracts(subject: &Arc<Subject>) -> Vec<(String, Computation)> {
    let asked = question("network");
    let model = Model::new(subject.clone(), &asked).expect("a question");
    let drafted = contract::draft(&model, &asked, "model.pml", &Control::unlimited());
    let drafted = drafted.expect("it holds").contract;
    let (verified, again) = (subject.clone(), asked.clone());
    let (cut, reading) = (subject.clone(), asked.clone());
    let certified = Question { certificate: true, ..question("network") };
    let report = check(subject.clone(), &certified, &Control::unlimited()).expect("it is decided");
    let written = report.certificate.expect("it was asked for").expect("it holds").text;
    let certificate = resy::read_certificate(&written).expect("it was written");
    vec![
        (
            "contract init".to_owned(),
            Box::new(move |c: &Control| drop(contract::draft(&model, &again, "model.pml", c))),
        ),
        (
            "contract verify".to_owned(),
            Box::new(move |c: &Control| drop(contract::verify(&verified, &drafted, c))),
        ),
        ("recheck".to_owned(), Box::new(move |c: &Control| drop(recheck(&certificate, None, c)))),
        (
            "lts".to_owned(),
            Box::new(move |c: &Control| {
                let model = Model::new(cut.clone(), &reading).expect("a question");
                if let Ok((network, _)) = components(model, false, 100_000, c) {
                    drop(reduced(&network, Equivalence::Branching, c));
                }
            }),
        ),
    ]
}

#[test]
fn every_computation_ends_soon_after_a_no() {
    let mut wrong = Vec::new();
    for (name, computation) in computations() {
        let (whole, pause) = questions(&computation, usize::MAX);
        println!("{name}: {whole} questions, longest pause {pause:?}");
        if whole == 0 {
            wrong.push(format!("{name} never asks"));
        }
        for refused in [1, whole / 4, whole / 2, whole - whole / 4].map(|n| n.max(1)) {
            let (asked, _) = questions(&computation, refused);
            if asked > refused + MOST_AFTER {
                wrong.push(format!("{name}: no at {refused} of {whole}, but {asked} questions"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
