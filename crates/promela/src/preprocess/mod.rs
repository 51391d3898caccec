//! The C preprocessor, as far as models need it, and Promela's lexer.
//!
//! Spin runs `gcc -E` over a model and reads its output. This module does both steps at once and
//! keeps the place of every token: files (`input`) → directives
//! (`directive`, `condition`, `define`) → macro expansion (`expand`,
//! `arguments`, `paste`) → what gcc would print between the tokens (`print`) →
//! Promela's tokens (`relex`).
//!
//! Not supported: `__VA_OPT__`, `_Pragma`, `__has_include`, raw strings, digraphs,
//! `$` in names, and gcc's machine-dependent macros (`linux`, `__GNUC__`, …).

mod arguments;
mod arithmetic;
mod builtin;
mod condition;
mod define;
mod directive;
mod expand;
mod expression;
mod input;
mod number;
mod paste;
mod print;
mod record;
mod relex;
#[cfg(test)]
mod tests;
mod token;
mod words;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{SourceMap, Span};
use crate::token::Token;
use define::MacroTable;
use expand::{Context, Reading};
use input::{Input, LineEnd};
use print::Printer;
pub(crate) use record::MacroRecord;
use relex::Relexer;
use token::{BOL, Kind, PpToken};
use words::Words;

/// Reads the files that a text includes.
pub trait Loader {
    /// The file called `name` in an `#include` of the file `from`, in angle
    /// brackets or quotes: its display name and its text.
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String>;
}

/// A loader that finds nothing.
pub struct NoIncludes;

impl Loader for NoIncludes {
    fn load(&mut self, _: &str, _: bool, _: &str) -> Result<(String, String), String> {
        Err("there are no files to include here".to_string())
    }
}

/// A macro from the command line: `-DNAME` or `-DNAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The name; `F(x)` makes a macro with a parameter.
    pub name: String,
    /// Its text; `1` if there is none.
    pub value: Option<String>,
}

impl Define {
    /// Reads `NAME` or `NAME=VALUE`.
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            Some((name, value)) => Self { name: name.to_string(), value: Some(value.to_string()) },
            None => Self { name: text.to_string(), value: None },
        }
    }

    fn line(&self) -> String {
        let first_line = |text: &str| text.lines().next().unwrap_or("").to_string();
        let value = first_line(self.value.as_deref().unwrap_or("1"));
        format!("#define {} {value}\n", first_line(&self.name))
    }
}

/// The maximal nesting of argument expansions.
const MAX_DEPTH: usize = 200;
/// The number of tokens that macros may produce from a small text …
const MIN_BUDGET: u64 = 4_000_000;
/// … and this many more for every byte of the text.
const BUDGET_PER_BYTE: u64 = 8;

/// The Promela tokens of `text`, terminated by one [`End`](crate::token::TokenKind::End).
/// `defines` are processed before its first line. Included files and expansions are added to
/// `map`, diagnostics to `diags`.
///
/// [`Token::newline_before`] refers to the output of `gcc -E`, not to the text itself: see the
/// module `print`.
pub fn preprocess(
    name: &str,
    text: String,
    defines: &[Define],
    loader: &mut dyn Loader,
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Vec<Token> {
    preprocess_with_record(name, text, defines, loader, map, diags).0
}

/// Like [`preprocess`](fn@preprocess), with the definitions and mentions of macros.
pub(crate) fn preprocess_with_record(
    name: &str,
    text: String,
    defines: &[Define],
    loader: &mut dyn Loader,
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> (Vec<Token>, MacroRecord) {
    let budget = MIN_BUDGET + BUDGET_PER_BYTE * text.len() as u64;
    let mut preprocessor = Preprocessor {
        words: Words::new(),
        table: MacroTable::default(),
        inputs: Vec::new(),
        contexts: Vec::new(),
        lookahead: None,
        reading: Reading::default(),
        in_directive: false,
        skipping: false,
        printer: Printer::default(),
        from_file: true,
        call: PpToken::eof(Span::new(0, 0), 0),
        own_lines: true,
        counter: 0,
        depth: 0,
        budget,
        limit_reported: false,
        record: MacroRecord::default(),
        loader,
        map,
        diags,
    };
    preprocessor.define_builtins();
    preprocessor.open(name, text, None);
    if !defines.is_empty() {
        let lines = defines.iter().map(Define::line).collect();
        preprocessor.open("<command line>", lines, None);
    }
    let tokens = preprocessor.run();
    (tokens, preprocessor.record)
}

struct Preprocessor<'a> {
    words: Words,
    table: MacroTable,
    /// The files being read; each was included by the one before.
    inputs: Vec<Input>,
    /// Tokens of expansions that have not been read yet; the last context is read first.
    contexts: Vec<Context>,
    /// A token of the file that was put back.
    lookahead: Option<PpToken>,
    reading: Reading,
    in_directive: bool,
    /// Whether a conditional leaves out the text being read.
    skipping: bool,
    printer: Printer,
    /// Whether the last token came from a file rather than an expansion.
    from_file: bool,
    /// The name in the outermost macro call being read.
    call: PpToken,
    /// Whether the macro called last, not counting calls in arguments, is
    /// named in the file rather than in another macro's text.
    own_lines: bool,
    /// The value of the next `__COUNTER__`.
    counter: u64,
    /// How many expansions of arguments are nested.
    depth: usize,
    /// The number of tokens that macros may still produce; reading ends at 0.
    budget: u64,
    limit_reported: bool,
    record: MacroRecord,
    loader: &'a mut dyn Loader,
    map: &'a mut SourceMap,
    diags: &'a mut Diagnostics,
}

impl Preprocessor<'_> {
    fn run(&mut self) -> Vec<Token> {
        let mut out = Relexer::default();
        if self.inputs.is_empty() {
            return out.finish(Span::new(0, 0), &mut self.words, self.diags);
        }
        loop {
            let token = self.get();
            if !self.diags.go_on() {
                self.budget = 0;
                return out.finish(token.span, &mut self.words, self.diags);
            }
            match token.kind {
                Kind::Padding => self.printer.padding(&token),
                Kind::Eof => {
                    self.close_conditions();
                    return out.finish(token.span, &mut self.words, self.diags);
                }
                _ => {
                    let line = if self.from_file { token.line } else { self.call.line };
                    let gap = self.printer.print(&token, line, &self.words);
                    out.push(&token, gap, &mut self.words, self.diags);
                }
            }
        }
    }

    /// The file being read. There is one from the first `open` to the end.
    fn input(&mut self) -> &mut Input {
        self.inputs.last_mut().expect("the main file is never left")
    }

    /// The next token of the files that no conditional excludes. Directives before it are
    /// processed.
    fn lex_token(&mut self) -> PpToken {
        loop {
            if self.budget == 0 || !self.diags.go_on() {
                return self.eof();
            }
            let token = match self.lookahead.take() {
                Some(token) => token,
                None => self.lex_direct(),
            };
            if token.kind == Kind::Eof {
                let in_call = self.reading.looking_for_call || self.reading.arguments;
                if self.in_directive || in_call || self.inputs.len() == 1 {
                    return token;
                }
                self.close_conditions();
                self.inputs.pop();
                continue;
            }
            if token.starts_directive() && !self.reading.looking_for_call {
                self.directive();
                continue;
            }
            if self.in_directive {
                return token;
            }
            if self.skipping {
                continue;
            }
            let in_call = self.reading.looking_for_call || self.reading.arguments;
            if token.has(BOL) && !in_call {
                self.printer.line_change(token.line);
            }
            return token;
        }
    }

    /// The next token of the file being read.
    fn lex_direct(&mut self) -> PpToken {
        let ends = match self.in_directive {
            true => LineEnd::Directive,
            false if self.reading.arguments => LineEnd::Arguments,
            false => LineEnd::Text,
        };
        let input = self.inputs.last_mut().expect("the main file is never left");
        input.next(ends, &mut self.words, self.diags)
    }

    /// An end token at the place of the current call.
    fn eof(&self) -> PpToken {
        PpToken::eof(self.call.span, self.call.line)
    }

    /// Reports that macros produced too many tokens, and ends the input.
    fn give_up(&mut self) -> PpToken {
        let message = "the macros expand to too much text";
        let end = self.eof();
        if !self.limit_reported {
            self.limit_reported = true;
            self.diags.push(Diagnostic::new(Code::ExpansionLimit, end.span, message));
        }
        end
    }
}
