//! Spin gives a program the same verdict with and without a requirement in the place of a module, for
//! random programs and for all models.
//!
//! With 2,000 random programs: 1,880 modules were replaced and had the same verdict (176 of them a
//! violation), 1,180 were refused, 1,339 had no small network, and 12 searches of spin did not finish. On
//! the models: 433 replaced (53 violations), none different.
//!
//! `RESY_STAND_INS=2000` sets the number of random programs, `RESY_STAND_INS_FROM` the first seed.

use crate::common::{
    Outcome, Program, Question, assertions, claims, number, program_of, random_programs, replace,
    trace,
};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::spin::{SpinOptions, SpinOutcome, run_text};

/// Whether spin finds an error; `Err` if it does not finish.
fn verdict(text: &str, question: &Question) -> Result<bool, String> {
    let mut options = SpinOptions::for_small_programs();
    options.spin_flags = Vec::new();
    let mut flags: Vec<String> = ["-n", "-E", "-m100000", "-w17"].map(str::to_owned).into();
    let mut defines: Vec<&str> = vec!["-DNOREDUCE", "-DMEMLIM=40"];
    if question.monitors.is_empty() {
        defines.extend(["-DSAFETY", "-DNOCLAIM"]);
    } else {
        flags.push("-a".to_owned());
    }
    options.pan_flags = flags;
    options.pan_defines = defines.into_iter().map(str::to_owned).collect();
    let mut outcome = run_text(text, &options).map_err(|e| e.to_string())?;
    if let SpinOutcome::NotCompiled(_) = outcome {
        // A variable that is never read becomes a C variable, whose name may clash with a function.
        options.spin_flags.push("-o2".to_owned());
        outcome = run_text(text, &options).map_err(|e| e.to_string())?;
    }
    match outcome {
        // With a claim, this is a different property.
        SpinOutcome::Searched(report)
            if question.name != "assertions"
                && report.messages.iter().any(|m| m.contains("array index")) =>
        {
            Err("not searched to the end".to_owned())
        }
        SpinOutcome::Searched(report) if report.errors > 0 => Ok(true),
        SpinOutcome::Searched(report) if report.counts_are_complete() => Ok(false),
        SpinOutcome::Searched(_) => Err("not searched to the end".to_owned()),
        other => Err(format!("{other:?}")),
    }
}

fn compare(program: &Program, question: &Question, most: usize) -> Tally {
    let mut tally = Tally::default();
    let n_processes = program.system.instances.len();
    let mut original = None;
    for pid in 0..n_processes.min(most) {
        let name = format!("{} {pid}", question.name);
        let text = match replace(program, &[pid], question) {
            Outcome::Replaced(text, module, requirement) => {
                tally.count("smaller", usize::from(requirement < module));
                text
            }
            Outcome::Beyond(_) => continue,
            Outcome::Refused(refusal) => {
                if std::env::var_os("RESY_SHOW").is_some() {
                    eprintln!("{} {name}: {refusal}", program.name);
                }
                tally.count("refused", 1);
                continue;
            }
        };
        let before = original.get_or_insert_with(|| verdict(&question.text(program), question));
        match (before, verdict(&text, question)) {
            (Ok(before), Ok(after)) if *before == after => {
                tally.count("same", 1);
                tally.count("violations", usize::from(after));
            }
            (Ok(before), Ok(after)) => {
                let texts = format!("{}\n-----\n{text}", program.text);
                tally.wrong(format!("{name}: {after}, was {before}\n{texts}"));
            }
            (Ok(_), Err(why)) if !why.contains("not searched") && !why.contains("TimedOut") => {
                tally.wrong(format!("{name}: {why}\n{}\n-----\n{text}", program.text));
            }
            (Err(_), _) | (_, Err(_)) => tally.count("not searched to the end", 1),
        }
    }
    tally
}

/// All questions about a program, with these many of its processes as modules in turn.
fn compare_all(program: &Program, most: usize) -> Tally {
    let mut tally = compare(program, &assertions(), most);
    for question in trace(&program.system).into_iter().chain(claims(&program.system)) {
        tally.add(&question.name, &compare(program, &question, most.min(2)));
    }
    tally
}

/// The first process of each, or with a number of random programs the first three.
static OUTCOMES: PerModel<Tally> = PerModel::new(|fixture| {
    let most = if std::env::var_os("RESY_STAND_INS").is_some() { 3 } else { 1 };
    compare_all(&program_of(fixture), most)
});
resy_testkit::each_model!(models_keep_their_verdicts, crate::verdicts::case);

fn case(fixture: &Fixture) {
    OUTCOMES.assert_right(fixture);
}

/// Silence must not pass for success.
fn assert_enough(total: &Tally, at_least: usize) {
    eprintln!("{total:?}");
    assert!(total.n("same") >= at_least, "only {} were compared", total.n("same"));
    assert!(total.n("refused") < total.n("same"), "{} were refused", total.n("refused"));
}

#[test]
fn enough_models_are_compared() {
    assert_enough(&OUTCOMES.total(), 200);
}

#[test]
fn random_programs_keep_their_verdicts() {
    let (count, from) = (number("RESY_STAND_INS", 60), number("RESY_STAND_INS_FROM", 0));
    let total = Tally::sum(random_programs(from..from + count), |program| compare_all(program, 3));
    total.assert_right();
    assert_enough(&total, count as usize * 2 / 3 + 1);
}
