//! The models that are measured: those of `bench/models.toml`, and those of a folder.

use crate::args::{TaskArgs, TaskFailure};
use crate::models;
pub use resy_testkit::bench_models::Model;
use resy_testkit::bench_models::bench_models;
use std::path::{Path, PathBuf};

/// The models of the table that the options select, and the additional ones.
pub fn select(args: &TaskArgs) -> Result<Vec<Model>, TaskFailure> {
    let mut models = bench_models()?;
    if let Some(folder) = args.path("extra") {
        models.extend(extra(&folder)?);
    }
    let names = args.list("only");
    let classes = args.list("class");
    if let Some(name) = names.iter().find(|name| models.iter().all(|m| &m.name != *name)) {
        return Err(TaskFailure::new(format!("--only: no model is called {name}")));
    }
    models.retain(|m| names.is_empty() || names.contains(&m.name));
    models.retain(|m| classes.is_empty() || classes.contains(&m.class));
    Ok(models)
}

fn extra(folder: &Path) -> Result<Vec<Model>, TaskFailure> {
    let files = models::find(&[folder.display().to_string()])?;
    let files = files.into_iter().filter(|file| !models::has_embedded_c(file));
    let model = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let name = format!("extra/{}", name.display());
        Model { name, path, defines: Vec::new(), class: "extra".to_owned(), truth: None }
    };
    Ok(files.map(model).collect())
}
