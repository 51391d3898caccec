//! What the command says about a composite, in LTSA's words.

use crate::args::TaskFailure;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Seconds for one call.
const TIME_LIMIT: &str = "60";

/// The answer of `resy check`.
pub(super) struct FspAnswer(Value);

impl FspAnswer {
    /// Asks about a composite, or the default one, with more options.
    pub(super) fn of(
        resy: &Path,
        folder: &Path,
        file: &str,
        composite: Option<&str>,
        options: &[&str],
    ) -> Result<Self, TaskFailure> {
        let mut call = Command::new(resy);
        call.current_dir(folder).args(["check", "-q", "--json", "--timeout", TIME_LIMIT]);
        call.args(options);
        if let Some(composite) = composite {
            call.args(["--composite", composite]);
        }
        let output = call.arg(file).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let answer = serde_json::from_str(&text);
        answer.map(Self).map_err(|error| TaskFailure::new(format!("{file}: {error}: {text}")))
    }

    fn properties(&self) -> impl Iterator<Item = &Value> {
        self.0["properties"].as_array().into_iter().flatten()
    }

    /// LTSA's word for the result of its safety check.
    pub(super) fn verdict(&self) -> &'static str {
        let fails =
            |kind: &str| self.properties().any(|p| p["kind"] == kind && p["verdict"] == "fails");
        match self.0["verdict"].as_str() {
            Some("holds") => "ok",
            Some("error") => "REJECTED",
            _ if fails("deadlock") => "deadlock",
            _ if fails("safety") => "violated",
            _ => "unknown",
        }
    }

    /// States and transitions.
    pub(super) fn sizes(&self) -> (u64, u64) {
        let number = |name: &str| self.0["stats"][name].as_u64().unwrap_or(0);
        (number("states"), number("transitions"))
    }

    /// The verdict on a property, in LTSA's words.
    pub(super) fn on(&self, name: &str) -> &'static str {
        let found = self.properties().find(|property| property["name"] == name);
        match found.and_then(|property| property["verdict"].as_str()) {
            Some("holds") => "holds",
            Some("fails") => "violated",
            Some(_) => "unknown",
            None => "absent",
        }
    }

    /// The names of the progress properties, and whether they hold.
    pub(super) fn progress(&self) -> Vec<(&str, bool)> {
        let progress = self.properties().filter(|property| property["kind"] == "progress");
        progress.filter_map(|p| Some((p["name"].as_str()?, p["verdict"] == "holds"))).collect()
    }

    /// The first message about the text.
    pub(super) fn message(&self) -> &str {
        let first = self.0["diagnostics"].as_array().and_then(|all| {
            all.iter().find(|message| message["level"] == "error").or_else(|| all.first())
        });
        first.and_then(|message| message["message"].as_str()).unwrap_or("no message")
    }
}
