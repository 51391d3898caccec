//! Claims of the tool paper (TACAS 2008), and one of our own.

use super::{Claim, Named, each, in_share, largest, middle, part, published, ratio, smallest};
use crate::tables::markdown::{NOTHING, percent, times};
use crate::tables::mode::Mode;
use crate::tables::results::Results;

/// The size of a requirement that can be shown to a user, about a page.
const A_PAGE: f64 = 25.0;

pub fn order_of_magnitude(results: &Results) -> Claim {
    let ours = ratio(results, Mode::Spin, Mode::Requirement);
    let theirs = published(results, |row| row.spin.ms / row.cmc.ms);
    let text = |values: &Named| {
        format!("{}, median {}", part(values, |v| v > 10.0), times(middle(values)))
    };
    Claim {
        paper: "TACAS",
        says: "Compositional model checking often improves over spin by more than an order of magnitude.",
        judged: "spin in all / CMC > 10 in half of the rows",
        ours: text(&ours),
        theirs: text(&theirs),
        confirmed: in_share(&ours, 0.5, |v| v > 10.0),
    }
}

pub fn fifty_times(results: &Results) -> Claim {
    let ours = ratio(results, Mode::Spin, Mode::Check);
    let least = smallest(&ours)
        .map_or(String::new(), |(row, v)| format!(", least {} ({row})", times(Some(*v))));
    Claim {
        paper: "ours",
        says: "`resy check` is at least 50 times faster than spin end to end, on every row of the paper.",
        judged: "spin in all / check ≥ 50 in all rows",
        ours: format!("{}{least}", part(&ours, |v| v >= 50.0)),
        theirs: NOTHING.to_owned(),
        confirmed: in_share(&ours, 1.0, |v| v >= 50.0),
    }
}

pub fn cost_of_minimality(results: &Results) -> Claim {
    let ours = ratio(results, Mode::Assume, Mode::Requirement);
    let theirs = published(results, |row| row.assume.ms / row.cmc.ms);
    let text = |values: &Named| {
        let most = largest(values)
            .map_or(String::new(), |(row, v)| format!(", most {} ({row})", times(Some(*v))));
        format!("median {}{most}", times(middle(values)))
    };
    Claim {
        paper: "TACAS",
        says: "Computing the minimal requirement typically does not add significant cost.",
        judged: "median of assume / CMC ≤ 2",
        ours: text(&ours),
        theirs: text(&theirs),
        confirmed: middle(&ours).map(|v| v <= 2.0),
    }
}

pub fn much_smaller(results: &Results) -> Claim {
    let ours = each(results, |row| results.of(row, Mode::Assume, 0).share());
    let theirs = published(results, |row| row.a as f64 / row.m as f64);
    let text = |values: &Named| {
        let most = largest(values)
            .map_or(String::new(), |(row, v)| format!(", most {} ({row})", percent(*v)));
        format!(
            "{}, median {}{most}",
            part(values, |v| v <= 0.5),
            middle(values).map_or(NOTHING.to_owned(), percent)
        )
    };
    Claim {
        paper: "TACAS",
        says: "The minimal requirement is always much smaller than the original process.",
        judged: "A / M ≤ 50 % in all rows",
        ours: text(&ours),
        theirs: text(&theirs),
        confirmed: in_share(&ours, 1.0, |v| v <= 0.5),
    }
}

pub fn fits_on_a_page(results: &Results) -> Claim {
    let ours = each(results, |row| Some(results.of(row, Mode::Assume, 0).requirement()? as f64));
    let theirs = published(results, |row| row.a as f64);
    let text = |values: &Named| {
        let most = largest(values).map_or(String::new(), |(row, v)| format!(", most {v} ({row})"));
        format!("{}{most}", part(values, |v| v <= A_PAGE))
    };
    Claim {
        paper: "TACAS",
        says: "It is often small enough to be presented to the user.",
        judged: "at most 25 states in half of the rows",
        ours: text(&ours),
        theirs: text(&theirs),
        confirmed: in_share(&ours, 0.5, |v| v <= A_PAGE),
    }
}

pub fn ends_by_itself(results: &Results) -> Claim {
    let ours = each(results, |row| {
        let runs = results.of(row, Mode::Assume, 0);
        runs.first().map(|_| f64::from(u8::from(runs.seconds().is_some())))
    });
    Claim {
        paper: "TACAS",
        says: "RESY recognizes when further refinements no longer reduce the requirement.",
        judged: "assume ends within its limit in all rows",
        ours: part(&ours, |v| v > 0.0),
        theirs: NOTHING.to_owned(),
        confirmed: in_share(&ours, 1.0, |v| v > 0.0),
    }
}
