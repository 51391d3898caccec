//! The byte format of saved searches: numbers, texts, and sections with a name and a length.
//!
//! Little-endian. A reader trusts nothing: whatever does not fit is an error.

/// Why bytes cannot be read.
pub type Damage = &'static str;

const SHORT: Damage = "it is too short";

/// Bytes that are being written.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// Appends a number.
    pub fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// Appends a number in four bytes.
    pub fn short(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    /// Appends bytes, preceded by their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// Appends a section: its name, its length, what `write` writes.
    pub fn section(&mut self, name: &str, write: impl FnOnce(&mut Writer)) {
        let mut inner = Writer::default();
        write(&mut inner);
        self.bytes(name.as_bytes());
        self.bytes(&inner.0);
    }
}

/// Bytes that are being read.
#[derive(Copy, Clone)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// The next number.
    pub fn number(&mut self) -> Result<u64, Damage> {
        let (number, rest) = self.0.split_first_chunk().ok_or(SHORT)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    /// The next number in four bytes.
    pub fn short(&mut self) -> Result<u32, Damage> {
        let (number, rest) = self.0.split_first_chunk().ok_or(SHORT)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*number))
    }

    /// The next number, if it is below a bound.
    pub fn below(&mut self, bound: u64) -> Result<u64, Damage> {
        let number = self.number()?;
        if number < bound { Ok(number) } else { Err("a number is too large") }
    }

    /// The next bytes, which are preceded by their number.
    pub fn bytes(&mut self) -> Result<&'a [u8], Damage> {
        let n = usize::try_from(self.number()?).map_err(|_| SHORT)?;
        let (bytes, rest) = self.0.split_at_checked(n).ok_or(SHORT)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The next text.
    pub fn text(&mut self) -> Result<&'a str, Damage> {
        std::str::from_utf8(self.bytes()?).map_err(|_| "a text is not UTF-8")
    }

    /// The section with this name; other sections are skipped.
    pub fn section(&self, name: &str) -> Result<Reader<'a>, Damage> {
        let mut rest = *self;
        while !rest.0.is_empty() {
            let (found, inner) = (rest.text()?, rest.bytes()?);
            if found == name {
                return Ok(Reader(inner));
            }
        }
        Err("a section is missing")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_by_name_among_unknown_ones() {
        let mut writer = Writer::default();
        writer.section("new here", |w| w.bytes(b"whatever"));
        writer.section("counts", |w| (7..9).for_each(|n| w.number(n)));
        let reader = Reader(&writer.0);
        let mut counts = reader.section("counts").expect("it is there");
        assert_eq!((counts.number(), counts.below(8)), (Ok(7), Err("a number is too large")));
        assert_eq!(counts.number(), Err(SHORT));
        assert!(reader.section("others").is_err());
        for end in 0..writer.0.len() {
            assert!(Reader(&writer.0[..end]).section("counts").is_err(), "cut at {end}");
        }
    }
}
