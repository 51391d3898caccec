//! `resy contract`: requirements of all processes, proved together, kept beside the model.

use crate::Exit;
use crate::args::{Common, Contract, ContractCommand, ContractInit, ContractVerify};
use crate::assume::tell_left_out;
use crate::outputs::{Outputs, columns, shown};
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::contract::{ContractScope, NoContract, draft, read, verify, verify_defines};
use resy::control::memory;
use resy::{Control, Counterexample, Model, Question, Subject};
use resy_export::results::{Judged, draft_json, draft_text, judged_json, judged_text, scope_json};
use resy_export::run::{run_of, step_names, steps_json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(contract: &Contract) -> Exit {
    let exit = match &contract.command {
        ContractCommand::Init(init) => make(init),
        ContractCommand::Verify(call) => judge(call),
    };
    match exit {
        Ok(exit) | Err(exit) => exit,
    }
}

/// The file of the contract of a model.
fn path(model: &Path, given: Option<&Path>, option: &str) -> Result<PathBuf, Exit> {
    match given {
        Some(path) => Ok(path.to_owned()),
        None if model == Path::new("-") => {
            Err(bad_input(format!("a model from standard input needs {option} FILE")))
        }
        None => Ok(model.with_extension("contract")),
    }
}

/// `resy contract init`.
fn make(init: &ContractInit) -> Result<Exit, Exit> {
    let file = path(&init.file, init.output.as_deref(), "-o")?;
    if file != Path::new("-") && file.exists() && !init.force {
        let why = format!("{} is there already; --force replaces it", shown(&file));
        return Err(bad_input(why));
    }
    if file == Path::new("-") && init.json {
        return Err(bad_input("`--json` and `-o -` both print to standard output"));
    }
    let mut outputs = Outputs::check([Some(&file).filter(|file| **file != Path::new("-"))]);
    let control = control::of(&init.resources, &init.common).map_err(bad_input)?;
    let subject = load::load(&init.file, &init.common, None, None, &control)?;
    if matches!(*subject, Subject::Network(_)) && init.property.is_some() {
        return Err(bad_input("the property of a network is its monitor"));
    }
    let question = Question {
        property: init.property.clone(),
        semantics: init.semantics.options(),
        ..Question::default()
    };
    let model = Model::new(subject, &question).map_err(bad_input)?;
    // A property of infinite runs has a contract of its own.
    let model = match init.property.is_some() {
        true => model.with_infinite_runs(),
        false => model.without_end_states(),
    };
    tell_left_out(&model, init.common.verbose);
    let name = init.file.file_name().unwrap_or_default().to_string_lossy();
    let drafted = draft(&model, &question, &name, &control);
    control.tell(&resy::control::Message::Done);
    let drafted = match drafted {
        Ok(drafted) => drafted,
        Err(NoContract::BadCall(error)) => {
            return Err(bad_input(format!("{}: {error}", shown(&init.file))));
        }
        Err(NoContract::Unknown(why)) => return Ok(unknown(init, &why)),
        Err(NoContract::Fails(counterexample)) => {
            fails(init, &model, &counterexample);
            return Ok(Exit::Fails);
        }
    };
    if file == Path::new("-") {
        print!("{}", drafted.text);
        return Ok(Exit::Holds);
    }
    if init.json {
        let (model, written) = (init.file.display().to_string(), file.display().to_string());
        let seconds = control.elapsed().as_secs_f64();
        tell::answer(draft_json(&drafted, &model, &written, seconds));
    } else {
        print!("{}", draft_text(&drafted));
    }
    print::flush();
    if outputs.write(&file, &drafted.text) && !init.json {
        println!("written to {}", shown(&file));
    }
    Ok(outputs.exit(Exit::Holds))
}

/// There is no contract, for this reason.
fn unknown(init: &ContractInit, why: &str) -> Exit {
    let exit = tell::out_of_reach(why);
    if init.json {
        tell::answer(init_json(init, json!({ "verdict": "unknown", "reason": why })));
    }
    exit
}

/// The property fails: shows the run.
fn fails(init: &ContractInit, model: &Model, counterexample: &Counterexample) {
    if init.json {
        let own = json!({
            "verdict": "fails",
            "property": counterexample.property().name(),
            "counterexample": {
                "steps": steps_json(model, counterexample),
                "canonical": counterexample.is_canonical(),
            },
        });
        tell::answer(init_json(init, own));
        return;
    }
    println!("the property fails, so there is no contract");
    step_names(counterexample).iter().for_each(|step| println!("{step}"));
    if let Some(run) = run_of(model, counterexample) {
        println!("{}: {}", run.why.property, run.why.reason);
        print!("{}", run.table(columns()));
    }
}

fn init_json(init: &ContractInit, own: Value) -> Value {
    let mut object = json!({
        "schema": "resy/1",
        "command": "contract init",
        "file": init.file.display().to_string(),
    });
    extend(&mut object, own);
    object
}

fn extend(object: &mut Value, own: Value) {
    if let (Some(object), Value::Object(own)) = (object.as_object_mut(), own) {
        object.extend(own);
    }
}

/// `resy contract verify`.
fn judge(call: &ContractVerify) -> Result<Exit, Exit> {
    let file = path(&call.file, call.contract.as_deref(), "--contract")?;
    let control: Control = control::of(&call.resources, &call.common).map_err(bad_input)?;
    let written = load::read(&file, &control, |error| {
        let name = shown(&file);
        bad_input(format!("{name}: {error}; `resy contract init` writes a contract"))
    })?;
    let contract =
        read(&written).map_err(|error| bad_input(format!("{}: {error}", shown(&file))))?;
    let define = verify_defines(&contract, &call.common.define);
    let common = Common { define, ..call.common.clone() };
    let subject = load::load(&call.file, &common, None, None, &control)?;
    let scope = ContractScope::of(&subject, &contract, &common.define);
    let result = verify(&subject, &contract, &control);
    control.tell(&resy::control::Message::Done);
    let default = resy::System::default();
    let system = subject.system().unwrap_or(&default);
    if call.json {
        let mut object = json!({
            "schema": "resy/1",
            "command": "contract verify",
            "file": call.file.display().to_string(),
            "contract": file.display().to_string(),
            "property": contract.property,
            "seconds": control.elapsed().as_secs_f64(),
            "peak_bytes": memory::peak(),
        });
        extend(&mut object, scope_json(&scope));
        extend(&mut object, judged_json(&contract, &result, system));
        tell::answer(object);
    } else {
        println!("the contract {}", scope.sentence());
        judged_text(&contract, &result, system).iter().for_each(|line| println!("{line}"));
    }
    Ok(match Judged::of(&result) {
        Judged::Kept => Exit::Holds,
        Judged::Broken => Exit::Fails,
        Judged::Unknown => Exit::Unknown,
    })
}
