//! Completion scripts and the manual page: both from the definition of the arguments.

use crate::Exit;
use crate::args::Args;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell) -> Exit {
    clap_complete::generate(shell, &mut Args::command(), "resy", &mut std::io::stdout());
    Exit::Holds
}

/// Prints the manual page of the tool and of every command.
pub fn page() -> Exit {
    let mut command = Args::command();
    command.build();
    let pages = std::iter::once(&command).chain(command.get_subcommands());
    for part in pages {
        if let Err(error) = clap_mangen::Man::new(part.clone()).render(&mut std::io::stdout()) {
            eprintln!("resy: cannot write the manual page: {error}");
            return Exit::BadInput;
        }
    }
    Exit::Holds
}
