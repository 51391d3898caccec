//! Claims of the algorithm paper (FORTE 2006).

use super::{Claim, Named, each, in_share, largest, middle, part, published, ratio};
use crate::fit::exponent;
use crate::tables::markdown::{NOTHING, number, percent, times};
use crate::tables::mode::Mode;
use crate::tables::results::Results;
use crate::tables::trace::Way;
use resy_testkit::case_studies::CaseStudy;

/// Below this time, process startup dominates.
const NOISE: f64 = 0.02;

pub fn cost_of_synthesis(results: &Results) -> Claim {
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

pub fn quasi_linear(results: &Results) -> Claim {
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

pub fn steps(results: &Results) -> Claim {
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

pub fn early_drop(results: &Results) -> Claim {
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

/// The number of classes, relative to the environment's states, at which half of the reduction in size is
/// reached.
fn half_way(results: &Results, row: &CaseStudy, way: Way) -> Option<f64> {
    let trace = results.traces.get(&(row.name.clone(), way))?;
    let (first, last) = (trace.first()?.requirement, trace.last()?.requirement);
    let half = (first + last) / 2.0;
    let point = trace.iter().find(|point| point.requirement <= half).filter(|_| last < first)?;
    let runs = results.of(row, Mode::Assume, 0);
    Some(point.classes / runs.first()?.environment.parse::<f64>().ok()?)
}

pub fn spin_is_faster(results: &Results) -> Claim {
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

pub fn same_verdict(results: &Results) -> Claim {
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

pub fn coarser_than_bisimulation(results: &Results) -> Claim {
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

pub fn never_larger(results: &Results) -> Claim {
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

pub fn local_properties(results: &Results) -> Claim {
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

pub fn example(results: &Results) -> Claim {
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

pub fn revalidation(results: &Results) -> Claim {
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
