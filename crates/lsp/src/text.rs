//! Positions of the protocol and offsets of a text.
//!
//! A position is a line and a column, both from zero; columns count UTF-16 units unless the client
//! agrees to bytes. A line ends with `\n`, `\r\n` or `\r`.

use serde_json::{Value, json};

/// How columns are counted.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// In UTF-16 units, which every client knows.
    #[default]
    Utf16,
    /// In bytes.
    Utf8,
}

/// A text whose lines are known.
#[derive(Clone, Debug, Default)]
pub struct LineText {
    text: String,
    /// The offsets at which lines start.
    starts: Vec<usize>,
}

impl LineText {
    /// Finds the lines of a text.
    pub fn new(text: String) -> Self {
        let bytes = text.as_bytes();
        let is_end =
            |i: usize| bytes[i] == b'\n' || bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n');
        let ends = (0..bytes.len()).filter(|&i| is_end(i)).map(|i| i + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Self { text, starts }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of the line that an offset lies in, from zero.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The offset of the start of a line; behind the text, if there is no such line.
    pub fn line_start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len() + 1)
    }

    /// The offset of the end of a line, without what ends it.
    pub fn line_end(&self, line: usize) -> usize {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// Line and column of an offset.
    pub fn line_column(&self, offset: usize, encoding: Encoding) -> (usize, usize) {
        let offset = floor(&self.text, offset);
        let line = self.line_of(offset);
        (line, width(&self.text[self.starts[line]..offset], encoding))
    }

    /// The position of an offset, in the words of the protocol.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Value {
        let (line, character) = self.line_column(offset, encoding);
        json!({ "line": line, "character": character })
    }

    /// A range of the protocol.
    pub fn range(&self, start: usize, end: usize, encoding: Encoding) -> Value {
        json!({ "start": self.position(start, encoding), "end": self.position(end, encoding) })
    }

    /// The offset of a position; a position outside of the text means the nearest one in it.
    pub fn offset(&self, position: &Value, encoding: Encoding) -> usize {
        let number = |key: &str| position[key].as_u64().unwrap_or(0) as usize;
        let (line, character) = (number("line"), number("character"));
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let words = &self.text[start..self.line_end(line)];
        let mut column = 0;
        for (i, c) in words.char_indices() {
            if column >= character {
                return start + i;
            }
            column += match encoding {
                Encoding::Utf16 => c.len_utf16(),
                Encoding::Utf8 => c.len_utf8(),
            };
        }
        start + words.len()
    }

    /// The text after a change of the protocol: of a range, or of everything.
    pub fn changed(&self, change: &Value, encoding: Encoding) -> Self {
        let new = change["text"].as_str().unwrap_or_default();
        if !change["range"].is_object() {
            return Self::new(new.to_owned());
        }
        let start = self.offset(&change["range"]["start"], encoding);
        let end = self.offset(&change["range"]["end"], encoding).max(start);
        Self::new(format!("{}{new}{}", &self.text[..start], &self.text[end..]))
    }
}

/// The width of a text in columns.
pub fn width(text: &str, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf16 => text.encode_utf16().count(),
        Encoding::Utf8 => text.len(),
    }
}

/// The start of the character that an offset lies in.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The path of a `file:` address.
pub fn path_of(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|d| std::str::from_utf8(d).ok());
        match digits.filter(|_| *first == b'%').and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// The `file:` address of a path.
pub fn uri_of(path: &str) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte.into());
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_in_the_agreed_units() {
        let text = LineText::new("aé\u{1f600}b\r\nc\rd".to_owned());
        let at = |line, character| json!({ "line": line, "character": character });
        assert_eq!(text.offset(&at(0, 4), Encoding::Utf16), 7);
        assert_eq!(text.offset(&at(0, 7), Encoding::Utf8), 7);
        assert_eq!(text.line_column(7, Encoding::Utf16), (0, 4));
        assert_eq!(text.offset(&at(0, 99), Encoding::Utf16), 8, "not behind the line end");
        assert_eq!(text.offset(&at(1, 0), Encoding::Utf16), 10);
        assert_eq!(text.offset(&at(2, 1), Encoding::Utf16), text.text().len());
        assert_eq!(text.offset(&at(9, 0), Encoding::Utf16), text.text().len());
        assert_eq!(text.line_column(3, Encoding::Utf16), (0, 2), "inside of a character");
    }

    #[test]
    fn changes_of_ranges_and_of_everything() {
        let text = LineText::new("one\ntwo\n".to_owned());
        let range =
            json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}});
        let change = json!({ "range": range, "text": "2" });
        assert_eq!(text.changed(&change, Encoding::Utf16).text(), "one\n2\n");
        assert_eq!(text.changed(&json!({ "text": "x" }), Encoding::Utf16).text(), "x");
    }

    #[test]
    fn addresses_and_paths() {
        assert_eq!(path_of("file:///a%20b/%C3%A9.pml").as_deref(), Some("/a b/é.pml"));
        assert_eq!(uri_of("/a b/é.pml"), "file:///a%20b/%C3%A9.pml");
        assert_eq!(path_of("untitled:x"), None);
        assert_eq!(path_of("file:///a%zz").as_deref(), Some("/a%zz"));
    }
}
