//! Tests of the preprocessor, the formatter and the way back from tokens to text.

mod as_spin_reports;
mod format_laws;
mod preprocess_gcc;
mod unparse;
