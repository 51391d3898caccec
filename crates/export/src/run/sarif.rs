//! Violations and diagnostics as SARIF 2.1.0, the format of code scanning services.

use super::{Act, Event, Run};
use resy_system::SourcePlace;
use serde_json::{Value, json};

/// A violation or a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SarifFinding {
    /// The kind of the property, or the code of the diagnostic.
    pub rule: String,
    /// The severity.
    pub level: Level,
    /// The description.
    pub message: String,
    /// The location.
    pub site: Site,
    /// The run that leads to the violation, step by step.
    pub steps: Vec<(Site, String)>,
    /// Whether the same call finds this run again, if it is known.
    pub is_canonical: Option<bool>,
}

/// The severity of a finding.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// A note.
    Note,
}

impl Level {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A location in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// The kinds of properties and their descriptions, written into the log.
const RULES: [(&str, &str); 10] = [
    ("assertion", "No assertion is violated."),
    ("end-state", "No process gets stuck before its end."),
    ("runtime", "No statement does what has no meaning, such as an index out of range."),
    ("trace", "Sends and receives happen as the trace says."),
    ("never", "No run does what the never claim describes."),
    ("ltl", "Every run satisfies the formula."),
    ("acceptance", "No run comes by accept labels infinitely often."),
    ("progress", "Every infinite run makes progress: by labels, or by actions, infinitely often."),
    ("safety", "No run comes to an error."),
    ("deadlock", "No run stops before its end."),
];

impl Run<'_> {
    /// The run as a finding.
    pub fn finding(&self) -> SarifFinding {
        let why = &self.why;
        let steps = self.events.iter().enumerate();
        let repetition = self.repetition().map(|words| format!("; {words}")).unwrap_or_default();
        SarifFinding {
            rule: why.kind.clone(),
            level: Level::Error,
            message: format!("{}: {}{repetition}", why.property, why.reason),
            site: self.site(self.blame()),
            steps: steps
                .map(|(i, event)| (self.site(event.actor.place), self.told_in_words(i, event)))
                .collect(),
            is_canonical: None,
        }
    }

    fn site(&self, place: SourcePlace) -> Site {
        let file = self.system.files.get(place.file as usize).cloned().unwrap_or_default();
        Site { file, line: place.line, column: place.column }
    }

    fn told_in_words(&self, number: usize, event: &Event) -> String {
        let one = |act: &Act| format!("{}: {}", self.life(act).name, act.statement);
        let mut words = one(&event.actor);
        if let Some(partner) = &event.partner {
            words.push_str(&format!(" -> {}", one(partner)));
        }
        let changes = self.changes(number).into_iter();
        let changes: Vec<String> = changes
            .map(|(name, value)| format!("{name} = {}", super::value_text(&value)))
            .collect();
        if !changes.is_empty() {
            words.push_str(&format!("  ({})", changes.join(", ")));
        }
        words
    }
}

/// A SARIF log with these findings. `complete` is set if every requested property was decided; `notes`
/// are further remarks.
pub fn sarif(
    findings: &[SarifFinding],
    version: &str,
    complete: bool,
    notes: &[(Level, String)],
) -> Value {
    let known = RULES.iter().map(|(id, text)| (*id, *text));
    let mut rules: Vec<(&str, &str)> = known.collect();
    for finding in findings {
        if rules.iter().all(|(id, _)| *id != finding.rule) {
            rules.push((&finding.rule, "The model is read without complaints."));
        }
    }
    let rule =
        |(id, text): &(&str, &str)| json!({ "id": id, "shortDescription": { "text": text } });
    let notification = |(level, text): &(Level, String)| json!({ "level": level.as_str(), "message": { "text": text } });
    let result = |finding: &SarifFinding| result(finding, &rules);
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "resy",
                "version": version,
                "rules": rules.iter().map(rule).collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": complete,
                "toolExecutionNotifications": notes.iter().map(notification).collect::<Vec<_>>(),
            }],
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(finding: &SarifFinding, rules: &[(&str, &str)]) -> Value {
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": rules.iter().position(|(id, _)| *id == finding.rule),
        "level": finding.level.as_str(),
        "message": { "text": finding.message },
        "locations": [location(&finding.site, None)],
    });
    if !finding.steps.is_empty() {
        let step = |(i, (site, words)): (usize, &(Site, String))| json!({ "location": location(site, Some(words)), "executionOrder": i + 1 });
        let steps: Vec<Value> = finding.steps.iter().enumerate().map(step).collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    if let Some(is_canonical) = finding.is_canonical {
        result["properties"] = json!({ "canonical": is_canonical });
    }
    result
}

fn location(site: &Site, words: Option<&str>) -> Value {
    // SARIF counts lines from 1.
    let mut region = json!({ "startLine": site.line.max(1) });
    if site.column > 0 {
        region["startColumn"] = site.column.into();
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(&site.file) }, "region": region },
    });
    if let Some(words) = words {
        location["message"] = json!({ "text": words });
    }
    location
}

/// A file name as a URI. Relative names stay relative; reserved characters are escaped.
fn uri(file: &str) -> String {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.strip_prefix("./").unwrap_or(file).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_uris() {
        assert_eq!(uri("models/a b#1.pml"), "models/a%20b%231.pml");
        assert_eq!(uri("./x.pml"), "x.pml");
        assert_eq!(uri("/tmp/ü:1"), "file:///tmp/%C3%BC%3A1");
    }
}
