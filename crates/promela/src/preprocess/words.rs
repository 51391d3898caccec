//! Every text of a token is stored once; tokens carry a number for it.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Symbol(u32);

impl Symbol {
    /// Its position among the symbols.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Texts that the preprocessor itself asks for; [`Words::new`] numbers them first.
const FIXED: [&str; 9] = ["(", ")", ",", "#", "##", "...", "defined", "__VA_ARGS__", ""];

pub(super) const OPEN: Symbol = Symbol(0);
pub(super) const CLOSE: Symbol = Symbol(1);
pub(super) const COMMA: Symbol = Symbol(2);
pub(super) const HASH: Symbol = Symbol(3);
pub(super) const HASH_HASH: Symbol = Symbol(4);
pub(super) const DOTS: Symbol = Symbol(5);
pub(super) const DEFINED: Symbol = Symbol(6);
pub(super) const VA_ARGS: Symbol = Symbol(7);
pub(super) const EMPTY: Symbol = Symbol(8);

/// The texts and their numbers.
pub(super) struct Words {
    numbers: FxHashMap<Rc<str>, Symbol>,
    texts: Vec<Rc<str>>,
}

impl Words {
    pub fn new() -> Self {
        let mut words = Self { numbers: FxHashMap::default(), texts: Vec::new() };
        for text in FIXED {
            words.intern(text);
        }
        words
    }

    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let shared: Rc<str> = Rc::from(text);
        self.texts.push(shared.clone());
        self.numbers.insert(shared, symbol);
        symbol
    }

    pub fn text(&self, symbol: Symbol) -> &Rc<str> {
        &self.texts[symbol.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_words_have_their_numbers() {
        let mut words = Words::new();
        assert_eq!(words.intern("##"), HASH_HASH);
        assert_eq!(words.intern("__VA_ARGS__"), VA_ARGS);
        assert_eq!(words.intern(""), EMPTY);
        let new = words.intern("new");
        assert_eq!(words.intern("new"), new);
        assert_eq!(&**words.text(new), "new");
    }
}
