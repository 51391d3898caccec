//! Text in canonical layout, if that is sure to mean the same.

use crate::subject::{Texts, fsp, is_fsp};
use resy_promela::preprocess::{Loader, preprocess};
use resy_promela::{Code, Diagnostics, SourceMap, format, parse};

/// Why a text is not laid out.
pub enum NotLaidOut {
    /// It cannot be parsed: the texts, and what is wrong with them.
    Syntax(Box<SourceMap>, Diagnostics),
    /// Another layout would mean something else, because of `__LINE__` or of macros that make strings.
    Meaning,
}

/// The text in canonical layout. Both texts are parsed and their trees compared. The extension of
/// `name` says which language it is; `texts` finds included files, all of them as if in quotes.
pub fn lay_out(name: &str, text: &str, texts: &mut dyn Texts) -> Result<String, NotLaidOut> {
    texts.begin(name);
    let out = match is_fsp(name) {
        true => resy_fsp::format(text),
        false => format::format(text),
    };
    let old = Parsed::of(name, text, texts);
    if old.has_syntax_errors() {
        return Err(NotLaidOut::Syntax(Box::new(old.map), old.diags));
    }
    if out != text && Parsed::of(name, &out, texts).tree != old.tree {
        return Err(NotLaidOut::Meaning);
    }
    Ok(out)
}

/// What the parser makes of a text.
struct Parsed {
    /// The tree without places; as it is printed for people who debug.
    tree: String,
    map: SourceMap,
    diags: Diagnostics,
}

impl Parsed {
    fn of(name: &str, text: &str, texts: &mut dyn Texts) -> Self {
        if is_fsp(name) {
            let (tree, map, diags) = fsp::parsed(name, text);
            return Self { tree: format!("{tree:?}"), map, diags };
        }
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let mut beside = Beside(texts);
        let tokens = preprocess(name, text.to_string(), &[], &mut beside, &mut map, &mut diags);
        let tree = format!("{:?}", parse::parse(tokens, &mut map, &mut diags));
        Self { tree, map, diags }
    }

    fn has_syntax_errors(&self) -> bool {
        let syntax = [Code::Syntax, Code::Unterminated, Code::Nesting, Code::Conditional];
        let is_syntax = |code: Code| match code {
            Code::Foreign(code) => code.starts_with("E02"),
            code => syntax.contains(&code),
        };
        self.diags.iter().any(|d| is_syntax(d.code))
    }
}

/// Finds included files beside the including one.
struct Beside<'a>(&'a mut dyn Texts);

impl Loader for Beside<'_> {
    fn load(&mut self, name: &str, _: bool, from: &str) -> Result<(String, String), String> {
        self.0.find(name, false, from)
    }
}
