//! Parsers for the formats that are written, based on the specifications and not on the code that writes.

pub mod chart;
pub mod itf;
pub mod mermaid;
pub mod sarif;
pub mod table;
pub mod xml;
