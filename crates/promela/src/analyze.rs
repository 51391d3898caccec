//! A text with everything that could be made of it, for editors.

use crate::ast::Program;
use crate::diagnostic::Diagnostics;
use crate::lower;
use crate::parse::parse_with_extents;
use crate::preprocess::{Define, Loader, preprocess_with_record};
use crate::source::SourceMap;
use crate::symbols::{self, Symbols};
use resy_system::System;

/// What could be made of a text, whatever is wrong with it.
#[derive(Debug)]
pub struct Analysis {
    /// The syntax tree; statements and units that cannot be read are missing in it.
    pub program: Program,
    /// The system; `None` if there are errors.
    pub system: Option<System>,
    /// The declarations and the uses of their names.
    pub symbols: Symbols,
    /// Errors and warnings, as [`read`](crate::read) reports them.
    pub diagnostics: Diagnostics,
    /// The files and expansions that spans refer to.
    pub map: SourceMap,
}

/// Like [`read`](crate::read), for text that may be broken: the result has all declarations
/// that can be read, also those after an error.
pub fn analyze(name: &str, text: String, defines: &[Define], loader: &mut dyn Loader) -> Analysis {
    analyze_while(name, text, defines, loader, Diagnostics::new())
}

/// Like [`analyze`]; `diagnostics`, which is empty, may [end it early](Diagnostics::new_while).
pub fn analyze_while(
    name: &str,
    text: String,
    defines: &[Define],
    loader: &mut dyn Loader,
    mut diagnostics: Diagnostics,
) -> Analysis {
    let mut map = SourceMap::new();
    let (tokens, record) =
        preprocess_with_record(name, text, defines, loader, &mut map, &mut diagnostics);
    let (program, extents) = parse_with_extents(tokens.clone(), &mut map, &mut diagnostics);
    let symbols = symbols::collect(&program, &extents, &tokens, &record, &map);
    let broken = diagnostics.is_stopped() || diagnostics.iter().any(|d| d.code.breaks_the_tree());
    let system = if broken { None } else { lower(&program, &map, &mut diagnostics) };
    Analysis { program, system, symbols, diagnostics, map }
}
