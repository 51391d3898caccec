//! A series of vectors, each written as what differs from the one before.
//!
//! What a worker sends to another one, one after the other, are mostly successors of one state: they differ in a few
//! words of eight bytes. A vector is a byte that says how it is written, and then either its length and its bytes, or a
//! bit for each word and the words that differ. All that is left out need not be encrypted, sent and copied either.

/// How a vector is written.
const WHOLE: u8 = 0;
const DIFFERENCE: u8 = 1;
/// The most bytes of a vector that is written as a difference: one bit a word, in 64 bits.
const LONGEST: usize = 512;

/// A series that is being written.
#[derive(Clone, Debug, Default)]
pub struct Series {
    bytes: Vec<u8>,
    last: Vec<u8>,
}

impl Series {
    /// The number of bytes written.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Makes room for so many bytes.
    pub fn reserve(&mut self, n_bytes: usize) {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(n_bytes);
        }
    }

    /// Appends a vector.
    pub fn push(&mut self, vector: &[u8]) {
        let Self { bytes, last } = self;
        if last.len() != vector.len() || vector.len() > LONGEST {
            bytes.push(WHOLE);
            bytes.extend_from_slice(&(vector.len() as u32).to_le_bytes());
            bytes.extend_from_slice(vector);
            vector.clone_into(last);
            return;
        }
        bytes.push(DIFFERENCE);
        let at = bytes.len();
        let n = map_length(vector);
        bytes.extend_from_slice(&[0; 8][..n]);
        let mut map = 0_u64;
        let (old, old_rest) = last.as_chunks_mut::<8>();
        let (new, new_rest) = vector.as_chunks::<8>();
        for (i, (old, new)) in old.iter_mut().zip(new).enumerate() {
            if old != new {
                map |= 1 << i;
                bytes.extend_from_slice(new);
                *old = *new;
            }
        }
        if old_rest != new_rest {
            map |= 1 << new.len();
            bytes.extend_from_slice(new_rest);
            old_rest.copy_from_slice(new_rest);
        }
        bytes[at..at + n].copy_from_slice(&map.to_le_bytes()[..n]);
    }

    /// Appends the vectors of another series.
    pub fn append(&mut self, other: &Series) {
        self.bytes.extend_from_slice(&other.bytes);
        self.last.clear();
    }

    /// Takes what is written; another series begins.
    pub fn take(&mut self) -> Vec<u8> {
        self.last.clear();
        std::mem::take(&mut self.bytes)
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.last.clear();
    }
}

/// The number of bytes with a bit for each word.
fn map_length(vector: &[u8]) -> usize {
    vector.len().div_ceil(8).div_ceil(8)
}

/// Reads a series.
pub struct SeriesReader<'a> {
    bytes: &'a [u8],
    last: Vec<u8>,
}

impl<'a> SeriesReader<'a> {
    /// Reads these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, last: Vec::new() }
    }

    /// The next vector; `None` at the end, or if there is none.
    pub fn next_vector(&mut self) -> Option<&[u8]> {
        let (&how, rest) = self.bytes.split_first()?;
        if how == WHOLE {
            let (length, rest) = rest.split_first_chunk::<4>()?;
            let (vector, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            vector.clone_into(&mut self.last);
            self.bytes = rest;
            return Some(&self.last);
        }
        let (map, mut rest) = rest.split_at_checked(map_length(&self.last).min(8))?;
        let mut bits = [0; 8];
        bits[..map.len()].copy_from_slice(map);
        let mut bits = u64::from_le_bytes(bits);
        while bits != 0 {
            let start = 8 * bits.trailing_zeros() as usize;
            let end = self.last.len().min(start + 8);
            let word = self.last.get_mut(start..end)?;
            let (new, after) = rest.split_at_checked(word.len())?;
            word.copy_from_slice(new);
            rest = after;
            bits &= bits - 1;
        }
        self.bytes = rest;
        Some(&self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_index::random::SplitMix;

    fn read(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut reader = SeriesReader::new(bytes);
        std::iter::from_fn(|| reader.next_vector().map(<[u8]>::to_vec)).collect()
    }

    /// Vectors of all lengths, most of them near to the one before.
    fn vectors() -> Vec<Vec<u8>> {
        let mut random = SplitMix(7);
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..3_000 {
            let mut next = all[all.len() - 1].clone();
            if random.below(4) == 0 {
                let most = if random.below(9) == 0 { 700 } else { 70 };
                let length = random.below(most);
                next = (0..length).map(|_| random.next_u64() as u8).collect();
            }
            for _ in 0..random.below(4).min(next.len()) {
                let at = random.below(next.len());
                next[at] = random.next_u64() as u8;
            }
            all.push(next);
        }
        all
    }

    #[test]
    fn vectors_come_out_as_they_went_in() {
        let (all, mut series) = (vectors(), Series::default());
        all.iter().for_each(|vector| series.push(vector));
        let whole: usize = all.iter().map(|vector| 5 + vector.len()).sum();
        assert!(series.n_bytes() < whole * 3 / 4, "{} of {whole} bytes", series.n_bytes());
        assert_eq!(read(&series.take()), all);
    }

    #[test]
    fn a_series_that_is_appended_begins_anew() {
        let (all, [mut a, mut b]) = (vectors(), [Series::default(), Series::default()]);
        let (first, rest) = all.split_at(all.len() / 2);
        let (second, third) = rest.split_at(rest.len() / 2);
        first.iter().for_each(|vector| a.push(vector));
        second.iter().for_each(|vector| b.push(vector));
        a.append(&b);
        third.iter().for_each(|vector| a.push(vector));
        assert_eq!(read(&a.take()), all);
        a.push(&all[9]);
        assert_eq!(read(&a.take()), all[9..10]);
    }

    #[test]
    fn bytes_that_are_no_series_do_no_harm() {
        let mut series = Series::default();
        vectors().iter().take(200).for_each(|vector| series.push(vector));
        let bytes = series.take();
        for end in 0..bytes.len() {
            read(&bytes[..end]);
        }
        let mut random = SplitMix(3);
        for _ in 0..500 {
            let mut wrong = bytes.clone();
            wrong[random.below(bytes.len())] = random.next_u64() as u8;
            read(&wrong);
        }
    }
}
