//! resy in another program: a model from a string is checked, its counterexample printed, and the requirement of
//! one of its processes is synthesised and drawn.

use resy::{AssumeOptions, Control, Model, Question, Subject, Verdict, assume, check};
use std::sync::Arc;

const MODEL: &str = "
    bool busy; byte inside;
    active [2] proctype User() { !busy; busy = true; inside++; assert(inside == 1); inside--; busy = false }
";
const LOCK: &str = "
    chan ask = [0] of { bit }; byte inside;
    active proctype Server() { do :: ask?1; ask?0 od }
    active [2] proctype User() { ask!1; inside++; assert(inside == 1); inside--; ask!0 }
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let subject =
        |name, text| Subject::promela(name, text).subject.map(Arc::new).ok_or("not a model");
    let question = Question::default();

    let report = check(subject("race.pml", MODEL)?, &question, &Control::unlimited())?;
    for answer in &report.answers {
        println!("{}: {}", answer.property.name(), answer.verdict.truth().as_str());
        if let Verdict::Fails(run) = &answer.verdict {
            let run = resy_export::run::run_of(&report.model, run).ok_or("a run of a program")?;
            print!("{}", run.table(100));
        }
    }

    let model = Model::new(subject("lock.pml", LOCK)?, &question)?.without_end_states();
    let options = AssumeOptions { module: vec!["Server".to_owned()], ..AssumeOptions::default() };
    let assumed = assume(&model, &options, &Control::unlimited())?;
    let drawing = resy_export::requirement::Described::of(&assumed.named()).to_svg()?;
    println!("the requirement has {} states", assumed.requirement.lts().n_states());
    std::fs::write(std::env::temp_dir().join("requirement.svg"), drawing)?;
    Ok(())
}
