//! Ctrl-C: the first time it asks for an end, the second time it is one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that is set when the user interrupts.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(crate::Exit::Unknown as i32);
        }
    };
    // Without a handler Ctrl-C ends the process, which is no loss.
    let _ = ctrlc::set_handler(handler);
    flag
}
