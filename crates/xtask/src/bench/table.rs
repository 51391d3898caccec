//! Which models are measured: those of `bench/models.toml`, and those of a folder.

use crate::args::{Args, Failure};
use crate::models;
use crate::tidy::workspace_root;
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

/// The models of the table that the options select, and the extra ones.
pub fn select(args: &Args) -> Result<Vec<Model>, Failure> {
    let mut models = read(&workspace_root().join("bench"))?;
    if let Some(folder) = args.path("extra") {
        models.extend(extra(&folder)?);
    }
    let names = args.list("only");
    let classes = args.list("class");
    if let Some(name) = names.iter().find(|name| models.iter().all(|m| &m.name != *name)) {
        return Err(Failure::new(format!("--only: no model is called {name}")));
    }
    models.retain(|m| names.is_empty() || names.contains(&m.name));
    models.retain(|m| classes.is_empty() || classes.contains(&m.class));
    Ok(models)
}

/// The table in this folder.
pub fn read(folder: &Path) -> Result<Vec<Model>, Failure> {
    let file = folder.join("models.toml");
    let text = std::fs::read_to_string(&file)
        .map_err(|e| Failure::new(format!("{}: {e}", file.display())))?;
    parse(&text, &folder.join("models"))
}

fn parse(text: &str, models: &Path) -> Result<Vec<Model>, Failure> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| Failure::new(e.to_string()))?;
    let entries = table.get("model").and_then(Value::as_array).into_iter().flatten();
    entries.map(|entry| entry_of(entry, models)).collect()
}

fn entry_of(entry: &Value, models: &Path) -> Result<Model, Failure> {
    let text = |key: &str| {
        let value = entry.get(key).and_then(Value::as_str);
        value.map(str::to_owned).ok_or_else(|| Failure::new(format!("no text `{key}`: {entry}")))
    };
    let number = |key: &str| {
        let value = entry.get(key).and_then(Value::as_integer);
        let value = value.and_then(|v| u64::try_from(v).ok());
        value.ok_or_else(|| Failure::new(format!("no number `{key}`: {entry}")))
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

fn extra(folder: &Path) -> Result<Vec<Model>, Failure> {
    let files = models::find(&[folder.display().to_string()])?;
    let files = files.into_iter().filter(|file| !models::has_embedded_c(file));
    let model = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let name = format!("extra/{}", name.display());
        Model { name, path, defines: Vec::new(), class: "extra".to_owned(), truth: None }
    };
    Ok(files.map(model).collect())
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
    fn an_entry_is_read() -> Result<(), Failure> {
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
