//! The conditions of measurements: the command, the versions of the tools, the machine.

use std::fs;
use std::io;
use std::process::Command;

/// The command and a Markdown list, to which callers may append.
pub fn describe(resy_version: &str) -> io::Result<String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor =
        processor.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("");
    Ok(format!(
        "Command: `cargo run --release -p resy-xtask -- {}`\n\n\
         - {}\n- {}\n- {}\n- {resy_version}\n- {} threads of {}\n\
         - load before the first run: {}\n",
        words.join(" "),
        first_line("date", &["-u", "+%Y-%m-%d %H:%M UTC"]),
        first_line("spin", &["-V"]),
        first_line("gcc", &["--version"]),
        std::thread::available_parallelism()?,
        processor.trim_start_matches(['\t', ':', ' ']),
        fs::read_to_string("/proc/loadavg").unwrap_or_default().trim(),
    ))
}

/// The first line of a program's output; empty if it cannot be run.
pub fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

/// The memory of the machine, in megabytes.
pub fn megabytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}
