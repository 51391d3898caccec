//! The scanner: splits text into contiguous pieces, before any preprocessing.
//!
//! Pieces follow the C preprocessor, since that reads the text first: numbers
//! are C's preprocessing numbers (`1..N` is a single one) and operators are
//! C's. A backslash before a line end joins two lines anywhere, even inside a
//! name; such a piece is marked [`Piece::spliced`].

/// What a piece of text is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RawKind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A string with its quotes.
    Text,
    /// A character with its quotes.
    Character,
    /// An operator or a separator.
    Punct,
    /// `// …` up to the end of the line.
    LineComment,
    /// `/* … */`.
    BlockComment,
    /// Spaces, tabs, form feeds and the like.
    Blank,
    /// A line end.
    Newline,
    /// A backslash and the line end that it hides.
    Splice,
    /// A whole preprocessor directive with its continuation lines, without the
    /// line end that closes it.
    Directive,
    /// Characters outside the language.
    Other,
}

/// A piece of text; the pieces of a text follow each other without gaps.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Piece {
    pub kind: RawKind,
    pub start: usize,
    pub end: usize,
    /// The line that the first byte is on, from one.
    pub line: u32,
    /// Whether lines are joined inside the piece.
    pub spliced: bool,
    /// Whether the closing quote or the end of the comment is there.
    pub closed: bool,
}

/// A position in a text, and the pieces from there on.
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    pub pos: usize,
    pub line: u32,
    spliced: bool,
}

/// C's operators of more than one character, longest first, with gcc's `::` and the digraphs.
const LONG_PUNCTS: [&[u8]; 28] = [
    b"...", b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&",
    b"||", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"^=", b"|=", b"##", b"::", b"<:", b":>",
    b"<%", b"%>",
];

impl<'a> Scanner<'a> {
    /// A scanner at byte `pos`, which is on line `line`.
    pub fn at(text: &'a str, pos: usize, line: u32) -> Self {
        Self { bytes: text.as_bytes(), pos, line, spliced: false }
    }

    /// The next piece; `None` at the end of the text.
    pub fn next_piece(&mut self) -> Option<Piece> {
        let (start, line) = (self.pos, self.line);
        let first = *self.bytes.get(start)?;
        self.spliced = false;
        let (kind, closed) = self.scan(first);
        Some(Piece { kind, start, end: self.pos, line, spliced: self.spliced, closed })
    }

    fn scan(&mut self, first: u8) -> (RawKind, bool) {
        match first {
            b'\n' | b'\r' => {
                self.pos = self.line_end(self.pos).unwrap_or(self.pos + 1);
                self.line += 1;
                (RawKind::Newline, true)
            }
            _ if is_blank(first) => {
                while self.bytes.get(self.pos).copied().is_some_and(is_blank) {
                    self.pos += 1;
                }
                (RawKind::Blank, true)
            }
            b'\\' if self.splice(self.pos).is_some() => {
                self.pos = self.splice(self.pos).unwrap_or(self.pos + 1);
                self.line += 1;
                (RawKind::Splice, true)
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.bump_while(|b| b.is_ascii_alphanumeric() || b == b'_');
                (RawKind::Word, true)
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.peek_nth(1).is_some_and(|b| b.is_ascii_digit()) => self.number(),
            b'"' => (RawKind::Text, self.quoted(b'"')),
            b'\'' => (RawKind::Character, self.quoted(b'\'')),
            b'/' if self.peek_nth(1) == Some(b'/') => {
                self.bump_while(|b| !ends_line(b));
                (RawKind::LineComment, true)
            }
            b'/' if self.peek_nth(1) == Some(b'*') => (RawKind::BlockComment, self.comment()),
            _ if is_punct(first) => {
                self.punct();
                (RawKind::Punct, true)
            }
            _ => {
                self.pos += 1;
                while self.bytes.get(self.pos).copied().is_some_and(is_other) {
                    self.pos += 1;
                }
                (RawKind::Other, true)
            }
        }
    }

    fn number(&mut self) -> (RawKind, bool) {
        let mut last = 0;
        while let Some(b) = self.peek() {
            let sign = matches!(b, b'+' | b'-') && matches!(last, b'e' | b'E' | b'p' | b'P');
            if !(sign || b.is_ascii_alphanumeric() || b == b'_' || b == b'.') {
                break;
            }
            last = b;
            self.bump();
        }
        (RawKind::Number, true)
    }

    /// A string or character; ends at the line's end if it is not closed.
    fn quoted(&mut self, quote: u8) -> bool {
        self.bump();
        while let Some(b) = self.peek() {
            if ends_line(b) {
                return false;
            }
            self.bump();
            if b == quote {
                return true;
            }
            if b == b'\\' && self.peek().is_some_and(|b| !ends_line(b)) {
                self.bump();
            }
        }
        false
    }

    fn comment(&mut self) -> bool {
        self.bump();
        self.bump();
        loop {
            self.bump_while(|b| b != b'*' && !ends_line(b));
            let Some(b) = self.peek() else {
                return false;
            };
            self.bump();
            if b == b'*' && self.peek() == Some(b'/') {
                self.bump();
                return true;
            }
        }
    }

    fn punct(&mut self) {
        let next = self.bytes.get(self.pos + 1).copied().unwrap_or(0);
        if self.bytes[self.pos] != b'\\' && !is_punct(next) {
            self.pos += 1;
            return;
        }
        let ahead = [self.peek_nth(0), self.peek_nth(1), self.peek_nth(2)];
        let fits = |p: &&[u8]| p.iter().zip(ahead).all(|(&b, a)| a == Some(b));
        let len = LONG_PUNCTS.iter().find(|p| fits(p)).map_or(1, |p| p.len());
        for _ in 0..len {
            self.bump();
        }
    }

    /// Takes bytes while `keep` holds, which must be false for line ends.
    fn bump_while(&mut self, keep: impl Fn(u8) -> bool) {
        loop {
            let rest = &self.bytes[self.pos..];
            let plain = |b: &u8| keep(*b) && *b != b'\\';
            self.pos += rest.iter().position(|b| !plain(b)).unwrap_or(rest.len());
            if !self.peek().is_some_and(&keep) {
                return;
            }
            self.bump();
        }
    }

    /// The next byte of the joined lines.
    fn peek(&self) -> Option<u8> {
        match self.bytes.get(self.pos) {
            Some(b'\\') => self.peek_nth(0),
            byte => byte.copied(),
        }
    }

    fn peek_nth(&self, n: usize) -> Option<u8> {
        let mut at = self.joined(self.pos).0;
        for _ in 0..n {
            at = self.joined(at + 1).0;
        }
        self.bytes.get(at).copied()
    }

    /// Takes the byte that `peek` shows.
    fn bump(&mut self) {
        if self.bytes.get(self.pos) == Some(&b'\\') {
            let (at, lines) = self.joined(self.pos);
            self.spliced |= lines > 0;
            self.line += lines;
            self.pos = at;
        }
        match self.line_end(self.pos) {
            Some(end) => {
                self.line += 1;
                self.pos = end;
            }
            None => self.pos += 1,
        }
    }

    /// The position after the splices at `at`, and their number.
    fn joined(&self, mut at: usize) -> (usize, u32) {
        let mut lines = 0;
        while let Some(next) = self.splice(at) {
            at = next;
            lines += 1;
        }
        (at, lines)
    }

    /// The end of the splice at `at`: a backslash, blanks and a line end. Gcc
    /// allows the blanks, and takes the end of the file for a line end.
    fn splice(&self, at: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b'\\') {
            return None;
        }
        let mut end = at + 1;
        while self.bytes.get(end).copied().is_some_and(is_blank) {
            end += 1;
        }
        match self.bytes.get(end) {
            None => Some(end),
            Some(_) => self.line_end(end),
        }
    }

    /// The position after the line end at `at`: `\n`, `\r\n` or, as in gcc, `\r`.
    fn line_end(&self, at: usize) -> Option<usize> {
        match self.bytes.get(at)? {
            b'\n' => Some(at + 1),
            b'\r' if self.bytes.get(at + 1) == Some(&b'\n') => Some(at + 2),
            b'\r' => Some(at + 1),
            _ => None,
        }
    }
}

/// The text without the splices in it.
pub(crate) fn unspliced(text: &str) -> String {
    let scanner = Scanner::at(text, 0, 1);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match scanner.splice(at) {
            Some(end) => at = end,
            None => {
                out.push(c);
                at += c.len_utf8();
            }
        }
    }
    out
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\x0b' | b'\x0c')
}

fn ends_line(b: u8) -> bool {
    matches!(b, b'\n' | b'\r')
}

fn is_punct(b: u8) -> bool {
    b.is_ascii_punctuation() && !matches!(b, b'"' | b'\'' | b'_' | b'`')
}

fn is_other(b: u8) -> bool {
    !(b.is_ascii_graphic() || is_blank(b) || ends_line(b)) || b == b'`'
}
