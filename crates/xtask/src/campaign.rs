//! Campaigns: many generated cases, each with an oracle, for as long as there is time.
//!
//! A case is decided by its seed alone, so that a campaign continues with `--from` where another one
//! ended, and a difference can be seen again with `--count 1`. What a campaign reached is written to a
//! file: the cases, the kinds of answers, the differences, the processor time.

mod case;
mod drive;
mod forged;
mod fuzzing;
mod killed;
mod networks;
mod plan;
mod processor;
mod programs;
mod record;
mod strangers;

use crate::args::{TaskArgs, TaskFailure};
pub use case::{Campaign, CaseDifference, CaseReport};
pub use drive::drive;
pub use forged::Forged;
pub use fuzzing::Fuzzing;
pub use killed::Killed;
pub use networks::Networks;
pub use plan::CampaignPlan;
pub use processor::used as processor_time;
pub use programs::Programs;
pub use record::CampaignRecord;
pub use strangers::Strangers;

/// The names of all campaigns.
pub const CAMPAIGNS: [&str; 6] = ["programs", "networks", "forged", "kill", "strangers", "fuzz"];

/// The task `campaign`; true if there was no difference.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let (record, failure) = record(args)?;
    println!("{record}");
    if let Some(out) = args.path("out") {
        if let Some(folder) = out.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(out, record.to_string())?;
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(record.report.differences.is_empty()),
    }
}

/// Runs the campaign that the arguments name.
pub fn record(args: &TaskArgs) -> Result<(CampaignRecord, Option<TaskFailure>), TaskFailure> {
    let [name] = args.positional() else {
        return Err(TaskFailure::new(format!("campaign needs one of {}", CAMPAIGNS.join(", "))));
    };
    let (campaign, count): (Box<dyn Campaign>, u64) = match name.as_str() {
        "programs" => (Box::new(Programs::new(args)?), 100_000),
        "networks" => (Box::new(Networks), 1_000_000),
        "forged" => (Box::new(Forged), 10_000),
        "kill" => (Box::new(Killed::new(args)?), 200),
        "strangers" => (Box::new(Strangers::new(args)?), 50),
        "fuzz" => (Box::new(Fuzzing::new(args)?), 100_000),
        _ => return Err(TaskFailure::new(format!("no campaign is called `{name}`"))),
    };
    drive(&*campaign, &CampaignPlan::new(name, args, count)?)
}
