//! What the front end says about a text: errors and warnings with spans.
//!
//! A diagnostic carries a stable [`Code`], the span it is about and, where one exists, a hint.
//! Excerpts of the source are rendered by the caller; [`Diagnostic::short`] is one line.

use crate::source::Span;
use resy_index::Interest;

/// How severe a diagnostic is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model can be used; the text deserves a look.
    Warning,
    /// The model cannot be used.
    Error,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its kind, stable across versions: `E0203`, `W0401`.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// The text it is about.
    pub span: Span,
    /// A few words to stand at the excerpt.
    pub label: String,
    /// Other places, each with its words.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A diagnostic about `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let (label, related, hint) = (String::new(), Vec::new(), None);
        Self { code, message: message.into(), span, label, related, hint }
    }

    /// With words at the excerpt.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With another place.
    #[must_use]
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    /// With a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Error or warning: the code says which.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The diagnostic on one line: `line:column: error[E0203]: message`.
    pub fn short(&self, text: &str) -> String {
        let severity = match self.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let (line, column) = self.span.line_column(text);
        format!("{line}:{column}: {severity}[{}]: {}", self.code.as_str(), self.message)
    }
}

/// The diagnostics of a run, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    n_errors: usize,
    interest: Interest,
}

/// At most so many errors are kept: after that, most are consequences.
const MAX_ERRORS: usize = 100;
/// At most so many warnings are kept.
const MAX_WARNINGS: usize = 200;

impl Diagnostics {
    /// No findings.
    pub fn new() -> Self {
        Self::default()
    }

    /// No findings. All stages end early, without a result, when `go_on` says no.
    pub fn new_while(go_on: impl Fn() -> bool + 'static) -> Self {
        Self { interest: Interest::lasting_while(go_on), ..Self::default() }
    }

    /// Whether the stages may go on. Every loop over tokens, states or parts asks.
    pub(crate) fn go_on(&self) -> bool {
        self.interest.lasts()
    }

    /// Whether the stages were told to end early.
    pub fn is_stopped(&self) -> bool {
        self.interest.is_lost()
    }

    /// Adds a finding, unless the same one is there or there are too many.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity() == Severity::Error;
        let kept = self.items.iter().filter(|d| d.severity() == diagnostic.severity()).count();
        self.n_errors += usize::from(is_error);
        let full = kept >= if is_error { MAX_ERRORS } else { MAX_WARNINGS };
        let same = |d: &Diagnostic| {
            (d.code, d.span, &d.message) == (diagnostic.code, diagnostic.span, &diagnostic.message)
        };
        if !full && !self.items.iter().any(same) {
            self.items.push(diagnostic);
        }
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// The findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// The kinds of findings. `E` codes are errors, `W` codes warnings; the first two
        /// digits name the stage (02 syntax, 03 names and values, 04 behaviour, 05 refused,
        /// 06 limits).
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name),* }

        impl Code {
            /// The code as it is printed.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// All codes, for documentation.
            pub const ALL: &'static [Code] = &[$(Self::$name),*];
        }
    };
}

codes! {
    /// A character that FSP does not have.
    Character = "E0201",
    /// A comment that is not closed.
    Unterminated = "E0202",
    /// Another token was expected.
    Syntax = "E0203",
    /// Nesting deeper than the parser follows.
    Nesting = "E0204",
    /// A name that is not defined.
    Undefined = "E0301",
    /// A name that is defined twice.
    Redefined = "E0302",
    /// A name of the wrong kind, or a value of the wrong kind.
    Kind = "E0303",
    /// Wrong number of arguments.
    Arity = "E0304",
    /// An expression without a value: a division by zero, an index out of bounds.
    Value = "E0305",
    /// A process without a first action.
    Unguarded = "E0401",
    /// A property that is not deterministic.
    Nondeterministic = "E0402",
    /// A process that must end and cannot, or that calls itself.
    Sequence = "E0403",
    /// Initiating and terminating actions of a fluent overlap.
    Fluent = "E0404",
    /// A construct that resy does not accept.
    Refused = "E0501",
    /// A model larger than the limits.
    TooLarge = "E0601",
    /// A jump to an index that is not declared: it leads to `ERROR`.
    OutOfRange = "W0401",
    /// A relabelling or hiding that changes nothing.
    NoEffect = "W0402",
    /// A local process that is never reached.
    Unreached = "W0403",
    /// Something that LTSA accepts and that is probably a mistake.
    Suspicious = "W0404",
    /// An assertion that is too large, and left out.
    LeftOut = "W0601",
}

impl Code {
    /// Whether parts of the text were not understood.
    pub fn breaks_the_tree(self) -> bool {
        self.as_str().starts_with("E02")
    }

    /// Error or warning.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with('E') { Severity::Error } else { Severity::Warning }
    }
}
