//! Reports: numbers and byte strings, written and read in order.

use crate::search::workers::messages::packet::{pack, unpack};

/// A report that is being written.
#[derive(Default)]
pub struct Report(pub Vec<u8>);

impl Report {
    /// Appends a number.
    pub fn number(mut self, n: u64) -> Self {
        self.0.extend_from_slice(&n.to_le_bytes());
        self
    }

    /// Appends a string of bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        pack(&mut self.0, bytes);
        self
    }
}

/// Removes a number from the front.
///
/// # Panics
///
/// If there is none. A report is written by the same version of this program, so that this is a bug.
pub fn number(bytes: &mut &[u8]) -> u64 {
    let (word, rest) = bytes.split_first_chunk::<8>().expect("a report has a number here");
    *bytes = rest;
    u64::from_le_bytes(*word)
}

/// Removes a string of bytes from the front.
///
/// # Panics
///
/// If there is none, as in [`number`].
pub fn string(bytes: &mut &[u8]) -> Vec<u8> {
    unpack(bytes).expect("a report has a string here").to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_out_as_they_went_in() {
        let report = Report::default().number(7).bytes(b"abc").number(u64::MAX);
        let mut rest = report.0.as_slice();
        assert_eq!((number(&mut rest), string(&mut rest)), (7, b"abc".to_vec()));
        assert_eq!((number(&mut rest), rest), (u64::MAX, [].as_slice()));
    }

    #[test]
    #[should_panic(expected = "a report has a number here")]
    fn a_report_that_is_too_short_is_a_bug() {
        number(&mut [0; 7].as_slice());
    }
}
