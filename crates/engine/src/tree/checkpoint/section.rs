//! Sections: what one save appends to one file, with its length and checksum.

use super::damaged;
use rapidhash::v3::{DEFAULT_RAPID_SECRETS, RapidSecrets, RapidStreamHasherV3};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Result, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Fixed by the format.
static SECRETS: RapidSecrets = DEFAULT_RAPID_SECRETS;

const BUFFER: usize = 1 << 18;

/// A part of a file.
#[derive(Clone, Copy, Default)]
pub struct Section {
    /// Its length in bytes.
    pub length: u64,
    /// The checksum of these bytes.
    pub checksum: u64,
}

/// Writes pieces to a file from position `at` on. Bytes of an incomplete save behind it are cut off.
pub fn append<T: AsRef<[u8]>>(
    file: &mut File,
    at: u64,
    pieces: impl Iterator<Item = T>,
) -> Result<Section> {
    file.set_len(at)?;
    file.seek(SeekFrom::Start(at))?;
    let summed = Summed { file, hasher: RapidStreamHasherV3::new(&SECRETS), length: 0 };
    let mut writer = BufWriter::with_capacity(BUFFER, summed);
    for piece in pieces {
        writer.write_all(piece.as_ref())?;
    }
    writer.flush()?;
    let summed = writer.get_ref();
    Ok(Section { length: summed.length, checksum: summed.hasher.finish() })
}

/// A file that is being written, and the checksum of what was written.
struct Summed<'a> {
    file: &'a File,
    hasher: RapidStreamHasherV3<'static>,
    length: u64,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let n = self.file.write(bytes)?;
        self.hasher.write(&bytes[..n]);
        self.length += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

/// Reads the sections of a file from its beginning; a section with a wrong checksum is an error.
pub fn read(
    mut file: &File,
    path: PathBuf,
    sections: impl Iterator<Item = Section>,
) -> Result<BufReader<impl Read>> {
    file.seek(SeekFrom::Start(0))?;
    let hasher = RapidStreamHasherV3::new(&SECRETS);
    let checked = Checked { file, path, sections, current: Section::default(), done: 0, hasher };
    Ok(BufReader::with_capacity(BUFFER, checked))
}

struct Checked<'a, I> {
    file: &'a File,
    path: PathBuf,
    sections: I,
    current: Section,
    /// The number of bytes of the current section that were read.
    done: u64,
    hasher: RapidStreamHasherV3<'static>,
}

impl<I: Iterator<Item = Section>> Read for Checked<'_, I> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        while self.done == self.current.length {
            let Some(section) = self.sections.next() else { return Ok(0) };
            self.current = section;
            self.done = 0;
            self.hasher = RapidStreamHasherV3::new(&SECRETS);
        }
        let left = usize::try_from(self.current.length - self.done).unwrap_or(usize::MAX);
        let wanted = left.min(buffer.len());
        let n = self.file.read(&mut buffer[..wanted])?;
        if n == 0 && wanted > 0 {
            return Err(damaged(&self.path, "the file is too short"));
        }
        self.hasher.write(&buffer[..n]);
        self.done += n as u64;
        if self.done == self.current.length && self.hasher.finish() != self.current.checksum {
            return Err(damaged(&self.path, "a checksum differs"));
        }
        Ok(n)
    }
}
