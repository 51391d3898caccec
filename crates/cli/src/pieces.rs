//! Reading files and pipes as long as the limits permit.
//!
//! A device may have no end, and a pipe may wait for its writer for ever. So what is read comes in pieces, between which
//! the control is asked, and what may wait is read by another thread, which ends with the process.

use resy::Control;
use resy::control::Stop;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The size of a piece.
const PIECE: usize = 1 << 20;

/// How often the control is asked while nothing arrives.
const PATIENCE: Duration = Duration::from_millis(20);

/// Places in a text have 32 bits.
const MOST: usize = u32::MAX as usize;

/// Why there is no text.
#[derive(Debug)]
pub enum Unread {
    /// It cannot be read.
    Failed(io::Error),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// The bytes of a file; `-` is the standard input.
pub fn read(file: &Path, control: &Control) -> Result<Vec<u8>, Unread> {
    let is_input = file == Path::new("-");
    match !is_input && file.metadata()?.is_file() {
        true => gathered(pieces(File::open(file)?).map(|piece| piece.map(Some)), control),
        false => read_apart(file, is_input, control),
    }
}

/// What never waits is read here.
fn pieces(mut open: impl Read) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    std::iter::from_fn(move || {
        let mut piece = Vec::new();
        let read = open.by_ref().take(PIECE as u64).read_to_end(&mut piece);
        read.map(|n| (n > 0).then_some(piece)).transpose()
    })
}

/// What may wait is read by a thread of its own.
fn read_apart(file: &Path, is_input: bool, control: &Control) -> Result<Vec<u8>, Unread> {
    let (sender, received) = mpsc::sync_channel(2);
    let file = file.to_owned();
    std::thread::Builder::new().spawn(move || {
        let opened: io::Result<Box<dyn Read>> = match is_input {
            true => Ok(Box::new(io::stdin())),
            false => File::open(file).map(|open| Box::new(open) as Box<dyn Read>),
        };
        match opened {
            Ok(open) => pieces(open).try_for_each(|piece| {
                let is_wrong = piece.is_err();
                let is_wanted = sender.send(piece).is_ok();
                (is_wanted && !is_wrong).then_some(())
            }),
            Err(error) => sender.send(Err(error)).ok(),
        }
    })?;
    let arriving = std::iter::from_fn(|| match received.recv_timeout(PATIENCE) {
        Ok(piece) => Some(piece.map(Some)),
        Err(RecvTimeoutError::Timeout) => Some(Ok(None)),
        Err(RecvTimeoutError::Disconnected) => None,
    });
    gathered(arriving, control)
}

/// All pieces as one; `None` is a moment without a piece. A text of one piece that is there is read whatever the limit.
fn gathered(
    pieces: impl Iterator<Item = io::Result<Option<Vec<u8>>>>,
    control: &Control,
) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    for piece in pieces {
        let piece = piece?;
        let is_asked = piece.is_none() || bytes.len() >= PIECE;
        if let Some(stop) = control.exceeded().filter(|_| is_asked) {
            return Err(Unread::Stopped(stop));
        }
        bytes.extend(piece.unwrap_or_default());
        if bytes.len() > MOST {
            let message = "it has more than 4 GB";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message).into());
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_arrives_whole_and_a_folder_does_not() {
        let control = Control::unlimited();
        let folder = std::env::temp_dir().join(format!("resy-pieces-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let bytes: Vec<u8> = (0..5 * PIECE / 2).map(|i| i as u8).collect();
        std::fs::write(folder.join("file"), &bytes).expect("a file");
        assert_eq!(read(&folder.join("file"), &control).expect("a file"), bytes);
        assert!(matches!(read(&folder, &control), Err(Unread::Failed(_))));
        assert!(matches!(read(&folder.join("none"), &control), Err(Unread::Failed(_))));
        control.canceller().cancel();
        assert!(matches!(read(&folder.join("file"), &control), Err(Unread::Stopped(_))));
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
}
