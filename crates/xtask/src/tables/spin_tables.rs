//! Comparisons with spin: the reduced model against the original, and `check` against the search of `pan`
//! alone.

use super::markdown::{NOTHING, count, maybe, ms, number, table, times};
use super::mode::Mode;
use super::results::Results;
use resy_testkit::case_studies::CaseStudy;

const REDUCED: &str = "\
# The reduced model

`resy spin --always`: the requirement in the module's place, handed to spin, against the model as it is, which resy hands to spin after it, with the same flags. *States* and *pan* (milliseconds) are those of the verifier;
*synthesis* is all that resy does before spin is called, *in all* that and spin's three steps. One run. Where the requirement cannot be written as a Promela process, resy keeps the
module and says why: those rows say *kept*, and the reasons are below.

";

/// `resy spin --always` against spin alone.
pub fn reduced(results: &Results) -> String {
    let headings = [
        "row",
        "module",
        "states alone",
        "with A",
        "alone / with A",
        "pan alone",
        "with A",
        "synthesis",
        "in all",
        "spin alone in all",
        "alone / with A",
    ];
    let (mut rows, mut reasons) = (Vec::new(), Vec::new());
    for row in &results.rows {
        for (split, module) in row.modules.iter().enumerate() {
            let runs = results.of(row, Mode::Reduced, split);
            let kept = runs.first().map_or("", |answer| &answer.kept);
            if !kept.is_empty() {
                reasons.push(format!("- {}, {module}: {kept}\n", row.name));
                rows.push(vec![row.name.clone(), module.clone(), String::new(), "kept".to_owned()]);
                continue;
            }
            let Some(answer) = runs.first().filter(|answer| answer.decided()) else {
                rows.push(vec![row.name.clone(), module.clone(), String::new(), ms(&runs)]);
                continue;
            };
            let states = [answer.alone_states, answer.states];
            let fewer = states[0].zip(states[1]).map(|(a, b)| a as f64 / b.max(1) as f64);
            let sum = |steps: Option<[f64; 3]>| steps.map(|steps| steps.iter().sum::<f64>());
            let synthesis = sum(answer.spin).map(|spin| (answer.seconds - spin) * 1e3);
            let faster = sum(answer.alone).map(|alone| alone / answer.seconds);
            let milliseconds = |seconds: Option<f64>| maybe(seconds.map(|s| s * 1e3));
            let mut cells = vec![row.name.clone(), module.clone()];
            cells.extend(states.map(count));
            cells.push(times(fewer));
            let searches = [answer.alone, answer.spin].map(|steps| steps.map(|steps| steps[2]));
            cells.extend(searches.map(milliseconds));
            cells.push(maybe(synthesis));
            cells.extend([Some(answer.seconds), sum(answer.alone)].map(milliseconds));
            cells.push(times(faster));
            rows.push(cells);
        }
    }
    rows.iter_mut().for_each(|cells| cells.resize(headings.len(), String::new()));
    format!("{REDUCED}{}\n{}", table(&headings, &rows), reasons.concat())
}

const CROSSOVER: &str = "\
# Where one overtakes the other

The whole process of `resy check` against the search of `pan` alone: without `spin -a` and without the compiler, which every change of a model needs. Milliseconds, medians. Above 1× in the
last column but one `check` is faster although spin's first two steps are given for free. *pan's own* is the time that `pan` itself says it searched, in steps of ten: it leaves out the start of
the process, and the table of 2^24 slots that `pan` makes whatever the model.

";

/// `check` against pan's search time, as the parameter grows.
pub fn crossover(results: &Results) -> String {
    let mut text = CROSSOVER.to_owned();
    for (family, rows) in results.families() {
        let races: Vec<Race> = rows.iter().map(|row| Race::of(results, row)).collect();
        let headings =
            ["size", "check", "pan alone", "pan's own", "pan / check", "spin in all / check"];
        let cells: Vec<Vec<String>> = races.iter().map(Race::cells).collect();
        text += &format!("## {family}\n\n{}\n{}\n\n", table(&headings, &cells), sentence(&races));
    }
    text
}

struct Race<'a> {
    size: &'a str,
    check: Option<f64>,
    pan: Option<f64>,
    own: Option<f64>,
    spin: Option<f64>,
    /// The text of cells without a time.
    texts: [String; 2],
}

impl<'a> Race<'a> {
    fn of(results: &Results, row: &'a CaseStudy) -> Race<'a> {
        let (check, spin) = (results.of(row, Mode::Check, 0), results.of(row, Mode::Spin, 0));
        let texts = [ms(&check), spin.step(2).map_or(ms(&spin), |s| number(s * 1e3))];
        Race {
            size: row.size(),
            check: check.seconds(),
            pan: spin.step(2),
            own: spin.own_search(),
            spin: spin.seconds(),
            texts,
        }
    }

    /// Whether `check` is faster, if one of them has an answer.
    fn is_won(&self) -> Option<bool> {
        match (self.check, self.pan) {
            (Some(check), Some(pan)) => Some(check < pan),
            (Some(_), None) => Some(true),
            (None, Some(_)) => Some(false),
            (None, None) => None,
        }
    }

    fn cells(&self) -> Vec<String> {
        let over = |other: Option<f64>| times(other.zip(self.check).map(|(o, check)| o / check));
        let [check, pan] = self.texts.clone();
        let own = maybe(self.own.map(|seconds| seconds * 1e3));
        vec![self.size.to_owned(), check, pan, own, over(self.pan), over(self.spin)]
    }
}

/// The sizes at which the faster tool changes.
fn sentence(races: &[Race<'_>]) -> String {
    let known: Vec<(&str, bool)> =
        races.iter().filter_map(|race| Some((race.size, race.is_won()?))).collect();
    let name = |won: bool| if won { "`check`" } else { "pan's search" };
    let Some(&(first, mut ahead)) = known.first() else { return NOTHING.to_owned() };
    let mut text = format!("From {first} on {} is faster", name(ahead));
    for &(size, won) in &known[1..] {
        if won != ahead {
            text += &format!(", from {size} on {}", name(won));
            ahead = won;
        }
    }
    text + "."
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::{answer, results};
    use super::super::run::CaseAnswer;
    use super::*;

    #[test]
    fn states_and_times_are_compared() {
        let mut results = results(&["Elevator 2"]);
        let with = CaseAnswer {
            states: Some(10),
            spin: Some([0.1, 1.0, 0.1]),
            alone: Some([0.1, 2.0, 0.9]),
            alone_states: Some(1000),
            ..answer("holds", 1.5)
        };
        results.add("Elevator 2", Mode::Reduced, 0, with);
        let line = "| Elevator 2 | Controller | 1000 | 10 | 100× | 900 | 100 | 300 | 1500 | 3000 | 2.00× |";
        assert!(reduced(&results).contains(line), "{}", reduced(&results));
        assert!(reduced(&results).contains("| Elevator 2 | Cabin |  | – |  |"));
    }

    #[test]
    fn a_module_that_was_kept_is_not_compared() {
        let mut results = results(&["Elevator 2"]);
        let kept = "no way to write it".to_owned();
        results.add("Elevator 2", Mode::Reduced, 0, CaseAnswer { kept, ..answer("holds", 1.5) });
        let text = reduced(&results);
        assert!(text.contains("| Elevator 2 | Controller |  | kept |  |"), "{text}");
        assert!(text.ends_with("- Elevator 2, Controller: no way to write it\n"), "{text}");
    }

    #[test]
    fn the_crossover_is_named() {
        let mut results = results(&["Elevator 2", "Elevator 3", "Elevator 4"]);
        for (size, check, pan) in [(2, 0.01, 0.1), (3, 0.2, 0.1), (4, 0.3, 0.1)] {
            let row = format!("Elevator {size}");
            results.add(&row, Mode::Check, 0, answer("holds", check));
            let spin = CaseAnswer { spin: Some([0.1, 1.0, pan]), ..answer("holds", 1.1 + pan) };
            results.add(&row, Mode::Spin, 0, spin);
        }
        let text = crossover(&results);
        assert!(text.contains("| 2 | 10.0 | 100 | – | 10.0× | 120× |"), "{text}");
        assert!(text.contains("From 2 on `check` is faster, from 3 on pan's search."), "{text}");
    }

    #[test]
    fn who_has_no_answer_has_lost() {
        let mut results = results(&["Elevator 2", "Elevator 3"]);
        results.add("Elevator 2", Mode::Check, 0, answer("holds", 5.0));
        results.add("Elevator 2", Mode::Spin, 0, answer("timed out", 60.0));
        results.add("Elevator 3", Mode::Check, 0, answer("hung", 25.0));
        let spin = CaseAnswer { spin: Some([0.1, 1.0, 50.0]), ..answer("holds", 51.1) };
        results.add("Elevator 3", Mode::Spin, 0, spin);
        let text = crossover(&results);
        assert!(text.contains("| 2 | 5000 | timed out | – | – | – |"), "{text}");
        assert!(text.contains("From 2 on `check` is faster, from 3 on pan's search."), "{text}");
    }
}
