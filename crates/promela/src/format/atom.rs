//! The pieces that the formatter places, each in one go.

/// What an atom is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum AtomKind {
    /// A name or keyword.
    Word,
    /// A number, a string or a character.
    Value,
    /// An operator or separator; the operators of formulas are one atom each.
    Punct,
    /// `// …`.
    LineComment,
    /// `/* … */`.
    BlockComment,
    /// A whole directive.
    Directive,
    /// A macro call, or C in its braces: kept as written, line ends included.
    Verbatim,
    /// Characters outside the language.
    Other,
}

/// A piece of text that is placed as a whole.
#[derive(Copy, Clone, Debug)]
pub(super) struct Atom<'a> {
    pub(super) kind: AtomKind,
    /// Its text, exactly as it stands.
    pub(super) text: &'a str,
    /// What stands between it and the atom before, from the last line end on.
    pub(super) before: &'a str,
    /// How many line ends stand between it and the atom before.
    pub(super) newlines: u32,
    /// Blanks before it are neither added nor left out: they may mean something.
    pub(super) keep: bool,
    /// The comment or the quotes are closed.
    pub(super) closed: bool,
}

impl Atom<'_> {
    /// `// …` or `/* … */`.
    pub(super) fn is_comment(&self) -> bool {
        matches!(self.kind, AtomKind::LineComment | AtomKind::BlockComment)
    }

    /// Neither a comment nor a directive.
    pub(super) fn is_code(&self) -> bool {
        !self.is_comment() && self.kind != AtomKind::Directive
    }

    /// Whether it is this operator.
    pub(super) fn is(&self, punct: &str) -> bool {
        self.kind == AtomKind::Punct && self.text == punct
    }

    /// How many line ends are in it.
    pub(super) fn inner_newlines(&self) -> u32 {
        self.text.bytes().filter(|b| matches!(b, b'\n' | b'\r')).count() as u32
    }
}
