//! The differences that a change of resy intends, from `bench/same.toml`.

use super::answer::Difference;
use super::question::Question;
use crate::args::TaskFailure;
use std::path::Path;

/// The entries of the file, in order.
pub struct MeantDifferences(Vec<MeantDifference>);

/// One intended difference; an empty list admits everything.
struct MeantDifference {
    reason: String,
    /// Starts or ends of the names of models.
    models: Vec<String>,
    /// Starts of the commands.
    commands: Vec<String>,
    /// Starts of the keys that may differ.
    keys: Vec<String>,
}

impl MeantDifferences {
    /// Rejects entries without a reason or without models.
    pub fn read(path: &Path) -> Result<MeantDifferences, TaskFailure> {
        MeantDifferences::parse(&std::fs::read_to_string(path)?)
            .map_err(|what| TaskFailure::new(format!("{}: {what}", path.display())))
    }

    fn parse(text: &str) -> Result<MeantDifferences, String> {
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        let entries = table.get("meant").and_then(toml::Value::as_array);
        let entries = entries.map_or(&[][..], Vec::as_slice);
        entries.iter().map(MeantDifference::parse).collect::<Result<_, _>>().map(MeantDifferences)
    }

    /// The reason of the first entry that admits all these differences.
    pub fn reason(
        &self,
        file: &str,
        question: &Question,
        differences: &[Difference],
    ) -> Option<&str> {
        let command = question.title();
        let keys: Vec<&str> =
            differences.iter().map(|difference| difference.key.as_str()).collect();
        let entry = self.0.iter().find(|entry| entry.admits(file, &command, &keys))?;
        Some(&entry.reason)
    }
}

impl MeantDifference {
    fn parse(entry: &toml::Value) -> Result<MeantDifference, String> {
        let words = |key: &str| -> Vec<String> {
            let list = entry.get(key).and_then(toml::Value::as_array);
            let list = list.map_or(&[][..], Vec::as_slice).iter();
            list.filter_map(toml::Value::as_str).map(str::to_owned).collect()
        };
        let reason = entry.get("reason").and_then(toml::Value::as_str).unwrap_or_default();
        if reason.is_empty() || words("models").is_empty() {
            return Err(format!("an entry needs a reason and models: {entry}"));
        }
        Ok(MeantDifference {
            reason: reason.to_owned(),
            models: words("models"),
            commands: words("commands"),
            keys: words("keys"),
        })
    }

    fn admits(&self, file: &str, command: &str, keys: &[&str]) -> bool {
        let starts = |list: &[String], text: &str| {
            list.is_empty() || list.iter().any(|start| text.starts_with(start))
        };
        let named = |name: &String| file.starts_with(name) || file.ends_with(name);
        self.models.iter().any(named)
            && starts(&self.commands, command)
            && keys.iter().all(|key| starts(&self.keys, key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_admits_its_keys_only() -> Result<(), String> {
        let text = "[[meant]]\nreason = 'r'\nmodels = ['.net']\nkeys = ['out.stats']\n";
        let meant = MeantDifferences::parse(text)?;
        let entry = &meant.0[0];
        assert!(entry.admits("docs/a.net", "check", &["out.stats.states"]));
        assert!(!entry.admits("docs/a.net", "check", &["out.stats.states", "ending"]));
        assert!(!entry.admits("docs/a.pml", "check", &["out.stats.states"]));
        Ok(())
    }

    #[test]
    fn an_entry_needs_a_reason() {
        assert!(MeantDifferences::parse("[[meant]]\nmodels = ['.net']\n").is_err());
    }
}
