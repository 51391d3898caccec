//! Diagnostics: errors and warnings about a text.
//!
//! A diagnostic has a stable [`Code`], a span and, if there is one, a hint. Rendering with
//! source excerpts and expansion traces is in [`crate::render`].
//!
//! The list is what all stages share, so that it also tells them when to stop: whoever collects
//! diagnostics may lose interest, because of a limit of time or memory.

use crate::source::Span;
use resy_index::Interest;

/// Whether the model can be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model can be used; the text is probably not what was meant.
    Warning,
    /// The model cannot be used.
    Error,
}

/// One error or warning.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its kind, stable across versions: `E0201`, `W0301`.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// The text it is about.
    pub span: Span,
    /// A short text at the excerpt.
    pub label: String,
    /// Related places, each with a short text.
    pub related: Vec<(Span, String)>,
    /// How to correct it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A diagnostic about `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            hint: None,
        }
    }

    /// With a short text at the excerpt.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With a related place.
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    /// With a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Error or warning: the code says which.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// The diagnostics of a run, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    errors: usize,
    /// Errors and warnings that were not collected.
    left_out: (usize, usize),
    interest: Interest,
}

/// More errors than this are counted only: most of them are consequences of earlier ones.
const MAX_ERRORS: usize = 200;
/// The same for warnings.
const MAX_WARNINGS: usize = 500;

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty list. All stages end early, without a result, when `go_on` says no.
    pub fn new_while(go_on: impl Fn() -> bool + 'static) -> Self {
        Self { interest: Interest::lasting_while(go_on), ..Self::default() }
    }

    /// Whether the stages may go on. Every loop over tokens or statements asks.
    pub(crate) fn go_on(&self) -> bool {
        self.interest.lasts()
    }

    /// Whether the stages were told to end early.
    pub fn is_stopped(&self) -> bool {
        self.interest.is_lost()
    }

    /// Adds a diagnostic, unless it is a duplicate. Beyond a limit, diagnostics are only counted.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let known = self.items.iter().rev().take(64).any(|d| {
            d.code == diagnostic.code
                && d.span == diagnostic.span
                && d.message == diagnostic.message
        });
        if known {
            return;
        }
        let is_error = diagnostic.severity() == Severity::Error;
        let (collected, limit, left_out) = match is_error {
            true => (self.errors, MAX_ERRORS, &mut self.left_out.0),
            false => (self.items.len() - self.errors, MAX_WARNINGS, &mut self.left_out.1),
        };
        if collected >= limit {
            *left_out += 1;
            return;
        }
        self.errors += usize::from(is_error);
        self.items.push(diagnostic);
    }

    /// The number of diagnostics of this severity, including those beyond the limit.
    pub fn count(&self, severity: Severity) -> usize {
        match severity {
            Severity::Error => self.errors + self.left_out.0,
            Severity::Warning => self.items.len() - self.errors + self.left_out.1,
        }
    }

    /// Only the errors.
    pub fn without_warnings(mut self) -> Self {
        self.items.retain(|d| d.severity() == Severity::Error);
        self.left_out.1 = 0;
        self
    }

    /// Drops the warnings that `is_void` names.
    pub fn drop_warnings(&mut self, mut is_void: impl FnMut(&Diagnostic) -> bool) {
        self.items.retain(|d| d.severity() == Severity::Error || !is_void(d));
    }

    /// Changes each of them, but not its severity.
    pub fn change_each(&mut self, change: impl FnMut(&mut Diagnostic)) {
        self.items.iter_mut().for_each(change);
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The collected diagnostics.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// The kinds of diagnostics. `E` codes are errors, `W` codes warnings; the
        /// first two digits name the stage (01 preprocessor, 02 syntax,
        /// 03 names and types, 04 control flow, 05 refused, 06 limits, 07 annotations).
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
            /// A code of another front end, whose diagnostics are rendered here.
            Foreign(&'static str),
        }

        impl Code {
            /// The code as it is printed.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    Self::Foreign(text) => text,
                }
            }

            /// All codes of Promela, for documentation.
            pub const ALL: &'static [Code] = &[$(Self::$name),*];
        }
    };
}

codes! {
    /// A preprocessor directive is malformed or unknown.
    Directive = "E0101",
    /// An included file cannot be read.
    Include = "E0102",
    /// A conditional is not closed, or closed without having been opened.
    Conditional = "E0103",
    /// A macro is called with the wrong number of arguments, or not closed.
    MacroCall = "E0104",
    /// `#error`.
    UserError = "E0105",
    /// Expansion exceeds the limits of depth or size.
    ExpansionLimit = "E0106",
    /// A character that Promela does not have.
    Character = "E0201",
    /// A string, character or comment that is not closed.
    Unterminated = "E0202",
    /// Another token was expected.
    Syntax = "E0203",
    /// Nesting deeper than the parser follows.
    Nesting = "E0204",
    /// An inline is called wrongly, or calls itself.
    InlineCall = "E0205",
    /// A name that is not declared.
    Undeclared = "E0301",
    /// A name that is declared twice.
    Redeclared = "E0302",
    /// A name of the wrong kind, or a use its type does not allow.
    Type = "E0303",
    /// Wrong number of arguments, parameters or message fields.
    Arity = "E0304",
    /// A constant was expected, or a constant is out of range.
    Constant = "E0305",
    /// A declaration where none may stand.
    Declaration = "E0306",
    /// A jump to a label that does not exist or may not be reached.
    Jump = "E0401",
    /// A label that is placed where spin does not allow it.
    Label = "E0402",
    /// `break` outside a loop, a doubled `else`, an empty sequence.
    Structure = "E0403",
    /// A statement that may not stand in a `d_step`.
    DStep = "E0404",
    /// Embedded C.
    EmbeddedC = "E0501",
    /// Another construct that resy does not accept.
    Refused = "E0502",
    /// States that would be larger than can be searched.
    TooLarge = "E0601",
    /// An annotation about unbounded data that is wrong.
    Annotation = "E0701",
    /// A variable that is never used.
    UnusedVariable = "W0301",
    /// A constant that the type of its target cuts off.
    Truncated = "W0302",
    /// A label that is never used.
    UnusedLabel = "W0303",
    /// A message that does not fit its channel.
    Message = "W0304",
    /// A macro that is defined again with another text.
    MacroRedefined = "W0101",
    /// Text after a directive is ignored.
    ExtraTokens = "W0102",
    /// A branch or statement that cannot be reached.
    Unreachable = "W0401",
    /// `else` beside a send or receive.
    ElseBesideIo = "W0402",
    /// A limit of spin is exceeded: resy accepts the model, spin does not.
    SpinLimit = "W0601",
    /// Something that spin accepts and that is probably a mistake.
    Suspicious = "W0403",
}

impl Code {
    /// Whether it leaves holes in the syntax tree: errors of the preprocessor and the parser.
    pub fn breaks_the_tree(self) -> bool {
        self.as_str().starts_with("E01") || self.as_str().starts_with("E02")
    }

    /// Error or warning.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with('E') { Severity::Error } else { Severity::Warning }
    }
}
