//! A handful of cases of the campaigns that run the command (`xtask campaign`), and what they say about
//! a resy that lies.

use resy_testkit::scratch::Scratch;
use resy_xtask::args::TaskArgs;
use resy_xtask::campaign::{CampaignRecord, record};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Runs a campaign with a binary.
fn campaign(resy: &Path, line: &str) -> CampaignRecord {
    let keep = Scratch::new("campaign").expect("a folder");
    let words = ["--resy", resy.to_str().expect("text"), "--keep"];
    let words = words.into_iter().chain([keep.path().to_str().expect("text")]);
    let words = words.chain(line.split_whitespace()).map(str::to_owned).collect();
    let args = TaskArgs::parse(words).expect("options of a campaign");
    let (record, failure) = record(&args).expect("a campaign");
    assert!(failure.is_none(), "{failure:?}");
    record
}

fn resy() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_resy"))
}

/// A resy that passes its answer through a command.
fn liar(folder: &Path, lie: &str) -> PathBuf {
    let path = folder.join("resy");
    let resy = resy().display();
    let honest = folder.join("honest").display().to_string();
    let script =
        format!("#!/bin/sh\n{resy} \"$@\" >{honest}.$$; code=$?; {lie} <{honest}.$$; exit $code\n");
    std::fs::write(&path, script).expect("a file");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it is ours");
    path
}

fn differences(record: &CampaignRecord) -> Vec<&str> {
    record.report.differences.iter().map(|difference| difference.what.as_str()).collect()
}

#[test]
fn programs_mean_the_same_in_every_mode() {
    let record = campaign(resy(), "programs --from 0 --count 5");
    assert!(record.report.differences.is_empty(), "{record}");
    for kind in ["plain: same counts and errors", "reduced: fails", "network: certificate accepted"]
    {
        assert!(record.report.n(kind) > 0, "{kind}: {record}");
    }
    let replayed = record.report.answers.keys().any(|kind| kind.starts_with("trail: same end"));
    assert!(replayed, "{record}");
}

/// Seed 1 has an invalid end state: counts, verdicts and the end of its run are compared.
#[test]
fn a_resy_that_lies_about_a_program_is_caught() {
    let folder = Scratch::new("liar").expect("a folder");
    for (lie, caught) in [
        ("sed 's/\"states\":/\"states\":1/'", "states differ"),
        ("sed 's/_pc\":/_pc\":1/g'", "trail: end-states: end state differs"),
        ("sed 's/\"kind\":\"end-state\"/\"kind\":\"trace\"/'", "errors differ"),
    ] {
        let record = campaign(&liar(folder.path(), lie), "programs --from 1 --count 1");
        let found = differences(&record);
        assert!(found.iter().any(|what| what.contains(caught)), "{lie}: {found:?}");
    }
}

#[test]
fn a_killed_search_goes_on() {
    let record = campaign(resy(), "kill --from 1 --count 2 --only leader_ring");
    assert!(record.report.differences.is_empty(), "{record}");
    let folder = Scratch::new("liar").expect("a folder");
    let lie = "sed \"s/\\\"depth\\\":/\\\"depth\\\":$$/\"";
    let record = campaign(&liar(folder.path(), lie), "kill --count 1 --only leader_ring");
    assert_eq!(record.report.differences.len(), 1, "{record}");
}

#[test]
fn strangers_change_nothing() {
    let record = campaign(resy(), "strangers --count 1 --runs 60");
    assert!(record.report.differences.is_empty(), "{record}");
    assert!(record.report.n("stranger: replayed greeting") > 0, "{record}");
}
