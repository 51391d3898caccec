//! The names that the grammar depends on, as far as they have been declared.

use super::words::Kind;
use crate::ast::{Name, Program, Unit};
use crate::token::Token;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An inline as it was defined: its text is parsed only where it is called.
#[derive(Debug)]
pub(super) struct Inline {
    pub(super) name: Name,
    pub(super) n_params: usize,
    /// Position of each parameter.
    pub(super) params: FxHashMap<Rc<str>, usize>,
    /// From `{` to `}`.
    pub(super) body: Vec<Token>,
}

#[derive(Default)]
struct Entry {
    mtype: Option<i64>,
    is_type: bool,
    is_proctype: bool,
    inline: Option<Rc<Inline>>,
}

/// The names declared so far.
#[derive(Default)]
pub(super) struct Names {
    entries: FxHashMap<Rc<str>, Entry>,
    /// How many constants each `mtype` has so far, by subtype.
    mtype_sizes: FxHashMap<Option<Rc<str>>, i64>,
}

impl Names {
    /// The names that a parsed program declares, without inlines, whose text the tree does not
    /// have.
    pub(super) fn of_program(program: &Program) -> Self {
        let mut names = Self::default();
        for unit in &program.units {
            match unit {
                Unit::Mtype(m) => names.declare_mtype(m.subtype.as_ref(), &m.names),
                Unit::Typedef(t) => names.declare_type(&t.name.text),
                Unit::Proctype(p) => names.declare_proctype(&p.name.text),
                _ => {}
            }
        }
        names
    }

    /// Declares the constants of an `mtype`. Spin numbers a list from its end,
    /// and continues after the lists before it.
    pub(super) fn declare_mtype(&mut self, subtype: Option<&Name>, constants: &[Name]) {
        let size = self.mtype_sizes.entry(subtype.map(|n| n.text.clone())).or_default();
        let before = *size;
        *size += constants.len() as i64;
        for (i, name) in constants.iter().enumerate() {
            let entry = self.entries.entry(name.text.clone()).or_default();
            entry.mtype = Some(before + (constants.len() - i) as i64);
        }
    }

    pub(super) fn declare_type(&mut self, name: &Rc<str>) {
        self.entries.entry(name.clone()).or_default().is_type = true;
    }

    pub(super) fn declare_proctype(&mut self, name: &Rc<str>) {
        self.entries.entry(name.clone()).or_default().is_proctype = true;
    }

    /// Declares an inline, unless there is one of that name.
    pub(super) fn declare_inline(&mut self, inline: Inline) {
        let entry = self.entries.entry(inline.name.text.clone()).or_default();
        entry.inline.get_or_insert(Rc::new(inline));
    }

    pub(super) fn inline(&self, name: &str) -> Option<&Rc<Inline>> {
        self.entries.get(name)?.inline.as_ref()
    }

    /// The inlines that have been defined.
    pub(super) fn inlines(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(|(_, e)| e.inline.is_some()).map(|(name, _)| &**name)
    }

    /// The class of a word that is not reserved, if it is an `mtype` constant.
    pub(super) fn constant(&self, word: &Rc<str>) -> Option<Kind> {
        let value = self.entries.get(word)?.mtype?;
        Some(Kind::Mtype(word.clone(), value))
    }

    /// The class of a word that is neither reserved nor a constant.
    pub(super) fn class(&self, word: Rc<str>) -> Kind {
        match self.entries.get(&word) {
            Some(e) if e.is_type => Kind::TypeName(word),
            Some(e) if e.is_proctype => Kind::ProcName(word),
            Some(e) if e.inline.is_some() => Kind::InlineName(word),
            _ => Kind::Name(word),
        }
    }
}
