//! Asking about infinite runs.

use resy::{CheckReport, Control, Fairness, Question, SearchOptions, Subject, check, engine};
use std::sync::Arc;

/// How cycles are searched for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// With all reductions.
    Usual,
    /// Without any.
    Plain,
    /// With partial order reduction only, on the graph of the system by one thread from the first state on.
    Reordered,
    /// With merged statements only, and by the interpreter; on the graph of the system by two threads.
    Interpreted,
}

impl Setting {
    pub const ALL: [Self; 4] = [Self::Usual, Self::Plain, Self::Reordered, Self::Interpreted];

    fn options(self) -> SearchOptions {
        let with = SearchOptions::default();
        match self {
            Self::Usual => with,
            Self::Plain => SearchOptions { plain: true, interpret: true, ..with },
            Self::Reordered => SearchOptions {
                no_merge: true,
                no_reset: true,
                interpret: true,
                alone: Some(0),
                ..with
            },
            Self::Interpreted => {
                SearchOptions { no_por: true, interpret: true, alone: Some(0), ..with }
            }
        }
    }
}

pub fn subject(text: &str) -> Arc<Subject> {
    let read = Subject::promela("test.pml", text);
    Arc::new(read.subject.unwrap_or_else(|| panic!("{:?}", read.diagnostics)))
}

/// The verdict on one property.
pub fn verdict(
    subject: &Arc<Subject>,
    property: &str,
    fairness: Fairness,
    setting: Setting,
) -> CheckReport {
    let question = Question {
        property: Some(property.to_owned()),
        fairness,
        engine: engine::by_name("monolithic").expect("it is there"),
        search: setting.options(),
        threads: Some(if setting == Setting::Interpreted { 2 } else { 1 }),
        ..Question::default()
    };
    check(subject.clone(), &question, &Control::unlimited()).expect("it is decided")
}
