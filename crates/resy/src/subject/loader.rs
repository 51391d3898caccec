//! Where included files come from.

use super::{CLAIM, MODEL};
use resy_certificate::Include;
use resy_promela::preprocess::Loader;
use std::path::{Path, PathBuf};

/// Finds the texts that a text includes.
pub trait Texts {
    /// The file that `from` asks for as `name`, in angled brackets or in quotes: its path and
    /// its text, or a message.
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String>;
}

/// Includes nothing: the subject is one text.
pub struct NoFiles;

impl Texts for NoFiles {
    fn find(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        Err(format!("cannot find `{name}`"))
    }
}

/// Includes files: from the folder of the including file, then from given folders.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The folders to look into beside that of the including file.
    pub folders: Vec<PathBuf>,
}

impl Texts for Files {
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let beside = Path::new(from).parent().map(Path::to_path_buf);
        let folders = beside.filter(|_| !angled).into_iter().chain(self.folders.iter().cloned());
        let mut last = format!("cannot find `{name}`");
        for folder in folders {
            let path = folder.join(name);
            match std::fs::read(&path) {
                Ok(bytes) => return Ok((path.display().to_string(), decode(bytes))),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => last = format!("cannot read {}: {e}", path.display()),
            }
        }
        Err(last)
    }
}

/// The text of a file; bytes that are not UTF-8 are replaced.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into())
}

/// Finds included files and remembers them.
pub(super) struct Recorder<'a> {
    pub texts: &'a mut dyn Texts,
    /// The model, if a wrapper includes it.
    pub wrapped: Option<(String, String)>,
    /// The claim, if a wrapper includes one.
    pub claim: Option<(String, String)>,
    /// What was included.
    pub found: Vec<Include>,
}

impl Loader for Recorder<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let (path, text) = self.find(name, angled, from)?;
        self.found.push(Include::new(name, angled, from, &path, &text));
        Ok((path, text))
    }
}

impl Recorder<'_> {
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        if let Some(model) = self.wrapped.take_if(|_| name == MODEL) {
            return Ok(model);
        }
        if let Some(claim) = self.claim.clone().filter(|_| name == CLAIM) {
            return Ok(claim);
        }
        self.texts.find(name, angled, from)
    }
}
