//! The commands that both builds execute on a model.

use crate::args::TaskFailure;
use crate::tidy::workspace_root;
use resy_testkit::process;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Seconds after which resy is told to stop: in the first run, and in further runs.
const TIMEOUTS: [&str; 2] = ["3", "20"];
/// The time after which a process is killed.
pub const KILL_AFTER: Duration = Duration::from_secs(60);
/// The number of components for which a requirement is synthesised.
const N_MODULES: usize = 2;

/// A model of the corpus.
pub struct ComparedModel {
    /// The path relative to the workspace.
    pub file: String,
    /// The `-D` options of its truth file.
    pub defines: Vec<String>,
}

impl ComparedModel {
    /// Reads the definitions from the `.toml` file beside the model, if there is one.
    pub fn read(root: &Path, file: &Path) -> Result<ComparedModel, TaskFailure> {
        let relative = file.strip_prefix(root).unwrap_or(file).display().to_string();
        let truth = file.with_extension("toml");
        let defines = if truth.exists() {
            let text = std::fs::read_to_string(&truth)?;
            let table: toml::Table = text
                .parse()
                .map_err(|error| TaskFailure::new(format!("{}: {error}", truth.display())))?;
            let defines = table.get("defines").and_then(toml::Value::as_array);
            let defines = defines.map_or(&[][..], Vec::as_slice).iter();
            defines.filter_map(toml::Value::as_str).map(|word| format!("-D{word}")).collect()
        } else {
            Vec::new()
        };
        Ok(ComparedModel { file: relative, defines })
    }
}

/// One command; the file and the definitions are added to it.
pub struct Question {
    /// The row of the table.
    pub name: String,
    words: Vec<String>,
    module: Option<String>,
    /// Whether the command writes a file, which is compared as well.
    pub writes: Option<&'static str>,
}

impl Question {
    fn new(line: &str) -> Question {
        let words = line.split_whitespace().map(str::to_owned).collect();
        Question { name: line.to_owned(), words, module: None, writes: None }
    }

    fn writing(mut self, option: &'static str) -> Question {
        self.name = format!("{} {option}", self.name);
        self.writes = Some(option);
        self
    }

    /// The row of the table and the module.
    pub fn title(&self) -> String {
        match &self.module {
            Some(module) => format!("{} {module}", self.name),
            None => self.name.clone(),
        }
    }

    /// The command line for a build, in the workspace; `out` is the path of the file that is written.
    /// Runs after the first one, which has number 0, have more time.
    pub fn command(&self, resy: &Path, model: &ComparedModel, out: &Path, run: usize) -> Command {
        let mut command = Command::new(resy);
        command.current_dir(workspace_root());
        command.args(&self.words).args(&self.module).args(&model.defines).arg(&model.file);
        if let Some(option) = self.writes {
            command.arg(option).arg(out);
        }
        if self.words[0] != "simulate" {
            command.args(["--json", "--timeout", TIMEOUTS[run.min(1)]]);
        }
        // The search answers before other engines start.
        command.env("RESY_HEAD_START", "60000").env("NO_COLOR", "1");
        command
    }
}

/// The questions about a model. The names of its components come from one of the builds.
pub fn questions(
    model: &ComparedModel,
    resy: &Path,
    scratch: &Scratch,
) -> Result<Vec<Question>, TaskFailure> {
    let mut questions = vec![
        Question::new("check --threads 1 --as-found"),
        Question::new("check --threads 1 --as-found --exhaustive"),
        Question::new("check --threads 1 --as-found --plain"),
        Question::new("check --threads 1 --as-found --engine network"),
        Question::new("check --threads 1 --as-found --engine network --method refinement"),
        Question::new("check --threads 1 --as-found --engine network --method folding"),
        Question::new("check --threads 1 --as-found --engine network --method product"),
        Question::new("check --threads 1 --as-found --engine requirement"),
        Question::new("check --threads 1 --as-found").writing("--certificate"),
        Question::new("check --threads 1 --as-found --engine network --method refinement")
            .writing("--certificate"),
        Question::new("check --threads 1 --as-found --engine network --method folding")
            .writing("--certificate"),
        Question::new("contract init").writing("-o"),
        Question::new("lts"),
        Question::new("simulate --seed 7 --steps 50"),
    ];
    for component in components(model, resy, scratch)? {
        let mut question = Question::new("assume --as-found --module").writing("--certificate");
        question.module = Some(component);
        questions.push(question);
    }
    Ok(questions)
}

/// The first components of the model, processes before variables; none if it is refused.
fn components(
    model: &ComparedModel,
    resy: &Path,
    scratch: &Scratch,
) -> Result<Vec<String>, TaskFailure> {
    let mut command = Question::new("lts").command(resy, model, Path::new(""), 0);
    let output = process::run(&mut command, scratch.path(), KILL_AFTER)?;
    let value: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let components = value["components"].as_array().map_or(&[][..], Vec::as_slice);
    let names = components.iter().filter_map(|component| component["name"].as_str());
    Ok(names.take(N_MODULES).map(str::to_owned).collect())
}
