//! What `bench/families.toml` says of each family, against spin and the engines on small sizes.
//!
//! Those of the network decide all of them, in sizes that a search cannot reach.

use resy_testkit::bench_models::bench_dir;
use resy_testkit::families::{Family, Variant, define_flags, families};
use resy_testkit::spin::{Kind, SpinOptions, SpinOutcome, run_file};
use std::collections::BTreeSet;
use std::process::Command;

/// Every variant of every family in these sizes.
fn instances(sizes: &[u32]) -> Vec<(Family, Variant, u32)> {
    let families = families().expect("the table can be read");
    let sized = |family: &Family| {
        let variants = Variant::ALL.into_iter().flat_map(|v| sizes.iter().map(move |&n| (v, n)));
        variants.map(|(variant, n)| (family.clone(), variant, n)).collect::<Vec<_>>()
    };
    families.iter().flat_map(sized).collect()
}

/// Those whose states can all be searched.
fn searched() -> impl Iterator<Item = (Family, Variant, u32)> {
    instances(&[2, 3]).into_iter().filter(|(family, _, n)| *n <= family.searched)
}

/// The verdict of an engine.
fn resy(family: &Family, variant: Variant, n: u32, engine: &str) -> &'static str {
    let output = Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(["check", "--engine", engine, "--property", &family.property, "--timeout"])
        .arg(if engine == "requirement" { "1" } else { "60" })
        .args(define_flags(variant, n))
        .arg(&family.path)
        .output()
        .expect("resy can be run");
    match output.status.code() {
        Some(0) => "holds",
        Some(1) => "fails",
        Some(3) => "unknown",
        _ => panic!("{}: {}", family.name, String::from_utf8_lossy(&output.stderr)),
    }
}

fn spin(family: &Family, variant: Variant, n: u32) -> &'static str {
    let options = SpinOptions {
        spin_flags: define_flags(variant, n),
        pan_defines: vec!["-DSAFETY".to_owned()],
        pan_flags: ["-E", "-m100000", "-w18"].map(str::to_owned).to_vec(),
        ..SpinOptions::for_small_programs()
    };
    match run_file(&family.path, &options).expect("spin can be run") {
        SpinOutcome::Searched(pan) if pan.kinds().contains(&Kind::Assertion) => "fails",
        SpinOutcome::Searched(pan) if pan.errors == 0 && pan.counts_are_complete() => "holds",
        other => panic!("{} {} {n}: {other:?}", family.name, variant.name()),
    }
}

#[test]
fn the_table_and_the_folder_fit() {
    let families = families().expect("the table can be read");
    let named: BTreeSet<_> = families.into_iter().map(|family| family.path).collect();
    let folder = std::fs::read_dir(bench_dir().join("families")).expect("the folder can be read");
    let present: BTreeSet<_> = folder.map(|e| e.expect("an entry can be read").path()).collect();
    assert_eq!(named, present);
}

#[test]
fn spin_says_the_same() {
    for (family, variant, n) in searched() {
        let verdict = spin(&family, variant, n);
        assert_eq!(verdict, family.truth(variant), "{} {} {n}", family.name, variant.name());
    }
}

#[test]
fn the_whole_state_space_says_the_same() {
    for (family, variant, n) in searched() {
        let verdict = resy(&family, variant, n, "monolithic");
        assert_eq!(verdict, family.truth(variant), "{} {} {n}", family.name, variant.name());
    }
}

#[test]
fn the_race_says_the_same() {
    for (family, variant, n) in searched() {
        let verdict = resy(&family, variant, n, "auto");
        assert_eq!(verdict, family.truth(variant), "{} {} {n}", family.name, variant.name());
    }
}

/// Where there are too many states, another engine is first, and the search is stopped.
#[test]
fn the_race_is_won_by_others() {
    let large = instances(&[40]).into_iter().filter(|(family, ..)| family.goal >= 200);
    for (family, variant, n) in large {
        let report = json(&family, variant, n, &["--property", &family.property]);
        let about = format!("{} {} {n}: {report}", family.name, variant.name());
        assert_eq!(report["verdict"], family.truth(variant), "{about}");
        // A violation may be near.
        let engine = report["properties"][0]["engine"].as_str();
        let by_others = engine.is_some_and(|engine| engine != "monolithic");
        assert!(by_others || variant == Variant::Broken, "{about}");
    }
}

/// Others decide everything, end states too, and the search does not end.
#[test]
fn the_race_tells_what_is_decided() {
    let families = families().expect("the table can be read");
    let family = families.iter().find(|family| family.name == "philosophers").expect("it is there");
    let report = json(family, Variant::Plain, 40, &["--timeout", "20"]);
    assert_eq!((&report["verdict"], &report["complete"]), (&"holds".into(), &true.into()));
    let verdict = |name: &str| {
        let properties = report["properties"].as_array().into_iter().flatten();
        properties.clone().find(|p| p["name"] == name).map(|p| p["verdict"].clone())
    };
    assert_eq!(verdict("apart"), Some("holds".into()), "{report}");
    assert_eq!(verdict("assertions"), Some("holds".into()), "{report}");
    assert_eq!(verdict("end-states"), Some("holds".into()), "{report}");
}

/// What `--engine auto` says.
fn json(family: &Family, variant: Variant, n: u32, options: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_resy"))
        .args(["check", "--json", "-q"])
        .args(options)
        .args(define_flags(variant, n))
        .arg(&family.path)
        .output()
        .expect("resy can be run");
    serde_json::from_slice(&output.stdout).expect("there is a report")
}

#[test]
fn networks_say_the_same() {
    for (family, variant, n) in instances(&[2, 3, 4]) {
        let verdict = resy(&family, variant, n, "network");
        assert_eq!(verdict, family.truth(variant), "{} {} {n}", family.name, variant.name());
    }
}

/// It may run out of time; it never says something else.
#[test]
fn abstractions_of_an_environment_do_not_contradict() {
    for (family, variant, n) in instances(&[2, 3]) {
        let verdict = resy(&family, variant, n, "requirement");
        let agrees = verdict == "unknown" || verdict == family.truth(variant);
        assert!(agrees, "{} {} {n}: {verdict}", family.name, variant.name());
    }
}
