//! Tests of the preprocessor, the formatter, the symbols and the way back from tokens to text.

mod as_spin_reports;
mod format_laws;
mod preprocess_gcc;
mod symbols;
mod symbols_laws;
mod unparse;
