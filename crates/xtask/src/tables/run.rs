//! One run: a line of `raw.csv`, from which all tables are computed.

use super::mode::Mode;
use resy_testkit::families::Variant;

/// The result of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseRun {
    /// The name of the row.
    pub row: String,
    /// The variant: original or broken.
    pub variant: Variant,
    /// The mode.
    pub mode: Mode,
    /// The index of the row's module, or 0.
    pub split: usize,
    /// The number of the run, from 1.
    pub run: usize,
    /// The answer.
    pub answer: CaseAnswer,
}

/// The answer of a command, and its cost. Numbers that it does not report are `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CaseAnswer {
    /// `holds`, `fails`, or why there is no verdict.
    pub outcome: String,
    /// The wall time from the model to the answer.
    pub seconds: f64,
    /// Peak memory.
    pub bytes: u64,
    /// The number of states that the deciding engine searched.
    pub states: Option<u64>,
    /// The number of states of the module.
    pub module: Option<u64>,
    /// The number of states of the environment, or the numbers of its components separated by crosses.
    pub environment: String,
    /// The number of states of the requirement.
    pub requirement: Option<u64>,
    /// The number of refinement steps.
    pub refinements: Option<u64>,
    /// Seconds of `spin -a`, the compiler and the verifier.
    pub spin: Option<[f64; 3]>,
    /// The same for the original model, in the same run.
    pub alone: Option<[f64; 3]>,
    /// The number of states stored for the original model.
    pub alone_states: Option<u64>,
    /// The search time that the verifier reports.
    pub own_search: Option<f64>,
    /// The reason why the requirement could not replace the module; empty if it could.
    pub kept: String,
}

/// The first line of `raw.csv`.
pub const CSV_HEADING: &str = "row,variant,mode,module,run,outcome,seconds,bytes,states,module_states,\
                               environment_states,requirement_states,refinements,spin_seconds,compiler_seconds,verifier_seconds,own_search_seconds,kept,\
                               alone_states,alone_spin_seconds,alone_compiler_seconds,alone_verifier_seconds";

impl CaseAnswer {
    /// Whether there is a verdict.
    pub fn decided(&self) -> bool {
        matches!(self.outcome.as_str(), "holds" | "fails")
    }
}

impl CaseRun {
    /// A line of `raw.csv`; `modules` are those of the row.
    pub fn csv(&self, modules: &[String; 2]) -> String {
        fn cell<T: ToString>(value: Option<T>) -> String {
            value.map_or(String::new(), |v| v.to_string())
        }
        let answer = &self.answer;
        let module = if self.mode.is_split() { &modules[self.split] } else { "" };
        let seconds = |steps: Option<[f64; 3]>| {
            [0, 1, 2].map(|step| cell(steps.map(|steps| format!("{:.6}", steps[step]))))
        };
        let ([first, second, third], alone) = (seconds(answer.spin), seconds(answer.alone));
        [
            self.row.clone(),
            self.variant.name().to_owned(),
            self.mode.name().to_owned(),
            module.to_owned(),
            self.run.to_string(),
            answer.outcome.replace([',', '\n'], ";"),
            format!("{:.6}", answer.seconds),
            answer.bytes.to_string(),
            cell(answer.states),
            cell(answer.module),
            answer.environment.clone(),
            cell(answer.requirement),
            cell(answer.refinements),
            first,
            second,
            third,
            cell(answer.own_search),
            answer.kept.replace([',', '\n'], ";"),
            cell(answer.alone_states),
            alone.join(","),
        ]
        .join(",")
    }
}

/// Parses a line of `raw.csv`; `modules` are those of a row.
pub fn read_csv<'a>(
    line: &str,
    modules: impl Fn(&str) -> Option<&'a [String; 2]>,
) -> Option<CaseRun> {
    let cells: Vec<&str> = line.split(',').collect();
    let [row, variant, mode, module, run, outcome, seconds, bytes, rest @ ..] = &cells[..] else {
        return None;
    };
    let [states, size, environment, requirement, refinements, rest @ ..] = rest else {
        return None;
    };
    let [first, second, third, own, kept, alone_states, alone @ ..] = rest else { return None };
    let steps = |cells: &[&str]| {
        let numbers: Vec<f64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
        numbers.try_into().ok()
    };
    let answer = CaseAnswer {
        outcome: (*outcome).to_owned(),
        seconds: seconds.parse().ok()?,
        bytes: bytes.parse().ok()?,
        states: states.parse().ok(),
        module: size.parse().ok(),
        environment: (*environment).to_owned(),
        requirement: requirement.parse().ok(),
        refinements: refinements.parse().ok(),
        spin: steps(&[first, second, third]),
        alone: steps(alone),
        alone_states: alone_states.parse().ok(),
        own_search: own.parse().ok(),
        kept: (*kept).to_owned(),
    };
    let split = modules(row)?.iter().position(|name| name == module).unwrap_or(0);
    let variant = Variant::ALL.into_iter().find(|known| known.name() == *variant)?;
    let (mode, run) = (Mode::named(mode)?, run.parse().ok()?);
    Some(CaseRun { row: (*row).to_owned(), variant, mode, split, run, answer })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_cell_for_each_heading() {
        let answer = CaseAnswer {
            outcome: "unknown: a, b".to_owned(),
            seconds: 0.5,
            spin: Some([0.1, 0.2, 0.3]),
            alone: Some([0.1, 0.2, 3.0]),
            alone_states: Some(900),
            module: Some(7),
            environment: "6×5".to_owned(),
            ..CaseAnswer::default()
        };
        let (row, variant, mode) = ("SW 2/1/A".to_owned(), Variant::Broken, Mode::Threshold);
        let run = CaseRun { row, variant, mode, split: 1, run: 2, answer };
        let modules = ["Sender".to_owned(), "Receiver".to_owned()];
        let line = run.csv(&modules);
        assert_eq!(line.matches(',').count(), CSV_HEADING.matches(',').count());
        assert!(
            line.starts_with("SW 2/1/A,broken,spin at 10 %,Receiver,2,unknown: a; b,0.500000,0,")
        );
        assert!(
            line.ends_with(",7,6×5,,,0.100000,0.200000,0.300000,,,900,0.100000,0.200000,3.000000")
        );
        let outcome = "unknown: a; b".to_owned();
        let told = CaseRun { answer: CaseAnswer { outcome, ..run.answer.clone() }, ..run };
        assert_eq!(read_csv(&line, |_| Some(&modules)), Some(told));
        assert_eq!(read_csv(&line, |_| None), None);
        assert_eq!(read_csv(CSV_HEADING, |_| Some(&modules)), None);
    }
}
