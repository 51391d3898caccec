//! The texts of a call: those of files, or those that another process has read and sent.
//!
//! With `--on` the files are on one machine only. What is read there is noted, and the processes on the other machines
//! are given the same texts for the same names.

use crate::pieces::{self, Unread};
use resy::{Control, Files, Texts};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Texts by the names under which they were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// The files that the call names: name and text.
    named: Vec<(String, String)>,
    /// The files that these include.
    included: Vec<IncludedText>,
}

/// An included file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct IncludedText {
    name: String,
    angled: bool,
    from: String,
    path: String,
    text: String,
}

/// Standard input can be read only once.
static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();
/// The texts that were sent, if they were.
static SENT: OnceLock<Sent> = OnceLock::new();
/// What was read so far.
static READ: Mutex<Sent> = Mutex::new(Sent { named: Vec::new(), included: Vec::new() });

/// Whether what is read is noted: a second copy of each text.
static IS_NOTED: AtomicBool = AtomicBool::new(false);

/// From here on what is read is noted.
pub fn note() {
    IS_NOTED.store(true, Ordering::Relaxed);
}

/// From here on these are the texts.
pub fn receive(sent: Sent) {
    let _ = SENT.set(sent);
}

/// What was read since it is noted.
pub fn read_so_far() -> Sent {
    READ.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The text of a file; bytes that are not UTF-8 are replaced.
pub fn read(file: &Path, control: &Control) -> Result<String, Unread> {
    let name = file.display().to_string();
    if let Some(sent) = SENT.get() {
        let named = sent.named.iter().find(|(known, _)| *known == name);
        let text = named.map(|(_, text)| text.clone());
        return text.ok_or_else(|| Unread::Failed(ErrorKind::NotFound.into()));
    }
    let bytes = match file == Path::new("-") {
        true => match STANDARD_INPUT.get() {
            Some(bytes) => bytes.clone(),
            None => {
                let bytes = pieces::read(file, control)?;
                STANDARD_INPUT.get_or_init(|| bytes).clone()
            }
        },
        false => pieces::read(file, control)?,
    };
    let text = resy::decode(bytes);
    if IS_NOTED.load(Ordering::Relaxed) {
        let mut known = READ.lock().unwrap_or_else(PoisonError::into_inner);
        known.named.push((name, text.clone()));
    }
    Ok(text)
}

/// Finds included files.
pub struct Included(pub Files);

impl Texts for Included {
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        if let Some(sent) = SENT.get() {
            let is_it = |f: &&IncludedText| f.name == name && f.angled == angled && f.from == from;
            let found = sent.included.iter().find(is_it);
            let found = found.map(|found| (found.path.clone(), found.text.clone()));
            return found.ok_or_else(|| format!("cannot find `{name}`"));
        }
        let (path, text) = self.0.find(name, angled, from)?;
        if !IS_NOTED.load(Ordering::Relaxed) {
            return Ok((path, text));
        }
        let mut known = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let [name, from] = [name, from].map(str::to_owned);
        known.included.push(IncludedText {
            name,
            angled,
            from,
            path: path.clone(),
            text: text.clone(),
        });
        Ok((path, text))
    }

    fn begin(&mut self, main: &str) {
        self.0.begin(main);
    }
}

impl Sent {
    /// As it is sent.
    pub fn to_json(&self) -> Value {
        let included = self.included.iter();
        let included = included.map(|f| json!([f.name, f.angled, f.from, f.path, f.text]));
        json!({ "named": self.named, "included": included.collect::<Vec<_>>() })
    }

    /// As it is received; `None` if it is damaged.
    pub fn of_json(value: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let named = value["named"].as_array()?.iter();
        let named = named.map(|pair| Some((text(&pair[0])?, text(&pair[1])?)));
        let included = value["included"].as_array()?.iter().map(|f| {
            let [name, from, path, text] = [text(&f[0])?, text(&f[2])?, text(&f[3])?, text(&f[4])?];
            Some(IncludedText { name, angled: f[1].as_bool()?, from, path, text })
        });
        Some(Self {
            named: named.collect::<Option<_>>()?,
            included: included.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_arrive_as_they_were_read() {
        let [name, from, path, text] =
            ["a.h", "m.pml", "x/a.h", "int x;\n\u{1}"].map(str::to_owned);
        let included = vec![IncludedText { name, angled: true, from, path, text }];
        let sent = Sent { named: vec![("m.pml".to_owned(), "init { skip }".to_owned())], included };
        assert_eq!(Sent::of_json(&sent.to_json()), Some(sent));
        assert_eq!(Sent::of_json(&json!({ "named": [["a"]], "included": [] })), None);
    }
}
