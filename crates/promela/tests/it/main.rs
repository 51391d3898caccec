//! Tests of the preprocessor, the formatter and the way back from tokens to text.

mod format_laws;
mod preprocess_gcc;
mod unparse;
