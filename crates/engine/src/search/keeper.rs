//! Saving a breadth-first search periodically, and resuming a saved one.
//!
//! The [checkpoint](crate::tree::Checkpoint) holds the states; its header holds the identity of the search
//! and the [point](super::point) that it has reached, as named sections.

use super::point::Point;
use super::wire::{Damage, Reader, Writer};
use super::workers::Archive;
use crate::store::StateStore;
use crate::tree::Checkpoint;
use rapidhash::v3::rapidhash_v3;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::time::{Duration, Instant};

/// The first line of a header.
const VERSION: &[u8] = b"resy search 2\n";

/// The search runs at least this many times as long as the last save blocked it before it saves again.
pub(super) const PATIENCE: u32 = 15;

/// The identity of a search: named facts, by which two searches are told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// Adds a short fact, which is shown as it is.
    pub fn fact(mut self, name: &str, text: impl Into<String>) -> Self {
        self.0.push((name.to_owned(), text.into()));
        self
    }

    /// Adds a fact of any length, by its hash.
    pub fn digest(self, name: &str, text: &str) -> Self {
        self.fact(name, format!("{:016x}", rapidhash_v3(text.as_bytes())))
    }

    /// A sentence about the first difference to another identity; `None` if they are equal.
    fn difference(&self, saved: &Identity) -> Option<String> {
        let old = |name: &str| saved.0.iter().find(|f| f.0 == name).map_or("", |f| f.1.as_str());
        let differs = |(name, now): &&(String, String)| old(name) != now;
        let say = |(name, now): &(String, String)| {
            format!("the {name} was `{}` and is `{now}`", old(name))
        };
        self.0.iter().find(differs).map(say)
    }

    /// A header that begins with the identity.
    pub(super) fn header(&self) -> Writer {
        let mut header = Writer(VERSION.to_vec());
        self.write(&mut header);
        header
    }

    /// The sections of a header from a folder; an error if it belongs to another search.
    pub(super) fn sections<'a>(&self, folder: &Path, header: &'a [u8]) -> Result<Reader<'a>> {
        let sections = header.strip_prefix(VERSION).map(Reader);
        let sections = sections.ok_or("it is not of the version known here");
        let sections = sections.map_err(|what| damaged(folder, what))?;
        let saved = Identity::read(sections).map_err(|what| damaged(folder, what))?;
        match self.difference(&saved) {
            None => Ok(sections),
            Some(what) => Err(error(folder, &format!("this is another search: {what}"))),
        }
    }

    fn write(&self, out: &mut Writer) {
        out.section("identity", |w| {
            for (name, text) in &self.0 {
                w.bytes(name.as_bytes());
                w.bytes(text.as_bytes());
            }
        });
    }

    fn read(bytes: Reader<'_>) -> std::result::Result<Self, Damage> {
        let (mut facts, mut identity) = (bytes.section("identity")?, Self::default());
        while !facts.0.is_empty() {
            identity = identity.fact(facts.text()?, facts.text()?);
        }
        Ok(identity)
    }
}

fn error(folder: &Path, what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("{}: {what}", folder.display()))
}

/// The error for a header that cannot be read.
pub(super) fn damaged(folder: &Path, what: Damage) -> Error {
    error(folder, &format!("the saved search is damaged: {what}"))
}

/// A folder to which a search is saved periodically.
pub(super) struct SaveFolder {
    checkpoint: Checkpoint,
    identity: Identity,
    every: Duration,
    due: Instant,
    /// Why the last save failed.
    failure: Option<Error>,
}

impl SaveFolder {
    /// A folder for a new search; it must not hold another.
    pub fn create(folder: &Path, identity: Identity, every: Duration) -> Result<Self> {
        if Archive::is_in(folder)? {
            let sentence = format!("{} already holds a checkpoint", folder.display());
            return Err(Error::new(ErrorKind::AlreadyExists, sentence));
        }
        let checkpoint = Checkpoint::create(folder)?;
        Ok(Self::new(checkpoint, identity, every))
    }

    /// Opens a folder with a search that must have the same identity; `read` reads the position that it had.
    pub fn open<P>(
        folder: &Path,
        identity: Identity,
        every: Duration,
        read: impl FnOnce(Reader<'_>, &StateStore) -> std::result::Result<P, Damage>,
    ) -> Result<(Self, StateStore, P)> {
        let (store, header, checkpoint) = Checkpoint::open_any(folder)?;
        let sections = identity.sections(folder, &header)?;
        let position = read(sections, &store).map_err(|what| damaged(folder, what))?;
        Ok((Self::new(checkpoint, identity, every), store, position))
    }

    fn new(checkpoint: Checkpoint, identity: Identity, every: Duration) -> Self {
        Self { checkpoint, identity, every, due: Instant::now() + every, failure: None }
    }

    pub fn is_read_only(&self) -> bool {
        self.checkpoint.is_read_only()
    }

    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Whether it is time to save.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.due && !self.checkpoint.is_busy()
    }

    /// Must be called when the store was rebuilt.
    pub fn renew(&mut self) {
        self.failure = self.checkpoint.renew().err();
    }

    /// Saves in the background, with the sections that `write` writes. A failure is recorded and does not end the
    /// search: the folder still holds the previous save, and the next one may succeed.
    pub fn save(&mut self, store: &StateStore, write: impl FnOnce(&mut Writer)) {
        let started = Instant::now();
        let mut header = self.identity.header();
        write(&mut header);
        let settled = self.checkpoint.settle();
        self.failure = settled.and_then(|()| self.checkpoint.start(store, &header.0)).err();
        self.due = Instant::now() + self.every.max(PATIENCE * started.elapsed());
    }

    /// Waits until the last save is on the disk.
    pub fn settle(&mut self) {
        if self.failure.is_none() {
            self.failure = self.checkpoint.settle().err();
        }
    }
}

/// Saves a breadth-first search to a folder.
pub struct Keeper {
    folder: SaveFolder,
    /// The search that the folder held, until it is resumed.
    saved: Option<(StateStore, Point)>,
}

impl Keeper {
    /// Saves a new search; the folder must not hold another.
    pub fn create(folder: &Path, identity: Identity, every: Duration) -> Result<Keeper> {
        Ok(Self { folder: SaveFolder::create(folder, identity, every)?, saved: None })
    }

    /// Resumes the search in a folder, which must have the same identity.
    pub fn open(folder: &Path, identity: Identity, every: Duration) -> Result<Keeper> {
        let read = |bytes: Reader<'_>, store: &StateStore| Point::read(bytes, store.len() as u64);
        let (folder, store, point) = SaveFolder::open(folder, identity, every, read)?;
        Ok(Self { folder, saved: Some((store, point)) })
    }

    /// Whether the folder can be read only.
    pub fn is_read_only(&self) -> bool {
        self.folder.is_read_only()
    }

    /// Why the final state of the search is not in the folder, if it is not.
    pub fn failure(&self) -> Option<&Error> {
        self.folder.failure()
    }

    /// The search to be resumed.
    pub(super) fn take_saved(&mut self) -> Option<(StateStore, Point)> {
        self.saved.take()
    }

    /// Whether it is time to save.
    pub(super) fn is_due(&self) -> bool {
        self.folder.is_due()
    }

    /// Must be called when the store was rebuilt.
    pub(super) fn renew(&mut self) {
        self.folder.renew();
    }

    /// Saves in the background.
    pub(super) fn save(&mut self, store: &StateStore, point: &Point) {
        self.folder.save(store, |header| point.write(header));
    }

    /// Saves for the last time.
    pub(super) fn end(&mut self, store: &StateStore, point: &Point) {
        self.save(store, point);
        self.folder.settle();
    }
}
