//! The models of the benchmark are what their table says; the large ones are only read.

use resy_testkit::bench_models::{Model, bench_dir, bench_models};
use resy_testkit::systems::load;
use std::collections::BTreeSet;
use std::process::Command;

fn models() -> Vec<Model> {
    bench_models().expect("the table can be read")
}

#[test]
fn the_table_and_the_folder_fit() {
    let models = models();
    let names: BTreeSet<&str> = models.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names.len(), models.len(), "a name is used twice");
    let named: BTreeSet<_> = models.iter().map(|m| m.path.clone()).collect();
    let folder = std::fs::read_dir(bench_dir().join("models")).expect("the folder can be read");
    let present: BTreeSet<_> = folder.map(|e| e.expect("an entry can be read").path()).collect();
    assert_eq!(named, present);
    for model in &models {
        let states = model.truth.as_ref().map_or(0, |t| t.states);
        let fits = match model.class.as_str() {
            "small" => states < 10_000,
            "medium" => (10_000..100_000).contains(&states),
            "large" => (100_000..20_000_000).contains(&states),
            _ => false,
        };
        assert!(fits, "{} has {states} states and is called {}", model.name, model.class);
    }
}

#[test]
fn every_model_is_accepted() {
    for model in models() {
        let (_, _, system) = load(&model.path, &model.defines);
        assert!(system.is_some(), "{} is not accepted", model.name);
    }
}

#[test]
fn small_models_have_the_counts_of_the_table() {
    for model in models().iter().filter(|m| m.class == "small") {
        let output = Command::new(env!("CARGO_BIN_EXE_resy"))
            .args(["check", "--plain", "--exhaustive", "--json"])
            .args(model.define_flags())
            .arg(&model.path)
            .output()
            .expect("resy can be run");
        let json: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("the output is JSON");
        let truth = model.truth.as_ref().expect("a model of the table has a truth");
        assert_eq!(json["verdict"], truth.verdict.as_str(), "{}", model.name);
        assert_eq!(json["stats"]["states"], truth.states, "{}", model.name);
        assert_eq!(json["stats"]["transitions"], truth.transitions, "{}", model.name);
    }
}
