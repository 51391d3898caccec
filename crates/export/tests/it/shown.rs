//! Readers of what is shown, written from the descriptions of the formats and not from the code that writes.

pub mod chart;
pub mod itf;
pub mod mermaid;
pub mod sarif;
pub mod table;
pub mod xml;
