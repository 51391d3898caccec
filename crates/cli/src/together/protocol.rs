//! What the processes of `--on` say to each other: a line from the host that was started, and a line to it.
//!
//! The host tells where it listens. It is told what to search: the arguments, all texts, the other hosts, and the
//! key that they share. This goes through the standard input and output of the program that starts processes on other
//! machines, so that the key is in no argument and in no file.

use crate::texts::Sent;
use serde_json::{Value, json};
use std::io::{BufRead, Error, ErrorKind, Result, Write};
use std::net::{IpAddr, SocketAddr};

/// The first word of a host: whatever a shell prints before it is skipped.
const GREETING: &str = "resy-host";
/// The most lines that are skipped.
const SKIPPED: usize = 1000;

/// What a host says first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The version of resy.
    pub version: String,
    /// Where it listens.
    pub address: SocketAddr,
    /// The machine that has started it, as it sees it.
    pub caller: Option<IpAddr>,
}

/// What a host is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The arguments of the call.
    pub args: Vec<String>,
    /// All texts that are read.
    pub texts: Sent,
    /// The addresses of all hosts, one on a line.
    pub hosts: String,
    /// The number of this one.
    pub index: usize,
    /// The number of its threads.
    pub threads: usize,
    /// The text of the key.
    pub key: String,
    /// Whether a saved search goes on.
    pub resumes: bool,
}

impl Hello {
    /// Says it.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let caller = self.caller.map(|ip| ip.to_string());
        let address = self.address.to_string();
        let said = json!({ "version": self.version, "address": address, "caller": caller });
        writeln!(out, "{GREETING} {said}")?;
        out.flush()
    }

    /// Waits for it.
    pub fn read(input: &mut impl BufRead) -> Result<Self> {
        for _ in 0..SKIPPED {
            let line = line(input)?;
            let Some(said) = line.strip_prefix(GREETING) else { continue };
            let said: Value = serde_json::from_str(said)?;
            let text = |name: &str| said[name].as_str().ok_or_else(|| damaged(name));
            let address = text("address")?.parse().map_err(|_| damaged("address"))?;
            let caller = said["caller"].as_str().and_then(|ip| ip.parse().ok());
            return Ok(Self { version: text("version")?.to_owned(), address, caller });
        }
        Err(damaged(GREETING))
    }
}

impl Job {
    /// Sends it.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let job = json!({
            "args": self.args, "texts": self.texts.to_json(), "hosts": self.hosts,
            "index": self.index, "threads": self.threads, "key": self.key, "resumes": self.resumes,
        });
        writeln!(out, "{job}")?;
        out.flush()
    }

    /// Waits for it.
    pub fn read(input: &mut impl BufRead) -> Result<Self> {
        let job: Value = serde_json::from_str(&line(input)?)?;
        let text = |name: &str| job[name].as_str().map(str::to_owned).ok_or_else(|| damaged(name));
        let args = job["args"].as_array().ok_or_else(|| damaged("args"))?;
        let arg = |arg: &Value| arg.as_str().map(str::to_owned).ok_or_else(|| damaged("args"));
        Ok(Self {
            args: args.iter().map(arg).collect::<Result<_>>()?,
            texts: Sent::of_json(&job["texts"]).ok_or_else(|| damaged("texts"))?,
            hosts: text("hosts")?,
            index: job["index"].as_u64().ok_or_else(|| damaged("index"))? as usize,
            threads: job["threads"].as_u64().ok_or_else(|| damaged("threads"))? as usize,
            key: text("key")?,
            resumes: job["resumes"].as_bool().unwrap_or(false),
        })
    }
}

/// The next line; an error at the end.
fn line(input: &mut impl BufRead) -> Result<String> {
    let mut line = Vec::new();
    match input.read_until(b'\n', &mut line)? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        _ => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
    }
}

fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("`{what}` is missing or not readable"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_heard() {
        let hello = Hello {
            version: "1.2".to_owned(),
            address: "[::1]:70".parse().expect("an address"),
            caller: Some([10, 0, 0, 1].into()),
        };
        let mut bytes = b"Welcome!\n\xff\n".to_vec();
        hello.write(&mut bytes).expect("memory");
        assert_eq!(Hello::read(&mut bytes.as_slice()).expect("a greeting"), hello);
        let job = Job {
            args: vec!["check".to_owned(), "a \"b\"\n.pml".to_owned()],
            texts: Sent::default(),
            hosts: "a:1\nb:2\n".to_owned(),
            index: 1,
            threads: 8,
            key: "secret".to_owned(),
            resumes: true,
        };
        let mut bytes = Vec::new();
        job.write(&mut bytes).expect("memory");
        assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count(), 1);
        assert_eq!(Job::read(&mut bytes.as_slice()).expect("a job"), job);
        bytes.truncate(bytes.len() / 2);
        assert!(Job::read(&mut bytes.as_slice()).is_err());
    }
}
