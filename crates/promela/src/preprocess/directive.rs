//! Lines that begin with `#`.

use super::token::{Kind, PpToken, UNCLOSED, WHITE};
use super::words::EMPTY;
use super::{Input, Preprocessor};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Deeper nesting of `#include` is an error, as in gcc.
const MAX_INCLUDES: usize = 200;

/// What opening a file costs of the budget, beside its bytes.
const INCLUDE_COST: u64 = 1000;

impl Preprocessor<'_> {
    /// Reads the directive whose `#` was just read, to the end of its line.
    pub(super) fn directive(&mut self) {
        // Inside the arguments of a macro call a directive works as elsewhere.
        let outer = std::mem::take(&mut self.reading);
        let call = (self.call, self.own_lines);
        self.in_directive = true;
        let name = self.lex_direct();
        let include = self.dispatch(&name);
        self.drop_contexts();
        self.lookahead = None;
        while self.lex_direct().kind != Kind::Eof {}
        self.in_directive = false;
        self.reading = outer;
        (self.call, self.own_lines) = call;
        if let Some((name, angled, span)) = include {
            self.include(&name, angled, span);
        }
    }

    /// Returns the file to include.
    fn dispatch(&mut self, name: &PpToken) -> Option<(String, bool, Span)> {
        let text = match name.kind {
            Kind::Name => self.words.text(name.symbol).clone(),
            // `#` alone is nothing; `# 12 "file"` is a line marker.
            Kind::Eof | Kind::Number => return None,
            _ => "".into(),
        };
        match &*text {
            "if" => self.if_(name),
            "ifdef" => self.ifdef(name, true),
            "ifndef" => self.ifdef(name, false),
            "elif" => self.elif(name),
            "else" => self.else_(name),
            "endif" => self.endif(name),
            _ if self.skipping => {}
            "define" => self.define(),
            "undef" => self.undef(),
            "include" => return self.included_name(name.span),
            "error" => self.user_message(name, Code::UserError),
            "warning" => self.user_message(name, Code::Suspicious),
            "pragma" | "ident" | "sccs" | "line" => {}
            _ => {
                let message = "the preprocessor has no such directive";
                self.diags.push(
                    Diagnostic::new(Code::Directive, name.span, message)
                        .label("after `#` at the start of a line"),
                );
            }
        }
        None
    }

    fn user_message(&mut self, name: &PpToken, code: Code) {
        let words = self.input().rest_of_line().to_string();
        let directive = self.words.text(name.symbol);
        let message = format!("#{directive} {words}").trim_end().to_string();
        self.diags.push(Diagnostic::new(code, name.span, message));
    }

    /// Warns about ignored tokens at the end of the directive.
    pub(super) fn warn_extra_tokens(&mut self) {
        let token = self.lex_direct();
        if token.kind != Kind::Eof {
            let message = "the rest of the line is ignored";
            self.diags.push(Diagnostic::new(Code::ExtraTokens, token.span, message));
        }
    }

    fn included_name(&mut self, at: Span) -> Option<(String, bool, Span)> {
        if let Some((name, span)) = self.input().angled_name() {
            self.warn_extra_tokens();
            return Some((name, true, span));
        }
        let first = self.get();
        let text = self.words.text(first.symbol).clone();
        if first.kind == Kind::Text && !first.has(UNCLOSED) {
            self.warn_extra_tokens();
            return Some((text[1..text.len() - 1].to_string(), false, first.span));
        }
        if &*text == "<" {
            return self.angled_from_macro(&first);
        }
        let span = if first.kind == Kind::Eof { at } else { first.span };
        self.diags.push(Diagnostic::new(
            Code::Directive,
            span,
            "`#include` needs \"file\" or <file>",
        ));
        None
    }

    /// The name in `<…>`, where the brackets come from a macro.
    fn angled_from_macro(&mut self, open: &PpToken) -> Option<(String, bool, Span)> {
        let mut name = String::new();
        loop {
            let token = self.get();
            let text = self.words.text(token.symbol).clone();
            match &*text {
                ">" => return Some((name, true, open.span)),
                _ if token.kind == Kind::Eof || token.symbol == EMPTY => break,
                _ if token.has(WHITE) && !name.is_empty() => name.push(' '),
                _ => {}
            }
            name.push_str(&text);
        }
        self.diags.push(Diagnostic::new(
            Code::Directive,
            open.span,
            "`>` is missing after the name",
        ));
        None
    }

    fn include(&mut self, name: &str, angled: bool, span: Span) {
        if self.inputs.len() > MAX_INCLUDES {
            let message = format!("`#include` is nested deeper than {MAX_INCLUDES} files");
            let hint = "does a file include itself?";
            self.diags.push(Diagnostic::new(Code::Include, span, message).hint(hint));
            return;
        }
        let from = self.input().name.clone();
        let loaded = match self.loader.load(name, angled, &from) {
            Ok(loaded) => loaded,
            Err(why) => {
                let message = format!("cannot include `{name}`: {why}");
                let hint = "names are looked for beside the file, and in the folders of `-I DIR`";
                self.diags.push(Diagnostic::new(Code::Include, span, message).hint(hint));
                return;
            }
        };
        // Files that include each other twice would expand to 2^n files: their text counts.
        self.budget = self.budget.saturating_sub(INCLUDE_COST + loaded.1.len() as u64);
        if self.budget == 0 {
            let message = "the included files are too large together";
            let hint = "do files include each other more than once?";
            self.diags.push(Diagnostic::new(Code::ExpansionLimit, span, message).hint(hint));
            return;
        }
        self.open(&loaded.0, loaded.1, Some(span));
    }

    /// Adds a file and reads it next.
    pub(super) fn open(&mut self, name: &str, text: String, included_at: Option<Span>) {
        match self.map.add_file(name, text, included_at) {
            Some(id) => {
                // The reader has a copy, so that the map can grow.
                let file = self.map.file(id);
                self.inputs.push(Input::new(name, &file.text, file.start));
            }
            None => {
                let span = included_at.unwrap_or(Span::new(0, 0));
                let message = "all files together are larger than 4 GB";
                self.diags.push(Diagnostic::new(Code::Include, span, message));
            }
        }
    }
}
