//! The arguments of the tasks: `--name value`, flags, and positional words.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Options that take no value.
const FLAGS: &[&str] = &["spin-only", "quick", "all"];
/// Options that take a value.
const OPTIONS: &[&str] = &[
    "resy", "timeout", "csv", "seed", "count", "out", "cache", "shrink", "jobs", "only", "class",
    "ask", "runs", "limit", "extra", "from", "threads", "hosts", "seconds", "keep", "models",
    "ltsa", "cases", "solver",
];

/// A task that could not be completed, as opposed to a comparison that failed.
#[derive(Debug)]
pub struct TaskFailure(String);

impl TaskFailure {
    /// A failure with this message.
    pub fn new(text: impl Into<String>) -> TaskFailure {
        TaskFailure(text.into())
    }
}

impl fmt::Display for TaskFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for TaskFailure {
    fn from(error: std::io::Error) -> TaskFailure {
        TaskFailure(error.to_string())
    }
}

/// The arguments after the name of the task.
#[derive(Debug, Default)]
pub struct TaskArgs {
    positional: Vec<String>,
    options: BTreeMap<String, String>,
}

impl TaskArgs {
    /// Rejects unknown options.
    pub fn parse(words: Vec<String>) -> Result<TaskArgs, TaskFailure> {
        let mut args = TaskArgs::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let long = if word == "-o" { "--out" } else { &word };
            let Some(name) = long.strip_prefix("--") else {
                args.positional.push(word);
                continue;
            };
            let value = if FLAGS.contains(&name) {
                String::new()
            } else if OPTIONS.contains(&name) {
                words.next().ok_or_else(|| TaskFailure(format!("--{name} needs a value")))?
            } else {
                return Err(TaskFailure(format!("unknown option --{name}")));
            };
            args.options.insert(name.to_owned(), value);
        }
        Ok(args)
    }

    /// The positional words.
    pub fn positional(&self) -> &[String] {
        &self.positional
    }

    /// Whether a flag was given.
    pub fn flag(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    /// The number given for an option, or the default.
    pub fn number<T: FromStr>(&self, name: &str, default: T) -> Result<T, TaskFailure> {
        let Some(text) = self.options.get(name) else {
            return Ok(default);
        };
        text.parse().map_err(|_| TaskFailure(format!("--{name}: not a number: {text}")))
    }

    /// The path given for an option.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.options.get(name).map(PathBuf::from)
    }

    /// The comma-separated words of an option; empty if it was not given.
    pub fn list(&self, name: &str) -> Vec<String> {
        let text = self.options.get(name).map_or("", String::as_str);
        text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// The path of the resy binary.
    pub fn resy(&self) -> PathBuf {
        self.path("resy").unwrap_or_else(|| PathBuf::from("target/release/resy"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<TaskArgs, TaskFailure> {
        TaskArgs::parse(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn options_flags_and_words() -> Result<(), TaskFailure> {
        let args = parse("models --seed 7 --spin-only more")?;
        assert_eq!(args.positional(), ["models", "more"]);
        assert_eq!(args.number("seed", 0)?, 7);
        assert_eq!(args.number("count", 500)?, 500);
        assert!(args.flag("spin-only"));
        assert_eq!(parse("-o there")?.path("out"), Some(PathBuf::from("there")));
        assert_eq!(parse("--only a,b")?.list("only"), ["a", "b"]);
        assert!(args.list("only").is_empty());
        Ok(())
    }

    #[test]
    fn mistakes_are_refused() {
        assert!(parse("--sed 7").is_err());
        assert!(parse("--seed").is_err());
        assert!(parse("--seed x").is_ok_and(|a| a.number("seed", 0).is_err()));
    }
}
