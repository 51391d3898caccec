//! Kills searches that write checkpoints at random moments and resumes them: the counts must be those of
//! an undisturbed search.
//!
//! Each round starts a search, kills it, resumes it, kills it again, and resumes it until it completes.
//! With several hosts only one process is killed; the others must notice, and end with `unknown` within
//! seconds.

use crate::args::{TaskArgs, TaskFailure};
use resy_testkit::generate::rng::Rng;
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The task `kill`; true if all counts are the same.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let Some((model, options)) = args.positional().split_first() else {
        return Err(TaskFailure::new("kill needs a model"));
    };
    let (threads, n_hosts) = (args.number("threads", 1)?, args.number("hosts", 1)?);
    let team = KillTeam::new(&args.resy(), model, options, threads, n_hosts)?;
    let (seed, count): (u64, u64) = (args.number("seed", 0)?, args.number("count", 20)?);
    let started = Instant::now();
    let whole = team.to_the_end(&[])?;
    let time = started.elapsed();
    println!("{whole} in {:.1} s; seed {seed}", time.as_secs_f64());
    let mut rng = Rng::new(seed);
    let mut wrong = 0;
    for round in 0..count {
        let moments = [0, 1].map(|_| time.mul_f64(rng.below(1000) as f64 / 1000.0));
        let (line, fine) = team.round(moments, round as usize, &whole)?;
        println!("{line}");
        wrong += u64::from(!fine);
    }
    println!("{wrong} of {count} wrong");
    Ok(wrong == 0)
}

/// The configuration of the searches.
pub struct KillTeam {
    resy: PathBuf,
    model: String,
    options: Vec<String>,
    threads: usize,
    n_hosts: usize,
    /// The folder of the host lists.
    scratch: Scratch,
}

impl KillTeam {
    /// Searches of a model, with options of `check`, by so many threads on each of so many hosts.
    pub fn new(
        resy: &Path,
        model: &str,
        options: &[String],
        threads: usize,
        n_hosts: usize,
    ) -> Result<KillTeam, TaskFailure> {
        Ok(KillTeam {
            resy: resy.canonicalize()?,
            model: model.to_owned(),
            options: options.to_vec(),
            threads,
            n_hosts: n_hosts.max(1),
            scratch: Scratch::new("hosts")?,
        })
    }

    /// Kills a search twice, completes it, and describes the outcome: a line, and whether it is right.
    pub fn round(
        &self,
        moments: [Duration; 2],
        round: usize,
        whole: &str,
    ) -> Result<(String, bool), TaskFailure> {
        let scratch = Scratch::new("kill")?;
        let mut line = String::new();
        let mut fine = true;
        for moment in moments {
            let how = how(scratch.path());
            let children =
                self.start(&[how, &text(scratch.path()), "--checkpoint-every", "0.1"])?;
            std::thread::sleep(moment);
            let (word, as_expected) = kill(children, round % self.n_hosts)?;
            fine &= as_expected;
            line += &format!("{how} killed after {:.2} s ({word}), ", moment.as_secs_f64());
        }
        let how = how(scratch.path());
        let counts = self.to_the_end(&[how, &text(scratch.path())])?;
        fine &= counts == whole;
        let verdict = if counts == whole { "as before" } else { "WRONG" };
        Ok((format!("{line}{how} to the end: {counts}, {verdict}"), fine))
    }

    /// The verdict and the counts of an undisturbed search.
    pub fn to_the_end(&self, options: &[&str]) -> Result<String, TaskFailure> {
        let outputs = self.start(options)?.into_iter().map(Child::wait_with_output);
        let outputs = outputs.collect::<Result<Vec<Output>, _>>()?;
        let first = &outputs[0];
        let value: Value = serde_json::from_slice(&first.stdout).map_err(|e| {
            TaskFailure::new(format!("{e}: {}", String::from_utf8_lossy(&first.stderr)))
        })?;
        let stats = &value["stats"];
        let [verdict, states] = [&value["verdict"], &stats["states"]];
        let [transitions, depth] = [&stats["transitions"], &stats["depth"]];
        Ok(format!("{verdict}: {states} states, {transitions} transitions, depth {depth}"))
    }

    /// Starts the processes.
    fn start(&self, options: &[&str]) -> Result<Vec<Child>, TaskFailure> {
        let file = self.list_of_hosts()?;
        let start = |index: usize| {
            let mut command = Command::new(&self.resy);
            command.args(["check", "-q", "--json", "--plain", "--exhaustive", "--threads"]);
            command.arg(self.threads.to_string()).arg(&self.model).args(&self.options);
            if self.n_hosts > 1 {
                command.arg("--hosts").arg(&file).arg("--host-index").arg(index.to_string());
            }
            command.args(options).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
        };
        Ok((0..self.n_hosts).map(start).collect::<Result<Vec<Child>, _>>()?)
    }

    /// A host list whose addresses are unused.
    fn list_of_hosts(&self) -> Result<PathBuf, TaskFailure> {
        let listen = |_| TcpListener::bind("127.0.0.1:0");
        let listeners = (0..self.n_hosts).map(listen).collect::<Result<Vec<_>, _>>()?;
        let addresses = listeners.iter().map(TcpListener::local_addr);
        let addresses = addresses.collect::<Result<Vec<_>, _>>()?;
        let file = self.scratch.path().join(format!("hosts-{}", addresses[0].port()));
        let lines: Vec<String> = addresses.iter().map(|a| format!("{a}\n")).collect();
        std::fs::write(&file, lines.concat())?;
        Ok(file)
    }
}

/// Kills one of the processes and waits for the others. Returns what happened, and whether it is
/// expected.
fn kill(mut children: Vec<Child>, victim: usize) -> Result<(String, bool), TaskFailure> {
    if children[victim].try_wait()?.is_some() {
        for child in children {
            child.wait_with_output()?;
        }
        return Ok(("it had ended".to_owned(), true));
    }
    children[victim].kill()?;
    let killed = Instant::now();
    children.remove(victim).wait_with_output()?;
    let (mut codes, mut never_met) = (Vec::new(), false);
    for child in children {
        let output = child.wait_with_output()?;
        never_met |= String::from_utf8_lossy(&output.stdout).contains("a host did not appear");
        codes.push(output.status.code());
    }
    if codes.is_empty() {
        return Ok(("alone".to_owned(), true));
    }
    // A host that was killed before the others met it is waited for.
    let late = killed.elapsed() > Duration::from_secs(8) && !never_met;
    // If a host is killed at the very end, the others already have the verdict.
    let fine = !late && codes.iter().all(|code| matches!(code, Some(0 | 1 | 3)));
    let codes: Vec<String> =
        codes.iter().map(|c| c.map_or("?".into(), |c| c.to_string())).collect();
    let after = killed.elapsed().as_secs_f64();
    Ok((format!("host {victim}, the others end with {} after {after:.1} s", codes.join(" ")), fine))
}

/// The option to continue with: `--resume` if there is a complete checkpoint, of a single worker or of all
/// shares of several.
fn how(folder: &Path) -> &'static str {
    let has_meta = |folder: &Path| {
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
        names.map(|e| e.file_name()).any(|n| n.to_string_lossy().starts_with("meta-"))
    };
    let shares: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    let several = !shares.is_empty() && shares.iter().all(|share| has_meta(share));
    if has_meta(folder) || several {
        return "--resume";
    }
    // The first checkpoint was incomplete and is useless.
    shares.iter().for_each(|share| _ = std::fs::remove_dir_all(share));
    "--checkpoint"
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
