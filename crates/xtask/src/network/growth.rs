//! The sequence of sizes that are measured.

use super::measurement::Measurement;
use std::collections::BTreeSet;

/// The largest size that the types of the models can represent.
const LARGEST: u32 = 1000;

/// Powers of two up to the largest size, the largest size itself, and the goal.
pub fn sizes(goal: u32) -> BTreeSet<u32> {
    let powers = std::iter::successors(Some(2), |n| Some(2 * n)).take_while(|&n| n < LARGEST);
    powers.chain([goal, LARGEST]).collect()
}

/// Measures increasing sizes until there is no verdict. `to_the_last` then bisects between the last two
/// sizes for the largest one with a verdict.
pub fn until_undecided<E>(
    sizes: &BTreeSet<u32>,
    to_the_last: bool,
    mut ask: impl FnMut(u32) -> Result<Measurement, E>,
) -> Result<Vec<Measurement>, E> {
    let mut found: Vec<Measurement> = Vec::new();
    for &n in sizes {
        found.push(ask(n)?);
        if found.last().is_some_and(|last| !last.decided()) {
            break;
        }
    }
    let [.., below, above] = &found[..] else { return Ok(found) };
    let (mut below, mut above) = (below.n, above.n);
    let missed = found.last().is_some_and(|last| !last.decided());
    while to_the_last && missed && above - below > 1 {
        let middle = below + (above - below) / 2;
        let measurement = ask(middle)?;
        if measurement.decided() {
            below = middle
        } else {
            above = middle
        }
        found.push(measurement);
    }
    found.sort_by_key(|measurement| measurement.n);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::measurement::tests::ring;
    use super::*;

    fn asked(to_the_last: bool, limit: u32) -> Vec<u32> {
        let answer = |n: u32| if n <= limit { "holds" } else { "timed out" };
        let ask = |n: u32| Ok::<_, ()>(ring("spin", n, answer(n), 1.0));
        let found = until_undecided(&sizes(200), to_the_last, ask).expect("it never fails");
        found.iter().map(|measurement| measurement.n).collect()
    }

    #[test]
    fn the_goal_and_the_largest_are_among_the_sizes() {
        let all: Vec<u32> = sizes(200).into_iter().collect();
        assert_eq!(all, [2, 4, 8, 16, 32, 64, 128, 200, 256, 512, 1000]);
        assert_eq!(sizes(1000).len(), 10);
    }

    #[test]
    fn nothing_is_asked_after_the_first_without_a_verdict() {
        assert_eq!(asked(false, 9), [2, 4, 8, 16]);
        assert_eq!(asked(false, 1), [2]);
        assert_eq!(asked(false, 5000).last(), Some(&1000));
    }

    #[test]
    fn the_last_with_a_verdict_is_found() {
        assert_eq!(asked(true, 9), [2, 4, 8, 9, 10, 12, 16]);
        assert_eq!(asked(true, 15), [2, 4, 8, 12, 14, 15, 16]);
        assert_eq!(asked(true, 1), [2]);
        assert_eq!(asked(true, 5000), asked(false, 5000));
    }
}
