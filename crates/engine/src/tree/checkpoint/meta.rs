//! The small file that makes a save valid: it exists completely or not at all.
//!
//! Each save has one, with its number in the name. Little-endian, in this order: a line with the version of
//! the format; the kind of the store; the generation of the files; the number of saves in them; for each save and each file the
//! length and the checksum of what was appended; the number of the caller's bytes, and these bytes; a
//! checksum of all this.

use super::section::Section;
use super::{FILES, N_FILES, StoreKind, about, damaged};
use rapidhash::v3::rapidhash_v3;
use std::fs::File;
use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

const NAME: &str = "meta-";
const VERSION: &[u8] = b"resy checkpoint 3\n";

/// The contents of a folder after a save.
#[derive(Clone, Default)]
pub struct Meta {
    /// The number of the save.
    pub number: u64,
    /// The kind of the store.
    pub kind: StoreKind,
    /// The generation of the files with the logs.
    pub generation: u64,
    /// For each save to these files, what it appended to each file.
    pub saves: Vec<[Section; N_FILES]>,
    /// The bytes of the caller.
    pub opaque: Vec<u8>,
}

impl Meta {
    /// The path of the file of a save.
    pub fn path(folder: &Path, number: u64) -> PathBuf {
        folder.join(format!("{NAME}{number}"))
    }

    /// The numbers of the saves in a folder, in order; none if the folder does not exist.
    pub fn numbers(folder: &Path) -> Result<Vec<u64>> {
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            let number: Option<u64> =
                name.to_str().and_then(|name| name.strip_prefix(NAME)?.parse().ok());
            numbers.extend(number);
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The valid length of each file.
    pub fn file_lengths(&self) -> [u64; N_FILES] {
        std::array::from_fn(|file| {
            self.saves.iter().fold(0, |sum: u64, save| sum.saturating_add(save[file].length))
        })
    }

    /// Writes the file under another name, syncs, renames it, and syncs again.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let draft = folder.join("meta.new");
        let mut file = File::create(&draft)?;
        file.write_all(&self.encode())?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&draft, Self::path(folder, self.number))?;
        sync_folder(folder)
    }

    /// Reads the file of a save.
    pub fn read(folder: &Path, number: u64) -> Result<Self> {
        let path = Self::path(folder, number);
        let bytes = std::fs::read(&path).map_err(|e| about(&path, e.kind(), &e.to_string()))?;
        Self::decode(&bytes, number).map_err(|what| damaged(&path, what))
    }

    /// Removes the files of the other saves, and the logs of earlier generations.
    pub fn remove_others(&self, folder: &Path) -> Result<()> {
        for number in Self::numbers(folder)?.into_iter().filter(|&n| n != self.number) {
            std::fs::remove_file(Self::path(folder, number))?;
        }
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_log = FILES.iter().any(|log| name.starts_with(log));
            if is_log && generation_of(name).is_some_and(|g| g < self.generation) {
                std::fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = VERSION.to_vec();
        let mut number = |number: u64| bytes.extend(number.to_le_bytes());
        number(self.kind as u64);
        number(self.generation);
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

    fn decode(bytes: &[u8], number_of_save: u64) -> std::result::Result<Self, &'static str> {
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
        let kind = match number()? {
            0 => StoreKind::Tree,
            1 => StoreKind::Flat,
            _ => return Err("its store is of an unknown kind"),
        };
        let generation = number()?;
        let mut saves = Vec::new();
        for _ in 0..number()? {
            let mut save = [Section::default(); N_FILES];
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
        Ok(Self { number: number_of_save, kind, generation, saves, opaque })
    }
}

/// The generation in the name of a file with a log.
fn generation_of(name: &str) -> Option<u64> {
    name.rsplit_once('-')?.1.parse().ok()
}

/// A rename is durable when its folder is synced, which only Unix supports.
pub fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
