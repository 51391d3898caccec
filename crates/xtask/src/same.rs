//! Compares two builds of resy on the model corpus: every answer has to be equal, except for the
//! differences that `bench/same.toml` lists with a reason.
//!
//! Races of engines and time limits make some answers vary from run to run. A difference therefore
//! counts only if no answer of one build is repeated by the other one in several runs.

mod answer;
mod meant;
mod question;

use crate::args::{TaskArgs, TaskFailure};
use crate::models;
use crate::parallel::{self, LoopControl, lock};
use crate::tidy::workspace_root;
use answer::{Answers, Outcome};
use meant::MeantDifferences;
use question::{ComparedModel, Question};
use resy_testkit::scratch::Scratch;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// The folders of the corpus.
const FOLDERS: &[&str] = &["models", "examples", "docs/examples"];

/// The task `same`; true if every difference is a meant one.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let [old, new] = args.positional() else {
        return Err(TaskFailure::new("same needs two binaries"));
    };
    let builds = [PathBuf::from(old).canonicalize()?, PathBuf::from(new).canonicalize()?];
    let meant = MeantDifferences::read(&workspace_root().join("bench/same.toml"))?;
    let only = args.list("only");
    let models: Vec<ComparedModel> = corpus()?
        .into_iter()
        .filter(|model| only.is_empty() || only.iter().any(|name| model.file.contains(name)))
        .collect();
    let table = Mutex::new(Table::default());
    parallel::for_each(&models, args.number("jobs", 2)?, |model| {
        let scratch = Scratch::new("same")?;
        for question in question::questions(model, &builds[0], &scratch)? {
            let outcome = answer::compare(&builds, model, &question, &scratch)?;
            lock(&table).add(model, &question, outcome, &meant);
        }
        Ok::<LoopControl, TaskFailure>(LoopControl::Continue)
    })?;
    let table = table.into_inner().unwrap_or_else(|e| e.into_inner());
    println!("{} models\n", models.len());
    table.print();
    Ok(table.unexpected.is_empty())
}

/// The models below the folders and the network files beside them, sorted, relative to the workspace.
fn corpus() -> Result<Vec<ComparedModel>, TaskFailure> {
    let root = workspace_root();
    let folders: Vec<String> =
        FOLDERS.iter().map(|folder| root.join(folder).display().to_string()).collect();
    let mut files = models::find(&folders)?;
    for entry in std::fs::read_dir(root.join("docs/examples"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "net") {
            files.push(path);
        }
    }
    files.iter().map(|file| ComparedModel::read(&root, file)).collect()
}

/// The number of comparisons of each kind for every question, and the differences.
#[derive(Default)]
struct Table {
    rows: BTreeMap<String, Row>,
    unexpected: BTreeMap<(String, String), Vec<String>>,
    meant: BTreeMap<String, Vec<String>>,
    varying: Vec<String>,
    stopped: Vec<String>,
}

#[derive(Default)]
struct Row {
    equal: usize,
    varying: usize,
    stopped: usize,
    meant: usize,
    different: usize,
}

impl Table {
    fn add(
        &mut self,
        model: &ComparedModel,
        question: &Question,
        outcome: Outcome,
        meant: &MeantDifferences,
    ) {
        let row = self.rows.entry(question.name.clone()).or_default();
        let title = format!("{}: {}", model.file, question.title());
        match outcome {
            Outcome::Equal(Answers::Complete) => row.equal += 1,
            Outcome::Equal(Answers::Varying) => {
                row.varying += 1;
                self.varying.push(title);
            }
            Outcome::Stopped => {
                row.stopped += 1;
                self.stopped.push(title);
            }
            Outcome::Different(differences) => {
                match meant.reason(&model.file, question, &differences) {
                    Some(reason) => {
                        row.meant += 1;
                        self.meant.entry(reason.to_owned()).or_default().push(title);
                    }
                    None => {
                        row.different += 1;
                        let key = (model.file.clone(), question.title());
                        eprintln!("different: {title}");
                        let lines = differences.iter().map(ToString::to_string).collect();
                        self.unexpected.insert(key, lines);
                    }
                }
            }
        }
    }

    fn print(&self) {
        println!("| command | equal | varying | stopped | meant | different |");
        println!("|---|---|---|---|---|---|");
        for (name, row) in &self.rows {
            let Row { equal, varying, stopped, meant, different } = row;
            println!("| `{name}` | {equal} | {varying} | {stopped} | {meant} | {different} |");
        }
        let sum = |count: fn(&Row) -> usize| self.rows.values().map(count).sum::<usize>();
        println!(
            "| all | {} | {} | {} | {} | {} |",
            sum(|row| row.equal),
            sum(|row| row.varying),
            sum(|row| row.stopped),
            sum(|row| row.meant),
            sum(|row| row.different),
        );
        print_list("Equal in a further run only", &self.varying);
        print_list("Stopped by a time limit", &self.stopped);
        for (reason, titles) in &self.meant {
            print_list(&format!("Meant: {reason}"), titles);
        }
        for ((file, question), lines) in &self.unexpected {
            println!("\ndifferent: {file}: {question}");
            lines.iter().for_each(|line| println!("  {line}"));
        }
    }
}

fn print_list(heading: &str, titles: &[String]) {
    if !titles.is_empty() {
        println!("\n{heading} ({}):", titles.len());
        let mut titles = titles.to_vec();
        titles.sort();
        titles.iter().for_each(|title| println!("  {title}"));
    }
}
