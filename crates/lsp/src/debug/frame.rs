//! Messages on a stream: a header with the length, then JSON.

use serde_json::Value;
use std::io::{BufRead, Read, Write};

/// A message that claims to be longer is no message.
const MAX_LENGTH: u64 = 64 << 20;

/// The next message; `None` at the end of the stream, or if it is no message.
pub fn read_message(mut input: &mut dyn BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        // A header of more than this is none.
        let read = (&mut input).take(4096).read_line(&mut line).ok()?;
        if read == 0 {
            return None;
        }
        match line.trim_end() {
            "" if length.is_some() => break,
            head => {
                if let Some(number) = head.strip_prefix("Content-Length:") {
                    length = number.trim().parse::<u64>().ok().filter(|n| *n <= MAX_LENGTH);
                }
            }
        }
    }
    let mut text = Vec::new();
    input.take(length?).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Writes a message.
pub fn write_message(output: &mut dyn Write, message: &Value) -> std::io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}
