//! A mistake that stops the elaboration of a definition.

use crate::diagnostic::{Code, Diagnostic};
use crate::similar::similar;
use crate::source::Span;

/// A diagnostic on its way to the caller.
pub(crate) type Fault = Box<Diagnostic>;

/// A fault with a message.
pub(crate) fn fault(code: Code, span: Span, message: impl Into<String>) -> Fault {
    Box::new(Diagnostic::new(code, span, message))
}

/// The fault of a name that is not defined, with the nearest name that is.
pub(crate) fn undefined<'a>(
    what: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
) -> Fault {
    let diagnostic =
        Diagnostic::new(Code::Undefined, span, format!("{what} `{name}` is not defined"));
    Box::new(match similar(name, known) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic,
    })
}
