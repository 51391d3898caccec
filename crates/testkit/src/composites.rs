//! A generator of files in FSP, with most of the language: what LTSA and resy are compared on.
//!
//! Every file has a composite `TOP`. Products stay small: few processes, of few states.

use resy_index::random::SplitMix;
use std::fmt::Write;

/// Action labels of the processes.
const LABELS: [&str; 6] = ["a", "b", "c", "a.x", "b.y", "d"];

/// The text of the file with this seed.
pub fn fsp_file(seed: u64) -> String {
    let mut writer = Writer {
        random: SplitMix(seed ^ 0xf5b0),
        text: String::new(),
        processes: Vec::new(),
        composites: Vec::new(),
    };
    writer.file();
    writer.text
}

struct Writer {
    random: SplitMix,
    text: String,
    /// The names of processes, without properties.
    processes: Vec<String>,
    composites: Vec<String>,
}

impl Writer {
    fn file(&mut self) {
        let n = 1 + self.random.below(2);
        let _ = writeln!(self.text, "const N = {n}\nrange R = 0..N\nset S = {{a, b.y}}");
        for i in 0..2 + self.random.below(2) {
            self.process(i);
        }
        let has_property = self.one_in(3);
        if has_property {
            self.property();
        }
        for i in 0..1 + self.random.below(3) {
            self.composite(i);
        }
        let last = self.composites.last().cloned().unwrap_or_default();
        let watched = if has_property { " || WATCH" } else { "" };
        let other = self.pick_process();
        let _ = match self.random.below(3) {
            0 => writeln!(self.text, "||TOP = ({last} || {other}{watched})."),
            1 => writeln!(self.text, "||TOP = (forall [i:0..1] (k[i]:{last}){watched})."),
            _ => writeln!(self.text, "||TOP = ({last}{watched})."),
        };
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn label(&mut self) -> &'static str {
        LABELS[self.random.below(LABELS.len())]
    }

    fn pick_process(&mut self) -> String {
        let i = self.random.below(self.processes.len());
        self.processes[i].clone()
    }

    fn process(&mut self, i: usize) {
        let name = format!("P{i}");
        match self.random.below(5) {
            0 => self.states(&name),
            1 => self.counter(&name),
            2 => self.store(&name),
            3 => self.conditional(&name),
            _ => self.sequence(&name),
        }
        self.processes.push(name);
    }

    /// The end of a definition: a larger alphabet, other names, hidden actions.
    fn finish(&mut self) {
        if self.one_in(5) {
            let label = self.label();
            let _ = write!(self.text, " + {{{label}, e}}");
        }
        if self.one_in(4) {
            let (new, old) = (self.label(), self.label());
            let relabel = match self.random.below(3) {
                0 => format!("{new}/{old}"),
                1 => format!("{{{new}, e}}/{old}"),
                _ => format!("{new}/S"),
            };
            let _ = write!(self.text, " / {{{relabel}}}");
        }
        if self.one_in(4) {
            let label = self.label();
            let sign = if self.one_in(3) { '@' } else { '\\' };
            let _ = write!(self.text, " {sign} {{{label}, S}}");
        }
        self.text.push_str(".\n");
    }

    /// Three states with any steps between them.
    fn states(&mut self, name: &str) {
        let _ = write!(self.text, "{name} = Q0");
        for state in 0..3 {
            let mut steps = Vec::new();
            for _ in 0..self.random.below(3) + usize::from(state == 0) {
                let target = match self.random.below(12) {
                    0 => "STOP".to_owned(),
                    1 => "ERROR".to_owned(),
                    2 => format!("({} -> Q0)", self.label()),
                    n => format!("Q{}", n % 3),
                };
                steps.push(format!("{} -> {target}", self.label()));
            }
            let end = if self.one_in(2) { "STOP" } else { "END" };
            let body = match steps.is_empty() {
                true => end.to_owned(),
                false => format!("({})", steps.join(" | ")),
            };
            let _ = write!(self.text, ",\n  Q{state} = {body}");
        }
        self.finish();
    }

    /// An indexed process with a parameter and guards.
    fn counter(&mut self, name: &str) {
        let _ = write!(self.text, "{name}(M=N) = C[0],\n  C[i:0..M] = ");
        let mut steps = vec![format!("when (i < M) {} -> C[i+1]", self.label())];
        for _ in 0..1 + self.random.below(3) {
            let label = self.label();
            steps.push(match self.random.below(6) {
                0 => format!("when (i > 0 && M >= 1) {label} -> C[i-1]"),
                1 => format!("v[i] -> {label} -> C[(i+1)%(M+1)]"),
                2 => "w[j:R] -> C[j%(M+1)]".to_owned(),
                3 => format!("w[j:R].{label} -> (v[j*2-1] -> C[i] | when (j == i) e -> C[0])"),
                4 => format!("{{{label}, e}} -> C[M-i]"),
                _ => {
                    format!("when (!(i == 1)) S -> C[{}]", if self.one_in(4) { "i+1" } else { "0" })
                }
            });
        }
        let _ = write!(self.text, "({})", steps.join(" | "));
        self.finish();
    }

    /// A value that is read and written; values may be labels.
    fn store(&mut self, name: &str) {
        let values = if self.one_in(3) { "S" } else { "R" };
        let first = if values == "S" { "'a" } else { "0" };
        let (read, write_) = (self.label(), self.label());
        let _ = write!(
            self.text,
            "{name} = V[{first}],\n  V[x:{values}] = ({read}[x] -> V[x] | {write_}.put[y:{values}] -> V[y])"
        );
        self.finish();
    }

    fn conditional(&mut self, name: &str) {
        let (one, two, three) = (self.label(), self.label(), self.label());
        let otherwise = if self.one_in(3) { "" } else { " else B" };
        let _ = write!(
            self.text,
            "{name} = A[N-1],\n  A[i:R] = if (i % 2 == 0) then ({one}[i] -> A[1] | {two} -> B){otherwise},\n  B = ({three} -> A[#S - 2])"
        );
        self.finish();
    }

    /// Processes that follow one another.
    fn sequence(&mut self, name: &str) {
        let (one, two, three) = (self.label(), self.label(), self.label());
        let _ = writeln!(self.text, "{name}T(K=1) = ({one}[K] -> END | {two} -> {three} -> END).");
        let again = if self.one_in(3) { "END" } else { name };
        let _ = write!(self.text, "{name} = {name}T(2);{name}T;{again}");
        self.finish();
    }

    fn property(&mut self) {
        let mut labels = LABELS.to_vec();
        let mut one = |random: &mut SplitMix| labels.swap_remove(random.below(labels.len()));
        let (first, second) = (one(&mut self.random), one(&mut self.random));
        let _ = writeln!(self.text, "property WATCH = ({first} -> {second} -> WATCH).");
    }

    /// A part of a composite.
    fn part(&mut self) -> String {
        let old = self.composites.last().cloned().filter(|_| self.one_in(3));
        let name = match old {
            Some(composite) => composite,
            None => self.pick_process(),
        };
        let prefixed = match self.random.below(6) {
            0 => format!("p:{name}"),
            1 => format!("{{p, q}}::{name}"),
            2 => format!("m[0..1]:{name}"),
            _ => name,
        };
        match self.random.below(5) {
            0 => format!("{prefixed}/{{{}/{}}}", self.label(), self.label()),
            1 => format!("{prefixed}/{{{}/p.{}, q.a/m[0].a}}", self.label(), self.label()),
            _ => prefixed,
        }
    }

    fn composite(&mut self, i: usize) {
        let parts: Vec<String> = (0..1 + self.random.below(2)).map(|_| self.part()).collect();
        let mut body = format!("({})", parts.join(" || "));
        if self.one_in(6) {
            body = format!("if (N > 1) then {body} else {}", self.pick_process());
        }
        if self.one_in(6) {
            let sign = if self.one_in(2) { "<<" } else { ">>" };
            let _ = write!(body, " {sign} {{{}}}", self.label());
        }
        if self.one_in(4) {
            let sign = if self.one_in(3) { '@' } else { '\\' };
            let _ = write!(body, " {sign} {{{}, p}}", self.label());
        }
        let modifier = if self.one_in(10) { "deterministic " } else { "" };
        let _ = writeln!(self.text, "{modifier}||C{i} = {body}.");
        self.composites.push(format!("C{i}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_fsp::{ComposeOptions, read};

    /// Most files are accepted: otherwise little is compared.
    #[test]
    fn most_files_can_be_composed() {
        let options = ComposeOptions { composite: Some("TOP".to_owned()), ..Default::default() };
        let accepted = (0..200).filter(|&seed| read(&fsp_file(seed), &options).0.is_some());
        assert!(accepted.count() > 150);
    }
}
