//! The small file that says what counts: replaced as a whole, or not at all.
//!
//! Little-endian, in this order: a line with the version of the format; the number
//! of saves; for each save and each file the length and the checksum of what was
//! appended; the caller's bytes and before them their number; a checksum of all this.

use super::section::Section;
use super::{FILES, about, damaged};
use rapidhash::v3::rapidhash_v3;
use std::fs::File;
use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

const VERSION: &[u8] = b"resy checkpoint 1\n";

/// What a folder holds.
#[derive(Clone, Default)]
pub struct Meta {
    /// For each save, what it appended to each file.
    pub saves: Vec<[Section; 4]>,
    /// The bytes of the caller.
    pub opaque: Vec<u8>,
}

impl Meta {
    /// Where it is in a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join("meta")
    }

    /// How much of each file counts.
    pub fn file_lengths(&self) -> [u64; 4] {
        std::array::from_fn(|file| {
            self.saves.iter().fold(0, |sum: u64, save| sum.saturating_add(save[file].length))
        })
    }

    /// Replaces the file: writes another, waits for the disk, renames it, waits.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let (path, draft) = (Self::path(folder), folder.join("meta.new"));
        let mut file = File::create(&draft)?;
        file.write_all(&self.encode())?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&draft, &path)?;
        sync_folder(folder)
    }

    /// Reads the file.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = Self::path(folder);
        let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => about(folder, ErrorKind::NotFound, "there is no checkpoint"),
            kind => about(&path, kind, &error.to_string()),
        })?;
        Self::decode(&bytes).map_err(|what| damaged(&path, what))
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = VERSION.to_vec();
        let mut number = |number: u64| bytes.extend(number.to_le_bytes());
        number(self.saves.len() as u64);
        for section in self.saves.iter().flatten() {
            number(section.length);
            number(section.checksum);
        }
        number(self.opaque.len() as u64);
        bytes.extend(&self.opaque);
        bytes.extend(rapidhash_v3(&bytes).to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> std::result::Result<Self, &'static str> {
        let rest = bytes.strip_prefix(VERSION).ok_or("it is not of the version known here")?;
        let (rest, checksum) = rest.split_last_chunk().ok_or("it is too short")?;
        let summed = &bytes[..bytes.len() - checksum.len()];
        if rapidhash_v3(summed) != u64::from_le_bytes(*checksum) {
            return Err("its checksum differs");
        }
        let mut rest = rest;
        let mut number = || -> std::result::Result<u64, &'static str> {
            let (number, behind) = rest.split_first_chunk().ok_or("it is too short")?;
            rest = behind;
            Ok(u64::from_le_bytes(*number))
        };
        let mut saves = Vec::new();
        for _ in 0..number()? {
            let mut save = [Section::default(); FILES.len()];
            for section in &mut save {
                *section = Section { length: number()?, checksum: number()? };
            }
            saves.push(save);
        }
        let n_opaque = number()?;
        let opaque = rest.to_vec();
        if opaque.len() as u64 != n_opaque {
            return Err("it has another length");
        }
        Ok(Self { saves, opaque })
    }
}

/// A rename is on the disk when its folder is. Only Unix lets one ask for this.
fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
