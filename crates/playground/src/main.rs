//! One request, one answer: the page starts an instance for each, so that no request leaves anything behind.
#![forbid(unsafe_code)]

use std::io::{Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut request = String::new();
    let read = std::io::stdin().read_to_string(&mut request);
    let answer = read.map(|_| resy_playground::answer(&request));
    match answer.and_then(|answer| std::io::stdout().write_all(answer.as_bytes())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("resy-playground: {error}");
            ExitCode::FAILURE
        }
    }
}
