//! The predefined macros that depend neither on the machine nor on the date.

use super::Preprocessor;
use super::define::Macro;
use super::token::{Kind, PpToken};
use crate::source::Span;

/// A macro whose text is computed at every use.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    File,
    BaseFile,
    Line,
    Counter,
    IncludeLevel,
    Value(&'static str),
}

const BUILTINS: [(&str, Builtin); 7] = [
    ("__FILE__", Builtin::File),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__LINE__", Builtin::Line),
    ("__COUNTER__", Builtin::Counter),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__STDC__", Builtin::Value("1")),
    ("__STDC_VERSION__", Builtin::Value("199901L")),
];

impl Preprocessor<'_> {
    pub(super) fn define_builtins(&mut self) {
        for (name, builtin) in BUILTINS {
            let name = self.words.intern(name);
            let macro_ = Macro {
                name,
                span: Span::new(0, 0),
                params: None,
                param_spans: Vec::new(),
                variadic: false,
                body: Vec::new(),
                builtin: Some(builtin),
            };
            self.table.set(name, Some(macro_));
        }
    }

    /// The token that `builtin` stands for, used at `name`.
    pub(super) fn builtin_token(&mut self, builtin: Builtin, name: &PpToken) -> PpToken {
        let depth = self.inputs.len() - 1;
        let text = match builtin {
            Builtin::File => quote(&self.inputs[depth].name),
            Builtin::BaseFile => quote(&self.inputs[0].name),
            Builtin::IncludeLevel => depth.to_string(),
            Builtin::Line => self.line_of(name).to_string(),
            Builtin::Counter => {
                self.counter += 1;
                (self.counter - 1).to_string()
            }
            Builtin::Value(text) => text.to_string(),
        };
        let kind = if text.starts_with('"') { Kind::Text } else { Kind::Number };
        PpToken { kind, flags: 0, symbol: self.words.intern(&text), ..*name }
    }

    /// In the text of a macro, the line of the call; in an argument of a call in the file, its
    /// own line.
    fn line_of(&self, token: &PpToken) -> u32 {
        let in_argument = self.depth > 0 && self.own_lines;
        if self.contexts.is_empty() || in_argument { token.line } else { self.call.line }
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
