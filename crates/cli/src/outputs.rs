//! Files that commands write.
//!
//! A search may take hours, and its verdict must not be lost because a file cannot be written. So
//! whether it can is checked before, without changing anything; the search goes on in any case, the
//! verdict is printed first, and the exit code says that a file is missing.

use crate::Exit;
use crate::tell;
use resy::{Control, quote};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of a command that could not be written so far.
#[derive(Default)]
pub struct Outputs {
    missing: Vec<PathBuf>,
}

impl Outputs {
    /// Checks whether these files can be written, and warns if not.
    pub fn check<'a>(files: impl IntoIterator<Item = Option<&'a PathBuf>>) -> Self {
        let mut outputs = Self::default();
        for file in files.into_iter().flatten() {
            outputs.warn(file, can_write(file));
        }
        outputs
    }

    /// Checks whether files can be written into a folder, which need not exist; warns if not.
    pub fn check_folder(&mut self, folder: &Path) {
        self.warn(folder, can_write_into(folder));
    }

    fn warn(&mut self, path: &Path, result: io::Result<()>) {
        if let Err(error) = result {
            let name = shown(path);
            tell::warning(format!(
                "cannot write {name}: {error}; the verdict is printed all the same"
            ));
            self.missing.push(path.to_owned());
        }
    }

    /// Whether a file was found that cannot be written.
    pub fn misses(&self, path: &Path) -> bool {
        self.missing.iter().any(|missing| missing == path)
    }

    /// Writes a file, or complains; whether it is written. To be called after the verdict is printed.
    pub fn write(&mut self, file: &Path, text: &str) -> bool {
        self.note(file, fs::write(file, text))
    }

    /// Like [`write`](Self::write), up to a limit, at which what is written so far is removed.
    pub fn write_within(&mut self, file: &Path, text: &str, control: &Control) -> bool {
        let mut stop = None;
        let result = write_while(file, text, &mut || {
            stop = control.exceeded();
            stop.is_none()
        });
        match stop {
            None => self.note(file, result),
            Some(stop) => {
                tell::comment(format!("{} is not written: {stop}", shown(file)));
                false
            }
        }
    }

    /// Notes that something could not be written, or could be after all.
    fn note(&mut self, file: &Path, result: io::Result<()>) -> bool {
        self.missing.retain(|missing| missing != file);
        if let Err(error) = &result {
            tell::bad_input(format!("cannot write {}: {error}", shown(file)));
            self.missing.push(file.to_owned());
        }
        result.is_ok()
    }

    /// Notes that something is not written, which the user knows already.
    pub fn lose(&mut self, path: &Path) {
        self.missing.push(path.to_owned());
    }

    /// Writes files into a folder, which is created if it does not exist.
    pub fn write_into(&mut self, folder: &Path, files: &[(String, String)]) {
        let result = fs::create_dir_all(folder);
        if self.note(folder, result) {
            files.iter().for_each(|(name, text)| _ = self.write(&folder.join(name), text));
        }
    }

    /// How the command ends: as it would, or with a file missing.
    pub fn exit(&self, exit: Exit) -> Exit {
        if self.missing.is_empty() { exit } else { Exit::BadInput }
    }
}

/// Between pieces of this size a limit is asked for.
const PIECE: usize = 1 << 20;

/// Writes a file in pieces. If `go_on` cancels or a piece cannot be written, no half file stays behind.
fn write_while(file: &Path, text: &str, go_on: &mut dyn FnMut() -> bool) -> io::Result<()> {
    let mut open = fs::File::create(file)?;
    let written = text.as_bytes().chunks(PIECE).try_for_each(|piece| match go_on() {
        true => open.write_all(piece),
        false => Err(io::ErrorKind::Interrupted.into()),
    });
    let is_regular = open.metadata().is_ok_and(|meta| meta.is_file());
    if written.is_err() && is_regular && fs::remove_file(file).is_err() {
        open.set_len(0)?;
    }
    written
}

/// Whether a file can be written. Nothing in it is changed, and a file that does not exist is not left
/// behind. What is not a regular file, such as a pipe, is not tried.
fn can_write(file: &Path) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(meta) if meta.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(meta) if !meta.is_file() => Ok(()),
        Ok(_) => OpenOptions::new().write(true).open(file).map(drop),
        Err(_) => match OpenOptions::new().write(true).create_new(true).open(file) {
            Ok(_) => fs::remove_file(file),
            // A link that leads nowhere: writing creates what it leads to.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        },
    }
}

/// Whether files can be created in a folder. A folder that does not exist is not left behind.
fn can_write_into(folder: &Path) -> io::Result<()> {
    let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let new: Vec<&Path> = folder.ancestors().take_while(is_new).collect();
    let result = fs::create_dir_all(folder).and_then(|()| {
        let probe = folder.join(format!(".resy-{}", std::process::id()));
        OpenOptions::new().write(true).create_new(true).open(&probe)?;
        fs::remove_file(&probe)
    });
    // Whoever uses one of them meanwhile keeps it.
    new.iter().for_each(|path| _ = fs::remove_dir(path));
    result
}

/// The name of a file, for one line of a message.
pub fn shown(file: &Path) -> String {
    quote(&file.to_string_lossy()).into_owned()
}

/// The width of the page: that of the terminal, if there is one.
pub fn columns() -> usize {
    const COLUMNS: usize = 100;
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| usize::from(width.0))
}

/// How a file was made, for its readers.
pub fn made_by() -> String {
    let call: Vec<String> =
        std::env::args_os().skip(1).map(|a| a.to_string_lossy().into()).collect();
    format!("Made by resy {} with: resy {}", env!("CARGO_PKG_VERSION"), call.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_half_file_stays_behind() {
        let folder = std::env::temp_dir().join(format!("resy-outputs-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("large.cert");
        let text = "x".repeat(3 * PIECE);
        let mut n_left = 2;
        let result = write_while(&file, &text, &mut || {
            n_left -= 1;
            n_left > 0
        });
        assert!(result.is_err() && !file.exists());

        let control = Control::unlimited();
        let mut outputs = Outputs::default();
        assert!(outputs.write_within(&file, &text, &control));
        assert_eq!(fs::metadata(&file).expect("a file").len(), text.len() as u64);
        assert!(!outputs.misses(&file));
        control.canceller().cancel();
        assert!(!outputs.write_within(&file, &text, &control));
        assert!(!file.exists());
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
