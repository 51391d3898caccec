//! `resy recheck`: is a certificate what it says, and does a changed module meet its requirement?

use crate::Exit;
use crate::args::Recheck;
use crate::outputs::shown;
use crate::tell::{self, bad_input};
use crate::{control, load};
use resy::{System, UnreadCertificate};
use resy_export::results::recheck_views;
use serde_json::{Value, json};

/// Runs the command.
pub fn run(recheck: &Recheck) -> Exit {
    answer(recheck).unwrap_or_else(|exit| exit)
}

fn answer(recheck: &Recheck) -> Result<Exit, Exit> {
    let complain = |error: &dyn std::fmt::Display| {
        bad_input(format!("{}: {error}", shown(&recheck.certificate)))
    };
    let control = control::of(&recheck.resources, &recheck.common).map_err(bad_input)?;
    let text = load::read(&recheck.certificate).map_err(|error| complain(&error))?;
    let certificates = resy::read_certificates_within(&text, &control);
    let certificates = certificates.map_err(|why| match why {
        UnreadCertificate::Malformed(error) => complain(&error),
        UnreadCertificate::Stopped(stop) => {
            tell::out_of_reach(format!("{}: {stop} while it was read", shown(&recheck.certificate)))
        }
    })?;
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
    Ok(match (view.is_accepted, is_stopped) {
        (true, _) => Exit::Holds,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Fails,
    })
}
