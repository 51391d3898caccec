//! Where the processes of `--on` run: `host`, or `host:N` for N threads there.

use std::net::IpAddr;
use std::process::{Command, Stdio};

/// A machine, and the number of threads on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name, as `ssh` knows it.
    pub name: String,
    /// How many threads search there.
    pub n: usize,
}

/// The most threads of one machine.
const MOST: usize = 256;

/// Reads a place.
pub fn parse_place(text: &str) -> Result<Place, String> {
    let (name, n) = match text.rsplit_once(':') {
        Some((name, n)) => (name, n.parse().map_err(|_| format!("`{n}` is not a number"))?),
        None => (text, 1),
    };
    if !(1..=MOST).contains(&n) {
        return Err(format!("a host has 1 to {MOST} threads"));
    }
    // What begins with a dash would be an option of the program that starts processes.
    if name.is_empty() || name.starts_with('-') || name.contains(char::is_whitespace) {
        return Err(format!("`{name}` is not the name of a host"));
    }
    Ok(Place { name: name.to_owned(), n })
}

impl Place {
    /// Whether it is this machine.
    pub fn is_here(&self) -> bool {
        self.name == "localhost"
    }

    /// How many processes that is, and the number of threads of each. What is saved has a part for each thread, which is
    /// a process then.
    pub fn processes(&self, is_saved: bool) -> (usize, usize) {
        if is_saved { (self.n, 1) } else { (1, self.n) }
    }

    /// The command that starts a process there: by `rsh`, where the program is `remote`.
    pub fn command(&self, rsh: &str, remote: &str) -> Command {
        let mut words = rsh.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("ssh"));
        command.args(words).arg(&self.name).arg(remote).arg("host");
        piped(command)
    }
}

/// The command that starts a process here, which listens at an address.
pub fn here(address: IpAddr) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["host", "--listen", &address.to_string()]);
    let mut command = piped(command);
    command.stderr(Stdio::inherit());
    Ok(command)
}

fn piped(mut command: Command) -> Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_threads_or_processes() {
        let place = Place { name: "a".to_owned(), n: 8 };
        assert_eq!([true, false].map(|is_saved| place.processes(is_saved)), [(8, 1), (1, 8)]);
    }

    #[test]
    fn a_place_is_a_name_and_a_number() {
        let place = |name: &str, n| Ok(Place { name: name.to_owned(), n });
        assert_eq!(parse_place("a.b"), place("a.b", 1));
        assert_eq!(parse_place("me@b:8"), place("me@b", 8));
        for wrong in ["", ":3", "a:0", "a:x", "a:1000", "-oProxyCommand=x", "a b"] {
            assert!(parse_place(wrong).is_err(), "{wrong}");
        }
    }
}
