//! Messages between workers: packets of bytes on a timely dataflow, and the reports in them.

pub mod mailbox;
pub mod packet;
pub mod report;
pub mod series;
