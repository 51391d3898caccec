//! `resy recheck`: is a certificate what it says, and does a changed module meet its requirement?

use crate::Exit;
use crate::args::Recheck;
use crate::outputs::shown;
use crate::tell::{self, bad_input};
use crate::{control, load, paint};
use resy::{Control, DataCertificate, System, UnreadCertificate};
use resy_export::results::{RecheckView, data_recheck_view, recheck_views};
use serde_json::{Value, json};

/// Runs the command.
pub fn run(recheck: &Recheck) -> Exit {
    answer(recheck).unwrap_or_else(|exit| exit)
}

fn answer(recheck: &Recheck) -> Result<Exit, Exit> {
    let complain = |error: &dyn std::fmt::Display| {
        bad_input(format!("{}: {error}", shown(&recheck.certificate)))
    };
    paint::choose(recheck.common.color);
    let control = control::of(&recheck.resources, &recheck.common).map_err(bad_input)?;
    let text = load::read(&recheck.certificate, &control, |error| complain(&error))?;
    let unread = |why| match why {
        UnreadCertificate::Malformed(error) => complain(&error),
        UnreadCertificate::Stopped(stop) => load::stopped(&recheck.certificate, stop),
    };
    if let Some(read) = resy::read_data_certificates(&text, &control) {
        return of_data(recheck, read.map_err(unread)?, &control);
    }
    if recheck.solver.is_some() {
        return Err(bad_input(
            "only certificates of `resy abstract` have obligations for a solver",
        ));
    }
    let certificates = resy::read_certificates_within(&text, &control);
    let certificates = certificates.map_err(unread)?;
    let changed = recheck.changed.as_ref();
    let changed =
        changed.map(|file| load::load(file, &recheck.common, None, None, &control)).transpose()?;
    let checked: Vec<_> = certificates
        .into_iter()
        .map(|one| {
            let result = resy::recheck(&one, changed.as_deref(), &control);
            (one, result)
        })
        .collect();
    let mut refusals = checked.iter().filter_map(|(_, result)| result.as_ref().err());
    let is_stopped = refusals.all(resy::NotAccepted::is_undecided);
    let default = System::default();
    let system = changed.as_ref().map(|subject| subject.system().unwrap_or(&default));
    let view = recheck_views(&checked, system);
    Ok(show(recheck, view, is_stopped))
}

/// The same for certificates of abstractions.
fn of_data(
    recheck: &Recheck,
    certificates: Vec<DataCertificate>,
    control: &Control,
) -> Result<Exit, Exit> {
    if recheck.changed.is_some() {
        return Err(bad_input("a certificate of `resy abstract` is about its own program only"));
    }
    let judged = |one: DataCertificate| {
        let result = resy::recheck_data(&one, recheck.solver.as_deref(), control);
        (one, result)
    };
    let checked: Vec<_> = certificates.into_iter().map(judged).collect();
    let mut refusals = checked.iter().filter_map(|(_, result)| result.as_ref().err());
    let is_stopped = refusals.all(resy::NotAcceptedData::is_undecided);
    Ok(show(recheck, data_recheck_view(&checked), is_stopped))
}

fn show(recheck: &Recheck, view: RecheckView, is_stopped: bool) -> Exit {
    if recheck.json {
        let mut object = json!({
            "schema": "resy/1",
            "command": "recheck",
            "file": recheck.certificate.display().to_string(),
            "changed": recheck.changed.as_ref().map(|file| file.display().to_string()),
            "verdict": match (view.is_accepted, is_stopped) {
                (true, _) => "accepted",
                (false, true) => "unknown",
                (false, false) => "rejected",
            },
        });
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), view.json) {
            object.extend(more);
        }
        tell::answer(object);
    } else {
        view.lines.iter().for_each(|line| println!("{line}"));
    }
    match (view.is_accepted, is_stopped) {
        (true, _) => Exit::Holds,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Fails,
    }
}
