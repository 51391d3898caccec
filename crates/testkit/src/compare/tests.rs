//! The comparison is an oracle, so each way in which it can fail is shown to fail.

use super::*;
use crate::resy::ResyReport;

fn pan(states: u64, transitions: u64, messages: &[&str]) -> SpinOutcome {
    let messages: Vec<String> = messages.iter().map(|&m| m.to_owned()).collect();
    let errors = messages.len() as u64;
    let completed = true;
    let report =
        PanReport { states, transitions, errors, messages, completed, ..PanReport::default() };
    SpinOutcome::Searched(report)
}

fn resy(states: u64, transitions: u64, kinds: &[&str]) -> ResyOutcome {
    let failed_kinds: BTreeSet<String> = kinds.iter().map(|&k| k.to_owned()).collect();
    let fails = !failed_kinds.is_empty();
    ResyOutcome::Decided(ResyReport { fails, states, transitions, is_whole: true, failed_kinds })
}

#[test]
fn counts_of_a_search_that_was_cut_short_are_not_compared() {
    let ResyOutcome::Decided(report) = resy(4, 6, &["assertion"]) else { panic!("built above") };
    let cut_short = ResyOutcome::Decided(ResyReport { is_whole: false, ..report });
    let compared = compare(&pan(5, 6, &["assertion violated x"]), &cut_short);
    assert!(matches!(compared, Comparison::Discarded(Discard::ResyUnknown(_))));
}

fn differs(spin: &SpinOutcome, resy: &ResyOutcome, how: Difference) {
    assert_eq!(compare(spin, resy), Comparison::Difference(how));
}

#[test]
fn agreement() {
    assert_eq!(compare(&pan(5, 6, &[]), &resy(5, 6, &[])), Comparison::Same);
    // A claim of the model that fails is not spin's business here.
    assert_eq!(compare(&pan(5, 6, &[]), &resy(5, 6, &["ltl"])), Comparison::Same);
    let index = pan(5, 6, &["assertion violated - invalid array index"]);
    assert_eq!(compare(&index, &resy(5, 6, &["runtime"])), Comparison::Same);
}

#[test]
fn each_count_and_kind_matters() {
    differs(&pan(5, 6, &[]), &resy(4, 6, &[]), Difference::States);
    differs(&pan(5, 6, &[]), &resy(5, 7, &[]), Difference::Transitions);
    differs(&pan(5, 6, &["invalid end state"]), &resy(5, 6, &[]), Difference::Errors);
    let both = pan(5, 6, &["invalid end state", "assertion violated x"]);
    differs(&both, &resy(5, 6, &["end-state"]), Difference::Errors);
    differs(&pan(5, 6, &[]), &ResyOutcome::Crashed(String::new()), Difference::ResyCrashed);
}

#[test]
fn acceptance_matters() {
    let (spin_no, resy_no) =
        (SpinOutcome::Rejected(String::new()), ResyOutcome::Rejected(String::new()));
    differs(&spin_no, &resy(1, 1, &[]), Difference::OnlySpinRejects);
    differs(&pan(1, 1, &[]), &resy_no, Difference::OnlyResyRejects);
    assert_eq!(compare(&spin_no, &resy_no), Comparison::BothReject);
}

#[test]
fn an_early_end_compares_the_verdict_only() {
    let SpinOutcome::Searched(mut report) = pan(5, 6, &["block in d_step seq"]) else {
        panic!("built above");
    };
    report.completed = false;
    let fatal = SpinOutcome::Searched(report.clone());
    assert_eq!(compare(&fatal, &resy(9, 9, &["runtime"])), Comparison::SameVerdict);
    differs(&fatal, &resy(9, 9, &[]), Difference::Errors);
    (report.errors, report.messages) = (0, Vec::new());
    let out_of_memory = SpinOutcome::Searched(report);
    let discarded = Comparison::Discarded(Discard::TooLarge("memory"));
    assert_eq!(compare(&out_of_memory, &resy(9, 9, &[])), discarded);
}
