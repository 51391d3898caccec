//! Declarations in one line, as an editor shows them.

use crate::ast::{ChanInit, Decl, Initialiser, InlineDef, Name, Proctype, Size, TypeName, VarDecl};
use crate::parse::type_word;
use crate::print;
use crate::source::{SourceMap, Span};

/// Longer texts are cut.
const MAX_CHARS: usize = 100;

/// `byte x[3] = 1`.
pub(super) fn variable(decl: &Decl, var: &VarDecl) -> String {
    let mut text = format!("{} {}", type_name(&decl.ty), var.name.text);
    if let Some(width) = var.width {
        text += &format!(" : {width}");
    }
    if let Some(array) = &var.array {
        text += &format!("[{}]", size(array));
    }
    match &var.init {
        Some(Initialiser::Expr(e)) => text += &format!(" = {}", print::expr(e)),
        Some(Initialiser::List(list)) => text += &format!(" = {{ {} }}", print::args(list)),
        Some(Initialiser::Chan(chan)) => text += &format!(" = {}", channel(chan)),
        None => {}
    }
    cut(text)
}

/// `active [2] proctype P(byte a; chan c)`.
pub(super) fn proctype(p: &Proctype) -> String {
    let active = match &p.active {
        None => String::new(),
        Some(None) => "active ".to_string(),
        Some(Some(n)) => format!("active [{}] ", size(n)),
    };
    let word = if p.deterministic { "D_proctype" } else { "proctype" };
    let one = |decl: &Decl| {
        let names: Vec<&str> = decl.vars.iter().map(|v| &*v.name.text).collect();
        format!("{} {}", type_name(&decl.ty), names.join(", "))
    };
    let params: Vec<String> = p.params.iter().map(one).collect();
    cut(format!("{active}{word} {}({})", p.name.text, params.join("; ")))
}

/// `inline f(a, b)`.
pub(super) fn inline(inline: &InlineDef) -> String {
    let params: Vec<&str> = inline.params.iter().map(|p| &*p.text).collect();
    cut(format!("inline {}({})", inline.name.text, params.join(", ")))
}

/// `typedef T { byte a; bit b[2] }`.
pub(super) fn typedef(name: &Name, fields: &[Decl]) -> String {
    let all = fields.iter().flat_map(|decl| decl.vars.iter().map(|v| variable(decl, v)));
    cut(format!("typedef {} {{ {} }}", name.text, all.collect::<Vec<_>>().join("; ")))
}

/// The text of a directive, its white space made single blanks.
pub(super) fn directive(map: &SourceMap, extent: Span) -> String {
    let words: Vec<&str> = map.text(extent).split_whitespace().filter(|w| *w != "\\").collect();
    cut(format!("#define {}", words.join(" ")))
}

pub(super) fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn type_name(ty: &TypeName) -> String {
    match ty {
        TypeName::Basic(basic, Some(subtype)) => format!("{}:{}", type_word(*basic), subtype.text),
        TypeName::Basic(basic, None) => type_word(*basic).to_string(),
        TypeName::User(name) => name.text.to_string(),
    }
}

fn channel(chan: &ChanInit) -> String {
    let fields: Vec<String> = chan.fields.iter().map(type_name).collect();
    format!("[{}] of {{ {} }}", chan.capacity, fields.join(", "))
}

fn size(size: &Size) -> String {
    match size {
        Size::Value(value, _) => value.to_string(),
        Size::Name(name) => name.text.to_string(),
    }
}
