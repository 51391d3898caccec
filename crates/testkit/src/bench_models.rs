//! The models of the benchmark, with what pan counts on each: `bench/models.toml`.

use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A model with the macros that fix its size.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Unique in a benchmark.
    pub name: String,
    /// The Promela file.
    pub path: PathBuf,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// `small`, `medium`, `large`, or `extra` for models that are not in the table.
    pub class: String,
    /// What is known about the model.
    pub truth: Option<Truth>,
}

/// The outcome of pan's search without reductions.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    /// `holds` or `fails`.
    pub verdict: String,
    /// States stored.
    pub states: u64,
    /// States stored plus states matched.
    pub transitions: u64,
}

impl Model {
    /// The macros as arguments, the same for spin and resy.
    pub fn define_flags(&self) -> Vec<String> {
        self.defines.iter().map(|define| format!("-D{define}")).collect()
    }
}

/// The folder of the table.
pub fn bench_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench")
}

/// All models of the table.
pub fn bench_models() -> io::Result<Vec<Model>> {
    let text = std::fs::read_to_string(bench_dir().join("models.toml"))?;
    parse(&text, &bench_dir().join("models")).map_err(io::Error::other)
}

fn parse(text: &str, models: &Path) -> Result<Vec<Model>, String> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    let entries = table.get("model").and_then(Value::as_array).into_iter().flatten();
    entries.map(|entry| entry_of(entry, models)).collect()
}

fn entry_of(entry: &Value, models: &Path) -> Result<Model, String> {
    let text = |key: &str| {
        let value = entry.get(key).and_then(Value::as_str);
        value.map(str::to_owned).ok_or_else(|| format!("no text `{key}`: {entry}"))
    };
    let number = |key: &str| {
        let value = entry.get(key).and_then(Value::as_integer);
        let value = value.and_then(|v| u64::try_from(v).ok());
        value.ok_or_else(|| format!("no number `{key}`: {entry}"))
    };
    let defines = entry.get("defines").and_then(Value::as_array).into_iter().flatten();
    Ok(Model {
        name: text("name")?,
        path: models.join(text("file")?),
        defines: defines.filter_map(|d| d.as_str().map(str::to_owned)).collect(),
        class: text("class")?,
        truth: Some(Truth {
            verdict: text("verdict")?,
            states: number("states")?,
            transitions: number("transitions")?,
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"
        [[model]]
        name = "a"
        file = "b.pml"
        defines = ["N=3", "SLOW"]
        class = "small"
        verdict = "holds"
        states = 7
        transitions = 9"#;

    #[test]
    fn an_entry_is_read() -> Result<(), String> {
        let models = parse(ENTRY, Path::new("m"))?;
        assert_eq!(models.len(), 1);
        assert_eq!(models[0].path, Path::new("m/b.pml"));
        assert_eq!(models[0].define_flags(), ["-DN=3", "-DSLOW"]);
        let truth = Truth { verdict: "holds".to_owned(), states: 7, transitions: 9 };
        assert_eq!(models[0].truth, Some(truth));
        Ok(())
    }

    #[test]
    fn an_entry_without_counts_is_refused() {
        let broken = ENTRY.replace("states = 7", "states = -7");
        assert!(parse(&broken, Path::new("m")).is_err());
        assert!(parse("[[model]]\nname = \"a\"", Path::new("m")).is_err());
    }
}
