//! What is asked of a campaign.

use crate::args::{TaskArgs, TaskFailure};
use std::path::PathBuf;
use std::time::Duration;

/// Which seeds, for how long, and where differences go.
#[derive(Debug, Clone)]
pub struct CampaignPlan {
    /// The name of the campaign.
    pub name: String,
    /// The first seed.
    pub from: u64,
    /// The number of seeds.
    pub count: u64,
    /// No case starts after this time.
    pub limit: Option<Duration>,
    /// The number of threads.
    pub jobs: usize,
    /// The folder of the inputs with wrong answers.
    pub keep: PathBuf,
}

impl CampaignPlan {
    /// What the options say; `count` is the number of seeds if they do not say one.
    pub fn new(name: &str, args: &TaskArgs, count: u64) -> Result<CampaignPlan, TaskFailure> {
        let seconds: f64 = args.number("seconds", 0.0)?;
        let limit = (seconds > 0.0).then(|| Duration::try_from_secs_f64(seconds)).transpose();
        Ok(CampaignPlan {
            name: name.to_owned(),
            from: args.number("from", 0)?,
            count: args.number("count", count)?,
            limit: limit.map_err(|error| TaskFailure::new(format!("--seconds: {error}")))?,
            jobs: args.number("jobs", 1)?,
            keep: args.path("keep").unwrap_or_else(|| PathBuf::from("target/campaign")),
        })
    }

    /// The command that runs it again.
    pub fn command(&self) -> String {
        let limit = self.limit.map_or(String::new(), |l| format!(" --seconds {}", l.as_secs_f64()));
        let CampaignPlan { name, from, count, jobs, .. } = self;
        let profile = if cfg!(debug_assertions) { "" } else { " --release" };
        format!(
            "cargo run -p resy-xtask{profile} -- campaign {name} --from {from} --count {count}{limit} --jobs {jobs}"
        )
    }
}
