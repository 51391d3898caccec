//! The algorithm paper's instance of the sliding window, with 192 states per process, and its example.

use super::markdown::{count, maybe, table, text, times};
use super::mode::Mode;
use super::results::Results;
use resy_testkit::case_studies::{Algorithm, CaseStudy};

const HEAD: &str = "\
# The algorithm paper's rows

The module (called N in that paper) is the receiver, its environment M the sender; *in italics* what the paper says (FORTE 2006; Athlon XP 2600+). Seconds are those of spin in all, with the
requirement in the module's place and alone, in one run.

The paper's instance cannot be told from its text (window and sequence numbers are not named); ours has the buffer of two messages and as few sequence numbers as a window of two needs. Our receiver has
fewer states, since what it remembers inside an atomic step is no state, and its requirement is smaller for the same reason: whether a white message is in the buffer is all that A and C need to
know. What the paper observes about B and D is the same here: the receiver cannot violate B alone, and D is violated by whatever it does, so that one state is enough. Steps are not
comparable one by one: the paper's prototype goes ten steps forward and ten back, `assume` goes forward as long as there is something to refine, which ends sooner but says little on the way.

";

/// The rows with published numbers of that paper.
pub fn algorithm_paper(results: &Results) -> String {
    let headings = [
        "row",
        "module",
        "N",
        "M",
        "A",
        "min A",
        "steps",
        "spin with A, s",
        "spin alone, s",
        "alone / with A",
        "states with A",
        "alone",
    ];
    let mut rows = Vec::new();
    for row in &results.rows {
        let Some(published) = &row.algorithm else { continue };
        rows.push(measured(results, row, 0));
        rows.push(theirs(published));
        rows.push(measured(results, row, 1));
    }
    format!("{HEAD}{}", table(&headings, &rows))
}

fn measured(results: &Results, row: &CaseStudy, split: usize) -> Vec<String> {
    let of = |mode: Mode| results.of(row, mode, split);
    let (assume, with) = (of(Mode::Assume), of(Mode::Reduced));
    let first = assume.first();
    // Without a replaced module there is nothing to compare.
    let with = with.first().filter(|answer| answer.decided() && answer.kept.is_empty());
    let sum = |steps: Option<[f64; 3]>| steps.map(|steps| steps.iter().sum::<f64>());
    let [reduced, alone] = [sum(with.and_then(|w| w.spin)), sum(with.and_then(|w| w.alone))];
    let faster = alone.zip(reduced).map(|(a, b)| a / b);
    vec![
        row.name.clone(),
        row.modules[split].clone(),
        count(first.and_then(|answer| answer.module)),
        text(first.map_or("", |answer| &answer.environment)),
        count(assume.requirement()),
        count(of(Mode::Minimise).requirement()),
        count(first.and_then(|answer| answer.refinements)),
        maybe(reduced),
        maybe(alone),
        times(faster),
        count(with.and_then(|answer| answer.states)),
        count(with.and_then(|answer| answer.alone_states)),
    ]
}

fn theirs(row: &Algorithm) -> Vec<String> {
    let slanted = |text: String| format!("*{text}*");
    let count = |value: Option<u64>| value.map_or(String::new(), |n| slanted(n.to_string()));
    let seconds = |value: Option<f64>| value.map_or(String::new(), |s| slanted(s.to_string()));
    let faster = row.spin.zip(row.spin_with_a).map(|(alone, with)| alone / with);
    vec![
        "*published*".to_owned(),
        String::new(),
        count(Some(row.n)),
        count(Some(row.m)),
        count(Some(row.a)),
        String::new(),
        count(row.steps),
        seconds(row.spin_with_a),
        seconds(row.spin),
        faster.map_or(String::new(), |ratio| slanted(times(Some(ratio)))),
        String::new(),
        String::new(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::{answer, results};
    use super::*;

    #[test]
    fn our_figures_and_those_of_the_paper() {
        let mut results = results(&["SW algorithm/A", "Elevator 2"]);
        results.add("SW algorithm/A", Mode::Assume, 0, answer("holds", 0.1));
        let text = algorithm_paper(&results);
        assert!(
            text.contains("| SW algorithm/A | Receiver | 100 | 50 | 4 | – | 30 | – |"),
            "{text}"
        );
        let published =
            "| *published* |  | *192* | *192* | *8* |  | *169* | *4* | *19* | *4.75×* |";
        assert!(text.contains(published), "{text}");
        assert!(!text.contains("Elevator"), "{text}");
    }
}
