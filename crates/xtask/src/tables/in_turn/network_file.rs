//! A network file as `resy lts` writes it, whose components can be replaced one by one.

use super::super::ask::CaseBench;
use resy_testkit::process::Output;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The components and the rest of the file, in a folder with their automata.
#[derive(Debug)]
pub struct NetworkFile {
    folder: PathBuf,
    /// The components, in the order of the file.
    pub components: Vec<FileComponent>,
    /// The text of the monitor.
    tail: String,
}

/// A component whose automaton is in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileComponent {
    /// The name without quotes.
    pub name: String,
    /// The name as written in the file.
    quoted: String,
    /// The file of the automaton.
    file: String,
    /// All clauses except the names of states, which a requirement does not have.
    clauses: String,
}

impl NetworkFile {
    /// Reads the `model.net` of a folder; `None` if it has an unexpected form.
    pub fn read(folder: &Path) -> io::Result<Option<NetworkFile>> {
        let text = fs::read_to_string(folder.join("model.net"))?;
        let Some((components, tail)) = parse(&text) else { return Ok(None) };
        let mut network = NetworkFile { folder: folder.to_owned(), components, tail };
        for number in 0..network.components.len() {
            network.keep_alphabet(number)?;
        }
        Ok(Some(network))
    }

    /// Keeps the alphabet: an automaton without any transition of an action must still block it.
    fn keep_alphabet(&mut self, number: usize) -> io::Result<()> {
        let component = &mut self.components[number];
        let labels = labels(&fs::read_to_string(self.folder.join(&component.file))?);
        if !labels.is_empty() {
            let labels: Vec<String> = labels.into_iter().collect();
            let _ = writeln!(component.clauses, "  alphabet {}", labels.join(",\n    "));
        }
        Ok(())
    }

    /// The number of states of each component.
    pub fn sizes(&self) -> Vec<u64> {
        let size = |component: &FileComponent| {
            let text = fs::read_to_string(self.folder.join(&component.file)).unwrap_or_default();
            n_states(&text).unwrap_or(1)
        };
        self.components.iter().map(size).collect()
    }

    /// Writes the file and returns its path.
    pub fn write(&self) -> io::Result<PathBuf> {
        let mut text = "network\n\n".to_owned();
        for FileComponent { quoted, file, clauses, .. } in &self.components {
            let _ = writeln!(text, "component {quoted} \"{file}\"\n{clauses}");
        }
        let path = self.folder.join("now.net");
        fs::write(&path, text + &self.tail)?;
        Ok(path)
    }

    /// Computes the requirement of a component, into a file beside the automaton.
    pub fn assume(&self, bench: &CaseBench, number: usize) -> io::Result<Output> {
        let mut command = Command::new(&bench.resy);
        command.args(["assume", "--method", "refine", "--json", "-q"]);
        command.args(["--module", &self.components[number].name]);
        command.arg("-o").arg(self.folder.join(requirement_file(number))).arg(self.write()?);
        bench.run(&mut command, bench.limit)
    }

    /// Replaces the component by its requirement.
    pub fn replace(&mut self, number: usize) -> io::Result<()> {
        // The next requirement is written to the same file while this one is read.
        let file = format!("taken-{number}.aut");
        fs::copy(self.folder.join(requirement_file(number)), self.folder.join(&file))?;
        self.components[number].file = file;
        Ok(())
    }
}

fn requirement_file(number: usize) -> String {
    format!("requirement-{number}.aut")
}

/// The components, and the text from the monitor on.
fn parse(text: &str) -> Option<(Vec<FileComponent>, String)> {
    let start = text.find("\nmonitor ").map(|at| at + 1)?;
    let (head, tail) = text.split_at(start);
    let mut components = Vec::new();
    let mut in_states = false;
    for line in head.lines().skip(1) {
        if let Some(rest) = line.strip_prefix("component ") {
            let (quoted, file) = rest.trim_end().strip_suffix('"')?.rsplit_once(" \"")?;
            let name = quoted.trim_matches('"').to_owned();
            let (quoted, file) = (quoted.to_owned(), file.to_owned());
            components.push(FileComponent { name, quoted, file, clauses: String::new() });
        } else {
            in_states |= line.starts_with("  states ");
            if !in_states && !line.trim().is_empty() {
                let clauses = &mut components.last_mut()?.clauses;
                let _ = writeln!(clauses, "{line}");
            }
            in_states &= line.ends_with(',');
        }
    }
    Some((components, tail.to_owned()))
}

/// The actions on the transitions of an automaton in Aldebaran format, as written there.
fn labels(aut: &str) -> BTreeSet<String> {
    let label = |line: &str| {
        let (_, rest) = line.split_once(", ")?;
        let (label, _) = rest.rsplit_once(", ")?;
        Some(label.to_owned())
    };
    let transitions = aut.lines().filter(|line| line.starts_with('('));
    transitions.filter_map(label).filter(|label| label != "i").collect()
}

/// The number of states, the last number of `des (0, 9, 7)`.
fn n_states(aut: &str) -> Option<u64> {
    let header = aut.lines().next()?.strip_prefix("des (")?.trim_end().strip_suffix(')')?;
    header.rsplit(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NET: &str = "network\n\ncomponent Server \"Server.aut\"\n  states \"end, who=0\",\n    \"line 44\"\n\n\
        component \"Client[2]\" \"Client_2_.aut\"\n  alphabet \"a, b\",\n    c\n  states one\n\n\
        monitor \"monitor.aut\"\n  states \"error\"\n  error 0\n";
    const AUT: &str = "des (0, 3, 2)\n(0, \"P>Q: q!1, 2\", 1)\n(1, i, 0)\n(1, done, 0)\n";

    #[test]
    fn components_lose_the_names_of_their_states() {
        let (components, tail) = parse(NET).expect("it is as resy writes it");
        let names: Vec<&str> = components.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["Server", "Client[2]"]);
        assert_eq!(
            (components[0].clauses.as_str(), components[0].file.as_str()),
            ("", "Server.aut")
        );
        assert_eq!(components[1].quoted, "\"Client[2]\"");
        assert_eq!(components[1].clauses, "  alphabet \"a, b\",\n    c\n");
        assert!(tail.starts_with("monitor ") && tail.ends_with("error 0\n"));
        assert_eq!(parse("network\n"), None);
    }

    #[test]
    fn actions_and_states_are_read() {
        let expected = ["\"P>Q: q!1, 2\"", "done"].map(str::to_owned);
        assert_eq!(labels(AUT), expected.into());
        assert_eq!((n_states(AUT), n_states("")), (Some(2), None));
    }
}
