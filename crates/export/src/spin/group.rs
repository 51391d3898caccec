//! What only Unix has: the process group of a child, so that what the child has started itself is told as well, and
//! folders that nobody else may read.
//!
//! Elsewhere only the child is ended, without its partial results, and folders are as the system makes them.

/// What a child is told to do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To print its partial results, and to end.
    Report,
    /// To end at once.
    End,
}

#[cfg(unix)]
pub use unix::{own, private_folder, signal_of, tell};

#[cfg(unix)]
mod unix {
    use super::Wish;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::fs::DirBuilder;
    use std::os::unix::fs::DirBuilderExt;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, ExitStatus};

    /// Lets a command start a group of its own.
    pub fn own(command: &mut Command) -> &mut Command {
        command.process_group(0)
    }

    /// Tells the group of a child that was not waited for yet, so that its id cannot have been reused.
    pub fn tell(child: &mut Child, wish: Wish) {
        let signal = match wish {
            Wish::Report => Signal::INT,
            Wish::End => Signal::KILL,
        };
        if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // The child may have ended in the meantime.
            let _ = kill_process_group(pid, signal);
        }
    }

    /// The signal that ended a child, or 0.
    pub fn signal_of(status: ExitStatus) -> i32 {
        status.signal().unwrap_or(0)
    }

    /// Makes a folder for its owner.
    pub fn private_folder() -> DirBuilder {
        let mut builder = DirBuilder::new();
        builder.mode(0o700);
        builder
    }
}

#[cfg(not(unix))]
pub use elsewhere::{own, private_folder, signal_of, tell};

#[cfg(not(unix))]
mod elsewhere {
    use super::Wish;
    use std::fs::DirBuilder;
    use std::process::{Child, Command, ExitStatus};

    pub fn own(command: &mut Command) -> &mut Command {
        command
    }

    pub fn tell(child: &mut Child, _: Wish) {
        // The child may have ended in the meantime.
        let _ = child.kill();
    }

    pub fn signal_of(_: ExitStatus) -> i32 {
        0
    }

    pub fn private_folder() -> DirBuilder {
        DirBuilder::new()
    }
}
