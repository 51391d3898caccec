//! Searches that are killed twice at random moments and go on: the counts must be those of an
//! undisturbed search, with any number of threads and hosts.

use super::case::{Campaign, CaseReport};
use crate::args::{TaskArgs, TaskFailure};
use crate::kill::KillTeam;
use crate::tidy::workspace_root;
use resy_testkit::generate::rng::Rng;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Threads and hosts of the searches, in turn.
const TEAMS: [(usize, usize); 5] = [(1, 1), (2, 1), (1, 2), (3, 1), (2, 2)];

/// Models whose search takes long enough to be killed in the middle, and short enough to be repeated.
const MODELS: [&str; 3] = [
    "bench/models/msi_bus.pml",
    "bench/models/readers_writers.pml",
    "bench/models/leader_ring.pml",
];

/// The time that hosts need to meet.
const MEETING: Duration = Duration::from_millis(300);

/// The campaign `kill`.
pub struct Killed {
    resy: PathBuf,
    models: Vec<KilledModel>,
}

/// A model with what an undisturbed search says about it.
struct KilledModel {
    path: String,
    whole: OnceLock<(String, Duration)>,
}

impl Killed {
    /// With the binary of the options; `--only NAMES` chooses among the models.
    pub fn new(args: &TaskArgs) -> Result<Killed, TaskFailure> {
        let only = args.list("only");
        let is_chosen =
            |path: &&&str| only.is_empty() || only.iter().any(|word| path.contains(word.as_str()));
        let path = |path: &&str| workspace_root().join(path).display().to_string();
        let models = MODELS.iter().filter(is_chosen).map(path);
        let models: Vec<KilledModel> =
            models.map(|path| KilledModel { path, whole: OnceLock::new() }).collect();
        match models.is_empty() {
            true => Err(TaskFailure::new("--only names no model of this campaign")),
            false => Ok(Killed { resy: args.resy(), models }),
        }
    }

    /// The answer of an undisturbed search by one thread, and its time.
    fn whole(&self, model: &KilledModel) -> Result<(String, Duration), TaskFailure> {
        if let Some(whole) = model.whole.get() {
            return Ok(whole.clone());
        }
        let started = Instant::now();
        let answer = self.team(model, (1, 1))?.to_the_end(&[])?;
        Ok(model.whole.get_or_init(|| (answer, started.elapsed())).clone())
    }

    fn team(
        &self,
        model: &KilledModel,
        (threads, hosts): (usize, usize),
    ) -> Result<KillTeam, TaskFailure> {
        KillTeam::new(&self.resy, &model.path, &[], threads, hosts)
    }
}

impl Campaign for Killed {
    fn unit(&self) -> &'static str {
        "searches killed twice"
    }

    fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure> {
        let mut rng = Rng::new(seed);
        let model = &self.models[rng.below(self.models.len())];
        let (whole, time) = self.whole(model)?;
        let (threads, hosts) = TEAMS[(seed % TEAMS.len() as u64) as usize];
        // Hosts first have to meet; if one does not appear, the other waits for half a minute.
        let meeting = if hosts > 1 { MEETING } else { Duration::ZERO };
        let moments = [0, 1].map(|_| meeting + time.mul_f64(rng.below(1000) as f64 / 1000.0));
        let victim = rng.below(hosts);
        let (line, is_right) =
            self.team(model, (threads, hosts))?.round(moments, victim, &whole)?;
        let mut report = CaseReport::default();
        report.one(format!("{threads} threads on each of {hosts} hosts"));
        for (word, kind) in [
            ("--resume killed", "killed after a save, a second time"),
            ("it had ended", "killed too late: it had ended"),
            ("--resume to the end", "resumed to the end"),
            ("--checkpoint to the end", "killed before the first save"),
        ] {
            report.count(kind, line.matches(word).count() as u64);
        }
        if !is_right {
            let what = format!("{threads} threads, {hosts} hosts, {}: {line}", model.path);
            report.differs(seed, what, "txt", format!("{whole}\n{line}\n"));
        }
        Ok(report)
    }
}
