//! Ctrl-C: the first one asks for an orderly end, the second one ends the process.

use resy::Control;

/// Lets Ctrl-C cancel a computation.
pub fn cancels(control: &Control) {
    let canceller = control.canceller();
    let handler = move || {
        if canceller.cancel() {
            std::process::exit(crate::Exit::Unknown as i32);
        }
    };
    // Without a handler Ctrl-C ends the process, which loses nothing that was promised.
    let _ = ctrlc::set_handler(handler);
}
