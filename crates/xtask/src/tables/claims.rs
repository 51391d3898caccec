//! The claims of both papers, each with a measured number and whether it confirms the claim.
//!
//! A claim is a number with a bound. The interpretation of words like "often" and "much" is stated with
//! the claim.

mod forte;
mod tacas;
#[cfg(test)]
mod tests;

use super::markdown::{NOTHING, text_table};
use super::mode::Mode;
use super::results::Results;
use crate::stats::median;
use resy_testkit::case_studies::{CaseStudy, Published};

const HEAD: &str = "\
# The papers' claims

*Theirs* is the same figure computed from the published numbers, where there are any. Rows are those of the papers, splits the papers' unless it says otherwise. Not confirmed is not the same as
wrong: the models are ours, the machine is another one, and so is spin.

";

/// A claim of a paper, and the measurement.
#[derive(Debug, Clone, PartialEq)]
struct Claim {
    paper: &'static str,
    says: &'static str,
    judged: &'static str,
    ours: String,
    theirs: String,
    /// `None` if nothing was measured.
    confirmed: Option<bool>,
}

/// The table.
pub fn claims(results: &Results) -> String {
    let row = |claim: Claim| {
        let confirmed = match claim.confirmed {
            Some(true) => "**yes**",
            Some(false) => "**no**",
            None => NOTHING,
        };
        let texts = [claim.paper, claim.says, claim.judged].map(str::to_owned);
        texts.into_iter().chain([claim.ours, claim.theirs, confirmed.to_owned()]).collect()
    };
    let rows: Vec<Vec<String>> = all(results).into_iter().map(row).collect();
    let headings = ["paper", "claim", "confirmed if", "ours", "theirs", "confirmed"];
    format!("{HEAD}{}", text_table(&headings, &rows))
}

fn all(results: &Results) -> Vec<Claim> {
    vec![
        tacas::order_of_magnitude(results),
        tacas::fifty_times(results),
        tacas::cost_of_minimality(results),
        tacas::much_smaller(results),
        tacas::fits_on_a_page(results),
        tacas::ends_by_itself(results),
        forte::cost_of_synthesis(results),
        forte::quasi_linear(results),
        forte::steps(results),
        forte::early_drop(results),
        forte::spin_is_faster(results),
        forte::same_verdict(results),
        forte::coarser_than_bisimulation(results),
        forte::never_larger(results),
        forte::local_properties(results),
        forte::example(results),
        forte::revalidation(results),
    ]
}

/// Numbers with the names of their rows.
type Named = Vec<(String, f64)>;

/// A number computed from each of the papers' rows.
fn each(results: &Results, value: impl Fn(&CaseStudy) -> Option<f64>) -> Named {
    let rows = results.rows.iter().filter(|row| row.is_in_a_paper());
    rows.filter_map(|row| Some((row.name.clone(), value(row)?))).collect()
}

/// The same, from the published numbers.
fn published(results: &Results, value: impl Fn(&Published) -> f64) -> Named {
    each(results, |row| row.published.as_ref().map(&value))
}

fn middle(values: &Named) -> Option<f64> {
    median(values.iter().map(|(_, value)| *value))
}

fn largest(values: &Named) -> Option<&(String, f64)> {
    values.iter().max_by(|a, b| a.1.total_cmp(&b.1))
}

fn smallest(values: &Named) -> Option<&(String, f64)> {
    values.iter().min_by(|a, b| a.1.total_cmp(&b.1))
}

fn how_many(values: &Named, fits: impl Fn(f64) -> bool) -> usize {
    values.iter().filter(|(_, value)| fits(*value)).count()
}

/// `21 of 24 rows`.
fn part(values: &Named, fits: impl Fn(f64) -> bool) -> String {
    format!("{} of {} rows", how_many(values, fits), values.len())
}

/// Whether a condition holds in all rows, or in a share of them.
fn in_share(values: &Named, share: f64, fits: impl Fn(f64) -> bool) -> Option<bool> {
    let needed = share * values.len() as f64;
    (!values.is_empty()).then(|| how_many(values, fits) as f64 >= needed)
}

fn seconds(results: &Results, row: &CaseStudy, mode: Mode) -> Option<f64> {
    results.of(row, mode, 0).seconds()
}

fn ratio(results: &Results, above: Mode, below: Mode) -> Named {
    each(results, |row| Some(seconds(results, row, above)? / seconds(results, row, below)?))
}
