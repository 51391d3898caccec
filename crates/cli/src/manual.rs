//! Completion scripts and the manual page: both from the definition of the arguments.

use crate::Exit;
use crate::args::Args;
use crate::tell::bad_input;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "resy", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Exit::Holds
}

/// Prints the manual page of the tool and of every command, or of one command.
pub fn page(name: Option<&str>) -> Exit {
    let mut command = Args::command();
    command.build();
    let all = || std::iter::once(&command).chain(command.get_subcommands());
    let is_asked = |part: &&clap::Command| name.is_none_or(|name| part.get_name() == name);
    let mut text = Vec::new();
    for part in all().filter(is_asked) {
        clap_mangen::Man::new(part.clone()).render(&mut text).expect("memory takes all");
    }
    if text.is_empty() {
        let name = name.unwrap_or_default();
        let similar = resy::similar(name, all().map(clap::Command::get_name));
        let hint = similar.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        return bad_input(format!("no command `{}`{hint}", resy::quote(name)));
    }
    print!("{}", String::from_utf8_lossy(&text));
    Exit::Holds
}
