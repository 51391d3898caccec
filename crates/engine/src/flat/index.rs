//! The index from hashes to positions: open addressing by cache lines, grown in place.
//!
//! An entry is a word: 32 bits of the hash, the *tag*, and a position in the arena. A line has eight entries, filled
//! from the first on; what does not fit goes into the next line. The tag alone determines the line, so that growth
//! never reads a state, and a lookup reads one only if all 32 bits agree.
//!
//! The tag as a fraction, times the number of lines, is the line: the order of tags is the order of lines, before and
//! after growth. The table can therefore grow in place, from its end to its beginning, in one sequential pass; no second
//! table exists meanwhile. (Linear hashing, which splits one line at a time, was tried: the lines that are not split
//! yet are twice as full as the others, and overflow.)
//!
//! An index may be one of several *parts*, each with the tags that begin with the same bits (`parts`).

use super::pages::Pages;
use crate::tree::cpu::{SLOTS, TagLine, prefetch, scan};

/// A position in the arena, in words; 0 is none.
pub type Offset = u32;

/// No position: no entry has the tag.
pub const ABSENT: Offset = Offset::MAX;

/// The table begins with this many lines.
const FIRST: usize = 1 << 9;
/// The index is grown by half when it has more entries than this many in 64 of its slots.
const FULL: usize = 46;
/// The addresses that are reserved, in bytes, where they have 64 bits.
const MOST: usize = 1 << if usize::BITS > 32 { 34 } else { 27 };
/// Behind the last line there are spare ones, for what does not fit into it.
const SPARE: usize = 1 << 10;

/// A table from tags to positions.
pub struct TagIndex {
    pages: Pages,
    n_lines: usize,
    n_entries: usize,
    /// The number of first bits that all tags have in common, which do not tell lines apart.
    n_common: u32,
}

impl TagIndex {
    /// An empty index for tags that have this many first bits in common.
    pub fn new(n_common: u32) -> Self {
        Self { pages: Pages::reserve(MOST >> n_common), n_lines: FIRST, n_entries: 0, n_common }
    }

    /// An index without memory, which takes no entries.
    pub fn none() -> Self {
        Self { pages: Pages::reserve(0), n_lines: FIRST, n_entries: 0, n_common: 0 }
    }

    /// Whether there are addresses for another batch of this many entries.
    pub fn has_room(&self, n: usize) -> bool {
        (2 * self.n_lines + SPARE + n) * SLOTS <= self.pages.words().len()
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.n_lines * size_of::<TagLine>()
    }

    /// The line that a tag belongs to.
    #[inline]
    fn home(&self, tag: u32) -> usize {
        ((u64::from(tag << self.n_common) * self.n_lines as u64) >> 32) as usize
    }

    /// Starts to fetch the line of a tag.
    #[inline]
    pub fn prefetch(&self, tag: u32) {
        prefetch(&self.lines()[self.home(tag)]);
    }

    /// The first position in the line of this tag that has it; [`ABSENT`] if no line has it, and 0 if later lines
    /// may.
    #[inline]
    pub fn guess(&self, tag: u32) -> Offset {
        let line = &self.lines()[self.home(tag)];
        let (equal, free) = scan(line, tag);
        let none = if free != 0 { ABSENT } else { 0 };
        line.get(equal.trailing_zeros() as usize).map_or(none, |&entry| entry as Offset)
    }

    /// The position with this tag for which `is_it` holds.
    #[inline]
    pub fn find(&self, tag: u32, is_it: impl Fn(Offset) -> bool) -> Option<Offset> {
        let mut at = self.home(tag);
        loop {
            let line = &self.lines()[at];
            let (mut equal, free) = scan(line, tag);
            while equal != 0 {
                let found = line[equal.trailing_zeros() as usize] as Offset;
                if is_it(found) {
                    return Some(found);
                }
                equal &= equal - 1;
            }
            if free != 0 {
                return None;
            }
            at += 1;
        }
    }

    /// The position with this tag for which `is_it` holds. If there is none, `position` is entered, and the result is
    /// `None`.
    #[inline]
    pub fn find_or_enter(
        &mut self,
        tag: u32,
        position: Offset,
        is_it: impl Fn(Offset) -> bool,
    ) -> Option<Offset> {
        let mut at = self.home(tag);
        loop {
            let line = &self.lines()[at];
            let (mut equal, free) = scan(line, tag);
            while equal != 0 {
                let found = line[equal.trailing_zeros() as usize] as Offset;
                if is_it(found) {
                    return Some(found);
                }
                equal &= equal - 1;
            }
            if free != 0 {
                let slot = free.trailing_zeros() as usize;
                self.lines_mut()[at][slot] = u64::from(tag) << 32 | u64::from(position);
                self.n_entries += 1;
                return None;
            }
            at += 1;
        }
    }

    /// Grows if there are too many entries. Called between batches, so that lines do not move within one.
    #[inline]
    pub fn grow_if_full(&mut self) {
        if self.n_entries * 64 > self.n_lines * SLOTS * FULL {
            self.grow();
        }
    }

    /// Grows until there is room for this many more entries.
    pub fn make_room(&mut self, n: usize) {
        while (self.n_entries + n) * 64 > self.n_lines * SLOTS * FULL {
            self.grow();
        }
    }

    /// Like [`make_room`](Self::make_room); false if there are no addresses for it.
    pub fn try_make_room(&mut self, n: usize) -> bool {
        let has_addresses =
            |index: &Self, n_lines: usize| (n_lines + SPARE) * SLOTS <= index.pages.words().len();
        while (self.n_entries + n) * 64 > self.n_lines * SLOTS * FULL {
            if !has_addresses(self, self.n_lines + self.n_lines / 2) {
                return false;
            }
            self.grow();
        }
        has_addresses(self, self.n_lines)
    }

    /// Enters a position with a tag that is not there with it; there must be room.
    #[inline]
    pub fn enter(&mut self, tag: u32, position: Offset) {
        self.n_entries += 1;
        self.place(u64::from(tag) << 32 | u64::from(position));
    }

    /// All entries: their tags and positions.
    pub fn entries(&self) -> impl Iterator<Item = (u32, Offset)> {
        let lines = &self.lines()[..(self.n_lines + SPARE).min(self.lines().len())];
        let entries = lines.as_flattened().iter().filter(|&&entry| entry != 0);
        entries.map(|&entry| ((entry >> 32) as u32, entry as Offset))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.n_entries
    }

    #[cold]
    fn grow(&mut self) {
        // What did not fit into the last line is behind it.
        let behind = self.lines()[self.n_lines..].iter().take_while(|line| line[0] != 0).count();
        let end = self.n_lines + behind;
        self.n_lines += self.n_lines / 2;
        self.pages.used((self.n_lines + SPARE) * SLOTS);
        let mut late = Vec::new();
        for at in (0..end).rev() {
            for entry in
                std::mem::take(&mut self.lines_mut()[at]).into_iter().take_while(|&e| e != 0)
            {
                // Near the beginning, an entry that did not fit into its line may belong to one that is still to be
                // moved.
                if self.home((entry >> 32) as u32) < at {
                    late.push(entry)
                } else {
                    self.place(entry)
                }
            }
        }
        late.into_iter().for_each(|entry| self.place(entry));
    }

    /// Enters an entry that is not there.
    #[inline]
    fn place(&mut self, entry: u64) {
        let tag = (entry >> 32) as u32;
        let mut at = self.home(tag);
        loop {
            let line = &mut self.lines_mut()[at];
            let (_, free) = scan(line, tag);
            if free != 0 {
                line[free.trailing_zeros() as usize] = entry;
                return;
            }
            at += 1;
        }
    }

    #[inline]
    fn lines(&self) -> &[TagLine] {
        self.pages.words().as_chunks().0
    }

    #[inline]
    fn lines_mut(&mut self) -> &mut [TagLine] {
        self.pages.words_mut().as_chunks_mut().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Many entries, some with equal tags, against a map.
    #[test]
    fn every_entry_is_found_while_the_table_grows() {
        let mut index = TagIndex::new(0);
        let mut twin: HashMap<(u32, u32), Offset> = HashMap::new();
        let mut random = 7_u64;
        for i in 1..60_000_u32 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // Some have the tags of many others, so that lines overflow, also the first and the last one.
            let tag = match i % 64 {
                0 => 1 + i % 128,
                8 => u32::MAX - i % 128,
                16 | 24 => (1 + i % 64) << 26,
                _ => (random >> 32) as u32 | 1,
            };
            let key = (tag, i % 5000);
            let is_it = |position: Offset| twin.get(&key) == Some(&position);
            let found = index.find_or_enter(tag, i, is_it);
            assert_eq!(found, twin.get(&key).copied(), "{key:?}");
            twin.entry(key).or_insert(i);
            if i % 256 == 0 {
                index.grow_if_full();
                assert!(index.n_entries * 64 <= index.n_lines * SLOTS * FULL);
            }
        }
        assert_eq!(index.n_entries, twin.len());
        assert!(index.n_lines > 8 * FIRST);
        for (&(tag, _), &position) in &twin {
            assert_eq!(index.find(tag, |p| p == position), Some(position));
            assert_eq!(index.find(tag, |p| p == 1 << 30), None);
            assert_eq!(index.find_or_enter(tag, 1 << 30, |p| p == position), Some(position));
        }
    }
}
