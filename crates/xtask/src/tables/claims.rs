//! What both papers claim, each with a figure of ours and whether it is confirmed.
//!
//! A claim is a number with a bound. What words like "often" and "much" mean is said beside it, and was
//! decided before the numbers were there.

use super::markdown::{NOTHING, number, percent, text_table, times};
use super::mode::Mode;
use super::results::Results;
use super::trace::Way;
use crate::fit::exponent;
use crate::stats::median;
use resy_testkit::case_studies::{CaseStudy, Published};

/// Times below this are mostly the start of a process.
const NOISE: f64 = 0.02;

/// What can be shown to a user: about a page.
const A_PAGE: f64 = 25.0;

const HEAD: &str = "\
# The papers' claims

*Theirs* is the same figure computed from the published numbers, where there are any. Rows are those of the papers, splits the papers' unless it says otherwise. Not confirmed is not the same as
wrong: the models are ours, the machine is another one, and so is spin.

";

/// A sentence of a paper, and what was measured about it.
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
        order_of_magnitude(results),
        fifty_times(results),
        cost_of_minimality(results),
        much_smaller(results),
        fits_on_a_page(results),
        ends_by_itself(results),
        cost_of_synthesis(results),
        quasi_linear(results),
        steps(results),
        early_drop(results),
        spin_is_faster(results),
        same_verdict(results),
        coarser_than_bisimulation(results),
        never_larger(results),
        local_properties(results),
        example(results),
        revalidation(results),
    ]
}

/// Numbers with the names of their rows.
type Named = Vec<(String, f64)>;

/// What can be computed of the papers' rows.
fn each(results: &Results, value: impl Fn(&CaseStudy) -> Option<f64>) -> Named {
    let rows = results.rows.iter().filter(|row| row.is_in_a_paper());
    rows.filter_map(|row| Some((row.name.clone(), value(row)?))).collect()
}

/// The same of the published figures.
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

/// Whether it is so in all rows, or in a share of them.
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

fn order_of_magnitude(results: &Results) -> Claim {
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

fn fifty_times(results: &Results) -> Claim {
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

fn cost_of_minimality(results: &Results) -> Claim {
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

fn much_smaller(results: &Results) -> Claim {
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

fn fits_on_a_page(results: &Results) -> Claim {
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

fn ends_by_itself(results: &Results) -> Claim {
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

fn cost_of_synthesis(results: &Results) -> Claim {
    let ours = ratio(results, Mode::Assume, Mode::Monolithic);
    let theirs = published(results, |row| row.assume.ms / row.spin.ms);
    Claim {
        paper: "FORTE",
        says: "Synthesis of the assumption is not significantly more expensive than verification itself.",
        judged: "median of assume / monolithic search ≤ 2",
        ours: format!("median {}", times(middle(&ours))),
        theirs: format!("median {} of spin", times(middle(&theirs))),
        confirmed: middle(&ours).map(|v| v <= 2.0),
    }
}

fn quasi_linear(results: &Results) -> Claim {
    let points = results.rows.iter().flat_map(|row| {
        [0, 1].into_iter().filter_map(|split| {
            let runs = results.of(row, Mode::Assume, split);
            let (first, seconds) = (runs.first()?, runs.seconds()?);
            let environment: f64 = first.environment.parse().ok()?;
            Some((first.module? as f64 * environment, seconds))
        })
    });
    let points: Vec<(f64, f64)> = points.filter(|point| point.1 > NOISE).collect();
    let slope = exponent(&points);
    Claim {
        paper: "FORTE",
        says: "The construction is quasi-linear: O(M · N · log N · P).",
        judged: "time of assume grows with M × E to a power ≤ 1.3 (either split, all rows above 20 ms)",
        ours: slope
            .map_or(NOTHING.to_owned(), |s| format!("power {s:.2}, {} points", points.len())),
        theirs: NOTHING.to_owned(),
        confirmed: slope.map(|slope| slope <= 1.3),
    }
}

fn steps(results: &Results) -> Claim {
    let ours = each(results, |row| {
        let runs = results.of(row, Mode::Assume, 0);
        let first = runs.first().filter(|answer| answer.decided())?;
        Some(first.refinements? as f64 / first.environment.parse::<f64>().ok()?)
    });
    let most =
        largest(&ours).map_or(String::new(), |(row, v)| format!(", most {} ({row})", percent(*v)));
    Claim {
        paper: "FORTE",
        says: "In the worst case there are as many refinement steps as the environment has states.",
        judged: "steps ≤ E in all rows with one environment process",
        ours: format!("{}{most}", part(&ours, |v| v <= 1.0)),
        theirs: "169 of 192 states".to_owned(),
        confirmed: in_share(&ours, 1.0, |v| v <= 1.0),
    }
}

fn early_drop(results: &Results) -> Claim {
    let of = |way: Way| each(results, |row| half_way(results, row, way));
    let ours = of(Way::Alternating);
    let text = |values: &Named| {
        let middle = middle(values).map_or(NOTHING.to_owned(), percent);
        format!("{}, median {middle}", part(values, |v| v <= 0.2))
    };
    Claim {
        paper: "FORTE",
        says: "A significant drop in the size occurs very early, when only a small percentage of the environment has been considered (figure 7).",
        judged: "sliding window, ten steps forward and ten back as in the paper: half of the drop with ≤ 20 % of the environment's states as classes, in half of the rows",
        ours: format!("{}; forward first: {}", text(&ours), text(&of(Way::ForwardFirst))),
        theirs: "only the figure".to_owned(),
        confirmed: in_share(&ours, 0.5, |v| v <= 0.2),
    }
}

/// Classes, as a share of the environment's states, when half of the drop in size is done.
fn half_way(results: &Results, row: &CaseStudy, way: Way) -> Option<f64> {
    let trace = results.traces.get(&(row.name.clone(), way))?;
    let (first, last) = (trace.first()?.requirement, trace.last()?.requirement);
    let half = (first + last) / 2.0;
    let point = trace.iter().find(|point| point.requirement <= half).filter(|_| last < first)?;
    let runs = results.of(row, Mode::Assume, 0);
    Some(point.classes / runs.first()?.environment.parse::<f64>().ok()?)
}

fn spin_is_faster(results: &Results) -> Claim {
    let written = |row: &CaseStudy| {
        let runs = results.of(row, Mode::Reduced, 0);
        runs.first().filter(|answer| answer.decided() && answer.kept.is_empty())
    };
    let sum = |steps: [f64; 3]| steps.iter().sum::<f64>();
    let time = each(results, |row| {
        let answer = written(row)?;
        Some(sum(answer.alone?) / sum(answer.spin?))
    });
    let states = each(results, |row| {
        let answer = written(row)?;
        Some(answer.alone_states? as f64 / answer.states?.max(1) as f64)
    });
    let theirs = each(results, |row| {
        let row = row.algorithm.as_ref()?;
        Some(row.spin? / row.spin_with_a?)
    });
    Claim {
        paper: "FORTE",
        says: "Replacing the process by the assumption reduces the model checking time.",
        judged: "spin alone / spin with A, all three steps, > 1 in all rows where A can be written",
        ours: format!(
            "{}, median {}; states: fewer in {}, median {}",
            part(&time, |v| v > 1.0),
            times(middle(&time)),
            part(&states, |v| v > 1.0),
            times(middle(&states))
        ),
        theirs: format!("{}, median {}", part(&theirs, |v| v > 1.0), times(middle(&theirs))),
        confirmed: in_share(&time, 1.0, |v| v > 1.0),
    }
}

fn same_verdict(results: &Results) -> Claim {
    let runs = results.runs.iter().filter(|run| {
        matches!(run.mode, Mode::Reduced | Mode::Threshold) && run.answer.spin.is_some()
    });
    let truth = |name: &str| results.rows.iter().find(|row| row.name == name);
    let told: Vec<bool> = runs
        .filter_map(|run| Some(run.answer.outcome == truth(&run.row)?.truth(run.variant)))
        .collect();
    let right = told.iter().filter(|right| **right).count();
    Claim {
        paper: "FORTE",
        says: "The result of model checking is the same with the assumption and with the original process.",
        judged: "all runs that called spin with A end with the true verdict (either split, broken models too)",
        ours: format!("{right} of {} runs", told.len()),
        theirs: NOTHING.to_owned(),
        confirmed: (!told.is_empty()).then_some(right == told.len()),
    }
}

fn coarser_than_bisimulation(results: &Results) -> Claim {
    let ours = each(results, |row| {
        let equivalent = results.of(row, Mode::Bisimulation, 0).first()?.requirement?;
        Some(equivalent as f64 / results.of(row, Mode::Assume, 0).requirement()? as f64)
    });
    Claim {
        paper: "FORTE",
        says: "The quotient is much smaller than one that preserves observational behaviour.",
        judged: "states up to branching bisimulation / A ≥ 2 in half of the rows",
        ours: format!("{}, median {}", part(&ours, |v| v >= 2.0), times(middle(&ours))),
        theirs: NOTHING.to_owned(),
        confirmed: in_share(&ours, 0.5, |v| v >= 2.0),
    }
}

fn never_larger(results: &Results) -> Claim {
    let shares = results.rows.iter().flat_map(|row| {
        let share = |split| Some((row.name.clone(), results.of(row, Mode::Assume, split).share()?));
        [0, 1].into_iter().filter_map(share)
    });
    let ours: Named = shares.collect();
    let most =
        largest(&ours).map_or(String::new(), |(row, v)| format!(", most {} ({row})", percent(*v)));
    Claim {
        paper: "FORTE",
        says: "In the worst case the assumption is as large as the process, which is unlikely.",
        judged: "A < M in all rows, either split",
        ours: part(&ours, |v| v < 1.0).replace("rows", "splits") + &most,
        theirs: part(&published(results, |row| row.a as f64 / row.m as f64), |v| v < 1.0),
        confirmed: in_share(&ours, 1.0, |v| v < 1.0),
    }
}

fn local_properties(results: &Results) -> Claim {
    let sizes = ["A", "B", "C", "D"].map(|property| {
        let row = results.rows.iter().find(|row| row.name == format!("SW algorithm/{property}"))?;
        let runs = results.of(row, Mode::Assume, 0);
        Some((runs.requirement()?, runs.first()?.refinements?))
    });
    let text = |size: Option<(u64, u64)>| {
        size.map_or(NOTHING.to_owned(), |(a, steps)| format!("{a} ({steps})"))
    };
    let confirmed = match sizes {
        [Some(a), Some(b), Some(c), Some(d)] => {
            Some(b.0 == 1 && d.0 == 1 && b.1.max(d.1) < a.1.min(c.1))
        }
        _ => None,
    };
    Claim {
        paper: "FORTE",
        says: "Where the receiver cannot be the reason (B), and where the property is violated anyway (D), one state is enough, after few steps.",
        judged: "states (steps) of A, B, C, D: 1 for B and D, with fewer steps than A and C",
        ours: sizes.map(text).join(", "),
        theirs: "8 (169), 1 (18), 8 (168), 1 (15)".to_owned(),
        confirmed,
    }
}

fn example(results: &Results) -> Claim {
    let row = results.rows.iter().find(|row| row.name == "Mutual exclusion");
    let size = row.and_then(|row| results.of(row, Mode::Assume, 0).requirement());
    Claim {
        paper: "FORTE",
        says: "The assumption of the mutual exclusion example has three states (figure 3).",
        judged: "the same number",
        ours: size.map_or(NOTHING.to_owned(), |size| size.to_string()),
        theirs: "3".to_owned(),
        confirmed: size.map(|size| size == 3),
    }
}

fn revalidation(results: &Results) -> Claim {
    let ours = ratio(results, Mode::Recheck, Mode::Assume);
    Claim {
        paper: "FORTE",
        says: "Once the assumption is known, revalidating the proof is simple; containment takes linear time.",
        judged: "median of recheck / assume ≤ 1",
        ours: format!(
            "median {}, {} certificates",
            middle(&ours).map_or(NOTHING.to_owned(), number),
            ours.len()
        ),
        theirs: NOTHING.to_owned(),
        confirmed: middle(&ours).map(|v| v <= 1.0),
    }
}

#[cfg(test)]
mod tests;
