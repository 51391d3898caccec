//! Completion scripts and the manual page: both from the definition of the arguments.

use crate::Exit;
use crate::args::Args;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "resy", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Exit::Holds
}

/// Prints the manual page of the tool and of every command.
pub fn page() -> Exit {
    let mut command = Args::command();
    command.build();
    let pages = std::iter::once(&command).chain(command.get_subcommands());
    let mut text = Vec::new();
    for part in pages {
        clap_mangen::Man::new(part.clone()).render(&mut text).expect("memory takes all");
    }
    print!("{}", String::from_utf8_lossy(&text));
    Exit::Holds
}
